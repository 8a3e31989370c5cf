"""A soft veil over the board when a level is won or lost: what was reached, and what can be done next."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from gridproof.play.table import Table
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP
from gridproof.play.terminal.lists import Choices
from gridproof.play.terminal.telling import End
from gridproof.play.text import visible

SHOW_AGAIN = "watch"
MENU = "menu"


class EndScreen(ModalScreen[str]):
    """Gives a command of the table, SHOW_AGAIN, MENU, or None to look at the board.

    Where the session has gone on to another level by itself, the board is that one's.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Look at the board"),
        Binding("escape", "go_on", "Next level"),
        HELP,
    ]

    def __init__(self, table: Table, end: End) -> None:
        super().__init__()
        self._table, self._end = table, end
        self._moved = table.session.current != end.board.place

    def compose(self) -> ComposeResult:
        """Words, counts, choices."""
        end = self._end
        with Vertical(classes="dialog -end"):
            yield Label(
                visible(end.words[0]), id="headline", classes="-won" if end.won else "-lost", markup=False
            )
            told = [end.board.words(), *end.words[1:]]
            yield Static(Text("\n".join(map(visible, told))), classes="counts")
            yield Choices(*(Option(words, id=name) for name, words in self._choices()))
        yield KeysBelow()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Where there is another level already, one goes on to it."""
        return action not in ("dismiss", "go_on") or (action == "go_on") == self._moved

    def action_go_on(self) -> None:
        """The level that the session has gone on to."""
        self.dismiss(None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A choice."""
        chosen = event.option_id
        self.dismiss(None if chosen == "" else chosen)

    def _choices(self) -> list[tuple[str, str]]:
        """What can be done next, the likeliest first."""
        session, policy = self._table.session, self._table.session.game.policy
        moved = self._moved
        found: list[tuple[str, str]] = []
        if moved:
            found.append(("", "Next level"))
        elif self._end.won and policy.act_after_win:
            found.append(("continue", "Play on"))
        elif self._end.won and [place for place in session.incomplete if place != session.current]:
            found.append(("next", "Next level"))
        if not moved and (policy.undo_after_win or not self._end.won) and session.actions_done:
            found.append(("undo", "Take the last action back"))
        if self._end.won:
            found.append((SHOW_AGAIN, "Watch it again"))
        again = f"level {self._end.board.place + 1}" if moved else "restart"
        found.append((again, "Play it again"))
        if not self._end.won or policy.act_after_win:
            found.append(("new", "A new game"))
        return [*found, (MENU, "Menu")]
