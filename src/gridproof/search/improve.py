"""`gp.improve`: a cheaper way to the same end, never a dearer one.

Loops are cut out first. Then stretches of the way are solved anew from where they begin to where they end, ever longer
ones, and the whole by the solvers of `gp.solve`, as far as the limit allows (window optimisation, as optimisers of
Sokoban solutions do it).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure, Proposition
from gridproof.core.limit import Limit, Meter, started
from gridproof.core.measure import cost_of, measure_named, measures
from gridproof.core.position import NATURE, Position
from gridproof.core.proposition import Goal
from gridproof.core.trace import Step, Trace
from gridproof.search.actors import Who, acting
from gridproof.search.question import GoalQuestion
from gridproof.search.solution import Solution
from gridproof.search.solve import solution_of
from gridproof.search.space import Progress, rising

SECONDS = 30.0
"""How long it works where the limit sets neither seconds nor positions."""
_SHARE = 0.25
"""Of the seconds, for the first try at the whole."""
_WINDOWS = (6, 12, 24, 48, 96, 192)
"""Steps of the stretches that are solved anew."""
_MOST = 50_000
"""Positions found for one stretch."""


def improve(
    trace: Trace, minimise: str | None = None, limit: Limit | None = None, progress: Progress | None = None
) -> Solution:
    """Find a cheaper way to the same end: to a win, where the trace wins, else to its last position.

    Parameters
    ----------
    trace : Trace
        Its steps are verified. Nature acts in the answer only if it does in the trace; where actions have several
        outcomes, the answer's trace says which ones it needs.
    minimise : str, optional
        "actions", or a measure of the game; by default its last: "pushes" of Sokoban. What costs the same is
        compared by its actions.
    limit : Limit
        When to stop with the best found; by default after 30 seconds.
    progress : callable, optional
        Told now and then how many positions have been found.

    Returns
    -------
    Solution
        Always found, never dearer than the trace, and `optimal` where no way to that end costs less. Its engine is
        "given" where the trace has not been improved.

    Raises
    ------
    GridproofError
        For a trace that does not replay, or has a loop, and for a measure that the game does not have.
    """
    if not isinstance(trace, Trace):
        raise GridproofError(f"a trace is needed, not {type(trace).__name__}")
    if trace.loop is not None:
        raise GridproofError("the trace goes round for ever: it has no end")
    game = trace.level.game
    measure = measure_named(game, [*measures(game)][-1] if minimise is None else minimise)
    limit = limit or Limit()
    if limit.seconds is None and limit.states is None:
        limit = replace(limit, seconds=SECONDS)
    return _Improving(trace, measure, started(limit), rising(progress)).solution()


class _Improving:
    """The best trace so far, and the work on it."""

    def __init__(self, trace: Trace, measure: Measure, meter: Meter, progress: Progress | None) -> None:
        end = trace.replay()
        self.best, self.measure, self.meter, self.progress = trace, measure, meter, progress
        self.goal = proposition.goal(trace.level.game, "won") if end.won else _there(end)
        self.engine, self.states, self.optimal = "given", 0, False
        natural = any(trace.level.owner(action) == NATURE for action in trace.actions)
        self.who: Who = acting(trace.level, "all" if natural else None)
        self.price = self._price(trace)

    def _price(self, trace: Trace) -> tuple[int, int]:
        return cost_of(trace, self.measure), len(trace.steps)

    def solution(self) -> Solution:
        """The best that is found within the limit."""
        self._take(_without_loops(self.best), "loops cut out")
        self._try_whole(_SHARE)
        if not self.optimal:
            self._try_windows()
            self._try_whole(1)
        meter = self.meter
        stopped = "" if self.optimal else meter.why
        return Solution(
            True, self.best, self.price[0], self.optimal, self.states, meter.seconds, stopped, self.engine
        )

    def _take(self, trace: Trace, engine: str) -> bool:
        """Keep a trace if it is better; whether it is."""
        price = self._price(trace)
        if price >= self.price:
            return False
        self.best, self.price, self.engine = trace, price, engine
        return True

    def _try_whole(self, share: float) -> None:
        """Solve from the start, within a share of the limit."""
        if self.optimal or self.meter.reached(0):
            return
        seconds = None if self.meter.limit.seconds is None else share * self.meter.limit.seconds
        found = self._solved(self.best.start, self.goal, replace(self.meter.limit, seconds=seconds))
        if found.trace is not None and found.optimal:
            self._take(found.trace, found.engine)
            self.optimal = True

    def _try_windows(self) -> None:
        """Solve stretches anew, until none of any length gives anything."""
        for length in _WINDOWS:
            while self._improved_once(length):
                pass
            if length >= len(self.best.steps):
                return

    def _improved_once(self, length: int) -> bool:
        """Go through all stretches of a length; whether one of them has become better."""
        first, better = 0, False
        while first < len(self.best.steps):
            if self.meter.reached(0):
                return False
            better |= self._tried(first, length)
            first += length // 2
        return better

    def _tried(self, first: int, length: int) -> bool:
        """Solve the stretch from one step on; whether that gave anything."""
        steps = self.best.steps
        positions = list(self.best.positions())
        last = min(first + length, len(steps))
        goal = self.goal if last == len(steps) else _there(positions[last])
        most = min(_MOST, self.meter.limit.states or _MOST)
        found = self._solved(positions[first], goal, replace(self.meter.limit, states=most))
        if found.trace is None:
            return False
        shorter = Trace(self.best.start, (*steps[:first], *found.trace.steps, *steps[last:]))
        return self._take(_without_loops(shorter), "stretches solved anew")

    def _solved(self, start: Position[Any], goal: Goal, limit: Limit) -> Solution:
        """The cheapest way from one position, within what is left of the time."""
        whole = self.meter.limit.seconds
        if whole is not None:
            left = max(0.0, whole - self.meter.seconds)
            limit = replace(limit, seconds=left if limit.seconds is None else min(limit.seconds, left))
        question = GoalQuestion(
            starts=[start],
            who=self.who,
            meter=started(limit),
            progress=self.progress,
            goal=goal,
            measure=self.measure,
        )
        found = solution_of(question)
        self.states += found.states
        return found


def _there(position: Position[Any]) -> Goal:
    """The goal that is one position."""
    meaning = Proposition(
        "there", (), "the last position", lambda one: one == position, where=lambda level: (position,)
    )
    return Goal("there", (), meaning, "!=", 0)


def _without_loops(trace: Trace) -> Trace:
    """The trace without what leads from a position back to it."""
    positions = list(trace.positions())
    last = {position: number for number, position in enumerate(positions)}
    return Trace(trace.start, tuple(_kept(positions, last, trace.steps)))


def _kept(
    positions: list[Position[Any]], last: dict[Position[Any], int], steps: tuple[Step, ...]
) -> Iterator[Step]:
    number = 0
    while (number := last[positions[number]]) < len(steps):
        yield steps[number]
        number += 1
