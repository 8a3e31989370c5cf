"""`gp.value`: how likely a goal is at best and at worst, or how many points can be expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Meter, started
from gridproof.core.loading import load
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.prove.exact import ExactValues
from gridproof.search.actors import Actors, Who, acting, starts_of
from gridproof.search.explore import explore
from gridproof.search.refusal import Refused
from gridproof.search.space import Progress, rising

SCORE = "score"
"""The name of the goal that asks for points."""

Number = Fraction | float


class Values(Protocol):
    """What an engine has found out."""

    @property
    def states(self) -> int:
        """Positions kept."""

    @property
    def error(self) -> float:
        """The largest relative error of a value, absolute for values below 1; 0 for fractions."""

    def of(self, position: Position[Any]) -> tuple[Number, Number] | None:
        """The best and the worst value of a position; None when it was not found."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What one position is worth."""

    best: Number
    worst: Number
    actions: Mapping[Any, Number]
    """What each action is worth, if the best is done afterwards; none where the goal holds or the game has ended."""

    @property
    def action(self) -> Any:
        """The best action, the first of several; None where there is none."""
        return max(self.actions, key=self.actions.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Value:
    """What a level or position is worth to its players: at best, and when all is done to avoid it."""

    level: Level
    goal: str
    """A proposition, or "score"."""
    best: Number | None
    """A probability, or the points expected: a fraction where it is exact; None when a limit was reached."""
    worst: Number | None
    error: float
    """By how much `best` and `worst` may be wrong at most, proved; 0 for fractions."""
    states: int
    """Positions found; where a game's own engine did the work, those that are alike by symmetry are one."""
    seconds: float
    engine: str
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"."""
    values: Values | None = field(default=None, repr=False, compare=False)
    """What the engine has found out."""
    who: Who = (None,)
    """Who acts."""

    def at(self, position: Position[Any]) -> Worth:
        """What a position is worth, and each action in it.

        Raises
        ------
        GridproofError
            When it does not follow from where the search began, or a limit was reached.
        """
        found = self.values.of(position) if self.values and self._belongs(position) else None
        if found is None:
            raise GridproofError(
                "the position was not reached" if self.values else "a limit was reached: no values"
            )
        if self.goal != SCORE and proposition.goal(self.level.game, self.goal)(position):
            return Worth(*found, {})
        actions = {
            action: self._hope(position, action) for one in self.who for action in position.actions(one)
        }
        return Worth(*found, actions)

    def _belongs(self, position: object) -> bool:
        return isinstance(position, Position) and position.level == self.level

    def _hope(self, position: Position[Any], action: Any) -> Number:
        total: Number = Fraction()
        for outcome in position.outcomes(action):
            after = self.values.of(outcome.position) if self.values else None
            if after is None:
                raise GridproofError("a kernel and its rules disagree: please report this level")
            gained = outcome.reward if self.goal == SCORE else 0
            total += _times(outcome.probability, gained + after[0])
        return total


def _times(probability: Fraction, value: Number) -> Number:
    return probability * value if isinstance(value, Fraction | int) else float(probability) * value


def value(
    level_or_position: Level | Position[Any],
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Value:
    """Find out what a level or position is worth.

    Parameters
    ----------
    level_or_position : Level or Position
        Of a level, the mean over its starts.
    goal : str
        A proposition of the game, of which the probability is asked: that it ever holds; or "score", the points that are
        expected until the game ends, in a game that keeps score.
    actors : None, "all" or tuple of str
        Whose actions are chosen: all players' by default.
    limit : Limit
        When to give up; never an error.

    Raises
    ------
    GridproofError
        For a goal or an actor that the game does not know, or the score of a game that keeps none.
    """
    meter = started(limit)
    progress = rising(progress)
    starts = starts_of(level_or_position)
    level = starts[0].level
    who = acting(level, actors)
    wanted = None if goal == SCORE else proposition.goal(level.game, goal)
    if wanted is None and not level.game.policy.keeps_score:
        raise GridproofError(f"{level.game.name} keeps no score")
    if wanted is not None:
        wanted.value(starts[0])  # tells which arguments mean nothing on this level
    found: Values | None = None
    exact, engine = ExactValues(starts, wanted, who), "rules, exactly"
    if exact.run(meter):
        found = exact
    elif not meter.stopped_by:
        found = _by_own_engine(starts, wanted, who, meter, progress)
        engine = "backwards by layers, up to symmetry"
        if found is None and not meter.stopped_by:
            engine = "graph, from below and above"
            if wanted is None:
                raise GridproofError("the score, where so many positions may follow, is not to be had here")
            found = _by_graph(level_or_position, goal, actors, meter, progress)
    best, worst, error = _mean(level_or_position, found) if found else (None, None, 0.0)
    states = found.states if found else 0
    return Value(level, goal, best, worst, error, states, meter.seconds, engine, meter.stopped_by, found, who)


def _by_own_engine(
    starts: list[Position[Any]], goal: Goal | None, who: Who, meter: Meter, progress: Progress | None
) -> Values | None:
    """What the game's own engine finds, where it has one that can."""
    name = starts[0].level.game.values
    if not name or who != (None,):
        return None
    with meter.paused():
        module = load(name)
    try:
        found: Values | None = module.values(starts, goal, meter, progress)
    except Refused:
        return None
    return found


def _by_graph(
    asked: Level | Position[Any], goal: str, actors: Actors, meter: Meter, progress: Progress | None
) -> Values | None:
    space = explore(asked, actors, meter.limit, progress)
    meter.stopped_by = space.stopped_by
    if not space.complete:
        return None
    with meter.paused():
        module = load("gridproof.prove.iterated")
    found: Values | None = module.values(space, goal, meter)
    return found


def _mean(asked: Level | Position[Any], found: Values) -> tuple[Number, Number, float]:
    """The mean over all starts, and its error."""
    starts = [(Fraction(1), asked)] if isinstance(asked, Position) else [
        (outcome.probability, outcome.position) for outcome in asked.starts()
    ]  # fmt: skip
    worth = [(chance, found.of(start)) for chance, start in starts]
    best = sum(_times(chance, pair[0]) for chance, pair in worth if pair)
    worst = sum(_times(chance, pair[1]) for chance, pair in worth if pair)
    part = found.error + (len(starts) + 2) * 2.0**-53 if found.error else 0.0
    return best, worst, part * max(1.0, float(best))
