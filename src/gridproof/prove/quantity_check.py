"""Verdicts on formulas with probabilities and expected costs: `P>=0.9 [F<=20 tile(64)]`, `R{"pushes"}<=7 [F won]`.

A comparison is decided when the bounds of the number decide it. Without `max` or `min`, it must hold for every way to act, as
in Storm: a bound from below is compared with the least number, one from above with the greatest.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Budget, Limit, check_limit
from gridproof.core.position import Level, Position
from gridproof.prove import cost, evaluate
from gridproof.prove.formula import Coalition, Formula, Quantity, Unary, subformulas
from gridproof.prove.interval import Interval, format_bounds
from gridproof.prove.quantity import compare
from gridproof.prove.strategy import NumberStrategy
from gridproof.prove.ternary_logic import evaluate_joined
from gridproof.prove.turn_order import turn_order
from gridproof.prove.value import Value, value_of_coalition, value_of_quantity
from gridproof.prove.value_engines import InitialBounds
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors, Who
from gridproof.search.space import Progress, StateSpace


class QuantityChecker:
    """Checker of one formula on a level, a position or a space."""

    def __init__(
        self,
        subject: Level | Position[Any] | StateSpace,
        starts: list[Position[Any]],
        actors: Actors,
        limit: Limit | None,
        progress: Progress | None,
    ) -> None:
        self._space = subject if isinstance(subject, StateSpace) else None
        self._subject = _origin(subject, starts) if isinstance(subject, StateSpace) else subject
        self._starts, self._actors, self._progress = starts, actors, progress
        self._budget = Budget(check_limit(limit))
        self._values: dict[Formula, Value] = {}

    def answer(self, open_verdict: Verdict) -> Verdict:
        """Return the verdict; GridproofError when the formula asks for a number."""
        for one in subformulas(open_verdict.formula):
            if isinstance(one, Quantity) and one.bound is None:
                raise GridproofError(
                    f"{one} asks for a number, not whether something holds: gridproof.value finds it"
                )
        holds = evaluate_joined(open_verdict.formula, lambda operand: self._truth(operand, open_verdict.who))
        values = self._values.values()
        return replace(
            open_verdict,
            holds=holds,
            states=max((one.states for one in values), default=0),
            seconds=sum(one.seconds for one in values),
            stopped_by=next((one.stopped_by for one in values if one.stopped_by), "")
            if holds is None
            else "",
            remarks=tuple(remark for one in values for remark in _remarks(one)),
            strategy=None if holds is None else self._strategy(open_verdict.formula, holds),
        )

    def _strategy(self, formula: Formula, holds: bool) -> DecisiveStrategy | None:
        """Return the strategy that shows the truth of a comparison; None if a way to act does not, or several are needed."""
        while isinstance(formula, Unary) and formula.operator == "!":
            formula, holds = formula.operand, not holds
        found = self._values.get(formula)
        if found is None or found.question is None or isinstance(found.values, InitialBounds):
            return None
        if found.is_forced:
            is_high_cost = found.question.measure and found.question.is_more_wanted is holds
            return (
                None
                if is_high_cost
                else DecisiveStrategy(found, found.wanted_side if holds else 1 - found.wanted_side)
            )
        is_shown = holds is not found.question.is_universal
        return DecisiveStrategy(found, int(found.question.is_least)) if is_shown else None

    def _truth(self, operand: Formula, who: Who) -> bool | None:
        """Return whether an operand holds at the start; None when a limit came first."""
        match operand:
            case Quantity():
                return compare(operand, bounds_of(self._value(operand)))
            case Coalition(_, Quantity() as asked):
                return compare(asked, bounds_of(self._value(operand)))
        product = cost.find_product(operand, self._starts[0].level)
        starts = map(product.wrap, self._starts) if product else self._starts
        return all(evaluate.holds(operand, start, who) for start in starts)

    def _value(self, asked: Quantity | Coalition) -> Value:
        if asked not in self._values:
            about = self._actors, self._budget.remaining_limit(), self._progress, self._space
            if isinstance(asked, Coalition):
                found = value_of_coalition(self._subject, asked, *about)
            else:
                found = value_of_quantity(self._subject, asked, *about)
            self._values[asked] = self._budget.charge(found)
        return self._values[asked]


@dataclass(frozen=True)
class DecisiveStrategy:
    """A strategy that shows a verdict, for the best (0) or the worst side (1) of a number; it is built when it is first asked."""

    found: Value
    side: int

    @property
    def players(self) -> tuple[str, ...]:
        """The players who follow it."""
        order, coalition = turn_order(self.found.level, self.found.who), self.found.coalition
        wants = self.side == self.found.wanted_side
        return order if coalition is None else tuple(one for one in order if (one in coalition) is wants)

    @functools.cached_property
    def strategy(self) -> NumberStrategy:
        """The strategy; GridproofError where none is known."""
        return self.found.strategy_for(self.side)

    def __call__(self, position: Position[Any], /, *turn: Any) -> Any:
        """Return the action in a position, as the strategies of `Value`."""
        return self.strategy(position, *turn)

    def verify(self) -> Any:
        """Return the number that it reaches by the rules alone, whatever others do."""
        return self.strategy.verify()


def _origin(space: StateSpace, starts: list[Position[Any]]) -> Level | Position[Any]:
    """Return what a space was explored from: a position, or its level with the probabilities of the starts."""
    return starts[0] if len(starts) == 1 else space.level


def bounds_of(value: Value) -> Interval:
    """Return the bounds of the number that a question compares."""
    assert value.question
    return value.worst_bounds if value.question.is_least else value.best_bounds


def _remarks(value: Value) -> list[str]:
    asked, bounds = value.question, bounds_of(value)
    assert asked
    is_least = asked.is_least is not value.is_forced  # players force as much or as little as they want
    which = "least" if is_least else "greatest"
    what = f"expected cost in {asked.measure}" if asked.measure else "probability"
    if value.is_forced:
        what += " that they can force"
    remarks = [f"`{value.goal}`: the {which} {what} is {format_bounds(bounds)}"]
    return remarks + ([value.remark] if value.remark else [])
