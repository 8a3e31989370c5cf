"""Probabilities and expected costs of paths, as of formulas: `P=? [!lost U tile(64)]`, `R{"pushes"}=? [F won]`."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.measure import measures
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import COMPARE, Goal
from gridproof.prove.formula import (
    TRUE,
    Atom,
    Binary,
    Bounded,
    Coalition,
    Comparison,
    Formula,
    Quantity,
    Unary,
    conjuncts,
    negate,
    parts,
)
from gridproof.prove.interval import Interval

SCORE = "score"
"""The name of the points of a game that keeps score, as a goal and as a cost."""

COSTS = Interval(Fraction(0), math.inf)
"""The bounds of any expected cost."""

_QUESTION = re.compile(
    r"\s*(<<[^<>]*>>)?\s*[PR]\s*(max|min)?\s*(\{[^{}]*\}\s*(max|min)?)?\s*(=\s*\?|[<>])[^\[]*\["
)


class Task(NamedTuple):
    """The path of a quantity in one form: `hold` until `reach`, or `reach` `again` and again.

    The probability of a `negated` path is 1 minus that of this one.
    """

    hold: Formula
    reach: Formula
    steps: int | None = None
    exactly: bool = False
    negated: bool = False
    again: bool = False


def is_question(text: str) -> bool:
    """Return whether a text asks for a probability or an expected cost, or compares one."""
    return bool(_QUESTION.match(text))


def parse_question(text: str, level: Level) -> Quantity | Coalition:
    """Parse a question such as `P=? [F won]` about a level; ParseError for another text, GridproofError when it compares."""
    from gridproof.prove.expansion import expand_things
    from gridproof.prove.parsing import parse  # which brings lark

    found = expand_things(parse(text), level)
    asked = found.operand if isinstance(found, Coalition) else found
    if (
        not isinstance(found, Quantity | Coalition)
        or not isinstance(asked, Quantity)
        or asked.bound is not None
    ):
        raise GridproofError(
            f"{text}: a value is asked for with =?, as in P=? [F won]; a comparison is checked"
        )
    return found


def tasks_of(quantity: Quantity) -> tuple[Task, ...]:
    """Return the task of a quantity; of one with a condition, those of the event and the condition."""
    paths = parts(quantity.operand) if quantity.is_conditional else (quantity.operand,)
    return tuple(task_of(replace(quantity, operand=path)) for path in paths)


def task_of(quantity: Quantity) -> Task:
    """Return the task of a quantity without a condition."""
    bounded = quantity.operand if isinstance(quantity.operand, Bounded) else None
    path = bounded.operand if bounded else quantity.operand
    task = _unbounded_task(path)
    return task._replace(steps=bounded.most, exactly=bounded.sign == "=") if bounded else task


def _unbounded_task(path: Formula) -> Task:
    match path:
        case Unary("X", operand):
            return Task(TRUE, operand, 1, exactly=True)
        case Unary("G", Unary("F", goal)):
            return Task(TRUE, goal, again=True)
        case Unary("F", Unary("G", goal)):
            return Task(TRUE, negate(goal), negated=True, again=True)
        case Unary("F", operand):
            return Task(TRUE, operand)
        case Unary("G", operand):
            return Task(TRUE, negate(operand), negated=True)
        case Binary("U", left, right):
            return Task(left, right)
        case Binary("R", left, right):
            return Task(negate(left), negate(right), negated=True)
        case Binary("W", left, right):
            return Task(negate(right), Binary("&", negate(left), negate(right)), negated=True)
    raise TypeError(path)


def implying_literals(formula: Formula) -> Iterator[Formula]:
    """Yield statements about one proposition that imply a formula, as goals are written."""
    match formula:
        case Binary("|", left, right):
            yield from implying_literals(left)
            yield from implying_literals(right)
        case Binary("->", left, right):
            yield from implying_literals(negate(left))
            yield from implying_literals(right)
        case Unary("!", Binary("&", left, right)):
            yield from implying_literals(negate(left))
            yield from implying_literals(negate(right))
        case Unary("!", Unary("!", operand)):
            yield from implying_literals(operand)
        case Atom() | Comparison(Atom(), _, int()) | Unary("!", Atom() | Comparison(Atom(), _, int())):
            yield formula


def goal_of(task: Task, level: Level) -> Goal | None:
    """Return the goal of a task that only asks whether one proposition ever holds; None if it asks for more."""
    known = proposition.propositions(level.game)
    only_ends = task.hold == TRUE or all(
        isinstance(one, Unary) and isinstance(one.operand, Atom) and known[one.operand.name].final
        for one in conjuncts(task.hold)
    )
    literals = [*implying_literals(task.reach)]
    if task.steps is not None or not only_ends or literals != [task.reach]:
        return None
    return proposition.parse_goal(level.game, str(task.reach))


def chance_in_time(task: Task, position: Position[Any], who: Collection[str | None]) -> Fraction:
    """Return an upper bound of the probability of a task's path that is known without a search."""
    goal = None if task.steps is None else _bounded_goal(task, position, who)
    return Fraction(1) if goal is None else goal.chance_within(position, task.steps or 0)


