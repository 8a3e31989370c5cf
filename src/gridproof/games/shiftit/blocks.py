"""From parsed blocks to structures: tables are gathered, and faults get the place of their row."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.core.errors import InvalidLevel, ParseError
from gridproof.games.shiftit.grammar import Block, Given, parse
from gridproof.games.shiftit.remarks import About, Remarks
from gridproof.games.shiftit.structure import Row, Structure, Table
from gridproof.games.shiftit.vocabulary import CONSTRUCTED, LISTED, SYMBOLS
from gridproof.games.shiftit.wellformed import Spot


def structures(text: str) -> Iterator[tuple[Structure, int]]:
    """The structures of a text with the lines on which they begin."""
    remarks = Remarks(text)
    for block in parse(text):
        yield _structure(block, remarks.until(block.last_line)), block.line


def _structure(block: Block, about: About) -> Structure:
    gathered: dict[str, list[Given]] = {}
    for given in block.given:
        gathered.setdefault(_symbol(given), []).append(given)
    tables = {symbol: _table(symbol, parts) for symbol, parts in gathered.items()}
    try:
        return Structure(
            tables,
            block.name,
            block.vocabulary,
            block.using,
            title=about.title,
            author=about.author,
            keys=about.keys,
        )
    except InvalidLevel as error:
        problem = error.problems[0]
        line, column = _place(gathered, problem.where)
        raise ParseError(f"S17: {problem.message}", line=line, column=column) from None


def _symbol(given: Given) -> str:
    """The name under which a symbol is kept: a known one's own, when the types written fit it."""
    name = given.name.path[-1]
    if name not in (*LISTED, *CONSTRUCTED, *SYMBOLS):
        return str(given.name)
    symbol = SYMBOLS.get(name)
    inside = ",".join(symbol.types) + (f":{symbol.result}" if symbol.result else "") if symbol else name
    if given.name.sorts not in ("", f"[{inside}]"):
        reason = f"S17: {name} has the types [{inside}], not {given.name.sorts}"
        raise ParseError(reason, line=given.name.line, column=given.name.column)
    return name


def _table(symbol: str, parts: list[Given]) -> Table:
    rows: dict[str, frozenset[Row]] = {}
    kinds: set[bool] = set()
    for given in parts:
        place = given.name
        if given.truth in rows:
            raise ParseError(f"S17: {symbol} is given twice", line=place.line, column=place.column)
        for row in given.rows:
            kinds.add(row.mapped)
            if len(kinds) > 1:
                reason = "rows with and without -> in one table"
                raise ParseError(reason, line=row.line, column=row.column)
        rows[given.truth] = frozenset(row.elements for row in given.rows)
    known = symbol in SYMBOLS and SYMBOLS[symbol].result is not None
    return Table(rows, kinds.pop() if kinds else known)


def _place(gathered: dict[str, list[Given]], where: object) -> tuple[int, int]:
    """Line and column of the row, or else of the table, that a fault is about."""
    assert isinstance(where, Spot)  # what Structure says of its problems
    parts = gathered[where.symbol]
    for given in parts:
        for row in given.rows if given.truth == where.truth else ():
            if row.elements == where.row:
                return row.line, row.column
    return parts[0].name.line, parts[0].name.column
