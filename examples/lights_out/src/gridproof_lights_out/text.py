"""The text of lights out: a line `lights:` with the title, `key: value` lines, rows of lamps.

    lights: The cross
    author: Somebody
    .O.
    OOO
    .O.

`O` is a lamp that is lit, `.` a dark one. The next line with `lights:` begins another level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from gridproof.core import files
from gridproof.core.errors import ParseError
from gridproof.core.game import Claim
from gridproof.core.pack import Gathered, Pack
from gridproof_lights_out.rules import Level, Position

HEAD = "lights:"
_BITS = str.maketrans(".O", "01")
_FOREIGN = re.compile("[^.O]")
_KEY = re.compile(r"([a-z]\w*): *(.*)")


def recognises(text: str) -> Claim:
    """Whether the first line that is not blank is a head."""
    return Claim.MARK if text.lstrip().startswith(HEAD) else Claim.NONE


def read(text: str) -> Pack:
    """The levels of a text; ParseError or InvalidLevel for a broken one."""
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(HEAD):
            blocks.append([(number, line)])
        elif line.strip() and blocks:
            blocks[-1].append((number, line))
        elif line.strip():
            raise ParseError("a level begins with its head", line=number, expected=HEAD)
    levels = Gathered(text)
    for block in blocks:
        levels.add(partial(_level, block), line=block[0][0])
    return levels.pack()


def _level(block: list[tuple[int, str]]) -> Level:
    """The level of a head and the lines below it, with their numbers."""
    first, head = block[0]
    keys = dict(_keys(block[1:]))
    width, height, lamps = _lamps(block[1 + len(keys) :], first)
    author = keys.pop("author", "")
    return Level(width, height, lamps, head.removeprefix(HEAD).strip(), author, keys)


def _keys(lines: list[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """The `key: value` lines, up to the first row of lamps."""
    for _, line in lines:
        match = _KEY.fullmatch(line)
        if match is None:
            return
        yield match[1], match[2].rstrip()


def _lamps(rows: list[tuple[int, str]], first: int) -> tuple[int, int, int]:
    """Width, height and lamps."""
    if not rows:
        raise ParseError("a level without lamps", line=first, expected="rows of . and O")
    width = len(rows[0][1])
    for number, row in rows:
        if len(row) != width:
            raise ParseError(f"a row of {len(row)} lamps", line=number, expected=f"{width} lamps")
        if foreign := _FOREIGN.search(row):
            column = foreign.start() + 1
            raise ParseError(f"{foreign[0]!r} in a row", line=number, column=column, expected=". or O")
    bits = "".join(row for _, row in rows).translate(_BITS)
    return width, len(rows), int(bits[::-1], 2)


def _rows(level: Level, lamps: int) -> str:
    cells = ["O" if lamps >> bit & 1 else "." for bit in range(level.width * level.height)]
    rows = (cells[y * level.width : (y + 1) * level.width] for y in range(level.height))
    return "".join("".join(row) + "\n" for row in rows)


def level_text(level: Level) -> str:
    """A level with its title and keys."""
    keys = ({"author": level.author} if level.author else {}) | dict(level.keys)
    lines = [f"{HEAD} {level.title}".rstrip(), *(f"{key}: {value}" for key, value in keys.items())]
    return "\n".join(lines) + "\n" + _rows(level, level.lamps)


def write(pack: Pack) -> str:
    """All levels of a pack, a blank line between them."""
    return "\n".join(level.text() for level in pack)


def position_text(position: Position) -> str:
    """The bare head and the lamps as they are."""
    return f"{HEAD}\n{_rows(position.level, position.lamps)}"


def position_of(level: Level, text: str) -> Position:
    """The position of the level that such a text shows."""
    lines = list(enumerate(files.clean(text).rstrip("\n").split("\n"), 1))
    if lines[0][1].strip() != HEAD:
        raise ParseError("a position begins with its head", line=1, expected=HEAD)
    width, height, lamps = _lamps(lines[1:], 1)
    if (width, height) != (level.width, level.height):
        raise ParseError(
            f"{width} times {height} lamps", line=2, expected=f"{level.width} times {level.height}"
        )
    return Position(level, lamps)
