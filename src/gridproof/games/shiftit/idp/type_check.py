"""Whether tables fit the vocabulary: names, arities and types are as in the document (S17)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gridproof.core.wording import counted
from gridproof.games.shiftit.elements import Element, spelled
from gridproof.games.shiftit.idp.structure import Row, Structure, Table, first_in_order
from gridproof.games.shiftit.idp.vocabulary import (
    BUILT_IN,
    CONSTRUCTED,
    KINDS,
    LISTED,
    MADE_OF,
    NAME,
    ROW_TYPES,
    SUBTYPES,
    SUPERTYPE,
    SYMBOLS,
    Misfit,
    Symbol,
    leaves,
    product,
    size,
)


class Spot(NamedTuple):
    """A table, or one row of it."""

    symbol: str
    truth: str = ""
    row: Row | None = None

    def __str__(self) -> str:
        inside = "" if self.row is None else f"({','.join(map(spelled, self.row))})"
        return f"{self.symbol}{f'<{self.truth}>' if self.truth else ''}{inside}"


class Fault(NamedTuple):
    """One thing that does not fit."""

    spot: Spot
    message: str


MOST_ROWS = 100
"""Rows of one table that are named for not fitting, the first in their order."""


MOST_FAULTS = 1000
"""Faults of the tables by themselves that are named."""


def faults(structure: Structure) -> Iterator[Fault]:
    """What does not fit, in a fixed order; later kinds are looked at when earlier ones are fine."""
    if structure.vocabulary.rsplit("::", 1)[-1] != NAME:
        yield Fault(
            Spot(structure.vocabulary), f"structures of {NAME} are read, not of {structure.vocabulary}"
        )
        return
    tables = structure.tables.items()
    shapes = (fault for symbol, table in tables for fault in _shape(symbol, table))
    found = list(itertools.islice(shapes, MOST_FAULTS))
    known = {} if found else {name: structure.elements[name] for name in LISTED if name in structure.tables}
    yield from found or (
        fault for symbol, table in tables for fault in _content(structure, symbol, table, known)
    )


# -- each table by itself


def _shape(symbol: str, table: Table) -> Iterator[Fault]:
    if types := _TYPES.get(symbol):
        if wrong := _wrong_kind(symbol, table):
            yield Fault(Spot(symbol), wrong)
        if not wrong or symbol in LISTED:
            yield from _rows_fit(symbol, table, types)
    elif symbol in CONSTRUCTED:
        yield Fault(Spot(symbol), f"{symbol} is a constructed type: it is not listed")
    else:
        yield from _added(symbol, table)
    if len(table.given) > 1:
        yield from _consistent(symbol, table)
    if table.function:
        yield from _one_value(symbol, table)


_TYPES = {name: (name,) for name in LISTED} | ROW_TYPES


def _wrong_kind(symbol: str, table: Table) -> str:
    """What is wrong where a type is not listed with =, or a function is given as a predicate; "" where all is well."""
    if symbol in LISTED:
        well = tuple(table.given) == ("",) and not table.function
        return "" if well else f"{symbol} is a type: it is listed with ="
    result = SYMBOLS[symbol].result
    if table.function == (result is not None):
        return ""
    return f"{symbol} is a {'predicate: its rows have no ->' if result is None else 'function: its rows are written a->b'}"


def _rows_fit(name: str, table: Table, types: tuple[str, ...]) -> Iterator[Fault]:
    for truth, rows in table.given.items():
        if {len(types)}.issuperset(map(len, rows)):
            for place, type_name in enumerate(types):
                column = {row[place] for row in rows}
                if type_name in LISTED and KINDS[type_name].issuperset(map(type, column)):
                    continue
                if misfits := dict(_misfits(type_name, column)):
                    yield from _misfitting(Spot(name, truth), rows, place, misfits)
            continue
        ragged = [row for row in rows if len(row) != len(types)]
        for row in first_in_order(ragged, MOST_ROWS):
            arguments = counted(len(types) - table.function, "arguments")
            yield Fault(Spot(name, truth, row), f"{name} has {arguments}, not {len(row) - table.function}")


def _misfitting(
    spot: Spot, rows: frozenset[Row], place: int, misfits: Mapping[Element, str]
) -> Iterator[Fault]:
    wrong = [row for row in rows if row[place] in misfits]
    for row in first_in_order(wrong, MOST_ROWS):
        yield Fault(spot._replace(row=row), misfits[row[place]])


def _misfits(type_name: str, elements: set[Element]) -> Iterator[tuple[Element, str]]:
    """The elements that are of no form of a type, each with what is to be said."""
    for element in elements:
        try:
            leaves(type_name, element)
        except Misfit as misfit:
            yield element, str(misfit)


_SORTS = re.compile(r"\[(.*)\]")


def _added(symbol: str, table: Table) -> Iterator[Fault]:
    """Symbols may be added, each with its types; types may not."""
    sorts = _SORTS.search(symbol)
    if sorts is None:
        yield Fault(Spot(symbol), _unknown(symbol))
        return
    for name in re.split(r"[,:]+", sorts[1]):
        if name and name not in LISTED and name not in CONSTRUCTED and name not in BUILT_IN:
            yield Fault(Spot(symbol), f"{name} is no type of the vocabulary, and no types may be added")
            return
    arities = {len(row) for rows in table.given.values() for row in rows}
    if len(arities) > 1:
        yield Fault(Spot(symbol), f"{symbol} has rows of {' and '.join(map(str, sorted(arities)))} elements")


def _unknown(symbol: str) -> str:
    from difflib import get_close_matches  # seldom needed

    shown = symbol if len(symbol) <= 40 else f"{symbol[:40]}..."
    known = (*LISTED, *CONSTRUCTED, *SYMBOLS)
    near = [name for name in known if sorted(name) == sorted(shown)] or get_close_matches(shown, known, 1)
    meant = f" (is {near[0]} meant?)" if near else ""
    return (
        f"{NAME} has no {shown}{meant}; a symbol that is added has its types behind it, such as {shown}[Time]"
    )


def _consistent(symbol: str, table: Table) -> Iterator[Fault]:
    """Given once, or in parts that are not both true and false."""
    if "" in table.given:
        yield Fault(Spot(symbol), f"{symbol} is given with = and in parts")
    for truth, other in itertools.combinations(table.given, 2):
        for row in first_in_order(table.given[truth] & table.given[other], MOST_ROWS):
            yield Fault(Spot(symbol, other, row), f"this row stands in both <{truth}> and <{other}>")


def _one_value(symbol: str, table: Table) -> Iterator[Fault]:
    """A function has one value for each arguments."""
    values: dict[Row, dict[Row, str]] = {}
    if len(table.values) == len(table.certain):
        return
    for truth in ("", "ct"):
        for row in table.given.get(truth, ()):
            if row:
                values.setdefault(row[:-1], {})[row] = truth
    several = {arguments: rows for arguments, rows in values.items() if len(rows) > 1}
    for arguments in first_in_order(several, MOST_ROWS):
        truths = several[arguments]
        first, *others = first_in_order(truths, MOST_ROWS)
        for row in others:
            message = f"a function has one value, not both {spelled(first[-1])} and {spelled(row[-1])}"
            yield Fault(Spot(symbol, truths[row], row), message)


# -- tables together


def _content(
    structure: Structure, symbol: str, table: Table, known: Mapping[str, frozenset[Element]]
) -> Iterator[Fault]:
    """What does not fit; `known` are the elements of the types that are listed."""
    if symbol == SUPERTYPE:
        yield from _union(table, structure.elements)
    if symbol in SUBTYPES and SUPERTYPE in known:
        yield from _unlisted(symbol, table, (SUPERTYPE,), known)
    if symbol in SYMBOLS:
        yield from _unlisted(symbol, table, ROW_TYPES[symbol], known)
        if table.function and not SYMBOLS[symbol].partial:
            yield from _total(SYMBOLS[symbol], table, structure)


def _union(table: Table, elements: Mapping[str, frozenset[Element]]) -> Iterator[Fault]:
    """The supertype is the union of its subtypes: nothing else may be listed in it."""
    union = frozenset[Element]().union(*(elements[name] for name in SUBTYPES))
    for truth, rows in table.given.items():
        for row in first_in_order([row for row in rows if row[0] not in union], MOST_ROWS):
            message = f"{spelled(row[0])} is no {' and no '.join(SUBTYPES)}, and {SUPERTYPE} is their union"
            yield Fault(Spot(SUPERTYPE, truth, row), message)


def _unlisted(
    symbol: str, table: Table, types: tuple[str, ...], known: Mapping[str, frozenset[Element]]
) -> Iterator[Fault]:
    """Elements that the types do not list."""
    for truth, rows in table.given.items():
        for place, type_name in enumerate(types):
            if known.keys().isdisjoint(MADE_OF[type_name]):
                continue
            column = {row[place] for row in rows}
            if type_name in LISTED and known[type_name].issuperset(column):
                continue
            wrong = {element: found for element in column if (found := _stranger(type_name, element, known))}
            if not wrong:
                continue
            unfit = [row for row in rows if row[place] in wrong]
            for row in first_in_order(unfit, MOST_ROWS):
                listed, leaf = wrong[row[place]]
                yield Fault(Spot(symbol, truth, row), f"{spelled(leaf)} is not listed in {listed}")


def _stranger(
    type_name: str, element: Element, known: Mapping[str, frozenset[Element]]
) -> tuple[str, Element] | None:
    """A part of an element that its type does not list, with the type; None when all are listed."""
    for name, leaf in leaves(type_name, element):
        if name in known and leaf not in known[name]:
            return name, leaf
    return None


def _total(symbol: Symbol, table: Table, structure: Structure) -> Iterator[Fault]:
    """A total function that is given with = has a value everywhere; the first place without one is named."""
    if "" not in table.given:
        return
    values = table.values
    if len(values) == size(symbol.types, structure.elements):
        return  # all of them are listed
    for arguments in product(symbol.types, structure.first(len(values) + 1)):  # one of these has none
        if arguments not in values:
            inside = f"({','.join(map(spelled, arguments))})" if arguments else ""
            yield Fault(Spot(symbol.name), f"{symbol.name} is total, but {symbol.name}{inside} has no value")
            return
