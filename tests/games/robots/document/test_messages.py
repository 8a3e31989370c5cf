"""Notices between the document's classes: R18, R20, R22, R26-R29."""

from __future__ import annotations

import pytest
from tests.games.robots.boards import board as position_of
from tests.games.robots.document.documents import game, log_events, queue, small
from tests.packs import pack

import gridproof as gp
from gridproof.games.robots import document, requests
from gridproof.games.robots.document import (
    AbsoluteCoord,
    BoardResponse,
    BoardSnapshot,
    Controller,
    Hint,
    HintTile,
    HomeTile,
    NormalTile,
    RuleA,
    RuleB,
    Viewer,
)
from gridproof.games.robots.race.knowledge import Knowledge
from gridproof.games.robots.race.strategies import Planner

SUCCESS, FAILED, WIN = BoardResponse.SUCCESS, BoardResponse.FAILED, BoardResponse.WIN
# -- what is told, and when


@pytest.mark.clause("R18")
def test_walk_notifies_in_order() -> None:
    """Put down, the viewer, auto movement, the hint, those carried on, the viewer again."""
    start = position_of("a=A0 b=B0 c=A90", ". c> b > ? . B", "A . . . . . C", "a . . . . . .")
    board, controller, robots = game(start)
    robots["b"].notify_hint(Hint.WEST)
    log = log_events(board, controller)
    assert controller.moveRequest(robots["b"], (1, 0)) is SUCCESS
    assert [item if item[0] != "view" else "view" for item in log] == [
        "view", ("b", "SUCCESS"), ("b", "EAST"), ("c", "SUCCESS"), "view",
    ]  # fmt: skip
    assert robots["b"].hints == {Hint.EAST}  # the hint before the auto movement is forgotten


@pytest.mark.clause("R18", "R20")
def test_viewer_sees_walk_before_others_are_carried() -> None:
    board, controller, robots = game(queue())
    log = log_events(board, controller)
    assert controller.moveRequest(robots["b"], (1, 0)) is SUCCESS
    assert log == [
        ("view", "A . . B\na> . b .\n. . . ?\n. c . C\n"),
        ("a", "SUCCESS"),
        ("view", "A . . B\n> a b .\n. . . ?\n. c . C\n"),
    ]
    assert (board.tiles or {})[AbsoluteCoord(1, 1)].occupier is robots["a"]


@pytest.mark.clause("R13", "R18")
def test_rotation_notifies_only_the_viewer() -> None:
    board, controller, robots = game(small())
    robots["b"].notify_hint(Hint.EAST)
    log = log_events(board, controller)
    assert controller.moveRequest(robots["b"], rotation=90) is SUCCESS
    assert [item[0] for item in log] == ["view"]
    assert robots["b"].hints == {Hint.EAST}
    assert controller.moveRequest(robots["b"], rotation=45) is FAILED
    assert len(log) == 1


@pytest.mark.clause("R22")
def test_riders_are_told_before_the_viewer() -> None:
    seen = set()
    for seed in range(30):
        board, controller, robots = game(small(), seed)
        for robot in robots.values():
            robot.notify_hint(Hint.WEST)
        before = dict(board.tiles or {})
        log = log_events(board, controller)
        assert board.requestTilesExchange() is SUCCESS
        told = [item[0] for item in log]
        assert told[-1] == "view"
        assert told.count("view") == 1
        moved = {cell for cell, tile in (board.tiles or {}).items() if before[cell] is not tile}
        assert len(moved) == 2
        riders = {name for name in robots if small().cell(name) in moved}
        assert riders <= set(told[:-1])
        assert all(not robots[name].hints for name in told[:-1])
        assert all(robots[name].hints for name in robots if name not in told)
        seen.add(frozenset(riders))
    assert len(seen) > 1


@pytest.mark.clause("R21")
def test_tiles_to_exchange_and_their_exchange() -> None:
    board, controller, _ = game(small(), 3)
    log = log_events(board, controller)
    pair = board.getValidTiles()
    assert pair is not None
    assert not log
    assert not {type(tile) for tile in pair} & {HomeTile, HintTile}
    cells = {tile: cell for cell, tile in (board.tiles or {}).items()}
    assert board.exchangeTiles(pair) == pair
    after = board.tiles or {}
    assert (after[cells[pair[0]]], after[cells[pair[1]]]) == (pair[1], pair[0])
    assert log[-1][0] == "view"
    home = next(tile for tile in after.values() if isinstance(tile, HomeTile))
    with pytest.raises(gp.GridproofError, match="R21"):
        board.exchangeTiles((pair[0], home))


