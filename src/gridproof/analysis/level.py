"""`gp.analyse`: a designer's analysis of a level."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.analysis.ablation import Piece, pieces_of
from gridproof.analysis.square_usage import UnusedSquares
from gridproof.core.difficulty import KEY, difficulty_word, word_for
from gridproof.core.errors import GridproofError
from gridproof.core.generate import generator_of, measure_difficulty
from gridproof.core.lazy_import import load
from gridproof.core.limit import Budget, Limit, start_meter
from gridproof.core.measure import ACTIONS, find_measure, measures
from gridproof.core.position import NATURE, Level
from gridproof.core.proposition import propositions
from gridproof.core.representation import Representable, position_html, text_html
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.prove.estimate import Estimate, estimator
from gridproof.search.explore import explore
from gridproof.search.solution import Solution
from gridproof.search.solve import solve
from gridproof.search.space import Progress, StateSpace

if TYPE_CHECKING:
    from gridproof.prove.reachability import Reachability


SECONDS = 20.0
"""Default time limit of the engines on a level."""
STATES = 2_000_000
"""Default limit of positions."""
BY_GENERATOR = "difficulty by the generator"
"""Name of a level's difficulty by its game's generator, among the measures of difficulty."""
_SHARE_OF_EXPLORING = 0.5
"""Share of the time that exploring may take: solutions are often found where there are too many positions."""


class DecisivePositions(NamedTuple):
    """Decisive positions: not won yet, and exactly one action keeps the win in reach."""

    everywhere: int
    on_shortest: int
    """Decisive positions on a shortest solution."""
    forced: int
    """Decisive positions, of all, in which nothing else can be done."""
    forced_on_shortest: int
    steps: tuple[int, ...]
    """The steps of the displayed shortest solution, from 0, at decisive positions where something else could be done."""


@dataclass(frozen=True, kw_only=True)
class SpaceFacts:
    """Facts that only all positions together tell."""

    dead: int
    """Positions from which no win is in reach."""
    dead_by_depth: tuple[int, ...]
    """Dead positions that are first reached after 0, 1, 2, ... actions."""
    actions: int
    """Actions that can be done, in all positions together."""
    fatal: int
    """Actions, in all positions, after which a win that was in reach is not any more."""
    fatal_by_depth: tuple[int, ...]
    """The same by the fewest actions to where they are done."""
    first_dead: Trace | None
    """A shortest way to a dead position; None where there is none."""
    ways: int
    """The number of shortest solutions: sequences of actions with their outcomes."""
    orders: int | None
    """Their number when order does not count; None if they were too many to compare."""
    unique: bool | None
    """True if there is only one, when order does not count; None if that is not known, or nothing wins."""
    decisive: DecisivePositions
    squares: UnusedSquares


@dataclass(frozen=True, kw_only=True)
class Analysis(Representable):
    """Facts about a level, and the traces that show them."""

    level: Level
    meaning: str
    """The meaning of a win in words."""
    states: int
    """The number of positions found."""
    transitions: int
    """The number of outcomes of their actions."""
    by_depth: tuple[int, ...]
    """Numbers of positions that are first reached after 0, 1, 2, ... actions."""
    complete: bool
    """True if these are all positions."""
    stopped_by: str
    """The limit that was reached where they are not: "states", "seconds", "memory" or "stop"."""
    winnable: bool | None
    """True if it can be won; None if that is not known."""
    costs: Mapping[str, Solution]
    """The cheapest solution by each of the game's measures, as far as it was found."""
    measure: str
    """The measure for pieces: the game's last one."""
    whole: SpaceFacts | None
    """Facts that only all positions tell; None if a limit was reached first."""
    pieces: tuple[Piece, ...]
    """The removable pieces, each with the level without it."""
    difficulty: Mapping[str, float | None]
    """Measures of difficulty; None for unknown ones."""
    estimate: Estimate | None
    """The chance of the goal from the start, as players see it; None for a game without estimates."""
    seconds: float = field(compare=False)

    @property
    def difficulty_word(self) -> str:
        """The difficulty in one of five words, measured or else recorded in the level; "" where it is unknown."""
        return word_for(self.level.game, self.difficulty.get(BY_GENERATOR)) or difficulty_word(self.level)

    @property
    def cost(self) -> int | None:
        """The least cost by `measure`; None where it is not proved."""
        return least(self.costs.get(self.measure))

    @property
    def shortest(self) -> Trace | None:
        """A solution of the fewest actions, where it is proved that there are none of fewer."""
        found = self.costs.get(ACTIONS.name)
        return found.trace if found and found.optimal else None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        data: dict[str, Any] = load("gridproof.analysis.text_report").data_of(self)
        return data

    def report(self) -> str:
        """Return all of it as a self-contained page of HTML, with traces to step through, plots and pictures."""
        page: str = load("gridproof.analysis.level_report").page_of(self).html()
        return page

    def __str__(self) -> str:
        """Return all of it in lines of text."""
        return "\n".join(load("gridproof.analysis.text_report").lines_of(self))

    def _summary(self) -> str:
        answer = {True: "can be won", False: "cannot be won", None: "unknown whether it can be won"}
        return (
            f"<Analysis, {answer[self.winnable]}, {format_count(self.states, 'positions')}: {self.level!r}>"
        )

    def _html_parts(self) -> Iterator[str]:
        yield position_html(self.level.start())
        yield text_html(str(self), "pre")


