"""Kernels of the exchange of tiles: all of them, or a random one (R21, R22). The rules are in `exchange.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.kernel.steps import (
    ACTIONS,
    BROKEN,
    CELLS,
    CODES,
    CONVEYOR,
    HINT,
    HOME,
    OLD_CELLS,
    OLD_TURNS,
    OPEN,
    PLACES,
    ROBOTS,
    SAVED,
    TURNS,
    allocate_work,
    bit_of,
    is_connected,
    is_connected_locally,
    is_won,
    load_robots,
    load_tiles,
    restore_robots,
    row_of,
    run_belts,
    update_free,
    write_state,
)
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, kernel

U = np.uint64


@borrowing
def load_for_exchange(data: Any, work: Any, state: Any) -> None:
    """Unpack a state whose tiles are going to change; keep the robots' cells and turns."""
    load_tiles(data, work, state)
    load_robots(data, work, state)
    for robot in range(data[ROBOTS]):
        work[OLD_CELLS + robot], work[OLD_TURNS + robot] = work[CELLS + robot], work[TURNS + robot]


@borrowing
def is_fixed(work: Any, cell: Any) -> Any:
    """Return whether a tile must not be exchanged."""
    return work[CODES + cell] in (HINT, HOME)


@borrowing
def lay_tile(data: Any, work: Any, cell: Any, code: Any) -> None:
    """Lay a tile."""
    work[CODES + cell] = code
    if code == BROKEN:
        work[OPEN + row_of(data, cell)] &= ~bit_of(data, cell)
    else:
        work[OPEN + row_of(data, cell)] |= bit_of(data, cell)


@borrowing
def has_rider(data: Any, work: Any, first: Any, second: Any) -> Any:
    """Return whether a robot stood on one of two tiles."""
    for robot in range(data[ROBOTS]):  # noqa: SIM110  # numba compiles no generators
        if work[OLD_CELLS + robot] in (first, second):
            return True
    return False


@borrowing
def count_turns(data: Any, work: Any, first: Any, second: Any) -> Any:
    """Return in how many ways conveyors among two tiles may turn when these are exchanged."""
    one, other = work[CODES + first], work[CODES + second]
    count = (4 if one >= CONVEYOR else 1) * (4 if other >= CONVEYOR else 1)
    alike = one == other or (one >= CONVEYOR and other >= CONVEYOR)
    unchanged = alike and not has_rider(data, work, first, second)  # by one of the turns
    return count - 1 if unchanged else count


@borrowing
def swap_tiles(data: Any, work: Any, first: Any, second: Any) -> Any:
    """Exchange two tiles with their robots, without turns (R21); return whether R8 holds then."""
    one, other = work[CODES + first], work[CODES + second]
    for robot in range(data[ROBOTS]):
        cell = work[OLD_CELLS + robot]
        cell = second if cell == first else first if cell == second else cell
        work[CELLS + robot] = work[SAVED + robot] = cell
    lay_tile(data, work, first, other)
    lay_tile(data, work, second, one)
    update_free(data, work)
    if not has_rider(data, work, first, second):
        if (one == BROKEN) == (other == BROKEN):
            return True  # the same cells are free
        if is_connected_locally(data, work, second if one == BROKEN else first, -1):
            return True
    return is_connected(data, work)


@borrowing
def undo_swap(data: Any, work: Any, first: Any, second: Any, one: Any, other: Any) -> None:
    """Lay two tiles as they were; the next exchange puts robots back."""
    lay_tile(data, work, first, one)
    lay_tile(data, work, second, other)


@borrowing
def turn_rider(data: Any, work: Any, cell: Any, by: Any) -> None:
    """Turn the robot that stood on a conveyor against it (R21)."""
    for robot in range(data[ROBOTS]):
        if work[OLD_CELLS + robot] == cell:
            work[TURNS + robot] = (work[OLD_TURNS + robot] - by) & 3


