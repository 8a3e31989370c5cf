"""The exchange of two tiles: all of its outcomes, or one of them drawn or named (R21, R22)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from gridproof.core.errors import IllegalAction
from gridproof.core.position import Outcome
from gridproof.core.rng import Rng, check_rng
from gridproof.games.robots.belts import Squares
from gridproof.games.robots.board import CONVEYOR, Layout, is_conveyor
from gridproof.games.robots.exchange.partners import Pair, Partners, any_pair, partners_of
from gridproof.games.robots.requests import EXCHANGE, Exchanged

if TYPE_CHECKING:
    from gridproof.games.robots.rules import Position

_TURNED = tuple(range(CONVEYOR, CONVEYOR + 4))
_LABEL = re.compile(r"\((\d{1,4}),(\d{1,4})\)<->\((\d{1,4}),(\d{1,4})\)")


def possible(position: Position) -> bool:
    """Whether there is any exchange."""
    return not position.won and any_pair(position.layout, position.cells, position.level.homes)


def _partners(position: Position) -> Partners:
    return partners_of(position.layout, position.cells, position.level.homes)


def _ridden(cells: Squares, first: int, second: int) -> Squares:
    """The robots' squares after the exchange: they ride along (R21)."""
    swap = {first: second, second: first}
    return tuple(swap.get(cell, cell) for cell in cells)


def _turns(position: Position, first: int, second: int) -> Iterator[tuple[int, int]]:
    """The codes that the two tiles may have afterwards, the old rotations included (R21)."""
    codes, unmoved = position.layout.codes, not {first, second} & set(position.cells)
    options = [_TURNED if is_conveyor(codes[square]) else (codes[square],) for square in (first, second)]
    for one, other in itertools.product(*options):
        if not (unmoved and (other, one) == (codes[first], codes[second])):  # the board would not differ
            yield one, other


def outcomes(position: Position) -> Iterator[Outcome[Position]]:
    """Every exchange, each as likely (R21); each is made when it is asked for.

    Raises
    ------
    IllegalAction
        When there is none.
    """
    partners, probability = _some(position)
    return (
        _outcome(position, pair, turned, probability)
        for pair in partners
        for turned in _turns(position, pair.first, pair.second)
    )


def draw(position: Position, rng: Rng) -> Outcome[Position]:
    """One exchange, each as likely, without making the others; raises as `outcomes` does."""
    partners, probability = _some(position)
    total = partners.total
    pair, way = partners.numbered(check_rng(rng).below(total) if total > 1 else 0)
    turned = list(_turns(position, pair.first, pair.second))[way]
    return _outcome(position, pair, turned, probability)


def named(position: Position, label: str) -> Outcome[Position]:
    """The exchange with this label, without making the others; IllegalAction when there is none."""
    partners, probability = _some(position)
    if match := _LABEL.match(label):
        x, y, u, v = map(int, match.groups())
        grid = position.level.grid
        pair = None
        if grid.holds((x, y)) and grid.holds((u, v)):
            pair = partners.pair(grid.square((x, y)), grid.square((u, v)))
        if pair is not None:
            for turned in _turns(position, pair.first, pair.second):
                outcome = _outcome(position, pair, turned, probability)
                if outcome.label == label:
                    return outcome
    raise IllegalAction(EXCHANGE, f"it has no outcome {label[:60]!r} here")


def _some(position: Position) -> tuple[Partners, Fraction]:
    """The tiles that can be exchanged, and the probability of each exchange."""
    if not possible(position):
        raise IllegalAction(EXCHANGE, "the game is over" if position.won else "no two tiles can be exchanged")
    partners = _partners(position)
    return partners, Fraction(1, partners.total)


def _outcome(
    position: Position, pair: Pair, turned: tuple[int, int], probability: Fraction
) -> Outcome[Position]:
    """The two tiles exchanged and turned, then belts start again (R20, R22)."""
    level, layout, (first, second, _) = position.level, position.layout, pair
    rotations = tuple((code - CONVEYOR) * 90 for code in turned if is_conveyor(code))
    riders = tuple(
        name for name, cell in zip(level.names, position.cells, strict=True) if cell in (first, second)
    )
    event = Exchanged(level.grid.cell(first), level.grid.cell(second), rotations, riders)
    moved = position.settled(
        _laid(layout, first, second, turned),
        _ridden(position.cells, first, second),
        _robots_turned(position, {first: turned[0], second: turned[1]}),
    )
    (x, y), (u, v) = map(level.grid.cell, (first, second))
    label = " ".join((f"({x},{y})<->({u},{v})", *map(str, rotations)))
    return Outcome(moved.position, probability, events=(event, *moved.events), label=label)


def _laid(layout: Layout, first: int, second: int, turned: tuple[int, int]) -> Layout:
    codes = bytearray(layout.codes)
    codes[second], codes[first] = turned
    return layout if codes == layout.codes else Layout(layout.grid, bytes(codes))


def _robots_turned(position: Position, turned: dict[int, int]) -> tuple[int, ...]:
    """The robots' rotations: when a conveyor's grows by q, its rider's falls by q (R21)."""
    codes = position.layout.codes
    return tuple(
        (rotation - 90 * (turned.get(cell, codes[cell]) - codes[cell])) % 360
        for cell, rotation in zip(position.cells, position.rotations, strict=True)
    )
