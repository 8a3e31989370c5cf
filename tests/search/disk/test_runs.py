"""Sorted runs against sets of tuples: sorting, places, merging, removal of what is seen."""

from __future__ import annotations

import bisect
import random
from typing import Any

import numpy as np
import pytest

from gridproof.search.disk import runs
from gridproof.search.disk.runs import Run, merge, places_of, sort_rows

Array = np.ndarray[Any, Any]
Row = tuple[int, ...]


def draw_rows(draw: random.Random, words: int, most: int, bits: int) -> list[Row]:
    """Draw rows, some of them equal, whose words have equal bytes in between."""
    shifts = [draw.choice([0, 3, 24, 64 - bits]) for _ in range(words)]
    return [tuple(draw.getrandbits(bits) << shift for shift in shifts) for _ in range(draw.randrange(most))]


def array(rows: list[Row], words: int) -> Array:
    return np.array(rows, np.uint64).reshape(-1, words)


def rows_of(values: Array) -> list[Row]:
    return [tuple(row) for row in values.tolist()]


CASES = [(seed, words) for seed in range(20) for words in (1, 2, 4)]


@pytest.mark.parametrize(("seed", "words"), CASES)
def test_sorted_rows_are_distinct(seed: int, words: int) -> None:
    rows = draw_rows(random.Random(seed), words, 300, 7)
    values = array(rows, words)
    count = int(sort_rows(values, np.empty_like(values)))
    assert rows_of(values[:count]) == sorted(set(rows))


@pytest.mark.parametrize(("seed", "words"), CASES)
def test_places_are_numbers_of_smaller_rows(seed: int, words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "STEP", 3)
    draw = random.Random(seed)
    rows, keys = (sorted(set(draw_rows(draw, words, 60, 4))) for _ in range(2))
    expected = [bisect.bisect_left(rows, key) for key in keys]
    run = Run.of(array(rows, words))
    assert places_of(array(rows, words), array(keys, words)).tolist() == expected
    assert [run.place(key) for key in array(keys, words)] == expected


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "words"), CASES)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_merged_runs_have_each_new_row_once(
    seed: int, words: int, is_sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"STEP": 2, "_PIECE": 6, "_GAP": 1, "_MOST_STEPS": 4}.items():
        monkeypatch.setattr(runs, name, value)
    draw = random.Random(seed)
    lists = [sorted(set(draw_rows(draw, words, 40, 6))) for _ in range(draw.randrange(1, 4))]
    seen = [sorted(set(draw_rows(draw, words, 400 if is_sparse else 40, 6))) for _ in range(2)]
    for threads in (1, 2):
        found = merge(
            [Run.of(array(rows, words)) for rows in lists],
            [Run.of(array(rows, words)) for rows in seen],
            map,
            threads,
        )
        merged = [row for rows in found for row in rows_of(rows)]
        assert merged == sorted(set().union(*lists) - set().union(*seen))


def test_run_reads_only_steps_that_may_have_rows() -> None:
    rows, read = np.arange(0, 2_000_000, 2, dtype=np.uint64).reshape(-1, 1), list[int]()

    def count(first: int, number: int) -> Array:
        read.append(number)
        return rows[first : first + number]

    run = Run(count, len(rows), rows[:: runs.STEP])
    left = run.remove_from(np.array([[5], [8], [900_001], [1_500_000], [1_999_999], [3_000_000]], np.uint64))
    assert left.ravel().tolist() == [5, 900_001, 1_999_999, 3_000_000]
    assert sum(read) <= 5 * 2 * runs.STEP
