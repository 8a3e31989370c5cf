"""The product of a level with bounded counters of cost: `cost(pushes) <= 7` in formulas and goals.

A position of the product is a position of the level with the costs since the start. A counter stops one above the
largest number that it is compared with: more makes no difference. The product is a level like any other, so that all
engines that use the rules take it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gridproof.core import proposition
from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Game, Measure, Proposition
from gridproof.core.measure import measures
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.product import ProductLevel, ProductPosition, lift_function, product_game
from gridproof.core.proposition import COMPARE, propositions
from gridproof.core.text.phrases import short_repr
from gridproof.core.trace import Trace

COST = "cost"
"""The name of the number that formulas and goals compare: `cost(pushes)`."""

GOAL = "goal"
"""The name of the proposition that is the goal in a product."""
_CONDITION = re.compile(r"\s*cost\s*\(\s*(\w+)\s*\)\s*(<=|>=|!=|=|<|>)\s*(-?\d{1,99})\s*")
_MENTION = re.compile(r"\bcost\s*\(")


class Condition(NamedTuple):
    """A comparison of a cost so far with a number."""

    measure: str
    sign: str
    bound: int

    @property
    def most(self) -> int | None:
        """The greatest cost that meets it; None if there is none."""
        return {"<=": self.bound, "=": self.bound, "<": self.bound - 1}.get(self.sign)


@dataclass(frozen=True, kw_only=True)
class CountedLevel(ProductLevel):
    """A level whose positions know the costs so far."""

    conditions: tuple[Condition, ...]
    """Comparisons; their measures are counted."""
    ends: bool = False
    """True if a position that can no longer meet a condition has no actions: for a goal that needs all conditions."""
    goal: str = ""
    """The goal besides the conditions; "" when there is none."""

    @functools.cached_property
    def game(self) -> Game:
        """The game with the propositions and measures of inner positions, without extensions."""
        return product_game(self.inner.game, _COST, _goal_of(self))

    @functools.cached_property
    def caps(self) -> Mapping[str, int]:
        """The value at which the counter of each measure stops."""
        found: dict[str, int] = {}
        for one in self.conditions:
            found[one.measure] = max(found.get(one.measure, 0), one.bound + 1)
        return found

    @functools.cached_property
    def counters(self) -> tuple[tuple[Measure, int], ...]:
        """The measures with counters, and the values at which these stop."""
        return tuple((measures(self.inner.game)[name], cap) for name, cap in self.caps.items())

    def wrap(self, position: Position[Any], spent: tuple[int, ...] | None = None) -> CountedPosition:
        """Return a position of the level with its costs so far, 0 by default."""
        return CountedPosition(self, position, spent or (0,) * len(self.counters))

    def is_over(self, spent: tuple[int, ...]) -> bool:
        """Return whether a condition can no longer hold, so that no action helps."""
        return self.ends and any(spent[place] > most for place, most in self._limits)

    @functools.cached_property
    def _limits(self) -> tuple[tuple[int, int], ...]:
        places = {name: place for place, name in enumerate(self.caps)}
        return tuple((places[one.measure], one.most) for one in self.conditions if one.most is not None)

    def starts(self) -> Iterator[Outcome[Any]]:
        for start in self.inner.starts():
            yield start._replace(position=self.wrap(start.position))

    def position(self, text: str) -> CountedPosition:
        return self.wrap(self.inner.position(text))


@dataclass(frozen=True, slots=True)
class CountedPosition(ProductPosition):
    """A position, and the costs of the way to it."""

    level: CountedLevel = field(compare=False)
    spent: tuple[int, ...]

    def actions(self, actor: str | None = None) -> tuple[Any, ...]:
        return () if self.level.is_over(self.spent) else self.inner.actions(actor)

    def outcomes(self, action: Any) -> Iterable[Outcome[Any]]:
        counters = self.level.counters
        for outcome in self.inner.outcomes(action):
            spent = tuple(
                min(before + measure.cost(self.inner, action, outcome), cap)
                for before, (measure, cap) in zip(self.spent, counters, strict=True)
            )
            yield outcome._replace(position=CountedPosition(self.level, outcome.position, spent))

    def text(self) -> str:
        return self.inner.text()


def _spent_cost(position: CountedPosition, measure: str) -> int:
    """Return the cost so far by a measure, at most its cap."""
    caps = position.level.caps
    if measure not in caps:
        raise GridproofError(_unknown_measure(position.level.inner.game, measure))
    return position.spent[list(caps).index(measure)]


def _unknown_measure(game: Game, measure: object) -> str:
    return f"{game.name} does not count {short_repr(measure)}: it counts {', '.join(measures(game))}"


_COST = Proposition(COST, ("measure",), "cost since the start", _spent_cost, number=True)


def _goal_of(level: CountedLevel) -> Proposition:
    """Return the goal and all conditions as one proposition."""
    inner = proposition.parse_goal(level.inner.game, level.goal) if level.goal else None
    bound = inner.lower_bound if inner else None

    def holds(position: CountedPosition) -> bool:
        met = (COMPARE[one.sign](_spent_cost(position, one.measure), one.bound) for one in level.conditions)
        return all(met) and (inner is None or inner(position.inner))

    return Proposition(
        GOAL,
        (),
        "the goal",
        holds,
        bound=bound and lift_function(bound),
    )


def has_costs(game: Game, text: str) -> bool:
    """Return whether a goal or a formula compares costs; a game's own proposition of that name does not count."""
    return isinstance(text, str) and COST not in propositions(game) and bool(_MENTION.search(text))


def product_of(
    level: Level, conditions: Iterable[Condition], ends: bool = False, goal: str = ""
) -> CountedLevel:
    """Return the product of a level with the counters that conditions need; GridproofError for unknown measures."""
    distinct = tuple(dict.fromkeys(conditions))
    for one in distinct:
        if one.measure not in measures(level.game):
            raise GridproofError(_unknown_measure(level.game, one.measure))
    return CountedLevel(inner=level, conditions=distinct, ends=ends, goal=goal, title=level.title)


def to_cost_product(level_or_position: Level | Position[Any], goal: str) -> tuple[Level | Position[Any], str]:
    """Return the level or position in the product for a goal such as `won & cost(pushes) <= 7`, and the goal there.

    A goal without costs leaves both unchanged. GridproofError when it is not one proposition and comparisons of costs
    with numbers, joined by &.
    """
    level = level_or_position.level if isinstance(level_or_position, Position) else level_or_position
    if not isinstance(level, Level) or not has_costs(level.game, goal):
        return level_or_position, goal
    parts = goal.split("&")
    found = [_CONDITION.fullmatch(part) for part in parts]
    others = [part.strip() for part, match in zip(parts, found, strict=True) if not match]
    if len(others) > 1 or any(map(_MENTION.search, others)):
        expected = "one proposition and costs compared with numbers, such as won & cost(actions) <= 7"
        raise ParseError(f"no goal: {short_repr(goal)}", line=1, column=1, expected=expected)
    for other in others:
        proposition.parse_goal(level.game, other)
    conditions = [Condition(match[1], match[2], int(match[3])) for match in found if match]
    product = product_of(level, conditions, ends=True, goal="".join(others))
    return (product.wrap(level_or_position) if isinstance(level_or_position, Position) else product), GOAL


def strip_costs(trace: Trace) -> Trace:
    """Return a trace of a product as one of the level itself."""
    start = trace.start
    return replace(trace, start=start.inner) if isinstance(start, CountedPosition) else trace
