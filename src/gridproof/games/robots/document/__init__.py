"""The source document's classes by name: Board, Tile, Controller, Viewer, Robot, BoardSnapshot, Rule ...

    board, controller = Board(), Controller()
    viewer = Viewer(controller)
    board.initialize(level, controller, seed=1)
    a, b = board.robots
    next(a.turns), board.moveRequest(b, rotation=90), viewer.updateView()

Every operation has its name in Python's way of writing (`move_request`) and, as an alias, the
document's spelling (`moveRequest`). The rules say what everything means: a board holds a position of
theirs, and does what the outcomes say. The document's choices by chance are drawn from the seed.
"""

# ruff: noqa: N815  # the document's spelling

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import NATURE, Outcome
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.games.robots import belts, hints, requests
from gridproof.games.robots.board import Cell, Layout, to_bits
from gridproof.games.robots.board import Tile as TileData
from gridproof.games.robots.document.actors import BoardSnapshot, Controller, Observer, Robot, Screen, Viewer
from gridproof.games.robots.document.tiles import (
    BOARD,
    RULES,
    SNAPSHOT,
    AbsoluteCoord,
    BoardResponse,
    BrokenRobotTile,
    ConveyorTile,
    Coord,
    HintTile,
    HomeTile,
    NormalTile,
    RelativeCoord,
    Rotation,
    Rule,
    RuleA,
    RuleB,
    Tile,
    WalkPre,
    tile_of,
    update_tile,
)
from gridproof.games.robots.hints import Hint, iterate_news
from gridproof.games.robots.race.knowledge import Strategy
from gridproof.games.robots.race.strategies import RandomStrategy
from gridproof.games.robots.requests import (
    EXCHANGE,
    Carried,
    Exchanged,
    Local,
    Request,
    Rotate,
    Rotated,
    Walk,
    Walked,
)
from gridproof.games.robots.rules import Position, to_position

__all__ = [
    "AbsoluteCoord",
    "Board",
    "BoardResponse",
    "BoardSnapshot",
    "BrokenRobotTile",
    "Controller",
    "ConveyorTile",
    "Coord",
    "Hint",
    "HintTile",
    "HomeTile",
    "NormalTile",
    "Observer",
    "RelativeCoord",
    "Robot",
    "Rotation",
    "Rule",
    "RuleA",
    "RuleB",
    "Screen",
    "Tile",
    "Viewer",
    "WalkPre",
]

Pair = tuple[Tile, Tile]
Cells = Mapping[AbsoluteCoord, AbsoluteCoord]


