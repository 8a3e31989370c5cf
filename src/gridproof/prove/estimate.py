"""Estimates of games of chance: the worth of a position and of each of its actions, by games that a program plays out.

A game that has one defines `ESTIMATE`, an `Estimator`, in a module `estimate` of its package.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.limit import Limit

_STEPS = (5, 10, 20, 50)
"""Percent to which chances of played games are rounded: the first that is not below the standard error."""

_ROUNDING = 1e-9
"""The rounding of a bound that is a multiple of 5 %."""


class Prospect(NamedTuple):
    """Prospect of a position or an action."""

    chance: float
    """The chance of the goal."""
    points: float
    """The expected points from here to the end."""
    is_proved: bool = False
    """True if the chance is proved, although games were played out for the points."""
    points_error: float = 0.0
    """The standard error of the points; 0 for exact ones."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The prospects of a position; exact values, or the averages of games that were played out."""

    goal: str
    """The goal, after "to": "reach 2048"."""
    actions: tuple[tuple[str, Prospect], ...]
    """The prospect of each action, by its text."""
    games: int = 0
    """The number of games for each action; 0 for exact values."""
    player: str = ""
    """The player of these games, or of the exact values: "a strong program", "the best play for each"."""
    points_lead: bool = False
    """True if the points are what counts, since the level is won."""
    is_first: bool = False
    """True if one of more games follows, which may say something else: chances are told as ranges."""

    @property
    def best(self) -> str:
        """The text of the action with the best prospect."""
        return self._best[0]

    @property
    def here(self) -> Prospect:
        """The prospect of the position: that of its best action."""
        return self._best[1]

    @property
    def _best(self) -> tuple[str, Prospect]:
        return max(self.actions, key=lambda action: self._rank(action[1]))

    def _rank(self, prospect: Prospect) -> tuple[float, ...]:
        """Return the key of the best prospect: the chance as it is told, since the games tell no more; between equal ones a proved one, then more points."""
        if self.points_lead:
            return prospect.points, prospect.chance
        return *_told_chance(prospect, self.games), prospect.is_proved, prospect.points

    def is_best(self, action: str) -> bool:
        """Return whether no action has a better chance than this one, as chances are told."""
        told = {name: _told_chance(prospect, self.games) for name, prospect in self.actions}
        return action in told and told[action] == max(told.values())

    @property
    def is_sure(self) -> bool:
        """True if the goal is proved to be reached by the best play, whatever chance does."""
        return any(one.chance == 1 and self._is_known(one) for _, one in self.actions)

    @property
    def is_impossible(self) -> bool:
        """True if the goal is proved to be out of reach."""
        return all(one.chance == 0 and self._is_known(one) for _, one in self.actions)

    def _is_known(self, prospect: Prospect) -> bool:
        return self.exact or prospect.is_proved

    @property
    def exact(self) -> bool:
        """True for exact values."""
        return not self.games


@runtime_checkable
class Estimator(Protocol):
    """Estimates positions of a game; the same position has the same estimates."""

    def __call__(self, position: Any, limit: Limit, /) -> Iterator[Estimate]:
        """Yield estimates of a position, each of more games; none where there is none, or once `stop` is set."""


def estimator(game: Game) -> Estimator | None:
    """Return the estimator of a game; None without one."""
    found: Estimator | None = find_extension(game, "estimate", Estimator)
    return found


def format_chance(prospect: Prospect, games: int, is_first: bool = False) -> str:
    """Return a chance as text; one of no game, or of all, is only a bound.

    A chance of played games is rounded to 5 %, or more if its standard error is larger. One of few games, the first of
    several, is the range of two standard errors.
    """
    share = prospect.chance
    if prospect.is_proved or not games:
        digits = 0 if share in (0, 1) or 0.01 <= share <= 0.99 else 2
        return f"{min(max(100 * share, 0.01), 99.99) if digits else 100 * share:.{digits}f} %"
    if is_first:
        low, high = _likely_range(share, games)
        return f"{low} to {high} %"
    percent, side = _told_chance(prospect, games)
    return f"{('about', 'over', 'under')[side]} {percent:.0f} %"


def _likely_range(share: float, games: int) -> tuple[int, int]:
    """Return the percent between which a chance lies by 95 of 100 samples of games (Wilson 1927), as multiples of 5."""
    middle = (share * games + 2) / (games + 4)
    half = 2 * sqrt(share * (1 - share) * games + 1) / (games + 4)
    return 5 * max(0, floor(20 * (middle - half) + _ROUNDING)), 5 * min(
        20, ceil(20 * (middle + half) - _ROUNDING)
    )


def _told_chance(prospect: Prospect, games: int) -> tuple[float, int]:
    """Return percent, and whether the chance is about that (0), over (1) or under it (-1)."""
    share = prospect.chance
    if prospect.is_proved or not games:
        return 100 * share, 0
    error = 100 * sqrt(share * (1 - share) / games)
    step = next(step for step in _STEPS if step >= error) if error else max(1, round(100 / games))
    if step <= 100 * share <= 100 - step:
        return step * round(100 * share / step), 0
    return (step, -1) if share < 0.5 else (100 - step, 1)


def format_points(prospect: Prospect) -> str:
    """Return expected points with two significant digits, or fewer if their standard error is larger."""
    number = round(prospect.points)
    step: int = 10 ** max(0, len(str(number)) - 2)
    steps = (factor * 10**power for power in itertools.count() for factor in (1, 2, 5))
    step = next(one for one in steps if one >= max(step, prospect.points_error))
    return f"{step * round(number / step):,}"
