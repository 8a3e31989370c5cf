"""Dialog with the ladder of spoilers: from the piece that moves next to the whole solution."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from gridproof.table.table import Table
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.widgets import Choices, KeyFooter

SEVERAL = "hint 3"
LINES = (SEVERAL, "solve")
"""Commands that show several moves."""
LADDER = (
    ("nudge", "Where to look"),
    ("hint", "The next move"),
    (SEVERAL, "The next three moves"),
    ("solve", "The whole solution"),
    ("watch", "Watch it"),
)
"""Commands with their words, the least told first."""


class SpoilerDialog(ModalScreen[str]):
    """Chooses how much to tell; the result is a command of the table, or None."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", tooltip="tell nothing"),
        HELP,
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        offered = {command.words[0] for command in table.commands}
        has_line = "nudge" in offered  # a game whose hints are advice has no line to show
        self._rungs = [
            (command, words)
            for command, words in LADDER
            if command.partition(" ")[0] in offered and (has_line or command not in LINES)
        ]

    def compose(self) -> ComposeResult:
        """Lay out the choices."""
        with Vertical(classes="dialog -end"):
            yield Label("How much to tell", id="headline")
            yield Choices(*(Option(words, id=command) for command, words in self._rungs))
            yield Label("Hints keep a win from being your best.", classes="counts")
        yield KeyFooter()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Leave with the choice."""
        self.dismiss(event.option_id)
