"""The text of null: one row, `@` the walker, `o` the flag, `.` a cell; title and author may stand above.

    title: The short way
    author: Somebody
    .@...o

`*` is the walker on the flag. A blank line ends a level.
"""

from __future__ import annotations

import functools

from gridproof.core import files
from gridproof.core.errors import ParseError
from gridproof.core.pack import Gathered, Pack
from gridproof.games.null.rules import Level, Position

_SAID = ("title:", "author:")


def recognises(text: str) -> bool:
    """Whether every line is a row, a title or an author, and there is a row."""
    lines = [line for line in text.split("\n") if line and not line.startswith(_SAID)]
    return bool(lines) and all(set(line) <= set(".@o*") and "o" in line.replace("*", "o") for line in lines)


def read(text: str) -> Pack:
    """The levels of a text; ParseError or InvalidLevel for a broken one."""
    levels = Gathered(text)
    said: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(_SAID):
            key, _, value = line.partition(":")
            said[key] = value.strip()
        elif line.strip():
            title, author = said.get("title", ""), said.get("author", "")
            levels.add(functools.partial(Level, *_row(line, number), title=title, author=author), number)
            said = {}
    return levels.pack()


def _row(line: str, number: int) -> tuple[int, int, int]:
    """Width, walker and flag."""
    for column, character in enumerate(line, 1):
        if character not in ".@o*":
            raise ParseError(f"{character!r} in a row", line=number, column=column, expected="one of . @ o *")
    for what, marks in (("walker", "@*"), ("flag", "o*")):
        if sum(line.count(mark) for mark in marks) != 1:
            raise ParseError(f"a row has one {what}", line=number, expected=f"one of {' '.join(marks)}")
    both = line.find("*")
    return len(line), max(line.find("@"), both), max(line.find("o"), both)


def _row_text(width: int, walker: int, flag: int) -> str:
    cells = ["."] * width
    cells[flag] = "o"
    cells[walker] = "*" if walker == flag else "@"
    return "".join(cells) + "\n"


def level_text(level: Level) -> str:
    """A level with its title and author."""
    said = "".join(
        f"{key} {value}\n" for key, value in zip(_SAID, (level.title, level.author), strict=True) if value
    )
    return said + _row_text(level.width, level.walker, level.flag)


def write(pack: Pack) -> str:
    """All levels of a pack, a blank line between them."""
    return "\n".join(level.text() for level in pack)


def position_text(position: Position) -> str:
    """The row as it stands."""
    return _row_text(position.level.width, position.walker, position.level.flag)


def position_of(level: Level, text: str) -> Position:
    """The position of the level that a row shows."""
    width, walker, flag = _row(files.clean(text).removesuffix("\n"), 1)
    if (width, flag) != (level.width, level.flag):
        raise ParseError(
            "the row is of another level", line=1, expected=_row_text(level.width, walker, level.flag)
        )
    return Position(level, walker)