def fewest_actions(task: Task, position: Position[Any], who: Collection[str | None]) -> int:
    """Return a lower bound of the number of actions until a task's path ends that is known without a search."""
    goal = _bounded_goal(task, position, who)
    return goal.lower_bound(position) if goal and goal.lower_bound else 0


def _bounded_goal(task: Task, position: Position[Any], who: Collection[str | None]) -> Goal | None:
    """Return the goal of a task, if it has one and the game's bounds hold: they count the players' actions, not nature's."""
    if NATURE in who or [*implying_literals(task.reach)] != [task.reach]:
        return None
    return proposition.parse_goal(position.level.game, str(task.reach))


def measure_of(quantity: Quantity, level: Level) -> Measure:
    """Return the cost of a quantity; GridproofError when the game does not count it."""
    game, name = level.game, quantity.measure
    if name == SCORE and game.policy.keeps_score:
        return Measure(SCORE, "points", lambda position, action, outcome: outcome.reward)
    if name not in measures(game):
        known = [*measures(game), *([SCORE] if game.policy.keeps_score else [])]
        raise GridproofError(f"{game.name} does not count {name!r}: it counts {', '.join(known)}")
    return measures(game)[name]


def is_score(quantity: Quantity) -> bool:
    """Return whether a quantity is the expected score until the end."""
    return quantity.measure == SCORE and quantity.operand == Unary("F", Atom("ended"))


class Opposite:
    """The values of the opposite of a path."""

    error = 0.0

    def __init__(self, inner: Any) -> None:
        self._inner, self.states, self.unknown = inner, inner.states, inner.unknown

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of a position's best and worst value; None when it was not found."""
        found = self._inner.of(position)
        if found is None:
            return None
        best, worst = (_widen(bounds, self._inner.error) for bounds in found)
        return opposite(worst), opposite(best)


def _widen(bounds: Interval, error: float) -> Interval:
    """Return bounds as fractions, with an error of both."""
    low, high, part = Fraction(bounds.low), Fraction(bounds.high), Fraction(error)
    return Interval(max(low - part, Fraction(0)), min(high + part, Fraction(1)))


def compare(quantity: Quantity, bounds: Interval) -> bool | None:
    """Return whether a comparison holds; None when the bounds of the number do not decide it."""
    found = {COMPARE[quantity.sign](end, quantity.bound) for end in bounds}
    return found.pop() if len(found) == 1 else None


def opposite(bounds: Interval) -> Interval:
    """Return the bounds of the probability of the opposite."""
    return Interval(1 - bounds.high, 1 - bounds.low)


def mean_cost(measure: Measure, position: Position[Any], action: Any) -> Fraction:
    """Return the mean cost of an action in a position."""
    return sum(
        (one.probability * measure.cost(position, action, one) for one in position.outcomes(action)),
        Fraction(),
    )


def plain_question(coalition: Coalition, order: tuple[str, ...]) -> Quantity | None:
    """Return the question without a coalition that has the same answer: if all who take turns want to reach something.

    To pass never helps them then. None for other questions, such as those of several players within some turns.
    """
    asked = coalition.operand
    assert isinstance(asked, Quantity)
    if asked.is_linear_time:
        return _plain_recurrence(coalition, asked, order)
    task = task_of(asked)
    wants_less = bool(asked.measure) or task.negated
    those = {one for one in order if (one in coalition.names) is (asked.is_more_wanted is not wants_less)}
    if those != {*order} or (task.steps is not None and (task.exactly or len(order) > 1)):
        return None
    return replace(asked, side="min" if wants_less else "max")


def _plain_recurrence(coalition: Coalition, asked: Quantity, order: tuple[str, ...]) -> Quantity | None:
    """Return the plain question for `G F q` or `F G q`: players who all want the same go there and pass for ever."""
    wanting = {one for one in order if (one in coalition.names) is asked.is_more_wanted}
    if wanting and wanting != {*order}:
        return None
    (inner,) = parts(asked.operand)
    (goal,) = parts(inner)
    return replace(asked, operand=Unary("F" if wanting else "G", goal), side="max" if wanting else "min")


def sides_of(quantity: Quantity) -> tuple[bool, ...]:
    """Return the sides that are asked for: True for the greatest value, False for the least."""
    if quantity.sign == "=?" and not quantity.side:
        return True, False
    return (not quantity.is_least,)
