"""States of one to K words in open addressing, with parent links: what explorations keep.

`words` holds the states in the order they were found, K words each, so it is the queue as well.
`table` maps a hash to a state's number plus one (0 is empty), by linear probing, at most half full.
A state costs 8 K bytes, 4 for its parent, and 8 or more of the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.kernels.compile import borrowing, kernel

ONE = np.uint64(1)
_A = np.uint64(0xBF58476D1CE4E5B9)
_B = np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_LISTED = 4096  # states: they stay in the cache

Word = Any
"""uint64."""
State = Any
"""uint64 array of shape (K,)."""
Words = Any
"""uint64 array of shape (n, K)."""
Table = Any
"""uint32 array; its length is a power of two."""


class States(NamedTuple):
    """States in the order they were found, with their parents, and where a hash finds them."""

    words: Words
    parents: Any
    """uint32 (n,)"""
    table: Table


class Buffer(NamedTuple):
    """States that threads have gathered for others, in parts of the same size, one behind the other."""

    words: Words
    hashes: Any
    """uint64 (n,)"""
    origins: Any
    """uint32 (n,): the numbers of their parents"""
    slots: Any
    """int64 (n,): the slots of the table that they have claimed"""
    listed: Any
    """uint32 (parts, owners, n): their places, by who has gathered them and who owns them"""
    numbers: Any
    """int64 (parts, owners or more): how many are listed"""


@kernel
def mix(value: Word) -> Word:
    """Mix a word by SplitMix64's finaliser, as `gridproof.core.rng.mix` does."""
    value = (value ^ (value >> _S30)) * _A
    value = (value ^ (value >> _S27)) * _B
    return value ^ (value >> _S31)


@borrowing
def hash_of(state: State) -> Word:
    """Return a hash of K words: a polynomial of them, mixed once at the end."""
    value = _GOLDEN
    for i in range(state.shape[0]):
        value = value * _A + state[i]
    return mix(value)


@borrowing
def place_of(words: Words, table: Table, state: State, value: Word) -> Any:
    """Return the number of a state with that hash, or -1 - s when it is missing and belongs into slot s."""
    mask = np.uint64(table.shape[0] - 1)
    slot = value & mask
    while True:
        number = np.int64(table[slot]) - 1
        if number < 0:
            return -1 - np.int64(slot)
        same = True
        for i in range(state.shape[0]):
            if words[number, i] != state[i]:
                same = False
                break
        if same:
            return number
        slot = (slot + ONE) & mask


@borrowing
def find(words: Words, table: Table, state: State) -> Any:
    """Return the number of a state, or -1 - s when it is missing and belongs into slot s of the table."""
    return place_of(words, table, state, hash_of(state))


@borrowing
def add_new(states: States, count: int, most: int, buffer: Buffer, first: int, last: int) -> Any:
    """Add the buffer's states from `first` to `last` to the first `count` states, each once, until there are `most`.

    Returns the new count, or -1 - it when a state was left out.
    """
    (words, parents, table), (found, hashes, origins, _, _, _) = states, buffer
    for i in range(first, last):
        place = place_of(words, table, found[i], hashes[i])
        if place < 0:
            if count >= most:
                return -1 - count
            for word in range(words.shape[1]):
                words[count, word] = found[i, word]
            parents[count] = origins[i]
            count += 1
            table[-1 - place] = count
    return count


# -- by several threads: each owns a part of the table, by where a state's hash points


KNOWN, BEYOND = -1, -2
"""Results instead of a slot: the table has the state already; the state belongs behind its owner's part of the table."""


