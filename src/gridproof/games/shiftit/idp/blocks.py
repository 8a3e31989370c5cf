"""Structures from parsed blocks; errors get the place of their row."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from gridproof.core.errors import InvalidLevel
from gridproof.games.shiftit.idp.comments import About, Remarks
from gridproof.games.shiftit.idp.grammar import Block, Interpretation, parse
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.table import Table
from gridproof.games.shiftit.idp.tokens import error_at
from gridproof.games.shiftit.idp.type_check import Spot
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS

_SORTS = {name: f"[{name}]" for name in (*LISTED, *CONSTRUCTED)} | {
    name: f"[{','.join(symbol.types)}{f':{symbol.result}' if symbol.result else ''}]"
    for name, symbol in SYMBOLS.items()
}
"""The types of each symbol of the vocabulary, as they may stand after its name."""


def parse_structures(text: str) -> Iterator[tuple[Callable[[], Structure], int]]:
    """Yield a function that makes each structure of a text, or raises ParseError, with the line where it begins."""
    remarks = Remarks(text)
    for block in parse(text):
        yield functools.partial(_make_structure, text, block, remarks.take_until(block.end)), block.line


def _make_structure(text: str, block: Block, about: About) -> Structure:
    by_symbol: dict[str, list[Interpretation]] = {}
    for interpretation in block.interpretations:
        by_symbol.setdefault(_symbol_name(text, interpretation), []).append(interpretation)
    tables = {symbol: _make_table(text, symbol, parts) for symbol, parts in by_symbol.items()}
    try:
        return Structure(
            tables,
            block.name,
            str(block.vocabulary),
            block.using,
            title=about.title,
            author=about.author,
            keys=about.keys,
        )
    except InvalidLevel as error:
        problem = error.problems[0]
        raise error_at(text, _place_of(block, by_symbol, problem.where), f"S17: {problem.message}") from None


def _symbol_name(text: str, interpretation: Interpretation) -> str:
    """Return the name of a symbol: for one of the vocabulary its own, when the types in the text fit it."""
    name, sorts = interpretation.name.path[-1], interpretation.name.sorts
    known = _SORTS.get(name)
    if known is None:
        return str(interpretation.name)
    if sorts and sorts != known:
        raise error_at(text, interpretation.name.place, f"S17: {name} has the types {known}, not {sorts}")
    return name


def _make_table(text: str, symbol: str, parts: list[Interpretation]) -> Table:
    rows, kind = {}, None
    for interpretation in parts:
        if interpretation.truth in rows:
            raise error_at(text, interpretation.name.place, f"S17: {symbol} is given twice")
        if kind is not None and interpretation.is_map not in (None, kind):
            raise error_at(text, min(interpretation.rows.values()), "rows with and without -> in one table")
        kind = interpretation.is_map if kind is None else kind
        rows[interpretation.truth] = frozenset(interpretation.rows)
    known = symbol in SYMBOLS and SYMBOLS[symbol].result is not None
    return Table(rows, known if kind is None else kind)


def _place_of(block: Block, by_symbol: dict[str, list[Interpretation]], where: object) -> int:
    """Return the place of the row or else the table of a fault, else that of the vocabulary's name."""
    assert isinstance(where, Spot)  # what Structure says of its problems
    parts = by_symbol.get(where.symbol, [])
    for interpretation in parts:
        if interpretation.truth == where.truth and where.row is not None and where.row in interpretation.rows:
            return interpretation.rows[where.row]
    return parts[0].name.place if parts else block.vocabulary.place
