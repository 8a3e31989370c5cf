"""Cache of known solutions: the next action from each position on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.core.trace import Step, Trace

if TYPE_CHECKING:
    from gridproof.search.solution import Solution

SOLUTION_LIMIT = Limit(seconds=20)
"""Limit of a search for a solution."""
SHORTEST_SECONDS = 2.0
"""Seconds of this limit for the shortest solution; the rest is for any solution."""


class SolutionCache:
    """Known solutions of a level; the latest one counts."""

    def __init__(self, solution: Trace | None = None) -> None:
        self._next: dict[Position[Any], tuple[Step, Position[Any], bool]] = {}
        if solution is not None:
            self.follow(solution)

    def follow(self, trace: Trace, fewest: bool = False) -> None:
        """Store a solution, and whether it is proved to be the shortest."""
        positions = list(trace.positions())
        for position, step, after in zip(positions, trace.steps, positions[1:], strict=False):
            self._next[position] = step, after, fewest

    def step(self, position: Position[Any]) -> Step | None:
        """Return the next action; None without a known solution."""
        return self._next[position][0] if position in self._next else None

    def way(self, position: Position[Any]) -> tuple[Trace, bool] | None:
        """Return the known solution from a position, and whether it is proved to be the shortest.

        None without a cached solution. The loop ends, since the step last learned for a position leads to a position
        whose step was learned later still.
        """
        steps, at, fewest = [], position, True
        while at in self._next and not at.won:
            step, at, least = self._next[at]
            steps.append(step)
            fewest &= least
        return (Trace(position, tuple(steps)), fewest) if steps else None


def find_solution(
    position: Position[Any],
    actor: str | None = None,
    limit: Limit = SOLUTION_LIMIT,
    progress: Callable[[int], None] | None = None,
) -> Solution:
    """Find a solution: the shortest if it is found soon, else any.

    If an actor is given, only that actor acts, and the others stand still.
    """
    from gridproof.search.solve import solve

    actors = None if actor is None else (actor,)
    seconds = SHORTEST_SECONDS if limit.seconds is None else min(SHORTEST_SECONDS, limit.seconds)
    answer = solve(position, actors=actors, limit=replace(limit, seconds=seconds), progress=progress)
    if answer.found is None and answer.stopped_by == "seconds":
        answer = solve(position, None, actors=actors, limit=limit, progress=progress)
    return answer
