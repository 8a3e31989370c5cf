"""Belts: where a conveyor leads (R6, R7), and how blocked robots are carried on (R20)."""

from __future__ import annotations

from typing import NamedTuple

from gridproof.games.robots.board import BROKEN, CONVEYOR, HOME, OUTSIDE, Layout, connected, is_conveyor

Squares = tuple[int, ...]
"""Each robot's square, in their order in the level."""


class Carry(NamedTuple):
    """One robot carried by R20."""

    number: int
    origin: int
    to: int


def unit_destination(layout: Layout, cells: Squares, square: int) -> int | None:
    """The square that the conveyor here points at, when it is free (R6); None when undefined."""
    code = layout.codes[square]
    if not is_conveyor(code):
        return None
    target = square + layout.grid.arrows[code]
    if layout.codes[target] in (BROKEN, OUTSIDE) or target in cells:
        return None
    return target


def destination(layout: Layout, cells: Squares, square: int) -> int | None:
    """Where the belt from here leads (R7): `square` itself when blocked at once; None in loops."""
    if square in layout.loops:
        return None
    while (target := unit_destination(layout, cells, square)) is not None:
        square = target
    return square


def carry_on(layout: Layout, cells: Squares, homes: Squares) -> tuple[Squares, list[Carry]]:
    """Carry blocked robots on, pass after pass in the robots' order, until none moves (R20).

    It terminates, since a belt that is no loop never leads back. A carry that would break R8 does not happen.

    Returns
    -------
    tuple
        The robots' squares afterwards, and what was carried, in order.
    """
    carried: list[Carry] = []
    codes, before = layout.codes, -1
    while len(carried) != before:
        before = len(carried)
        for number in range(len(cells)):
            if CONVEYOR <= codes[cells[number]] < HOME:
                moved = _carried(layout, cells, homes, number)
                if moved is not cells:
                    carried.append(Carry(number, cells[number], moved[number]))
                    cells = moved
    return cells, carried


def _carried(layout: Layout, cells: Squares, homes: Squares, number: int) -> Squares:
    """The squares once that robot has been carried on; the same ones when it stays."""
    target = destination(layout, cells, cells[number])
    if target is None or target == cells[number]:
        return cells
    moved = (*cells[:number], target, *cells[number + 1 :])
    return moved if connected(layout, moved, homes) else cells


def put_down(layout: Layout, cells: Squares, homes: Squares) -> Squares | None:
    """The robots' squares after a walk to these, blocked robots carried on (R16, R20); None when R16 bars it."""
    return carry_on(layout, cells, homes)[0] if connected(layout, cells, homes) else None
