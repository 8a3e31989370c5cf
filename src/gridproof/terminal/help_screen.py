"""Help: the keys and their meanings; keys of games and commands can be changed."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from rich.table import Table as Grid
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import DataTable, Label, Static

from gridproof.core.lesson import Lesson, lesson_of
from gridproof.core.text.display import mask_unprintable
from gridproof.table.table import Table
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.keys import KeyRow, Keys
from gridproof.terminal.widgets import UP_AND_DOWN, KeyFooter

_CURSOR_HELP = "The arrow keys move a cursor: Enter clicks there, Shift+arrow drags."
_TYPE_HELP = "Type : to enter any action or command."


HELP_KEYS = "question_mark,f1"
HELP = Binding(HELP_KEYS, "app.keys_here", "Help", tooltip="these keys")
"""For screens without help of their own."""
HELP_BESIDE_TEXT = Binding("f1", "app.keys_here", "Help", tooltip="these keys")
"""For screens where a question mark is text."""
_LEAVE: list[BindingType] = [Binding("escape,question_mark,f1,q", "dismiss", "Back")]


class _KeyTable(DataTable[Text]):
    """A table of keys that posts when its size changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.set", "Change key"),
        Binding("pagedown", "page_down", "More keys", tooltip="further down the list"),
        *UP_AND_DOWN,
    ]

    class Resized(Message):
        """A change of size."""

    def on_resize(self) -> None:
        """Post a message: the event itself does not reach the screen."""
        self.post_message(self.Resized())


class HelpScreen(ModalScreen[None]):
    """The keys of the game and of commands, with their meanings."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *_LEAVE,
        Binding("r", "rules", "Rules", tooltip="the rules of the game"),
        Binding("delete,backspace", "reset", "Default keys"),
    ]

    def __init__(self, table: Table, keys: Keys) -> None:
        super().__init__()
        self._table, self._keys = table, keys
        self._waiting: KeyRow | None = None
        self._width = 0
        """Width for which the table is laid out."""

    def compose(self) -> ComposeResult:
        """Lay out a line of rules, then all keys."""
        with Vertical(classes="dialog -tall"):
            yield Label(mask_unprintable(self._table.look.welcome), id="headline", markup=False)
            yield Static(self._mouse_help, classes="more", markup=False)
            yield _KeyTable(cursor_type="row", zebra_stripes=True)
            yield Static(id="message", markup=False)
        yield KeyFooter()

    @property
    def _mouse_help(self) -> str:
        table = self._table
        cursor = [_CURSOR_HELP] if self._keys.moves_cursor(table) else []
        return mask_unprintable(" ".join([table.look.gestures, *cursor, _TYPE_HELP]))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Offer the rules of a game that has them in words."""
        return action != "rules" or self._lesson is not None

    @property
    def _lesson(self) -> Lesson | None:
        return lesson_of(self._table.session.game)

    def action_rules(self) -> None:
        """Show the rules of the game."""
        if self._lesson is not None:
            self.app.push_screen(RulesScreen(self._lesson))

    def on_mount(self) -> None:
        """Fill the table."""
        self._fill()

    @on(_KeyTable.Resized)
    def break_lines(self) -> None:
        """Break lines that do not fit."""
        if self._available_width() != self._width:
            self._fill()

    @property
    def rows(self) -> list[KeyRow]:
        """Rows of the table: the keys that do something on this level."""
        return self._keys.rows_of_use(self._table)

    def _fill(self) -> None:
        table = self.query_one(_KeyTable)
        row = table.cursor_row
        lines = [(" ".join(map(key_label, one.keys)) or "-", self._meaning(one)) for one in self.rows]
        self._width = room = self._available_width()
        titles = ("keys", "what each key does")
        widths = [max(map(len, column)) for column in zip(titles, *lines, strict=True)]
        broken = 0 < room < sum(widths)
        if broken:
            widths[0] = min(widths[0], room // 3)
            widths[1] = room - widths[0]
        table.clear(columns=True)
        for title, width in zip(titles, widths, strict=True):
            table.add_column(title, width=width)  # the table's own width is wrong before it is visible
        for line in lines:
            table.add_row(*map(Text, line), height=None if broken else 1)
        table.move_cursor(row=row)

    def _available_width(self) -> int:
        """Return the number of characters that the two columns may have."""
        table = self.query_one(_KeyTable)
        return table.scrollable_content_region.width - 4 * table.cell_padding

    def _meaning(self, row: KeyRow) -> str:
        return self._keys.meaning(row, self._table)

    # -- the player's own keys

    def action_set(self) -> None:
        """Wait for the new key of the row."""
        self._waiting = self.rows[self.query_one(_KeyTable).cursor_row]
        self._say(f"Press the new key for: {self._meaning(self._waiting)}. Press Esc to cancel.")

    def on_key(self, event: events.Key) -> None:
        """Set the pressed key, if the screen waits for a key."""
        if self._waiting is None:
            return
        row, self._waiting = self._waiting, None
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self._say("")
            return
        self._keys.set(row, (*row.keys, event.key), self._table)
        self._save(f"{key_label(event.key)} is already the key for: {self._meaning(row)}")

    def action_reset(self) -> None:
        """Restore the default keys of the row."""
        row = self.rows[self.query_one(_KeyTable).cursor_row]
        self._keys.reset(row)
        self._save("Default keys restored.")

    def _save(self, words: str) -> None:
        app = cast("BaseApp", self.app)
        app.save_settings()
        app.set_keymap(self._keys.keymap)
        self._fill()
        self._say(words)

    def _say(self, words: str) -> None:
        self.query_one("#message", Static).update(words)


class RulesScreen(ModalScreen[None]):
    """The rules of a game in words, from its lesson."""

    BINDINGS: ClassVar[list[BindingType]] = _LEAVE

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self._lesson = lesson

    def compose(self) -> ComposeResult:
        """Lay out a paragraph for each rule."""
        with VerticalScroll(classes="dialog"):
            for example in self._lesson.examples:
                words = Text.assemble((f"{example.title}\n", "bold"), f"{example.text}\n")
                yield Static(words)
        yield KeyFooter()


class KeysScreen(ModalScreen[None]):
    """The keys of another screen, with their meanings."""

    BINDINGS: ClassVar[list[BindingType]] = _LEAVE

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        words: dict[str, list[str]] = {}
        for key, (_, binding, enabled, tooltip) in screen.active_bindings.items():
            if enabled and not binding.system and (binding.show or tooltip):
                words.setdefault(tooltip or binding.description, []).append(key_label(key))
        self.lines = [
            (" ".join(keys), what[:1].lower() + what[1:].removesuffix(".")) for what, keys in words.items()
        ]

    def compose(self) -> ComposeResult:
        """Lay out a line for each command."""
        grid = Grid.grid(padding=(0, 2, 0, 0))
        grid.add_column(style="bold")
        for line in self.lines:
            grid.add_row(*line)
        with VerticalScroll(classes="dialog"):
            yield Label("Actions and commands", id="headline")
            yield Static(grid)
        yield KeyFooter()


_NAMES = {"up": "↑", "down": "↓", "left": "←", "right": "→", "question_mark": "?", "colon": ":", "slash": "/"}
_NAMES |= {"exclamation_mark": "!", "pagedown": "PgDn", "backspace": "Backspace", "plus": "+", "minus": "-"}


def key_label(key: str) -> str:
    """Return the name of a key on keyboards."""
    return _NAMES.get(
        key, key if len(key) == 1 else key.replace("ctrl+", "Ctrl+").replace("shift+", "Shift+").title()
    )
