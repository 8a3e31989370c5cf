"""Products: levels whose positions hold a position of another level, and more beside it, such as costs so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from gridproof.core.game import Game, Measure, Proposition
from gridproof.core.position import Level, Outcome, Position, Status
from gridproof.core.proposition import propositions


@dataclass(frozen=True, kw_only=True)
class ProductLevel(Level):
    """A level whose positions hold one of another level."""

    inner: Level
    """The other level."""

    def text(self) -> str:
        return self.inner.text()

    def all_actions(self) -> tuple[Any, ...]:
        return self.inner.all_actions()

    def owner(self, action: Any) -> str:
        return self.inner.owner(action)


@dataclass(frozen=True, slots=True)
class ProductPosition(Position[Any]):
    """A position of a product."""

    level: ProductLevel = field(compare=False)
    inner: Position[Any]
    """The position of the other level."""

    def actions(self, actor: str | None = None) -> tuple[Any, ...]:
        return self.inner.actions(actor)

    def __str__(self) -> str:
        return str(self.inner)

    @property
    def won(self) -> bool:
        return self.inner.won

    @property
    def status(self) -> Status:
        return self.inner.status

    @property
    def ended(self) -> bool:
        return self.inner.ended


def product_game(inner: Game, *added: Proposition) -> Game:
    """Return a game with the propositions and measures of inner positions, and others; without extensions."""
    return replace(
        inner,
        actors=lambda level: inner.actors(level.inner),
        propositions=(*map(_lift, propositions(inner).values()), *added),
        measures=tuple(replace(one, cost=_lift_cost(one)) for one in inner.measures),
        predecessors=None,
        package="",
        kernel="",
        generate="",
    )


def lift_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of inner positions as one of positions."""
    return lambda position, *arguments: function(position.inner, *arguments)


def _lift(item: Proposition) -> Proposition:
    return replace(
        item,
        value=lift_function(item.value),
        bound=item.bound and lift_function(item.bound),
        chance=item.chance and lift_function(item.chance),
        where=None,
        never=None,
    )


def _lift_cost(measure: Measure) -> Callable[[Position[Any], Any, Outcome[Any]], int]:
    def cost(position: Any, action: Any, outcome: Outcome[Any]) -> int:
        return measure.cost(position.inner, action, outcome._replace(position=outcome.position.inner))

    return cost
