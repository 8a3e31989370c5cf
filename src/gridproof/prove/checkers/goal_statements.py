"""Statements of certificates about cheapest solutions and values, read from the first line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.core.proposition import Goal, parse_goal
from gridproof.core.text.phrases import format_count
from gridproof.prove.certificate import describe_actors, position_of
from gridproof.prove.checkers.statements import ExactStatement, Header, Setting


@dataclass(frozen=True)
class DistanceStatement(ExactStatement):
    """Statement that a solution is the cheapest one."""

    goal: Goal
    goal_text: str
    minimise: str
    """The measure; or two, of which the second decides between equals."""
    cost: tuple[int, ...]
    """The least cost, by each measure."""
    solution_start: Position[Any]
    steps: tuple[tuple[str, str], ...]
    """The actions of the solution, with the labels of their outcomes."""

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        names = self.minimise.split(",")
        cost = ", ".join(format_count(cost, name) for cost, name in zip(self.cost, names, strict=True))
        luck = ", with luck" if any(label for _, label in self.steps) else ""
        return f"{self.goal_text} can be reached by {cost}, the fewest{luck}{describe_actors(self.who)}"

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        solution = {"start": self.solution_start.text(), "steps": [list(step) for step in self.steps]}
        return {
            "goal": self.goal_text,
            "minimise": self.minimise,
            "cost": list(self.cost),
            "solution": solution,
        }


DISTANCE_KEYS = {"goal": "str", "minimise": "str", "cost": "list", "solution": "dict"}


def read_distance(header: Header, setting: Setting) -> DistanceStatement:
    """Read a statement about a cheapest solution; GridproofError if it means nothing on the level."""
    cost, solution = header["cost"], header["solution"]
    steps = solution.get("steps")
    if len(cost) != len(header["minimise"].split(",")) or any(type(one) is not int for one in cost):
        raise GridproofError("the cost is a number for each measure")
    if solution.keys() != {"start", "steps"} or not isinstance(steps, list) or not all(map(_is_step, steps)):
        raise GridproofError("a solution has a start, and steps of an action and a label")
    start = position_of(setting.level, solution["start"])
    if start not in setting.starts:
        raise GridproofError("the solution does not begin at a start")
    goal = read_goal(header["goal"], setting)
    pairs = tuple((action, label) for action, label in steps)
    return DistanceStatement(*setting, goal, header["goal"], header["minimise"], tuple(cost), start, pairs)


def _is_step(step: Any) -> bool:
    return isinstance(step, list) and len(step) == 2 and all(isinstance(text, str) for text in step)


def read_goal(text: str, setting: Setting) -> Goal:
    """Return a goal; GridproofError if it means nothing on the level."""
    goal = parse_goal(setting.level.game, text)
    goal.value(setting.starts[0])
    return goal


SCORE = "score"
"""The goal that stands for points."""
_FRACTION = re.compile("[0-9]{1,4000}(/[1-9][0-9]{0,3999})?")

FractionPair = tuple[Fraction, Fraction]
Number = Fraction | float
"""A fraction, or `math.inf`."""
Ends = tuple[Number, Fraction | None]
"""A lower and an upper bound: None for no upper one. If the lower one is infinite, there is no upper one."""


def read_fraction(value: Any) -> Fraction | None:
    """Return the fraction of a text such as "2/3"; None for anything else."""
    return Fraction(value) if isinstance(value, str) and _FRACTION.fullmatch(value) else None


def read_ends(low: Any, high: Any) -> Ends | None:
    """Return bounds of two texts of fractions, null for no upper one, or both null for infinite; None for anything else."""
    first, last = read_fraction(low), read_fraction(high)
    if high is not None:
        return None if first is None or last is None else (first, last)
    return (math.inf, None) if low is None else None if first is None else (first, None)


def opposite_ends(ends: Ends) -> Ends:
    """Return the bounds of the opposite of a probability with these."""
    low, high = ends
    return (Fraction(0) if high is None else 1 - high), (1 - low if isinstance(low, Fraction) else None)


def ends_to_data(ends: Ends) -> list[str | None]:
    """Return bounds as a certificate has them."""
    low, high = ends
    return [None if low == math.inf else str(low), None if high is None else str(high)]


@dataclass(frozen=True)
class ValueStatement(ExactStatement):
    """Statement about bounds of the chance of a goal, or of the expected points."""

    goal: Goal | None
    """None for the points."""
    goal_text: str
    best: FractionPair
    worst: FractionPair

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        what = "the expected points are" if self.goal is None else f"the chance of `{self.goal_text}` is"
        bounds = f"{bounds_text(*self.best)} at best and {bounds_text(*self.worst)} at worst"
        return f"{what} {bounds}{describe_actors(self.who)}"

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        return {"goal": self.goal_text, "best": [*map(str, self.best)], "worst": [*map(str, self.worst)]}

    def chances(self) -> Iterator[tuple[Fraction, Position[Any]]]:
        """Yield the starts with their chances."""
        return start_chances(self)


def start_chances(said: ExactStatement) -> Iterator[tuple[Fraction, Position[Any]]]:
    """Yield the starts with their chances: a single start is certain. GridproofError if they are not the level's."""
    if len(said.starts) == 1:
        yield Fraction(1), said.starts[0]
        return
    outcomes = list(said.level.starts())
    if not said.covers(frozenset(outcome.position for outcome in outcomes)):
        raise GridproofError("the starts are neither a single one nor those of the level")
    yield from ((outcome.probability, outcome.position) for outcome in outcomes)


def bounds_text(low: Number, high: Fraction | None) -> str:
    """Return bounds as a text, one number where they differ in no shown digit; None for no upper one."""
    if not isinstance(low, Fraction):
        return "infinite"
    if high is None:
        return f"at least {_number_text(low)}"
    first, last = map(_number_text, (low, high))
    return first if first == last else f"from {first} to {last}"


def _number_text(number: Fraction) -> str:
    if len(exact := str(number)) <= _LONGEST:
        return exact
    try:
        return f"{float(number):.6g}"
    except OverflowError:
        return f"{Decimal(number.numerator) / Decimal(number.denominator):.6g}"


VALUE_KEYS = {"goal": "str", "best": "list", "worst": "list"}
_LONGEST = 12
"""The most characters of a fraction in a sentence."""


def read_value(header: Header, setting: Setting) -> ValueStatement:
    """Read a statement about a value; GridproofError if it means nothing on the level."""
    goal = None if header["goal"] == SCORE else read_goal(header["goal"], setting)
    pairs = [tuple(map(read_fraction, header[name])) for name in ("best", "worst")]
    if any(len(pair) != 2 or None in pair for pair in pairs):
        raise GridproofError("bounds are two texts of fractions")
    best, worst = cast("list[FractionPair]", pairs)
    return ValueStatement(*setting, goal, header["goal"], best, worst)
