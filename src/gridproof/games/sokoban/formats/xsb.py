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
from collections.abc import Iterable, Iterator, Mapping

from gridproof.core import files
from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Claim, Format
from gridproof.core.pack import Gathered, Pack
from gridproof.core.wording import counted
from gridproof.games.sokoban.formats.canonical import canonical_texts
from gridproof.games.sokoban.formats.parts import (
    AUTHOR,
    BOMBS,
    COMMENT,
    END,
    KEY,
    TITLE,
    Part,
    checked_keys,
    default_bombs,
    levels_of,
    spelled,
    title_above,
)
from gridproof.games.sokoban.formats.rows import Rows, full_rows, short_rows
from gridproof.games.sokoban.formats.solutions import Solutions, keys_with_solution
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import Cell, in_reading_order

_LINE_END = re.compile(r"\r\n|\r|\n")
_WALLS = re.compile(r"##|[0-9]#")
_ROWS = re.compile(r"^[#@+$*. \-_|0-9\n]+$", re.MULTILINE)
_ROW_ENDS = re.compile(r"[^\s|](?=[^\S\n]*+(?:[\n|]|\Z))")
_UNMARKED = re.compile(r"^(?![^\S\n]*+[^\W\d_][^:\n]{0,59}:(?!//))[^\S\n]*+([^\W\d_])", re.MULTILINE)
"""A line that begins with a letter and is no key: a comment, if the text is Sokoban's."""
_FOREIGN = re.compile(r"^[^\S\n]*+(?![;:]|[^\W\d_])[#@+$*. \-_|0-9]*+[^\S\n]*+(\S)", re.MULTILINE)
"""A line that is no row, no comment and no key."""
_WALLED = re.compile(r"^[^\S\n]*+#[^\n]*#[^\S\n]*+$", re.MULTILINE)
"""A line from wall to wall: a row, even if a mark in it is none of Sokoban's."""


def recognises(text: str) -> Claim:
    """Whether the lines that can only be rows have walls side by side, or any two of wall, player and box.

    A single wall is not enough, as other games' rows have that mark too; and XML is never taken for rows.
    Nor is a text with fewer rows than lines that are no rows, no keys and no marked comments. With a few that
    are not even unmarked comments it is Sokoban's only where no other format claims it. Beside any of them, a
    run of rows, or the lines from wall to wall, must have a wall, a player and a box: rows of hashes, dashes or
    stars stand in other texts, too.
    """
    if text.lstrip().startswith("<"):
        return Claim.NONE
    runs = _ROWS.findall(text)
    rows = "\n".join(runs)
    if _marks(rows) < 2 and _WALLS.search(rows) is None:
        return Claim.NONE
    foreign = len(_FOREIGN.findall(text))
    others = foreign + len(_UNMARKED.findall(text))
    boards = (*runs, "\n".join(_WALLED.findall(text)))
    if others > len(_ROW_ENDS.findall(rows)) or (others and max(map(_marks, boards)) < 3):
        return Claim.NONE
    return Claim.PART if foreign else Claim.FORM


def _marks(rows: str) -> int:
    """How many of wall, player and box stand in rows."""
    return ("#" in rows) + ("@" in rows or "+" in rows) + ("$" in rows or "*" in rows)


def read(text: str) -> Pack:
    """The levels of a text with all that it says of them.

    Raises
    ------
    ParseError
        With the line and column of what has not the form of XSB.
    InvalidLevel
        With every broken condition of all levels that are not valid.
    """
    reader = _Reader(text)
    reader.take(enumerate(text.split("\n"), 1))
    return reader.collection.pack(reader.levels)


