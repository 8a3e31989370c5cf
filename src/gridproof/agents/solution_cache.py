"""What is known of winning a level: from positions on a known way, what to do next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.core.trace import Step, Trace

if TYPE_CHECKING:
    from gridproof.search.solution import Solution

PATIENCE = Limit(seconds=20)
"""How long a way is looked for."""
CHEAPEST = 2.0
"""Seconds of it in which the way with fewest actions is looked for; then any will do."""


class Plan:
    """Known ways to win, of which the one told last counts."""

    def __init__(self, way: Trace | None = None) -> None:
        self._next: dict[Position[Any], tuple[Step, Position[Any], bool]] = {}
        if way is not None:
            self.follow(way)

    def follow(self, trace: Trace, fewest: bool = False) -> None:
        """Know a way that wins, and whether it is proved that none has fewer actions."""
        positions = list(trace.positions())
        for position, step, after in zip(positions, trace.steps, positions[1:], strict=False):
            self._next[position] = step, after, fewest

    def step(self, position: Position[Any]) -> Step | None:
        """What to do next; None where no way is known."""
        return self._next[position][0] if position in self._next else None

    def way(self, position: Position[Any]) -> tuple[Trace, bool] | None:
        """The known way from a position to the win, and whether it is proved that none has fewer actions.

        None where no way is known. The loop ends, since the step last learned for a position leads to a position
        whose step was learned later still.
        """
        steps, at, fewest = [], position, True
        while at in self._next and not at.won:
            step, at, least = self._next[at]
            steps.append(step)
            fewest &= least
        return (Trace(position, tuple(steps)), fewest) if steps else None


def find_way(
    position: Position[Any],
    actor: str | None = None,
    limit: Limit = PATIENCE,
    progress: Callable[[int], None] | None = None,
) -> Solution:
    """A way to win: that with fewest actions where it is found soon, else any.

    Parameters
    ----------
    actor : str, optional
        Who acts, of several: the others stand still.
    """
    from gridproof.search.solve import solve

    actors = None if actor is None else (actor,)
    seconds = CHEAPEST if limit.seconds is None else min(CHEAPEST, limit.seconds)
    answer = solve(position, actors=actors, limit=replace(limit, seconds=seconds), progress=progress)
    if answer.found is None and answer.stopped_by == "seconds":
        answer = solve(position, None, actors=actors, limit=limit, progress=progress)
    return answer
