"""The rows of boards in characters, shared by all formats.

`#` wall, `@` player, `+` player on a depot, `$` box, `*` box on a depot, `.` depot, space, `-` or `_` floor;
run lengths as in `3#2-@`, and `|` between rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gridproof.core.errors import InvalidLevel, ParseError, Problem
from gridproof.core.text.grid_text import Characters
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import LARGEST_SIDE, Cell, LevelParts

CELLS, CELLS_A_CHARACTER, MOST_CELLS = 20_000, 20, 500_000
"""Limits on the cells of a text, run lengths written out: CELLS, and one for each character of the text; and
CELLS_A_CHARACTER more for each character, of which at most MOST_CELLS count."""

MOST_BOXES = 250_000
"""The most boxes, and depots, of a board: more would fill the memory, and nobody could move one."""

PIECES = {"#": "wall", "$": "box", ".": "depot", "@": "player", "*": "box depot", "+": "player depot"}
"""The pieces on the cell that each character stands for, besides floor."""
_MARKS = Characters(PIECES)
_EXPECTED = "one of # @ + $ * . - _, a space, a number before one of them, or |"
_FOREIGN = re.compile(r"[^#@+$*. \-_|0-9]")
_DIGIT = re.compile("[0-9]")
_RUN = re.compile("([0-9]*)([^0-9]|(?<=[0-9])$)")


class Rows:
    """A reader of the rows of one text, with a limit, so that a short text cannot fill the memory."""

    def __init__(self, text: str) -> None:
        self._most = len(text) + CELLS + min(CELLS_A_CHARACTER * len(text), MOST_CELLS)
        self._cells = 0

    def read(self, line: str, number: int, rows: list[str], column: int = 1) -> None:
        """Add the rows of a line to a board: one, or several with `|` between them.

        Parameters
        ----------
        line : str
            Without its newline; spaces at its end are not counted.
        number, column : int
            Where it begins in the text, for errors.
        rows : list of str
            The rows of the board so far, their run lengths written out.

        Raises
        ------
        ParseError
            For a foreign character, a run length without a character, or too much of anything.
        """
        line = line.rstrip(" ")
        if foreign := _FOREIGN.search(line):
            place = column + foreign.start()
            raise ParseError(f"{foreign[0]!r} in a row", line=number, column=place, expected=_EXPECTED)
        parts = line.removesuffix("|").split("|")
        if len(rows) + len(parts) > LARGEST_SIDE:
            reason = f"a board of more than {LARGEST_SIDE} rows"
            raise ParseError(reason, line=number, column=column)
        for part in parts:
            row = _expand_run_lengths(part, number, column)
            self._cells += len(row)
            if self._cells > self._most:
                reason = f"more than {self._most} cells in a text of this length"
                raise ParseError(reason, line=number, column=column)
            rows.append(row.rstrip(" "))
            column += len(part) + 1


def _expand_run_lengths(part: str, number: int, column: int) -> str:
    """Return a row with its run lengths expanded; each run is measured before it is made."""
    if len(part) <= LARGEST_SIDE and _DIGIT.search(part) is None:
        return part
    pieces, length = [], 0
    for run in _RUN.finditer(part):
        place = column + run.start()
        times = _parse_run_length(run[1], number, place)
        length += times
        if length > LARGEST_SIDE:
            raise ParseError(f"a row of more than {LARGEST_SIDE} cells", line=number, column=place)
        if not run[2]:
            raise ParseError("a number without a character", line=number, column=place, expected=_EXPECTED)
        pieces.append(run[2] * times)
    return "".join(pieces)


def _parse_run_length(digits: str, number: int, column: int) -> int:
    """Return a run length; no more digits are read than the longest row needs."""
    if digits and not digits.strip("0"):
        raise ParseError("a run of no characters", line=number, column=column, expected="a number from 1")
    return int(digits.lstrip("0")[:9]) if digits else 1


def parse_board(rows: Sequence[str], bombs: int) -> LevelParts:
    """Return the parts on the rows, valid or not; the grid is their rectangle (K4).

    Raises
    ------
    InvalidLevel
        When there are more than MOST_BOXES boxes or depots.
    """
    for marks in ("$*", ".+*"):
        if sum(row.count(mark) for row in rows for mark in marks) > MOST_BOXES:
            raise InvalidLevel(
                [Problem("K3-counts", None, f"a board has at most {MOST_BOXES} boxes and as many depots")]
            )
    width = max(map(len, rows), default=0)
    return LevelParts(
        tuple(_MARKS.find_cells("player", rows)),
        bombs,
        boxes=frozenset(_MARKS.find_cells("box", rows)),
        depots=frozenset(_MARKS.find_cells("depot", rows)),
        walls=frozenset(_MARKS.find_cells("wall", rows)),
        size=(max(width, 1), max(len(rows), 1)),
        inside=True,
    )


def full_rows(position: Position) -> list[str]:
    """Return the rows of a position in full width, floor as `-`."""
    return full_text(position).split("\n")[:-1]


def full_text(position: Position) -> str:
    """Return the rows of a position as `full_rows`, each with a line end."""
    level = position.level
    stride = level.size[0] + 1
    text = bytearray(_ground_text(level.depots, position.walls, level.size))
    for x, y in position.boxes:
        place = y * stride + x
        text[place] = _BOX_ON[text[place]]
    x, y = position.player
    place = y * stride + x
    text[place] = _PLAYER_ON[text[place]]
    return text.decode()


_BOX_ON = {ord("-"): ord("$"), ord("."): ord("*")}
_PLAYER_ON = {ord("-"): ord("@"), ord("."): ord("+")}


@lru_cache(maxsize=64)
def _ground_text(depots: frozenset[Cell], walls: frozenset[Cell], size: tuple[int, int]) -> bytes:
    """Return the rows without boxes and player, which positions of a level share."""
    width, height = size
    grid = bytearray((b"-" * width + b"\n") * height)
    for cells, mark in ((depots, b"."), (walls, b"#")):
        for x, y in cells:
            grid[y * (width + 1) + x] = mark[0]
    return bytes(grid)


def short_rows(level: Level) -> list[str]:
    """Return the rows of a level as people write them: floor as spaces, none at the end of a row.

    A row that is all floor is written with `-` (K21), and so is the first row when none would reach the
    grid's right side (K4).
    """
    full = full_rows(level.start())
    rows = [row if set(row) == {"-"} else row.replace("-", " ").rstrip() for row in full]
    if max(map(len, rows)) < level.size[0]:
        rows[0] = full[0]
    return rows
