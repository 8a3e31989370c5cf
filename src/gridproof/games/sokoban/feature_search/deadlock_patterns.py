"""Patterns of boxes that can never be won, learned while a level is searched: a position with one of them is dead."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.kernels.compile import borrowing

MOST_BOXES = 16
"""Boxes of a pattern at most."""
_MOST = 1 << 12
_BYTES = 1 << 22  # of the player's squares of all patterns, at most
NONE = -1


class Patterns(NamedTuple):
    """Patterns, and for each square those with a box on it."""

    count: Any
    """int64 (1,)"""
    boxes: Any
    """int16 (room, MOST_BOXES): squares, NONE behind the last"""
    players: Any
    """uint8 (room, squares): 1 for a deadlock with the player on a square"""
    first: Any
    """int32 (squares,): the first place of the lists that follow, MOST_BOXES of them for each pattern; NONE at the end"""
    following: Any
    """int32 (room * MOST_BOXES,)"""


def no_patterns(squares: int, most: int = _MOST) -> Patterns:
    """Return no patterns yet, with room for so many."""
    room = min(most, _BYTES // squares)
    return Patterns(
        np.zeros(1, np.int64),
        np.full((room, MOST_BOXES), NONE, np.int16),
        np.zeros((room, squares), np.uint8),
        np.full(squares, NONE, np.int32),
        np.full(room * MOST_BOXES, NONE, np.int32),
    )


def add_pattern(patterns: Patterns, group: list[int]) -> None:
    """Add a pattern of boxes, whose row of `players` is filled already."""
    number = int(patterns.count[0])
    patterns.count[0] = number + 1
    for place, box in enumerate(group):
        link = number * MOST_BOXES + place
        patterns.boxes[number, place] = box
        patterns.following[link], patterns.first[box] = patterns.first[box], link


@borrowing
def has_pattern(patterns: Patterns, occupied: Any, box: Any, player: Any) -> Any:
    """Return whether there is a pattern with a box on a square and the player on another."""
    _, boxes, players, first, following = patterns
    link = np.int64(first[box])
    while link >= 0:
        number = link // MOST_BOXES
        if players[number, player]:
            place = 0
            while place < MOST_BOXES and boxes[number, place] >= 0 and occupied[boxes[number, place]]:
                place += 1
            if place == MOST_BOXES or boxes[number, place] < 0:
                return True
        link = np.int64(following[link])
    return False


@borrowing
def has_any_pattern(patterns: Patterns, occupied: Any, boxes: Any, player: Any) -> Any:
    """Return whether there is a pattern with the player on a square."""
    for box in boxes:  # noqa: SIM110  # numba compiles no generator
        if has_pattern(patterns, occupied, np.int64(box), player):
            return True
    return False
