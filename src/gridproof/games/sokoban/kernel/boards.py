"""Sokoban on the board that is observed, for environments on levels without bombs.

An update looks only at the observation, a symbol a cell, and at its game's words: data of many levels would not fit
into the processor's cache. A state is a bit a cell for the boxes, and then a word: the player's place on the board, the
board's width, the number of boxes off depots, and that of boxes on depots, sixteen bits each.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from gridproof.games.sokoban.kernel.packing import BOX, ON_DEPOT, WALKER, WALLED, picture_of, reachable_cells
from gridproof.games.sokoban.rules import Level, Position
from gridproof.kernels.compile import borrowing, inlined
from gridproof.kernels.game import LOST, PLAYING, WON, BoardKernel, EnvKernel, Packing

U = np.uint64
_BOX, _WALKER, _WALLED = np.uint8(BOX), np.uint8(WALKER), np.uint8(WALLED)
_ZERO, _ONE, _SIX, _LOW = U(0), U(1), U(6), U(63)
_PLACE, _WIDTH, _MISSING, _PLACED = (U(shift) for shift in (0, 16, 32, 48))
_NUMBER = U(0xFFFF)
_UP, _DOWN, _LEFT = U(0), U(1), U(2)
_SIDES = U(4)


@inlined
def number_at(state: Any, shift: Any) -> Any:
    """Return a number of the last word."""
    return (state[U(state.shape[0]) - _ONE] >> shift) & _NUMBER


@inlined
def distance_to(width: Any, side: Any) -> Any:
    """Return how far the cell on a side is in the row of cells; it overflows for up and left, as sums with it do."""
    across = width if side < _LEFT else _ONE
    return across if side & _ONE else _ZERO - across


@inlined
def can_move(symbols: Any, place: Any, distance: Any) -> Any:
    """Return 1 when the player at a place can go to a side of a level that is not won (K5, K6), else 0.

    There is no branch: the processor could not predict it in random play. Nothing is behind a wall, which may be the
    last cell, so that the wall is looked at again.
    """
    ahead = symbols[place + distance]
    is_box = U(ahead > _WALLED)
    behind = symbols[place + distance + distance * is_box]
    return U(ahead < _WALLED) | (is_box & U(behind < _WALLED))


@inlined
def move_bit(state: Any, origin: Any, to: Any) -> None:
    """Move a box in the bits of a state."""
    state[origin >> _SIX] ^= _ONE << (origin & _LOW)
    state[to >> _SIX] ^= _ONE << (to & _LOW)


@inlined
def write_sides(symbols: Any, place: Any, width: Any, mask: Any) -> Any:
    """Write the mask of a level that is not won, and return its status."""
    some = _ZERO
    for side in range(_SIDES):
        allowed = can_move(symbols, place, distance_to(width, U(side)))
        mask[side] = allowed
        some |= allowed
    return PLAYING if some else LOST


@inlined
def update(data: Any, state: Any, number: Any, random: Any, room: Any, seen: Any, mask: Any) -> Any:
    """Do an executable action, and update the observation and the mask."""
    last = U(state.shape[0]) - _ONE
    place, width = number_at(state, _PLACE), number_at(state, _WIDTH)
    distance = distance_to(width, U(number))
    ahead = place + distance
    symbol = seen[ahead]
    seen[place] -= _WALKER
    if symbol > _WALLED:
        behind = ahead + distance
        symbol -= _BOX
        placed = U(seen[behind] == ON_DEPOT) - U(symbol == ON_DEPOT)
        seen[behind] += _BOX
        move_bit(state, ahead, behind)
        state[last] += (placed << _PLACED) - (placed << _MISSING)
    seen[ahead] = symbol + _WALKER
    state[last] += distance
    if number_at(state, _MISSING) == _ZERO:
        for side in range(_SIDES):
            mask[side] = 0
        return 0, WON
    return 0, write_sides(seen, ahead, width, mask)


# -- from the data, which are the symbols of all cells without boxes and player


@inlined
def symbol_of(data: Any, state: Any, cell: Any) -> Any:
    """Return the symbol of a cell without the player."""
    return data.view(np.uint8)[cell] + _BOX * np.uint8((state[cell >> _SIX] >> (cell & _LOW)) & _ONE)


@borrowing
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Write the board, a symbol a cell in reading order."""
    for cell in range(U(out.shape[0])):
        out[cell] = symbol_of(data, state, U(cell))
    out[number_at(state, _PLACE)] += _WALKER


