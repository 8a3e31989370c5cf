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
  Those before the first blank line, when nothing else is there, belong to the pack and are kept.
- A blank line ends a level; several make a pack.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from gridproof.core import files
from gridproof.core.errors import InvalidLevel, ParseError
from gridproof.core.game import Claim
from gridproof.core.pack import Gathered, Pack
from gridproof.core.wording import counted, shown
from gridproof.games.twenty48.rules import Level, Position
from gridproof.games.twenty48.tiles import SPAWN_RULES, board_problems

MOST = 99
"""Cells of a row and rows of a board that are read at all; the rules allow fewer (T1)."""
_TOLD = re.compile(r"^[^\S\n]*[^\s;][^\n]*", re.MULTILINE)  # a line that is neither blank nor a comment
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,100}|\.")
_SIZE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9 _-]*):(.*)")
_RULES = " or ".join(SPAWN_RULES)


class _Line(NamedTuple):
    number: int
    text: str


class _Header(NamedTuple):
    width: int
    height: int
    spawn: str = "spec"
    target: int = 2048


class _Block(NamedTuple):
    """The lines of one level, understood."""

    header: _Header | None
    keys: dict[str, str]
    rows: tuple[tuple[int, ...], ...]


def recognises(text: str) -> Claim:
    """Whether there is a header, or the first two lines are rows with a number in them."""
    first = [_Line(0, line.group()) for line in islice(_TOLD.finditer(text), 2)]
    if first and _is_header(first[0]):
        sized = any(_SIZE.fullmatch(word) for word, _ in islice(_tokens(first[0]), 2))
        return Claim.MARK if sized else Claim.PART
    tokens = [[token for token, _ in islice(_tokens(line), MOST)] for line in first]
    rows = len(tokens) == 2 and all(len(row) > 1 and all(map(_NUMBER.fullmatch, row)) for row in tokens)
    return Claim.FORM if rows and any(set(row) != {"."} for row in tokens) else Claim.NONE


def read(text: str) -> Pack:
    """The levels of a text; ParseError or InvalidLevel for a broken one."""
    levels = Gathered(text)
    notes: tuple[str, ...] = ()
    for block in _blocks(text):
        lines = [line for line in block if not _is_comment(line)]
        if lines:
            levels.add(functools.partial(_level, lines), lines[0].number)
        elif not levels:
            notes += tuple(line.text.strip() for line in block)
    return levels.pack(notes=notes)


