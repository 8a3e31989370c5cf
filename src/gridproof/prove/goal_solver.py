"""Solutions as early verdicts: a solver often finds a far goal among fewer positions than an exploration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.core.proposition import parse_goal
from gridproof.prove.formula import Formula, is_goal
from gridproof.search.actors import Who
from gridproof.search.question import GoalQuestion
from gridproof.search.solution import Solution
from gridproof.search.solve import solve_ahead

_FIRST, _GROWTH = 1 << 18, 4
"""Positions that are explored before solvers are asked, and the factor until they are asked again."""
_SHARE = 1 / 4
"""Positions of a solver, for each explored one."""
_PATIENCE = 1 << 20
"""Positions that are explored before a solution will do that perhaps has more actions than needed."""


class GoalSolver:
    """Solver of a goal, asked now and then while positions are explored; goals that are formulas have none."""

    def __init__(self, goal: Formula, starts: Sequence[Position[Any]], who: Who, shortest: bool) -> None:
        self._question: GoalQuestion | None = None
        self._next_size, self._shortest = _FIRST, shortest
        if is_goal(goal):
            reached = parse_goal(starts[0].level.game, str(goal))
            self._question = GoalQuestion(starts=list(starts), who=who, goal=reached)

    def solve(self, explored: int, meter: Meter) -> Solution | None:
        """Return a solution, or the proof that there is none, if solvers are due and soon find it."""
        if self._question is None or explored < self._next_size:
            return None
        self._next_size = explored * _GROWTH
        found = self._ask(explored, meter, greedy=False)
        if found or self._shortest or explored < _PATIENCE:
            return found
        return self._ask(explored, meter, greedy=True)

    def _ask(self, explored: int, meter: Meter, greedy: bool) -> Solution | None:
        limit, seconds = replace(meter.limit, states=int(explored * _SHARE)), meter.limit.seconds
        if seconds is not None:
            limit = replace(limit, seconds=max(0.0, seconds - meter.seconds))
        assert self._question
        return solve_ahead(replace(self._question, meter=limit.start(), greedy=greedy))