@borrowing
def is_open(data: Any, state: Any, side: Any) -> Any:
    """Return whether the player can go to a side."""
    place, distance = number_at(state, _PLACE), distance_to(number_at(state, _WIDTH), side)
    ahead = symbol_of(data, state, place + distance)
    if ahead <= WALLED:
        return ahead < WALLED
    return symbol_of(data, state, place + distance + distance) < WALLED


@borrowing
def mask(data: Any, state: Any, out: Any) -> None:
    """Mark the executable actions; there are no bombs."""
    over = number_at(state, _MISSING) == _ZERO
    for side in range(U(out.shape[0])):
        out[side] = side < _SIDES and not over and is_open(data, state, U(side))


@borrowing
def status(data: Any, state: Any) -> Any:
    """Return the code of `Position.status` (K9)."""
    if number_at(state, _MISSING) == _ZERO:
        return WON
    for side in range(_SIDES):
        if is_open(data, state, U(side)):
            return PLAYING
    return LOST


@borrowing
def count_placed(data: Any, state: Any, arguments: Any) -> Any:
    """Return the number `placed`: boxes on depots."""
    return np.int64(number_at(state, _PLACED))


def prepare(packing: Packing, shape: tuple[int, ...]) -> Packing | None:
    """Return the packing of a level on a board of a shape; None with bombs, or if the game can reach its border."""
    level: Any = packing.level
    height, width = shape
    inside = None if level.bombs else reachable_cells(level.start(), height * width)
    used = (inside or set()) | level.boxes | level.depots
    if inside is None or not all(0 < x < width - 1 and 0 < y < height - 1 for x, y in used):
        return None
    packer = _Packer(level, height, width)
    return dataclasses.replace(
        packing,
        words=packer.words,
        data=packer.data(),
        pack=packer.pack,
        unpack=packer.unpack,
        observed=shape,
    )


class _Packer:
    """A converter of positions to words and back."""

    def __init__(self, level: Level, height: int, width: int) -> None:
        self.level, self.height, self.width = level, height, width
        self.words = -(-height * width // 64) + 1

    def data(self) -> np.ndarray[Any, Any]:
        picture = bytes(picture_of(self.level, self.height, self.width))
        return np.frombuffer(picture + bytes(-len(picture) % 8), np.uint64)

    def pack(self, position: Position) -> np.ndarray[Any, Any]:
        placed = len(position.boxes & self.level.depots)
        x, y = position.player
        bits = sum(1 << y * self.width + x for x, y in position.boxes)
        numbers = (y * self.width + x, self.width, len(position.boxes) - placed, placed)
        bits |= sum(number << 16 * place for place, number in enumerate(numbers)) << 64 * (self.words - 1)
        return np.frombuffer(bits.to_bytes(8 * self.words, "little"), "<u8").astype(np.uint64)

    def unpack(self, state: np.ndarray[Any, Any]) -> Position:
        bits = int.from_bytes(state[:-1].astype("<u8").tobytes(), "little")
        places = (place for place in range(self.height * self.width) if bits >> place & 1)
        boxes = frozenset((place % self.width, place // self.width) for place in places)
        player = int(state[-1]) & 0xFFFF
        at = player % self.width, player // self.width
        return Position(self.level, at, boxes, 0, self.level.walls)


BOARDS = BoardKernel(
    prepare=prepare,
    status=status,
    mask=mask,
    propositions={("placed", 0): count_placed},
    env=EnvKernel(observe=observe, update=update),
)
