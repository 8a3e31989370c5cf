"""The document's classes by name: R18, R22, R24, R26-R29, and its table of operations."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.robots.boards import board as position_of
from tests.games.robots.document.documents import game, small
from tests.packs import pack

import gridproof as gp
from gridproof.games.robots import requests
from gridproof.games.robots.document import (
    AbsoluteCoord,
    Board,
    BoardResponse,
    BoardSnapshot,
    BrokenRobotTile,
    Controller,
    ConveyorTile,
    Hint,
    HintTile,
    HomeTile,
    NormalTile,
    RelativeCoord,
    Robot,
    Rotation,
    RuleA,
    RuleB,
    Tile,
    Viewer,
)
from gridproof.games.robots.race.strategies import Planner

SUCCESS, FAILED, WIN = BoardResponse.SUCCESS, BoardResponse.FAILED, BoardResponse.WIN
OPERATIONS: dict[type, str] = {
    Board: "Init initialize internalInit canReset reset requestSnapShot sendPossibleHint getHint hintMapping "
    "rotate90Deg moveBlockedRobotsRecursive moveBlockedRobot requestTilesExchange getValidTiles exchangeTiles "
    "moveRequest moveRotate moveWalk moveWalkPre rotatePath tiles robots occupied adjacent conveyorUnitDest "
    "conveyorDest",
    Tile: "occupier isSnapshotTile Init clear put rotate",
    HomeTile: "target",
    ConveyorTile: "rotation rotate",
    Controller: "addViewer removeViewer moveRequest notifyAutoMovement notifyHint notifyView preInitialize "
    "postInitialize requestBoardStatus",
    Robot: "initialize notifyAutoMovement notifyHint play terminate hints",
    Viewer: "notifyGameOver notifyStateChange updateView boardChanged currentSnapshot",
    BoardSnapshot: "tiles",
}


def test_document_has_every_operation_of_the_table() -> None:
    missing = {
        f"{kind.__name__}.{name}"
        for kind, names in OPERATIONS.items()
        for name in names.split()
        if not hasattr(kind, name)
    }
    assert not missing
    board, controller, robots = game(small())
    assert board.controller is controller
    assert (controller.board, controller.viewer) == (board, None)
    assert list(controller.robots) == list(robots.values())
    assert (robots["a"].rules, robots["b"].rules) == (RuleA, RuleB)
    assert robots["a"].controller is controller


# -- coordinates and rules


@pytest.mark.clause("R3", "R10", "R11")
def test_rules_as_the_document_has_them() -> None:
    assert Rotation == {0, 90, 180, 270}
    assert RuleA.possibleMoves == {
        (1, 0): ((1, 0),),
        (0, 1): ((0, 1),),
        (-1, 0): ((-1, 0),),
        (0, -1): ((0, -1),),
    }
    assert RuleA.possibleRotations == frozenset()
    assert RuleB.possibleMoves[RelativeCoord(3, 0)] == ((1, 0), (2, 0), (3, 0))
    assert RuleB.possibleRotations == Rotation
    assert all(path[-1] == end for rule in (RuleA, RuleB) for end, path in rule.possible_moves.items())
    assert [repr(rule) for rule in (RuleA, RuleB)] == ["RuleA", "RuleB"]


@pytest.mark.clause("R3", "R14")
def test_paths_turn_clockwise() -> None:
    assert Board.rotatePath([(1, 0), (2, 0)]) == ((0, 1), (0, 2))


@pytest.mark.clause("R19")
def test_hints_by_name() -> None:
    assert Board.hintMapping(1, -1) == {Hint.NORTH_EAST, Hint.NORTH, Hint.EAST}
    assert Board.rotate90Deg(Hint.NORTH) is Hint.WEST
    with pytest.raises(gp.GridproofError, match="not both 0"):
        Board.hintMapping(0, 0)


# -- tiles


@pytest.mark.clause("R2")
def test_loose_tiles() -> None:
    robot, tile = Robot("a"), NormalTile()
    tile.put(robot)
    assert tile.occupier is robot
    assert repr(tile) == "<NormalTile a>"
    tile.clear()
    tile.rotate()
    assert tile.occupier is None
    tile.put(robot)
    tile.Init()
    assert (tile.occupier, tile.isSnapshotTile) == (None, False)
    assert HomeTile(robot).target is robot
    with pytest.raises(gp.GridproofError, match="R2"):
        BrokenRobotTile().put(robot)


@pytest.mark.clause("R3")
def test_loose_conveyor_rotates_at_random() -> None:
    belt, rng, seen = ConveyorTile(90), gp.Rng(1), set()
    assert belt.rotation == 90
    for _ in range(40):
        belt.rotate(rng)
        seen.add(belt.rotation)
    assert seen == Rotation
    with pytest.raises(gp.GridproofError, match="the rotation 45"):
        ConveyorTile(45)


@pytest.mark.clause("R1", "R2", "R8")
def test_board_tiles_have_their_kinds() -> None:
    board, _, robots = game(small())
    tiles = board.tiles
    assert tiles is not None
    assert set(tiles) == {(x, y) for x in range(5) for y in range(3)}
    kinds = {
        (0, 0): NormalTile,
        (1, 0): ConveyorTile,
        (4, 0): HomeTile,
        (1, 1): BrokenRobotTile,
        (3, 1): HintTile,
    }
    for (x, y), kind in kinds.items():
        assert type(tiles[AbsoluteCoord(x, y)]) is kind
    assert tiles[AbsoluteCoord(0, 0)].occupier is robots["a"]
    for change in ("clear", "rotate", "Init"):
        with pytest.raises(gp.GridproofError, match="part of a board"):
            getattr(tiles[AbsoluteCoord(1, 0)], change)()
    with pytest.raises(gp.GridproofError, match="part of a board"):
        tiles[AbsoluteCoord(2, 1)].put(robots["a"])


# -- state


@pytest.mark.clause("R4", "R5", "R6", "R7")
def test_board_shows_occupied_and_adjacent_cells_and_destinations() -> None:
    board, _, _ = game(small())
    assert board.occupied == {(0, 0), (1, 1), (4, 2)}
    free = {(x, y) for x in range(5) for y in range(3)} - {(0, 0), (1, 1), (4, 2)}
    cells = [(x, y) for x in range(5) for y in range(3)]
    assert board.adjacent == {(c, d) for c in cells for d in free if abs(c[0] - d[0]) + abs(c[1] - d[1]) == 1}
    assert board.conveyorUnitDest == {(1, 0): (2, 0), (2, 0): (3, 0)}
    assert board.conveyorDest == {c: c for c in cells} | {(1, 0): (3, 0), (2, 0): (3, 0)}
    assert board.conveyor_dest == board.conveyorDest


@pytest.mark.clause("R7")
def test_loops_have_no_destination() -> None:
    board, _, _ = game(position_of("a=A0 b=B0", "a > < A", ". . . .", "b . . B"))
    assert not {(1, 0), (2, 0)} & set(board.conveyorDest)
    assert board.conveyorUnitDest == {(1, 0): (2, 0), (2, 0): (1, 0)}


# -- initialisation and reset


@pytest.mark.clause("R24")
def test_initialize_calls_operations_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []

    def spy(kind: type, name: str) -> None:
        method = getattr(kind, name)

        def record_call(self: Any, *arguments: Any) -> Any:
            log.append(f"{name} {getattr(self, 'name', '')}".rstrip())
            if name == "initialize":
                assert arguments[0].board is None
            if name == "play":
                assert [robot.rules for robot in self.controller.robots] == [RuleA, RuleB]
            return method(self, *arguments)

        monkeypatch.setattr(kind, name, record_call)

    spy(Board, "internal_init")
    spy(Controller, "pre_initialize")
    spy(Controller, "post_initialize")
    for name in ("initialize", "play"):
        spy(Robot, name)
    _, _, robots = game(small())
    assert log == [
        "internal_init", "pre_initialize", "initialize a", "initialize b", "post_initialize", "play a", "play b",
    ]  # fmt: skip
    assert all(robot.playing and robot.hints == frozenset() for robot in robots.values())


@pytest.mark.clause("R24", "R26")
def test_board_is_null_before_initialization() -> None:
    board = Board()
    assert (board.tiles, board.robots, board.controller) == (None, None, None)
    assert board.canReset() is False
    for act in (
        board.requestTilesExchange,
        board.requestSnapShot,
        board.moveBlockedRobot,
        lambda: board.moveRequest(Robot("a"), (1, 0)),
        lambda: board.occupied,
        Controller().requestBoardStatus,
        lambda: Robot("a").request(requests.Walk("a", 1, 0)),
        lambda: Robot("a").knowledge,
    ):
        with pytest.raises(gp.GridproofError, match="initialized"):
            act()
    assert Robot("a").hints == frozenset()


@pytest.mark.clause("R26")
def test_reset_after_a_win_and_not_before() -> None:
    board, controller, robots = game(position_of("a=A0 b=B0", "a A .", ". . .", "b . B"))
    assert board.canReset() is False
    assert board.tiles is not None
    assert controller.moveRequest(robots["a"], (1, 0)) is WIN
    assert board.tiles is not None  # not by itself
    assert board.canReset() is True
    assert [board.tiles, board.robots, board.controller, controller.board] == [None] * 4
    assert list(robots["b"].turns) == []
    board.initialize(pack("robots/races")[0], controller)
    assert controller.ended is False
    assert board.tiles is not None


def test_board_and_controller_refuse_second_game() -> None:
    board, controller, _ = game(small())
    with pytest.raises(gp.GridproofError, match="must be reset first"):
        board.initialize(small(), Controller())
    with pytest.raises(gp.GridproofError, match="another board"):
        Board().initialize(small(), controller)
    with pytest.raises(gp.GridproofError, match="needs a level or a position of robots"):
        Board().initialize(pack("null/first")[0], Controller())
    with pytest.raises(gp.GridproofError, match="no robot 'z'"):
        game(small(), z=Planner())


# -- requests


@pytest.mark.clause("R12")
def test_exactly_one_of_walk_and_rotation() -> None:
    board, controller, robots = game(small())
    for both in (((1, 0), 90), (None, None), ((1, 0), 0)):
        with pytest.raises(gp.GridproofError, match="exactly one"):
            controller.moveRequest(robots["b"], *both)
    with pytest.raises(gp.GridproofError, match="no local coordinates"):
        board.moveWalk(robots["a"], "ahead")  # type: ignore[arg-type]  # what is tried
    with pytest.raises(gp.GridproofError, match="no robot of the board"):
        board.moveRotate(Robot("a"), 90)
    assert board.position == small()


@pytest.mark.clause("R12", "R13")
def test_answers_and_rotations() -> None:
    board, _, robots = game(small())
    a, b = robots.values()
    assert board.moveRequest(a, rotation=90) is FAILED
    assert board.moveRequest(b, rotation=45) is FAILED
    assert board.moveRequest(a, (0, 0)) is FAILED
    assert board.position == small()
    assert board.moveRequest(b, rotation=180) is SUCCESS
    assert dict(board.robots or {}) == {a: 0, b: 90}


@pytest.mark.clause("R14", "R15", "R17")
def test_looking_before_a_walk() -> None:
    board, _, robots = game(small())
    tiles = board.tiles or {}
    found = board.moveWalkPre(robots["a"], (1, 0))
    assert found == (SUCCESS, tiles[AbsoluteCoord(3, 0)], tiles[AbsoluteCoord(0, 0)], True)
    assert board.moveWalkPre(robots["a"], (-1, 0)) == (FAILED, None, tiles[AbsoluteCoord(0, 0)], False)
    assert board.moveWalkPre(robots["a"], (2, 0)).response is FAILED
    assert board.position == small()
