"""IDP3 structures of ShiftItVoc: their tables, whether these fit the vocabulary (S17), and their text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from gridproof.core.errors import InvalidLevel, Problem
from gridproof.core.immutable import FrozenDict
from gridproof.core.text.phrases import format_count
from gridproof.games.shiftit.elements import Element, quote, spell
from gridproof.games.shiftit.idp.comments import remark_lines
from gridproof.games.shiftit.idp.vocabulary import (
    BUILT_IN,
    CONSTRUCTED,
    KINDS,
    LISTED,
    LISTED_PARTS,
    NAME,
    ROW_TYPES,
    SUBTYPES,
    SUPERTYPE,
    SYMBOLS,
    Row,
    Symbol,
    Table,
    TypeMismatch,
    count_tuples,
    element_rank,
    first_rows,
    leaves,
    product,
    sort_rows,
)

_NO_ELEMENTS = frozenset[Element]()


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
    vocabulary: str = NAME
    using: tuple[str, ...] = ()
    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)
    keys: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", FrozenDict(self.tables))
        object.__setattr__(self, "keys", FrozenDict(self.keys))
        if problems := list(_find_problems(self)):
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
            for place, type_name in enumerate(ROW_TYPES.get(symbol, ())):
                if not collected.keys().isdisjoint(LISTED_PARTS[type_name]):
                    for name, elements in table.leaves(place, type_name):
                        if name in collected:
                            collected[name] |= elements
        found |= {name: frozenset(elements) for name, elements in collected.items()}
        if SUPERTYPE in collected:
            found[SUPERTYPE] = _NO_ELEMENTS.union(*(found[name] for name in SUBTYPES))
        return found

    @cached_property
    def types(self) -> Mapping[str, tuple[Element, ...]]:
        """The elements of each listed type in order."""
        return {name: tuple(sorted(elements, key=element_rank)) for name, elements in self.elements.items()}

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


# -- the check of its types


class TablePlace(NamedTuple):
    """A table, or one row of it."""

    symbol: str
    truth: str = ""
    row: Row | None = None

    def __str__(self) -> str:
        inside = "" if self.row is None else f"({','.join(map(spell, self.row))})"
        return f"{self.symbol}{f'<{self.truth}>' if self.truth else ''}{inside}"


MOST_FAULTS = 1000
"""The most faults of single tables."""


def _problem(message: str, *spot: Any) -> Problem:
    return Problem("S17-type", TablePlace(*spot), message)


def _find_problems(structure: Structure) -> Iterator[Problem]:
    """Yield the tables and rows that do not fit, in a fixed order; later checks run when earlier ones find nothing."""
    if structure.vocabulary.rsplit("::", 1)[-1] != NAME:
        message = f"structures of {NAME} are read, not of {structure.vocabulary}"
        yield _problem(message, structure.vocabulary)
        return
    tables = structure.tables.items()
    shapes = (problem for symbol, table in tables for problem in _check_shape(symbol, table))
    if found := list(itertools.islice(shapes, MOST_FAULTS)):
        yield from found
        return
    listed = {name: structure.elements[name] for name in LISTED if name in structure.tables}
    for symbol, table in tables:
        yield from _check_content(structure, symbol, table, listed)


# -- each table by itself


def _check_shape(symbol: str, table: Table) -> Iterator[Problem]:
    if types := _TYPES.get(symbol):
        if wrong := _kind_error(symbol, table):
            yield _problem(wrong, symbol)
        if not wrong or symbol in LISTED:
            yield from _check_rows(symbol, table, types)
    elif symbol in CONSTRUCTED:
        yield _problem(f"{symbol} is a constructed type: it is not listed", symbol)
    else:
        yield from _check_new_symbol(symbol, table)
    if len(table.rows_by_truth) > 1:
        yield from _check_consistency(symbol, table)
    if table.function:
        yield from _check_function(symbol, table)


_TYPES = {name: (name,) for name in LISTED} | ROW_TYPES


def _kind_error(symbol: str, table: Table) -> str:
    """Return a message where a type is not listed with =, or a function is written as a predicate; else ""."""
    if symbol in LISTED:
        well = tuple(table.rows_by_truth) == ("",) and not table.function
        return "" if well else f"{symbol} is a type: it is listed with ="
    result = SYMBOLS[symbol].result
    if table.function == (result is not None):
        return ""
    return f"{symbol} is a {'predicate: its rows have no ->' if result is None else 'function: its rows are written a->b'}"


def _check_rows(symbol: str, table: Table, types: tuple[str, ...]) -> Iterator[Problem]:
    for truth, rows in table.rows_by_truth.items():
        ragged = [row for row in rows if len(row) != len(types)]
        for row in first_rows(ragged):
            arguments = format_count(len(types) - table.function, "arguments")
            message = f"{symbol} has {arguments}, not {len(row) - table.function}"
            yield _problem(message, symbol, truth, row)
        for place, type_name in enumerate(types if not ragged else ()):
            misfits = _find_misfits(type_name, {row[place] for row in rows})
            yield from _row_problems(symbol, truth, rows, place, misfits)


def _find_misfits(type_name: str, elements: set[Element]) -> Mapping[Element, str]:
    """Return the elements that have no form of a type, each with a message."""
    misfits: dict[Element, str] = {}
    if type_name in LISTED and KINDS[type_name].issuperset(map(type, elements)):
        return misfits
    for element in elements:
        try:
            leaves(type_name, element)
        except TypeMismatch as misfit:
            misfits[element] = str(misfit)
    return misfits


def _row_problems(
    symbol: str, truth: str, rows: Iterable[Row], place: int, wrong: Mapping[Element, str]
) -> Iterator[Problem]:
    """Yield the first rows with a wrong element in a place, each with the element's message."""
    for row in first_rows([row for row in rows if row[place] in wrong] if wrong else ()):
        yield _problem(wrong[row[place]], symbol, truth, row)


