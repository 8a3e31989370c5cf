"""States of one to K words in open addressing, with parent links: what explorations keep.

`words` holds the states in the order they were found, K words each, so it is the queue as well.
`table` maps a hash to a state's number plus one (0 is empty), by linear probing, at most half full.
A state costs 8 K bytes, 4 for its parent, and 8 or more of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import borrowing, kernel

ONE = np.uint64(1)
_A = np.uint64(0xBF58476D1CE4E5B9)
_B = np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)

Word = Any
"""uint64."""
State = Any
"""uint64 array of shape (K,)."""
Words = Any
"""uint64 array of shape (n, K)."""
Table = Any
"""uint32 array; its length is a power of two."""


@kernel
def mix(value: Word) -> Word:
    """SplitMix64's finaliser, as `gridproof.core.rng.mix`."""
    value = (value ^ (value >> _S30)) * _A
    value = (value ^ (value >> _S27)) * _B
    return value ^ (value >> _S31)


@borrowing
def hash_of(state: State) -> Word:
    """A hash of K words: a polynomial of them, mixed once at the end."""
    value = _GOLDEN
    for i in range(state.shape[0]):
        value = value * _A + state[i]
    return mix(value)


@borrowing
def place_of(words: Words, table: Table, state: State, value: Word) -> Any:
    """The number of a state with that hash, or -1 - s when it is not there and belongs into slot s."""
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
    """The number of a state, or -1 - s when it is not there and belongs into slot s of the table."""
    return place_of(words, table, state, hash_of(state))


@kernel
def add_new(
    words: Words,
    parents: Any,
    table: Table,
    count: int,
    most: int,
    found: Words,
    hashes: Any,
    origins: Any,
    number: int,
) -> Any:
    """Add the first `number` of the found states to the first `count`, each once, until there are `most`.

    `hashes` are theirs, and `origins` the numbers of their parents. Returns the new count, or -1 - it when
    a state was left out.
    """
    for i in range(number):
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


@kernel
def rebuild(words: Words, count: int, table: Table) -> None:
    """Fill an empty table with the first `count` states, which are distinct."""
    mask = np.uint64(table.shape[0] - 1)
    for number in range(count):
        slot = hash_of(words[number]) & mask
        while table[slot] != 0:
            slot = (slot + ONE) & mask
        table[slot] = number + 1