@borrowing
def turn_tiles(data: Any, work: Any, first: Any, second: Any, one: Any, other: Any, turn: Any) -> None:
    """Turn two exchanged tiles, `one` and `other` before, by the number of a turn: the second one's changes first."""
    if one >= CONVEYOR and other >= CONVEYOR and not has_rider(data, work, first, second):
        turn += turn >= 4 * (other - CONVEYOR) + one - CONVEYOR  # that one would not change the board
    fast = turn & 3 if other >= CONVEYOR else 0
    slow = turn >> 2 if other >= CONVEYOR else turn
    new_one = CONVEYOR + slow if one >= CONVEYOR else one
    new_other = CONVEYOR + fast if other >= CONVEYOR else other
    work[CODES + first], work[CODES + second] = new_other, new_one
    turn_rider(data, work, first, new_one - one)
    turn_rider(data, work, second, new_other - other)


@borrowing
def write_tile(work: Any, out: Any, cell: Any) -> None:
    """Pack a tile over an old one."""
    shift = U(cell % 21 * 3)
    word = out[cell // 21] & ~(U(7) << shift)
    out[cell // 21] = word | (U(work[CODES + cell]) << shift)


@borrowing
def write_exchange(data: Any, work: Any, state: Any, first: Any, second: Any, out: Any, number: Any) -> None:
    """Pack the robots, and the tiles of a state with the two exchanged ones, into out[number]."""
    write_state(data, work, state, out, number)
    write_tile(work, out[number], first)
    write_tile(work, out[number], second)


@borrowing
def write_exchanges(data: Any, work: Any, state: Any, out: Any) -> Any:
    """Write all exchanges of the loaded state into `out`, and return their number."""
    count = 0
    for first in range(data[PLACES]):
        if is_fixed(work, first):
            continue
        for second in range(first + 1, data[PLACES]):
            number = 0 if is_fixed(work, second) else count_turns(data, work, first, second)
            if not number:
                continue
            one, other = work[CODES + first], work[CODES + second]
            if swap_tiles(data, work, first, second):
                for turn in range(number):
                    turn_tiles(data, work, first, second, one, other, turn)
                    run_belts(data, work)
                    write_exchange(data, work, state, first, second, out, count)
                    count += 1
                    restore_robots(data, work)
            undo_swap(data, work, first, second, one, other)
            turn_rider(data, work, first, 0)
            turn_rider(data, work, second, 0)
    return count


@kernel
def nature(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write every exchange (R21) after the belts (R20, R22), and return their number."""
    work = allocate_work(data)
    load_for_exchange(data, work, state)
    count = 0 if is_won(data, work) else write_exchanges(data, work, state, out)
    for i in range(count):
        action[i], reward[i], weight[i] = data[ACTIONS], 0, 1  # its number comes after the requests'
    return count


@borrowing
def count_valid_turns(data: Any, work: Any, first: Any, second: Any) -> Any:
    """Return in how many ways two tiles can be exchanged."""
    if is_fixed(work, first) or is_fixed(work, second):
        return 0
    one, other = work[CODES + first], work[CODES + second]
    number = count_turns(data, work, first, second)
    if not number or ((one == BROKEN) == (other == BROKEN) and not has_rider(data, work, first, second)):
        return number  # the same cells are free
    holds = swap_tiles(data, work, first, second)
    undo_swap(data, work, first, second, one, other)
    return number if holds else 0


@borrowing
def count_exchanges(data: Any, work: Any) -> Any:
    """Return the number of exchanges of the loaded state; keep the number for each first tile."""
    total, counts = 0, CODES + data[PLACES]
    for first in range(data[PLACES]):
        work[counts + first] = 0
        for second in range(first + 1, data[PLACES]):
            work[counts + first] += count_valid_turns(data, work, first, second)
        total += work[counts + first]
    return total


@borrowing
def draw_exchange(data: Any, work: Any, random: Any) -> Any:
    """Do one exchange of the loaded state, each as likely (R21), before belts start; return the two tiles or -1, -1."""
    total, counts = count_exchanges(data, work), CODES + data[PLACES]
    if not total:
        return -1, -1
    wanted, first = below(random, total) if total > 1 else 0, 0
    while wanted >= work[counts + first]:
        wanted -= work[counts + first]
        first += 1
    second = first + 1
    number = count_valid_turns(data, work, first, second)
    while wanted >= number:
        wanted -= number
        second += 1
        number = count_valid_turns(data, work, first, second)
    one, other = work[CODES + first], work[CODES + second]
    swap_tiles(data, work, first, second)
    turn_tiles(data, work, first, second, one, other, wanted)
    return first, second
