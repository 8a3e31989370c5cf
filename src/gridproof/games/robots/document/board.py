"""State of the source document's Board, and its observable values."""

# ruff: noqa: N815  # the document's spelling

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.position import Outcome
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.games.robots import belts
from gridproof.games.robots.board import BROKEN, Cell, Layout
from gridproof.games.robots.board import Tile as TileData
from gridproof.games.robots.document.actors import BoardSnapshot, Controller, Robot
from gridproof.games.robots.document.tiles import (
    BOARD,
    SNAPSHOT,
    AbsoluteCoord,
    Tile,
    tile_of,
    update_tile,
)
from gridproof.games.robots.race.knowledge import Strategy
from gridproof.games.robots.race.strategies import RandomStrategy
from gridproof.games.robots.requests import Carried, Exchanged
from gridproof.games.robots.rules import Position

Cells = Mapping[AbsoluteCoord, AbsoluteCoord]


class BoardState:
    """Tiles, robots and controller of a game, or null.

    Attributes
    ----------
    controller : Controller or None
        None while the board is reset.
    """

    def __init__(self) -> None:
        self.controller: Controller | None = None
        self.init()

    def init(self) -> None:
        """`Init`: reset the board."""
        self.reset()

    def reset(self) -> None:
        """Set tiles, robots and controller to null; the board must be initialized again (R26)."""
        self._position: Position | None = None
        self._tiles: dict[AbsoluteCoord, Tile] = {}
        self._robots: dict[str, Robot] = {}
        self._rng = Rng()
        if self.controller is not None:
            self.controller.board = None
        self.controller = None

    def internal_init(
        self,
        start: core.Level | core.Position[Any],
        controller: Controller,
        strategies: Mapping[str, Strategy] | None = None,
        seed: int = 0,
    ) -> None:
        """Set tiles, robots and controller; errors as of `initialize`."""
        if self._position is not None:
            raise GridproofError("the board is in a game: it must be reset first")
        if controller.board is not None:
            raise GridproofError("the controller is in a game with another board")
        position = start.start() if isinstance(start, core.Level) else start
        if not isinstance(position, Position):
            raise GridproofError(f"a board needs a level or a position of robots, not {type(start).__name__}")
        self._rng = Rng(check_seed(seed))
        strategies = strategies or {}
        for name in strategies:
            position.level.number(name)
        self._robots = {
            name: Robot(name, strategies.get(name) or RandomStrategy(derive(seed, place)))
            for place, name in enumerate(position.level.names)
        }
        self._position, self.controller = position, controller
        self._tiles = self._make_tiles(BOARD)

    # -- state

    @property
    def position(self) -> Position:
        """Position of the rules.

        Raises
        ------
        GridproofError
            When the board has been reset, or never been initialized; so do all operations.
        """
        if self._position is None:
            raise GridproofError("the board is not initialized")
        return self._position

    @property
    def tiles(self) -> Mapping[AbsoluteCoord, Tile] | None:
        """Tile on each cell; None after a reset."""
        return None if self._position is None else MappingProxyType(self._tiles)

    @property
    def robots(self) -> Mapping[Robot, int] | None:
        """Rotation of each robot, in their order; None after a reset."""
        if self._position is None:
            return None
        rotations = self._position.rotations
        return MappingProxyType(dict(zip(self._robots.values(), rotations, strict=True)))

    @property
    def occupied(self) -> frozenset[AbsoluteCoord]:
        """Cells with a broken robot or a robot (R4)."""
        codes, cells = self.position.layout.codes, self.position.cells
        squares = self.position.level.grid.squares
        return frozenset(
            self._coord(square) for square in squares if codes[square] == BROKEN or square in cells
        )

    @property
    def adjacent(self) -> frozenset[tuple[AbsoluteCoord, AbsoluteCoord]]:
        """Pairs of cells at Manhattan distance 1 whose second is not occupied (R5)."""
        free = self._tiles.keys() - self.occupied
        sides = [(1, 0), (0, 1), (-1, 0), (0, -1)]
        pairs = ((AbsoluteCoord(x + dx, y + dy), AbsoluteCoord(x, y)) for x, y in free for dx, dy in sides)
        return frozenset((first, second) for first, second in pairs if first in self._tiles)

    @property
    def conveyor_unit_dest(self) -> Mapping[AbsoluteCoord, AbsoluteCoord]:
        """Map from each conveyor to the cell it points at, if that is defined (R6)."""
        return self._destinations(belts.unit_destination)

    @property
    def conveyor_dest(self) -> Mapping[AbsoluteCoord, AbsoluteCoord]:
        """Map from each cell to the end of its belt; itself without a belt, undefined in loops (R7)."""
        return self._destinations(belts.destination)

    def request_snapshot(self) -> BoardSnapshot:
        """`requestSnapShot`: return a copy of all tiles, and of the robots' rotations (R28)."""
        rotations = zip(self._robots.values(), self.position.rotations, strict=True)
        return BoardSnapshot(self._make_tiles(SNAPSHOT), dict(rotations))

    # -- implementation

    def _set_position(self, position: Position) -> None:
        """Set the position, and update the tiles on their cells."""
        self._position = position
        for cell, data in self._tile_data(position):
            update_tile(self._tiles[cell], data, self._robots)

    def _swap_tiles(self, event: Exchanged) -> None:
        """Two tiles change places."""
        first, second = AbsoluteCoord(*event.first), AbsoluteCoord(*event.second)
        self._tiles[first], self._tiles[second] = self._tiles[second], self._tiles[first]

    def _make_tiles(self, owner: str) -> dict[AbsoluteCoord, Tile]:
        return {cell: tile_of(data, self._robots, owner) for cell, data in self._tile_data(self.position)}

    def _tile_data(self, position: Position) -> Iterator[tuple[AbsoluteCoord, TileData]]:
        for y, row in enumerate(position.tiles):
            for x, data in enumerate(row):
                yield AbsoluteCoord(x, y), data

    def _destinations(self, find_end: Callable[[Layout, tuple[int, ...], int], int | None]) -> Cells:
        position = self.position
        ends = {
            square: find_end(position.layout, position.cells, square)
            for square in position.level.grid.squares
        }
        return MappingProxyType(
            {self._coord(square): self._coord(end) for square, end in ends.items() if end is not None}
        )

    def _coord(self, square: int) -> AbsoluteCoord:
        return AbsoluteCoord(*self.position.level.grid.cell(square))

    def _number(self, robot: Robot) -> int:
        """Return the place of one of the board's robots in their order."""
        level = self.position.level  # raises first when there is no game
        if not isinstance(robot, Robot) or self._robots.get(robot.name) is not robot:
            raise GridproofError(f"{robot!r} is no robot of the board")
        return level.number(robot.name)

    conveyorUnitDest, conveyorDest = conveyor_unit_dest, conveyor_dest
    internalInit, Init = internal_init, init
    requestSnapShot = requestSnapshot = request_snapshot


def undo_carries(outcome: Outcome[Position]) -> Position:
    """Return the position of an outcome before belts started again (R18)."""
    position = outcome.position
    for event in reversed(outcome.events):
        if isinstance(event, Carried):
            position = place_robot(position, event.robot, event.origin)
    return position


def place_robot(position: Position, robot: str, cell: Cell) -> Position:
    """Return the position with one robot on another cell."""
    number = position.level.number(robot)
    square = position.level.grid.square(cell)
    cells = (*position.cells[:number], square, *position.cells[number + 1 :])
    return Position(position.level, position.layout, cells, position.rotations)
