"""Kernels of play: requests and exchanges one by one, and robots' knowledge of them (R12-R22, R31).

A play is a state and, behind its words, a word for each robot: its knowledge. A state alone can be played,
too, without any memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.hints import HINT_MAPPING, Hint
from gridproof.games.robots.kernel.exchanges import draw_exchange, load_for_exchange, write_exchange
from gridproof.games.robots.kernel.steps import (
    ACTIONS,
    AUTO,
    CARRIES,
    CELLS,
    OLD_CELLS,
    ROBOTS,
    TILE_WORDS,
    TURNS,
    WINS,
    allocate_work,
    count_hints,
    has_rule_b,
    home_direction,
    home_of,
    is_on_hint,
    is_won,
    load_state,
    run_belts,
    status_of,
    try_walk,
    write_state,
)
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, kernel
from gridproof.kernels.game import DONE, REFUSED

U = np.uint64

HINTS, ASKED, ANSWER, NOTICES, WIN_NOTICES = (U(bit) for bit in (0, 8, 12, 16, 24))
"""Bits of a robot's knowledge: a bit for each of its hints, as it sees them, in the order of `Hint`; its last
request, from 1, among those of its rule; the answer, FAILED, SUCCESS or WIN as 1, 2, 3; and the number of notices
since then that a belt moved it, with SUCCESS and with WIN, at most 255 each."""
_BYTE, _FOUR_BITS = U(255), U(15)
_ONE = U(1)
WINNING = 2
"""Event of a request that is answered WIN (R17)."""
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
"""Hints that are true on the board, by the direction of home (R19)."""


@borrowing
def add_notices(state: Any, place: Any, shift: Any, times: Any) -> None:
    """Tell a robot some times that a belt has moved it; it forgets its hints (R18, R20)."""
    before = np.int64((state[place] >> shift) & _BYTE)
    state[place] &= ~(_BYTE << shift)
    state[place] |= U(min(before + times, 255)) << shift
    state[place] &= ~_BYTE


@borrowing
def state_words(data: Any) -> Any:
    """Return the number of a state's words, behind which knowledge begins."""
    return data[TILE_WORDS] + (data[ROBOTS] + 3) // 4


@borrowing
def decode_request(data: Any, number: Any) -> Any:
    """Return the robot of a request, and the request's number in the robot's rule."""
    robot = 0
    while number >= (7 if has_rule_b(data, robot) else 4):
        number -= 7 if has_rule_b(data, robot) else 4
        robot += 1
    return robot, number


@borrowing
def draw_hint(data: Any, work: Any, robot: Any, random: Any) -> Any:
    """Draw a hint at the end of a robot's walk (R19), as the robot sees it; -1 without one."""
    if not is_on_hint(data, work, robot):
        return np.int64(-1)
    count = count_hints(data, work, robot)
    drawn = below(random, count) if count > 1 else 0
    return (_DIRECTIONS[home_direction(data, work, robot), drawn] - 2 * work[TURNS + robot]) & 7


@borrowing
def record_answer(work: Any, place: Any, item: Any, event: Any, hint: Any, out: Any) -> None:
    """Record the answer to a robot; by auto movement it forgets its hints, before it gets one (R18)."""
    out[place] &= _BYTE
    out[place] |= U(item + 1) << ASKED | U(event + 1) << ANSWER
    if event != REFUSED and work[AUTO]:
        add_notices(out, place, WIN_NOTICES if event == WINNING else NOTICES, 1)
    if hint >= 0:
        out[place] |= _ONE << U(hint)


@borrowing
def run_belts_and_notify(data: Any, work: Any, remembers: Any, out: Any) -> None:
    """Start belts again, and tell the robots that are carried on (R20)."""
    for robot in range(data[ROBOTS]):
        work[CARRIES + robot] = work[WINS + robot] = 0
    run_belts(data, work)
    for robot in range(data[ROBOTS] if remembers else 0):
        if work[CARRIES + robot]:
            add_notices(out, state_words(data) + robot, NOTICES, work[CARRIES + robot])
        if work[WINS + robot]:
            add_notices(out, state_words(data) + robot, WIN_NOTICES, work[WINS + robot])


@borrowing
def serve_exchange(data: Any, work: Any, state: Any, random: Any, out: Any) -> Any:
    """Exchange two tiles, and tell the robots on them (R21, R22); return the event REFUSED or DONE."""
    load_for_exchange(data, work, state)
    first, second = draw_exchange(data, work, random)
    if first < 0:
        return REFUSED
    words = state_words(data)
    remembers = out.shape[0] > words
    for robot in range(data[ROBOTS] if remembers else 0):
        if work[OLD_CELLS + robot] in (first, second):
            add_notices(out, words + robot, NOTICES, 1)
    run_belts_and_notify(data, work, remembers, out)
    write_exchange(data, work, state, first, second, out.reshape(1, out.shape[0]), 0)
    return DONE


@borrowing
def serve_request(data: Any, work: Any, number: Any, random: Any, state: Any, out: Any) -> Any:
    """Serve a request in the loaded state (R12); return the event REFUSED, DONE or WINNING."""
    robot, item = decode_request(data, number)
    turns, remembers = has_rule_b(data, robot) and item >= 3, out.shape[0] > state_words(data)
    event, hint = REFUSED, np.int64(-1)
    work[AUTO] = 0
    if turns:
        work[TURNS + robot] = (work[TURNS + robot] + item - 3) & 3
        event = DONE
    elif try_walk(data, work, robot, item):
        event = WINNING if work[CELLS + robot] == home_of(data, robot) else DONE
        hint = draw_hint(data, work, robot, random)
    if remembers:
        record_answer(work, state_words(data) + robot, item, event, hint, out)
    if event != REFUSED and not turns:
        run_belts_and_notify(data, work, remembers, out)
    write_state(data, work, state, out.reshape(1, out.shape[0]), 0)
    return event


@kernel
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Serve a request (R12), of which FAILED changes the robot's knowledge alone, or the exchange (R21).

    The event is REFUSED, DONE or WINNING.
    """
    work = allocate_work(data)
    load_state(data, work, state)
    for word in range(state.shape[0]):
        out[word] = state[word]
    event = REFUSED
    if 0 <= number <= data[ACTIONS] and not is_won(data, work):
        if number < data[ACTIONS]:
            event = serve_request(data, work, number, random, state, out)
        else:
            event = serve_exchange(data, work, state, random, out)
    return 0, status_of(data, work), event


@kernel
def observe(data: Any, state: Any, robot: Any, out: Any) -> None:
    """Write a robot's knowledge (R31): uint8 (13,).

    Its rule, 1 for A and 2 for B; eight hints; its last request, from 1; the answer to it; and the numbers of
    notices since then that a belt moved it, with SUCCESS and with WIN.
    """
    knowledge = state[state_words(data) + robot]
    out[0] = 1 + has_rule_b(data, robot)
    for hint in range(8):
        out[1 + hint] = (knowledge >> U(hint)) & _ONE
    out[9], out[10] = (knowledge >> ASKED) & _FOUR_BITS, (knowledge >> ANSWER) & _FOUR_BITS
    out[11], out[12] = (knowledge >> NOTICES) & _BYTE, (knowledge >> WIN_NOTICES) & _BYTE
