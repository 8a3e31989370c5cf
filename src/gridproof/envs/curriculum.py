"""Curriculum: which levels episodes begin on, by the player's success."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.registry import resolve_game
from gridproof.envs.game_batch import Array
from gridproof.envs.levels import Source, levels_of

_LEAST_WEIGHT = 0.05
"""Weight of a tier that is always won, so that it is not forgotten."""


@runtime_checkable
class Sampler(Protocol):
    """Chooses the level of each episode of a vector environment."""

    def record(self, levels: Array, won: Array) -> None:
        """Learn from episodes that have ended: the number of their levels, int64 (n,), and who won, bool (n,)."""

    def draw(self, count: int) -> Array:
        """Draw levels of further episodes, int64 (count,)."""


class Curriculum:
    """Sampler over tiers of levels, from easy to hard: a tier is opened when the one before it is mostly won.

    Among the open tiers those with fewer wins are drawn more often, and all levels of a tier equally.

    Parameters
    ----------
    game : str or Game
    tiers : sequence of sources of levels
        From the easiest, such as `[Generated.of_task(name, 200) for name in gridproof.envs.LADDER]`.
    seed : int
        Of the draws.
    threshold : float
        Share of wins in a tier that opens the next.
    window : int
        Number of latest episodes of a tier that count for its share, roughly: it is an exponential average.

    Raises
    ------
    GridproofError
        When a tier has no levels, or an argument is invalid.

    Examples
    --------
    >>> curriculum = Curriculum("sokoban", ["sokoban-tier-1", "sokoban-tier-2"])
    >>> len(curriculum.levels), curriculum.success.tolist(), curriculum.open_tiers
    (200, [0.0, 0.0], 1)
    """

    def __init__(
        self,
        game: str | Game,
        tiers: Sequence[Source],
        seed: int = 0,
        threshold: float = 0.8,
        window: int = 200,
    ) -> None:
        found = [levels_of(resolve_game(game), tier) for tier in tiers]
        if not found:
            raise GridproofError("a curriculum needs at least one tier")
        if not _is_number(threshold) or not 0 <= threshold <= 1 or not _is_number(window) or window < 1:
            raise GridproofError("the threshold is a share from 0 to 1, and the window at least 1 episode")
        self.levels = [level for tier in found for level in tier]
        """Levels of all tiers, for the option `levels` of environments."""
        self.success: Array = np.zeros(len(found))
        """Share of wins in each tier, 0 before its first episode."""
        self._begins = np.cumsum([0, *map(len, found)])
        self._threshold, self._forget = threshold, 1 - 1 / window
        self._random = np.random.default_rng(seed)

    @property
    def open_tiers(self) -> int:
        """Number of tiers that are drawn."""
        below = np.flatnonzero(self.success < self._threshold)
        return int(below[0]) + 1 if len(below) else len(self.success)

    def record(self, levels: Array, won: Array) -> None:
        """Update the shares of wins by episodes that have ended."""
        tiers = np.searchsorted(self._begins, levels, side="right") - 1
        for tier in np.unique(tiers):
            wins = won[tiers == tier]
            kept = self._forget ** len(wins)
            self.success[tier] = kept * self.success[tier] + (1 - kept) * wins.mean()

    def draw(self, count: int) -> Array:
        """Draw levels, int64 (count,)."""
        weights = np.maximum(1 - self.success[: self.open_tiers], _LEAST_WEIGHT)
        tiers = self._random.choice(len(weights), count, p=weights / weights.sum())
        begins, ends = self._begins[tiers], self._begins[tiers + 1]
        found: Any = self._random.integers(begins, ends)
        return np.asarray(found, np.int64)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number)
