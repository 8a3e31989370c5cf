"""2048 by kernels: the same rules as `rules.py`, held to it by tests."""

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
    empty_cell,
    empty_cells,
    exponent_at,
    largest,
    lost,
    put,
    same,
    slide,
    valid,
)
from gridproof.games.twenty48.kernel.packing import prepare
from gridproof.games.twenty48.kernel.rows import (
    board_of,
    empties,
    is_small,
    quick_mask,
    quick_step,
    quick_update,
    status_of,
    write_cells,
)
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, inlined
from gridproof.kernels.game import DONE, LOST, PLAYING, REFUSED, WON, GameKernel
from gridproof.kernels.update import updating

_HIGHEST = MOST[BYTES]


@borrowing
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """All outcomes: each valid move with each place and tile that chance may choose (T9, T10, T17)."""
    tiles, often = data[TILES], data[OFTEN]
    after = out[
        out.shape[0] - 1
    ]  # scratch space in the last row of `out`, which only the very last outcome overwrites
    count = 0
    for number in range(MOVES):
        gained = slide(data, state, number, after)
        if same(state, after):
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
    """As `Position.status` (T11)."""
    if data[SQUARE] and is_small(data, state):
        board = board_of(data, state)
        return status_of(data, board, empties(board) == ZERO)
    if largest(data, state) >= data[TARGET]:
        return WON
    return LOST if lost(data, state, data) else PLAYING


@borrowing
def spawn(data: Any, random: Any, out: Any) -> None:
    """A tile appears, drawn as the rules do (T10, T18)."""
    entries = data[ENTRIES]
    drawn = below(random, empty_cells(data, out) * entries)
    put(data, out, empty_cell(data, out, drawn // entries), data[data[URN] + drawn % entries])


@inlined
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One move (T9, T17)."""
    if number < 0 or number >= MOVES:
        copy(state, out)
        return 0, status(data, out), REFUSED
    if data[SQUARE] and is_small(data, state):
        return quick_step(data, state, number, random, out)
    gained = slide(data, state, number, out)
    if same(state, out):
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
    """Which moves are valid (T8)."""
    if data[SQUARE] and is_small(data, state):
        quick_mask(data, board_of(data, state), mask)
        return
    for number in range(MOVES):
        mask[number] = 1 if valid(data, state, number) else 0


@borrowing
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """The exponent of each cell's tile, 0 where it is empty."""
    if data[SQUARE]:
        write_cells(data, state, out)
        return
    for cell in range(data[CELLS]):
        out[cell] = exponent_at(data, state, cell)


_updated = updating(step, observe, mask)


@inlined
def update(data: Any, state: Any, number: Any, random: Any, room: Any, seen: Any, mask: Any) -> Any:
    """A valid move, and what is seen and can be done after it."""
    if data[SQUARE] and is_small(data, state):
        return quick_update(data, state, number, random, seen, mask)
    return _updated(data, state, number, random, room, seen, mask)


@borrowing
def empty(data: Any, state: Any, arguments: Any) -> Any:
    """The number `empty`."""
    return empty_cells(data, state)


@borrowing
def max_tile(data: Any, state: Any, arguments: Any) -> Any:
    """The number `max_tile`."""
    return 1 << largest(data, state)


@borrowing
def tile(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `tile(value)`; the value is a tile."""
    return np.int64(1 << largest(data, state) >= arguments[0])


@borrowing
def has_two_tiles(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `valid` (T3)."""
    return np.int64(empty_cells(data, state) <= data[CELLS] - 2)


@borrowing
def until_exponent(data: Any, state: Any, exponent: Any) -> Any:
    """How many moves it takes at least until there is such a tile: `rules.until_tile`."""
    if largest(data, state) >= exponent:
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
def until_won(data: Any, state: Any, arguments: Any) -> Any:
    """The bound of `won`."""
    return until_exponent(data, state, data[TARGET])


@borrowing
def until_tile(data: Any, state: Any, arguments: Any) -> Any:
    """The bound of `tile(value)`."""
    exponent = 0
    while exponent < _HIGHEST and 1 << (exponent + 1) <= arguments[0]:
        exponent += 1
    return until_exponent(data, state, exponent)


def _play_out() -> None:
    """Random games on both kinds of boards that `playouts` knows."""
    from gridproof.games.twenty48.playouts import playouts
    from gridproof.games.twenty48.rules import Level

    for size in (4, 2):
        playouts(Level(size, size), 1)


def _value() -> None:
    """The points of a small board, and the probability of a win there."""
    from gridproof.core.limit import Limit
    from gridproof.core.proposition import goal
    from gridproof.games.twenty48.rules import Level
    from gridproof.games.twenty48.values import values

    level = Level(2, 2, target=8)
    for wanted in (None, goal(level.game, "won")):
        values([level.start()], wanted, Limit().start(), None)


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    begin=begin,
    observe=observe,
    mask=mask,
    update=update,
    propositions={
        ("empty", 0): empty,
        ("max_tile", 0): max_tile,
        ("tile", 1): tile,
        ("valid", 0): has_two_tiles,
        ("lost", 0): lost,
        ("ended", 0): lost,  # one may go on after a win (T11)
    },
    bounds={("won", 0): until_won, ("tile", 1): until_tile},
    others={"random games": _play_out, "exact values": _value},
)