class _Reader:
    """Gives each line to the part that it belongs to."""

    def __init__(self, text: str) -> None:
        self.collection = self._part = Part()
        self._solutions = Solutions(len(text))
        self.levels = Gathered(text)
        self._rows = Rows(text)
        self._comments: list[str] = []  # directly above the line that is read
        self._board_open = False

    def take(self, lines: Iterator[tuple[int, str]]) -> None:
        """Read all lines."""
        for number, line in lines:
            if not line or line.isspace():
                self._close_board()
            elif key := KEY.match(line):
                self._take_key(key[1].rstrip(), key[2].strip(), number, lines)
            elif (comment := _comment_of(line)) is not None:
                self._comments.append(comment)
                self._board_open = False
            else:
                self._take_row(line.rstrip(), number)
        self._close_board()
        self._finish_level()

    def _take_key(self, name: str, value: str, number: int, lines: Iterator[tuple[int, str]]) -> None:
        self._close_board()
        if spelled(name) == END:
            raise ParseError(f"{END}: without a {COMMENT}: before it", line=number)
        if spelled(name) == COMMENT and not value:
            value = _comment_text(lines, number)
        try:
            self._part.add(name, value, number)
        except ParseError as error:
            self._blame(error)

    def _take_row(self, line: str, number: int) -> None:
        if not self._board_open:
            self._finish_level()
            self._part = Part(line=number, above=self._comments)
            self._comments, self._board_open = [], True
        if self._part.fault is None:
            try:
                self._rows.read(line, number, self._part.rows)
            except ParseError as error:
                self._blame(error)

    def _blame(self, error: ParseError) -> None:
        """A fault of a level does not hide the others."""
        if self._part is self.collection:
            raise error
        self._part.fault = self._part.fault or error

    def _close_board(self) -> None:
        """End the board; comments up to here are not directly above the next one."""
        self._part.below += self._comments
        self._comments, self._board_open = [], False

    def _finish_level(self) -> None:
        part = self._part
        if part is not self.collection:
            self.levels.add(lambda: self._level(part), part.line)

    def _level(self, part: Part) -> Level:
        return self._solutions.believed(part.level(self.collection), self.levels.notice)


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
        if _ends_comment(line):
            return "\n".join(found)
        found.append(line.rstrip())
    raise ParseError("the Comment: that begins here has no end", line=begin, expected=f"{END}:")


def write(pack: Pack) -> str:
    """The text of a pack, a blank line before each level: reading it gives the pack back.

    Raises
    ------
    GridproofError
        When a key cannot be written as a line of the form `Key: value`.
    """
    head = [*_key_lines({TITLE: pack.title, AUTHOR: pack.author}, pack.keys), *map(_comment_line, pack.notes)]
    texts = ["".join(f"{line}\n" for line in head)] if head else []
    bombs = default_bombs(pack)
    return "\n".join(
        texts + [_level_text(level, bombs, keys_with_solution(level)) for level in levels_of(pack)]
    )


def level_text(level: Level) -> str:
    """A level with all that its text says of it, but without its certificate."""
    return _level_text(level, 0, level.keys)


def _level_text(level: Level, default: int, keys: Mapping[str, str]) -> str:
    """A level with these keys; its bombs when they are not the default."""
    title = "" if level.title == title_above(level.notes_above) else level.title
    bombs = "" if level.bombs == default else str(level.bombs)
    lines = [
        *map(_comment_line, level.notes_above),
        *short_rows(level),
        *_key_lines({TITLE: title, AUTHOR: level.author, BOMBS: bombs}, keys),
        *map(_comment_line, level.notes_below),
    ]
    return "".join(f"{line}\n" for line in lines)


def _key_lines(about: Mapping[str, str], keys: Mapping[str, str]) -> Iterator[str]:
    """Lines for what is known about it, and for its other keys."""
    for name, value in about.items():
        if value:
            yield from _lines_of_key(name, value)
    for name, value in checked_keys(keys, taken=about).items():
        yield from _lines_of_key(name, value)


def _lines_of_key(name: str, value: str) -> list[str]:
    lines = _LINE_END.split(value)
    if name == COMMENT and (len(lines) > 1 or not value.strip()):
        if any(_ends_comment(line) for line in lines):
            raise GridproofError(f"a comment with a line {END}: in it cannot be written")
        return [f"{COMMENT}:", *(lines if value else []), f"{END}:"]
    return [f"{name}: {line.strip()}".rstrip() for line in lines]


def _ends_comment(line: str) -> bool:
    return line.strip().lower() == f"{END.lower()}:"


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
    known = canonical_texts(level)
    if isinstance(text, str) and (quickly := known.position(level, text)):
        return quickly
    levels = levels_of(read(files.clean(text)))
    if len(levels) != 1:
        raise ParseError(f"one board is needed, the text has {len(levels)}", line=1)
    shown = levels[0]
    if reason := _foreign(level, shown):
        raise GridproofError(f"no position of this level: {reason}")
    position = Position(level, shown.player, shown.boxes, shown.bombs, shown.walls)
    known.learn(position, text)
    return position


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
        return f"it has {counted(shown.bombs, 'bombs')}, the level {level.bombs}"
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


FORMAT = Format(
    "xsb",
    (".xsb", ".sok", ".txt"),
    "rows of characters",
    recognises,
    read,
    write,
    level_text,
    position_text,
    position_of,
)
