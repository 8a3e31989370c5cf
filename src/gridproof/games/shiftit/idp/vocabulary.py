"""ShiftItVoc: the symbols of the source document with their types, unchanged (S17), and tables of their rows."""

from __future__ import annotations

import heapq
import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from gridproof.core.immutable import FrozenDict
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, Real, spell

NAME = "ShiftItVoc"

LISTED = ("Time", "Co", "XCo", "YCo", "Tile", "Colour")
"""The types that a structure lists; by default a type has the elements that occur."""

CONSTRUCTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Pos": {"P": ("XCo", "YCo")},
    "Dir": dict.fromkeys(DIRECTIONS, ()),
    "Move": {"RM": ("YCo", "Dir"), "CM": ("XCo", "Dir")},
    "Side": {"S": ("Tile", "Dir")},
}
"""The types with constructors for their elements; a structure does not list them."""

SUPERTYPE = "Co"
SUBTYPES = ("XCo", "YCo")
"""Co is their union; a structure that lists it lists this union."""

BUILT_IN = frozenset({"int", "nat", "float", "char", "string"})
"""Types of the language itself, for symbols that a structure adds."""


class Symbol(NamedTuple):
    """A predicate, a function or a constant."""

    name: str
    types: tuple[str, ...]
    """The types of the arguments."""
    result: str | None = None
    """The type of a function's value; None for a predicate."""
    partial: bool = False
    """True if the function may be undefined."""

    @property
    def row_types(self) -> tuple[str, ...]:
        """The types of the arguments and the value."""
        return self.types if self.result is None else (*self.types, self.result)


SYMBOLS: Mapping[str, Symbol] = {
    symbol.name: symbol
    for symbol in (
        Symbol("Start", (), "Time"),
        Symbol("Next", ("Time",), "Time", partial=True),
        Symbol("MoveAt", ("Time",), "Move", partial=True),
        Symbol("GetPos", ("Time", "Tile"), "Pos"),
        Symbol("Init_GetPos", ("Tile",), "Pos"),
        Symbol("C_GetPos", ("Time", "Tile"), "Pos", partial=True),
        Symbol("CN_GetPos", ("Time", "Tile"), "Pos", partial=True),
        Symbol("IsLocked", ("Tile",)),
        Symbol("Colouring", ("Side",), "Colour"),
        Symbol("Init_Colouring_Full", ("Tile",), "Colour", partial=True),
        Symbol("Init_Colouring", ("Side",), "Colour", partial=True),
        Symbol("Reach", ("Time", "Side", "Colour")),
        Symbol("Ref", ("Colour",), "Side", partial=True),
        Symbol("GameEnded", ("Time",)),
        Symbol("Won", ("Time",)),
    )
}


ROW_TYPES = {name: symbol.row_types for name, symbol in SYMBOLS.items()}
"""The types of each symbol's rows."""

LISTED_PARTS = {name: (name,) for name in LISTED} | {
    name: tuple(
        dict.fromkeys(inner for types in forms.values() for inner in types if inner not in CONSTRUCTED)
    )
    for name, forms in CONSTRUCTED.items()
}
"""The listed types of the parts of elements of each type."""


class TypeMismatch(Exception):
    """An error: an element does not have the form of its type; `str` gives the message."""


def leaves(type_name: str, element: Element) -> list[tuple[str, Element]]:
    """Return the elements of listed types in an element of any type, with their types.

    Raises
    ------
    TypeMismatch
        When the element has not the form of its type.
    """
    if type_name not in CONSTRUCTED:
        if type(element) not in KINDS[type_name]:
            raise TypeMismatch(
                f"{spell(element)} is no {type_name}: {_DESCRIPTIONS.get(type_name, 'whole numbers')} are"
            )
        return [(type_name, element)]
    types = CONSTRUCTED[type_name].get(element.name) if isinstance(element, Call) else None
    if types is None or not isinstance(element, Call) or len(types) != len(element.arguments):
        raise TypeMismatch(f"{spell(element)} is no {type_name}: {_forms(type_name)} are")
    parts = zip(types, element.arguments, strict=True)
    return [leaf for inner, argument in parts for leaf in leaves(inner, argument)]


KINDS: Mapping[str, frozenset[type]] = dict.fromkeys(LISTED, frozenset({int})) | {
    "Tile": frozenset({int, str, Real}),
    "Colour": frozenset({str}),
}
"""The Python types of elements of listed types."""
_DESCRIPTIONS = {"Tile": "identifiers, numbers and strings", "Colour": "strings"}


def _forms(type_name: str) -> str:
    forms = CONSTRUCTED[type_name].items()
    return ", ".join(f"{name}({','.join(types)})" if types else name for name, types in forms)


def count_tuples(type_names: tuple[str, ...], elements: Mapping[str, Collection[Element]]) -> int:
    """Count the tuples of elements of these types."""
    return math.prod(
        len(elements[name])
        if name in LISTED
        else sum(count_tuples(inner, elements) for inner in CONSTRUCTED[name].values())
        for name in type_names
    )


def universe(type_name: str, types: Mapping[str, tuple[Element, ...]]) -> Iterable[Element]:
    """Return all elements of a type, given those of the listed types."""
    if type_name in LISTED:
        return types[type_name]
    forms = CONSTRUCTED[type_name].items()
    return (Call(name, arguments) for name, inner in forms for arguments in product(inner, types))


def product(
    type_names: tuple[str, ...], types: Mapping[str, tuple[Element, ...]]
) -> Iterator[tuple[Element, ...]]:
    """Yield all tuples of elements of these types, in order."""
    return itertools.product(*(universe(name, types) for name in type_names))


# -- tables

Row: TypeAlias = tuple[Element, ...]
"""The arguments of a predicate; of a function, the arguments and the value."""

TRUTHS = ("", "ct", "cf", "u")
"""The kinds of rows: exactly these (`=`), certainly true, certainly false, unknown."""


_NO_ROWS = frozenset[Row]()


@dataclass(frozen=True, slots=True)
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
        given = self.rows_by_truth
        rows = {truth: frozenset(given[truth]) for truth in TRUTHS if truth in given}
        exact, sure = rows.get("", _NO_ROWS), rows.get("ct", _NO_ROWS)
        certain = exact | sure if exact and sure else exact or sure
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
        if row in self.certain:
            return True
        if row in self.rows_by_truth.get("cf", ()):
            return False
        return None if row in self.rows_by_truth.get("u", ()) else self._default_truth

    def leaves(self, place: int, type_name: str) -> Iterator[tuple[str, set[Element]]]:
        """Yield the elements of listed types in one place of all rows, with their types."""
        column = {row[place] for rows in self.rows_by_truth.values() for row in rows}
        if type_name in LISTED:
            yield type_name, column
            return
        for element in column:
            for name, leaf in leaves(type_name, element):
                yield name, {leaf}


_DIGITS = re.compile("([0-9]+)")


MOST_ROWS = 100
"""The most faults of rows of one table, the first in their order."""


def first_rows(rows: Collection[Row]) -> list[Row]:
    """Return the first of some rows in their fixed order."""
    return heapq.nsmallest(MOST_ROWS, rows, key=_row_rank) if rows else []


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
