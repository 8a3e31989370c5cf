"""The text of 2048: a header line, lines `Key: value`, and rows of numbers.

    2048 4x4 spawn=spec target=2048
    title: An example
    2 0 0 2
    0 4 0 0
    . . . .
    0 0 0 0

- The size is WIDTHxHEIGHT; `spawn` is `spec` or `classic`, `target` a power of two; both may be left
  out and are then as above. `.` stands for 0.
- Without rows the level's start is drawn by chance (T5). The header may be missing when nothing but
  rows is there; the size is then theirs.
- `title:`, `author:` and other keys may follow the header; lines that begin with `;` are comments.
  Those above the first level belong to the pack and are kept.
- A blank line ends a level; several make a pack.
"""

from __future__ import annotations

import functools
import re
from itertools import islice
from typing import NamedTuple

from gridproof.core import lazy_import
from gridproof.core.errors import InvalidLevel
from gridproof.core.game import Claim, Format
from gridproof.core.text import files
from gridproof.core.text.lines import LevelHeader, Line, Lines, header_text, single
from gridproof.core.text.pack import Pack, PackBuilder, write_levels
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.games.twenty48.rules import Level, Position
from gridproof.games.twenty48.tiles import SPAWN_RULES
from gridproof.games.twenty48.validity import find_board_problems

MOST = 99
"""The most cells of a row and rows of a board that are read; the rules allow fewer (T1)."""
_CONTENT_LINE = re.compile(
    r"^[^\S\n]*[^\s;][^\n]*", re.MULTILINE
)  # a line that is neither blank nor a comment
_NUMBER = re.compile(r"[0-9]{1,100}|\.")
_SIZE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_RULES = " or ".join(SPAWN_RULES)


class _Header(NamedTuple):
    width: int
    height: int
    spawn: str = "spec"
    target: int = 2048


class _Block(NamedTuple):
    """The parsed lines of one level."""

    first: Line
    header: _Header | None
    about: LevelHeader
    rows: tuple[tuple[int, ...], ...]


def recognises(text: str) -> Claim:
    """Return whether there is a header, or the first two lines are rows with a number in them."""
    first = [Line(0, line.group()) for line in islice(_CONTENT_LINE.finditer(text), 2)]
    if first and _is_header(first[0]):
        sized = any(_SIZE.fullmatch(word) for word, _ in islice(first[0].words(), 2))
        return Claim.MARK if sized else Claim.PART
    tokens = [[token for token, _ in islice(line.words(), MOST)] for line in first]
    rows = len(tokens) == 2 and all(len(row) > 1 and all(map(_NUMBER.fullmatch, row)) for row in tokens)
    return Claim.FORM if rows and any(set(row) != {"."} for row in tokens) else Claim.NONE


def read(text: str) -> Pack:
    """Read the levels of a text; ParseError or InvalidLevel for a broken one."""
    lines = Lines(text)
    levels = PackBuilder(text)
    while lines.begin():
        levels.add(functools.partial(_read_level, lines), lines.peek().number)
        lines.skip_block()
    return levels.pack(notes=lines.notes)


def _read_level(lines: Lines) -> Level:
    block = _read_block(lines)
    header = block.header or _Header(len(block.rows[0]), len(block.rows))
    return Level(*header, block.rows or None, **block.about._asdict())


def _read_block(lines: Lines) -> _Block:
    first = lines.peek()
    header = _parse_header(lines.take()) if _is_header(first) else None
    about = lines.read_header("a row of numbers") if header else LevelHeader("", "", {})
    width, height = header[:2] if header else (None, MOST)
    rows: list[tuple[int, ...]] = []
    while (line := lines.peek()).text:
        if len(rows) == height:
            raise line.fault(f"more than {height} rows", "a blank line after the board")
        rows.append(_parse_row(line, len(rows[0]) if rows else width))
        last = lines.take()
    if header and 0 < len(rows) < height:
        raise last.fault(f"the board has {len(rows)} of {height} rows", f"{height} rows")
    return _Block(first, header, about, tuple(rows))


# -- single lines


