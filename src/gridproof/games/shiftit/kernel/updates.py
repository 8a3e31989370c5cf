"""Environment steps: move, observe and mask in one kernel, faster on 4 x 4 boards of one word."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.shiftit.kernel.shifts import (
    BESIDE,
    MEETING,
    NEEDED,
    PLACES,
    VALID,
    has_all_unions,
    mask,
    observe,
    shift,
    step,
)
from gridproof.kernels.compile import inlined
from gridproof.kernels.game import PLAYING, WON, make_update

U = np.uint64
_3, _4, _8, _16, _PAIRS, _BYTE = (U(number) for number in (3, 4, 8, 16, 256, 255))
_EVEN, _ODD = U(0x0F0F_0F0F_0F0F_0F0F), U(0xF0F0_F0F0_F0F0_F0F0)
_TILES, _BESIDE = 16, 12
"""Tiles of a 4 x 4 board, and its borders between tiles beside each other."""


@inlined
def count_square_meetings(data: Any, word: Any) -> Any:
    """Count as `shifts.count_meetings` on 4 x 4 tiles: two tiles at a border are a byte, in one of four words."""
    table, meeting = data.view(np.uint8), U(data[MEETING]) << _3
    below, count = meeting + _PAIRS, U(0)
    next_to = word >> _4
    even = (word & _EVEN) | ((word >> _16 & _EVEN) << _4)
    odd = (word >> _4 & _EVEN) | (word >> _16 & _ODD)
    for place in range(8):
        count += U(table[meeting + ((word >> (_8 * U(place))) & _BYTE)])
    for row in range(4):
        count += U(table[meeting + ((next_to >> (_16 * U(row))) & _BYTE)])
    for place in range(6):
        count += U(table[below + ((even >> (_8 * U(place))) & _BYTE)])
        count += U(table[below + ((odd >> (_8 * U(place))) & _BYTE)])
    return np.int64(count)


_update_by_parts = make_update(step, observe, mask)


@inlined
def update(
    data: Any, state: Any, number: Any, random: Any, room: Any, observation: Any, mask_row: Any
) -> Any:
    """Make a move; write the observation and the mask, which stays the same until the game is won (S6, S14)."""
    if data[PLACES] != _TILES or data[BESIDE] != _BESIDE:
        return _update_by_parts(data, state, number, random, room, observation, mask_row)
    shift(data, state, data[data[VALID] + number], state)
    observe(data, state, 0, observation)
    if count_square_meetings(data, state[0]) < data[NEEDED] or not has_all_unions(data, state):
        return 0, PLAYING
    for other in range(U(mask_row.shape[0])):
        mask_row[other] = 0
    return 0, WON
