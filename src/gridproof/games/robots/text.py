"""The text of Robots (R33): a header, a line for each robot, and one token for each cell.

R33 has no keys but title and author: others are comments `; Key: value` that stand beside those.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.core.game import Claim, Format
from gridproof.core.text import files
from gridproof.core.text.lines import COMMENT, Line, Lines, header_text, key_line, single
from gridproof.core.text.pack import Pack, PackBuilder, write_levels
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.games.robots.belts import Squares
from gridproof.games.robots.board import LARGEST_SIDE, ROTATIONS, Grid, Kind, Tile, tile_of
from gridproof.games.robots.requests import Robot, Rule
from gridproof.games.robots.rules import Level, Position

_CONTENT = re.compile(r"^(?!;)[^\S\n]*\S", re.MULTILINE)  # a line that is neither blank nor a comment
_MARK = re.compile(r"robots\b")
_HEADER = re.compile(r"robots ([1-9][0-9]{0,3})x([1-9][0-9]{0,3})\s*")
_TITLES = ("title:", "author:")
_ROBOT = re.compile(r"([a-uw-z]):\s+rule=(\S+)\s+rotation=(\S+)\s*")
_RULES: Mapping[str, Rule] = dict(Rule.__members__)
_ROTATIONS = {str(rotation): rotation for rotation in ROTATIONS}
_FLOOR = "."
_CONVEYORS = (Tile(Kind.CONVEYOR, rotation=rotation) for rotation in ROTATIONS)
_TILES = {
    _FLOOR: Tile(),
    "?": Tile(Kind.HINT),
    "#": Tile(Kind.BROKEN),
    **dict(zip("<v>^", _CONVEYORS, strict=True)),
}  # R3, R33
_MARKS = {tile: mark for mark, tile in _TILES.items()}
_TOKEN = re.compile(r"([a-uw-z])?([A-Z]|[?#<v>^])?")
_TOKENS = "one of . ? # < v > ^, a robot, its home, or a robot and the tile under it"


class _Board(NamedTuple):
    """Contents of the text of one level or position."""

    line: int
    titles: dict[str, str]
    """Title and author, where they are given."""
    robots: tuple[Robot, ...]
    tiles: tuple[tuple[Tile, ...], ...]

    def level(self, midgame: bool, keys: Mapping[str, str] | None = None) -> Level:
        """Return the level, or raise InvalidLevel with its line."""
        try:
            return Level(self.robots, self.tiles, midgame, keys=keys or {}, **self.titles)
        except InvalidLevel as error:
            error.line = self.line
            raise

    def position(self) -> Position:
        """Return the position, on a level that starts there."""
        return next(self.level(midgame=True).starts()).position


def recognises(text: str) -> Claim:
    """Return whether the first line that is no comment begins as R33 says."""
    first = _CONTENT.search(text)
    if first is None or not _MARK.match(text, first.start()):
        return Claim.NONE
    return Claim.MARK if _HEADER.match(text, first.start()) else Claim.PART


def read(text: str) -> Pack:
    """Return the levels of a text; raise ParseError or InvalidLevel for a broken one."""
    lines, all_lines = Lines(text), text.split("\n")
    levels = PackBuilder(text)

    def level() -> Level:
        board = _read_board(lines)
        return board.level(False, _read_keys(all_lines, board.line))

    while lines.begin():
        levels.add(level, lines.peek().number)
        lines.skip_block()
    return levels.pack(notes=lines.notes)


def read_position(text: str) -> Position:
    """Return the position of a text, on a level that starts there; it must satisfy R8, but not R9."""
    return _read_only_board(text).position()


def _read_only_board(text: str) -> _Board:
    lines, boards = Lines(text), []
    while lines.begin():
        boards.append(_read_board(lines))
    return single(boards)


def position_of(level: Level, text: str) -> Position:
    """Return the position of the level in a text.

    Raises
    ------
    ParseError, InvalidLevel
        When the text has no position, or one that breaks R8.
    GridproofError
        When the level has other robots or tiles; exchanged tiles are allowed (R21).
    """
    board = _read_only_board(files.clean(text))
    position = board.position()
    if [robot[:2] for robot in board.robots] != [robot[:2] for robot in level.robots]:
        raise GridproofError("the position has not the level's robots in their order, each with its rule")
    if position.level.grid != level.grid or _fixed_tiles(position.level) != _fixed_tiles(level):
        raise GridproofError("the position has not the level's board: exchanges leave homes and hints alone")
    return Position(level, position.layout, position.cells, position.rotations)


def _fixed_tiles(level: Level) -> tuple[object, ...]:
    """Return all that no exchange changes: homes and hints with their cells, and the numbers of other tiles."""
    tiles = [(tile.kind, tile.target) for row in level.tiles for tile in row]
    kinds = [kind for kind, _ in tiles]
    stay = [tile if tile[0] in (Kind.HOME, Kind.HINT) else None for tile in tiles]
    return stay, kinds.count(Kind.BROKEN), kinds.count(Kind.CONVEYOR)


def _read_keys(lines: Sequence[str], place: int) -> dict[str, str]:
    """Return the keys among the comments and titles from this place on."""
    head = itertools.takewhile(
        lambda line: line.startswith((COMMENT, *_TITLES)), (lines[at] for at in range(place, len(lines)))
    )
    keys = (Line(0, line[1:]).key for line in head if line.startswith(COMMENT))
    return {key[0]: key[1] for key in keys if key and key[1]}


def _read_board(lines: Lines) -> _Board:
    first = lines.take()
    match = _HEADER.fullmatch(first.text)
    if match is None:
        raise first.fault("no first line of a level", "such as robots 6x3", 1)
    width, height = map(int, match.groups())
    if max(width, height) > LARGEST_SIDE:
        most = f"at most {LARGEST_SIDE}x{LARGEST_SIDE}"
        raise first.fault("the board is too large", most, match.start(1) + 1)
    titles = _read_titles(lines)
    robots: dict[str, Robot] = {}
    while lines.peek().text.rstrip() != "board:":
        robot = _read_robot(lines.take(), robots)
        robots[robot.name] = robot
    lines.take()
    rows: list[tuple[Tile, ...]] = []
    while len(rows) < height:
        line = lines.take()
        if not line.text:
            few = f"the board has {format_count(len(rows), 'rows')} only"
            raise line.fault(few, format_count(height, "rows"), 1)
        rows.append(tuple(_read_row(line, width, robots)))
    if (rest := lines.peek()).text:
        raise rest.fault("a line below the board", "a blank line, or the end", 1)
    return _Board(first.number, titles, tuple(robots.values()), tuple(rows))


def _read_titles(lines: Lines) -> dict[str, str]:
    titles: dict[str, str] = {}
    while (line := lines.peek()).text.startswith(_TITLES):
        key, _, value = line.text.partition(":")
        if key in titles:
            raise line.fault(f"a second {key}", "a robot's line, or board:", 1)
        titles[key] = value.strip()
        lines.take()
    return titles


def _read_robot(line: Line, declared: Container[str]) -> Robot:
    match = _ROBOT.fullmatch(line.text)
    if match is None:
        raise line.fault("no robot's line", "such as a: rule=A rotation=0, or board:", 1)
    name, rule, rotation = match.groups()
    if name in declared:
        raise line.fault(f"the robot {name} is declared twice", "another letter", 1)
    if rule not in _RULES:
        raise line.fault(f"the rule {short_repr(rule, 20)} is unknown", "A or B", match.start(2) + 1)
    if rotation not in _ROTATIONS:
        reason = f"the rotation {short_repr(rotation, 20)} is unknown"
        raise line.fault(reason, "0, 90, 180 or 270", match.start(3) + 1)
    return Robot(name, _RULES[rule], _ROTATIONS[rotation])


def _read_row(line: Line, width: int, names: Container[str]) -> Iterator[Tile]:
    count = 0
    for count, (token, column) in enumerate(line.words(), 1):
        if count > width:
            raise line.fault("the row is too long", format_count(width, "tokens"), column)
        yield _read_tile(line, column, token, names)
    if count < width:
        end = len(line.text.rstrip()) + 1
        raise line.fault(
            f"the row has {format_count(count, 'tokens')} only", format_count(width, "tokens"), end
        )


def _read_tile(line: Line, column: int, token: str, names: Container[str]) -> Tile:
    """Return the tile of a token (R33)."""
    tile = tile_of_token(token)
    if tile is None:
        raise line.fault(f"{short_repr(token, 20)} is no token", _TOKENS, column)
    for name, place in ((tile.occupier, column), (tile.target, column + len(token) - 1)):
        if name and name not in names:
            raise line.fault(f"the robot {name} is not declared", "a declared robot", place)
    return tile


def tile_of_token(token: str) -> Tile | None:
    """Return the tile of a token, with any robot; None for other texts."""
    return _TILES.get(token) or _tile_with_robot(token)


@functools.lru_cache(maxsize=1000)
def _tile_with_robot(token: str) -> Tile | None:
    """Return the tile of a token with a robot or a home in it; None for other texts."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    occupier, under = match.groups("")
    tile = Tile(Kind.HOME, target=under.lower()) if under.isupper() else _TILES.get(under, Tile())
    return tile._replace(occupier=occupier)


