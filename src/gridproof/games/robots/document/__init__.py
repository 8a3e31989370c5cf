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

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import Outcome
from gridproof.games.robots import exchange, hints, requests
from gridproof.games.robots.board import Cell
from gridproof.games.robots.document.actors import BoardSnapshot, Controller, Observer, Robot, Screen, Viewer
from gridproof.games.robots.document.board import BoardState, place_robot, undo_carries
from gridproof.games.robots.document.tiles import (
    RULES,
    AbsoluteCoord,
    BoardResponse,
    BrokenRobotTile,
    ConveyorTile,
    Coord,
    Hint,
    HintTile,
    HomeTile,
    NormalTile,
    RelativeCoord,
    Rotation,
    Rule,
    RuleA,
    RuleB,
    Tile,
)
from gridproof.games.robots.hints import iterate_news
from gridproof.games.robots.race.knowledge import Strategy
from gridproof.games.robots.requests import Carried, Exchanged, Local, Rotate, Rotated, Walk, Walked
from gridproof.games.robots.rules import Position

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


class WalkPre(NamedTuple):
    """Outputs of `moveWalkPre`."""

    response: BoardResponse
    put_tile: Tile | None
    """Tile on which the robot would be put; None if it may not walk."""
    begin_tile: Tile
    auto_movement: bool


class Board(BoardState):
    """Board: it keeps the invariants and serves all requests."""

    # -- initialisation (R24) and reset (R26)

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
        if position.cells[number] == position.level.homes[number]:
            raise GridproofError(f"{robot} is home: there is no hint")
        (x, y), home = position.cell(robot.name), self._coord(position.level.homes[number])
        return self._rng.choice(hints.possible_hints(home.x - x, home.y - y, position.rotations[number]))

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
        if (local_coords is None) == (rotation is None):
            raise GridproofError("R12: a robot asks for exactly one of local coordinates and a rotation")
        if local_coords is not None:
            return self.move_walk(robot, local_coords)
        return self.move_rotate(robot, rotation if rotation is not None else 0)

    def move_rotate(self, robot: Robot, rotation: int) -> BoardResponse:
        """Turn a robot, when its rule has that rotation (R13); errors as of `move_request`."""
        return self._serve(Rotate(self._name(robot), rotation))

    def move_walk(self, robot: Robot, local_coords: Local) -> BoardResponse:
        """Let a robot walk, in the order of R18; errors as of `move_request`."""
        dx, dy = _local(local_coords)
        return self._serve(Walk(self._name(robot), dx, dy))

    def move_walk_pre(self, robot: Robot, local_coords: Local) -> WalkPre:
        """Return whether a robot may walk there, and its tile then (R14-R17); nothing changes."""
        walk = Walk(self._name(robot), *_local(local_coords))
        begin = self._tile(robot)
        response = self.position.respond(walk)
        path = self.position.path(walk)
        landing = None if path is None else self.position.find_landing(self._number(robot), path)
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
        position = self.position
        run = position.run_belts(position.layout, position.cells, position.rotations)
        self._apply(Outcome(run.position, events=run.events))
        return tuple(self._robots[event.robot] for event in run.events)

    def move_blocked_robot(self) -> Robot | None:
        """Carry the first blocked robot on that can be, tell it, and return it; None without one."""
        position = self.position
        run = position.run_belts(position.layout, position.cells, position.rotations)
        if not run.events:
            return None
        self._apply_event(run.events[0])
        return self._robots[run.events[0].robot]

    # -- exchanges of tiles (R21, R22)

    def request_tiles_exchange(self) -> BoardResponse:
        """Exchange two tiles by chance; FAILED if no two can be.

        Raises
        ------
        GridproofError
            When the game is over.
        """
        self._check_not_over()
        if not exchange.is_possible(self.position):
            return BoardResponse.FAILED
        self._apply(exchange.draw(self.position, self._rng))
        return BoardResponse.SUCCESS

    def get_valid_tiles(self) -> Pair | None:
        """Draw two tiles that can be exchanged (R21); None without any."""
        self._check_not_over()
        if not exchange.is_possible(self.position):
            return None
        first, second = sorted(_cells_of_exchange(exchange.draw(self.position, self._rng)))
        return self._tiles[AbsoluteCoord(*first)], self._tiles[AbsoluteCoord(*second)]

    def exchange_tiles(self, pair: Pair) -> Pair:
        """Exchange these two tiles; conveyors among them turn by chance; then follows R22.

        Raises
        ------
        GridproofError
            When they cannot be exchanged.
        """
        self._check_not_over()
        cells = {cell for cell, tile in self._tiles.items() if tile in pair}
        can = [item for item in exchange.outcomes(self.position) if cells == _cells_of_exchange(item)]
        if not can:
            raise GridproofError("R21: these two tiles cannot be exchanged")
        self._apply(self._rng.choice(can))
        return pair

    # -- implementation

    def _serve(self, request: requests.Request) -> BoardResponse:
        response = self.position.respond(request)
        if response is not BoardResponse.FAILED:
            self._apply(self.position.step(request, self._rng))
        return response

    def _apply(self, outcome: Outcome[Position]) -> None:
        """Apply an outcome of the rules event by event (R18, R20, R22), and end the game after a win."""
        for event in outcome.events:
            if isinstance(event, Exchanged):
                self._swap_tiles(event)
        self._set_position(undo_carries(outcome))
        for event in outcome.events:
            self._apply_event(event)
        if not any(isinstance(event, Rotated) for event in outcome.events):
            self._require_controller().notify_view()  # R20: once no more robots move; not after a rotation
        if self.position.won:
            self._require_controller().game_over()

    def _apply_event(self, event: object) -> None:
        if isinstance(event, Carried):
            self._set_position(place_robot(self.position, event.robot, event.to))
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

    def _check_not_over(self) -> None:
        if self.position.won:
            raise IllegalAction(requests.EXCHANGE, "the game is over")

    canReset = can_reset
    sendPossibleHint, getHint, hintMapping, rotate90Deg = (
        send_possible_hint,
        get_hint,
        hint_mapping,
        rotate90_deg,
    )
    moveRequest, moveRotate, moveWalk, moveWalkPre = move_request, move_rotate, move_walk, move_walk_pre
    rotatePath = rotate_path
    moveBlockedRobotsRecursive = move_blocked_robots_recursive
    moveBlockedRobot = move_blocked_robot
    requestTilesExchange = request_tiles_exchange
    getValidTiles, exchangeTiles = get_valid_tiles, exchange_tiles


def _local(coords: object) -> Local:
    match coords:
        case (int(dx), int(dy)):
            return dx, dy
    raise GridproofError(f"{coords!r} are no local coordinates: those are (x, y)")


def _cells_of_exchange(outcome: Outcome[Position]) -> set[Cell]:
    """Return the two cells of an exchange."""
    return {
        cell
        for event in outcome.events
        if isinstance(event, Exchanged)
        for cell in (event.first, event.second)
    }
