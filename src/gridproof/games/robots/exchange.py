"""The exchange of two tiles: all of its outcomes, or one of them drawn (R21, R22).

Whether R8 holds afterwards depends on the two tiles alone, not on how conveyors turn, since belts
add nothing to plain connection. So the exchanges are counted by pairs, each with so many ways to
turn; one is drawn by its number, exactly and without making the others.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from gridproof.core.errors import IllegalAction
from gridproof.core.game import Outcome
from gridproof.games.robots.belts import Squares
from gridproof.games.robots.board import (
    BROKEN,
    CONVEYOR,
    NORMAL,
    ROTATIONS,
    Layout,
    bits,
    cut_off,
    is_conveyor,
)
from gridproof.games.robots.requests import EXCHANGE, Exchanged

if TYPE_CHECKING:
    from gridproof.core.rng import Rng
    from gridproof.games.robots.rules import Position

_TURNED = tuple(range(CONVEYOR, CONVEYOR + 4))


class Pair(NamedTuple):
    """Two squares whose tiles may be exchanged."""

    first: int
    second: int
    ways: int
    """The ways in which the conveyors among them may turn."""


class Movable(NamedTuple):
    """A square whose tile may be exchanged: neither a home nor a hint (R21)."""

    square: int
    bit: int
    kind: int
    """The tile's code; CONVEYOR for every conveyor."""
    ways: int
    """How many rotations the tile may have afterwards."""


def pairs(position: Position) -> Iterator[Pair]:
    """The unordered pairs of R21 in reading order, such that R8 holds afterwards."""
    robots = bits(position.cells)
    free = position.layout.open & ~robots
    movable = list(_movable(position.layout.codes))
    spare = sum(
        tile.bit for tile in movable if free & tile.bit and _holds(position, position.cells, free ^ tile.bit)
    )
    for (first, bit, kind, ways), (second, other, another, more) in itertools.combinations(movable, 2):
        both = bit | other
        found, held = ways * more, free & both
        if robots & both:
            cells = _ridden(position.cells, first, second)
            if not _holds(position, cells, free if held in (0, both) else free ^ both):
                continue
        elif held in (0, both):
            found -= kind == another  # no way is barred or opened; one way to turn changes nothing
        elif not spare & both and not _holds(position, position.cells, free ^ both):
            continue  # where a free square can be spared, a broken robot may come and open another
        if found:
            yield Pair(first, second, found)


def _movable(codes: bytes) -> Iterator[Movable]:
    for square, code in enumerate(codes):
        if is_conveyor(code):
            yield Movable(square, 1 << square, CONVEYOR, len(ROTATIONS))
        elif code in (NORMAL, BROKEN):
            yield Movable(square, 1 << square, code, 1)


def _holds(position: Position, cells: Squares, free: int) -> bool:
    """Whether R8 holds with the robots on these squares and these squares free."""
    level = position.level
    return next(cut_off(cells, level.homes, free, level.grid.stride), None) is None


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
    """Every exchange, each as likely (R21).

    Raises
    ------
    IllegalAction
        When there is none.
    """
    possible = _possible(position)
    probability = Fraction(1, sum(pair.ways for pair in possible))
    return (
        _outcome(position, first, second, turned, probability)
        for first, second, _ in possible
        for turned in _turns(position, first, second)
    )


def draw(position: Position, rng: Rng) -> Outcome[Position]:
    """One exchange, each as likely, without making the others; raises as `outcomes` does."""
    possible = _possible(position)
    ends = list(itertools.accumulate(pair.ways for pair in possible))
    number = rng.below(ends[-1]) if ends[-1] > 1 else 0
    place = bisect.bisect_right(ends, number)
    first, second, ways = possible[place]
    turned = list(_turns(position, first, second))[number - ends[place] + ways]
    return _outcome(position, first, second, turned, Fraction(1, ends[-1]))


def named(position: Position, label: str) -> Outcome[Position]:
    """The exchange with this label, without making the others; IllegalAction when there is none."""
    possible = _possible(position)
    total = sum(pair.ways for pair in possible)
    for first, second, _ in possible:
        if label.startswith(_cells(position, first, second)):
            for turned in _turns(position, first, second):
                outcome = _outcome(position, first, second, turned, Fraction(1, total))
                if outcome.label == label:
                    return outcome
    raise IllegalAction(EXCHANGE, f"it has no outcome {label[:60]!r} here")


def _possible(position: Position) -> list[Pair]:
    possible = [] if position.won else list(pairs(position))
    if not possible:
        raise IllegalAction(EXCHANGE, "the game is over" if position.won else "no two tiles can be exchanged")
    return possible


def _cells(position: Position, first: int, second: int) -> str:
    (x, y), (u, v) = map(position.level.grid.cell, (first, second))
    return f"({x},{y})<->({u},{v})"


def _outcome(
    position: Position, first: int, second: int, turned: tuple[int, int], probability: Fraction
) -> Outcome[Position]:
    """The two tiles exchanged and turned, then belts start again (R20, R22)."""
    level, layout = position.level, position.layout
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
    label = " ".join((_cells(position, first, second), *map(str, rotations)))
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
