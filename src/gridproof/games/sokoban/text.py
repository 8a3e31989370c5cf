"""XSB, the text of the Sokoban world, read and written without loss (K21).

    Title: a collection          keys before the first board belong to the collection
    Bombs: 1                     the default of its levels

    ; First                      a comment directly above a board: its title, when it has no other
    #####
    #@$.#
    #####
    Author: somebody             keys below a board belong to it

A blank line, a comment or a key ends a board. A line that begins with a letter and is no key is a comment
too, as many collections have their titles without a mark. A key given on several lines has their values as lines;
`Comment:` alone begins a text that goes on to `Comment-End:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from gridproof.core import files
from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.pack import Pack
from gridproof.games.sokoban.rows import Rows, full_rows, level_of, short_rows
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import Cell, in_reading_order

_KEY = re.compile(r"\s*([^\W\d_][^:]{0,59}):(?!//)(.*)")
_SPELLING = {name.lower(): name for name in ("Title", "Author", "Bombs", "Comment", "Comment-End")}
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ROW = re.compile(r"[#@+$*. \-_|0-9]+")


def recognises(text: str) -> bool:
    """Whether the lines that can only be rows have a wall, or a player and a box."""
    marks = {mark for line in text.split("\n") if _ROW.fullmatch(line) for mark in line}
    return "#" in marks or bool(marks & set("@+") and marks & set("$*"))


def read(text: str) -> Pack:
    """The levels of a text with all that it says of them.

    Raises
    ------
    ParseError
        With the line and column of what has not the form of XSB.
    InvalidLevel
        With every broken condition of the first level that is not valid.
    """
    reader = _Reader()
    reader.take(enumerate(text.split("\n"), 1))
    head = reader.collection
    title, author = head.keys.pop("Title", ""), head.keys.pop("Author", "")
    return Pack(reader.levels, title=title, author=author, keys=head.keys, notes=tuple(head.below))


@dataclass(slots=True)
class _Part:
    """The collection or a level, while its lines are read."""

    line: int = 0
    rows: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)

    def level(self, default_bombs: str) -> Level:
        bombs = int(self.keys.pop("Bombs", default_bombs))
        return level_of(
            self.rows,
            bombs,
            self.line,
            title=self.keys.pop("Title", "") or title_above(self.above),
            author=self.keys.pop("Author", ""),
            keys=self.keys,
            notes_above=self.above,
            notes_below=self.below,
        )


class _Reader:
    """Gives each line to the part that it belongs to."""

    def __init__(self) -> None:
        self.collection = self._part = _Part()
        self.levels: list[Level] = []
        self._rows = Rows()
        self._comments: list[str] = []  # directly above the line that is read
        self._board_open = False

    def take(self, lines: Iterator[tuple[int, str]]) -> None:
        """Read all lines."""
        for number, line in lines:
            if key := _KEY.match(line):
                self._take_key(key[1].rstrip(), key[2].strip(), number, lines)
            elif (comment := _comment_of(line)) is not None:
                self._comments.append(comment)
                self._board_open = False
            elif line.strip():
                self._take_row(line.rstrip(), number)
            else:
                self._close_board()
        self._close_board()
        self._finish_level()

    def _take_key(self, name: str, value: str, number: int, lines: Iterator[tuple[int, str]]) -> None:
        self._close_board()
        name, keys = _SPELLING.get(name.lower(), name), self._part.keys
        if name == "Comment-End":
            raise ParseError("Comment-End: without a Comment: before it", line=number)
        if name == "Comment" and not value:
            value = _comment_text(lines, number)
        if name == "Bombs":
            _check_bombs(value, number, again=name in keys)
        keys[name] = f"{keys[name]}\n{value}" if name in keys else value

    def _take_row(self, line: str, number: int) -> None:
        if not self._board_open:
            self._finish_level()
            self._part = _Part(line=number, above=self._comments)
            self._comments, self._board_open = [], True
        self._rows.read(line, number, self._part.rows)

    def _close_board(self) -> None:
        """What stands above now is not directly above the next board."""
        self._part.below += self._comments
        self._comments, self._board_open = [], False

    def _finish_level(self) -> None:
        if self._part is not self.collection:
            self.levels.append(self._part.level(self.collection.keys.get("Bombs", "0")))


def _comment_of(line: str) -> str | None:
    """The text of a comment line; None for a line of another kind."""
    line = line.strip()
    if line.startswith(";"):
        return line[1:].removeprefix(" ")
    return line if line[:1].isalpha() or line.startswith(":") else None


def _comment_text(lines: Iterator[tuple[int, str]], begin: int) -> str:
    """The lines up to `Comment-End:`."""
    found: list[str] = []
    for _, line in lines:
        if line.strip().lower() == "comment-end:":
            return "\n".join(found)
        found.append(line.rstrip())
    raise ParseError("the Comment: that begins here has no end", line=begin, expected="Comment-End:")


def _check_bombs(value: str, number: int, again: bool) -> None:
    if again:
        raise ParseError("Bombs: is given twice", line=number)
    if not _NUMBER.fullmatch(value):
        raise ParseError(
            f"{value!r} is no number of bombs", line=number, expected="a whole number of at most 9 digits"
        )


def title_above(notes: Sequence[str]) -> str:
    """The title that comment lines directly above a board give it."""
    return notes[-1].strip() if notes else ""


def write(pack: Pack) -> str:
    """The text of a pack, a blank line before each level: reading it gives the pack back.

    Raises
    ------
    GridproofError
        When a key cannot be written as a line of the form `Key: value`.
    """
    default = pack.keys.get("Bombs", "0")
    _check_bombs(default, 0, again=False)
    head = [
        *_about(pack.title, pack.author),
        *([f"Bombs: {default}"] if "Bombs" in pack.keys else []),
        *_key_lines({name: value for name, value in pack.keys.items() if name != "Bombs"}),
        *map(_comment_line, pack.notes),
    ]
    texts = ["".join(f"{line}\n" for line in head)] if head else []
    return "\n".join(texts + [level_text(cast("Level", level), int(default)) for level in pack])


def level_text(level: Level, default_bombs: int = 0) -> str:
    """A level with all that is known of it; its bombs when they are not the default."""
    title = "" if level.title == title_above(level.notes_above) else level.title
    lines = [
        *map(_comment_line, level.notes_above),
        *short_rows(level),
        *_about(title, level.author),
        *([] if level.bombs == default_bombs else [f"Bombs: {level.bombs}"]),
        *_key_lines(level.keys),
        *map(_comment_line, level.notes_below),
    ]
    return "".join(f"{line}\n" for line in lines)


def _about(title: str, author: str) -> Iterator[str]:
    for name, value in (("Title", title), ("Author", author)):
        if value:
            yield from _lines_of_key(name, value)


def _key_lines(keys: Mapping[str, str]) -> Iterator[str]:
    for name, value in keys.items():
        if (name.lower() in _SPELLING and name != "Comment") or not _KEY.fullmatch(f"{name}: "):
            raise GridproofError(f"the key {name!r} cannot be written in a text of levels")
        yield from _lines_of_key(name, value)


def _lines_of_key(name: str, value: str) -> list[str]:
    lines = _LINE_END.split(value)
    if name == "Comment" and (len(lines) > 1 or not value.strip()):
        if any(line.strip().lower() == "comment-end:" for line in lines):
            raise GridproofError("a comment with a line Comment-End: cannot be written")
        return ["Comment:", *(lines if value else []), "Comment-End:"]
    return [f"{name}: {line.strip()}".rstrip() for line in lines]


def _comment_line(note: str) -> str:
    return f"; {_LINE_END.sub(' ', note)}".rstrip()


def position_text(position: Position) -> str:
    """The rows of the full width, then the bombs, also when there are none."""
    return "".join(f"{row}\n" for row in full_rows(position)) + f"Bombs: {position.bombs}\n"


def position_of(level: Level, text: str) -> Position:
    """The position of the level that a text shows.

    Raises
    ------
    ParseError, InvalidLevel
        As `read`; also when there is not one board.
    GridproofError
        When the position cannot be one of this level.
    """
    pack = read(files.clean(text))
    if len(pack) != 1:
        raise ParseError(f"one board is needed, the text has {len(pack)}", line=1)
    shown = cast("Level", pack[0])
    if reason := _foreign(level, shown):
        raise GridproofError(f"no position of this level: {reason}")
    return Position(level, shown.player, shown.boxes, shown.bombs, shown.walls)


def _foreign(level: Level, shown: Level) -> str:
    """Why a board cannot be reached on the level; "" when nothing speaks against it."""
    gone, used = level.walls - shown.walls, level.bombs - shown.bombs
    if shown.size != level.size:
        return f"its grid has {_size(shown)} cells, the level's {_size(level)}"
    if shown.depots != level.depots:
        return f"its depots differ at {_first(shown.depots ^ level.depots)}"
    if shown.walls - level.walls:
        return f"the level has no wall at {_first(shown.walls - level.walls)}"
    if used < 0:
        return f"it has {shown.bombs} bombs, the level {level.bombs}"
    if gone and not used:
        return f"the wall at {_first(gone)} is gone, but no bomb has been used"
    columns, rows = {x for x, _ in shown.walls}, {y for _, y in shown.walls}
    if kept := [(x, y) for x, y in gone if x in columns and y in rows]:
        return f"no bomb deletes the wall at {_first(kept)} and leaves others in its row and column"
    return ""


def _size(level: Level) -> str:
    return f"{level.size[0]} x {level.size[1]}"


def _first(cells: Iterable[Cell]) -> Cell:
    return in_reading_order(cells)[0]