_SORTS = re.compile(r"\[(.*)\]")


def _check_new_symbol(symbol: str, table: Table) -> Iterator[Problem]:
    """Check a symbol that the structure adds with its types; it may not add types."""
    sorts = _SORTS.search(symbol)
    if sorts is None:
        yield _problem(_unknown_message(symbol), symbol)
        return
    for name in re.split(r"[,:]+", sorts[1]):
        if name and name not in LISTED and name not in CONSTRUCTED and name not in BUILT_IN:
            yield _problem(f"{name} is no type of the vocabulary, and no types may be added", symbol)
            return
    arities = {len(row) for rows in table.rows_by_truth.values() for row in rows}
    if len(arities) > 1:
        yield _problem(f"{symbol} has rows of {' and '.join(map(str, sorted(arities)))} elements", symbol)


def _unknown_message(symbol: str) -> str:
    from difflib import get_close_matches  # seldom needed

    shown = symbol if len(symbol) <= 40 else f"{symbol[:40]}..."
    names = (*LISTED, *CONSTRUCTED, *SYMBOLS)
    near = [name for name in names if sorted(name) == sorted(shown)] or get_close_matches(shown, names, 1)
    meant = f" (is {near[0]} meant?)" if near else ""
    return (
        f"{NAME} has no {shown}{meant}; a symbol that is added has its types behind it, such as {shown}[Time]"
    )


def _check_consistency(symbol: str, table: Table) -> Iterator[Problem]:
    """Check that a table is written once, or in parts that are not both true and false."""
    if "" in table.rows_by_truth:
        yield _problem(f"{symbol} is given with = and in parts", symbol)
    for truth, other in itertools.combinations(table.rows_by_truth, 2):
        for row in first_rows(table.rows_by_truth[truth] & table.rows_by_truth[other]):
            yield _problem(f"this row stands in both <{truth}> and <{other}>", symbol, other, row)


def _check_function(symbol: str, table: Table) -> Iterator[Problem]:
    """Check that a function has one value for each tuple of arguments."""
    values: dict[Row, dict[Row, str]] = {}
    if len(table.values) == len(table.certain):
        return
    for truth in ("", "ct"):
        for row in table.rows_by_truth.get(truth, ()):
            if row:
                values.setdefault(row[:-1], {})[row] = truth
    several = {arguments: rows for arguments, rows in values.items() if len(rows) > 1}
    for arguments in first_rows(several):
        truths = several[arguments]
        first, *others = first_rows(truths)
        for row in others:
            message = f"a function has one value, not both {spell(first[-1])} and {spell(row[-1])}"
            yield _problem(message, symbol, truths[row], row)


# -- tables together


def _check_content(
    structure: Structure, symbol: str, table: Table, listed: Mapping[str, frozenset[Element]]
) -> Iterator[Problem]:
    """Check a table against others; `listed` are the elements of the listed types."""
    if symbol == SUPERTYPE:
        union = _NO_ELEMENTS.union(*(structure.elements[name] for name in SUBTYPES))
        for truth, rows in table.rows_by_truth.items():
            reason = f"is no {' and no '.join(SUBTYPES)}, and {SUPERTYPE} is their union"
            wrong = {row[0]: f"{spell(row[0])} {reason}" for row in rows if row[0] not in union}
            yield from _row_problems(symbol, truth, rows, 0, wrong)
    if symbol in SUBTYPES and SUPERTYPE in listed:
        yield from _check_elements(symbol, table, (SUPERTYPE,), listed)
    if symbol in SYMBOLS:
        yield from _check_elements(symbol, table, ROW_TYPES[symbol], listed)
        if table.function and not SYMBOLS[symbol].partial:
            yield from _check_total(SYMBOLS[symbol], table, structure)


def _check_elements(
    symbol: str, table: Table, types: tuple[str, ...], listed: Mapping[str, frozenset[Element]]
) -> Iterator[Problem]:
    """Check that the types list all elements of a table."""
    for truth, rows in table.rows_by_truth.items():
        for place, type_name in enumerate(types):
            if listed.keys().isdisjoint(LISTED_PARTS[type_name]):
                continue
            wrong = {
                element: f"{spell(leaf)} is not listed in {name}"
                for element in {row[place] for row in rows}.difference(listed.get(type_name, ()))
                for name, leaf in reversed(leaves(type_name, element))  # the first of them is told
                if name in listed and leaf not in listed[name]
            }
            yield from _row_problems(symbol, truth, rows, place, wrong)


def _check_total(symbol: Symbol, table: Table, structure: Structure) -> Iterator[Problem]:
    """Check that a total function written with = has a value everywhere; the fault names the first place without one."""
    if "" not in table.rows_by_truth:
        return
    values = table.values
    if len(values) == count_tuples(symbol.types, structure.elements):
        return  # all of them are listed
    for arguments in product(symbol.types, structure.types):  # one of these has none
        if arguments not in values:
            inside = f"({','.join(map(spell, arguments))})" if arguments else ""
            yield _problem(f"{symbol.name} is total, but {symbol.name}{inside} has no value", symbol.name)
            return
