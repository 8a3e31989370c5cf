"""Robots that play by kernels: requests and exchanges one by one, and what robots know of them (R12-R22, R31).

What is played is a state and, behind its words, a word for each robot: its knowledge. A state alone may be
played too; then nobody remembers anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.hints import HINT_MAPPING, Hint
from gridproof.games.robots.kernel.exchanges import exchanged, load_for_exchange, write_exchanged
from gridproof.games.robots.kernel.packed import (
    ACTIONS,
    AUTO,
    CARRIED,
    CELLS,
    KEPT,
    ROBOTS,
    STOOD,
    TILE_WORDS,
    TURNS,
    WINS,
    by_rule_b,
    home_of,
    load,
    work_of,
    write,
)
from gridproof.games.robots.kernel.steps import carry_on, hints, is_won, on_hint, status_of, walk, way_home
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, kernel
from gridproof.kernels.game import DONE, REFUSED

U = np.uint64

HINTS, ASKED, ANSWER, NOTICES, WIN_NOTICES = (U(bit) for bit in (0, 8, 12, 16, 24))
"""The bits of a robot's knowledge: a bit for each of its hints, as it sees them, in the order of `Hint`; its last
request, from 1, among those of its rule; the answer, FAILED, SUCCESS or WIN as 1, 2, 3; and how often it has been
told since then that a belt moved it, with SUCCESS and with WIN, at most 255 times each."""
_BYTE, _FOUR_BITS = U(255), U(15)
_ONE = U(1)
WINNING = 2
"""The event of a request that is answered WIN (R17)."""
OBSERVED = 13

_CLOCKWISE = tuple(Hint)
_DIRECTIONS = np.array(
    [
        [_CLOCKWISE.index(hint) for hint in (*found, *(found or (Hint.NORTH,)) * 3)[:3]]
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        for found in (HINT_MAPPING.get((dx, dy), ()),)
    ],
    np.int64,
)
"""By the signs of the way home, the hints that are true on the board (R19)."""


@borrowing
def noticed(state: Any, place: Any, shift: Any, times: Any) -> None:
    """Tell a robot a number of times that a belt has moved it; it forgets its hints (R18, R20)."""
    before = np.int64((state[place] >> shift) & _BYTE)
    state[place] &= ~(_BYTE << shift)
    state[place] |= U(min(before + times, 255)) << shift
    state[place] &= ~_BYTE


@borrowing
def words_of(data: Any) -> Any:
    """The words of a state, behind which knowledge begins."""
    return data[TILE_WORDS] + (data[ROBOTS] + 3) // 4


@borrowing
def requested(data: Any, number: Any) -> Any:
    """The robot that asks, and the number of its request in its rule."""
    robot = 0
    while number >= (7 if by_rule_b(data, robot) else 4):
        number -= 7 if by_rule_b(data, robot) else 4
        robot += 1
    return robot, number


@borrowing
def hint_drawn(data: Any, work: Any, robot: Any, random: Any) -> Any:
    """The hint that a robot is given where its walk has ended (R19), as it sees it; -1 where there is none."""
    if not on_hint(data, work, robot):
        return np.int64(-1)
    ways = hints(data, work, robot)
    drawn = below(random, ways) if ways > 1 else 0
    return (_DIRECTIONS[way_home(data, work, robot), drawn] - 2 * work[TURNS + robot]) & 7


@borrowing
def told(work: Any, place: Any, item: Any, event: Any, hint: Any, out: Any) -> None:
    """A robot is answered; by auto movement it forgets its hints, before it is given one (R18)."""
    out[place] &= _BYTE
    out[place] |= U(item + 1) << ASKED | U(event + 1) << ANSWER
    if event != REFUSED and work[AUTO]:
        noticed(out, place, WIN_NOTICES if event == WINNING else NOTICES, 1)
    if hint >= 0:
        out[place] |= _ONE << U(hint)


@borrowing
def all_carried(data: Any, work: Any, remembers: Any, out: Any) -> None:
    """Belts start again, and robots that are carried on are told (R20)."""
    for robot in range(data[ROBOTS]):
        work[CARRIED + robot] = work[WINS + robot] = 0
    carry_on(data, work)
    for robot in range(data[ROBOTS] if remembers else 0):
        if work[CARRIED + robot]:
            noticed(out, words_of(data) + robot, NOTICES, work[CARRIED + robot])
        if work[WINS + robot]:
            noticed(out, words_of(data) + robot, WIN_NOTICES, work[WINS + robot])
    for robot in range(data[ROBOTS]):
        work[KEPT + robot] = work[CELLS + robot]


@borrowing
def exchange(data: Any, work: Any, state: Any, random: Any, out: Any) -> Any:
    """Two tiles are exchanged, and those told who stood on them (R21, R22); the event is REFUSED or DONE."""
    load_for_exchange(data, work, state)
    first, second = exchanged(data, work, random)
    if first < 0:
        return REFUSED
    words = words_of(data)
    remembers = out.shape[0] > words
    for robot in range(data[ROBOTS] if remembers else 0):
        if work[STOOD + robot] in (first, second):
            noticed(out, words + robot, NOTICES, 1)
    all_carried(data, work, remembers, out)
    write_exchanged(data, work, state, first, second, out.reshape(1, out.shape[0]), 0)
    return DONE


@borrowing
def request(data: Any, work: Any, number: Any, random: Any, state: Any, out: Any) -> Any:
    """One request of what is loaded (R12); the event is REFUSED, DONE or WINNING."""
    robot, item = requested(data, number)
    turns, remembers = by_rule_b(data, robot) and item >= 3, out.shape[0] > words_of(data)
    event, hint = REFUSED, np.int64(-1)
    work[AUTO] = 0
    if turns:
        work[TURNS + robot] = (work[TURNS + robot] + item - 3) & 3
        event = DONE
    elif walk(data, work, robot, item):
        event = WINNING if work[CELLS + robot] == home_of(data, robot) else DONE
        hint = hint_drawn(data, work, robot, random)
    if remembers:
        told(work, words_of(data) + robot, item, event, hint, out)
    if event != REFUSED and not turns:
        all_carried(data, work, remembers, out)
    write(data, work, state, out.reshape(1, out.shape[0]), 0)
    return event


@kernel
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One request (R12), of which FAILED changes no more than what the robot knows; or the exchange (R21).

    The event is REFUSED, DONE or WINNING.
    """
    work = work_of(data)
    load(data, work, state)
    for word in range(state.shape[0]):
        out[word] = state[word]
    event = REFUSED
    if 0 <= number <= data[ACTIONS] and not is_won(data, work):
        if number < data[ACTIONS]:
            event = request(data, work, number, random, state, out)
        else:
            event = exchange(data, work, state, random, out)
    return 0, status_of(data, work), event


@kernel
def observe(data: Any, state: Any, robot: Any, out: Any) -> None:
    """What a robot knows (R31): uint8 (13,).

    Its rule, 1 for A and 2 for B; eight hints; its last request, from 1; the answer to it; and how often it
    has been told since then that a belt moved it, with SUCCESS and with WIN.
    """
    knowledge = state[words_of(data) + robot]
    out[0] = 1 + by_rule_b(data, robot)
    for hint in range(8):
        out[1 + hint] = (knowledge >> U(hint)) & _ONE
    out[9], out[10] = (knowledge >> ASKED) & _FOUR_BITS, (knowledge >> ANSWER) & _FOUR_BITS
    out[11], out[12] = (knowledge >> NOTICES) & _BYTE, (knowledge >> WIN_NOTICES) & _BYTE
