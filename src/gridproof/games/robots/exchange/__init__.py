"""Exchange of two tiles: all its outcomes, a random one, or the one with a label (R21, R22)."""

from __future__ import annotations

import itertools
import re
from abc import abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import Self, TypeVar

from gridproof.core import position as core
from gridproof.core.errors import IllegalAction
from gridproof.core.position import Outcome
from gridproof.core.rng import Rng, check_rng
from gridproof.games.robots.belts import Squares
from gridproof.games.robots.board import CONVEYOR, Layout, is_conveyor
from gridproof.games.robots.exchange.partners import Pair, Partners, has_pair, partners_of
from gridproof.games.robots.requests import EXCHANGE, Action, Carried, Exchanged
from gridproof.games.robots.setup import Setup

_CONVEYORS = tuple(range(CONVEYOR, CONVEYOR + 4))
_LABEL = re.compile(r"\((\d{1,4}),(\d{1,4})\)<->\((\d{1,4}),(\d{1,4})\)")


class Board(core.Position[Action]):
    """Position as the exchange uses it."""

    __slots__ = ()

    level: Setup
    layout: Layout
    cells: Squares
    rotations: tuple[int, ...]

    @abstractmethod
    def run_belts(
        self, layout: Layout, cells: Squares, rotations: tuple[int, ...]
    ) -> tuple[Self, tuple[Carried, ...]]:
        """Return the position with these robots and tiles after belts have carried all blocked robots on (R20)."""


P = TypeVar("P", bound=Board)


def is_possible(position: Board) -> bool:
    """Return whether there is any exchange."""
    return not position.won and has_pair(position.layout, position.cells, position.level.homes)


def _swap_squares(cells: Squares, first: int, second: int) -> Squares:
    """Return the robots' squares after the exchange: they ride along (R21)."""
    swap = {first: second, second: first}
    return tuple(swap.get(cell, cell) for cell in cells)


def _turns(position: Board, first: int, second: int) -> Iterator[tuple[int, int]]:
    """Yield the codes that the two tiles may have afterwards, the old rotations included (R21)."""
    codes, unmoved = position.layout.codes, not {first, second} & set(position.cells)
    options = [_CONVEYORS if is_conveyor(codes[square]) else (codes[square],) for square in (first, second)]
    for one, other in itertools.product(*options):
        if not (unmoved and (other, one) == (codes[first], codes[second])):  # the board would not differ
            yield one, other


def outcomes(position: P) -> Iterator[Outcome[P]]:
    """Return an iterator over all exchanges, each as likely (R21).

    Raises
    ------
    IllegalAction
        Without any.
    """
    partners, probability = _require_partners(position)
    return (
        _outcome(position, pair, codes, probability)
        for pair in partners
        for codes in _turns(position, pair.first, pair.second)
    )


def draw(position: P, rng: Rng) -> Outcome[P]:
    """Draw one exchange, each as likely, without making the others; errors as of `outcomes`."""
    partners, probability = _require_partners(position)
    total = partners.total
    pair, turn = partners.find_pair_at(check_rng(rng).below(total) if total > 1 else 0)
    codes = list(_turns(position, pair.first, pair.second))[turn]
    return _outcome(position, pair, codes, probability)


def find_outcome(position: P, label: str) -> Outcome[P]:
    """Return the exchange with this label, without making the others; IllegalAction without one."""
    partners, probability = _require_partners(position)
    if match := _LABEL.match(label):
        x, y, u, v = map(int, match.groups())
        grid = position.level.grid
        pair = None
        if (x, y) in grid and (u, v) in grid:
            pair = partners.find_pair(grid.square((x, y)), grid.square((u, v)))
        if pair is not None:
            for codes in _turns(position, pair.first, pair.second):
                outcome = _outcome(position, pair, codes, probability)
                if outcome.label == label:
                    return outcome
    raise IllegalAction(EXCHANGE, f"it has no outcome {label[:60]!r} here")


def _require_partners(position: Board) -> tuple[Partners, Fraction]:
    """Return the tiles that can be exchanged, and the probability of each exchange; IllegalAction without any."""
    if not is_possible(position):
        raise IllegalAction(EXCHANGE, "the game is over" if position.won else "no two tiles can be exchanged")
    partners = partners_of(position.layout, position.cells, position.level.homes)
    return partners, Fraction(1, partners.total)


def _outcome(position: P, pair: Pair, codes: tuple[int, int], probability: Fraction) -> Outcome[P]:
    """Return the outcome of an exchange with these new codes; belts start again (R20, R22)."""
    level, layout, (first, second, _) = position.level, position.layout, pair
    rotations = tuple((code - CONVEYOR) * 90 for code in codes if is_conveyor(code))
    riders = tuple(
        name for name, cell in zip(level.names, position.cells, strict=True) if cell in (first, second)
    )
    event = Exchanged(level.grid.cell(first), level.grid.cell(second), rotations, riders)
    moved, carried = position.run_belts(
        _swap_tiles(layout, first, second, codes),
        _swap_squares(position.cells, first, second),
        _rotate_robots(position, {first: codes[0], second: codes[1]}),
    )
    (x, y), (u, v) = map(level.grid.cell, (first, second))
    label = " ".join((f"({x},{y})<->({u},{v})", *map(str, rotations)))
    return Outcome(moved, probability, events=(event, *carried), label=label)


def _swap_tiles(layout: Layout, first: int, second: int, new: tuple[int, int]) -> Layout:
    codes = bytearray(layout.codes)
    codes[second], codes[first] = new
    return layout if codes == layout.codes else Layout(layout.grid, bytes(codes))


def _rotate_robots(position: Board, new: dict[int, int]) -> tuple[int, ...]:
    """Return the robots' rotations: if a conveyor's grows by q, its rider's falls by q (R21)."""
    codes = position.layout.codes
    return tuple(
        (rotation - 90 * (new.get(cell, codes[cell]) - codes[cell])) % 360
        for cell, rotation in zip(position.cells, position.rotations, strict=True)
    )
