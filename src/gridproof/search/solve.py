"""`gp.solve`: the cheapest way to a goal: by the rules at first, then by what is fastest for the game.

Where chance has a part in an action, the solver may wish for the outcome: the answer is the fewest
actions when luck helps. The trace says which outcomes it needs, and has been replayed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gridproof.core import proposition
from gridproof.core.game import NATURE, Level, Position
from gridproof.core.limit import Limit, Meter, started
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS, measure_named
from gridproof.core.proposition import Goal
from gridproof.search.actors import Actors, Who, acting, starts_of
from gridproof.search.refusal import NoKernel, because
from gridproof.search.ruled import ForwardSearch, RuledTwoSided
from gridproof.search.solution import Solution
from gridproof.search.space import Progress, finish, rising, trace_through

if TYPE_CHECKING:
    from gridproof.search.goals import PackedSearch

_BY_RULES = 10_000  # outcomes that are seen in less time than a kernel is loaded


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
    meter = started(limit)
    progress = rising(progress)
    starts = starts_of(level_or_position)
    game = starts[0].level.game
    measure = measure_named(game, ACTIONS.name if minimise is None else minimise)
    reached = proposition.goal(game, goal)
    reached.value(starts[0])  # tells which arguments mean nothing on this level
    who = acting(starts[0].level, actors)
    bound = reached.lower_bound if measure is ACTIONS and NATURE not in who else None
    forward = ForwardSearch(starts, reached, measure, who, bound)
    proved = minimise is not None
    answer = _forward(forward, proved, meter, progress, _BY_RULES)
    refusal = "no kernel minimises that"
    if who == (None,) and len(starts) == 1 and reached.is_win and (answer is None or _of_states(answer)):
        answer = _by_own_solver(starts[0], minimise, meter, progress) or answer
        if game.solver:
            refusal = "the level is too large for the game's own solver, and no kernel minimises that"
    if answer is not None:
        return answer
    if measure is ACTIONS:
        try:
            search = _kernel_search(starts, reached, who, meter)
            answer = _uniform(search, starts, who, proved, meter, progress)
            if answer.found is None:  # the rules may have found more before
                answer = replace(answer, states=max(answer.states, forward.count))
            return answer
        except NoKernel as reason:
            refusal = str(reason)
        both = _two_sided(starts, reached, who)
        if both is not None:
            return _uniform(both, starts, who, proved, meter, progress, refusal)
    return cast("Solution", _forward(forward, proved, meter, progress, None, refusal))


def _of_states(answer: Solution) -> bool:
    """Whether the rules had to give up for the number of positions: the game's own solver may need fewer."""
    return answer.stopped_by == "states"


def _forward(
    search: ForwardSearch,
    proved: bool,
    meter: Meter,
    progress: Progress | None,
    most: int | None,
    refusal: str = "",
) -> Solution | None:
    """Search by the rules; None when `most` outcomes have been seen without an answer."""
    for count in search.run(meter, most):
        if progress:
            progress(count)
    if search.goal is not None:
        answer = Solution(True, search.trace(), search.cost, proved, search.count, meter.seconds)
    elif meter.stopped_by:
        answer = Solution(None, None, None, False, search.count, meter.seconds, meter.stopped_by)
    elif search.exhausted:
        answer = Solution(False, None, None, True, search.count, meter.seconds)
    else:
        return None
    return replace(answer, engine=because("rules", refusal))


def _by_own_solver(
    start: Position[Any], minimise: str | None, meter: Meter, progress: Progress | None
) -> Solution | None:
    """The answer of the game's own solver, where it has one that can."""
    name = start.level.game.solver
    if not name:
        return None
    meter.stopped_by = ""
    with meter.paused():
        module = load(name)
    answer: Solution | None = module.solve(start, minimise, meter, progress)
    return answer and replace(answer, engine="solver")


def breadth_first(start: Position[Any], limit: Limit | None = None) -> Solution:
    """The fewest actions to a win by plain breadth-first search: its `states` are a measure of difficulty.

    What `solve` needs depends on what is known of a game, and grows less evenly.
    """
    meter = started(limit)
    won = proposition.goal(start.level.game, "won")
    forward = ForwardSearch([start], won, ACTIONS, (None,))
    answer = _forward(forward, True, meter, None, _BY_RULES)
    if answer is None:
        try:
            search = _plain_search([start], won, (None,), meter)
            return _uniform(search, [start], (None,), True, meter, None)
        except NoKernel as reason:
            answer = cast("Solution", _forward(forward, True, meter, None, None, str(reason)))
    return replace(answer, states=forward.count_with_goal)


def _kernel_search(starts: list[Position[Any]], goal: Goal, who: Who, meter: Meter) -> PackedSearch:
    """The best search by the game's kernel, loaded or compiled; NoKernel where the rules must do."""
    search: PackedSearch | None = None
    if goal.is_win and who == (None,):
        with meter.paused():
            symmetry = load("gridproof.search.symmetry")
        search = symmetry.winning_search(starts, meter)
    return search or _plain_search(starts, goal, who, meter)


def _plain_search(starts: list[Position[Any]], goal: Goal, who: Who, meter: Meter) -> PackedSearch:
    with meter.paused():
        search: PackedSearch = load("gridproof.search.goals").compiled_search(starts, goal, who)
        search.prepare()
    return search


def _two_sided(starts: list[Position[Any]], goal: Goal, who: Who) -> RuledTwoSided | None:
    """A search by the rules from both ends; None where the game does not tell what it needs."""
    level = starts[0].level
    before = level.game.predecessors
    goals = goal.where(level)
    return None if who != (None,) or before is None or goals is None else RuledTwoSided(starts, goals, before)


def _uniform(
    search: PackedSearch | RuledTwoSided,
    starts: list[Position[Any]],
    who: Who,
    proved: bool,
    meter: Meter,
    progress: Progress | None,
    refusal: str = "",
) -> Solution:
    """The answer of a search for fewest actions; the trace is replayed by the rules."""
    complete = finish(search, meter, progress)
    goal: Any = search.goal
    if goal is not None:
        first, *path = search.path(goal)
        first = next(start for start in starts if search.same(start, first))
        trace = trace_through([first, *path], who, search.same)
        answer = Solution(True, trace, len(trace.steps), proved, search.count, meter.seconds)
    else:
        found = False if complete else None
        answer = Solution(found, None, None, complete, search.count, meter.seconds, meter.stopped_by)
    return replace(answer, engine=because(search.engine, refusal))
