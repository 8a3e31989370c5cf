"""Updates of state, observation and mask on levels without bombs, which write only the changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.kernel.packing import BOX, NOWHERE, WALKER
from gridproof.games.sokoban.kernel.state_layout import (
    NEAR,
    PLACE,
    PLACES,
    SHIFT,
    box_bit,
    is_won,
    player_of,
)
from gridproof.kernels.compile import inlined
from gridproof.kernels.game import LOST, PLAYING, WON

U = np.uint64
_ZERO, _ONE, _TWO, _THREE, _SIX, _LOW = U(0), U(1), U(2), U(3), U(6), U(63)
_WALKER, _BOX, _NOWHERE = np.uint8(WALKER), np.uint8(BOX), U(NOWHERE)
_SIDES = U(4)


@inlined
def neighbour(data: Any, square: Any, number: Any) -> Any:
    """Return a neighbour from NEAR."""
    return U(data.view(np.uint16)[(data[NEAR] << _TWO) + (square << _THREE) + number])


@inlined
def place_of(data: Any, square: Any) -> Any:
    """Return the place of a square in the picture."""
    return U(data.view(np.uint16)[(data[PLACES] << _TWO) + square])


@inlined
def look_up(state: Any, square: Any, other: Any) -> Any:
    """Return 1 or 0 for whether a square exists, and whether it has no box; the other square replaces a missing one."""
    there = U(square != _NOWHERE)
    looked_at = other ^ ((other ^ square) & (_ZERO - there))
    return there, box_bit(state, looked_at) ^ _ONE


@inlined
def can_move(data: Any, state: Any, player: Any, side: Any) -> Any:
    """Return 1 when the player can go to a side in a level that is not won (K5, K6), else 0.

    There is no branch: the processor could not predict it in random play.
    """
    inside, can_step = look_up(state, neighbour(data, player, side), player)
    beyond, can_push = look_up(state, neighbour(data, player, side + _SIDES), player)
    return inside & (can_step | (beyond & can_push))


@inlined
def move_box(data: Any, state: Any, origin: Any, to: Any, seen: Any) -> None:
    """Move a box from one square to another."""
    state[origin >> _SIX] ^= _ONE << (origin & _LOW)
    state[to >> _SIX] ^= _ONE << (to & _LOW)
    seen[place_of(data, origin)] -= _BOX
    seen[place_of(data, to)] += _BOX


@inlined
def update_without_bombs(data: Any, state: Any, number: Any, seen: Any, mask: Any) -> Any:
    """Do an action as `kernel.update`, on a level without bombs."""
    player, side = player_of(data, state), U(number)
    ahead = neighbour(data, player, side)
    state[data[PLACE]] ^= (player ^ ahead) << data[SHIFT]
    seen[place_of(data, player)] -= _WALKER
    seen[place_of(data, ahead)] += _WALKER
    if box_bit(state, ahead):
        move_box(data, state, ahead, neighbour(data, player, side + _SIDES), seen)
        if is_won(data, state):
            for other in range(_SIDES):
                mask[other] = 0
            return 0, WON
    some = _ZERO
    for other in range(_SIDES):
        allowed = can_move(data, state, ahead, U(other))
        mask[other] = allowed
        some |= allowed
    return 0, PLAYING if some else LOST
