"""Tables of structures: the rows of one symbol, and their order."""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gridproof.core.immutable import FrozenDict
from gridproof.games.shiftit.elements import Call, Element, Real
from gridproof.games.shiftit.idp import vocabulary
from gridproof.games.shiftit.idp.vocabulary import LISTED

Row: TypeAlias = tuple[Element, ...]
"""The arguments of a predicate; of a function, the arguments and the value."""

TRUTHS = ("", "ct", "cf", "u")
"""The kinds of rows: exactly these (`=`), certainly true, certainly false, unknown."""


_NO_ROWS = frozenset[Row]()


@dataclass(frozen=True)
class Table:
    """The rows of one symbol in a structure.

    Parameters
    ----------
    rows_by_truth : mapping from one of TRUTHS to rows
        "" excludes the others. With `ct` and `cf`, rows that are not listed are unknown. With `u`, which lists all
        unknown rows, they are false, or true when only `cf` stands beside it.
    function : bool
        True if the last element of a row is a value.
    """

    rows_by_truth: Mapping[str, frozenset[Row]]
    function: bool
    certain: frozenset[Row] = field(init=False, compare=False, repr=False)
    """The rows listed as true."""
    values: Mapping[Row, Element] = field(init=False, compare=False, repr=False)
    """The certain values of a function."""

    def __post_init__(self) -> None:
        rows = {
            truth: frozenset(self.rows_by_truth[truth]) for truth in TRUTHS if truth in self.rows_by_truth
        }
        certain = rows.get("", _NO_ROWS)
        if "ct" in rows:
            certain |= rows["ct"]
        values = {row[:-1]: row[-1] for row in certain if row} if self.function else {}
        for name, value in (("rows_by_truth", FrozenDict(rows)), ("certain", certain), ("values", values)):
            object.__setattr__(self, name, value)

    @property
    def _default_truth(self) -> bool | None:
        """The truth of rows that are not listed."""
        if "" in self.rows_by_truth:
            return False
        if "u" not in self.rows_by_truth:
            return None
        return "cf" in self.rows_by_truth and "ct" not in self.rows_by_truth

    def holds(self, row: Row) -> bool | None:
        """Return whether a row is true, false, or unknown (None)."""
        for truth, answer in (("", True), ("ct", True), ("cf", False), ("u", None)):
            if row in self.rows_by_truth.get(truth, ()):
                return answer
        return self._default_truth

    def leaves(self, place: int, type_name: str) -> Iterator[tuple[str, set[Element]]]:
        """Yield the elements of listed types in one place of all rows, with their types."""
        column = {row[place] for rows in self.rows_by_truth.values() for row in rows}
        if type_name in LISTED:
            yield type_name, column
            return
        for element in column:
            for name, leaf in vocabulary.leaves(type_name, element):
                yield name, {leaf}

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Yield all listed rows in their fixed order, each with its kind."""
        for truth, rows in self.rows_by_truth.items():
            for row in sort_rows(rows):
                yield truth, row


_DIGITS = re.compile("([0-9]+)")


def first_rows(rows: Collection[Row], most: int) -> list[Row]:
    """Return the first of some rows in their fixed order."""
    return heapq.nsmallest(most, rows, key=_row_rank)


def sort_rows(rows: frozenset[Row]) -> list[Row]:
    """Return rows in a fixed order: numbers by size, names with their numbers by size."""
    return sorted(rows, key=_row_rank)


def _row_rank(row: Row) -> list[tuple[object, ...]]:
    return [element_rank(element) for element in row]


def element_rank(element: Element) -> tuple[object, ...]:
    """Return the sort key of an element: numbers come first, then names, then compound elements."""
    if isinstance(element, Real):
        return (0, float(element.text), element.text)
    if isinstance(element, Call):
        return (2, element.name, *map(element_rank, element.arguments))
    if isinstance(element, int):
        return (0, element, "")
    parts: list[object] = _DIGITS.split(element)
    parts[1::2] = [(len(str(part)), part) for part in parts[1::2]]
    return (1, tuple(parts), element)
