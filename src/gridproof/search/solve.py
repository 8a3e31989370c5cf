"""`gp.solve`: the cheapest way to a goal, first by the rules, then by the fastest engine for the game.

Where an action has several outcomes, the solver chooses among them: the answer is the fewest
actions when luck helps. The trace says which outcomes it needs, and has been replayed.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any, Unpack

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit, Stopped
from gridproof.core.measure import ANY, Minimize, accept_minimize, measures
from gridproof.core.position import Level, Position
from gridproof.core.text.phrases import short_repr
from gridproof.search.actors import Actors
from gridproof.search.cost_product import strip_costs
from gridproof.search.engine import EngineAnswer, FirstAttempt, ask, ask_one
from gridproof.search.path_engine import OwnEngine, PathEngine
from gridproof.search.question import GoalQuestion, build_goal_question
from gridproof.search.refusal import Refused
from gridproof.search.shared_engines import (
    AStar,
    BothEnds,
    BreadthFirst,
    Greedy,
    Rules,
    RulesFromBothEnds,
    UniformCost,
)
from gridproof.search.solution import Solution
from gridproof.search.solver import solvers_of
from gridproof.search.space import Progress

_BY_RULES = 5_000  # outcomes that take less time than loading a kernel
_WITH_KERNELS = 1_000  # outcomes that take less time than starting a loaded kernel
_ONE_OF_MANY = 20  # outcomes of one of many levels, whose kernel is loaded once
_loaded: set[str] = set()
"""The games whose solvers this process has loaded."""
_solved: set[tuple[str, str]] = set()
"""The games and measures whose engine this process has loaded for an earlier question."""
_searched: set[str] = set()
"""The games whose kernel of breadth-first search this process has loaded."""


def mark_loaded(game: Game) -> None:
    """Note that a game's solvers are loaded: the first attempt by the rules is shorter from now on."""
    _loaded.add(game.name)


@accept_minimize
def solve(
    level_or_position: Level | Position[Any] | str,
    minimise: str | None = "actions",
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    solver: str | None = None,
    **spelling: Unpack[Minimize],
) -> Solution:
    """Find the cheapest way to a goal, or prove that there is none.

    Parameters
    ----------
    level_or_position : Level, Position or str
        A level, or the name of one as of `gridproof.level`, is solved from all its starts, the trace says which.
    minimise : str or None
        "actions", or a measure of the game such as "pushes"; "pushes,moves" for the fewest moves among the fewest
        pushes (`cost` is then the pushes); None for any solution, the first that is found.
    goal : str
        A proposition of the game: "won", "tile(512)", "bombs = 0"; with costs, if wanted: "won & cost(pushes) <= 7".
    actors : None, "all" or tuple of str
        Whose actions may be done: all players' by default, "all" with nature's.
    limit : Limit
        When to give up; never an error.
    progress : callable, optional
        Receives the number of positions now and then.
    solver : str, optional
        The one engine to ask, by the name that `Solution.engine` has: "rules", "breadth-first". By default
        they are asked in turn, the rules first for a while.
    **spelling
        `minimize` is accepted for `minimise`.

    Returns
    -------
    Solution
        With a replayed trace, where there is a way.

    Raises
    ------
    GridproofError
        For a measure, goal or actor that the game does not know; for a solver that the game does not
        have, or that does not take the question; and for two spellings of `minimise` that differ.

    Examples
    --------
    >>> import gridproof as gp
    >>> solution = gp.solve("sokoban/first-steps/1", minimise="pushes")
    >>> solution.found, solution.cost, solution.optimal
    (True, 2, True)
    >>> print(*solution.trace.actions)
    down right right
    """
    question = build_goal_question(level_or_position, minimise, goal, actors, limit, progress)
    return solution_of(question, solver)


def solution_of(question: GoalQuestion, solver: str | None = None, is_one_of_many: bool = False) -> Solution:
    """Answer a question by the engine with a name, or by all in turn; errors as of `solve`.

    For one of many questions, the first attempt by the rules is short: loading the solvers takes a small part of the time.
    """
    game = question.level.game
    if solver is not None:
        try:
            return _complete_answer(question, ask_one(question, find_solver(game, solver)))
        except Stopped:
            question.meter.is_reached(0)
            return replace(question.given_up(0), engine=solver)
    rules = Rules()
    first = min(_BY_RULES, _first_outcomes(question, is_one_of_many))
    fit = [engine for engine in (*_own_engines(game), *_SHARED) if engine.optimal or question.greedy]
    answer = _complete_answer(
        question, ask(question, [FirstAttempt(rules, first), *fit, RulesFromBothEnds(), rules]), rules
    )
    if answer.engine in {engine.name for engine in fit}:
        _solved.add((game.name, question.minimise))
    return answer


