"""The text of Shift It: rows of tiles, the highest y first.

    shiftit 3x2
    title: Two rows
    rrgb r  bbgr*
    g    b  rrrg
    names: a b c d e f

A tile is one letter, or four for up, right, down, left; `*` locks it. `title:`, `author:` and other
`Key: value` lines may follow the first line, a `names:` line the rows; lines that begin with `;` are
comments. Lines before the first level speak of the pack. A position is rows and names alone.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.game import Claim, Format
from gridproof.core.text import files
from gridproof.core.text.lines import Line, Lines, header_text, notes_text, single
from gridproof.core.text.pack import Pack, PackBuilder
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.games.shiftit.colours import colour_of, letter_of
from gridproof.games.shiftit.idp import format as idp_format
from gridproof.games.shiftit.rules import Level, Position, Tile, make_tiles
from gridproof.games.shiftit.validity import LARGEST, size_problem

_HEADER = re.compile(r"shiftit\b")
_SIZE = re.compile(r"shiftit[ \t]+([0-9]+)x([0-9]+)[ \t]*")
_TILE = re.compile(r"([a-z]|[a-z]{4})(\*?)")
_WORD = re.compile(r"\S+")
_NAME = re.compile(r'"[^"]*"|\S+')
_NAMES = "names:"
_BELOW, _FOREIGN = "a row of tiles", ("names",)  # the line below the keys; lines there that are no keys
_NO_KEY = re.compile(r"^[^\S\n]*(?![A-Za-z][A-Za-z0-9 _-]*:)(?=[^\s;])", re.MULTILINE)
_BLANK = r"\n[^\S\n]*(?:;[^\n]*)?"  # or a comment
_NAMES_AT_THE_END = re.compile(rf"^[^\S\n]*{_NAMES}[^\n]*(?>(?:{_BLANK})*)\Z", re.MULTILINE)


class _Body(NamedTuple):
    """The rows of a board and the names of its tiles, both in reading order."""

    tiles: list[str]
    names: list[str]
    rows: list[Line]
    names_line: Line | None
    """None for default names."""

    def tile_error(self, place: int, reason: str, expected: str = "") -> ParseError:
        """Return an error at a tile."""
        row, column = divmod(place, len(self.tiles) // len(self.rows))
        line = self.rows[row]
        match = list(_WORD.finditer(line.text))[column]
        return line.fault(reason, expected, match.start() + 1)

    def name_error(self, place: int, reason: str) -> ParseError:
        """Return an error at a name."""
        line = self.names_line
        if line is None:
            return ParseError(reason)
        match = list(_NAME.finditer(line.text, _names_column(line)))[place]
        return line.fault(reason, column=match.start() + 1)


def recognises(text: str) -> Claim:
    """Return whether the first line that is no comment and no key is a header, or a `names:` line is the last."""
    first = _NO_KEY.search(text)
    if first is not None and _HEADER.match(text, first.end()):
        return Claim.MARK if _SIZE.match(text, first.end()) else Claim.PART
    return Claim.FORM if _NAMES in text and _NAMES_AT_THE_END.search(text) else Claim.NONE


def read(text: str) -> Pack:
    """Read the levels of a text; ParseError or InvalidLevel for a broken one."""
    lines = Lines(text, blocks=False)
    about = lines.read_header(_BELOW, foreign=_FOREIGN)
    levels = PackBuilder(text)
    while (header := lines.peek()).text:
        levels.add(lambda: _read_level(lines), header.number)
        while (line := lines.peek().text) and not _HEADER.match(
            line.lstrip()
        ):  # of a level that is too large
            lines.take()
    return levels.pack(**about._asdict(), notes=lines.notes)


def _read_level(lines: Lines) -> Level:
    width, height = _read_size(lines.take())
    about = lines.read_header(_BELOW, foreign=_FOREIGN)
    body = _read_body(lines, width, height)
    after = lines.peek()
    if after.text and not _HEADER.match(after.text.lstrip()):
        row = all(map(_TILE.fullmatch, after.text.split()))
        reason = "more rows than the first line says" if row else "a line after the rows"
        raise after.fault(reason, "names:, or another level")
    return Level(_parse_tiles(body, width, height), **about._asdict())


def _read_size(header: Line) -> tuple[int, int]:
    match = _SIZE.fullmatch(header.text.strip())
    if match is None:
        column = len(header.text) - len(header.text.lstrip()) + 1
        raise header.fault("no first line of a level", "shiftit 3x2", column)
    width, height = (int(digits[:9]) for digits in match.groups())
    if not width or not height:
        raise header.fault("a board has a width and a height of at least 1")
    if width * height > LARGEST:
        raise InvalidLevel([size_problem()], line=header.number)
    return width, height


def _read_body(lines: Lines, width: int, height: int) -> _Body:
    """Read rows, and the names of their tiles, which may be default names."""
    tiles: list[str] = []
    rows: list[Line] = []
    for row in range(height):
        line = lines.peek()
        if not line.text or _HEADER.match(line.text.lstrip()) or _is_names(line):
            raise line.fault(f"{format_count(row, 'rows')} of tiles", format_count(height, "rows"))
        words = line.text.split()
        if len(words) != width:
            raise line.fault(f"a row of {format_count(len(words), 'tiles')}", format_count(width, "tiles"))
        rows.append(lines.take())
        tiles += words
    line = lines.peek()
    if not _is_names(line):
        return _Body(tiles, _default_names()[: len(tiles)], rows, None)
    names = _NAME.findall(line.text, _names_column(line))
    if len(names) != len(tiles):
        raise line.fault(format_count(len(names), "names"), format_count(len(tiles), "names"))
    return _Body(tiles, names, rows, lines.take())


@functools.cache
def _default_names() -> list[str]:
    """Return the default names of tiles, as many as a board can have."""
    return [f"t{number}" for number in range(1, LARGEST + 1)]


def _names_column(line: Line) -> int:
    """Return the column after `names:` in its line."""
    return line.text.index(_NAMES) + len(_NAMES)


def _is_names(line: Line) -> bool:
    return line.text.lstrip().startswith(_NAMES)


def _parse_tiles(body: _Body, width: int, height: int) -> list[Tile]:
    looks = {word: _parse_tile(word) for word in set(body.tiles)}
    if None in looks.values():
        place = next(place for place, word in enumerate(body.tiles) if looks[word] is None)
        expected = "one letter a-z, or four for up, right, down, left; then * for a locked tile"
        raise body.tile_error(place, f"{short_repr(body.tiles[place])} is no tile", expected)
    colours, locked = ({word: look[part] for word, look in looks.items() if look} for part in (0, 1))
    return make_tiles(
        body.names,
        itertools.cycle(range(width)),
        [y for y in reversed(range(height)) for _ in range(width)],
        map(colours.__getitem__, body.tiles),
        map(locked.__getitem__, body.tiles),
    )


def _parse_tile(word: str) -> tuple[tuple[str, ...], bool] | None:
    """Return the colours of a tile and whether it is locked; None for a text that is no tile."""
    match = _TILE.fullmatch(word)
    if match is None:
        return None
    sides = match[1] * 4 if len(match[1]) == 1 else match[1]
    return tuple(map(colour_of, sides)), bool(match[2])


# -- writing


def level_text(level: Level) -> str:
    """Return the level in this format where possible, else as an IDP3 structure."""
    if _unwritable_part(level) is None:
        return _level_text(level)
    return idp_format.write(Pack([level]))


def write(pack: Pack) -> str:
    """Return all levels of a pack, a blank line between them.

    Raises
    ------
    GridproofError
        When a level has coordinates that do not begin at 0, or a colour that no letter means.
    """
    levels = [level for level in pack if isinstance(level, Level)]
    for level in levels:
        if reason := _unwritable_part(level):
            raise GridproofError(f"the format shiftit cannot write {reason}; the format structure can")
    preamble = notes_text(pack.notes) + header_text(pack.title, pack.author, pack.keys)
    return "\n".join(([preamble] if preamble else []) + [_level_text(level) for level in levels])


def _unwritable_part(level: Level) -> str | None:
    for axis, coordinates in (("x", level.columns), ("y", level.rows)):
        if coordinates[0]:
            return f"coordinates {axis} that begin at {coordinates[0]}, not at 0"
    return next((f"the colour {colour!r}" for colour in level.colours if letter_of(colour) is None), None)


def _level_text(level: Level) -> str:
    width, height = len(level.columns), len(level.rows)
    usual = list(level.names) == _default_names()[: len(level.names)]
    keys = header_text(level.title, level.author, level.keys)
    return f"shiftit {width}x{height}\n{keys}{_rows_text(level.words, width)}" + (
        "" if usual else _names_line(level.names)
    )


def _rows_text(words: Sequence[str], width: int) -> str:
    """Format the rows of tiles in reading order, each column of one width."""
    wide = tuple(max(map(len, words[column::width])) for column in range(width - 1))
    return _row_format(wide) * (len(words) // width) % tuple(words)


@functools.lru_cache(maxsize=256)
def _row_format(wide: tuple[int, ...]) -> str:
    """Return a `%` form of a row with columns of these widths, and a last one."""
    return " ".join([*(f"%-{size}s" for size in wide), "%s\n"])


def _names_line(names: Iterable[str]) -> str:
    return " ".join([_NAMES, *names]) + "\n"


# -- positions


def position_text(position: Position) -> str:
    """Return rows and names of a position."""
    level = position.level
    words, names = level.words, level.names
    rows = _rows_text([words[tile] for tile in position.tiles], len(level.columns))
    return rows + _names_line([names[tile] for tile in position.tiles])


def position_of(level: Level, text: str) -> Position:
    """Read a position of the level from rows and names; a first line and keys may stand above."""
    lines = Lines(files.clean(text), blocks=False)
    size = len(level.columns), len(level.rows)
    if _HEADER.match(lines.peek().text.lstrip()) and _read_size(line := lines.take()) != size:
        raise line.fault("a board of another size", f"{size[0]}x{size[1]}")
    lines.read_header(_BELOW, foreign=_FOREIGN)
    return Position(level, _placement(level, _read_last_body(lines, *size)))


def _read_last_body(lines: Lines, width: int, height: int) -> _Body:
    """Read rows and names, after which nothing follows."""
    body = _read_body(lines, width, height)
    if rest := lines.peek().text:
        raise lines.peek().fault(f"{short_repr(rest)} after the position")
    return body


def _placement(level: Level, body: _Body) -> tuple[int, ...]:
    known = {tile.name: index for index, tile in enumerate(level.tiles)}
    placement: list[int] = []
    for place, (word, name) in enumerate(zip(body.tiles, body.names, strict=True)):
        index = known.pop(name, None)
        if index is None:
            raise body.name_error(place, f"{short_repr(name)} is no tile of the level, or named twice")
        tile = level.tiles[index]
        if word != level.words[index]:
            reason = f"the tile {tile.name} is not {short_repr(word)}"
            raise body.tile_error(place, reason, level.words[index])
        if tile.locked and index != place:
            raise body.tile_error(place, f"the locked tile {tile.name} has moved")
        placement.append(index)
    return tuple(placement)


def read_position(text: str) -> Position:
    """Read a position, on a level that starts there, from rows and names or from a whole level."""
    lines = Lines(text, blocks=False)
    if _HEADER.match(lines.peek().text.lstrip()):
        return _only_start(read(text))
    if idp_format.recognises(text):
        return _only_start(idp_format.read(text))
    height = sum(1 for _ in itertools.takewhile(lambda line: not _is_names(line), lines.peek_block()))
    width = len(lines.peek().text.split())
    if width * height > LARGEST:
        raise InvalidLevel([size_problem()])
    body = _read_last_body(lines, width, max(height, 1))
    return _only_start(Pack([Level(_parse_tiles(body, width, height))]))


def _only_start(pack: Pack) -> Position:
    level = single(pack)
    assert isinstance(level, Level)  # both formats read such levels alone
    return level.start()


FORMAT = Format(
    "shiftit",
    (".shiftit",),
    "rows of tiles",
    recognises,
    read,
    write,
    level_text,
    position_text,
    position_of,
    read_midgame=read_position,
)