@pytest.mark.clause("R21", "R23")
def test_exchange_request_fails_when_nothing_can_be_exchanged() -> None:
    board, _, _ = game(position_of("a=A0 b=B0", "a? A", "b? B"))
    assert board.requestTilesExchange() is FAILED
    assert board.getValidTiles() is None


@pytest.mark.clause("R20")
def test_blocked_robots_one_by_one_and_all() -> None:
    start = position_of("a=A0 b=B0 c=A0", "a> . . A", "b> . . B", ". . c C")
    board, controller, robots = game(start)
    log = log_events(board, controller)
    assert board.moveBlockedRobot() is robots["a"]
    assert log == [("a", "SUCCESS")]
    assert board.moveBlockedRobotsRecursive() == (robots["b"],)
    assert [item[0] for item in log] == ["a", "b", "view"]
    assert board.moveBlockedRobot() is None


@pytest.mark.clause("R19")
def test_possible_hints() -> None:
    board, _, robots = game(position_of("a=A90 b=B0", "a? . A", "b . B"))
    assert board.getHint(robots["a"]) is Hint.NORTH
    assert robots["a"].hints == frozenset()
    assert board.sendPossibleHint(robots["a"]) is Hint.NORTH
    assert robots["a"].hints == {Hint.NORTH}
    assert board.sendPossibleHint(robots["b"]) is None
    home, _, there = game(position_of("a=A0 b=B0", "aA . .", "b . B"))
    with pytest.raises(gp.GridproofError, match="a is home"):
        home.getHint(there["a"])


# -- viewers


@pytest.mark.clause("R27")
def test_controller_has_one_viewer_and_any_number_of_observers() -> None:
    _, controller, robots = game(small())
    first, second = Viewer(controller), Viewer(controller)
    assert first.controller is controller
    assert second.controller is None
    assert controller.viewer is first
    assert controller.addViewer(second) is None
    shown: list[BoardSnapshot] = []
    for _ in range(2):
        controller.add_observer(shown.append)
    controller.moveRequest(robots["b"], rotation=90)
    assert len(shown) == 2
    assert (first.boardChanged, second.boardChanged) == (True, False)
    controller.removeViewer()
    assert first.controller is None
    assert controller.addViewer(second) is controller
    controller.remove_observer(shown.append)
    controller.remove_observer(shown.append)
    controller.moveRequest(robots["b"], rotation=90)
    assert len(shown) == 2
    with pytest.raises(gp.GridproofError, match="no such observer"):
        controller.remove_observer(shown.append)


@pytest.mark.clause("R28")
def test_snapshot_never_changes() -> None:
    board, controller, robots = game(small())
    snapshot = controller.requestBoardStatus()
    a = robots["a"]
    tile, live = (tiles[AbsoluteCoord(0, 0)] for tiles in (snapshot.tiles, board.tiles or {}))
    assert (tile.occupier, live.occupier) == (a, a)
    assert (tile.isSnapshotTile, live.isSnapshotTile) == (True, False)
    assert all(item.isSnapshotTile for item in snapshot.tiles.values())
    assert [type(item) for item in snapshot.tiles.values()] == [
        type(item) for item in (board.tiles or {}).values()
    ]
    controller.moveRequest(robots["b"], rotation=90)
    controller.moveRequest(a, (1, 0))
    board.requestTilesExchange()
    assert tile.occupier is a
    assert dict(snapshot.robots) == {a: 0, robots["b"]: 270}
    assert dict(snapshot.rules) == {a: RuleA, robots["b"]: RuleB}
    with pytest.raises(gp.GridproofError, match="part of a snapshot"):
        tile.clear()
    with pytest.raises(TypeError):
        snapshot.tiles[AbsoluteCoord(0, 0)] = NormalTile()  # type: ignore[index]  # what is tried
    with pytest.raises(AttributeError):
        tile.occupier = None  # type: ignore[misc]  # what is tried


