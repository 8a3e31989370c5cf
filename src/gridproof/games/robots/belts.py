"""Belts: destinations of conveyors (R6, R7), and blocked robots that belts carry on (R20)."""

from __future__ import annotations

import functools
from typing import NamedTuple

from gridproof.games.robots.board import BROKEN, CONVEYOR, HOME, OUTSIDE, Layout, is_connected, is_conveyor

Squares = tuple[int, ...]
"""Each robot's square, in their order in the level."""


class Carry(NamedTuple):
    """Ride of one robot on a belt (R20)."""

    number: int
    origin: int
    to: int


def unit_destination(layout: Layout, cells: Squares, square: int) -> int | None:
    """Return the square that the conveyor here points at, if it is free (R6); None if undefined."""
    code = layout.codes[square]
    if not is_conveyor(code):
        return None
    target = square + layout.grid.arrows[code]
    if layout.codes[target] in (BROKEN, OUTSIDE) or target in cells:
        return None
    return target


def destination(layout: Layout, cells: Squares, square: int) -> int | None:
    """Return the end of the belt from here (R7): `square` itself if blocked at once; None in loops."""
    if square in layout.loops:
        return None
    while (target := unit_destination(layout, cells, square)) is not None:
        square = target
    return square


def run_belts(layout: Layout, cells: Squares, homes: Squares) -> tuple[Squares, list[Carry]]:
    """Carry blocked robots on, pass after pass in the robots' order, until none moves (R20).

    It terminates, since a belt that is no loop never leads back. A carry that would break R8 does not happen.

    Returns
    -------
    tuple
        The robots' squares afterwards, and the rides in order.
    """
    carried: list[Carry] = []
    codes, before = layout.codes, -1
    while len(carried) != before:
        before = len(carried)
        for number in range(len(cells)):
            if CONVEYOR <= codes[cells[number]] < HOME:
                moved = _carry_robot(layout, cells, homes, number)
                if moved is not cells:
                    carried.append(Carry(number, cells[number], moved[number]))
                    cells = moved
    return cells, carried


def _carry_robot(layout: Layout, cells: Squares, homes: Squares, number: int) -> Squares:
    """Return the robots' squares after a ride of one of them; the same object if it stays."""
    target = destination(layout, cells, cells[number])
    if target is None or target == cells[number]:
        return cells
    moved = (*cells[:number], target, *cells[number + 1 :])
    return moved if is_connected(layout, moved, homes) else cells


@functools.lru_cache(maxsize=1 << 16)
def finish_walk(layout: Layout, cells: Squares, homes: Squares) -> Squares | None:
    """Return the robots' squares after a walk to `cells` and the belts (R20); None if R16 bars the walk."""
    return run_belts(layout, cells, homes)[0] if is_connected(layout, cells, homes) else None
