"""Sorted runs: distinct states in ascending order, in memory or in a file, and their merge.

States are rows of K words, uint64, compared word by word. Duplicates are found late: the successors of many states are sorted,
merged, and compared with the seen states, which are read in order (R. E. Korf, "Delayed duplicate detection", IJCAI 2003).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel
from gridproof.kernels.states import equal
from gridproof.search.thread_pool import Each

Array = np.ndarray[Any, Any]

STEP = 1 << 10
"""Rows from one that is kept in memory to the next one."""
_PIECE = 1 << 20  # rows that are merged at once
_GAP = 32  # steps that are rather read than left out
_MOST_STEPS = 1 << 9  # that are read at once

U = np.uint64
_EIGHT, _BYTE = U(8), U(255)


@kernel
def is_less(rows: Any, row: Any, others: Any, other: Any) -> Any:
    """Return whether a row is less than another one."""
    for word in range(rows.shape[1]):
        if rows[row, word] != others[other, word]:
            return rows[row, word] < others[other, word]
    return False


@kernel
def count_bytes(rows: Any, counts: Any) -> None:
    """Count the values of each byte of each word, into int64 (words, 8, 256)."""
    for row in range(rows.shape[0]):
        for word in range(rows.shape[1]):
            value = rows[row, word]
            for byte in range(8):
                counts[word, byte, value & _BYTE] += 1
                value >>= _EIGHT


@kernel
def scatter(source: Any, target: Any, word: Any, shift: Any, counts: Any) -> None:
    """Copy rows in the order of a byte, of whose values there are so many; rows with equal ones keep their order."""
    end = 0
    for digit in range(256):
        end += counts[digit]
        counts[digit] = end - counts[digit]
    for row in range(source.shape[0]):
        digit = (source[row, word] >> shift) & _BYTE
        place = counts[digit]
        counts[digit] += 1
        for other in range(source.shape[1]):
            target[place, other] = source[row, other]


@kernel
def copy_distinct(source: Any, rows: Any) -> Any:
    """Copy sorted rows, each once, to an array that may be the same; return how many they are."""
    count = 0
    for row in range(source.shape[0]):
        if count == 0 or not equal(source, row, rows, count - 1):
            for word in range(source.shape[1]):
                rows[count, word] = source[row, word]
            count += 1
    return count


@kernel
def sort_rows(rows: Any, room: Any) -> Any:
    """Sort rows, byte by byte from the last one, and remove repeated ones; return how many are left.

    `room` has the same shape. Bytes that are the same in all rows take no time.
    """
    size, words = rows.shape
    counts = np.zeros((words, 8, 256), np.int64)
    count_bytes(rows, counts)
    source, target = rows, room
    for word in range(words - 1, -1, -1):
        for byte in range(8):
            shift = _EIGHT * U(byte)
            if size and counts[word, byte, (source[0, word] >> shift) & _BYTE] < size:
                scatter(source, target, word, shift, counts[word, byte])
                source, target = target, source
    return copy_distinct(source, rows)


@kernel
def find_places(rows: Any, keys: Any, places: Any) -> None:
    """Write the place of each key in sorted rows: the number of rows that are less."""
    for key in range(keys.shape[0]):
        low, high = 0, rows.shape[0]
        while low < high:
            middle = (low + high) >> 1
            if is_less(rows, middle, keys, key):
                low = middle + 1
            else:
                high = middle
        places[key] = low


@kernel
def mark_common(rows: Any, others: Any, marks: Any) -> None:
    """Set the mark of each row that is among others to False; all are sorted."""
    other, size = 0, others.shape[0]
    for row in range(rows.shape[0]):
        while other < size and is_less(others, other, rows, row):
            other += 1
        if other == size:
            return
        if equal(rows, row, others, other):
            marks[row] = False


def places_of(rows: Array, keys: Array) -> Array:
    """Return the place of each key in sorted rows, int64."""
    places = np.empty(len(keys), np.int64)
    find_places(rows, keys, places)
    return places


class Run:
    """Sorted distinct rows.

    Parameters
    ----------
    read : function of the first row and a number of rows
    size : int
    index : uint64 array (size / STEP, words)
        Every STEP-th row.
    """

    def __init__(self, read: Callable[[int, int], Array], size: int, index: Array) -> None:
        self.read, self._size, self.index = read, size, index

    @classmethod
    def of(cls, rows: Array) -> Run:
        """Return a run in memory."""
        return cls(lambda first, count: rows[first : first + count], len(rows), rows[::STEP])

    def __len__(self) -> int:
        return self._size

    def place(self, key: Array) -> int:
        """Return the number of rows that are less than a key (words,)."""
        first = STEP * max(0, int(places_of(self.index, key[np.newaxis])[0]) - 1)
        return first + int(places_of(self.read(first, STEP), key[np.newaxis])[0])

    def remove_from(self, rows: Array) -> Array:
        """Return the sorted rows that are not in this run, of which it reads what is needed."""
        marks = np.ones(len(rows), bool)
        for first, last, begin, end in self._ranges(rows):
            mark_common(rows[first:last], self.read(STEP * begin, STEP * (end - begin)), marks[first:last])
        return rows[marks]

    def _ranges(self, rows: Array) -> Iterator[tuple[int, int, int, int]]:
        """Yield ranges of rows, and for each the range of steps that may have them."""
        after = places_of(self.index, rows)  # a row is behind this step's first row, or is that row
        steps = np.maximum(after - 1, 0)
        first = 0
        while first < len(rows):
            window = steps[first : first + _PIECE]
            limit = int(np.searchsorted(window, window[0] + _MOST_STEPS))
            gaps = np.flatnonzero(np.diff(window[:limit]) > _GAP)
            last = first + (int(gaps[0]) + 1 if len(gaps) else limit)
            yield first, last, int(steps[first]), int(after[last - 1]) + 1
            first = last


def merge(runs: Sequence[Run], seen: Sequence[Run], each: Each, threads: int) -> Iterator[Array]:
    """Yield the rows of all runs that are in none of those seen, each once, in order, some at a time."""
    edges = [[0] * len(runs), *_split(runs), [len(run) for run in runs]]
    pieces = list(itertools.pairwise(edges))

    def merge_piece(piece: tuple[list[int], list[int]]) -> Array:
        parts = [run.read(one, end - one) for run, one, end in zip(runs, *piece, strict=True) if end > one]
        rows = np.concatenate(parts) if len(parts) > 1 else parts[0] if parts else runs[0].index[:0]
        if len(parts) > 1:
            rows = rows[: sort_rows(rows, np.empty_like(rows))]
        for run in seen:
            rows = run.remove_from(rows) if len(run) and len(rows) else rows
        return rows

    for first in range(0, len(pieces), threads):
        yield from each(merge_piece, pieces[first : first + threads])


def _split(runs: Sequence[Run]) -> list[list[int]]:
    """Return places at which all runs are split, so that the pieces between them are not too large."""
    index = np.concatenate([run.index for run in runs])
    index = index[: sort_rows(index, np.empty_like(index))]
    keys = index[:: max(1, _PIECE // STEP)][1:]
    return [[run.place(key) for run in runs] for key in keys]
