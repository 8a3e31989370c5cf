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
from gridproof.search.goals import least_actions
from gridproof.search.question import GoalQuestion
from gridproof.search.solution import Solution
from gridproof.search.solve import solve_ahead

_FIRST, _FIRST_STATES = 1 << 15, 1 << 18
"""Positions that are explored before solvers are asked for the first time, and the positions that they may look at."""
_LATER, _GROWTH, _SHARE = 1 << 20, 4, 1 / 3
"""Positions that are explored before they are asked again; the factor until the next time; and their positions for each
explored one. From then on a solution will do that perhaps has more actions than needed."""
_FAR, _AT_ONCE = 100, 1 << 16
"""Actions to a goal that no exploration reaches: any solution will do, if it is found among so many positions before all else."""


class GoalSolver:
    """Solver of a goal, asked now and then while positions are explored; goals that are formulas have none."""

    def __init__(self, goal: Formula, starts: Sequence[Position[Any]], who: Who, shortest: bool) -> None:
        self._question: GoalQuestion | None = None
        self._next_size, self._shortest, self._is_new = _FIRST, shortest, True
        if is_goal(goal):
            reached = parse_goal(starts[0].level.game, str(goal))
            self._question = GoalQuestion(starts=list(starts), who=who, goal=reached)

    def solve(self, explored: int, meter: Meter) -> Solution | None:
        """Return a solution, or the proof that there is none, if solvers are due and soon find it."""
        if self._question is None:
            return None
        if self._is_new and not self._shortest:
            self._is_new = False
            if least_actions(self._question) >= _FAR and (found := self._ask(_AT_ONCE, meter, greedy=True)):
                return found
        if explored < self._next_size:
            return None
        if explored < _LATER:
            self._next_size = _LATER
            return self._ask(_FIRST_STATES, meter, greedy=False)
        self._next_size, states = explored * _GROWTH, int(explored * _SHARE)
        found = self._ask(states, meter, greedy=False)
        if found or self._shortest:
            return found
        return self._ask(states, meter, greedy=True)

    def _ask(self, states: int, meter: Meter, greedy: bool) -> Solution | None:
        """Return what solvers find among so many positions."""
        limit, seconds = replace(meter.limit, states=states), meter.limit.seconds
        if seconds is not None:
            limit = replace(limit, seconds=max(0.0, seconds - meter.seconds))
        assert self._question
        return solve_ahead(replace(self._question, meter=limit.start(), greedy=greedy))
