"""Parallel insertion: several threads add the same states as one thread, number for number."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.kernels.test_states import Kept

from gridproof.kernels.states import (
    States,
    bits_of,
    find,
    hash_of,
    owner_of,
    parts_of,
    rebuild,
    rebuild_part,
    rebuild_rest,
)
from gridproof.search.state_store import InsertBuffer
from gridproof.search.thread_pool import thread_map

ROOM = 8  # states of a part


def store(words: int, room: int, most: int = 1 << 20) -> Any:
    """An empty store; its table is half full when all its room is taken."""
    kept = Kept(words, room=room)
    parents = np.zeros(room, np.uint32)
    arrays = States(kept.words, parents, kept.table)
    return SimpleNamespace(**arrays._asdict(), arrays=arrays, count=0, most=most)


def gather(into: InsertBuffer, parts: list[list[tuple[int, ...]]], table: Any, owners: int) -> list[int]:
    """Gather these successors as `search.packed.gather` does; return the ends of the parts."""
    ends = []
    words, hashes, origins, _, listed, numbers = into.arrays
    for part, states in enumerate(parts):
        place = part * ROOM
        numbers[part] = 0
        for state in states:
            words[place], origins[place] = state, place
            hashes[place] = hash_of(words[place])
            if owners > 1:
                owner = int(owner_of(hashes[place], np.uint64(bits_of(table)), owners))
                listed[part, owner, numbers[part, owner]] = place
                numbers[part, owner] += 1
            place += 1
        ends.append(place)
    return ends


@pytest.mark.parametrize("owners", [2, 3, 5])
@pytest.mark.parametrize("words", [1, 3])
def test_numbers_do_not_depend_on_threads(words: int, owners: int) -> None:
    draw = random.Random(10 * words + owners)
    for room in (16, 64, 256):
        alone, shared = store(words, room), store(words, room)
        one, many = InsertBuffer(4, ROOM, words, 1), InsertBuffer(4, ROOM, words, owners)
        with thread_map(owners) as each:
            for _ in range(12):
                parts = [
                    [tuple(draw.randrange(30) for _ in range(words)) for _ in range(draw.randrange(ROOM + 1))]
                    for _ in range(draw.randrange(1, 5))
                ]
                ends = [gather(into, parts, alone.table, n) for into, n in ((one, 1), (many, owners))]
                added = one.add(alone, ends[0], map), many.add(shared, ends[1], each)
                assert added[0] == added[1]
                assert alone.count == shared.count
                assert (alone.words == shared.words).all()
                assert (alone.parents == shared.parents).all()
                assert np.count_nonzero(shared.table) == shared.count
                for number in range(shared.count):
                    assert find(shared.words, shared.table, shared.words[number]) == number
        assert room > 16 or alone.count == room  # it was filled


@pytest.mark.parametrize("owners", [1, 2, 3])
def test_insert_stops_at_the_room(owners: int) -> None:
    kept, into = store(1, 16, most=5), InsertBuffer(2, ROOM, 1, owners)
    parts: list[list[tuple[int, ...]]] = [[(1,), (2,), (1,), (3,)], [(4,), (2,), (5,), (6,)]]
    with thread_map(owners) as each:
        ends = gather(into, parts, kept.table, owners)
        assert into.total(ends) == 8
        assert not into.add(kept, ends, each)
    assert (kept.count, kept.words[:6, 0].tolist()) == (5, [1, 2, 3, 4, 5, 0])


@pytest.mark.parametrize("owners", [1, 2, 3, 7])
def test_table_rebuilt_by_its_owners(owners: int) -> None:
    draw = np.random.default_rng(owners)
    for count in (0, 1, 5, 30, 31, 5000):
        words = draw.permutation(np.arange(10 * count, dtype=np.uint64))[:count].reshape(count, 1)
        table, wanted = (np.zeros(1 << (2 * count).bit_length(), np.uint32) for _ in range(2))
        rebuild(words, count, wanted)
        edges, late = np.array(parts_of(table, owners), np.uint64), np.zeros(max(count, 1), np.uint32)
        rest = []
        for begin, end in itertools.pairwise(edges):
            left = rebuild_part(words, count, table, begin, end, late)
            rest += late[:left].tolist()
        assert len(rest) + np.count_nonzero(table) == count
        rebuild_rest(words, table, np.array(rest, np.uint32))
        assert ((table == 0) == (wanted == 0)).all()  # which slots are taken does not depend on the order
        for number in range(count):
            assert find(words, table, words[number]) == number