@pytest.mark.clause("R29")
def test_viewer_requests_snapshot_when_board_has_changed() -> None:
    _, controller, robots = game(small())
    viewer = Viewer(controller)
    assert (viewer.boardChanged, viewer.currentSnapshot) == (False, None)
    first = viewer.updateView().snapshot
    assert viewer.updateView().snapshot is first
    controller.moveRequest(robots["b"], (0, 0))
    assert viewer.boardChanged is False
    controller.moveRequest(robots["b"], rotation=90)
    assert viewer.boardChanged is True
    assert viewer.currentSnapshot is first
    second = viewer.updateView().snapshot
    assert second is not first
    assert viewer.boardChanged is False
    assert viewer.updateView() == (second, (), ())
    controller.removeViewer()
    assert viewer.updateView().snapshot is second
    viewer.notifyStateChange()
    with pytest.raises(gp.GridproofError, match="attached to no controller"):
        viewer.updateView()


@pytest.mark.clause("R26", "R29")
def test_win_terminates_all_robots_and_shows_fireworks() -> None:
    board, controller, robots = game(position_of("a=A0 b=B0 c=A0", "a A .", ". . C", "b . c", ". . B"))
    log = log_events(board, controller)
    viewer = controller.viewer
    assert viewer is not None
    assert controller.moveRequest(robots["a"], (1, 0)) is WIN
    assert controller.ended
    assert [item[1] if item[0] != "view" else "view" for item in log if item != "over"][-4:] == [
        "view", "terminated", "terminated", "terminated",
    ]  # fmt: skip
    assert log[-1] == "over"
    screen = viewer.updateView()
    assert screen.fireworks == (robots["a"],)
    assert screen.exploding == (robots["b"], robots["c"])
    controller.game_over()
    assert log.count("over") == 1


@pytest.mark.clause("R12", "R26")
def test_requests_are_errors_after_the_end() -> None:
    board, controller, robots = game(position_of("a=A0 b=B0", "a A .", ". . .", "b . B"))
    controller.moveRequest(robots["a"], (1, 0))
    before = robots["b"].knowledge
    for act in (
        lambda: controller.moveRequest(robots["b"], (1, 0)),
        lambda: robots["b"].request(requests.Rotate("b", 90)),
        board.requestTilesExchange,
        board.getValidTiles,
    ):
        with pytest.raises(gp.IllegalAction, match="the game is over"):
            act()
    assert robots["b"].knowledge == before


@pytest.mark.clause("R20", "R26")
def test_robot_carried_home_by_another_walk_ends_the_game() -> None:
    board, controller, robots = game(position_of("a=A0 b=B90", "a> b> A", ". . .", "B . ."))
    log = log_events(board, controller)
    assert controller.moveRequest(robots["b"], (1, 0)) is SUCCESS
    assert ("a", "WIN") in log
    assert log[-3:] == [("a", "terminated"), ("b", "terminated"), "over"]
    assert controller.ended


def test_game_is_over_when_it_starts_won() -> None:
    _, controller, robots = game(position_of("a=A0 b=B0", "aA . .", "b . B"))
    assert controller.ended
    assert list(robots["b"].turns) == []


# -- robots


@pytest.mark.clause("R24", "R25", "R30")
def test_robots_play_until_one_has_won() -> None:
    _, controller, robots = game(pack("robots/races")[0].start(), 5)
    answers = []
    while not controller.ended:
        for robot in robots.values():
            answers += [next(robot.turns, None)]
    assert WIN in answers
    assert not any(robot.playing for robot in robots.values())


@pytest.mark.clause("R30")
def test_robots_play_by_strategies_of_ones_own() -> None:
    class Ahead:
        def ask(self, knowledge: Knowledge) -> requests.Walk:
            return requests.Walk(knowledge.robot, 1, 0)

    start = position_of("a=A0 b=B0", "a . . A", ". . . .", "b . . B")
    _, _, robots = game(start, a=Ahead(), b=Planner())
    assert list(robots["a"].turns) == [SUCCESS, SUCCESS, WIN]
    _, _, robots = game(start, a=Ahead(), b=Planner())
    assert list(robots["b"].turns) == [WIN]
    assert robots["b"].knowledge.answer is WIN


def test_notify_auto_movement_does_nothing_without_robot() -> None:
    Controller().notifyAutoMovement(None, SUCCESS)


def test_exported_names_exist() -> None:
    assert all(hasattr(document, name) for name in document.__all__)
