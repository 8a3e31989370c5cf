"""`gp.value`: the best and the worst probability of a goal, or the expected points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, Meter, Stopped, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.representation import Representable
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import format_count
from gridproof.prove.exact import ExactValues
from gridproof.prove.interval import ANYTHING, Interval, Number, round_sizes
from gridproof.search.actors import Actors, Who, resolve_actors, starts_of
from gridproof.search.cost_product import to_cost_product
from gridproof.search.explore import explore_until_goal
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.space import Progress, monotonic_progress

SCORE = "score"
"""The goal that stands for points."""

_EDGE, _STATE = 64, 64
"""Bytes of an edge and of a position while values are iterated."""
_CONVERGED = 1e-9
_LONGEST = 12
"""The most characters of a fraction in messages."""


class Values(Protocol):
    """Values that an engine has found."""

    @property
    def states(self) -> int:
        """Number of stored positions."""

    @property
    def error(self) -> float:
        """The largest relative error of a bound, absolute for values below 1; 0 for fractions."""

    @property
    def unknown(self) -> Interval:
        """The bounds of any position's value."""

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of a position's best and worst value, but for `error`; None when it was not found."""


@runtime_checkable
class ValueEngine(Protocol):
    """A game's own engine for values: the object `VALUES` of its extension `values`."""

    def __call__(
        self, starts: list[Any], goal: Goal | None, meter: Meter, progress: Progress | None, /
    ) -> Values | None:
        """Return the values of all positions that follow from some; None at a limit.

        Without a goal, of the score. It raises `gridproof.search.refusal.Refused` when it cannot tell.
        """


