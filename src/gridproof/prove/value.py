"""`gp.value`: the best and the worst probability of a goal, or the expected points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.representation import Representable, facts_of
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import format_count
from gridproof.prove import cost, evaluate, quantity
from gridproof.prove.formula import Coalition, Quantity
from gridproof.prove.interval import (
    ANYTHING,
    NOTICEABLE,
    Interval,
    Number,
    enclose,
    finite_float,
    format_bounds,
)
from gridproof.prove.logic import logic_of
from gridproof.prove.name_check import check_names
from gridproof.prove.strategy import NumberStrategy
from gridproof.prove.turn_order import check_turns, turn_order
from gridproof.prove.value_engines import (
    AUTOMATON,
    RESTARTS,
    TURNS,
    InitialBounds,
    Values,
    ask_solver,
    find_quantity,
    find_values,
    mean_bounds,
    multiply,
)
from gridproof.search.actors import Actors, Who, resolve_actors, starts_of
from gridproof.search.cost_product import to_cost_product
from gridproof.search.space import Progress, StateSpace, monotonic_progress

_CONVERGED = 1e-9


class _Bounded(Representable):
    """A best and a worst value with their bounds."""

    __slots__ = ()
    best_bounds: Interval
    worst_bounds: Interval

    @property
    def best(self) -> Number:
        """The best value: a fraction where it is exact, else the middle of its bounds."""
        return self.best_bounds.middle

    @property
    def worst(self) -> Number:
        """The worst value: a fraction where it is exact, else the middle of its bounds."""
        return self.worst_bounds.middle

    @property
    def _numbers(self) -> str:
        return f"{format_bounds(self.best_bounds)} at best, {format_bounds(self.worst_bounds)} at worst"


@dataclass(frozen=True, slots=True)
class Worth(_Bounded):
    """Values of one position."""

    best_bounds: Interval
    worst_bounds: Interval
    action_bounds: Mapping[Any, Interval]
    """The bounds of each action, if the best follows; none where the goal holds or the game has ended."""
    least: bool = False
    """True if the best action is the one with the least value, as for a cost."""

    def __str__(self) -> str:
        """Return the values of the position, and of each action."""
        each = ", ".join(f"{action} {format_bounds(bounds)}" for action, bounds in self.action_bounds.items())
        return self._numbers + (f"; best first: {self.action} ({each})" if each else "")

    def _summary(self) -> str:
        first = "" if self.action is None else f"; best first: {self.action}"
        return f"<Worth: {self._numbers}{first}>"

    @property
    def actions(self) -> Mapping[Any, Number]:
        """The middle of each action's bounds."""
        return {action: bounds.middle for action, bounds in self.action_bounds.items()}

    @property
    def action(self) -> Any:
        """The best action, the first of several; None where there is none."""
        choose = min if self.least else max
        return choose(self.actions, key=self.actions.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Value(_Bounded):
    """The value of a level or position: at best, and when the players try to avoid it."""

    level: Level
    goal: str
    """A proposition, "score", or a question."""
    best_bounds: Interval
    """Proved bounds of the best probability, or of the expected points, rounding included; equal if it is exact. Of an
    expected cost, the best is the greatest, and the worst the least."""
    worst_bounds: Interval
    states: int
    """Positions found; symmetric ones count once in a game's own engine."""
    seconds: float
    engine: str
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"; then the bounds may be far apart."""
    values: Values = field(default=InitialBounds(ANYTHING), repr=False, compare=False)
    """The engine's values; none for a goal with costs, which has bounds of the start only."""
    who: Who = (None,)
    """The actors."""
    question: Quantity | None = field(default=None, repr=False)
    """The probability or the expected cost of a path that was asked for; None for a goal."""
    coalition: tuple[str, ...] | None = None
    """The players who force it; None if no coalition was asked about."""
    origin: Level | Position[Any] | None = field(default=None, repr=False, compare=False)
    """The level or position that was asked about."""

    def __str__(self) -> str:
        """Return the best and the worst value, as exactly as they are known."""
        work = f"{format_count(self.states, 'positions')}, {self.seconds:.2f} s"
        return f"{self.quantity}: {self._numbers} ({work})"

    def to_dict(self) -> dict[str, Any]:
        """Return the goal, both values with their bounds, the error and the work as JSON data."""
        values = {"best": self.best_bounds.to_dict(), "worst": self.worst_bounds.to_dict()}
        work = facts_of(self, "states", "seconds", "engine", "stopped_by")
        return {"goal": self.goal} | values | {"error": finite_float(self.error)} | work

    @property
    def quantity(self) -> str:
        """The name of the value: the chance of the goal, the expected points, or the question."""
        if self.question:
            return f"`{self.goal}`"
        return "the expected points" if self.goal == quantity.SCORE else f"the chance of `{self.goal}`"

    def _summary(self) -> str:
        return f"<Value of `{self.goal}`: {self._numbers}>"

    @property
    def is_forced(self) -> bool:
        """True if a coalition forces it, whatever others do: then the best and the worst value are the same."""
        return self.coalition is not None

    @property
    def is_of_start(self) -> bool:
        """True if it is known at the start only, and not of its actions: of a coalition, with a condition, or of a formula of LTL."""
        asked = self.question
        return asked is not None and (self.is_forced or asked.is_conditional or asked.is_linear_time)

    @property
    def answers(self) -> Mapping[str, Interval]:
        """The bounds of what was asked for, with words that say which: "at best", "at worst"; "forced" by a coalition."""
        if self.is_forced:
            return {"forced": self.best_bounds}
        words = (
            ("at most", "at least") if self.question and self.question.measure else ("at best", "at worst")
        )
        both = dict(zip(words, (self.best_bounds, self.worst_bounds), strict=True))
        side = self.question.side if self.question else ""
        return {
            word: both[word] for word, one in zip(words, ("max", "min"), strict=True) if side in ("", one)
        }

    @property
    def _numbers(self) -> str:
        return ", ".join(f"{format_bounds(bounds)} {word}" for word, bounds in self.answers.items())

    @property
    def error(self) -> float:
        """The largest proved error of what was asked for; 0 for fractions."""
        return max(bounds.error for bounds in self.answers.values())

    @property
    def converged(self) -> bool:
        """True if both are known, except for rounding; else a limit was reached before."""
        return all(
            bounds.error <= _CONVERGED * max(1.0, float(bounds.low)) for bounds in self.answers.values()
        )

    @property
    def remark(self) -> str:
        """The reason why the bounds say nothing, and what would get closer ones; "" if they say something."""
        unknown = self.values.unknown
        is_vague = all(
            bounds.low - unknown.low < NOTICEABLE and unknown.high - bounds.high < NOTICEABLE
            for bounds in self.answers.values()
        )
        if self.converged or not self.states or not is_vague:
            return ""
        return getattr(self.values, "remark", "") or (
            "none of these positions decides it with a noticeable chance; a nearer goal, a later position or a "
            "smaller board gets closer bounds"
        )

    def at(self, position: Position[Any]) -> Worth:
        """Return the values of a position, and of each action in it.

        Raises
        ------
        GridproofError
            When it is not among the positions of the search, or was not reached before a limit.
        """
        if self.is_of_start:
            raise GridproofError(self._start_only)
        is_on_level = isinstance(position, Position) and position.level == self.level
        found = self.values.of(position) if is_on_level else None
        if found is None and isinstance(self.values, InitialBounds) and self.converged:
            raise GridproofError(self._start_only)
        if found is None:
            why = f" before the limit of {self.stopped_by}" if self.stopped_by else ""
            raise GridproofError(f"the position was not reached{why}")
        return Worth(*found, self.bounds_of_actions(position, self.wanted_side), bool(self.wanted_side))

    @property
    def strategy(self) -> NumberStrategy:
        """A player that reaches the best value (the least of a cost): called with a position, it returns an action.

        At a limit, it reaches the bound that is proved. With a bound of actions, it is called with the number that is left, too;
        that of a coalition with the player whose turn it is, and it returns None for a pass. If the question has a condition or a
        formula of LTL, it is called with the positions of one play in turn, since it has a memory. `verify()` returns the value
        that it reaches by the rules. GridproofError for a goal with costs and other values that have none.
        """
        return self.strategy_for(self.wanted_side)

    @property
    def worst_strategy(self) -> NumberStrategy:
        """A player that reaches the worst value (the greatest of a cost, where it is finite), as `strategy`; that of a coalition's opponents."""
        return self.strategy_for(1 - self.wanted_side)

    def strategy_for(self, side: int) -> NumberStrategy:
        """Return a player for the best (0) or the worst value (1), as `strategy`."""
        if isinstance(self.values, InitialBounds):
            raise GridproofError(self._start_only if self.states else "nothing was found")
        player: NumberStrategy = load("gridproof.prove.value_strategy").strategy_of(self, side)
        return player

    @property
    def _start_only(self) -> str:
        what = "a goal with costs"
        if self.question is not None and self.question.is_conditional:
            what = "a probability with a condition"
        elif self.question is not None and self.question.is_linear_time:
            what = "a probability of such a formula"
        if self.is_forced:
            what = "what a coalition can force"
        return f"{what} has values at the start only"

    def bounds_of_actions(self, position: Position[Any], side: int) -> dict[Any, Interval]:
        """Return the bounds of each action, if the best or the worst follows; none where they make no difference."""
        if self._is_decided(position):
            return {}
        return {
            action: self._action_bounds(position, action, side)
            for one in self.who
            for action in position.actions(one)
        }

    @property
    def wanted_side(self) -> int:
        """The side that actions are chosen for: 1 for the least value, as of a cost, else 0."""
        asked = self.question
        return int(asked is not None and (asked.side == "min" or bool(asked.measure and asked.side != "max")))

    def _is_decided(self, position: Position[Any]) -> bool:
        """Return whether actions make no difference any more, or the number of actions that are left is not known."""
        if self.question:
            task = quantity.task_of(self.question)
            return (
                task.steps is not None
                or evaluate.holds(task.reach, position, self.who)
                or not evaluate.holds(task.hold, position, self.who)
            )
        return self.goal != quantity.SCORE and proposition.parse_goal(self.level.game, self.goal)(position)

    def _action_bounds(self, position: Position[Any], action: Any, side: int) -> Interval:
        low: Number = Fraction()
        if self.question and self.question.measure:
            low = quantity.mean_cost(quantity.measure_of(self.question, self.level), position, action)
        high = low
        for outcome in position.outcomes(action):
            after = self.values.of(outcome.position)
            if after is None and not self.stopped_by:
                raise GridproofError("a kernel and the rules disagree; please report this level")
            best = after[side] if after else self.values.unknown
            gained = outcome.reward if self.goal == quantity.SCORE else 0
            times = _times if self.values.error else multiply
            low += times(outcome.probability, gained + best.low)
            high += times(outcome.probability, gained + best.high)
        return enclose(low, high)


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
        A proposition of the game, with costs if wanted (`won & cost(pushes) <= 7`), for the probability that it ever holds; "score", for the
        expected points until the end, in a game that keeps score; or a question as the page on values says: `P=? [!lost U tile(64)]`,
        `Pmax=? [F<=20 won]`, `R{"pushes"}=? [F won]`, `<<a>> P=? [F won(a)]`.
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
    if isinstance(goal, str) and quantity.is_question(goal):
        asked = quantity.parse_question(goal, starts_of(subject)[0].level)
        if isinstance(asked, Coalition):
            return value_of_coalition(subject, asked, actors, limit, progress)
        return value_of_quantity(subject, asked, actors, limit, progress)
    product, name = to_cost_product(subject, goal)
    if product is not subject:
        found_there = value(product, name, actors, limit, progress)
        return replace(
            found_there, level=starts_of(subject)[0].level, goal=goal, values=InitialBounds(ANYTHING)
        )
    meter = start_meter(limit)
    progress = monotonic_progress(progress)
    starts = starts_of(subject)
    level = starts[0].level
    who = resolve_actors(level, actors)
    wanted = None if goal == quantity.SCORE else proposition.parse_goal(level.game, goal)
    if wanted is None and not level.game.policy.keeps_score:
        raise GridproofError(f"{level.game.name} keeps no score")
    if wanted is not None:
        wanted.value(starts[0])  # tells which arguments mean nothing on this level
    found, engine = find_values(starts, wanted, goal, who, meter, progress)
    best, worst = mean_bounds(subject, found, wanted is not None)
    return Value(
        level=level,
        goal=goal,
        best_bounds=best,
        worst_bounds=worst,
        states=found.states,
        seconds=meter.seconds,
        engine=engine,
        stopped_by=meter.stopped_by,
        values=found,
        who=who,
        origin=subject,
    )


def value_of_quantity(
    subject: Level | Position[Any],
    asked: Quantity,
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    space: StateSpace | None = None,
) -> Value:
    """Find a probability or an expected cost, perhaps in a given space; arguments and errors as of `value`."""
    starts = starts_of(subject)
    level = starts[0].level
    check_names(asked, starts[0])
    logic_of(asked)
    product = cost.find_product(asked, level)
    who = space.who if space else resolve_actors(level, actors)
    meter, progress = start_meter(limit), monotonic_progress(progress)
    if product:
        subject, space = product.wrap(starts[0]) if isinstance(subject, Position) else product, None
    if asked.is_conditional:
        found, engine = ask_solver(RESTARTS, asked, subject, who, meter, progress, space)
    elif asked.is_linear_time:
        found, engine = ask_solver(AUTOMATON, asked, subject, who, meter, progress, space)
    else:
        found, engine = find_quantity(asked, subject, who, meter, progress, space)
    best, worst = mean_bounds(subject, found, not asked.measure)
    return Value(
        level=level,
        goal=str(asked),
        best_bounds=best,
        worst_bounds=worst,
        states=found.states,
        seconds=meter.seconds,
        engine=engine,
        stopped_by=meter.stopped_by or (space.stopped_by if space else ""),
        values=InitialBounds(found.unknown) if product else found,
        who=who,
        question=asked,
        origin=subject,
    )


def value_of_coalition(
    subject: Level | Position[Any],
    asked: Coalition,
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    space: StateSpace | None = None,
) -> Value:
    """Find the probability or the cost that a coalition can force, as a value with both sides equal; arguments as of `value_of_quantity`."""
    meter, compared = start_meter(limit), asked.operand
    assert isinstance(compared, Quantity)
    starts = starts_of(subject)
    level = starts[0].level
    check_names(asked, starts[0])
    logic_of(asked)
    who = space.who if space else resolve_actors(level, actors)
    check_turns(asked, level, who)
    if product := cost.find_product(compared, level):
        subject, space = product.wrap(starts[0]) if isinstance(subject, Position) else product, None
    alone = quantity.plain_question(asked, turn_order(level, who))
    if alone:
        plain = value_of_quantity(subject, alone, actors, limit, progress, space)
        bounds = plain.worst_bounds if alone.is_least else plain.best_bounds
        return replace(
            plain,
            goal=str(asked),
            best_bounds=bounds,
            worst_bounds=bounds,
            question=compared,
            coalition=asked.names,
        )
    found, engine = ask_solver(TURNS, asked, subject, who, meter, monotonic_progress(progress), space)
    best, worst = mean_bounds(subject, found, not compared.measure)
    return Value(
        level=level,
        goal=str(asked),
        best_bounds=best,
        worst_bounds=worst,
        states=found.states,
        seconds=meter.seconds,
        engine=engine,
        stopped_by=meter.stopped_by or (space.stopped_by if space else ""),
        values=InitialBounds(found.unknown) if product else found,
        who=who,
        question=compared,
        coalition=asked.names,
        origin=subject,
    )
