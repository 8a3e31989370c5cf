"""`gp.solve`: the cheapest way to a goal: by the rules at first, then by what is fastest for the game.

Where an action has several outcomes, the solver chooses among them: the answer is the fewest
actions when luck helps. The trace says which outcomes it needs, and has been replayed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gridproof.core.game import ANY, Game
from gridproof.core.limit import Limit, Stopped
from gridproof.core.measure import measures
from gridproof.core.position import Level, Position
from gridproof.search.actors import Actors
from gridproof.search.by_kernel import AStar, BothEnds, BreadthFirst, Greedy, UniformCost
from gridproof.search.by_rules import Rules, RulesFromBothEnds
from gridproof.search.engine import Answered, AtFirst, ask, ask_one, engine_named
from gridproof.search.question import GoalQuestion, asked_for_goal
from gridproof.search.solution import Solution
from gridproof.search.space import Progress
from gridproof.search.ways import OwnEngine, SolvingEngine

_BY_RULES = 5_000  # outcomes that are seen in less time than a kernel is loaded
_WITH_KERNELS = 1_000  # the same where they are loaded: a kernel is begun in as much time
_loaded: set[str] = set()
"""The games whose solvers this process has loaded."""


def have_loaded(game: Game) -> None:
    """Note that what solves a game is loaded: the rules alone are asked less long from now on."""
    _loaded.add(game.name)


def solve(
    level_or_position: Level | Position[Any],
    minimise: str | None = "actions",
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    solver: str | None = None,
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
    progress : callable, optional
        Told now and then how many positions have been found.
    solver : str, optional
        The one engine to ask, by the name that `Solution.engine` has: "rules", "breadth-first". By default
        they are asked in turn, the rules first for a while.

    Raises
    ------
    GridproofError
        For a measure, goal or actor that the game does not know; and for a solver that there is not for
        the game, or that does not take the question.
    """
    question = asked_for_goal(level_or_position, minimise, goal, actors, limit, progress)
    return solution_of(question, solver)


def solution_of(question: GoalQuestion, solver: str | None = None) -> Solution:
    """The answer to a question, by the engine of a name or by all in turn.

    Raises
    ------
    GridproofError
        For a solver that there is not for the game, or that does not take the question.
    """
    game = question.level.game
    if solver is not None:
        try:
            return _told(question, ask_one(question, solver_named(game, solver)))
        except Stopped:
            question.meter.reached(0)
            return replace(question.given_up(0), engine=solver)
    rules = Rules()
    first = min(_BY_RULES, _WITH_KERNELS) if game.name in _loaded else _BY_RULES
    fit = [engine for engine in (*_own(game), *_SHARED) if engine.optimal or question.greedy]
    return _told(question, ask(question, [AtFirst(rules, first), *fit, RulesFromBothEnds(), rules]), rules)


_SHARED: tuple[SolvingEngine, ...] = (BothEnds(), Greedy(), AStar(), BreadthFirst(), UniformCost())
"""What all games have that have a kernel."""


SHARED = tuple(engine.name for engine in (*_SHARED, RulesFromBothEnds(), Rules()))
"""The names of all engines but games' own."""


def _own(game: Game) -> list[SolvingEngine]:
    return [OwnEngine(solver) for solver in game.solvers]


def solvers(game: Game) -> list[SolvingEngine]:
    """What may be asked about levels of a game, in the order in which it is; the rules are also the first."""
    every = (*_own(game), *_SHARED, RulesFromBothEnds(), Rules())
    return [engine for engine in every if engine.serves(game)]


def minimised_by(solver: SolvingEngine, game: Game) -> tuple[str, ...]:
    """What it minimises in a game, by name, with "any" where any solution will do."""
    return (*measures(game), ANY) if solver.measures is None else solver.measures


def solver_named(game: Game, name: str) -> SolvingEngine:
    """One of them.

    Raises
    ------
    GridproofError
        When the game has none of that name.
    """
    return engine_named(name, solvers(game), game.name)


def _told(question: GoalQuestion, found: Answered[Solution], rules: Rules | None = None) -> Solution:
    """The answer with the name of the engine, and, where there is no way, the reason."""
    answer = replace(found.answer, engine=found.engine.name, refused=found.refused)
    if answer.found is None and rules:  # the rules may have found more before
        answer = replace(answer, states=max(answer.states, rules.states))
    return replace(answer, reason=question.why_never) if answer.found is False else answer


def breadth_first(start: Position[Any], limit: Limit | None = None) -> Solution:
    """The fewest actions to a win by plain breadth-first search: its `states` are a measure of difficulty.

    What `solve` needs depends on what is known of a game, and grows less evenly.
    """
    question = asked_for_goal(start, limit=limit)
    rules = Rules(informed=False)
    answer = _told(question, ask(question, [AtFirst(rules, _BY_RULES), BreadthFirst(), rules]))
    if answer.engine != rules.name or rules.search is None:
        return answer
    return replace(answer, states=rules.search.count_with_goal)
