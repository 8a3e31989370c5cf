"""`gp.analyse`: what a designer asks of a level."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.generate import measured
from gridproof.core.limit import Limit
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS, measure_named, measures
from gridproof.core.position import NATURE, Level
from gridproof.core.proposition import propositions
from gridproof.core.trace import Trace
from gridproof.play.analysis.budget import Budget
from gridproof.play.analysis.pieces import Piece, pieces_of
from gridproof.play.analysis.squares import Squares
from gridproof.search.explore import explore
from gridproof.search.solution import Solution
from gridproof.search.solve import solve
from gridproof.search.space import Progress, StateSpace

if TYPE_CHECKING:
    from gridproof.prove.winning import Winning


class Moments(NamedTuple):
    """Decisive positions: not won yet, and exactly one action keeps the win in reach."""

    everywhere: int
    on_shortest: int
    """Those that lie on a shortest solution."""
    forced: int
    """Those of all in which nothing else could be done."""
    forced_on_shortest: int
    steps: tuple[int, ...]
    """The steps of the shortest solution that is shown, from 0, that are done in one of them where something else could be."""


@dataclass(frozen=True, kw_only=True)
class Whole:
    """What only all positions together tell."""

    dead: int
    """Positions from which no win is in reach."""
    dead_by_depth: tuple[int, ...]
    """How many of them are first reached after 0, 1, 2, ... actions."""
    actions: int
    """Actions that can be done, in all positions together."""
    fatal: int
    """Actions, in all positions, after which a win that was in reach is not any more."""
    fatal_by_depth: tuple[int, ...]
    """The same by the fewest actions to where they are done."""
    first_dead: Trace | None
    """A shortest way to a dead position; None where there is none."""
    ways: int
    """How many shortest solutions there are: sequences of actions with their outcomes."""
    orders: int | None
    """How many there are when order does not count; None where they were too many to be compared."""
    unique: bool | None
    """Whether there is but one, when order does not count; None where that is not known, or nothing wins."""
    moments: Moments
    squares: Squares


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """What is known of a level, and what of it shows each claim.

    Attributes
    ----------
    level : Level
    meaning : str
        What it means that a position can be won, in words.
    states, transitions : int
        Positions found, and outcomes of their actions.
    by_depth : tuple of int
        How many positions are first reached after 0, 1, 2, ... actions.
    complete : bool
        Whether these are all positions.
    stopped_by : str
        The limit that was reached where they are not: "states", "seconds", "memory" or "stop".
    winnable : bool or None
        Whether it can be won; None where that is not known.
    costs : mapping of str to Solution
        The cheapest solution by each of the game's measures, as far as it was found.
    measure : str
        By which pieces are compared: the game's last one.
    whole : Whole or None
        What only all positions tell; None where a limit was reached first.
    pieces : tuple of Piece
        What can be taken away, each with what then becomes of the level.
    difficulty : mapping of str to number or None
        Measures of difficulty; None for what is not known.
    seconds : float
        How long it took.
    """

    level: Level
    meaning: str
    states: int
    transitions: int
    by_depth: tuple[int, ...]
    complete: bool
    stopped_by: str
    winnable: bool | None
    costs: Mapping[str, Solution]
    measure: str
    whole: Whole | None
    pieces: tuple[Piece, ...]
    difficulty: Mapping[str, float | None]
    seconds: float = field(compare=False)

    @property
    def cost(self) -> int | None:
        """The least cost by `measure`; None where it is not proved."""
        return least(self.costs.get(self.measure))

    @property
    def shortest(self) -> Trace | None:
        """A solution of the fewest actions, where it is proved that there are none of fewer."""
        found = self.costs.get(ACTIONS.name)
        return found.trace if found and found.optimal else None

    def data(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        data: dict[str, Any] = load("gridproof.play.analysis.telling").data_of(self)
        return data

    def report(self) -> str:
        """All of it as a page of HTML that stands alone, with traces to step through, plots and pictures."""
        page: str = load("gridproof.play.analysis.page").page_of(self).html()
        return page

    def __str__(self) -> str:
        """All of it in lines of text."""
        return "\n".join(load("gridproof.play.analysis.telling").lines_of(self))


def least(solution: Solution | None) -> int | None:
    """The cost of a solution that is proved the cheapest."""
    return solution.cost if solution and solution.found and solution.optimal else None


def analyse(level: Level, limit: Limit | None = None, progress: Progress | None = None) -> Analysis:
    """Find out what a designer asks of a level.

    All its positions are found, where the limit allows: how many are dead, what is decisive, how many shortest
    solutions there are. It is solved by each measure of its game, and without each piece that can be taken away.

    Parameters
    ----------
    level : Level
    limit : Limit
        For all of it together; never an error. Where it says nothing, it is 20 seconds of the engines' work and two
        million positions.
    progress : callable, optional
        Told now and then how many positions have been found.

    Raises
    ------
    GridproofError
        When it is no level.
    """
    if not isinstance(level, Level):
        raise GridproofError(f"a level is needed, not {type(level).__name__}")
    begin, budget = time.perf_counter(), Budget(limit)
    space = budget.paid(explore(level, limit=budget.left, progress=progress))
    winning = load("gridproof.prove.winning").Winning(space) if space.complete else None
    costs = dict(_costs(level, winning, budget))
    found = {solution.found for solution in costs.values()}
    measure = _last_measure(level)
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
        seconds=time.perf_counter() - begin,
    )


def _last_measure(level: Level) -> Measure:
    """The one that is the easiest to minimise."""
    return measure_named(level.game, [*measures(level.game)][-1])


def _meaning(level: Level, winning: Winning | None) -> str:
    """What winning means, in words, and what it needs."""
    game = level.game
    players = [actor for actor in game.actors(level) if actor != NATURE]
    words = [propositions(game)["won"].meaning]
    if len(players) > 1:
        words.append(f"{', '.join(players[:-1])} and {players[-1]} act together, in any order")
    if winning is not None and (winning.rows.graph.whole > 1 or winning.space.by_depth[0] > 1):
        words.append("with chance helping")
    if NATURE in game.actors(level):
        words.append("nature does nothing")
    return "; ".join(words)


def _costs(level: Level, winning: Winning | None, budget: Budget) -> dict[str, Solution]:
    """The cheapest solutions; that of the fewest actions is known where all positions are."""
    costs = {}
    for name in reversed([*measures(level.game)]):
        if winning is not None and name == ACTIONS.name:
            trace, space = winning.shortest(), winning.space
            costs[name] = Solution(
                trace is not None, trace, winning.least, True, space.states, 0.0, engine=space.engine
            )
        elif not budget.used_up:
            costs[name] = budget.paid(solve(level, name, limit=budget.left))
            if costs[name].found is False:
                break
    return costs


def _whole(winning: Winning) -> Whole:
    orders = winning.orders()
    fatal = winning.fatal
    return Whole(
        dead=int(winning.dead.sum()),
        dead_by_depth=winning.by_depth(winning.dead),
        actions=winning.actions,
        fatal=int(fatal.sum()),
        fatal_by_depth=winning.summed_by_depth(fatal),
        first_dead=winning.first_dead(),
        ways=winning.ways,
        orders=orders.number,
        unique=orders.unique,
        moments=_moments(winning, winning.shortest()),
        squares=load("gridproof.play.analysis.squares").squares_of(winning),
    )


def _moments(winning: Winning, shortest: Trace | None) -> Moments:
    decisive, forced, on = winning.decisive, winning.forced, winning.on_shortest
    places = [*map(winning.space.number, shortest.positions())] if shortest else []
    steps = tuple(step for step, place in enumerate(places) if decisive[place] and not forced[place])
    return Moments(
        int(decisive.sum()), int(decisive[on].sum()), int(forced.sum()), int(forced[on].sum()), steps
    )


def _difficulty(
    level: Level, space: StateSpace, whole: Whole | None, costs: Mapping[str, Solution], budget: Budget
) -> Mapping[str, float | None]:
    """Measures of difficulty by name, in the order in which they are told."""
    actions = least(costs.get(ACTIONS.name))
    told: dict[str, float | None] = {
        f"fewest {name}": least(costs.get(name)) for name in measures(level.game)
    }
    told["positions"] = space.states if space.complete else None
    told["positions found before the first win"] = (
        sum(space.by_depth[:actions]) if actions is not None and space.complete else None
    )
    told["outcomes of a position"] = space.transitions / space.states if space.complete else None
    told["share of dead positions"] = whole.dead / space.states if whole else None
    told["share of fatal actions"] = whole.fatal / whole.actions if whole and whole.actions else None
    told["decisive positions on shortest solutions"] = whole.moments.on_shortest if whole else None
    told |= _measured(level, budget)
    return told


def _measured(level: Level, budget: Budget) -> Mapping[str, float | None]:
    """The difficulty that new levels of the game are made by, where it measures any."""
    game = level.game
    if not game.generate or not hasattr(load(game.generate), "measure") or budget.used_up:
        return {}
    found = measured(level, budget.left)
    value = found.keys.get("Difficulty") if found else None
    return {"difficulty by the generator": value if isinstance(value, int | float) else None}
