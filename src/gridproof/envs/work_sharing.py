"""Compiled sharing of a step among threads: by parts, each of which mostly stays with one thread.

A cache line that another processor has written takes as long to fetch as several games take to step: so each thread
has a share of the games, and writes their results into the arrays of the user.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.atomics import add, copy_bytes, load, rest, store
from gridproof.kernels.compile import Hole, inlined

U = np.uint64

PART = 64
"""Games that a thread takes at once."""
LINE = 8
DONE_PARTS, AWAKE, SEEN_AT, MASKS_AT, REWARDS_AT, FLAGS_AT, LEVELS_AT, NEXT = 0, 8, 16, 17, 18, 19, 20, 24
"""Shared by the threads: the number of parts that others have done for the leader; the number of awake threads; the
addresses of the arrays of `StepResult`; and the next free part of each thread's share. Words that several threads write
lie 64 bytes apart, or processors would wait for each other."""
ALONE, LEADS, ATTENDS = range(3)
"""Roles of a thread: all of a step alone; a step with others; a share of all steps."""
_PATIENCE = 4000
"""Number of checks for work before a thread sleeps: about a tenth of a millisecond."""
_SOON = 100
"""Number of checks, about three microseconds, before a thread takes parts of a share that another one has begun: to fetch
these games from the other processor's cache, and back for the next step, takes longer than to step them."""

step: Any = Hole()


@inlined
def copy_rows(array: Any, first: Any, last: Any, to: Any) -> None:
    """Copy rows of an array into another one of its shape, at an address."""
    width = array.strides[0]
    copy_bytes(array, width * first, width * last, to)


@inlined
def copy_results(world: Any, first: Any, last: Any) -> None:
    """Copy the observations of some games into the caller's arrays."""
    shared = world.shared
    copy_rows(world.seen, first, last, shared[SEEN_AT])
    copy_rows(world.masks, first, last, shared[MASKS_AT])
    copy_rows(world.levels, first, last, shared[LEVELS_AT])


@inlined
def thread_count(world: Any) -> Any:
    """Return the number of threads that share the steps."""
    return (world.shared.shape[0] - NEXT) // LINE


@inlined
def part_count(world: Any) -> Any:
    """Return the number of parts of a step."""
    return (world.games.shape[0] + PART - 1) // PART


@inlined
def share_start(world: Any, thread: Any) -> Any:
    """Return the first part of a thread's share."""
    return thread * part_count(world) // thread_count(world)


@inlined
def publish(world: Any, actions: Any, result: Any, role: Any) -> Any:
    """Publish actions and result arrays, and the parts for other threads.

    Return whether all actions exist; if not, publish nothing.
    """
    shared, most = world.shared, U(world.masks.shape[1])
    wrong: Any = 0
    for number in range(U(actions.shape[0])):
        wrong |= U(actions[number]) >= most  # negative ones are larger, too
    if wrong != 0:
        return False
    for number in range(U(actions.shape[0])):
        world.actions[number] = actions[number]
    shared[SEEN_AT], shared[MASKS_AT] = result.seen.ctypes.data, result.masks.ctypes.data
    shared[REWARDS_AT], shared[FLAGS_AT] = result.rewards.ctypes.data, result.flags.ctypes.data
    shared[LEVELS_AT] = result.levels.ctypes.data
    if role == LEADS:
        store(shared, DONE_PARTS, 0)
        for thread in range(thread_count(world) - 1, -1, -1):  # the others' first, so that they begin
            store(shared, NEXT + LINE * thread, share_start(world, thread))
    return True


@inlined
def take_part(world: Any, number: Any, looked: Any) -> Any:
    """Return a part for a thread: of its own share, which is in its processor's cache; else of a sleeping one; or -1."""
    shared, threads, own = world.shared, thread_count(world), number
    for _ in range(threads):
        cursor, begin, end = NEXT + LINE * number, share_start(world, number), share_start(world, number + 1)
        part = load(shared, cursor)
        if part < end and (number == own or part == begin or looked > _SOON):
            part = add(shared, cursor, 1)
            if part < end:
                return part
        number = number + 1 if number + 1 < threads else 0
    return np.int64(-1)


def work(world: Any, scratch: Any, actions: Any, result: Any, role: Any) -> Any:
    """Step all games; as an attendant, take parts of all steps until there was none for a while.

    Return whether all actions exist; if not, no game changes. An attendant ignores `actions` and `result`. All roles are
    one function, or they would be compiled twice.
    """
    shared, games, parts, done, looked = world.shared, world.games.shape[0], part_count(world), 0, 0
    if role == ATTENDS:
        add(shared, AWAKE, 1)
    elif not publish(world, actions, result, role):
        return False
    while looked < _PATIENCE:
        part = (
            take_part(world, scratch.number, looked)
            if role != ALONE
            else np.int64(done if done < parts else -1)
        )
        if part >= 0:
            first, last = part * PART, min((part + 1) * PART, games)
            for number in range(U(first), U(last)):
                step(world, scratch, number)
            copy_results(world, first, last)
            looked, done = 0, done + 1
            if role == ATTENDS:
                add(shared, DONE_PARTS, 1)
        elif role == ALONE or (role == LEADS and done + load(shared, DONE_PARTS) >= parts):
            return True
        else:
            rest()
            looked += role == ATTENDS or looked <= _SOON  # the leader never leaves before the end
    add(shared, AWAKE, -1)
    return True
