"""Help on one key: what can be done here and by which keys; those of games and commands can be set there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from rich.table import Table as Grid
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import DataTable, Label, Static

from gridproof.play.keys import meanings
from gridproof.play.table import Table
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.keys import COMMANDS_HERE, KeyRow, Keys
from gridproof.play.terminal.lists import UP_AND_DOWN
from gridproof.play.text import visible

if TYPE_CHECKING:
    from gridproof.play.terminal.app import GridproofApp

_POINTING = (
    "The mouse points, clicks and drags; in games without arrow keys, arrows move a cursor, "
    "Enter clicks there and Shift with an arrow drags. A colon asks for any action or command by its name."
)


HELP_KEYS = "question_mark,f1"
HELP = Binding(HELP_KEYS, "app.keys_here", "Help", tooltip="these keys")
"""On every screen that has no help of its own."""
HELP_BESIDE_TEXT = Binding("f1", "app.keys_here", "Help", tooltip="these keys")
"""Where a question mark is typed as text."""
_LEAVE: list[BindingType] = [Binding("escape,question_mark,f1,q", "dismiss", "Back")]


class _Listed(DataTable[Text]):
    """A list that says when it has got its room, or another one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "screen.set", "Set a key"), *UP_AND_DOWN]

    class Resized(Message):
        """There is more room, or less."""

    def on_resize(self) -> None:
        """Say so: the event itself is for the list alone."""
        self.post_message(self.Resized())


class HelpScreen(ModalScreen[None]):
    """The keys of the game and of commands, with what they do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *_LEAVE,
        Binding("delete,backspace", "reset", "Usual keys"),
    ]

    def __init__(self, table: Table | None, keys: Keys) -> None:
        super().__init__()
        self._table, self._keys = table, keys
        self._waiting: KeyRow | None = None
        self._filled = 0
        """For how much room the list was filled."""

    def compose(self) -> ComposeResult:
        """The rules in a line, then all keys."""
        with Vertical(classes="dialog -tall"):
            if self._table is not None:
                yield Label(visible(self._table.look.welcome), id="headline", markup=False)
            yield Static(_POINTING, classes="more", markup=False)
            yield _Listed(cursor_type="row", zebra_stripes=True)
            yield Static(id="told", markup=False)
        yield KeysBelow()

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    @on(_Listed.Resized)
    def break_lines(self) -> None:
        """Break lines where there is no room for them."""
        if self._room() != self._filled:
            self._fill()

    @property
    def listed(self) -> list[KeyRow]:
        """What the list shows."""
        return self._keys.rows(self._table)

    def _fill(self) -> None:
        listed = self.query_one(_Listed)
        row = listed.cursor_row
        lines = [(" ".join(map(shown_key, one.keys)) or "-", self._words(one)) for one in self.listed]
        self._filled = room = self._room()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        broken = 0 < room < sum(widths)
        if broken:
            widths[0] = min(widths[0], room // 3)
            widths[1] = room - widths[0]
        listed.clear(columns=True)
        for title, width in zip(("keys", "what they do"), widths, strict=True):
            listed.add_column(title, width=width if broken else None)
        for line in lines:
            listed.add_row(*map(Text, line), height=None if broken else 1)
        listed.move_cursor(row=row)

    def _room(self) -> int:
        """How many characters the two columns may have."""
        listed = self.query_one(_Listed)
        return listed.scrollable_content_region.width - 4 * listed.cell_padding

    def _words(self, row: KeyRow) -> str:
        if row.table == COMMANDS_HERE or self._table is None:
            return row.words
        return meanings(self._table.level, [row.words]).get(row.words, row.words)

    # -- keys of one's own

    def action_set(self) -> None:
        """Wait for the key that the row is to have."""
        self._waiting = self.listed[self.query_one(_Listed).cursor_row]
        self._say(f"Press the key for: {self._words(self._waiting)}. Esc leaves it as it is.")

    def on_key(self, event: events.Key) -> None:
        """The key that was waited for."""
        if self._waiting is None:
            return
        row, self._waiting = self._waiting, None
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self._say("")
            return
        self._keys.set(row, (*row.keys, event.key), self._table)
        self._kept(f"{shown_key(event.key)} is a key for: {self._words(row)}")

    def action_reset(self) -> None:
        """The usual keys again."""
        row = self.listed[self.query_one(_Listed).cursor_row]
        self._keys.reset(row)
        self._kept("The usual keys are back.")

    def _kept(self, words: str) -> None:
        app = cast("GridproofApp", self.app)
        app.keep()
        app.set_keymap(self._keys.keymap)
        self._fill()
        self._say(words)

    def _say(self, words: str) -> None:
        self.query_one("#told", Static).update(words)


class KeysScreen(ModalScreen[None]):
    """The keys of another screen, with what they do there."""

    BINDINGS: ClassVar[list[BindingType]] = _LEAVE

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        words: dict[str, list[str]] = {}
        for key, (_, binding, enabled, tooltip) in screen.active_bindings.items():
            if enabled and not binding.system and (binding.show or tooltip):
                words.setdefault(tooltip or binding.description, []).append(shown_key(key))
        self.lines = [
            (" ".join(keys), what[:1].lower() + what[1:].removesuffix(".")) for what, keys in words.items()
        ]

    def compose(self) -> ComposeResult:
        """One line for each thing that can be done."""
        grid = Grid.grid(padding=(0, 2, 0, 0))
        grid.add_column(style="bold")
        for line in self.lines:
            grid.add_row(*line)
        with VerticalScroll(classes="dialog"):
            yield Label("What can be done here", id="headline")
            yield Static(grid)
        yield KeysBelow()


_NAMES = {"up": "↑", "down": "↓", "left": "←", "right": "→", "question_mark": "?", "colon": ":", "slash": "/"}
_NAMES |= {"exclamation_mark": "!", "pagedown": "PgDn", "backspace": "Backspace", "plus": "+", "minus": "-"}


def shown_key(key: str) -> str:
    """A key as it stands on keyboards."""
    return _NAMES.get(
        key, key if len(key) == 1 else key.replace("ctrl+", "Ctrl+").replace("shift+", "Shift+").title()
    )
