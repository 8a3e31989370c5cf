"""Estimates of games of chance: the worth of a position and of each of its actions, by games that a program plays out.

A game that has one defines `ESTIMATE`, an `Estimator`, in a module `estimate` of its package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.limit import Limit

_STEP = 5
"""Percent to which chances of played games are rounded."""


class Prospect(NamedTuple):
    """Prospect of a position or an action."""

    chance: float
    """The chance of the goal."""
    points: float
    """The expected points from here to the end."""
    is_proved: bool = False
    """True if the chance is proved, although games were played out for the points."""

    @property
    def rank(self) -> tuple[float, bool, float]:
        """The key of the best prospect: the chance; between equal ones a proved one, then more points."""
        return self.chance, self.is_proved, self.points


@dataclass(frozen=True, slots=True)
class Estimate:
    """The prospects of a position; exact values, or the averages of games that were played out."""

    goal: str
    """The goal, after "to": "reach 2048"."""
    here: Prospect
    """The prospect of the position: that of its best action."""
    actions: tuple[tuple[str, Prospect], ...]
    """The prospect of each action, by its text."""
    games: int = 0
    """The number of games for each action; 0 for exact values."""
    player: str = ""
    """The player of these games, or of the exact values: "a program", "the best play"."""

    @property
    def best(self) -> str:
        """The text of the action with the best prospect."""
        return max(self.actions, key=lambda action: action[1].rank)[0]

    @property
    def exact(self) -> bool:
        """True for exact values."""
        return not self.games


@runtime_checkable
class Estimator(Protocol):
    """Estimates positions of a game; the same position has the same estimate."""

    def __call__(self, position: Any, limit: Limit, /) -> Estimate | None:
        """Return the estimate of a position; None where there is none, or `stop` is set."""


def estimator(game: Game) -> Estimator | None:
    """Return the estimator of a game; None without one."""
    found: Estimator | None = find_extension(game, "estimate", Estimator)
    return found


def format_chance(prospect: Prospect, games: int) -> str:
    """Return a chance as text; one of no game, or of all, is only a bound.

    A chance of played games is known to the nearest 5 % only, which is about the error of a few hundred games.
    """
    share = prospect.chance
    if prospect.is_proved or not games:
        digits = 0 if share in (0, 1) or 0.01 <= share <= 0.99 else 2
        return f"{min(max(100 * share, 0.01), 99.99) if digits else 100 * share:.{digits}f} %"
    if share in (0, 1):
        bound = max(1, round(100 / games))
        return f"under {bound} %" if not share else f"over {100 - bound} %"
    if not _STEP <= 100 * share <= 100 - _STEP:
        return f"under {_STEP} %" if share < 0.5 else f"over {100 - _STEP} %"
    return f"about {_STEP * round(100 * share / _STEP)} %"


def format_points(prospect: Prospect) -> str:
    """Return expected points with two significant digits."""
    number = round(prospect.points)
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"
