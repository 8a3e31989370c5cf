"""Whether tables fit the vocabulary: names, arities and types are as in the document (S17)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gridproof.games.shiftit.elements import Element, spelled
from gridproof.games.shiftit.structure import Row, Structure, Table
from gridproof.games.shiftit.vocabulary import (
    BUILT_IN,
    CONSTRUCTED,
    LISTED,
    SUBTYPES,
    SUPERTYPE,
    SYMBOLS,
    Misfit,
    Symbol,
    leaves,
    product,
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


def faults(structure: Structure) -> Iterator[Fault]:
    """Everything that does not fit, in a fixed order; later kinds are looked at when earlier ones are fine."""
    found = [fault for symbol, table in structure.tables.items() for fault in _shape(symbol, table)]
    if not found:
        found = [
            fault
            for symbol, table in structure.tables.items()
            for fault in _content(structure, symbol, table)
        ]
    yield from found


# -- each table by itself


def _shape(symbol: str, table: Table) -> Iterator[Fault]:
    if symbol in CONSTRUCTED:
        yield Fault(Spot(symbol), f"{symbol} is a constructed type: it is not listed")
    elif symbol in LISTED:
        yield from _listed(symbol, table)
    elif symbol in SYMBOLS:
        yield from _known(SYMBOLS[symbol], table)
    else:
        yield from _added(symbol, table)
    yield from _consistent(symbol, table)


def _listed(name: str, table: Table) -> Iterator[Fault]:
    if tuple(table.given) != ("",) or table.function:
        yield Fault(Spot(name), f"{name} is a type: it is listed with =")
    yield from _rows_fit(name, table, (name,))


def _known(symbol: Symbol, table: Table) -> Iterator[Fault]:
    if table.function != (symbol.result is not None):
        kind = (
            "predicate: its rows have no ->"
            if symbol.result is None
            else "function: its rows are written a->b"
        )
        yield Fault(Spot(symbol.name), f"{symbol.name} is a {kind}")
        return
    yield from _rows_fit(symbol.name, table, symbol.row_types)


def _rows_fit(name: str, table: Table, types: tuple[str, ...]) -> Iterator[Fault]:
    for truth, row in table.rows():
        if len(row) != len(types):
            arity = len(types) - table.function
            yield Fault(
                Spot(name, truth, row), f"{name} has {arity} arguments, not {len(row) - table.function}"
            )
            continue
        try:
            for type_name, element in zip(types, row, strict=True):
                list(leaves(type_name, element))
        except Misfit as misfit:
            yield Fault(Spot(name, truth, row), str(misfit))


_SORTS = re.compile(r"\[(.*)\]")


def _added(symbol: str, table: Table) -> Iterator[Fault]:
    """Symbols may be added, types may not."""
    sorts = _SORTS.search(symbol)
    for name in re.split(r"[,:]+", sorts[1]) if sorts else ():
        if name and name not in (*LISTED, *CONSTRUCTED, *BUILT_IN):
            yield Fault(Spot(symbol), f"{name} is no type of the vocabulary, and no types may be added")
    arities = {len(row) for _, row in table.rows()}
    if len(arities) > 1:
        yield Fault(Spot(symbol), f"{symbol} has rows of {' and '.join(map(str, sorted(arities)))} elements")


def _consistent(symbol: str, table: Table) -> Iterator[Fault]:
    """Given once, with one value, and not both true and false."""
    if "" in table.given and len(table.given) > 1:
        yield Fault(Spot(symbol), f"{symbol} is given with = and in parts")
    if table.function:
        seen: dict[Row, Element] = {}
        for truth, row in table.rows():
            if truth in ("", "ct") and row and seen.setdefault(row[:-1], row[-1]) != row[-1]:
                values = f"{spelled(seen[row[:-1]])} and {spelled(row[-1])}"
                yield Fault(Spot(symbol, truth, row), f"a function has one value, not both {values}")
    truths = list(table.given)
    for place, truth in enumerate(truths):
        for other in truths[place + 1 :]:
            for row in sorted(table.given[truth] & table.given[other], key=str):
                yield Fault(Spot(symbol, other, row), f"this row stands in both <{truth}> and <{other}>")


# -- tables together


def _content(structure: Structure, symbol: str, table: Table) -> Iterator[Fault]:
    types = structure.types
    if symbol in SUBTYPES and SUPERTYPE in structure.tables:
        for truth, row in table.rows():
            if row[0] not in types[SUPERTYPE]:
                yield Fault(Spot(symbol, truth, row), f"{spelled(row[0])} is not listed in {SUPERTYPE}")
    if symbol == SUPERTYPE:
        yield from _union(table, types)
    if symbol not in SYMBOLS:
        return
    known = {name: frozenset(elements) for name, elements in types.items() if name in structure.tables}
    for truth, row in table.rows():
        for type_name, element in zip(SYMBOLS[symbol].row_types, row, strict=True):
            yield from _unlisted(Spot(symbol, truth, row), type_name, element, known)
    yield from _total(SYMBOLS[symbol], table, types)


def _union(table: Table, types: Mapping[str, tuple[Element, ...]]) -> Iterator[Fault]:
    """The supertype is the union of its subtypes: nothing else may be listed in it."""
    union = {element for name in SUBTYPES for element in types[name]}
    for truth, row in table.rows():
        if row[0] not in union:
            message = f"{spelled(row[0])} is no {' and no '.join(SUBTYPES)}, and {SUPERTYPE} is their union"
            yield Fault(Spot(SUPERTYPE, truth, row), message)


def _unlisted(
    spot: Spot, type_name: str, element: Element, known: Mapping[str, frozenset[Element]]
) -> Iterator[Fault]:
    for name, leaf in leaves(type_name, element):
        if name in known and leaf not in known[name]:
            yield Fault(spot, f"{spelled(leaf)} is not listed in {name}")


def _total(symbol: Symbol, table: Table, types: Mapping[str, tuple[Element, ...]]) -> Iterator[Fault]:
    """A total function that is given with = has a value everywhere."""
    if symbol.result is None or symbol.partial or "" not in table.given:
        return
    for arguments in product(symbol.types, types):
        if arguments not in table.values:
            inside = f"({','.join(map(spelled, arguments))})" if arguments else ""
            yield Fault(Spot(symbol.name), f"{symbol.name} is total, but {symbol.name}{inside} has no value")
