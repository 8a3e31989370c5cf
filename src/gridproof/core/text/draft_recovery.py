"""Boards as far as broken texts show them, so that what is wrong can be mended by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from gridproof.core.lines import About

_KEY = re.compile(r"^\s*(title|author)\s*:\s*(.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_MARKUP = re.compile(r"<[^>]*>")
_MOST = 60
"""Rows and columns that are shown."""


def sketched(
    text: str,
    symbols: Callable[[str], Sequence[str]],
    is_known: Callable[[str], object],
    blank: str,
    line: int,
) -> tuple[tuple[tuple[str, ...], ...], str] | None:
    """The rows of a board in a text, whatever else is wrong there, and the lines around them; None where it shows none.

    Lines are rows where most of what they hold stands for a cell; what stands for none is left blank, and short rows are
    filled up.

    Parameters
    ----------
    symbols : function
        What a line holds, one for each cell.
    is_known : function
        Whether that stands for a cell.
    line : int
        Where the level or what is wrong with it is, from 1; 0 when that is not known.
    """
    lines = _MARKUP.sub("", text).splitlines()
    runs = list(_runs([_row(one, symbols, is_known) for one in lines]))
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


def about_in(text: str) -> About:
    """Title and author that some lines give."""
    found = {name.lower(): value for name, value in _KEY.findall(text)}
    return About(found.get("title", ""), found.get("author", ""), {})


def _row(line: str, symbols: Callable[[str], Sequence[str]], is_known: Callable[[str], object]) -> bool:
    """Whether a line is a row: neither a comment nor a key, and most of it stands for cells."""
    found = [] if line.lstrip().startswith(";") or ":" in line else symbols(line)
    return 2 * sum(bool(is_known(one)) for one in found) > len(found)


def _runs(are_rows: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Where rows follow each other: the first, and the one behind the last."""
    begin = 0
    for is_row, run in groupby(are_rows):
        end = begin + len(list(run))
        if is_row:
            yield begin, end
        begin = end
