"""From parsed blocks to structures: tables are gathered, and faults get the place of their row."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from gridproof.core.errors import InvalidLevel
from gridproof.games.shiftit.idp.grammar import Block, Given, parse
from gridproof.games.shiftit.idp.remarks import About, Remarks
from gridproof.games.shiftit.idp.structure import Structure, Table
from gridproof.games.shiftit.idp.tokens import located
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS
from gridproof.games.shiftit.idp.wellformed import Spot

_SORTS = {name: f"[{name}]" for name in (*LISTED, *CONSTRUCTED)} | {
    name: f"[{','.join(symbol.types)}{f':{symbol.result}' if symbol.result else ''}]"
    for name, symbol in SYMBOLS.items()
}
"""The types of what the vocabulary knows, as they may stand behind its name."""


def structures(text: str) -> Iterator[tuple[Callable[[], Structure], int]]:
    """What makes the structures of a text, or raises ParseError, with the lines on which they begin."""
    remarks = Remarks(text)
    for block in parse(text):
        yield functools.partial(_structure, text, block, remarks.until(block.end)), block.line


def _structure(text: str, block: Block, about: About) -> Structure:
    gathered: dict[str, list[Given]] = {}
    for given in block.given:
        gathered.setdefault(_symbol(text, given), []).append(given)
    tables = {symbol: _table(text, symbol, parts) for symbol, parts in gathered.items()}
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
        raise located(text, _place(block, gathered, problem.where), f"S17: {problem.message}") from None


def _symbol(text: str, given: Given) -> str:
    """The name under which a symbol is kept: a known one's own, when the types written fit it."""
    name, sorts = given.name.path[-1], given.name.sorts
    known = _SORTS.get(name)
    if known is None:
        return str(given.name)
    if sorts and sorts != known:
        raise located(text, given.name.place, f"S17: {name} has the types {known}, not {sorts}")
    return name


def _table(text: str, symbol: str, parts: list[Given]) -> Table:
    rows, kind = {}, None
    for given in parts:
        if given.truth in rows:
            raise located(text, given.name.place, f"S17: {symbol} is given twice")
        if kind is not None and given.mapped not in (None, kind):
            raise located(text, min(given.rows.values()), "rows with and without -> in one table")
        kind = given.mapped if kind is None else kind
        rows[given.truth] = frozenset(given.rows)
    known = symbol in SYMBOLS and SYMBOLS[symbol].result is not None
    return Table(rows, known if kind is None else kind)


def _place(block: Block, gathered: dict[str, list[Given]], where: object) -> int:
    """Where the row, or else the table, stands that a fault is about; else the vocabulary's name."""
    assert isinstance(where, Spot)  # what Structure says of its problems
    parts = gathered.get(where.symbol, [])
    for given in parts:
        if given.truth == where.truth and where.row is not None and where.row in given.rows:
            return given.rows[where.row]
    return parts[0].name.place if parts else block.vocabulary.place
