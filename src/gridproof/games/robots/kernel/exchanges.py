"""Nature's act by kernels: every exchange of tiles, or one that is drawn (R21, R22). As the folder `exchange`, by the rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.kernel.packed import (
    ACTIONS,
    BROKEN,
    CELLS,
    CODES,
    CONVEYOR,
    HINT,
    HOME,
    KEPT,
    OPEN,
    PLACES,
    ROBOTS,
    STOOD,
    TURNED,
    TURNS,
    bit_of,
    load_robots,
    load_tiles,
    put_back,
    row_of,
    take_robots_off,
    work_of,
    write,
)
from gridproof.games.robots.kernel.steps import carry_on, connected, is_won, stays_joined
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, kernel

U = np.uint64


@borrowing
def load_for_exchange(data: Any, work: Any, state: Any) -> None:
    """Unpack a state whose tiles are going to change; keep where robots stood, and how they were turned."""
    load_tiles(data, work, state)
    load_robots(data, work, state)
    for robot in range(data[ROBOTS]):
        work[STOOD + robot], work[TURNED + robot] = work[CELLS + robot], work[TURNS + robot]


@borrowing
def stays(work: Any, cell: Any) -> Any:
    """Whether a tile must not be exchanged."""
    return work[CODES + cell] in (HINT, HOME)


@borrowing
def lay(data: Any, work: Any, cell: Any, code: Any) -> None:
    """Lay a tile."""
    work[CODES + cell] = code
    if code == BROKEN:
        work[OPEN + row_of(data, cell)] &= ~bit_of(data, cell)
    else:
        work[OPEN + row_of(data, cell)] |= bit_of(data, cell)


@borrowing
def stood_on(data: Any, work: Any, first: Any, second: Any) -> Any:
    """Whether a robot stood on one of two tiles."""
    for robot in range(data[ROBOTS]):  # noqa: SIM110  # numba compiles no generators
        if work[STOOD + robot] in (first, second):
            return True
    return False


@borrowing
def ways(data: Any, work: Any, first: Any, second: Any) -> Any:
    """In how many ways two tiles can be exchanged if R8 holds then: each way that conveyors among them may turn."""
    one, other = work[CODES + first], work[CODES + second]
    count = (4 if one >= CONVEYOR else 1) * (4 if other >= CONVEYOR else 1)
    alike = one == other or (one >= CONVEYOR and other >= CONVEYOR)
    unchanged = alike and not stood_on(data, work, first, second)  # by one of the ways
    return count - 1 if unchanged else count


@borrowing
def swap(data: Any, work: Any, first: Any, second: Any) -> Any:
    """Exchange two tiles, robots riding along, and nothing turning (R21); whether R8 holds then."""
    one, other = work[CODES + first], work[CODES + second]
    for robot in range(data[ROBOTS]):
        cell = work[STOOD + robot]
        cell = second if cell == first else first if cell == second else cell
        work[CELLS + robot] = work[KEPT + robot] = cell
    lay(data, work, first, other)
    lay(data, work, second, one)
    take_robots_off(data, work)
    if not stood_on(data, work, first, second):
        if (one == BROKEN) == (other == BROKEN):
            return True  # the same cells are free
        if stays_joined(data, work, second if one == BROKEN else first, -1):
            return True
    return connected(data, work)


@borrowing
def swap_back(data: Any, work: Any, first: Any, second: Any, one: Any, other: Any) -> None:
    """Lay the two tiles as they were; robots are put where they stood by the next exchange."""
    lay(data, work, first, one)
    lay(data, work, second, other)


@borrowing
def turn(data: Any, work: Any, cell: Any, by: Any) -> None:
    """The robot that stood on a conveyor turns against it (R21)."""
    for robot in range(data[ROBOTS]):
        if work[STOOD + robot] == cell:
            work[TURNS + robot] = (work[TURNED + robot] - by) & 3


@borrowing
def turned(data: Any, work: Any, first: Any, second: Any, one: Any, other: Any, way: Any) -> None:
    """Two exchanged tiles, `one` and `other` before, turn in the way of that number: the second one's first."""
    if one >= CONVEYOR and other >= CONVEYOR and not stood_on(data, work, first, second):
        way += way >= 4 * (other - CONVEYOR) + one - CONVEYOR  # that one would not change the board
    fast = way & 3 if other >= CONVEYOR else 0
    slow = way >> 2 if other >= CONVEYOR else way
    new_one = CONVEYOR + slow if one >= CONVEYOR else one
    new_other = CONVEYOR + fast if other >= CONVEYOR else other
    work[CODES + first], work[CODES + second] = new_other, new_one
    turn(data, work, first, new_one - one)
    turn(data, work, second, new_other - other)


