"""Open addressing beside Python's own sets."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core import rng as core
from gridproof.kernels.states import Buffer, States, add_new, find, hash_of, mix, rebuild


class Kept:
    """A set of states as searches keep it, growing by doubling."""

    def __init__(self, words: int, room: int = 2) -> None:
        self.words = np.zeros((room, words), np.uint64)
        self.table = np.zeros(2 * room, np.uint32)
        self.count = 0

    def add(self, state: Any) -> int:
        """The number of a state, found or new."""
        found = int(find(self.words, self.table, state))
        if found >= 0:
            return found
        self.words[self.count] = state
        self.table[-1 - found] = self.count + 1
        self.count += 1
        if self.count == len(self.words):
            self.words = np.concatenate([self.words, np.zeros_like(self.words)])
            self.table = np.zeros(2 * len(self.table), np.uint32)
            rebuild(self.words, self.count, self.table)
        return self.count - 1


@pytest.mark.parametrize("words", [1, 2, 5])
def test_growing_set_agrees_with_python_set(words: int) -> None:
    draw = random.Random(words)
    few = [0, 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15]  # states that differ in one word alone
    kept, numbers = Kept(words), dict[tuple[int, ...], int]()
    for _ in range(5000):
        state = tuple(draw.choice(few) if draw.random() < 0.9 else draw.getrandbits(64) for _ in range(words))
        wanted = numbers.setdefault(state, len(numbers))
        assert kept.add(np.array(state, np.uint64)) == wanted
    assert kept.count == len(numbers) > words
    assert [tuple(row) for row in kept.words[: kept.count].tolist()] == list(numbers)
    for state, number in numbers.items():
        assert find(kept.words, kept.table, np.array(state, np.uint64)) == number
    assert np.count_nonzero(kept.table) == kept.count


def buffer_of(found: Any, origins: Any) -> Buffer:
    """States that one thread has gathered."""
    hashes, none = np.array([hash_of(state) for state in found], np.uint64), np.zeros((1, 1), np.int64)
    return Buffer(found, hashes, origins, none[0], np.zeros((1, 1, 0), np.uint32), none)


@pytest.mark.parametrize("words", [1, 2, 5])
def test_adding_many_agrees_with_adding_each(words: int) -> None:
    draw = random.Random(words)
    one, many = Kept(words, room=1 << 10), Kept(words, room=1 << 10)
    parents, origins = np.zeros(1 << 10, np.uint32), np.arange(12, dtype=np.uint32)
    for _ in range(40):
        found = np.array([[draw.randrange(4) for _ in range(words)] for _ in range(12)], np.uint64)
        number = draw.randrange(13)
        for state in found[:number]:
            one.add(state)
        states, buffer = States(many.words, parents, many.table), buffer_of(found, origins)
        many.count = int(add_new(states, many.count, 1 << 10, buffer, 0, number))
        assert many.count == one.count
        assert (many.words == one.words).all()
        assert (many.table == one.table).all()


def test_set_stops_at_its_capacity() -> None:
    kept, parents = Kept(1, room=8), np.zeros(8, np.uint32)
    found = np.array([[5], [6], [5], [7], [6], [8]], np.uint64)
    states, buffer = (
        States(kept.words, parents, kept.table),
        buffer_of(found, np.arange(10, 16, dtype=np.uint32)),
    )
    assert add_new(states, 0, 3, buffer, 0, 5) == 3
    assert (kept.words[:4, 0].tolist(), parents[:4].tolist()) == ([5, 6, 7, 0], [10, 11, 13, 0])
    assert add_new(states, 3, 3, buffer, 0, 5) == 3
    assert add_new(states, 3, 3, buffer, 0, 6) == -1 - 3


def test_find_returns_slot_of_missing_state() -> None:
    kept = Kept(1, room=8)
    for number in range(7):
        kept.add(np.array([number], np.uint64))
    slot = -1 - int(find(kept.words, kept.table, np.array([99], np.uint64)))
    assert 0 <= slot < len(kept.table)
    assert kept.table[slot] == 0


def test_probing_wraps_around_at_the_last_slot() -> None:
    kept = Kept(1, room=4)
    last = [n for n in range(200) if int(hash_of(np.array([n], np.uint64))) % 8 == 7][:3]
    for number, one in enumerate(last):
        assert kept.add(np.array([one], np.uint64)) == number
    assert kept.table[[7, 0, 1]].tolist() == [1, 2, 3]


@given(st.integers(0, 2**64 - 1))
def test_mix_agrees_with_core(value: int) -> None:
    assert int(mix(np.uint64(value))) == core.mix(value)