def _first_outcomes(question: GoalQuestion, is_one_of_many: bool) -> int:
    """Return how many outcomes the rules see before other engines are asked.

    With a limit of states, the answer does not depend on what this process has solved before.
    """
    game = question.level.game.name
    is_loaded = (game, question.minimise) in _solved and question.meter.limit.states is None
    if is_one_of_many or is_loaded:
        return _ONE_OF_MANY
    return _WITH_KERNELS if game in _loaded else _BY_RULES


_INFORMED = BothEnds(), Greedy(), AStar()
_SHARED: tuple[PathEngine, ...] = (*_INFORMED, BreadthFirst(), UniformCost())
"""Engines for every game with a kernel."""


def solve_ahead(question: GoalQuestion) -> Solution | None:
    """Answer a question by the first engine that may need fewer positions than an exploration.

    Returns
    -------
    Solution or None
        The cheapest solution, or any if that is wanted; a proof that there is none; None without an answer within the limit.
    """
    for engine in (*_own_engines(question.level.game), *_INFORMED):
        if engine.optimal is question.greedy or engine.refusal(question):
            continue
        with contextlib.suppress(Refused, Stopped, MemoryError):
            answer = engine.answer(question)
            return answer if answer and answer.found is not None else None
    return None


SHARED = tuple(engine.name for engine in (*_SHARED, RulesFromBothEnds(), Rules()))
"""The names of all engines but games' own."""


def _own_engines(game: Game) -> list[PathEngine]:
    return [OwnEngine(solver) for solver in solvers_of(game)]


def solvers(game: Game) -> list[PathEngine]:
    """Return the engines for a game in the order in which they are asked; the rules are also asked first."""
    every = (*_own_engines(game), *_SHARED, RulesFromBothEnds(), Rules())
    return [engine for engine in every if engine.supports(game)]


def solver_measures(solver: PathEngine, game: Game) -> tuple[str, ...]:
    """Return the names of what an engine minimises in a game; "any" stands for any solution."""
    return (*measures(game), ANY) if solver.measures is None else solver.measures


def find_solver(game: Game, name: str) -> PathEngine:
    """Return the engine of a game with a name; GridproofError if there is none."""
    known = {engine.name: engine for engine in solvers(game)}
    if not isinstance(name, str) or name not in known:
        raise GridproofError(f"{game.name} has no solver {short_repr(name)}; choose from {', '.join(known)}")
    return known[name]


def _complete_answer(
    question: GoalQuestion, found: EngineAnswer[Solution], rules: Rules | None = None
) -> Solution:
    """Return the answer with the engine's name, and with the reason if there is no way."""
    trace = found.answer.trace and strip_costs(found.answer.trace)
    answer = replace(found.answer, trace=trace, engine=found.engine.name, refused=found.refused)
    if answer.found is None and rules:  # the rules may have found more before
        answer = replace(answer, states=max(answer.states, rules.states))
    return replace(answer, reason=question.impossibility_reason) if answer.found is False else answer


def breadth_first(start: Position[Any], limit: Limit | None = None) -> Solution:
    """Find the fewest actions to a win by plain breadth-first search: its `states` are a measure of difficulty.

    The `states` of `solve` depend on the game's engines, and grow less evenly.
    """
    question = build_goal_question(start, limit=limit)
    rules, kernel, game = Rules(informed=False), BreadthFirst(), question.level.game.name
    first = min(_BY_RULES, _WITH_KERNELS) if game in _searched else _BY_RULES
    answer = _complete_answer(question, ask(question, [FirstAttempt(rules, first), kernel, rules]))
    if answer.engine == kernel.name:
        _searched.add(game)
    if answer.engine != rules.name or rules.search is None:
        return answer
    return replace(answer, states=rules.search.count_with_goal)
