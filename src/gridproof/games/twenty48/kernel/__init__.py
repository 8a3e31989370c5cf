"""The kernel of 2048, as engines take it: the same rules as `rules.py`, which tests compare."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import (
    BYTES,
    CELLS,
    ENTRIES,
    KINDS,
    MOST,
    MOVES,
    OFTEN,
    PAIRS,
    SQUARE,
    STARTS,
    TARGET,
    TILES,
    URN,
    ZERO,
    copy,
    count_empty,
    exponent_at,
    find_empty,
    is_lost,
    is_same,
    is_valid,
    largest_exponent,
    put,
    slide,
)
from gridproof.games.twenty48.kernel.packing import prepare
from gridproof.games.twenty48.kernel.rows import (
    board_of,
    empty_bits,
    is_small,
    quick_mask,
    quick_step,
    quick_update,
    status_of,
    write_cells,
)
from gridproof.games.twenty48.kernel.symmetry import SYMMETRY
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, inlined
from gridproof.kernels.game import (
    DONE,
    LOST,
    PLAYING,
    REFUSED,
    WON,
    EnvKernel,
    GameKernel,
    SearchKernel,
    make_update,
)

_HIGHEST = MOST[BYTES]


@borrowing
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write all outcomes: each valid move with each place and tile that chance may choose (T9, T10, T17)."""
    tiles, often = data[TILES], data[OFTEN]
    after = out[
        out.shape[0] - 1
    ]  # scratch space in the last row of `out`, which only the very last outcome overwrites
    count = 0
    for number in range(MOVES):
        gained = slide(data, state, number, after)
        if is_same(state, after):
            continue
        for cell in range(data[CELLS]):
            if exponent_at(data, after, cell):
                continue
            for kind in range(data[KINDS]):
                copy(after, out[count])
                put(data, out[count], cell, data[tiles + kind])
                action[count], reward[count], weight[count] = number, gained, data[often + kind]
                count += 1
    return count


@borrowing
def status(data: Any, state: Any) -> Any:
    """Return the status as `Position.status` does (T11)."""
    if data[SQUARE] and is_small(data, state):
        board = board_of(data, state)
        return status_of(data, board, empty_bits(board) == ZERO)
    if largest_exponent(data, state) >= data[TARGET]:
        return WON
    return LOST if is_lost(data, state, data) else PLAYING


@borrowing
def spawn(data: Any, random: Any, out: Any) -> None:
    """Draw a tile as the rules do (T10, T18)."""
    entries = data[ENTRIES]
    drawn = below(random, count_empty(data, out) * entries)
    put(data, out, find_empty(data, out, drawn // entries), data[data[URN] + drawn % entries])


@inlined
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Make one move, or refuse it (T9, T17)."""
    if number < 0 or number >= MOVES:
        copy(state, out)
        return 0, status(data, out), REFUSED
    if data[SQUARE] and is_small(data, state):
        return quick_step(data, state, number, random, out)
    gained = slide(data, state, number, out)
    if is_same(state, out):
        return 0, status(data, out), REFUSED
    spawn(data, random, out)
    return gained, status(data, out), DONE


@borrowing
def begin(data: Any, random: Any, out: Any) -> None:
    """Draw two tiles on an empty board (T5), as the rules do (T18); a given board stays as it is."""
    if data[STARTS] == 0:
        return
    for i in range(out.shape[0]):
        out[i] = ZERO
    cells = data[CELLS]
    drawn = below(random, cells * (cells - 1) // 2 * data[STARTS])
    pair, entry = drawn // data[STARTS], data[PAIRS] + 2 * (drawn % data[STARTS])
    first = 0
    while pair >= cells - 1 - first:
        pair -= cells - 1 - first
        first += 1
    put(data, out, first, data[entry])
    put(data, out, first + 1 + pair, data[entry + 1])


@borrowing
def mask(data: Any, state: Any, mask: Any) -> None:
    """Write 1 for each valid move, else 0 (T8)."""
    if data[SQUARE] and is_small(data, state):
        quick_mask(data, board_of(data, state), mask)
        return
    for number in range(MOVES):
        mask[number] = 1 if is_valid(data, state, number) else 0


@borrowing
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Write the exponent of each cell's tile, 0 where it is empty."""
    if data[SQUARE]:
        write_cells(data, state, out)
        return
    for cell in range(data[CELLS]):
        out[cell] = exponent_at(data, state, cell)


_update_by_parts = make_update(step, observe, mask)


@inlined
def update(data: Any, state: Any, number: Any, random: Any, room: Any, observation: Any, mask: Any) -> Any:
    """Make a valid move; write the observation and the mask."""
    if data[SQUARE] and is_small(data, state):
        return quick_update(data, state, number, random, observation, mask)
    return _update_by_parts(data, state, number, random, room, observation, mask)


@borrowing
def empty(data: Any, state: Any, arguments: Any) -> Any:
    """Return the number `empty`."""
    return count_empty(data, state)


@borrowing
def max_tile(data: Any, state: Any, arguments: Any) -> Any:
    """Return the number `max_tile`."""
    return 1 << largest_exponent(data, state)


@borrowing
def tile(data: Any, state: Any, arguments: Any) -> Any:
    """Return the proposition `tile(value)`; the value is a tile."""
    return np.int64(1 << largest_exponent(data, state) >= arguments[0])


@borrowing
def has_two_tiles(data: Any, state: Any, arguments: Any) -> Any:
    """Return the proposition `valid` (T3)."""
    return np.int64(count_empty(data, state) <= data[CELLS] - 2)


@borrowing
def min_moves_to_exponent(data: Any, state: Any, exponent: Any) -> Any:
    """Return the fewest moves to a tile of this exponent: `propositions.min_moves_to_tile`."""
    if largest_exponent(data, state) >= exponent:
        return 0
    missing = 1 << min(exponent, _HIGHEST)
    for smallest in range(min(exponent, _HIGHEST) - 1, 0, -1):
        for cell in range(data[CELLS]):
            if exponent_at(data, state, cell) == smallest and missing:
                missing -= 1 << smallest
        if not missing:
            return exponent - smallest
    most = 0
    for i in range(data[ENTRIES]):
        most = max(most, data[data[URN] + i])
    return ((missing + (1 << most) - 1) >> most) + max(exponent - most, 0)


@borrowing
def min_moves_to_win(data: Any, state: Any, arguments: Any) -> Any:
    """Return the bound of `won`."""
    return min_moves_to_exponent(data, state, data[TARGET])


@borrowing
def min_moves_to_tile(data: Any, state: Any, arguments: Any) -> Any:
    """Return the bound of `tile(value)`."""
    exponent = 0
    while exponent < _HIGHEST and 1 << (exponent + 1) <= arguments[0]:
        exponent += 1
    return min_moves_to_exponent(data, state, exponent)


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={
        ("empty", 0): empty,
        ("max_tile", 0): max_tile,
        ("tile", 1): tile,
        ("valid", 0): has_two_tiles,
        ("lost", 0): is_lost,
        ("ended", 0): is_lost,  # one may go on after a win (T11)
    },
    search=SearchKernel(
        bounds={("won", 0): min_moves_to_win, ("tile", 1): min_moves_to_tile}, symmetry=SYMMETRY
    ),
    env=EnvKernel(observe=observe, begin=begin, update=update),
)
