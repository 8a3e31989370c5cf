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

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Claim, Format
from gridproof.core.text import files
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count
from gridproof.games.sokoban.formats import lurd
from gridproof.games.sokoban.formats.rows import Rows, full_text, short_rows
from gridproof.games.sokoban.formats.sections import (
    AUTHOR,
    BOMBS,
    COMMENT,
    END,
    KEY,
    TITLE,
    Section,
    canonical_key,
    check_keys,
    default_bombs,
    levels_of,
    title_above,
)
from gridproof.games.sokoban.formats.solutions import keys_with_solution
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import Cell, sort_cells

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
    """Return whether the lines that can only be rows have walls side by side, or two of wall, player and box.

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
    if _count_marks(rows) < 2 and _WALLS.search(rows) is None:
        return Claim.NONE
    foreign = len(_FOREIGN.findall(text))
    others = foreign + len(_UNMARKED.findall(text))
    boards = (*runs, "\n".join(_WALLED.findall(text)))
    if others > len(_ROW_ENDS.findall(rows)) or (others and max(map(_count_marks, boards)) < 3):
        return Claim.NONE
    return Claim.PART if foreign else Claim.FORM


def _count_marks(rows: str) -> int:
    """Count which of wall, player and box stand in rows."""
    return ("#" in rows) + ("@" in rows or "+" in rows) + ("$" in rows or "*" in rows)


def read(text: str) -> Pack:
    """Return the levels of a text with their keys and notes.

    Raises
    ------
    ParseError
        With the line and column of what has not the form of XSB.
    InvalidLevel
        With every broken condition of all levels that are not valid.
    """
    reader = _Reader(text)
    return reader.collection.pack(text, reader.read_levels(enumerate(text.split("\n"), 1)))


class _Reader:
    """A reader that adds each line to its section."""

    def __init__(self, text: str) -> None:
        self.collection = self._section = Section()
        self._rows = Rows(text)
        self._comments: list[str] = []  # directly above the line that is read
        self._board_open = False

    def read_levels(self, lines: Iterator[tuple[int, str]]) -> Iterator[Section]:
        """Read all lines, and yield the section of each level."""
        for number, line in lines:
            if not line or line.isspace():
                self._close_board()
            elif key := KEY.match(line):
                self._read_key(key[1].rstrip(), key[2].strip(), number, lines)
            elif (comment := _parse_comment(line)) is not None:
                self._comments.append(comment)
                self._board_open = False
            else:
                if not self._board_open:
                    yield from self._finished_level()
                    self._section = Section(line=number, above=self._comments)
                    self._comments, self._board_open = [], True
                self._read_row(line.rstrip(), number)
        self._close_board()
        yield from self._finished_level()

    def _read_key(self, name: str, value: str, number: int, lines: Iterator[tuple[int, str]]) -> None:
        self._close_board()
        if canonical_key(name) == END:
            raise ParseError(f"{END}: without a {COMMENT}: before it", line=number)
        if canonical_key(name) == COMMENT and not value:
            value = _read_comment(lines, number)
        try:
            self._section.add(name, value, number)
        except ParseError as error:
            self._record_fault(error)

    def _read_row(self, line: str, number: int) -> None:
        if self._section.fault is None:
            try:
                self._rows.read(line, number, self._section.rows)
            except ParseError as error:
                self._record_fault(error)

    def _record_fault(self, error: ParseError) -> None:
        """Record a fault of a level, which does not hide those of others; raise one of the collection."""
        if self._section is self.collection:
            raise error
        self._section.fault = self._section.fault or error

    def _close_board(self) -> None:
        """End the board; comments up to here are not directly above the next one."""
        self._section.below += self._comments
        self._comments, self._board_open = [], False

    def _finished_level(self) -> list[Section]:
        return [] if self._section is self.collection else [self._section]


def _parse_comment(line: str) -> str | None:
    """Return the text of a comment line; None for another line."""
    line = line.strip()
    if line.startswith(";"):
        return line[1:].removeprefix(" ")
    return line if line[:1].isalpha() or line.startswith(":") else None


def _read_comment(lines: Iterator[tuple[int, str]], begin: int) -> str:
    """Return the lines up to `Comment-End:`."""
    found: list[str] = []
    for _, line in lines:
        if _ends_comment(line):
            return "\n".join(found)
        found.append(line.rstrip())
    raise ParseError("the Comment: that begins here has no end", line=begin, expected=f"{END}:")


def write(pack: Pack) -> str:
    """Return the text of a pack, a blank line before each level; `read` gives the pack back.

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
    """Return the text of a level with its keys and notes, but without its certificate."""
    return _level_text(level, 0, level.keys)


