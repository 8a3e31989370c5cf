"""Text format with a character for each cell, and titles and keys above, for any game.

    title: The short way
    author: Somebody
    .@...o

A game gives the pieces that each character stands for, and makes levels and positions of them; reading,
writing, recognising and exact errors are here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice, repeat
from typing import Any, Generic, NamedTuple, TypeVar

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Claim, Format
from gridproof.core.position import Level, Position
from gridproof.core.text import files
from gridproof.core.text.lines import (
    COMMENT,
    LevelHeader,
    Line,
    Lines,
    header_text,
    key_line,
    notes_text,
    single,
)
from gridproof.core.text.pack import Pack, PackBuilder
from gridproof.core.text.phrases import format_count, short_repr

P = TypeVar("P", bound=Position[Any])

Cell = tuple[int, int]
"""Column and row, both from 0."""


_COLUMNS = tuple(range(1000))
"""Numbers that all cells share."""
_MOST_BOARDS = 1000
"""Boards that are read of the text of a single position, so that an error can tell their number."""

_SHARED_ROWS = 64


def _cells_of_row(y: int, width: int) -> Iterable[Cell]:
    """Return the cells of a row, `width` or more; boards share those of their first rows to save memory."""
    if width <= len(_COLUMNS):
        return _shared_cells(y) if y < _SHARED_ROWS else zip(_COLUMNS, repeat(y))
    return zip(range(width), repeat(y))


@functools.cache
def _shared_cells(y: int) -> tuple[Cell, ...]:
    return tuple(zip(_COLUMNS, repeat(y)))


class Characters:
    """A table of characters, each with the pieces on the cell that it stands for.

    Parameters
    ----------
    table : mapping of str to str
        Characters to names of pieces with spaces between them: `{".": "", "@": "walker", "*": "walker flag"}`.
        Of several characters for the same pieces, the first is the one that is written.
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self.names = " ".join(table)
        """The characters, for messages."""
        self.foreign = re.compile(f"[^{re.escape(''.join(table))}]")
        """Matches any other character."""
        pieces = list(dict.fromkeys(name for names in table.values() for name in names.split()))
        self._bits = {piece: 1 << place for place, piece in enumerate(pieces)}
        self._of_piece = {
            piece: frozenset(character for character, names in table.items() if piece in names.split())
            for piece in pieces
        }
        self._of_bits: dict[int, str] = {}
        for character, names in table.items():
            self._of_bits.setdefault(sum(self._bits[name] for name in names.split()), character)

    def characters_of(self, piece: str) -> frozenset[str]:
        """Return the characters that stand for this piece, alone or with others."""
        return self._of_piece[piece]

    def find_cells(self, piece: str, rows: Iterable[str]) -> Iterator[Cell]:
        """Find the cells of a piece, in reading order."""
        characters = self._of_piece[piece]
        return chain.from_iterable(
            compress(_cells_of_row(y, len(row)), map(characters.__contains__, row))
            for y, row in enumerate(rows)
            if not characters.isdisjoint(row)
        )

    def cells(self, rows: Sequence[str]) -> dict[str, list[Cell]]:
        """Return the cells of each piece, in reading order."""
        return {piece: list(self.find_cells(piece, rows)) for piece in self._of_piece}

    def rows(self, width: int, height: int, pieces: Mapping[str, Iterable[Cell]]) -> list[str]:
        """Return the rows of a board with these pieces; GridproofError if no character stands for those of a cell."""
        board = [[0] * width for _ in range(height)]
        for piece, cells in pieces.items():
            bit = self._bits[piece]
            for x, y in cells:
                board[y][x] |= bit
        try:
            return ["".join(map(self._of_bits.__getitem__, row)) for row in board]
        except KeyError as error:
            together = " and ".join(piece for piece, bit in self._bits.items() if bit & error.args[0])
            raise GridproofError(f"no character stands for {together} on a cell") from None


class Grid(NamedTuple):
    """A board: its size in cells, and where the pieces of each name lie."""

    width: int
    height: int
    pieces: Mapping[str, Iterable[Cell]]

    def cell(self, piece: str) -> Cell:
        """Return the cell of the only piece of this name."""
        (cell,) = self.pieces[piece]
        return cell

    def bits(self, piece: str) -> int:
        """Return a number whose bit `y * width + x` is 1 if such a piece lies in column x and row y."""
        board = bytearray(b"0") * (self.width * self.height)
        for x, y in self.pieces[piece]:
            board[-1 - y * self.width - x] = ord("1")
        return int(board, 2)


