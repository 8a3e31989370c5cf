"""Design of levels: their symmetry, and levels without one of their pieces."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from gridproof.core.extension import find_extension
from gridproof.core.position import Level

T = TypeVar("T")

Table = tuple[tuple[T, ...], ...]
"""Rows of equal length, the top one first."""


def images(rows: Sequence[Sequence[T]]) -> Iterator[tuple[bool, int, Table[T]]]:
    """Yield the eight images of a table, each with whether it was mirrored, and then turned by how many quarters clockwise."""
    for mirrored in (False, True):
        table: Table[T] = tuple(tuple(row[::-1] if mirrored else row) for row in rows)
        for quarters in range(4):
            yield mirrored, quarters, table
            table = tuple(zip(*table[::-1], strict=True))


@runtime_checkable
class Symmetry(Protocol):
    """Part of `DESIGN`, in the extension `design` of a game, that compares levels."""

    def canonical(self, level: Any, /) -> Hashable:
        """Return a value that levels share if they differ only by turning, mirroring and names."""


def canonical(level: Level) -> Hashable:
    """Return a value that levels share if they differ only by turning, mirroring and names, as far as their game knows."""
    design = find_extension(level.game, "design", Symmetry)
    return design.canonical(level) if design else level


@dataclass(frozen=True, slots=True)
class Ablation:
    """A level without one of its pieces, to find out whether that is needed."""

    piece: str
    """Name of the missing piece: "the box at (2, 1)"."""
    levels: tuple[Level, ...]
    """The level without it; several where it can be taken away in several ways, of which the best one counts."""
    place: tuple[int, int] | None = None
    """Its cell on the board of the game's look: columns from the left, rows from the top."""
    noun: str = ""
    """The missing piece without its place: "the box"; "" if its name says no place."""
    condition: str = "without {}"
    """The level without the piece in words, `{}` for its name: they follow "it can be won"."""
