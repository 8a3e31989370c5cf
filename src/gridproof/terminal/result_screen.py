"""Dialog at the end of a level: the result, and what the player can do next."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from gridproof.core.text.display import mask_unprintable
from gridproof.table.table import Table
from gridproof.terminal.animation import End
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.widgets import Choices, KeyFooter

SHOW_AGAIN = "watch"
MENU = "menu"


class ResultScreen(ModalScreen[str]):
    """Results are a command of the table, SHOW_AGAIN, MENU, or None to look at the board.

    If the session has moved on to another level, the board is that level's.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Look at the board"),
        Binding("escape", "go_on", "Next level"),
        HELP,
    ]

    def __init__(self, table: Table, end: End) -> None:
        super().__init__()
        self._table, self._end = table, end
        self._has_moved_on = table.session.current != end.board.place

    def compose(self) -> ComposeResult:
        """Lay out words, counts and choices."""
        end = self._end
        with Vertical(classes="dialog -end"):
            yield Label(
                mask_unprintable(end.words[0]),
                id="headline",
                classes="-won" if end.won else "-lost",
                markup=False,
            )
            lines = [end.board.words(), *end.words[1:]]
            yield Static(Text("\n".join(map(mask_unprintable, lines))), classes="counts")
            yield Choices(*(Option(words, id=name) for name, words in self._choices()))
        yield KeyFooter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Offer the next level if the session has moved on, else the board."""
        return action not in ("dismiss", "go_on") or (action == "go_on") == self._has_moved_on

    def action_go_on(self) -> None:
        """Go on to the next level."""
        self.dismiss(None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Leave with the choice."""
        chosen = event.option_id
        self.dismiss(None if chosen == "" else chosen)

    def _choices(self) -> list[tuple[str, str]]:
        """Return commands and their labels, the likeliest first."""
        session, policy = self._table.session, self._table.session.game.policy
        moved = self._has_moved_on
        choices: list[tuple[str, str]] = []
        if moved:
            choices.append(("", "Next level"))
        elif self._end.won and policy.act_after_win:
            choices.append(("continue", "Play on"))
        elif self._end.won and session.following:
            choices.append(("next", "Next level"))
        again = (f"level {self._end.board.place + 1}" if moved else "restart"), "Play it again"
        undo = [("undo", "Undo the last action")] if not moved and session.actions_done else []
        if self._end.won:
            choices += (
                [(SHOW_AGAIN, "Watch it again"), again]
                if choices
                else [again, (SHOW_AGAIN, "Watch it again")]
            )
            choices += [("levels", "Other levels")] if len(session.levels) > 1 else []
            choices += undo if policy.undo_after_win else []
        else:
            choices += [*undo, again]
        if not self._end.won or policy.act_after_win:
            choices.append(("new", "A new game"))
        return [*choices, (MENU, "Menu")]
