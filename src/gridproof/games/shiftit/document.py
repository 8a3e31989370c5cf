"""The source document's vocabulary, ShiftItVoc, as functions of a run, under its own names (S17).

    voc = ShiftItVoc(run)
    voc.MoveAt(voc.Start), voc.GetPos(1, "a"), voc.Reach(1, S("a", "up"), "red"), voc.Won(1)

Types are its attributes, symbols its functions; each also has its name in small letters
(`move_at`). Positions, sides and moves are made by `P`, `S`, `RM` and `CM`; tiles are named by
text, times are numbers, directions and colours are texts. A partial function is None where it is
undefined.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.games.shiftit import rules
from gridproof.games.shiftit.elements import DIRECTIONS, Element, parse_name
from gridproof.games.shiftit.idp.conversion import BoardColouring, structure_of
from gridproof.games.shiftit.idp.model import check_model
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.runs import Run

__all__ = ["CM", "RM", "P", "S", "ShiftItVoc"]


class P(NamedTuple):
    """A position: `P(XCo, YCo)`."""

    x: int
    y: int


class S(NamedTuple):
    """A side: `S(Tile, Dir)`."""

    tile: str
    direction: str


def RM(y: int, direction: str) -> rules.Move:  # noqa: N802  the document's name
    """The move of row y: `RM(YCo, Dir)`."""
    return rules.Move("RM", y, direction)


def CM(x: int, direction: str) -> rules.Move:  # noqa: N802  the document's name
    """The move of column x: `CM(XCo, Dir)`."""
    return rules.Move("CM", x, direction)


class ShiftItVoc:
    """The vocabulary, interpreted by a run.

    Parameters
    ----------
    run : Run
    colours : iterable of str
        The type Colour; those that occur by default.
    board : Structure, optional
        Colours of whole tiles and of single sides; by default a tile with one colour on all sides
        has it as a whole.
    """

    def __init__(self, run: Run, colours: Iterable[str] = (), board: Structure | None = None) -> None:
        self.run = run
        self.level = run.level
        self._given = BoardColouring(board or structure_of(run.level))
        self.Colour = tuple(dict.fromkeys((*run.level.colours, *colours)))
        """The colours that occur, then those of the argument."""

    @classmethod
    def of(cls, structure: Structure) -> ShiftItVoc:
        """Return the vocabulary as a structure interprets it, completed where the structure is partial.

        Raises
        ------
        GridproofError
            When the structure is no model (S18), with the first violated clause.
        """
        verdict = check_model(structure)
        if verdict.run is None:
            raise GridproofError(f"no model: {verdict.violation or 'a limit was reached'}")
        return cls(verdict.run, map(str, structure.types["Colour"]), structure)

    # -- types

    @property
    def Time(self) -> range:  # noqa: N802  # the document's name
        """0..T (S16)."""
        return range(self.run.horizon + 1)

    @property
    def Start(self) -> int:  # noqa: N802  # the document's name
        """The first time, 0 (S16)."""
        return 0

    @property
    def XCo(self) -> range:  # noqa: N802  # the document's name
        """The x coordinates, growing to the right (S1)."""
        return self.level.columns

    @property
    def YCo(self) -> range:  # noqa: N802  # the document's name
        """The y coordinates, growing upwards (S1)."""
        return self.level.rows

    @property
    def Co(self) -> tuple[int, ...]:  # noqa: N802  # the document's name
        """All coordinates."""
        return tuple(sorted({*self.XCo, *self.YCo}))

    @property
    def Pos(self) -> tuple[P, ...]:  # noqa: N802  # the document's name
        """All positions, in reading order."""
        return tuple(P(x, y) for y in reversed(self.YCo) for x in self.XCo)

    @property
    def Dir(self) -> tuple[str, ...]:  # noqa: N802  # the document's name
        """up, right, down, left."""
        return DIRECTIONS

    @property
    def Move(self) -> tuple[rules.Move, ...]:  # noqa: N802  # the document's name
        """All elements of the type, including invalid moves (S6)."""
        rows = (RM(y, direction) for y in self.YCo for direction in DIRECTIONS)
        return (*rows, *(CM(x, direction) for x in self.XCo for direction in DIRECTIONS))

    @cached_property
    def Tile(self) -> tuple[str, ...]:  # noqa: N802  # the document's name
        """The names of the tiles, in reading order at the start."""
        return tuple(tile.name for tile in self.level.tiles)

    @property
    def Side(self) -> tuple[S, ...]:  # noqa: N802  # the document's name
        """All sides."""
        return tuple(S(tile, direction) for tile in self.Tile for direction in DIRECTIONS)

    # -- symbols

    def next_time(self, time: int) -> int | None:
        """Return the next time; None at the last (S16)."""
        return time + 1 if self._time(time) < self.run.horizon else None

    def move_at(self, time: int) -> rules.Move | None:
        """Return the move directly after a time; None after the end and at the last time (S16)."""
        return self.run.move_at(self._time(time))

    def get_pos(self, time: int, tile: str) -> P:
        """Return the position of a tile at a time."""
        position = self.run.position(self._time(time))
        return P(*self.level.coordinates(position.tiles.index(self._tile(tile))))

    def init_get_pos(self, tile: str) -> P:
        """Return the position of a tile at the start (S1)."""
        return P(*self.level.coordinates(self._tile(tile)))

    def c_get_pos(self, time: int, tile: str) -> P | None:
        """Return the position that the move at a time gives a tile next; None for a tile that it does not move."""
        return self.get_pos(time + 1, tile) if self._is_moved(time, tile) else None

    def cn_get_pos(self, time: int, tile: str) -> P | None:
        """Return the position that the move at a time takes from a tile; None for a tile that it does not move (S17)."""
        return self.get_pos(time, tile) if self._is_moved(time, tile) else None

    def is_locked(self, tile: str) -> bool:
        """Return whether a tile is locked (S4)."""
        return self.level.tiles[self._tile(tile)].locked

    def colouring(self, side: S | tuple[str, str]) -> str:
        """The colour of a side (S2)."""
        tile, direction = self._side(side)
        return self.level.tiles[tile].colours[direction] or ""

    def init_colouring_full(self, tile: str) -> str | None:
        """Return the colour of a tile as a whole; None where it has none (S3)."""
        return self._given.full(self._element(tile))

    def init_colouring(self, side: S | tuple[str, str]) -> str | None:
        """Return the colour of a side for itself; None where the colour of its tile applies (S3)."""
        self._side(side)
        return self._given.own(self._element(side[0]), side[1])

    def reach(self, time: int, side: S | tuple[str, str], colour: str) -> bool:
        """Return whether a side lies in the colour's region of its Ref at a time (S12)."""
        tile, direction = self._side(side)
        reached = self.run.position(self._time(time)).reachable_sides()
        return self.colouring(side) == self._colour(colour) and reached[tile][direction]

    def ref(self, colour: str) -> S | None:
        """Return the largest side of a colour; None for a colour that does not occur (S11)."""
        if self._colour(colour) not in self.level.references:
            return None
        tile, direction = self.level.references[colour]
        return S(self.Tile[tile], DIRECTIONS[direction])

    def game_ended(self, time: int) -> bool:
        """Return whether the game has ended at a time (S14)."""
        return self.run.has_ended(self._time(time))

    def won(self, time: int) -> bool:
        """Return whether the game is won at a time (S13)."""
        return self.run.is_won(self._time(time))

    Next = next_time
    MoveAt = move_at
    GetPos = get_pos
    Init_GetPos = init_get_pos
    C_GetPos = c_get_pos
    CN_GetPos = cn_get_pos
    IsLocked = is_locked
    Colouring = colouring
    Init_Colouring_Full = init_colouring_full
    Init_Colouring = init_colouring
    Reach = reach
    Ref = ref
    GameEnded = game_ended
    Won = won

    # -- arguments

    def _is_moved(self, time: int, tile: str) -> bool:
        """Return whether the move at a time moves a tile."""
        move = self.move_at(time)
        place = self.run.position(time).tiles.index(self._tile(tile))
        return move is not None and place in self.level.line(move)

    def _time(self, time: int) -> int:
        if isinstance(time, bool) or not isinstance(time, int) or time not in self.Time:
            raise GridproofError(f"{time!r} is no Time: those are 0 to {self.run.horizon}")
        return time

    def _tile(self, tile: str) -> int:
        if tile not in self.Tile:
            raise GridproofError(f"{tile!r} is no Tile: those are {', '.join(self.Tile)}")
        return self.Tile.index(tile)

    def _element(self, tile: str) -> Element:
        """Return the element of a tile in structures."""
        return parse_name(self.Tile[self._tile(tile)])

    def _side(self, side: S | tuple[str, str]) -> tuple[int, int]:
        if not isinstance(side, tuple) or len(side) != 2 or side[1] not in DIRECTIONS:
            raise GridproofError(f"{side!r} is no Side: those are S(tile, direction)")
        return self._tile(side[0]), DIRECTIONS.index(side[1])

    def _colour(self, colour: str) -> str:
        if colour not in self.Colour:
            raise GridproofError(f"{colour!r} is no Colour: those are {', '.join(self.Colour)}")
        return colour