def _level_text(level: Level, default: int, keys: Mapping[str, str]) -> str:
    """Return the text of a level with these keys, and with its bombs when they are not the default."""
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
    """Yield the lines of title, author and bombs, and of other keys."""
    for name, value in about.items():
        if value:
            yield from _lines_of_key(name, value)
    for name, value in check_keys(keys, taken=about).items():
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
    """Return the rows in full width, then the bombs, also when there are none."""
    return f"{full_text(position)}Bombs: {position.bombs}\n"


def position_of(level: Level, text: str) -> Position:
    """Return the position of the level that a text shows.

    Raises
    ------
    ParseError, InvalidLevel
        As `read`; also when there is not one board.
    GridproofError
        When the position cannot be one of this level.
    """
    reader = canonical_reader(level)
    if isinstance(text, str) and (position := reader.position(level, text)):
        return position
    levels = levels_of(read(files.clean(text)))
    if len(levels) != 1:
        raise ParseError(f"one board is needed, the text has {len(levels)}", line=1)
    board = levels[0]
    if reason := _mismatch(level, board):
        raise GridproofError(f"no position of this level: {reason}")
    position = Position(level, board.player, board.boxes, board.bombs, board.walls)
    reader.remember(position, text)
    return position


def _mismatch(level: Level, board: Level) -> str:
    """Return why a board cannot be reached on the level; "" when nothing speaks against it."""
    gone, used = level.walls - board.walls, level.bombs - board.bombs
    if board.size != level.size:
        return f"its grid has {_size_text(board)} cells, the level's {_size_text(level)}"
    if board.depots != level.depots:
        return f"its depots differ at {_first_cell(board.depots ^ level.depots)}"
    if board.walls - level.walls:
        return f"the level has no wall at {_first_cell(board.walls - level.walls)}"
    if used < 0:
        return f"it has {format_count(board.bombs, 'bombs')}, the level {level.bombs}"
    if gone and not used:
        return f"the wall at {_first_cell(gone)} is gone, but no bomb has been used"
    columns, rows = {x for x, _ in board.walls}, {y for _, y in board.walls}
    if kept := [(x, y) for x, y in gone if x in columns and y in rows]:
        return f"no bomb deletes the wall at {_first_cell(kept)} and leaves others in its row and column"
    return ""


def _size_text(level: Level) -> str:
    return f"{level.size[0]} x {level.size[1]}"


def _first_cell(cells: Iterable[Cell]) -> Cell:
    return sort_cells(cells)[0]


# -- canonical texts: certificates list very many


_BARE = str.maketrans("@+$*", "-.-.")


class CanonicalReader:
    """A reader of texts that differ from a known one only by the places of player and boxes."""

    def __init__(self, level: Level) -> None:
        self._known: dict[str, Position] = {}
        self._cells = _CellsOfText(level.size[0] + 1)

    def remember(self, position: Position, text: str) -> None:
        """Remember a position's text, if it is the canonical one."""
        if (bare := text.translate(_BARE)) not in self._known and position.text() == text:
            self._known[bare] = position

    def position(self, level: Level, text: str) -> Position | None:
        """Return the level's position; None for a text that needs the full reader."""
        like, cells = self._known.get(text.translate(_BARE)), self._cells
        if like is None or text.count("@") + text.count("+") != 1:
            return None
        boxes = list[Cell]()
        for mark in "$*":
            place = text.find(mark)
            while place >= 0:
                boxes.append(cells[place])
                place = text.find(mark, place + 1)
        if len(boxes) != len(like.boxes):
            return None
        player = cells[max(text.find("@"), text.find("+"))]
        return Position(level, player, frozenset(boxes), like.bombs, like.walls)


class _CellsOfText(dict[int, Cell]):
    """The cell at each place of a text with rows of one width, made on first use."""

    def __init__(self, stride: int) -> None:
        self._stride = stride

    def __missing__(self, place: int) -> Cell:
        y, x = divmod(place, self._stride)
        cell = self[place] = x, y
        return cell


canonical_reader = functools.lru_cache(maxsize=8)(CanonicalReader)
"""The reader of a level's positions, shared by levels that differ only in their titles."""


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
    split_actions=lurd.split_actions,  # K22
    join_actions=lurd.write_solution,
)
