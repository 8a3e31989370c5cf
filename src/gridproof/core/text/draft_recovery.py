"""Boards recovered from broken texts, to be corrected by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from gridproof.core.text.lines import LevelHeader

_KEY = re.compile(r"^\s*(title|author)\s*:\s*(.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_MARKUP = re.compile(r"<[^>]*>")
_MOST = 60
"""Most rows and columns of a draft."""


def recover_rows(
    text: str,
    symbols: Callable[[str], Sequence[str]],
    is_known: Callable[[str], object],
    blank: str,
    line: int,
) -> tuple[tuple[tuple[str, ...], ...], str] | None:
    """Recover the rows of a board from a broken text, and the lines around them; None if there are none.

    A line is a row if most of its symbols stand for cells; unknown symbols become blank cells, and short rows are
    filled up.

    Parameters
    ----------
    symbols : function
        The symbols of a line, one for each cell.
    is_known : function
        Whether a symbol stands for a cell.
    line : int
        Line of the level or of its fault, from 1; 0 when that is not known.
    """
    lines = _MARKUP.sub("", text).splitlines()
    runs = list(_runs([_is_row(one, symbols, is_known) for one in lines]))
    if not runs:
        return None
    place = next((place for place, (_, end) in enumerate(runs) if end >= line), len(runs) - 1)
    begin, end = runs[place]
    rows = [
        [symbol if is_known(symbol) else blank for symbol in symbols(one)][:_MOST]
        for one in lines[begin:end][:_MOST]
    ]
    width = max(map(len, rows))
    around = lines[runs[place - 1][1] if place else 0 : runs[place + 1][0] if place + 1 < len(runs) else None]
    return tuple((*row, *(blank,) * (width - len(row))) for row in rows), "\n".join(around)


def find_header(text: str) -> LevelHeader:
    """Return the title and author that some lines give."""
    found = {name.lower(): value for name, value in _KEY.findall(text)}
    return LevelHeader(found.get("title", ""), found.get("author", ""), {})


def _is_row(line: str, symbols: Callable[[str], Sequence[str]], is_known: Callable[[str], object]) -> bool:
    """Return whether a line is a row: neither a comment nor a key, and most of it stands for cells."""
    found = [] if line.lstrip().startswith(";") or ":" in line else symbols(line)
    return 2 * sum(bool(is_known(one)) for one in found) > len(found)


def _runs(are_rows: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield each run of rows: its first line, and the one behind its last."""
    begin = 0
    for is_row, run in groupby(are_rows):
        end = begin + len(list(run))
        if is_row:
            yield begin, end
        begin = end
