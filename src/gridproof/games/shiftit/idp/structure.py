"""IDP3 structures of ShiftItVoc: their tables, and their text."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gridproof.core.errors import InvalidLevel, Problem
from gridproof.core.immutable import FrozenDict
from gridproof.games.shiftit.elements import Element, quote, spell
from gridproof.games.shiftit.idp import vocabulary
from gridproof.games.shiftit.idp.comments import remark_lines
from gridproof.games.shiftit.idp.table import Row, Table, element_rank, sort_rows
from gridproof.games.shiftit.idp.type_check import find_faults
from gridproof.games.shiftit.idp.vocabulary import LISTED, SUBTYPES, SUPERTYPE, SYMBOLS


@dataclass(frozen=True)
class Structure:
    """A structure, partial or whole, whose elements fit the types of the vocabulary (S17).

    Parameters
    ----------
    tables : mapping of str to Table
        By symbol: listed types (a row holds one element), the vocabulary's symbols, and new symbols, with
        their types after their names, as in `Depth[Time,Tile:int]`. A symbol that is left out is unknown.
    name, vocabulary : str
        The names in its first line; the vocabulary is ShiftItVoc, perhaps in a namespace.
    using : tuple of str
        Its `using` lines.

    Raises
    ------
    InvalidLevel
        With every table and row that does not fit the vocabulary.
    """

    tables: Mapping[str, Table]
    name: str = "S"
    vocabulary: str = vocabulary.NAME
    using: tuple[str, ...] = ()
    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)
    keys: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", FrozenDict(self.tables))
        object.__setattr__(self, "keys", FrozenDict(self.keys))
        problems = [Problem("S17-type", fault.spot, fault.message) for fault in find_faults(self)]
        if problems:
            raise InvalidLevel(problems)

    @cached_property
    def elements(self) -> Mapping[str, frozenset[Element]]:
        """The elements of each listed type: as listed, else those that occur."""
        tables = self.tables
        found = {
            name: frozenset([row[0] for row in tables[name].certain]) for name in LISTED if name in tables
        }
        collected: dict[str, set[Element]] = {name: set() for name in LISTED if name not in found}
        for symbol, table in tables.items():
            for place, type_name in enumerate(vocabulary.ROW_TYPES.get(symbol, ())):
                if not collected.keys().isdisjoint(vocabulary.LISTED_PARTS[type_name]):
                    for name, elements in table.leaves(place, type_name):
                        if name in collected:
                            collected[name] |= elements
        found |= {name: frozenset(elements) for name, elements in collected.items()}
        if SUPERTYPE in collected:
            found[SUPERTYPE] = frozenset[Element]().union(*(found[name] for name in SUBTYPES))
        return found

    @cached_property
    def types(self) -> Mapping[str, tuple[Element, ...]]:
        """The elements of each listed type in order."""
        return _SortedTypes(self.elements)

    def first_elements(self, most: int) -> Mapping[str, tuple[Element, ...]]:
        """Return the first elements of each listed type in order, at most `most`."""
        return _SortedTypes(self.elements, most)

    def values(self, symbol: str) -> Mapping[Row, Element]:
        """Return the certain values of a function, by its arguments; none when it is left out."""
        return self.tables[symbol].values if symbol in self.tables else {}

    def holds(self, symbol: str, row: Row) -> bool | None:
        """Return whether a row of a symbol is true or false; None where it is unknown."""
        return self.tables[symbol].holds(row) if symbol in self.tables else None

    def text(self) -> str:
        """Return the structure in IDP3's syntax: `read_structures(text) == [structure]`."""
        comments = remark_lines("//", self.title, self.author, self.keys)
        using = [f"  {line}\n" for line in self.using]
        order = {symbol: place for place, symbol in enumerate((*LISTED, *SYMBOLS))}
        symbols = sorted(self.tables, key=lambda symbol: order.get(symbol, len(order)))
        lines = [line for symbol in symbols for line in _table_lines(symbol, self.tables[symbol])]
        head = f"structure {self.name} : {self.vocabulary} {{\n"
        return "".join([*comments, head, *using, *lines, "}\n"])


class _SortedTypes(Mapping[str, tuple[Element, ...]]):
    """The elements of types in order; a type is sorted at its first use."""

    def __init__(self, elements: Mapping[str, frozenset[Element]], most: int | None = None) -> None:
        self._elements = elements
        self._most = most
        self._sorted: dict[str, tuple[Element, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Element, ...]:
        if name not in self._sorted:
            elements, most = self._elements[name], self._most
            few = most is not None and most < len(elements)
            if few:
                ordered = heapq.nsmallest(most or 0, elements, element_rank)
            else:
                ordered = sorted(elements, key=element_rank) if len(elements) > 1 else list(elements)
            self._sorted[name] = tuple(ordered)
        return self._sorted[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)


# -- its text


_WIDEST = 100
_LONGEST_RANGE = 2_000
"""The longest range that is written, so that the reader accepts the structure."""


def _table_lines(symbol: str, table: Table) -> Iterator[str]:
    known = SYMBOLS.get(symbol)
    types = known.row_types if known else (symbol,) if symbol in LISTED else ()
    for truth, rows in table.rows_by_truth.items():
        head = f"  {symbol}{f'<{truth}>' if truth else ''} ="
        ordered = sort_rows(rows)
        if table.function and [len(row) for row in ordered] == [1]:
            yield f"{head} {_element(ordered[0][0], types[-1:])}\n"
        elif not table.function and ordered == [()]:
            yield f"{head} true\n"
        else:
            ranged = _range(ordered) if symbol in LISTED else []
            yield from _braces(head, ranged or [_row(row, table.function, types) for row in ordered])


def _braces(head: str, pieces: Sequence[str]) -> Iterator[str]:
    """Yield pieces in braces, in as many lines as they need."""
    line = f"{head} {{"
    for piece in [*(f"{piece};" for piece in pieces[:-1]), *pieces[-1:]]:
        if len(line) + len(piece) > _WIDEST and line.strip():
            yield line + "\n"
            line = "   "
        line += f" {piece}"
    yield f"{line} }}\n"


def _range(rows: Sequence[Row]) -> list[str]:
    """Return whole numbers without gaps as a range, if they are not too many; nothing for other rows."""
    numbers = [row[0] for row in rows if len(row) == 1 and isinstance(row[0], int)]
    if not 3 <= len(numbers) == len(rows) <= _LONGEST_RANGE:
        return []
    first, last = numbers[0], numbers[-1]
    return [f"{first}..{last}"] if int(str(last)) - int(str(first)) == len(numbers) - 1 else []


def _row(row: Row, function: bool, types: tuple[str, ...]) -> str:
    texts = [_element(element, types[place : place + 1]) for place, element in enumerate(row)]
    if function:
        return f"{','.join(texts[:-1])}->{texts[-1]}"
    return ",".join(texts) if texts else "()"


def _element(element: Element, types: tuple[str, ...]) -> str:
    """Return the text of an element; colours always in quotation marks."""
    return quote(element) if types == ("Colour",) else spell(element)
