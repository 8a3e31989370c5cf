"""The meaning of Shift It: frozen values and pure functions, with clause numbers beside the code."""

from __future__ import annotations

import dataclasses
import itertools
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel
from gridproof.core.outcome import ONE
from gridproof.core.rng import check_seed
from gridproof.games.shiftit.colours import assign_letters
from gridproof.games.shiftit.connection import Connection, Tiles, place_picker
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.validity import LARGEST, find_defects

if TYPE_CHECKING:
    from gridproof.core.trace import Trace

__all__ = ["Level", "Move", "Position", "Shifted", "Tile"]


X_OF, Y_OF = attrgetter("x"), attrgetter("y")
_SIDES = frozenset({str, type(None)})
_RANK = {"down": 0, "left": 1, "right": 2, "up": 3}
"""The order of sides in S11."""


class Move(NamedTuple):
    """A row or column shifted by one (S5): `Move("RM", 2, "left")` is written RM(2,left)."""

    kind: str
    """"RM" for a row, "CM" for a column."""
    line: int
    """The y of the row, or the x of the column."""
    direction: str
    """"left" or "right" for a row, "up" or "down" for a column; y grows upwards (S1)."""

    def __str__(self) -> str:
        return f"{self.kind}({self.line},{self.direction})"

    @property
    def opposite(self) -> Move:
        """The same line the other way."""
        return self._replace(direction=DIRECTIONS[(DIRECTIONS.index(self.direction) + 2) % 4])


