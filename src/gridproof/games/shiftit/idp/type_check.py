"""Type check of tables: names, arities and types are as in the document (S17)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from gridproof.core.text.phrases import format_count
from gridproof.games.shiftit.elements import Element, spell
from gridproof.games.shiftit.idp.table import Row, Table, first_rows
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
    Misfit,
    Symbol,
    count_tuples,
    leaves,
    product,
)


class Tables(Protocol):
    """The parts of a structure that are checked: its tables, and the elements of its types."""

    @property
    def vocabulary(self) -> str: ...

    @property
    def tables(self) -> Mapping[str, Table]: ...

    @property
    def elements(self) -> Mapping[str, frozenset[Element]]: ...

    def first_elements(self, most: int) -> Mapping[str, tuple[Element, ...]]: ...


class Spot(NamedTuple):
    """A table, or one row of it."""

    symbol: str
    truth: str = ""
    row: Row | None = None

    def __str__(self) -> str:
        inside = "" if self.row is None else f"({','.join(map(spell, self.row))})"
        return f"{self.symbol}{f'<{self.truth}>' if self.truth else ''}{inside}"


class Fault(NamedTuple):
    """A table or row that does not fit the vocabulary."""

    spot: Spot
    message: str


MOST_ROWS = 100
"""The most faults of rows of one table, the first in their order."""


MOST_FAULTS = 1000
"""The most faults of single tables."""


def find_faults(structure: Tables) -> Iterator[Fault]:
    """Yield the faults in a fixed order; later checks run when earlier ones find nothing."""
    if structure.vocabulary.rsplit("::", 1)[-1] != NAME:
        yield Fault(
            Spot(structure.vocabulary), f"structures of {NAME} are read, not of {structure.vocabulary}"
        )
        return
    tables = structure.tables.items()
    shapes = (fault for symbol, table in tables for fault in _check_shape(symbol, table))
    found = list(itertools.islice(shapes, MOST_FAULTS))
    type_elements = (
        {} if found else {name: structure.elements[name] for name in LISTED if name in structure.tables}
    )
    yield from found or (
        fault for symbol, table in tables for fault in _check_content(structure, symbol, table, type_elements)
    )


# -- each table by itself


def _check_shape(symbol: str, table: Table) -> Iterator[Fault]:
    if types := _TYPES.get(symbol):
        if wrong := _kind_error(symbol, table):
            yield Fault(Spot(symbol), wrong)
        if not wrong or symbol in LISTED:
            yield from _check_rows(symbol, table, types)
    elif symbol in CONSTRUCTED:
        yield Fault(Spot(symbol), f"{symbol} is a constructed type: it is not listed")
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


def _check_rows(name: str, table: Table, types: tuple[str, ...]) -> Iterator[Fault]:
    for truth, rows in table.rows_by_truth.items():
        if {len(types)}.issuperset(map(len, rows)):
            for place, type_name in enumerate(types):
                column = {row[place] for row in rows}
                if type_name in LISTED and KINDS[type_name].issuperset(map(type, column)):
                    continue
                if misfits := dict(_find_misfits(type_name, column)):
                    yield from _misfit_faults(Spot(name, truth), rows, place, misfits)
            continue
        ragged = [row for row in rows if len(row) != len(types)]
        for row in first_rows(ragged, MOST_ROWS):
            arguments = format_count(len(types) - table.function, "arguments")
            yield Fault(Spot(name, truth, row), f"{name} has {arguments}, not {len(row) - table.function}")


def _misfit_faults(
    spot: Spot, rows: frozenset[Row], place: int, misfits: Mapping[Element, str]
) -> Iterator[Fault]:
    wrong = [row for row in rows if row[place] in misfits]
    for row in first_rows(wrong, MOST_ROWS):
        yield Fault(spot._replace(row=row), misfits[row[place]])


def _find_misfits(type_name: str, elements: set[Element]) -> Iterator[tuple[Element, str]]:
    """Yield the elements that have no form of a type, each with a message."""
    for element in elements:
        try:
            leaves(type_name, element)
        except Misfit as misfit:
            yield element, str(misfit)


_SORTS = re.compile(r"\[(.*)\]")


def _check_new_symbol(symbol: str, table: Table) -> Iterator[Fault]:
    """Check a symbol that the structure adds with its types; it may not add types."""
    sorts = _SORTS.search(symbol)
    if sorts is None:
        yield Fault(Spot(symbol), _unknown_message(symbol))
        return
    for name in re.split(r"[,:]+", sorts[1]):
        if name and name not in LISTED and name not in CONSTRUCTED and name not in BUILT_IN:
            yield Fault(Spot(symbol), f"{name} is no type of the vocabulary, and no types may be added")
            return
    arities = {len(row) for rows in table.rows_by_truth.values() for row in rows}
    if len(arities) > 1:
        yield Fault(Spot(symbol), f"{symbol} has rows of {' and '.join(map(str, sorted(arities)))} elements")


def _unknown_message(symbol: str) -> str:
    from difflib import get_close_matches  # seldom needed

    shown = symbol if len(symbol) <= 40 else f"{symbol[:40]}..."
    names = (*LISTED, *CONSTRUCTED, *SYMBOLS)
    near = [name for name in names if sorted(name) == sorted(shown)] or get_close_matches(shown, names, 1)
    meant = f" (is {near[0]} meant?)" if near else ""
    return (
        f"{NAME} has no {shown}{meant}; a symbol that is added has its types behind it, such as {shown}[Time]"
    )


def _check_consistency(symbol: str, table: Table) -> Iterator[Fault]:
    """Check that a table is written once, or in parts that are not both true and false."""
    if "" in table.rows_by_truth:
        yield Fault(Spot(symbol), f"{symbol} is given with = and in parts")
    for truth, other in itertools.combinations(table.rows_by_truth, 2):
        for row in first_rows(table.rows_by_truth[truth] & table.rows_by_truth[other], MOST_ROWS):
            yield Fault(Spot(symbol, other, row), f"this row stands in both <{truth}> and <{other}>")


def _check_function(symbol: str, table: Table) -> Iterator[Fault]:
    """Check that a function has one value for each tuple of arguments."""
    values: dict[Row, dict[Row, str]] = {}
    if len(table.values) == len(table.certain):
        return
    for truth in ("", "ct"):
        for row in table.rows_by_truth.get(truth, ()):
            if row:
                values.setdefault(row[:-1], {})[row] = truth
    several = {arguments: rows for arguments, rows in values.items() if len(rows) > 1}
    for arguments in first_rows(several, MOST_ROWS):
        truths = several[arguments]
        first, *others = first_rows(truths, MOST_ROWS)
        for row in others:
            message = f"a function has one value, not both {spell(first[-1])} and {spell(row[-1])}"
            yield Fault(Spot(symbol, truths[row], row), message)


# -- tables together


def _check_content(
    structure: Tables, symbol: str, table: Table, type_elements: Mapping[str, frozenset[Element]]
) -> Iterator[Fault]:
    """Check a table against others; `type_elements` are the elements of the listed types."""
    if symbol == SUPERTYPE:
        yield from _check_union(table, structure.elements)
    if symbol in SUBTYPES and SUPERTYPE in type_elements:
        yield from _check_elements(symbol, table, (SUPERTYPE,), type_elements)
    if symbol in SYMBOLS:
        yield from _check_elements(symbol, table, ROW_TYPES[symbol], type_elements)
        if table.function and not SYMBOLS[symbol].partial:
            yield from _check_total(SYMBOLS[symbol], table, structure)


def _check_union(table: Table, elements: Mapping[str, frozenset[Element]]) -> Iterator[Fault]:
    """Check that the supertype lists nothing but the union of its subtypes."""
    union = frozenset[Element]().union(*(elements[name] for name in SUBTYPES))
    for truth, rows in table.rows_by_truth.items():
        for row in first_rows([row for row in rows if row[0] not in union], MOST_ROWS):
            message = f"{spell(row[0])} is no {' and no '.join(SUBTYPES)}, and {SUPERTYPE} is their union"
            yield Fault(Spot(SUPERTYPE, truth, row), message)


def _check_elements(
    symbol: str, table: Table, types: tuple[str, ...], type_elements: Mapping[str, frozenset[Element]]
) -> Iterator[Fault]:
    """Check that the types list all elements of a table."""
    for truth, rows in table.rows_by_truth.items():
        for place, type_name in enumerate(types):
            if type_elements.keys().isdisjoint(LISTED_PARTS[type_name]):
                continue
            column = {row[place] for row in rows}
            if type_name in LISTED and type_elements[type_name].issuperset(column):
                continue
            wrong = {
                element: found
                for element in column
                if (found := _find_unlisted(type_name, element, type_elements))
            }
            if not wrong:
                continue
            unfit = [row for row in rows if row[place] in wrong]
            for row in first_rows(unfit, MOST_ROWS):
                listed, leaf = wrong[row[place]]
                yield Fault(Spot(symbol, truth, row), f"{spell(leaf)} is not listed in {listed}")


def _find_unlisted(
    type_name: str, element: Element, type_elements: Mapping[str, frozenset[Element]]
) -> tuple[str, Element] | None:
    """Return a part of an element that its type does not list, with the type; None when all are listed."""
    for name, leaf in leaves(type_name, element):
        if name in type_elements and leaf not in type_elements[name]:
            return name, leaf
    return None


def _check_total(symbol: Symbol, table: Table, structure: Tables) -> Iterator[Fault]:
    """Check that a total function written with = has a value everywhere; the fault names the first place without one."""
    if "" not in table.rows_by_truth:
        return
    values = table.values
    if len(values) == count_tuples(symbol.types, structure.elements):
        return  # all of them are listed
    for arguments in product(
        symbol.types, structure.first_elements(len(values) + 1)
    ):  # one of these has none
        if arguments not in values:
            inside = f"({','.join(map(spell, arguments))})" if arguments else ""
            yield Fault(Spot(symbol.name), f"{symbol.name} is total, but {symbol.name}{inside} has no value")
            return
