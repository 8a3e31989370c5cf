"""`gp.improve`: a cheaper way to the same end, or an equally cheap one.

Loops are removed first, and the whole is solved by the solvers of `gp.solve`, in a part of the time. Then the game's own
improver works, if there is one. At last ever longer windows of the trace are solved again, and the whole once more, as
far as the limit allows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure, Proposition
from gridproof.core.limit import Limit, Meter, check_limit, start_meter
from gridproof.core.measure import (
    ACTIONS,
    Minimize,
    accept_minimize,
    combine_measures,
    costs_of,
    find_measure,
    measures,
)
from gridproof.core.position import NATURE, Position
from gridproof.core.proposition import Goal
from gridproof.core.trace import Trace
from gridproof.search.actors import Who, resolve_actors
from gridproof.search.improver import ImproveQuestion, Improver, improver_of
from gridproof.search.question import GoalQuestion
from gridproof.search.solution import GIVEN, Solution
from gridproof.search.solve import solution_of
from gridproof.search.space import Progress, monotonic_progress

SECONDS = 30.0
"""Time limit when the caller limits neither seconds nor positions."""
_SHARE, _FIRST_SHARE, _SECOND_SHARE = 0.25, 0.05, 0.1
"""Shares of the seconds for attempts to solve the whole: without an improver, before an improver works, and half-way."""
_WINDOWS = (6, 12, 24, 48, 96, 192)
"""Lengths of the windows in steps."""
_MOST = 50_000
"""The most positions for one window."""


@accept_minimize
def improve(
    trace: Trace,
    minimise: str | None = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    **spelling: Unpack[Minimize],
) -> Solution:
    """Find a cheaper way to the same end: to a win, where the trace wins, else to its last position.

    Parameters
    ----------
    trace : Trace
        Its steps are verified. Nature acts in the answer only if it does in the trace; where actions have several
        outcomes, the answer's trace says which ones it needs.
    minimise : str, optional
        "actions", or a measure of the game, or two of them such as "pushes,moves"; by default the game's last:
        "pushes" of Sokoban. What costs the same is compared by its actions.
    limit : Limit
        When to stop with the best found; by default after 30 seconds.
    progress : callable, optional
        Receives the number of positions now and then.
    **spelling
        `minimize` is accepted for `minimise`.

    Returns
    -------
    Solution
        Always found, never dearer than the trace, and `optimal` where no way to that end costs less. Its engine is
        "given" where the trace has not been improved. Ctrl-C ends the work like a limit: the best found is kept.

    Raises
    ------
    GridproofError
        For a trace that does not replay, or has a loop, for a measure that the game does not have, and for
        two spellings of `minimise` that differ.

    Examples
    --------
    >>> import gridproof as gp
    >>> trace = gp.solve("sokoban/first-steps/2", minimise=None).trace
    >>> better = gp.improve(trace, minimise="actions")
    >>> better.optimal, better.cost <= len(trace.steps)
    (True, True)
    """
    if not isinstance(trace, Trace):
        raise GridproofError(f"a trace is needed, not {type(trace).__name__}")
    if trace.loop is not None:
        raise GridproofError("the trace is a loop, which has no end")
    game = trace.level.game
    measure = find_measure(game, [*measures(game)][-1] if minimise is None else minimise)
    limit = check_limit(limit)
    if limit.seconds is None and limit.states is None:
        limit = replace(limit, seconds=SECONDS)
    return _Improvement(trace, measure, start_meter(limit), monotonic_progress(progress)).solution()


class _Improvement:
    """The best trace so far, and the search for better ones."""

    def __init__(self, trace: Trace, measure: Measure, meter: Meter, progress: Progress | None) -> None:
        end = trace.replay()
        self.best, self.measure, self.meter, self.progress = trace, measure, meter, progress
        self.goal = proposition.parse_goal(trace.level.game, "won") if end.won else _goal_at(end)
        self.engine, self.states, self.optimal = GIVEN, 0, False
        natural = any(trace.level.owner(action) == NATURE for action in trace.actions)
        self.who: Who = resolve_actors(trace.level, "all" if natural else None)
        self.price = self._price(trace)

    def _price(self, trace: Trace) -> tuple[int, ...]:
        costs = costs_of(trace, self.measure.parts or (self.measure,))
        return *costs.values(), len(trace.steps)

    def solution(self) -> Solution:
        """Return the best solution found within the limit."""
        meter = self.meter
        try:
            self._search()
        except KeyboardInterrupt:
            meter.stopped_by = "stop"
        stopped = "" if self.optimal else meter.reason
        return Solution(
            True, self.best, self.price[0], self.optimal, self.states, meter.seconds, stopped, self.engine
        )

    def _search(self) -> None:
        """Search for cheaper traces, until one is proved the cheapest or the limit is reached."""
        self._take(_without_loops(self.best), "loops cut out")
        improver = improver_of(self.best.level.game) if self.who == (None,) else None
        self._try_whole(_SHARE if improver is None else _FIRST_SHARE)
        if improver is not None and not self.optimal:
            self._try_improver(improver)
        if not self.optimal:
            self._try_windows()
            self._try_whole(1)
        if self.optimal:
            self._try_fewer_actions()

    def _try_improver(self, improver: Improver) -> None:
        """Let the game's own improver work, and half-way try the whole again."""
        if self.meter.is_reached(0):
            return
        with self.meter.pause():
            improve = improver.load()
        question = ImproveQuestion(self.best, self.measure, self.goal.is_win, self.meter, self._report)
        seconds, has_tried = self.meter.limit.seconds, False
        for trace in improve(question):
            if trace is not None and self.goal(trace.replay()):
                self._take(trace, improver.name)
            if not has_tried and seconds is not None and self.meter.seconds > seconds / 2:
                self._try_whole(_SECOND_SHARE)
                has_tried = True
            if self.optimal:
                return
        self.optimal = question.optimal

    def _report(self, states: int) -> None:
        self.states += states
        if self.progress:
            self.progress(self.states)

    def _take(self, trace: Trace, engine: str) -> bool:
        """Keep a trace if it is better, and return whether it is."""
        price = self._price(trace)
        if price >= self.price:
            return False
        self.best, self.price, self.engine = trace, price, engine
        return True

    def _try_whole(self, share: float) -> None:
        """Solve from the start, within a share of the limit."""
        if self.optimal or self.meter.is_reached(0):
            return
        found = self._solve(self.best.start, self.goal, self._limit(share))
        if found.trace is not None and found.optimal:
            self._take(found.trace, found.engine)
            self.optimal = True

    def _try_fewer_actions(self) -> None:
        """Search the cheapest ways for one with the fewest actions, in a share of the limit."""
        if self.measure is ACTIONS or self.measure.parts or self.meter.is_interrupted():
            return
        measure = combine_measures(self.measure, ACTIONS)
        found = self._solve(self.best.start, self.goal, self._limit(_SHARE), measure)
        if found.trace is not None:
            self._take(found.trace, found.engine)

    def _limit(self, share: float) -> Limit:
        """Return the limit with a share of its seconds."""
        limit = self.meter.limit
        return limit if limit.seconds is None else replace(limit, seconds=share * limit.seconds)

    def _try_windows(self) -> None:
        """Solve windows again, until none of any length improves."""
        for length in _WINDOWS:
            while self._improve_once(length):
                pass
            if length >= len(self.best.steps):
                return

    def _improve_once(self, length: int) -> bool:
        """Solve all windows of a length again, and return whether one improved."""
        first, better = 0, False
        while first < len(self.best.steps):
            if self.meter.is_reached(0):
                return False
            better |= self._try_window(first, length)
            first += length // 2
        return better

    def _try_window(self, first: int, length: int) -> bool:
        """Solve the window from one step on again, and return whether it improved."""
        steps = self.best.steps
        positions = list(self.best.positions())
        last = min(first + length, len(steps))
        goal = self.goal if last == len(steps) else _goal_at(positions[last])
        most = min(_MOST, self.meter.limit.states or _MOST)
        found = self._solve(positions[first], goal, replace(self.meter.limit, states=most))
        if found.trace is None:
            return False
        shorter = Trace(self.best.start, (*steps[:first], *found.trace.steps, *steps[last:]))
        return self._take(_without_loops(shorter), "segments solved again")

    def _solve(
        self, start: Position[Any], goal: Goal, limit: Limit, measure: Measure | None = None
    ) -> Solution:
        """Find the cheapest way from one position, within what is left of the time."""
        whole = self.meter.limit.seconds
        if whole is not None:
            left = max(0.0, whole - self.meter.seconds)
            limit = replace(limit, seconds=left if limit.seconds is None else min(limit.seconds, left))
        question = GoalQuestion(
            starts=[start],
            who=self.who,
            meter=start_meter(limit),
            progress=self.progress,
            goal=goal,
            measure=measure or self.measure,
        )
        found = solution_of(question)
        self.states += found.states
        return found


def _goal_at(position: Position[Any]) -> Goal:
    meaning = Proposition(
        "there", (), "the last position", lambda one: one == position, where=lambda level: (position,)
    )
    return Goal("there", (), meaning, "!=", 0)


def _without_loops(trace: Trace) -> Trace:
    positions = list(trace.positions())
    last = {position: number for number, position in enumerate(positions)}
    steps, number = [], 0
    while (number := last[positions[number]]) < len(trace.steps):
        steps.append(trace.steps[number])
        number += 1
    return Trace(trace.start, tuple(steps))