@dataclass(frozen=True, slots=True)
class Shifted:
    """A row or column has been shifted."""

    move: Move


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile where it lies at the start (S1, S2).

    Parameters
    ----------
    name : str
        The text of its element: an identifier, a number, or a string in quotation marks.
    x, y : int
        Its position at the start.
    colours : str, or tuple of four str or None
        Colours of its sides up, right, down, left; one text for all four; None for a side without (S3).
    locked : bool
        True if it is locked (S4).

    Raises
    ------
    GridproofError
        For values of other types.
    """

    name: str
    x: int
    y: int
    colours: tuple[str | None, str | None, str | None, str | None]
    locked: bool = False

    def __init__(
        self, name: str, x: int, y: int, colours: str | Iterable[str | None], locked: bool = False
    ) -> None:
        sides = (colours,) * 4 if isinstance(colours, str) else tuple(colours)
        fill = object.__setattr__  # millions of tiles are made when packs are read
        fill(self, "name", name)
        fill(self, "x", x)
        fill(self, "y", y)
        fill(self, "colours", sides)
        fill(self, "locked", locked)
        whole = type(x) is int and type(y) is int
        coloured = len(sides) == 4 and (
            _SIDES.issuperset(map(type, sides))
            or all(side is None or isinstance(side, str) for side in sides)
        )
        if not (whole and coloured and isinstance(name, str) and isinstance(locked, bool)):
            raise GridproofError(
                f"no tile: {self!r} needs a name, whole x and y, four colours, and True or False"
            )


_FILLING = [vars(Tile)[item.name].__set__ for item in dataclasses.fields(Tile)]


def make_tiles(names: Collection[str], *others: Iterable[object]) -> list[Tile]:
    """Make many tiles from names, x, y, colours and locks of the right types.

    It takes a third of the time of `Tile`: readers make millions of tiles.
    """
    tiles = list(map(object.__new__, itertools.repeat(Tile, len(names))))
    for fill, values in zip(_FILLING, (names, *others), strict=True):
        deque(map(fill, tiles, values), maxlen=0)
    return tiles


@dataclass(frozen=True, init=False)
class Level(core.Level):
    """A board of tiles.

    Parameters
    ----------
    tiles : iterable of Tile
        In any order; kept in reading order (the highest y first, x to the right). A tile is
        known by its place in that order, so the start is (0, 1, 2, ...).
    columns, rows : iterable of int, optional
        The coordinates XCo and YCo, kept as ranges; by default those of the tiles.

    Raises
    ------
    InvalidLevel
        With every broken clause of S1, S2 and S3, and every name that is invalid or used twice.
    """

    tiles: tuple[Tile, ...]
    columns: range
    rows: range

    def __init__(
        self,
        tiles: Iterable[Tile],
        columns: Iterable[int] | None = None,
        rows: Iterable[int] | None = None,
        *,
        title: str = "",
        author: str = "",
        keys: Mapping[str, str] | None = None,
        certificate: Trace | None = None,
    ) -> None:
        ordered = tuple(sorted(sorted(tiles, key=X_OF), key=Y_OF, reverse=True))
        xs = _coordinates(map(X_OF, ordered) if columns is None else columns)
        ys = _coordinates(map(Y_OF, ordered) if rows is None else rows)
        if problems := find_defects(ordered, xs, ys):
            raise InvalidLevel(problems)
        values = (title, author, keys or {}, certificate, ordered, _interval(xs), _interval(ys))
        for name, value in zip(_PARTS, values, strict=True):
            object.__setattr__(self, name, value)
        self.__post_init__()

    def starts(self) -> Iterator[core.Outcome[Position]]:
        yield core.Outcome(self.start())

    def start(self, seed: int = 0) -> Position:
        check_seed(seed)
        return Position(self, tuple(range(len(self.tiles))))

    def all_actions(self) -> tuple[Move, ...]:
        return self.moves

    def coordinates(self, place: int) -> tuple[int, int]:
        """Return the (x, y) of a place in reading order."""
        row, column = divmod(place, len(self.columns))
        return self.columns[column], self.rows[-1 - row]

    def place(self, x: int, y: int) -> int:
        """Return the place in reading order of the position (x, y) on the board."""
        return (self.rows[-1] - y) * len(self.columns) + x - self.columns[0]

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colours that occur, in the order of their first sides."""
        return tuple(dict.fromkeys(colour for tile in self.tiles for colour in tile.colours if colour))

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """A character for each colour that occurs, in rows and pictures of text."""
        return assign_letters(self.colours)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The text of each tile in rows."""
        sides = ["".join(self.letters[colour] for colour in tile.colours if colour) for tile in self.tiles]
        shown = zip(sides, self.tiles, strict=True)
        return tuple((text[0] if len(set(text)) == 1 else text) + "*" * tile.locked for text, tile in shown)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each tile."""
        return tuple(tile.name for tile in self.tiles)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All moves in their fixed order, executable or not: rows by y, then columns by x (S5, S6)."""
        rows = [Move("RM", y, direction) for y in self.rows for direction in ("left", "right")]
        columns = [Move("CM", x, direction) for x in self.columns for direction in ("up", "down")]
        return (*rows, *columns)

    @cached_property
    def valid_moves(self) -> tuple[Move, ...]:
        """The moves of lines without a locked tile (S6). Locked tiles stay, so these never change."""
        return tuple(move for move in self.moves if self.lock(move) is None)

    def line(self, move: Move) -> tuple[int, ...]:
        """Return the places of a move's row or column, in reading order."""
        if move.kind == "RM":
            return tuple(self.place(x, move.line) for x in self.columns)
        return tuple(self.place(move.line, y) for y in reversed(self.rows))

    def lock(self, move: Move) -> int | None:
        """Return the place of the first locked tile in a move's line, which holds the line (S6); None without one."""
        return next((place for place in self.line(move) if self.tiles[place].locked), None)

    @cached_property
    def effects(self) -> Mapping[Move, tuple[Callable[[Tiles], Tiles], tuple[Shifted]]]:
        """The function on placements and the events of each valid move."""
        return {move: (place_picker(self.sources(move)), (Shifted(move),)) for move in self.valid_moves}

    def sources(self, move: Move) -> list[int]:
        """Return the place from which the tile of each place comes; a tile that leaves enters at the other end (S5, S8)."""
        line = self.line(move)
        step = 1 if move.direction in ("left", "up") else -1  # along the line in reading order
        sources = list(range(len(self.tiles)))
        for index, place in enumerate(line):
            sources[place] = line[(index + step) % len(line)]
        return sources

    @cached_property
    def connection(self) -> Connection:
        """The connection of sides (S9, S10)."""
        number = {colour: index for index, colour in enumerate(self.colours)}
        numbers = [tuple(number[colour] for colour in tile.colours if colour) for tile in self.tiles]
        return Connection(len(self.columns), len(self.rows), numbers)

    @cached_property
    def references(self) -> Mapping[str, tuple[int, int]]:
        """Ref: the tile and side number of the largest side of each colour (S11)."""
        sides = [
            ((tile.y, tile.x, _RANK[DIRECTIONS[side]]), colour, (index, side))
            for index, tile in enumerate(self.tiles)
            for side, colour in enumerate(tile.colours)
        ]
        return {colour: side for _, colour, side in sorted(sides) if colour}

    @cached_property
    def neighbourhoods(self) -> tuple[frozenset[int], ...]:
        """The places at most one step from each place, without wrap-around (S23)."""
        around = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
        corners = [self.coordinates(place) for place in range(len(self.tiles))]
        return tuple(
            frozenset(
                self.place(x + dx, y + dy)
                for dx, dy in around
                if x + dx in self.columns and y + dy in self.rows
            )
            for x, y in corners
        )


