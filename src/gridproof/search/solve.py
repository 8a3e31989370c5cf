"""`gp.solve`: the cheapest way to a goal: by the rules at first, then by what is fastest for the game.

Where chance has a part in an action, the solver may wish for the outcome: the answer is the fewest
actions when luck helps. The trace says which outcomes it needs, and has been replayed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gridproof.core import proposition
from gridproof.core.limit import Limit, Meter, started
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS, cost_of, measure_named
from gridproof.core.position import Level, Position
from gridproof.search.actors import Actors, acting, starts_of
from gridproof.search.question import Question
from gridproof.search.refusal import Refused, because
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
        "actions", or a measure of the game such as "pushes"; None for any solution, the first that is found.
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
    question = Question(starts, reached, measure, acting(starts[0].level, actors), minimise is None)
    forward = _forward_search(question)
    answer = _forward(forward, meter, progress, _BY_RULES)
    refusal = ""
    for engine in (_by_own_solver, _by_kernel, _from_both_ends):
        if answer is None or (engine is _by_own_solver and _of_states(answer)):
            try:
                answer = engine(question, meter, progress) or answer
            except Refused as reason:
                refusal, meter.stopped_by = str(reason), ""
    if answer is None:
        answer = cast("Solution", _forward(forward, meter, progress, None))
    if answer.found is None:  # the rules may have found more before
        answer = replace(answer, states=max(answer.states, forward.count))
    why = question.why_never if answer.found is False else ""
    return replace(answer, engine=because(answer.engine, refusal), reason=why)


def _of_states(answer: Solution) -> bool:
    """Whether the rules had to give up for the number of positions: the game's own solver may need fewer."""
    return answer.stopped_by == "states"


def _forward_search(question: Question) -> ForwardSearch:
    asked = question.starts, question.goal, question.measure, question.who
    return ForwardSearch(*asked, question.bound, question.greedy)


def _forward(
    search: ForwardSearch, meter: Meter, progress: Progress | None, most: int | None
) -> Solution | None:
    """Search by the rules; None when `most` outcomes have been seen without an answer."""
    for count in search.run(meter, most):
        if progress:
            progress(count)
    if search.goal is not None:
        found = True, search.trace(), search.cost, not search.greedy
        return Solution(*found, search.count, meter.seconds, engine="rules")
    if meter.stopped_by:
        return Solution(None, None, None, False, search.count, meter.seconds, meter.stopped_by, "rules")
    if search.exhausted:
        return Solution(False, None, None, True, search.count, meter.seconds, engine="rules")
    return None


def _by_own_solver(question: Question, meter: Meter, progress: Progress | None) -> Solution | None:
    """The answer of the game's own solver, where it has one that can."""
    name = question.level.game.solver
    if not name or not question.asks_for_a_win:
        return None
    meter.stopped_by = ""
    with meter.paused():
        module = load(name)
    measure = None if question.greedy else question.measure.name
    answer: Solution | None = module.solve(question.starts[0], measure, meter, progress)
    return answer and replace(answer, engine="solver")


def _by_kernel(question: Question, meter: Meter, progress: Progress | None) -> Solution:
    """The answer of the best search by the game's kernel."""
    return _packed(_kernel_search(question, meter), question, meter, progress)


def _from_both_ends(question: Question, meter: Meter, progress: Progress | None) -> Solution | None:
    """The answer of a search by the rules from both ends; None where the game does not tell what it needs."""
    if question.measure is not ACTIONS or question.who != (None,):
        return None
    before, goals = question.level.game.predecessors, question.goal.where(question.level)
    if before is None or goals is None:
        return None
    return _packed(RuledTwoSided(question.starts, goals, before), question, meter, progress)


def breadth_first(start: Position[Any], limit: Limit | None = None) -> Solution:
    """The fewest actions to a win by plain breadth-first search: its `states` are a measure of difficulty.

    What `solve` needs depends on what is known of a game, and grows less evenly.
    """
    meter = started(limit)
    question = Question([start], proposition.goal(start.level.game, "won"), ACTIONS, (None,), False)
    forward = ForwardSearch([start], question.goal, ACTIONS, (None,))
    answer = _forward(forward, meter, None, _BY_RULES)
    if answer is None:
        try:
            return _packed(_plain_search(question, meter), question, meter, None)
        except Refused as reason:
            answer = cast("Solution", _forward(forward, meter, None, None))
            answer = replace(answer, engine=because(answer.engine, str(reason)))
    return replace(answer, states=forward.count_with_goal)


def _kernel_search(question: Question, meter: Meter) -> PackedSearch:
    """The best search by the game's kernel, loaded or compiled; Refused where the rules must do."""
    search: PackedSearch | None = None
    if question.goal.is_win and question.who == (None,) and question.measure is ACTIONS:
        with meter.paused():
            symmetry = load("gridproof.search.symmetry")
        search = symmetry.winning_search(question.starts, meter)
    return search or _plain_search(question, meter)


def _plain_search(question: Question, meter: Meter) -> PackedSearch:
    asked = question.starts, question.goal, question.who, question.measure, question.greedy
    with meter.paused():
        search: PackedSearch = load("gridproof.search.goals").compiled_search(*asked)
        search.prepare()
    return search


def _packed(
    search: PackedSearch | RuledTwoSided, question: Question, meter: Meter, progress: Progress | None
) -> Solution:
    """The answer of a search over states; the trace is replayed by the rules."""
    complete = finish(search, meter, progress)
    goal: Any = search.goal
    if goal is None:
        found = False if complete else None
        return Solution(
            found, None, None, complete, search.count, meter.seconds, meter.stopped_by, search.engine
        )
    first, *path = search.path(goal)
    first = next(start for start in question.starts if search.same(start, first))
    trace = trace_through([first, *path], question.who, search.same, question.measure)
    cost = cost_of(trace, question.measure)
    proved = not question.greedy
    return Solution(True, trace, cost, proved, search.count, meter.seconds, engine=search.engine)