def _is_header(line: Line) -> bool:
    """Return whether a line is a header `2048 4x4 ...`, also a broken one; but `2048 4 8 16` is a row."""
    if not line.text.lstrip().startswith("2048"):
        return False
    words = [word for word, _ in islice(line.words(), 2)]
    return words[0] == "2048" and (len(words) == 1 or not _NUMBER.fullmatch(words[1]))


def _parse_header(line: Line) -> _Header:
    words = list(islice(line.words(), MOST))[1:]
    size = _SIZE.fullmatch(words[0][0]) if words else None
    if size is None:
        column = words[0][1] if words else 0
        raise line.fault("the size is not understood", "WIDTHxHEIGHT, such as 4x4", column)
    header = _Header(int(size[1]), int(size[2]))
    seen = set()
    for word, column in words[1:]:
        name, _, value = word.partition("=")
        if name in seen:
            raise line.fault(f"{name}= stands twice", column=column)
        seen.add(name)
        header = _parse_option(line, header, name, value, column)
    return header


def _parse_option(line: Line, header: _Header, name: str, value: str, column: int) -> _Header:
    if name == "spawn":
        if value not in SPAWN_RULES:
            raise line.fault(f"no spawn rule {short_repr(value, 20)}", _RULES, column)
        return header._replace(spawn=value)
    if name == "target":
        if not _NUMBER.fullmatch(value) or value == ".":
            raise line.fault(f"{short_repr(value, 20)} is no target", "a power of two, such as 2048", column)
        return header._replace(target=int(value))
    raise line.fault(f"{short_repr(name, 20)} in the header", "spawn= or target=", column)


def _parse_row(line: Line, width: int | None) -> tuple[int, ...]:
    """Parse the numbers of a row; the first row of a board without a header may have any number."""
    row: list[int] = []
    for word, column in line.words():
        if not _NUMBER.fullmatch(word):
            raise line.fault(f"{short_repr(word, 20)} in a row", "a number or .", column)
        if len(row) == (width or MOST):
            raise line.fault(f"more than {len(row)} cells in a row", "the end of the line", column)
        row.append(0 if word == "." else int(word))
    if width and len(row) < width:
        raise line.fault(f"{format_count(len(row), 'cells')} in a row", f"{width}", len(line.text) + 1)
    return tuple(row)


# -- writing


def _header_text(level: Level) -> str:
    return f"2048 {level.width}x{level.height} spawn={level.spawn} target={level.target}\n"


def level_text(level: Level) -> str:
    """Return a level with its title and keys; without rows for a random start."""
    about = _header_text(level) + header_text(level.title, level.author, level.keys)
    return about + (_rows_text(level.start()) if level.board else "")


def position_text(position: Position) -> str:
    """Return the header and the rows of a position."""
    return _header_text(position.level) + _rows_text(position)


def _rows_text(position: Position) -> str:
    return _rows_format(position.level.width, position.level.height) % position.cells


@functools.cache
def _rows_format(width: int, height: int) -> str:
    """Return a `%` form of rows of numbers."""
    return (" ".join(["%d"] * width) + "\n") * height


@lazy_import.pause_gc()
def position_of(level: Level, text: str) -> Position:
    """Read a position of the level; the header may be missing."""
    lines = Lines(files.clean(text))
    blocks = []
    while lines.begin():
        blocks.append(_read_block(lines))
    block = single(blocks)
    own = _Header(level.width, level.height, level.spawn, level.target)
    if block.header not in (None, own):
        raise block.first.fault("the board is of another level", _header_text(level).rstrip())
    if not block.rows:
        raise block.first.fault("the text has no board", f"{level.height} rows of {level.width} numbers")
    problems = tuple(find_board_problems(block.rows, (level.width, level.height)))
    if problems:
        raise InvalidLevel(problems, line=block.first.number)
    return Position(level, tuple(tile for row in block.rows for tile in row))


FORMAT = Format(
    "2048",
    (".2048",),
    "a header line and rows of numbers",
    recognises,
    read,
    write_levels,
    level_text,
    position_text,
    position_of,
)