def least(solution: Solution | None) -> int | None:
    """Return the cost of a solution that is proved the cheapest."""
    return solution.cost if solution and solution.found and solution.optimal else None


def analyse(level: Level | str, limit: Limit | None = None, progress: Progress | None = None) -> Analysis:
    """Analyse a level for its designer.

    All its positions are found, where the limit allows: dead and decisive ones are counted, and shortest
    solutions. It is solved by each measure of its game, and without each removable piece.

    Parameters
    ----------
    level : Level or str
        Or the name of one, as of `gridproof.level`.
    limit : Limit
        For all of it together; never an error. By default 20 seconds of the engines' work and two
        million positions.
    progress : callable, optional
        Receives the number of positions now and then.

    Returns
    -------
    Analysis

    Raises
    ------
    GridproofError
        When it is no level.

    Examples
    --------
    >>> import gridproof as gp
    >>> analysis = gp.analyse("sokoban/first-steps/1")
    >>> analysis.winnable, analysis.states, analysis.costs["pushes"].cost
    (True, 26, 2)
    """
    level = resolve_level(level)
    if not isinstance(level, Level):
        raise GridproofError(f"a level is needed, not {type(level).__name__}")
    begin, budget = time.perf_counter(), Budget(_with_defaults(limit))
    estimate = _estimate(level, budget)
    seconds = _SHARE_OF_EXPLORING * (budget.remaining_limit().seconds or 0.0)
    space = budget.charge(explore(level, limit=budget.remaining_limit(seconds), progress=progress))
    winning = load("gridproof.prove.reachability").Reachability(space) if space.complete else None
    costs = dict(_costs(level, winning, budget))
    found = {solution.found for solution in costs.values()}
    measure = find_measure(level.game, [*measures(level.game)][-1])  # the easiest to minimise
    whole = _whole(winning) if winning else None
    return Analysis(
        level=level,
        meaning=_meaning(level, winning),
        states=space.states,
        transitions=space.transitions,
        by_depth=space.by_depth,
        complete=space.complete,
        stopped_by=space.stopped_by,
        winnable=True if True in found else False if False in found else None,
        costs=costs,
        measure=measure.name,
        whole=whole,
        pieces=pieces_of(level, measure, budget) if False not in found else (),
        difficulty=dict(_difficulty(level, space, whole, costs, budget)),
        estimate=estimate,
        seconds=time.perf_counter() - begin,
    )


def _with_defaults(limit: Limit | None) -> Limit:
    given = start_meter(limit).limit
    return replace(
        given,
        seconds=SECONDS if given.seconds is None else given.seconds,
        states=STATES if given.states is None else given.states,
    )