@dataclass(frozen=True, kw_only=True)
class GridText(Generic[P]):
    """A text format of boards in characters: lines `key: value`, rows, and a blank line between levels.

    Lines that begin with `;` are comments; those above the first level belong to the pack. Texts of positions
    are the rows alone, below the mark where there is one.

    Raises
    ------
    GridproofError
        For a character that no row can have: white space, `;` and `:`; for pieces in `once` and `fixed` that no
        character stands for; and for any other invalid field.
    """

    name: str
    """Name of the format, such as "rows"."""
    extension: str
    """The ending of its files, with the dot."""
    meaning: str
    """One line about it."""
    characters: Mapping[str, str]
    """Table of `Characters`."""
    level: Callable[..., Level]
    """Makes a level of a `Grid` and the keywords `title`, `author` and `keys`; raises InvalidLevel."""
    position: Callable[[Any, Grid], P]
    """Makes a position of a level and the `Grid` that shows it: of the level's size, with its `fixed` pieces."""
    grid: Callable[[Any], Grid]
    """The `Grid` of a position."""
    mark: str = ""
    """The key, in small letters, that begins each level and gives its title, so that no other format's texts
    are taken for this one's; without one, levels are known by their characters."""
    once: tuple[str, ...] = ()
    """Pieces of which each level has one, such as the player."""
    fixed: tuple[str, ...] = ()
    """Pieces that lie in every position as in the level, such as walls."""
    height: int = 0
    """The number of rows, if all levels have the same; then no blank line is needed between levels."""

    def __post_init__(self) -> None:
        self._check_characters()
        self._check_pieces("once", self.once)
        self._check_pieces("fixed", self.fixed)
        self._check(isinstance(self.name, str) and re.fullmatch(r"\S+", self.name), "name", "one word")
        ending = isinstance(self.extension, str) and re.fullmatch(r"(\.[^.\s/A-Z]+)+", self.extension)
        self._check(ending, "extension", "a dot and lower-case characters")
        key = isinstance(self.mark, str) and re.fullmatch(r"|[a-z]([a-z0-9 _-]*[a-z0-9_-])?", self.mark)
        self._check(key and self.mark != "author", "mark", "a key in small letters, not author")
        whole = isinstance(self.height, int) and not isinstance(self.height, bool) and self.height >= 0
        self._check(whole, "height", "a whole number, 0 or more")

    def _check(self, sound: object, field: str, expected: str) -> None:
        if not sound:
            raise GridproofError(f"GridText: {field} is {getattr(self, field)!r}: it must be {expected}")

    def _check_characters(self) -> None:
        self._check(isinstance(self.characters, Mapping) and self.characters, "characters", "a table of some")
        for character, names in self.characters.items():
            if len(character) != 1 or character.isspace() or character in (COMMENT, ":"):
                raise GridproofError(
                    f"rows cannot have {character!r}: one character that is no {COMMENT} or :"
                )
            text = "names of pieces in one text for each character"
            self._check(isinstance(names, str), "characters", text)

    def _check_pieces(self, field: str, pieces: object) -> None:
        """Check that each name is that of a piece with a character."""
        self._check(isinstance(pieces, tuple | list), field, f"a tuple of names, as ({short_repr(pieces)},)")
        known = dict.fromkeys(name for names in self.characters.values() for name in names.split())
        for piece in getattr(self, field):
            if piece not in known:
                raise GridproofError(
                    f"GridText: {field} has {piece!r}, which no character stands for; choose from {', '.join(known)}"
                )

    @functools.cached_property
    def table(self) -> Characters:
        """Its characters."""
        return Characters(self.characters)

    @property
    def format(self) -> Format:
        """The format of the game."""
        about = self.name, (self.extension,), self.meaning
        texts = self.level_text, self.position_text, self.position_of
        return Format(*about, self.recognises, self.read, self.write, *texts)

    # -- reading

    @functools.cached_property
    def _row(self) -> re.Pattern[str]:
        return re.compile(rf"^[{re.escape(''.join(self.characters))}]++(?=[^\S\n]*+$)", re.MULTILINE)

    @functools.cached_property
    def _other(self) -> re.Pattern[str]:
        """A line that is no row, no comment and no key."""
        row = rf"[{re.escape(''.join(self.characters))}]*+[^\S\n]*+$"
        return re.compile(rf"^(?!{row}|[^\S\n]*+(?:;|[A-Za-z][A-Za-z0-9 _-]*+:))", re.MULTILINE)

    def recognises(self, text: str) -> Claim:
        """Judge by the mark of the first level; without one, by the characters of all rows and the required pieces."""
        if self.mark:
            first = re.search(r"^[^\S\n]*+(?!;)(\S[^\n:]*)(:?)", text, re.MULTILINE)
            return Claim.MARK if first and first.groups() == (self.mark, ":") else Claim.NONE
        if self._other.search(text):
            return Claim.NONE
        found = frozenset("".join(self._row.findall(text)))
        missing = [piece for piece in self.once if self.table.characters_of(piece).isdisjoint(found)]
        return Claim.FORM if found and not missing else Claim.NONE

    def read(self, text: str) -> Pack:
        """Read the levels of a text; ParseError or InvalidLevel for a broken one."""
        lines = Lines(text)
        levels = PackBuilder(text)
        while lines.begin():
            while (first := lines.peek()).text:
                levels.add(functools.partial(self._level, lines), first.number)
        return levels.pack(notes=lines.notes)

    def _level(self, lines: Lines) -> Level:
        try:
            about, grid, _ = self._board(lines)
        except ParseError:
            lines.skip_block()
            raise
        return self.level(grid, **about._asdict())

    def _boards(self, lines: Lines) -> Iterator[tuple[Grid, list[Line]]]:
        """Yield the boards of a text, and their rows with their lines."""
        while lines.begin():
            while lines.peek().text:
                yield self._board(lines)[1:]

    def _board(self, lines: Lines) -> tuple[LevelHeader, Grid, list[Line]]:
        """Read the next lines `key: value` and rows; return header, board, and rows with their lines."""
        first = lines.peek()
        if self.mark and (first.key or ("",))[0] != self.mark:
            raise first.fault("a level begins with its mark", f"{self.mark}:")
        below = f"a row of {self.table.names}"
        about = lines.read_header(below, title=self.mark or "title")
        if not lines.peek().text:  # a blank line above the rows
            lines.begin()
        rows: list[Line] = []
        while (line := lines.peek()).text and not line.key and not 0 < self.height == len(rows):
            rows.append(self._check_row(line, rows))
            lines.take()
        if not rows:
            raise first.fault("a level without rows", below)
        if len(rows) < self.height:
            raise line.fault(format_count(len(rows), "rows"), format_count(self.height, "rows"))
        for piece in self.once:
            self._check_once(piece, rows)
        pieces = self.table.cells([row.text for row in rows])
        return about, Grid(len(rows[0].text), len(rows), pieces), rows

    def _check_row(self, line: Line, rows: Sequence[Line]) -> Line:
        """Return a line as the next row of a board, after a check."""
        line = line._replace(text=line.text.rstrip())
        if wrong := self.table.foreign.search(line.text):
            expected = f"one of {self.table.names}"
            raise line.fault(f"{wrong[0]!r} in a row", expected, wrong.start() + 1)
        width, wide = len(line.text), len(rows[0].text if rows else line.text)
        if width != wide:
            expected = format_count(wide, "cells")
            raise line.fault(f"a row of {format_count(width, 'cells')}", expected, min(width, wide) + 1)
        return line

    def _check_once(self, piece: str, rows: Sequence[Line]) -> None:
        cells = list(islice(self.table.find_cells(piece, [row.text for row in rows]), 2))
        expected = (
            f"one of {' '.join(name for name in self.characters if name in self.table.characters_of(piece))}"
        )
        if not cells:
            raise rows[0].fault(f"a board without {piece}", expected)
        if len(cells) > 1:
            x, y = cells[1]
            raise rows[y].fault(f"a second {piece}", f"{expected} only", x + 1)

    def position_of(self, level: Any, text: str) -> P:
        """Read a position of a level: one board of the level's size and with its fixed pieces, else ParseError."""
        grid, rows = single([*islice(self._boards(Lines(files.clean(text))), _MOST_BOARDS)])
        own = self.grid(level.start())
        if grid[:2] != own[:2]:
            reason = f"a board of {grid.width}x{grid.height} cells"
            raise rows[0].fault(reason, f"{own.width}x{own.height} cells")
        for piece in self.fixed:
            if moved := sorted((y, x) for x, y in set(grid.pieces[piece]) ^ set(own.pieces[piece])):
                y, x = moved[0]
                raise rows[y].fault(f"the {piece} of another level", self._rows(own)[y], x + 1)
        return self.position(level, grid)

    # -- writing

    def _rows(self, grid: Grid) -> list[str]:
        return self.table.rows(*grid)

    def rows(self, position: P) -> list[str]:
        """Return the rows of a position."""
        return self._rows(self.grid(position))

    def header_text(self, title: str, author: str, keys: Mapping[str, str]) -> str:
        """Return the text above the rows of a level."""
        mark = key_line(self.mark, title) if self.mark else ""
        return mark + header_text("" if mark else title, author, keys)

    def _text(self, about: str, grid: Grid) -> str:
        return about + "".join(f"{row}\n" for row in self._rows(grid))

    def level_text(self, level: Level) -> str:
        """Return the text of a level: title, author, keys, and the rows of its start."""
        about = self.header_text(level.title, level.author, level.keys)
        return self._text(about, self.grid(level.start()))

    def write(self, pack: Pack) -> str:
        """Return the text of a pack: its notes, and its levels with a blank line between them."""
        notes = [notes_text(pack.notes)] if pack.notes else []
        return "\n".join([*notes, *map(self.level_text, pack)])

    def position_text(self, position: Position[Any]) -> str:
        """Return the rows of a position, the same for equal positions."""
        return self._text(f"{self.mark}:\n" if self.mark else "", self.grid(position))
