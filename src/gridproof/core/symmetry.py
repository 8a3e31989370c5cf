"""How tables are turned and mirrored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

Table = tuple[tuple[T, ...], ...]
"""Rows of equal length, the top one first."""


def images(rows: Sequence[Sequence[T]]) -> Iterator[tuple[bool, int, Table[T]]]:
    """The eight images of a table: whether it was mirrored (left and right), then turned by how many quarters clockwise."""
    for mirrored in (False, True):
        table: Table[T] = tuple(tuple(row[::-1] if mirrored else row) for row in rows)
        for quarters in range(4):
            yield mirrored, quarters, table
            table = tuple(zip(*table[::-1], strict=True))