def _level(lines: Sequence[_Line]) -> Level:
    block = _block(lines)
    header = block.header or _Header(len(block.rows[0]), len(block.rows))
    title, author = (block.keys.pop(key, "") for key in ("title", "author"))
    return Level(*header, block.rows or None, title, author, block.keys)


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Runs of lines that are not blank."""
    block: list[_Line] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            block.append(_Line(number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _block(lines: Sequence[_Line]) -> _Block:
    header = _header(lines[0]) if _is_header(lines[0]) else None
    rest = list(lines[1:] if header else lines)
    keys = {}
    while header and rest and (match := _KEY.fullmatch(rest[0].text)):
        keys[match[1]] = match[2].strip()
        del rest[0]
    rows = tuple(_rows(rest, header))
    if header and rows and len(rows) < header.height:
        raise _fault(lines[-1], f"the board has {len(rows)} of {header.height} rows", f"{header.height} rows")
    return _Block(header, keys, rows)


# -- single lines


def _tokens(line: _Line) -> Iterator[tuple[str, int]]:
    """The words of a line with their columns, from 1; lazily, for a line may be enormous."""
    return ((match[0], match.start() + 1) for match in _TOKEN.finditer(line.text))


def _is_comment(line: _Line) -> bool:
    return line.text.lstrip().startswith(";")


def _is_header(line: _Line) -> bool:
    """A first line `2048 4x4 ...`, also a broken one; but `2048 4 8 16` is a row."""
    words = [word for word, _ in islice(_tokens(line), 2)]
    return words[0] == "2048" and (len(words) == 1 or not _NUMBER.fullmatch(words[1]))


def _header(line: _Line) -> _Header:
    words = list(islice(_tokens(line), MOST))[1:]
    size = _SIZE.fullmatch(words[0][0]) if words else None
    if size is None:
        column = words[0][1] if words else 0
        raise _fault(line, "the size is not understood", "WIDTHxHEIGHT, such as 4x4", column)
    header = _Header(int(size[1]), int(size[2]))
    seen = set()
    for word, column in words[1:]:
        name, _, value = word.partition("=")
        if name in seen:
            raise _fault(line, f"{name}= stands twice", column=column)
        seen.add(name)
        header = _option(line, header, name, value, column)
    return header


def _option(line: _Line, header: _Header, name: str, value: str, column: int) -> _Header:
    if name == "spawn":
        if value not in SPAWN_RULES:
            raise _fault(line, f"no spawn rule {shown(value, 20)}", _RULES, column)
        return header._replace(spawn=value)
    if name == "target":
        if not _NUMBER.fullmatch(value) or value == ".":
            raise _fault(line, f"{shown(value, 20)} is no target", "a power of two, such as 2048", column)
        return header._replace(target=int(value))
    raise _fault(line, f"{shown(name, 20)} in the header", "spawn= or target=", column)


def _rows(lines: Sequence[_Line], header: _Header | None) -> Iterator[tuple[int, ...]]:
    width, height = header[:2] if header else (None, MOST)
    for count, line in enumerate(lines):
        if count == height:
            raise _fault(line, f"more than {height} rows", "a blank line after the board")
        row = _row(line, width)
        width = len(row)
        yield row


def _row(line: _Line, width: int | None) -> tuple[int, ...]:
    """The numbers of a row; the first row of a board without a header says how many they are."""
    row: list[int] = []
    for word, column in _tokens(line):
        if not _NUMBER.fullmatch(word):
            raise _fault(line, f"{shown(word, 20)} in a row", "a number or .", column)
        if len(row) == (width or MOST):
            raise _fault(line, f"more than {len(row)} cells in a row", "the end of the line", column)
        row.append(0 if word == "." else int(word))
    if width and len(row) < width:
        raise _fault(line, f"{counted(len(row), 'cells')} in a row", f"{width}", len(line.text) + 1)
    return tuple(row)


def _fault(line: _Line, reason: str, expected: str = "", column: int = 0) -> ParseError:
    return ParseError(reason, line=line.number, column=column, expected=expected)


# -- written


def _header_text(level: Level) -> str:
    return f"2048 {level.width}x{level.height} spawn={level.spawn} target={level.target}\n"


def _rows_text(rows: Sequence[Sequence[int]]) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def _key_text(key: str, value: str) -> str:
    """A line `key: value`; nothing when there is no value, or the key would be read as another."""
    value = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    match = _KEY.fullmatch(f"{key}:")
    return f"{key}: {value}\n" if value and match and match[1] == key else ""


def level_text(level: Level) -> str:
    """A level with its title and keys; the header alone when it starts by chance."""
    keys = {"title": level.title, "author": level.author, **level.keys}
    lines = "".join(_key_text(key, value) for key, value in keys.items())
    return _header_text(level) + lines + _rows_text(level.board or ())


def write(pack: Pack) -> str:
    """All levels of a pack, a blank line between them, after the notes of the pack."""
    notes = "".join(note + "\n" for note in pack.notes)
    return "\n".join(filter(None, [notes, *(level.text() for level in pack)]))


def position_text(position: Position) -> str:
    """The header and the rows."""
    return _header_text(position.level) + _rows_text(position.rows)


def position_of(level: Level, text: str) -> Position:
    """The position of the level that a text shows; the header may be missing."""
    blocks = [[line for line in block if not _is_comment(line)] for block in _blocks(files.clean(text))]
    blocks = [lines for lines in blocks if lines]
    if len(blocks) != 1:
        raise ParseError(f"one position is needed, the text has {len(blocks)}", line=1)
    lines = blocks[0]
    own = _Header(level.width, level.height, level.spawn, level.target)
    block = _block(lines)
    if block.header not in (None, own):
        raise _fault(lines[0], "the board is of another level", _header_text(level).rstrip())
    if not block.rows:
        raise _fault(lines[-1], "the text has no board", f"{level.height} rows of {level.width} numbers")
    problems = tuple(board_problems(block.rows, (level.width, level.height)))
    if problems:
        raise InvalidLevel(problems, line=lines[0].number)
    return Position(level, tuple(tile for row in block.rows for tile in row))
