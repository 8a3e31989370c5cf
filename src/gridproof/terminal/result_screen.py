"""Dialog at the end of a level: the result, and what the player can do next."""

from __future__ import annotations

from typing import ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from gridproof.core.errors import GridproofError
from gridproof.core.measure import ACTIONS
from gridproof.core.puzzle import puzzle_of
from gridproof.core.text.display import mask_unprintable
from gridproof.table.fewest_actions import (
    count_stars,
    counts_actions,
    describe_count,
    fewest_job,
    known_fewest,
)
from gridproof.table.jobs import Job
from gridproof.table.status import OFF
from gridproof.table.table import Table
from gridproof.terminal.animation import End
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.sidebar import speak_counts
from gridproof.terminal.widgets import Choices, KeyFooter

MOST_STARS = 3
SHOW_AGAIN = "watch"
GO_ON = "go on"
ANOTHER = "another"
MENU = "menu"
ENTER = "⏎"
"""After the first choice: the key that takes it."""


def star_text(stars: int) -> str:
    """Return stars before the words of a win."""
    return f"{'★' * stars}{'☆' * (MOST_STARS - stars)} "


class ResultScreen(ModalScreen[str]):
    """Results are a command of the table, GO_ON (to the level to which the session has moved on), SHOW_AGAIN, ANOTHER (puzzle), MENU, or None to look at the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Look at the board"),
        HELP,
    ]

    def __init__(self, table: Table, end: End) -> None:
        super().__init__()
        self._table, self._end = table, end
        self._has_moved_on = table.session.current != end.board.place
        self._is_counted = end.won and counts_actions(end.board)
        self._search: Job | None = None
        """The search for the fewest actions."""
        self._score = Static(id="score", markup=False)

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
            if self._is_counted:
                yield self._score
            counts = speak_counts(end.board.counts_in(self._owner.frame), end.board.position.level)
            lines = [
                ", ".join(f"{word} {value}" for word, value in counts),
                *(() if self._is_counted else end.words[1:]),
                *filter(None, [self._table.look.next_goal(end.board.position)]),
            ]
            if end.won and self._is_helped and not self._is_counted:
                lines.append("With hints.")
            yield Static(Text("\n".join(map(mask_unprintable, lines))), classes="counts")
            (first, words), *others = self._choices()
            yield Choices(
                Option(Text.assemble(f"{words} ", (ENTER, "dim")), id=first),
                *(Option(words, id=name) for name, words in others),
            )
        yield KeyFooter()

    def on_mount(self) -> None:
        """Compare the actions with the fewest, which are looked for if they are unknown."""
        if not self._is_counted:
            return
        table, place, owner = self._table, self._end.board.place, self._owner
        if known_fewest(table, place) is None and owner.settings.badge != OFF:
            self._search = fewest_job(table, place)
            self._search.start(lambda done: owner.call_soon(self._finish_search))
        self._show_score("; looking for the fewest ..." if self._search else "")

    @property
    def _owner(self) -> BaseApp:
        return cast("BaseApp", self.app)

    def on_unmount(self) -> None:
        """Cancel the search."""
        if self._search is not None:
            self._search.cancel()

    def _finish_search(self) -> None:
        if self._search is not None and self.is_mounted:
            self._search.messages()
            self._show_score()

    def _show_score(self, after: str = "") -> None:
        place, session = self._end.board.place, self._table.session
        done, fewest = len(session.trace(place).steps), known_fewest(self._table, place)
        count = describe_count(done, fewest, session.levels[place], after)
        stars = "" if fewest is None or self._is_helped else star_text(count_stars(done, fewest))
        self._score.update("\n".join([f"{stars}{count}", self._describe_own(done)]), layout=False)
        self._score.set_class(done == fewest and not self._is_helped, "-best")

    @property
    def _is_helped(self) -> bool:
        return self._table.session.is_helped(self._end.board.place)

    def _describe_own(self, done: int) -> str:
        """Describe the win beside the player's best, which is one without hints."""
        try:
            best = self._table.best_of(self._end.board.position.level).get(ACTIONS.name)
        except GridproofError:
            best = None  # shown when the level was won
        known = "" if best is None else f"your best is {best}"
        if self._is_helped:
            return f"With hints{f'; {known}' if known else ''}."
        return (
            "This is your best." if best == done else f"{known[:1].upper()}{known[1:]}{'.' if known else ''}"
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Leave with the choice."""
        self.dismiss(event.option_id)

    def _choices(self) -> list[tuple[str, str]]:
        """Return commands and their labels, the likeliest first."""
        session, policy = self._table.session, self._table.session.game.policy
        moved = self._has_moved_on
        choices: list[tuple[str, str]] = []
        if moved:
            choices.append((GO_ON, "Next level"))
        elif self._end.won and policy.act_after_win and session.position.actions():
            choices.append(("continue", "Play on"))
        elif self._end.won and session.following:
            choices.append(("next", "Next level"))
        elif self._end.won and puzzle_of(self._end.board.position.level) is not None:
            choices.append((ANOTHER, "Another puzzle like it"))
        again = (f"level {self._end.board.place + 1}" if moved else "restart"), "Play it again"
        is_beaten = not self._end.won and self._end.board.position.won  # by another actor
        can_undo = not moved and session.actions_done and (not is_beaten or policy.undo_after_win)
        undo = [("undo", "Undo the last action")] if can_undo else []
        if is_beaten:
            choices = [again, *choices, *undo, (SHOW_AGAIN, "Watch it again")]
        elif self._end.won:
            choices += (
                [(SHOW_AGAIN, "Watch it again"), again]
                if choices
                else [again, (SHOW_AGAIN, "Watch it again")]
            )
            choices += [("levels", "Other levels")] if len(session.levels) > 1 else []
            choices += undo if policy.undo_after_win else []
        else:
            choices += [*undo, again]
        if not moved and (not self._end.won or policy.act_after_win):
            choices.append(("new", "A new game"))
        return [*choices, (MENU, "Menu")]
