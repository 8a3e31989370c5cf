"""How threads share a step of many games, compiled: by parts, each of which mostly stays with one thread.

A line of a cache that another processor has written takes as long to fetch as several games take to step: so each thread
has a share of the games, and writes what there is to tell of them into the arrays that the user gets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import Hole, inlined
from gridproof.kernels.shared import add, copy_bytes, load, rest, store

U = np.uint64

PART = 64
"""Games that a thread takes at once."""
LINE = 8
DONE_PARTS, AWAKE, SEEN_AT, MASKS_AT, REWARDS_AT, FLAGS_AT, LEVELS_AT, NEXT = 0, 8, 16, 17, 18, 19, 20, 24
"""Shared by the threads: the parts that others have done for whoever leads; how many threads wait for work; where the
arrays of `Told` are; and of each thread the next part of its share that nobody has taken. What several threads write lies
a line of 64 bytes apart, or processors would wait for each other."""
NO_ACTION = -1
ALONE, LEADS, ATTENDS = range(3)
"""What a thread does: all of a step, without a word to others; a step with others; its share of all steps."""
_PATIENCE = 4000
"""How often a thread looks for work before it sleeps: about a tenth of a millisecond."""
_SOON = 100
"""How often a thread looks, about three microseconds, before it takes what another one has begun and not done yet: to
fetch these games from the other processor's cache, and back for the next step, takes longer than to do them."""

step: Any = Hole()


@inlined
def copy_rows(array: Any, first: Any, last: Any, to: Any) -> None:
    """Rows of an array into another one of its shape, at an address."""
    width = array.strides[0]
    copy_bytes(array, width * first, width * last, to)


@inlined
def hand_over(world: Any, first: Any, last: Any) -> None:
    """What is kept of some games, into the arrays of whoever asked."""
    shared = world.shared
    copy_rows(world.seen, first, last, shared[SEEN_AT])
    copy_rows(world.masks, first, last, shared[MASKS_AT])
    copy_rows(world.levels, first, last, shared[LEVELS_AT])


@inlined
def threads_of(world: Any) -> Any:
    """How many threads share the steps."""
    return (world.shared.shape[0] - NEXT) // LINE


@inlined
def parts_of(world: Any) -> Any:
    """How many parts a step has."""
    return (world.games.shape[0] + PART - 1) // PART


@inlined
def share_of(world: Any, thread: Any) -> Any:
    """The first part of a thread's share."""
    return thread * parts_of(world) // threads_of(world)


@inlined
def publish(world: Any, actions: Any, told: Any, role: Any) -> None:
    """Note what is to be done and told; and let the parts be taken, if others are to help."""
    shared, most = world.shared, U(world.masks.shape[1])
    for number in range(U(actions.shape[0])):
        action = actions[number]
        world.actions[number] = action if U(action) < most else NO_ACTION  # negative ones are larger, too
    shared[SEEN_AT], shared[MASKS_AT] = told.seen.ctypes.data, told.masks.ctypes.data
    shared[REWARDS_AT], shared[FLAGS_AT] = told.rewards.ctypes.data, told.flags.ctypes.data
    shared[LEVELS_AT] = told.levels.ctypes.data
    if role == LEADS:
        store(shared, DONE_PARTS, 0)
        for thread in range(threads_of(world) - 1, -1, -1):  # the others' first, that they begin
            store(shared, NEXT + LINE * thread, share_of(world, thread))


@inlined
def taken(world: Any, number: Any, looked: Any) -> Any:
    """A part for that thread: of its own share, whose games are in its processor's cache; else of one that sleeps; or -1."""
    shared, threads, own = world.shared, threads_of(world), number
    for _ in range(threads):
        cursor, begin, end = NEXT + LINE * number, share_of(world, number), share_of(world, number + 1)
        part = load(shared, cursor)
        if part < end and (number == own or part == begin or looked > _SOON):
            part = add(shared, cursor, 1)
            if part < end:
                return part
        number = number + 1 if number + 1 < threads else 0
    return np.int64(-1)


def work(world: Any, room: Any, actions: Any, told: Any, role: Any) -> None:
    """A step of all games; or, for one that attends, parts of all steps, until there has been none for a while.

    Who attends does nothing with actions and what is told. All roles are one function, or all would be compiled twice.
    """
    shared, games, parts, done, looked = world.shared, world.games.shape[0], parts_of(world), 0, 0
    if role == ATTENDS:
        add(shared, AWAKE, 1)
    else:
        publish(world, actions, told, role)
    while looked < _PATIENCE:
        part = taken(world, room.number, looked) if role != ALONE else np.int64(done if done < parts else -1)
        if part >= 0:
            first, last = part * PART, min((part + 1) * PART, games)
            for number in range(U(first), U(last)):
                step(world, room, number)
            hand_over(world, first, last)
            looked, done = 0, done + 1
            if role == ATTENDS:
                add(shared, DONE_PARTS, 1)
        elif role == ALONE or (role == LEADS and done + load(shared, DONE_PARTS) >= parts):
            return
        else:
            rest()
            looked += role == ATTENDS or looked <= _SOON  # who leads never goes before the end
    add(shared, AWAKE, -1)
