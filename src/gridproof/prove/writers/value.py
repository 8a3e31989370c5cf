"""Proofs of the kind "value": bounds by iteration from below and from above, rounded outwards."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Position
from gridproof.core.proposition import Goal
from gridproof.prove.checkers.goal_statements import FractionPair, ValueStatement
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.writers.proof import Proof
from gridproof.search.actors import Who

_CHECK_EVERY = 64
_MOST_BITS = 256
"""Fractions with more bits are rounded."""
_UNIT = 1 << 64
"""Rounded fractions are multiples of 1 / _UNIT."""
_SWEEPS = 1000
_SMALL = _UNIT >> 40

_NOTHING = Fraction(0)
Numbers = list[Fraction]


class Columns(NamedTuple):
    """Bounds of all positions, and the ranks of the lower ones."""

    low: Numbers
    high: Numbers
    ranks: list[int]


class Play(NamedTuple):
    """A way to choose actions by their values, and how many must come closer to the end."""

    choose: Callable[[Iterator[Any]], Any]
    quantify: Callable[[Iterator[bool]], bool]


Test = Callable[[Position[Any]], bool]

BEST, WORST = Play(max, any), Play(min, all)


class Action(NamedTuple):
    """The average gain of an action, and its outcomes with the numbers of their positions."""

    gain: Fraction
    outcomes: tuple[tuple[Fraction, int], ...]
    weights: tuple[int, tuple[tuple[int, int], ...]]
    """The common denominator of the probabilities, and the outcomes with their numerators."""

    def value(self, values: Numbers) -> Fraction:
        """Return the gain and the mean of the values after it."""
        return self.gain + sum(chance * values[after] for chance, after in self.outcomes)

    def rounded_value(self, values: list[int], up: bool) -> int:
        """Return the mean of whole numbers after it, rounded."""
        common, weights = self.weights
        total = sum(weight * values[after] for weight, after in weights)
        return -(-total // common) if up else total // common


class ValueGraph:
    """All positions that follow from some, except those after the goal; without a goal, for the points.

    `is_over` returns whether nothing after a position counts.
    """

    def __init__(
        self,
        starts: list[Position[Any]],
        goal: Test | None,
        who: Who,
        meter: Meter,
        is_over: Test = lambda position: False,
    ) -> None:
        self._goal, self._who, self._meter = goal, who, meter
        self.positions = list(dict.fromkeys(starts))
        self._numbers = {position: number for number, position in enumerate(self.positions)}
        self._actions: list[list[Action]] = []
        self._sure: list[bool] = []
        for number, position in enumerate(self.positions):
            if number % _CHECK_EVERY == 0 and meter.is_reached(number):
                raise Stopped
            self._sure.append(goal is not None and goal(position))
            is_last = self._sure[-1] or is_over(position)
            self._actions.append([] if is_last else list(self._actions_of(position)))
        self._order = self._successors_first()

    def _actions_of(self, position: Position[Any]) -> Iterator[Action]:
        for actor in self._who:
            for action in position.actions(actor):
                outcomes = list(position.outcomes(action))
                gain = sum((one.probability * one.reward for one in outcomes), _NOTHING)
                ends = tuple((one.probability, self._number(one.position)) for one in outcomes)
                common = math.lcm(*(chance.denominator for chance, _ in ends))
                weights = tuple((int(chance * common), after) for chance, after in ends)
                yield Action(_NOTHING if self._goal else gain, ends, (common, weights))

    def _number(self, position: Position[Any]) -> int:
        number = self._numbers.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
        return number

    def _successors_first(self) -> list[int]:
        """Return the numbers in an order that has what follows a position before it, as far as there are no circles."""
        order, seen = list[int](), bytearray(len(self.positions))
        for root in range(len(self.positions)):
            path = [] if seen[root] else [(root, self._after(root))]
            seen[root] = 1
            while path:
                after = path[-1][1]
                following = next((one for one in after if not seen[one]), None)
                if following is None:
                    order.append(path.pop()[0])
                else:
                    seen[following] = 1
                    path.append((following, self._after(following)))
        return order

    def _after(self, number: int) -> Iterator[int]:
        return (after for action in self._actions[number] for _, after in action.outcomes)

    @functools.cached_property
    def is_acyclic(self) -> bool:
        """True if no play comes back to a position."""
        places = {number: place for place, number in enumerate(self._order)}
        return all(places[after] < places[number] for number in self._order for after in self._after(number))

    def lines(self) -> Iterator[list[Any]]:
        """Yield the line of each position."""
        best, worst = self.best, self.worst
        for number, position in enumerate(self.positions):
            texts = (
                (str(one.low[number]), str(one.high[number]), one.ranks[number]) for one in (best, worst)
            )
            yield [position.text(), *itertools.chain.from_iterable(texts)]

    @functools.cached_property
    def best(self) -> Columns:
        """The bounds for the best play."""
        return self._columns(BEST)

    @functools.cached_property
    def worst(self) -> Columns:
        """The bounds for the worst play."""
        return self._columns(WORST)

    def _columns(self, play: Play) -> Columns:
        least = [Fraction(sure) for sure in self._sure]
        if self.is_acyclic:
            low, high = (self._sweep(list(least), play, up) for up in (False, True))
            ranks = [0] * len(self.positions)
            for place, number in enumerate(self._order):
                ranks[number] = place
            return Columns(low, high, ranks)
        if self._goal is None:
            raise GridproofError(
                "no certificate can be written for points on a level that can be played in circles"
            )
        possible = [rank >= 0 for rank in self._attractor(self._sure, play, lambda number, action: True)]
        certain = self._certain(possible, play)
        low, high = (
            self._iterate([_UNIT * one for one in ones], play, up)
            for ones, up in ((certain, False), (possible, True))
        )
        ends = [sure or not value for sure, value in zip(self._sure, low, strict=True)]
        ranks = self._attractor(ends, play, lambda number, action: low[number] <= action.value(low))
        return Columns(low, high, ranks)

    def _certain(self, possible: list[bool], play: Play) -> list[bool]:
        """Return the positions from which the goal comes almost surely: by the best play, or by all."""
        certain = list(possible)
        while True:
            stays = [
                sure or play.quantify(all(certain[after] for _, after in one.outcomes) for one in actions)
                for sure, actions in zip(self._sure, self._actions, strict=True)
            ]
            ranks = self._attractor(
                self._sure,
                play,
                lambda number, action: all(certain[after] for _, after in action.outcomes),  # noqa: B023  # it is called at once
            )
            smaller = [rank >= 0 and stay for rank, stay in zip(ranks, stays, strict=True)]
            if smaller == certain:
                return certain
            certain = smaller

    def _iterate(self, values: list[int], play: Play, up: bool) -> Numbers:
        """Improve bounds until they hardly change, in multiples of 1 / _UNIT: lower ones upwards, upper ones downwards."""
        for _ in range(_SWEEPS):
            change = 0
            for place, number in enumerate(self._order):
                if place % _CHECK_EVERY == 0 and self._meter.is_reached(0):
                    raise Stopped
                if self._actions[number]:
                    value = play.choose(one.rounded_value(values, up) for one in self._actions[number])
                    better = min(value, values[number]) if up else max(value, values[number])
                    change = max(change, abs(better - values[number]))
                    values[number] = better
            if change <= _SMALL:
                break
        return [Fraction(value, _UNIT) for value in values]

    def _sweep(self, values: Numbers, play: Play, up: bool) -> Numbers:
        """Compute each value from those after it, rounded up or down."""
        for place, number in enumerate(self._order):
            if place % _CHECK_EVERY == 0 and self._meter.is_reached(0):
                raise Stopped
            if self._actions[number]:
                values[number] = round_value(
                    play.choose(one.value(values) for one in self._actions[number]), up
                )
        return values

    def _attractor(self, ends: list[bool], play: Play, test: Callable[[int, Action], bool]) -> list[int]:
        """Return the rank of each position: 0 at the ends; more where an action that passes the test, or each, comes closer.

        It is -1 where there is none.
        """
        ranks = [0 if end else -1 for end in ends]
        for rank in itertools.count(1):
            found = [
                number
                for number, actions in enumerate(self._actions)
                if ranks[number] < 0
                and actions
                and play.quantify(
                    test(number, one) and any(ranks[after] >= 0 for _, after in one.outcomes)
                    for one in actions
                )
            ]
            if not found:
                break
            for number in found:
                ranks[number] = rank
        return ranks


def round_value(value: Fraction, up: bool) -> Fraction:
    """Return a fraction itself, or a multiple of 1 / _UNIT if it has many bits."""
    if value.denominator.bit_length() <= _MOST_BITS:
        return value
    return Fraction((math.ceil if up else math.floor)(value * _UNIT), _UNIT)


def find_proof(
    setting: Setting, goal: Goal | None, goal_text: str, meter: Meter
) -> tuple[ValueStatement, Proof]:
    """Return the statement about the bounds of a value that can be proved, and its proof; Stopped at a limit.

    GridproofError for points on a level that can be played in circles.
    """
    graph = ValueGraph(list(setting.starts), goal, setting.who, meter)
    unknown = ValueStatement(*setting, goal, goal_text, (_NOTHING, _NOTHING), (_NOTHING, _NOTHING))
    chances = [(chance, graph.positions.index(start)) for chance, start in unknown.chances()]

    def mean(columns: Columns) -> FractionPair:
        low, high = (
            sum((chance * column[number] for chance, number in chances), _NOTHING)
            for column in (columns.low, columns.high)
        )
        return low, high

    said = replace(unknown, best=mean(graph.best), worst=mean(graph.worst))
    return said, Proof("value", said.facts, len(graph.positions), graph.lines())