_PARTS = tuple(item.name for item in dataclasses.fields(Level))


def _coordinates(numbers: Iterable[int]) -> frozenset[int]:
    """Return the numbers, cut off once there are too many for any board."""
    return frozenset(itertools.islice(numbers, LARGEST + 1))


def _interval(coordinates: frozenset[int]) -> range:
    return range(min(coordinates), max(coordinates) + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Position(core.Position[Move]):
    """A placement of the tiles."""

    level: Level
    tiles: Tiles
    """The tile on each place, places and tiles in reading order (of the start)."""
    _won: bool | None = field(default=None, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.tiles == other.tiles and (self.level is other.level or self.level == other.level)

    def __hash__(self) -> int:
        return hash(self.tiles)

    @property
    def won(self) -> bool:
        """True if each colour forms one region (S13). Won positions never change, so this covers wins in the past."""
        if self._won is None:
            object.__setattr__(self, "_won", self.level.connection.is_connected(self.tiles))
        return bool(self._won)

    def actions(self, actor: str | None = None) -> tuple[Move, ...]:
        """Return the valid moves; none once the game has ended (S7, S14, S15)."""
        if self.won or actor not in (None, "player"):
            return ()
        return self.level.valid_moves

    def outcomes(self, action: Move) -> tuple[core.Outcome[Position], ...]:
        effect = self.level.effects.get(action)
        if effect is None or self.won:
            if not isinstance(action, Move):
                raise self.no_action(action)
            raise IllegalAction(action, self._refusal(action))
        shift, events = effect
        return (core.Outcome(Position(self.level, shift(self.tiles)), ONE, 0, events),)

    def successors(self, actor: str | None = None) -> list[Tiles]:
        """Return the placements after each move; none once the game has ended (S14, S15)."""
        if not self.actions(actor):
            return []
        return [shift(self.tiles) for shift, _ in self.level.effects.values()]

    def at(self, successor: Tiles) -> Position:
        return Position(self.level, successor)

    def predecessors(self) -> Iterator[Position]:
        """Yield the positions from which one move leads here: the opposite undoes each move."""
        for shift, _ in self.level.effects.values():
            before = Position(self.level, shift(self.tiles))
            if not before.won:
                yield before

    def refusal(self, text: str) -> IllegalAction:
        move = next((one for one in self.level.moves if str(one) == text), None)
        return core.Position.refusal(self, text) if move is None else IllegalAction(text, self._refusal(move))

    def _refusal(self, action: Move) -> str:
        if action not in self.level.moves:
            return "this board has no such move"
        lock = self.level.lock(action)
        if lock is None:
            return "the game has ended"
        row, column = divmod(lock, len(self.level.columns))
        return f"the tile in {f'column {column + 1}' if action.kind == 'RM' else f'row {row + 1}'} is locked"

    def reachable_sides(self) -> tuple[tuple[bool, ...], ...]:
        """Return for each tile whether its sides up, right, down, left are connected with Ref of their colour (S12)."""
        level = self.level
        regions = level.connection.regions(self.tiles)
        home = {colour: regions[tile][side] for colour, (tile, side) in level.references.items()}
        return tuple(
            tuple(regions[index][side] == home[colour or ""] for side, colour in enumerate(tile.colours))
            for index, tile in enumerate(level.tiles)
        )


def tile_kinds(level: Level) -> list[int]:
    """Return a number for each tile, the same for identical tiles."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault((tile.colours, tile.locked), len(numbers)) for tile in level.tiles]


def has_unique_tiles(level: Level) -> bool:
    """Return whether no two tiles are identical."""
    return len(set(tile_kinds(level))) == len(level.tiles)