def level_text(level: Level) -> str:
    """Return the text of a level with its title, author and keys."""
    keys = [
        f"; {line}" for key, value in level.keys.items() if value.strip() and (line := key_line(key, value))
    ]
    first, rest = level.start().text().split("\n", 1)
    return "".join((first, "\n", header_text(level.title, level.author, {}), *keys, rest))


def position_text(position: Position) -> str:
    """Return the canonical text of a position."""
    level, grid = position.level, position.level.grid
    header = _header(grid.width, grid.height, level.labels, position.rotations)
    return header + _board_rows(position.layout.codes, grid.width, position.cells, level.names)


# Both are cached by values that C hashes, for texts of a hundred thousand positions.


@functools.lru_cache(maxsize=1 << 10)
def _header(width: int, height: int, labels: tuple[str, ...], rotations: tuple[int, ...]) -> str:
    """Return the lines above the rows; they do not depend on the robots' cells."""
    robots = "".join(map("{}{}\n".format, labels, rotations))
    return f"robots {width}x{height}\n{robots}board:\n"


@functools.lru_cache(maxsize=1 << 14)
def _board_rows(codes: bytes, width: int, cells: Squares, names: tuple[str, ...]) -> str:
    """Return the rows of the board; they do not depend on the robots' rotations."""
    tokens = list(_empty_tokens(codes, width, names))
    for name, square in zip(names, cells, strict=True):
        tokens[square] = name + tokens[square].removeprefix(_FLOOR)
    return "".join(tokens)


@functools.lru_cache(maxsize=256)
def _empty_tokens(codes: bytes, width: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the token of each square without a robot, with the space or the end of line behind it."""
    grid = Grid(width, len(codes) // (width + 1) - 1)
    tokens = [""] * len(codes)
    for square in grid.squares:
        end = "\n" if grid.cell(square)[0] == width - 1 else " "
        tokens[square] = token(tile_of(codes[square], names)) + end
    return tuple(tokens)


def token(tile: Tile) -> str:
    """Return the token of a tile (R33)."""
    mark = tile.target.upper() or _MARKS[tile._replace(occupier="")]
    return tile.occupier + mark.removeprefix(_FLOOR) if tile.occupier else mark


FORMAT = Format(
    "robots",
    (".robots",),
    "robots and one token a cell",
    recognises,
    read,
    write_levels,
    level_text,
    position_text,
    position_of,
    read_midgame=read_position,
)