def parts_of(table: Table, owners: int) -> list[int]:
    """Return the first slots of the owners' parts of a table, and its size."""
    return [-(-len(table) * owner // owners) for owner in range(owners + 1)]


@borrowing
def bits_of(table: Table) -> Any:
    """Return the number of bits of a hash that choose its slot."""
    bits = np.uint64(0)
    while ONE << bits < np.uint64(table.shape[0]):
        bits += ONE
    return bits


@borrowing
def owner_of(value: Word, bits: Any, owners: Any) -> Any:
    """Return the owner of a hash's slot, as `parts_of` has it, in a table of 2^bits slots."""
    return ((value & ((ONE << bits) - ONE)) * np.uint64(owners)) >> bits


@borrowing
def equal(words: Words, number: Any, others: Words, other: Any) -> Any:
    """Return whether two states are equal."""
    for i in range(words.shape[1]):  # noqa: SIM110  # numba compiles no generators
        if words[number, i] != others[other, i]:
            return False
    return True


@borrowing
def claim_slot(
    words: Words, table: Table, count: Any, found: Words, value: Word, place: Any, end: Any
) -> Any:
    """Claim a slot for a new state; KNOWN if the table has it; BEYOND if probing for it reaches `end`.

    Until it has its number, it stands in the table with its place behind the first `count` states.
    """
    mask = np.uint64(table.shape[0] - 1)
    slot = value & mask
    while True:
        number = np.int64(table[slot]) - 1
        if number < 0:
            table[slot] = count + place + 1
            return np.int64(slot)
        if number < count:
            same = equal(words, number, found, place)
        else:
            same = equal(found, number - count, found, place)
        if same:
            return np.int64(KNOWN)
        slot = (slot + ONE) & mask
        if slot == end:
            return np.int64(BEYOND)


@kernel
def claim(states: States, count: int, buffer: Buffer, owner: int, new: Any, end: Any) -> None:
    """Claim slots for the buffer's states that a thread owns, each once, in order: none from slot `end` on.

    `new` becomes larger by how many of each part are. Those that belong from `end` on stay listed, alone.
    """
    (words, _, table), (found, hashes, _, slots, listed, numbers) = states, buffer
    for row in range(new.shape[0]):
        left, more = 0, 0
        for i in range(numbers[row, owner]):
            place = np.int64(listed[row, owner, i])
            slots[place] = slot = claim_slot(words, table, count, found, hashes[place], place, end)
            more += slot >= 0
            if slot == BEYOND:
                listed[row, owner, left] = place
                left += 1
        numbers[row, owner] = left
        new[row] += more


@kernel
def settle(states: States, buffer: Buffer, first: int, last: int, count: int) -> None:
    """Number the buffer's states from `first` to `last` that have claimed a slot, in order, from `count` on."""
    (words, parents, table), (found, _, origins, slots, _, _) = states, buffer
    for place in range(first, last):
        slot = slots[place]
        if slot >= 0:
            for word in range(words.shape[1]):
                words[count, word] = found[place, word]
            parents[count] = origins[place]
            count += 1
            table[slot] = count


@borrowing
def rebuild(words: Words, count: int, table: Table) -> None:
    """Fill an empty table with the first `count` states, which are distinct."""
    mask = np.uint64(table.shape[0] - 1)
    for number in range(count):
        slot = hash_of(words[number]) & mask
        while table[slot] != 0:
            slot = (slot + ONE) & mask
        table[slot] = number + 1


@kernel
def rebuild_part(words: Words, count: int, table: Table, begin: Any, end: Any, late: Any) -> Any:
    """Fill the slots from `begin` to `end`, which one thread owns, as `rebuild` does.

    The numbers of states that belong behind them are left in `late`; returns how many these are. What belongs here is
    listed first, without a branch that nobody could predict.
    """
    mask, left, first = np.uint64(table.shape[0] - 1), 0, 0
    numbers, slots = np.empty(_LISTED, np.uint32), np.empty(_LISTED, np.uint64)
    while first < count:
        last, listed = min(count, first + _LISTED), 0
        for number in range(first, last):
            slot = hash_of(words[number]) & mask
            numbers[listed], slots[listed] = number, slot
            listed += (begin <= slot) & (slot < end)
        for i in range(listed):
            slot = slots[i]
            while slot != end and table[slot] != 0:
                slot += ONE
            if slot != end:
                table[slot] = numbers[i] + 1
            else:
                late[left] = numbers[i]
                left += 1
        first = last
    return left


@kernel
def rebuild_rest(words: Words, table: Table, late: Any) -> None:
    """Add the states with these numbers to the table, as `rebuild` does."""
    mask = np.uint64(table.shape[0] - 1)
    for number in late:
        slot = hash_of(words[number]) & mask
        while table[slot] != 0:
            slot = (slot + ONE) & mask
        table[slot] = number + 1