def _estimate(level: Level, budget: Budget) -> Estimate | None:
    """Return the best estimate of the start; None without one."""
    estimate, begin = estimator(level.game), time.perf_counter()
    found = [*estimate(level.start(), budget.remaining_limit())] if estimate else []
    budget.spent += time.perf_counter() - begin
    return found[-1] if found else None


def _meaning(level: Level, winning: Reachability | None) -> str:
    """Return the meaning of a win in words, and its conditions."""
    game = level.game
    players = [actor for actor in game.actors(level) if actor != NATURE]
    words = [propositions(game)["won"].meaning]
    if len(players) > 1:
        words.append(f"{', '.join(players[:-1])} and {players[-1]} act together, in any order")
    if winning is not None and (winning.rows.graph.whole > 1 or winning.space.by_depth[0] > 1):
        words.append("with luck")
    if NATURE in game.actors(level):
        words.append("nothing else happens")
    return "; ".join(words)


def _costs(level: Level, winning: Reachability | None, budget: Budget) -> dict[str, Solution]:
    """Return the cheapest solutions; a complete space already tells that of the fewest actions."""
    costs = {}
    for name in reversed([*measures(level.game)]):
        if winning is not None and name == ACTIONS.name:
            trace, space = winning.shortest(), winning.space
            costs[name] = Solution(
                trace is not None, trace, winning.least, True, space.states, 0.0, engine=space.engine
            )
        elif not budget.is_spent:
            costs[name] = budget.charge(solve(level, name, limit=budget.remaining_limit()))
            if costs[name].found is False:
                break
    return costs


def _whole(winning: Reachability) -> SpaceFacts:
    orders = winning.orders()
    fatal = winning.fatal
    return SpaceFacts(
        dead=int(winning.dead.sum()),
        dead_by_depth=winning.sum_by_depth(winning.dead),
        actions=winning.actions,
        fatal=int(fatal.sum()),
        fatal_by_depth=winning.sum_by_depth(fatal),
        first_dead=winning.first_dead(),
        ways=winning.ways,
        orders=orders.number,
        unique=orders.unique,
        decisive=_decisive_positions(winning, winning.shortest()),
        squares=load("gridproof.analysis.square_usage").squares_of(winning),
    )


def _decisive_positions(winning: Reachability, shortest: Trace | None) -> DecisivePositions:
    decisive, forced, on = winning.decisive, winning.forced, winning.on_shortest
    places = [*map(winning.space.number, shortest.positions())] if shortest else []
    steps = tuple(step for step, place in enumerate(places) if decisive[place] and not forced[place])
    return DecisivePositions(
        int(decisive.sum()), int(decisive[on].sum()), int(forced.sum()), int(forced[on].sum()), steps
    )


def _difficulty(
    level: Level, space: StateSpace, whole: SpaceFacts | None, costs: Mapping[str, Solution], budget: Budget
) -> Mapping[str, float | None]:
    """Return measures of difficulty by name, in the order of the report."""
    actions = least(costs.get(ACTIONS.name))
    difficulty: dict[str, float | None] = {
        f"fewest {name}": least(costs.get(name)) for name in measures(level.game)
    }
    difficulty["positions"] = space.states if space.complete else None
    difficulty["positions found before the first win"] = (
        sum(space.by_depth[:actions]) if actions is not None and space.complete else None
    )
    difficulty["outcomes of a position"] = space.transitions / space.states if space.complete else None
    difficulty["share of dead positions"] = whole.dead / space.states if whole else None
    difficulty["share of fatal actions"] = whole.fatal / whole.actions if whole and whole.actions else None
    difficulty["decisive positions on shortest solutions"] = whole.decisive.on_shortest if whole else None
    difficulty |= _generator_difficulty(level, budget)
    return difficulty


def _generator_difficulty(level: Level, budget: Budget) -> Mapping[str, float | None]:
    """Return the difficulty by the game's generator, if it has one with a measure."""
    generator = generator_of(level.game)
    if generator is None or generator.measure is None or budget.is_spent:
        return {}
    found = measure_difficulty(level, budget.remaining_limit())
    value = found.keys.get(KEY) if found else None
    return {BY_GENERATOR: value if isinstance(value, int | float) else None}