@dataclass(frozen=True, slots=True)
class Unexplored:
    """Bounds before anything was found."""

    unknown: Interval
    states, error = 0, 0.0

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return None: nothing was found."""
        return None


@dataclass(frozen=True, slots=True)
class Worth(Representable):
    """Values of one position."""

    best_bounds: Interval
    worst_bounds: Interval
    action_bounds: Mapping[Any, Interval]
    """The bounds of each action, if the best follows; none where the goal holds or the game has ended."""

    def __str__(self) -> str:
        """Return the values of the position, and of each action."""
        each = ", ".join(
            f"{action} {_format_bounds(bounds)}" for action, bounds in self.action_bounds.items()
        )
        return self._numbers + (f"; best first: {self.action} ({each})" if each else "")

    def _summary(self) -> str:
        first = "" if self.action is None else f"; best first: {self.action}"
        return f"<Worth: {self._numbers}{first}>"

    @property
    def _numbers(self) -> str:
        return f"{_format_bounds(self.best_bounds)} at best, {_format_bounds(self.worst_bounds)} at worst"

    @property
    def best(self) -> Number:
        """The middle of its bounds, as in `Value`."""
        return self.best_bounds.middle

    @property
    def worst(self) -> Number:
        """The middle of its bounds, as in `Value`."""
        return self.worst_bounds.middle

    @property
    def actions(self) -> Mapping[Any, Number]:
        """The middle of each action's bounds."""
        return {action: bounds.middle for action, bounds in self.action_bounds.items()}

    @property
    def action(self) -> Any:
        """The best action, the first of several; None where there is none."""
        return max(self.actions, key=self.actions.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Value(Representable):
    """The value of a level or position: at best, and when the players try to avoid it."""

    level: Level
    goal: str
    """A proposition, or "score"."""
    best_bounds: Interval
    """Proved bounds of the best probability, or of the expected points, rounding included; equal if it is exact."""
    worst_bounds: Interval
    states: int
    """Positions found; symmetric ones count once in a game's own engine."""
    seconds: float
    engine: str
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"; then the bounds may be far apart."""
    values: Values = field(default=Unexplored(ANYTHING), repr=False, compare=False)
    """The engine's values; none for a goal with costs, which has bounds of the start only."""
    who: Who = (None,)
    """The actors."""

    @property
    def best(self) -> Number:
        """The best value: a fraction where it is exact, else the middle of its bounds."""
        return self.best_bounds.middle

    @property
    def worst(self) -> Number:
        """The worst value: a fraction where it is exact, else the middle of its bounds."""
        return self.worst_bounds.middle

    def __str__(self) -> str:
        """Return the best and the worst value, as exactly as they are known."""
        work = f"{format_count(self.states, 'positions')}, {self.seconds:.2f} s"
        return f"{self.quantity}: {self._numbers} ({work})"

    @property
    def quantity(self) -> str:
        """The name of the value: the chance of the goal, or the expected points."""
        return "the expected points" if self.goal == SCORE else f"the chance of `{self.goal}`"

    @property
    def _numbers(self) -> str:
        return f"{_format_bounds(self.best_bounds)} at best, {_format_bounds(self.worst_bounds)} at worst"

    def _summary(self) -> str:
        return f"<Value of `{self.goal}`: {self._numbers}>"

    @property
    def error(self) -> float:
        """The largest proved error of `best` and `worst`; 0 for fractions."""
        return max(self.best_bounds.error, self.worst_bounds.error)

    @property
    def converged(self) -> bool:
        """True if both are known, except for rounding; else a limit was reached before."""
        return self.error <= _CONVERGED * max(1.0, float(self.best))

    def at(self, position: Position[Any]) -> Worth:
        """Return the values of a position, and of each action in it.

        Raises
        ------
        GridproofError
            When it is not among the positions of the search, or was not reached before a limit.
        """
        is_on_level = isinstance(position, Position) and position.level == self.level
        found = self.values.of(position) if is_on_level else None
        if found is None and isinstance(self.values, Unexplored) and self.converged:
            raise GridproofError("a goal with costs has values at the start only")
        if found is None:
            why = f" before the limit of {self.stopped_by}" if self.stopped_by else ""
            raise GridproofError(f"the position was not reached{why}")
        if self.goal != SCORE and proposition.parse_goal(self.level.game, self.goal)(position):
            return Worth(*found, {})
        actions = {
            action: self._action_bounds(position, action)
            for one in self.who
            for action in position.actions(one)
        }
        return Worth(*found, actions)

    def _action_bounds(self, position: Position[Any], action: Any) -> Interval:
        low: Number = Fraction()
        high: Number = Fraction()
        for outcome in position.outcomes(action):
            after = self.values.of(outcome.position)
            if after is None and not self.stopped_by:
                raise GridproofError("a kernel and the rules disagree; please report this level")
            best = after[0] if after else self.values.unknown
            gained = outcome.reward if self.goal == SCORE else 0
            low += _times(outcome.probability, gained + best.low)
            high += _times(outcome.probability, gained + best.high)
        return Interval(low, high)


def _format_bounds(bounds: Interval) -> str:
    """Return a value as a short fraction, or else as a decimal number with its error."""
    number = bounds.middle
    if not isinstance(number, float) and not bounds.error and len(exact := str(number)) <= _LONGEST:
        return exact
    return f"{float(number):.6g}" + (f" ± {bounds.error:.0e}" if bounds.error else "")


def _times(probability: Fraction, value: Number) -> Number:
    return probability * value if isinstance(value, Fraction | int) else float(probability) * value


def value(
    level_or_position: Level | Position[Any] | str,
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Value:
    """Find the value of a level or position.

    Parameters
    ----------
    level_or_position : Level, Position or str
        A level, or the name of one as of `gridproof.level`, has the mean value of its starts.
    goal : str
        A proposition of the game, with costs if wanted (`won & cost(pushes) <= 7`), for the probability that it ever holds; or "score", for the
        expected points until the end, in a game that keeps score.
    actors : None, "all" or tuple of str
        Whose actions are chosen: all players' by default.
    limit : Limit
        When to stop with the bounds proved so far; never an error.

    Returns
    -------
    Value

    Raises
    ------
    GridproofError
        For a goal or an actor that the game does not know, or the score of a game that keeps none.

    Examples
    --------
    >>> import gridproof as gp
    >>> level = gp.read("2048 2x2 spawn=classic target=8")[0]
    >>> gp.value(level, "tile(8)")
    <Value of `tile(8)`: 1 at best, 0.173719 at worst>
    """
    subject: Level | Position[Any] = resolve_level(level_or_position)
    product, name = to_cost_product(subject, goal)
    if product is not subject:
        found_there = value(product, name, actors, limit, progress)
        return replace(found_there, level=starts_of(subject)[0].level, goal=goal, values=Unexplored(ANYTHING))
    meter = start_meter(limit)
    progress = monotonic_progress(progress)
    starts = starts_of(subject)
    level = starts[0].level
    who = resolve_actors(level, actors)
    wanted = None if goal == SCORE else proposition.parse_goal(level.game, goal)
    if wanted is None and not level.game.policy.keeps_score:
        raise GridproofError(f"{level.game.name} keeps no score")
    if wanted is not None:
        wanted.value(starts[0])  # tells which arguments mean nothing on this level
    found, engine = _find_values(starts, wanted, goal, who, meter, progress)
    best, worst = _mean(subject, found, wanted is not None)
    return Value(level, goal, best, worst, found.states, meter.seconds, engine, meter.stopped_by, found, who)


def _find_values(
    starts: list[Position[Any]],
    goal: Goal | None,
    text: str,
    who: Who,
    meter: Meter,
    progress: Progress | None,
) -> tuple[Values, str]:
    """Return the values of the first engine that can compute them, and its name."""
    exact = ExactValues(starts, goal, who)
    if exact.run(meter):
        return exact, "rules, exactly"
    meter.stopped_by = ""
    try:
        found = _find_by_own_engine(starts, goal, who, meter, progress)
        if found:
            return found, "backwards by layers, up to symmetry"
        if goal is None:
            raise GridproofError("the expected score is not available for so many positions")
        return _find_by_graph(starts, goal, text, who, meter, progress), "graph, from below and above"
    except Stopped:  # before there was a kernel to work with
        meter.is_reached(0)
        return Unexplored(ANYTHING if goal else Interval(0, math.inf)), "none"


def _find_by_own_engine(
    starts: list[Position[Any]], goal: Goal | None, who: Who, meter: Meter, progress: Progress | None
) -> Values | None:
    """Return the values of the game's own engine, if there is an engine that can compute them."""
    if who != (None,):
        return None
    with meter.pause():
        engine = find_extension(starts[0].level.game, "values", ValueEngine)
    if engine is None:
        return None
    try:
        return engine(starts, goal, meter, progress)
    except Refused:
        return None


def _find_by_graph(
    starts: list[Position[Any]], goal: Goal, text: str, who: Who, meter: Meter, progress: Progress | None
) -> Values:
    """Return bounds from more and more positions, until they are all or a limit is reached."""
    found: Values = Unexplored(ANYTHING)
    for most in round_sizes():
        part = meter.limit_states(most)
        space = explore_until_goal(
            GoalQuestion(starts=starts, who=who, meter=part, progress=progress, goal=goal)
        )
        reason, part.stopped_by = part.stopped_by, ""
        first = isinstance(found, Unexplored)
        if (first or reason in ("", "states")) and part.has_room(
            _EDGE * space.transitions + _STATE * space.states
        ):
            with part.pause():
                module = load("gridproof.prove.interval_iteration")
            found = min(module.values(space, text, part), found, key=lambda one: _width(one, starts))
        meter.start_time, meter.stopped_by = part.start_time, part.stopped_by or reason
        if space.complete or meter.stopped_by != "states" or space.states < most:
            break
    return found


def _width(found: Values, starts: list[Position[Any]]) -> float:
    """Return the total error at the starts."""
    bounds = [found.of(start) or (found.unknown, found.unknown) for start in starts]
    return sum(best.error + worst.error for best, worst in bounds)


def _mean(subject: Level | Position[Any], found: Values, probability: bool) -> tuple[Interval, Interval]:
    """Return the bounds of the mean over all starts, rounding included."""
    starts = [(Fraction(1), subject)] if isinstance(subject, Position) else [
        (outcome.probability, outcome.position) for outcome in subject.starts()
    ]  # fmt: skip
    worth = [(chance, found.of(start) or (found.unknown, found.unknown)) for chance, start in starts]
    part = found.error + (len(starts) + 2) * 2.0**-53 if found.error else 0.0
    best, worst = (
        Interval(*(sum(_times(chance, pair[which][end]) for chance, pair in worth) for end in (0, 1)))
        for which in (0, 1)
    )
    return _widen(best, part, probability), _widen(worst, part, probability)


def _widen(bounds: Interval, part: float, probability: bool) -> Interval:
    """Widen bounds by a relative error."""
    if not part:
        return bounds
    low, high = (float(bound) for bound in bounds)
    low, high = low - part * max(1.0, low), high + part * max(1.0, high)
    return Interval(max(low, 0.0), min(high, 1.0) if probability else high)