@borrowing
def write_tile(work: Any, out: Any, cell: Any) -> None:
    """Pack a tile over the one that is there."""
    shift = U(cell % 21 * 3)
    word = out[cell // 21] & ~(U(7) << shift)
    out[cell // 21] = word | (U(work[CODES + cell]) << shift)


@borrowing
def write_exchanged(data: Any, work: Any, state: Any, first: Any, second: Any, out: Any, number: Any) -> None:
    """Pack the robots, and the tiles of a state with the two that were exchanged, into out[number]."""
    write(data, work, state, out, number)
    write_tile(work, out[number], first)
    write_tile(work, out[number], second)


@borrowing
def exchanges(data: Any, work: Any, state: Any, out: Any) -> Any:
    """All exchanges of what is loaded into `out`; how many."""
    count = 0
    for first in range(data[PLACES]):
        if stays(work, first):
            continue
        for second in range(first + 1, data[PLACES]):
            number = 0 if stays(work, second) else ways(data, work, first, second)
            if not number:
                continue
            one, other = work[CODES + first], work[CODES + second]
            if swap(data, work, first, second):
                for way in range(number):
                    turned(data, work, first, second, one, other, way)
                    carry_on(data, work)
                    write_exchanged(data, work, state, first, second, out, count)
                    count += 1
                    put_back(data, work)
            swap_back(data, work, first, second, one, other)
            turn(data, work, first, 0)
            turn(data, work, second, 0)
    return count


@kernel
def nature(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Every exchange (R21), then belts start again (R20, R22)."""
    work = work_of(data)
    load_for_exchange(data, work, state)
    count = 0 if is_won(data, work) else exchanges(data, work, state, out)
    for i in range(count):
        action[i], reward[i], weight[i] = data[ACTIONS], 0, 1  # its number comes after the requests'
    return count


@borrowing
def possible(data: Any, work: Any, first: Any, second: Any) -> Any:
    """In how many ways two tiles can be exchanged."""
    if stays(work, first) or stays(work, second):
        return 0
    one, other = work[CODES + first], work[CODES + second]
    number = ways(data, work, first, second)
    if not number or ((one == BROKEN) == (other == BROKEN) and not stood_on(data, work, first, second)):
        return number  # the same cells are free
    holds = swap(data, work, first, second)
    swap_back(data, work, first, second, one, other)
    return number if holds else 0


@borrowing
def count_exchanges(data: Any, work: Any) -> Any:
    """How many exchanges there are of what is loaded; of each tile it is kept how many, it being the first."""
    total, counts = 0, CODES + data[PLACES]
    for first in range(data[PLACES]):
        work[counts + first] = 0
        for second in range(first + 1, data[PLACES]):
            work[counts + first] += possible(data, work, first, second)
        total += work[counts + first]
    return total


@borrowing
def exchanged(data: Any, work: Any, random: Any) -> Any:
    """One exchange of what is loaded, each as likely (R21), is done, no belt having started; the two tiles.

    Where there is none, they are -1.
    """
    total, counts = count_exchanges(data, work), CODES + data[PLACES]
    if not total:
        return -1, -1
    wanted, first = below(random, total) if total > 1 else 0, 0
    while wanted >= work[counts + first]:
        wanted -= work[counts + first]
        first += 1
    second = first + 1
    number = possible(data, work, first, second)
    while wanted >= number:
        wanted -= number
        second += 1
        number = possible(data, work, first, second)
    one, other = work[CODES + first], work[CODES + second]
    swap(data, work, first, second)
    turned(data, work, first, second, one, other, wanted)
    return first, second
