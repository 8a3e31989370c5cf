"""Help on one key: what can be done here and by which keys, which can be set there."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import DataTable, Label, Static

from gridproof.play.keys import meanings
from gridproof.play.table import Table
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.keys import COMMANDS_HERE, KeyRow, Keys
from gridproof.play.text import visible

if TYPE_CHECKING:
    from gridproof.play.terminal.app import GridproofApp

_POINTING = (
    "The mouse points, clicks and drags; in games without arrow keys, arrows move a cursor, "
    "Enter clicks there and Shift with an arrow drags. A colon asks for any action or command by its name."
)


class _Listed(DataTable[Text]):
    """A list that says when it has got its room, or another one."""

    class Resized(Message):
        """There is more room, or less."""

    def on_resize(self) -> None:
        """Say so: the event itself is for the list alone."""
        self.post_message(self.Resized())


class HelpScreen(ModalScreen[None]):
    """The keys of the game and of commands, with what they do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q", "dismiss", "Back"),
        Binding("enter", "set", "Set a key", priority=True),
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


_NAMES = {"up": "↑", "down": "↓", "left": "←", "right": "→", "question_mark": "?", "colon": ":", "slash": "/"}
_NAMES |= {"exclamation_mark": "!", "pagedown": "PgDn", "backspace": "Backspace", "plus": "+", "minus": "-"}


def shown_key(key: str) -> str:
    """A key as it stands on keyboards."""
    return _NAMES.get(
        key, key if len(key) == 1 else key.replace("ctrl+", "Ctrl+").replace("shift+", "Shift+").title()
    )
