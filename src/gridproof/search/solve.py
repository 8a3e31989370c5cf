"""`gp.solve`: the cheapest way to a goal, by uniform-cost search over a game's rules.

Where chance has a part in an action, the solver may wish for the outcome: the answer is the fewest
actions when luck helps. The trace says which outcomes it needs, and has been replayed.
"""

from __future__ import annotations

import heapq
import importlib
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from gridproof.core import proposition
from gridproof.core.game import Action, Level, Measure, Outcome, Position
from gridproof.core.limit import Limit, Meter
from gridproof.core.measure import ACTIONS, measure_named
from gridproof.core.proposition import Goal
from gridproof.core.trace import Step, Trace
from gridproof.search.actors import Actors, acting, starts_of
from gridproof.search.solution import Solution
from gridproof.search.space import Progress, finish, trace_through

if TYPE_CHECKING:
    from gridproof.search.packed import PackedStates

_BY_RULES = 3000  # expansions that take less time than loading a kernel
_CHECK_EVERY = 1024  # expansions between two looks at the clock


def solve(
    level_or_position: Level | Position[Any],
    minimise: str | None = "actions",
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Find the cheapest way to a goal, or prove that there is none.

    Parameters
    ----------
    level_or_position : Level or Position
        A level is solved from all its starts, the trace says which.
    minimise : str or None
        "actions", or a measure of the game such as "pushes"; None for any solution.
    goal : str
        A proposition of the game: "won", "tile(512)", "bombs = 0".
    actors : None, "all" or tuple of str
        Whose actions may be done: all players' by default, "all" with nature's.
    limit : Limit
        When to give up; never an error.

    Raises
    ------
    GridproofError
        For a measure, goal or actor that the game does not know.
    """
    meter = (limit or Limit()).start()
    starts = starts_of(level_or_position)
    game = starts[0].level.game
    measure = measure_named(game, ACTIONS.name if minimise is None else minimise)
    reached = proposition.goal(game, goal)
    who = acting(starts[0].level, actors)
    search = _Search(starts, measure, who)
    answer = _by_rules(search, reached, minimise is not None, meter, progress, _BY_RULES)
    if answer is None and who == (None,) and len(starts) == 1 and reached.is_win:
        answer = _by_own_solver(starts[0], minimise, meter, progress)
    if answer is None and measure is ACTIONS:
        with meter.paused():
            fast = _kernel_search(starts, reached, who)
        if fast is not None:
            return _compiled(fast, minimise is not None, meter, progress)
    return answer or cast("Solution", _by_rules(search, reached, minimise is not None, meter, progress, None))


def _kernel_search(
    starts: list[Position[Any]], goal: Goal, who: tuple[str | None, ...]
) -> PackedStates | None:
    """A search by the game's kernel, loaded or compiled; None where the rules must do."""
    from gridproof.search.goals import compiled_search  # numba takes a while to load

    search = compiled_search(starts, goal, who)
    if search is not None:
        search.prepare()
    return search


def _by_own_solver(
    start: Position[Any], minimise: str | None, meter: Meter, progress: Progress | None
) -> Solution | None:
    """The answer of the game's own solver, where it has one that can."""
    name = start.level.game.solver
    if not name:
        return None
    with meter.paused():
        module = importlib.import_module(name)  # numba takes a while to load
    answer: Solution | None = module.solve(start, minimise, meter, progress)
    return answer


def _by_rules(
    search: _Search, goal: Goal, proved: bool, meter: Meter, progress: Progress | None, most: int | None
) -> Solution | None:
    """Search by the rules; None when `most` positions have been expanded without an answer."""
    for cost, position in search.positions:
        if goal(position):
            trace = search.trace_to(position)
            trace.replay()
            return Solution(True, trace, cost, proved, len(search.costs), meter.seconds)
        search.expanded += 1
        if search.expanded % _CHECK_EVERY == 0 and progress:
            progress(len(search.costs))
        if search.limit_reached(meter):
            return Solution(None, None, None, False, len(search.costs), meter.seconds, meter.stopped_by)
        if search.expanded == most:
            return None
    return Solution(False, None, None, True, len(search.costs), meter.seconds)


def _compiled(search: PackedStates, proved: bool, meter: Meter, progress: Progress | None) -> Solution:
    """Breadth-first search by the game's kernel; the trace is replayed by the rules."""
    complete = finish(search, meter, progress)
    if search.goal is not None:
        trace = trace_through(search.path(search.goal))
        return Solution(True, trace, len(trace.steps), proved, search.count, meter.seconds)
    found = False if complete else None
    return Solution(found, None, None, complete, search.count, meter.seconds, meter.stopped_by)


class _Search:
    """Uniform-cost search: breadth-first where every action costs 1."""

    def __init__(self, starts: list[Position[Any]], measure: Measure, actors: tuple[str | None, ...]) -> None:
        self.measure = measure
        self.actors = actors
        self.parents: dict[Position[Any], tuple[Position[Any], Step] | None] = dict.fromkeys(starts)
        self.costs = dict.fromkeys(starts, 0)
        self._ticket = itertools.count()
        self._heap = [(0, next(self._ticket), start) for start in self.parents]

        self.positions = self._expand()
        self.expanded = 0

    def limit_reached(self, meter: Meter) -> bool:
        """Whether to stop; the clock and the memory are looked at now and then."""
        most = meter.limit.states
        if self.expanded % _CHECK_EVERY == 1 or (most is not None and len(self.costs) > most):
            return meter.reached(len(self.costs))
        return False

    def _expand(self) -> Iterator[tuple[int, Position[Any]]]:
        """Positions in the order of their cost, each before its successors are made."""
        while self._heap:
            cost, _, position = heapq.heappop(self._heap)
            if self.costs[position] < cost:
                continue
            yield cost, position
            for actor in self.actors:
                for action in position.actions(actor):
                    for outcome in position.outcomes(action):
                        self._reach(position, action, outcome, cost)

    def _reach(self, position: Position[Any], action: Action, outcome: Outcome[Any], cost: int) -> None:
        target = outcome.position
        total = cost + self.measure.cost(position, action, outcome)
        if total < self.costs.get(target, total + 1):
            self.costs[target] = total
            self.parents[target] = (position, Step(action, outcome.label))
            heapq.heappush(self._heap, (total, next(self._ticket), target))

    def trace_to(self, position: Position[Any]) -> Trace:
        steps = []
        while (link := self.parents[position]) is not None:
            position, step = link
            steps.append(step)
        return Trace(position, tuple(reversed(steps)))