class Board:
    """Board: it keeps the invariants and serves all requests.

    Attributes
    ----------
    controller : Controller or None
        None while the board is reset.
    """

    def __init__(self) -> None:
        self.controller: Controller | None = None
        self.reset()

    def reset(self) -> None:
        """`Init`: set tiles, robots and controller to null; the board must be initialized again (R26)."""
        self._position: Position | None = None
        self._tiles: dict[AbsoluteCoord, Tile] = {}
        self._robots: dict[str, Robot] = {}
        self._rng = Rng()
        if self.controller is not None:
            self.controller.board = None
        self.controller = None

    def can_reset(self) -> bool:
        """Reset the board if some home holds its target; else return False (R26)."""
        if self._position is None or not self._position.won:
            return False
        self.reset()
        return True

    def initialize(
        self,
        start: core.Level | core.Position[Any],
        controller: Controller,
        strategies: Mapping[str, Strategy] | None = None,
        seed: int = 0,
    ) -> None:
        """Start a game: board, controller, robots, controller again, then all robots play (R24).

        Parameters
        ----------
        start : Level or Position
        strategies : mapping of str to Strategy
            By the robots' names; the others play at random.
        seed : int
            Decides all chance.

        Raises
        ------
        GridproofError
            When the board is in a game, or the start is none.
        """
        self.internal_init(start, controller, strategies, seed)
        controller.pre_initialize()
        for robot, declared in zip(self._robots.values(), self.position.level.robots, strict=True):
            robot.initialize(controller, RULES[declared.rule])
        controller.post_initialize(self, self._robots.values())
        for robot in self._robots.values():
            robot.play()
        if self.position.won:
            controller.game_over()

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
        position = to_position(start, "a board")
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
        return MappingProxyType(dict(zip(self._robots.values(), self._position.rotations, strict=True)))

    @property
    def occupied(self) -> frozenset[AbsoluteCoord]:
        """Cells with a broken robot or a robot (R4)."""
        free = self.position.layout.open & ~to_bits(self.position.cells)
        squares = self.position.level.grid.squares
        return frozenset(self._coord(square) for square in squares if not free >> square & 1)

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
        return BoardSnapshot(self._make_tiles(SNAPSHOT), self.robots or {})

    # -- snapshots and hints

    def send_possible_hint(self, robot: Robot) -> Hint | None:
        """Give a robot that stands on a hint tile a hint, by the controller; None for one that does not."""
        if not isinstance(self._tile(robot), HintTile):
            return None
        hint = self.get_hint(robot)
        self._require_controller().notify_hint(robot, hint)
        return hint

    def get_hint(self, robot: Robot) -> Hint:
        """Draw a hint for a robot on its cell, whatever its tile (R19).

        Raises
        ------
        GridproofError
            When it is home: no hint is defined there.
        """
        position, number = self.position, self._number(robot)
        here, home = self._coord(position.cells[number]), self._coord(position.level.homes[number])
        if here == home:
            raise GridproofError(f"{robot} is home: there is no hint")
        found = hints.possible_hints(home.x - here.x, home.y - here.y, position.rotations[number])
        return self._rng.choice(found)

    @staticmethod
    def hint_mapping(dx: int, dy: int) -> frozenset[Hint]:
        """Return the hints for the signs of home minus robot (R19).

        Raises
        ------
        GridproofError
            For (0, 0), and for other numbers than -1, 0 and 1.
        """
        if (dx, dy) not in hints.HINT_MAPPING:
            raise GridproofError(f"hintMapping({dx}, {dy}): it is defined for signs that are not both 0")
        return frozenset(hints.HINT_MAPPING[dx, dy])

    @staticmethod
    def rotate90_deg(hint: Hint) -> Hint:
        """`rotate90Deg`: return the hint a quarter turn counter-clockwise (R19)."""
        return hints.rotate_hint(hint, 90)

    # -- requests of robots

    def move_request(
        self, robot: Robot, local_coords: Local | None = None, rotation: int | None = None
    ) -> BoardResponse:
        """Serve a robot's request for either a walk or a rotation (R12).

        Raises
        ------
        GridproofError
            When both or neither is given, the game is over, or the robot is none of the board's.
        """
        if local_coords is not None and rotation is None:
            return self.move_walk(robot, local_coords)
        if rotation is not None and local_coords is None:
            return self.move_rotate(robot, rotation)
        raise GridproofError("R12: a robot asks for exactly one of local coordinates and a rotation")

    def move_rotate(self, robot: Robot, rotation: int) -> BoardResponse:
        """Turn a robot, when its rule has that rotation (R13); errors as of `move_request`."""
        return self._serve(Rotate(self._name(robot), rotation))

    def move_walk(self, robot: Robot, local_coords: Local) -> BoardResponse:
        """Let a robot walk, in the order of R18; errors as of `move_request`."""
        return self._serve(Walk(self._name(robot), *_local(local_coords)))

    def move_walk_pre(self, robot: Robot, local_coords: Local) -> WalkPre:
        """Return whether a robot may walk there, and its tile then (R14-R17); nothing changes."""
        walk = Walk(self._name(robot), *_local(local_coords))
        begin = self._tile(robot)
        response = self.position.respond(walk)
        landing = self.position.find_landing(walk)
        if landing is None or response is BoardResponse.FAILED:
            return WalkPre(BoardResponse.FAILED, None, begin, False)
        return WalkPre(response, self._tiles[self._coord(landing.square)], begin, landing.auto)

    @staticmethod
    def rotate_path(path: Iterable[Local]) -> tuple[RelativeCoord, ...]:
        """Return the path a quarter turn clockwise (R3, R14)."""
        return tuple(RelativeCoord(*step) for step in requests.rotate_path(tuple(path), 90))

    # -- blocked robots (R20)

    def move_blocked_robots_recursive(self) -> tuple[Robot, ...]:
        """Carry blocked robots on until none moves, tell each, then the viewer; return the carried robots."""
        after, carried = self._run_belts()
        self._apply(Outcome(after, events=carried))
        return tuple(self._robots[event.robot] for event in carried)

    def move_blocked_robot(self) -> Robot | None:
        """Carry the first blocked robot on that can be, tell it, and return it; None without one."""
        _, carried = self._run_belts()
        if not carried:
            return None
        self._apply_event(carried[0])
        return self._robots[carried[0].robot]

    def _run_belts(self) -> tuple[Position, tuple[Carried, ...]]:
        position = self.position
        return position.run_belts(position.layout, position.cells, position.rotations)

    # -- exchanges of tiles (R21, R22)

    def request_tiles_exchange(self) -> BoardResponse:
        """Exchange two tiles by chance; FAILED if no two can be.

        Raises
        ------
        GridproofError
            When the game is over.
        """
        if not self._can_exchange():
            return BoardResponse.FAILED
        self._apply(self.position.step(EXCHANGE, self._rng))
        return BoardResponse.SUCCESS

    def get_valid_tiles(self) -> Pair | None:
        """Draw two tiles that can be exchanged (R21); None without any."""
        if not self._can_exchange():
            return None
        first, second = sorted(_cells_of_exchange(self.position.step(EXCHANGE, self._rng)))
        return self._tiles[AbsoluteCoord(*first)], self._tiles[AbsoluteCoord(*second)]

    def exchange_tiles(self, pair: Pair) -> Pair:
        """Exchange these two tiles; conveyors among them turn by chance; then follows R22.

        Raises
        ------
        GridproofError
            When they cannot be exchanged.
        """
        outcomes = self.position.outcomes(EXCHANGE)
        cells = {cell for cell, tile in self._tiles.items() if tile in pair}
        can = [outcome for outcome in outcomes if cells == _cells_of_exchange(outcome)]
        if not can:
            raise GridproofError("R21: these two tiles cannot be exchanged")
        self._apply(self._rng.choice(can))
        return pair

    # -- implementation

    def _serve(self, request: Request) -> BoardResponse:
        response = self.position.respond(request)
        if response is not BoardResponse.FAILED:
            self._apply(self.position.step(request, self._rng))
        return response

    def _apply(self, outcome: Outcome[Position]) -> None:
        """Apply an outcome of the rules event by event (R18, R20, R22), and end the game after a win."""
        for event in outcome.events:
            if isinstance(event, Exchanged):
                first, second = AbsoluteCoord(*event.first), AbsoluteCoord(*event.second)
                self._tiles[first], self._tiles[second] = self._tiles[second], self._tiles[first]
        self._set_position(_undo_carries(outcome))
        for event in outcome.events:
            self._apply_event(event)
        if not any(isinstance(event, Rotated) for event in outcome.events):
            self._require_controller().notify_view()  # R20: once no more robots move; not after a rotation
        if self.position.won:
            self._require_controller().game_over()

    def _apply_event(self, event: object) -> None:
        if isinstance(event, Carried):
            self._set_position(_place_robot(self.position, event.robot, event.to))
        if isinstance(event, Walked | Rotated):
            self._require_controller().notify_view()
        for name, news in iterate_news((event,)):
            if isinstance(news, Hint):
                self._require_controller().notify_hint(self._robots[name], news)
            else:
                self._require_controller().notify_auto_movement(self._robots[name], news)

    def _name(self, robot: Robot) -> str:
        return self.position.level.names[self._number(robot)]

    def _tile(self, robot: Robot) -> Tile:
        return self._tiles[AbsoluteCoord(*self.position.cell(self._name(robot)))]

    def _require_controller(self) -> Controller:
        if self.controller is None:
            raise GridproofError("the board is not initialized")
        return self.controller

    def _can_exchange(self) -> bool:
        if self.position.won:
            raise IllegalAction(EXCHANGE, "the game is over")
        return bool(self.position.actions(NATURE))

    def _set_position(self, position: Position) -> None:
        """Set the position, and update the tiles on their cells."""
        self._position = position
        for cell, data in self._tile_data(position):
            update_tile(self._tiles[cell], data, self._robots)

    def _make_tiles(self, owner: str) -> dict[AbsoluteCoord, Tile]:
        return {cell: tile_of(data, self._robots, owner) for cell, data in self._tile_data(self.position)}

    def _tile_data(self, position: Position) -> Iterator[tuple[AbsoluteCoord, TileData]]:
        for y, row in enumerate(position.tiles):
            for x, data in enumerate(row):
                yield AbsoluteCoord(x, y), data

    def _destinations(self, find_end: Callable[[Layout, tuple[int, ...], int], int | None]) -> Cells:
        position, coord = self.position, self._coord
        squares = position.level.grid.squares
        ends = ((square, find_end(position.layout, position.cells, square)) for square in squares)
        return MappingProxyType({coord(square): coord(end) for square, end in ends if end is not None})

    def _coord(self, square: int) -> AbsoluteCoord:
        return AbsoluteCoord(*self.position.level.grid.cell(square))

    def _number(self, robot: Robot) -> int:
        """Return the place of one of the board's robots in their order."""
        level = self.position.level  # raises first when there is no game
        if not isinstance(robot, Robot) or self._robots.get(robot.name) is not robot:
            raise GridproofError(f"{robot!r} is no robot of the board")
        return level.number(robot.name)

    canReset, internalInit, init, Init = can_reset, internal_init, reset, reset
    conveyorUnitDest, conveyorDest = conveyor_unit_dest, conveyor_dest
    requestSnapShot = requestSnapshot = request_snapshot
    sendPossibleHint, getHint = send_possible_hint, get_hint
    hintMapping, rotate90Deg, rotatePath = hint_mapping, rotate90_deg, rotate_path
    moveRequest, moveRotate, moveWalk, moveWalkPre = move_request, move_rotate, move_walk, move_walk_pre
    moveBlockedRobotsRecursive, moveBlockedRobot = move_blocked_robots_recursive, move_blocked_robot
    requestTilesExchange, getValidTiles, exchangeTiles = (
        request_tiles_exchange,
        get_valid_tiles,
        exchange_tiles,
    )


def _local(coords: object) -> Local:
    match coords:
        case (int(dx), int(dy)):
            return dx, dy
    raise GridproofError(f"{coords!r} are no local coordinates: those are (x, y)")


def _cells_of_exchange(outcome: Outcome[Position]) -> set[Cell]:
    match outcome.events:
        case (Exchanged(first, second), *_):
            return {first, second}
    return set()


def _undo_carries(outcome: Outcome[Position]) -> Position:
    """Return the position of an outcome before belts started again (R18)."""
    position = outcome.position
    for event in reversed(outcome.events):
        if isinstance(event, Carried):
            position = _place_robot(position, event.robot, event.origin)
    return position


def _place_robot(position: Position, robot: str, cell: Cell) -> Position:
    """Return the position with one robot on another cell."""
    number = position.level.number(robot)
    square = position.level.grid.square(cell)
    cells = (*position.cells[:number], square, *position.cells[number + 1 :])
    return dataclasses.replace(position, cells=cells)
