"""Games of the document's classes for the tests, and a log of what everybody is told."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tests.games.robots.boards import board as position_of

import gridproof as gp
from gridproof.games.robots import Position
from gridproof.games.robots.document import Board, Controller, Robot, Viewer


@functools.cache
def small() -> Position:
    return position_of("a=A0 b=B270", "a > > . A", ". # . ? .", "B . . . b")


@functools.cache
def queue() -> Position:
    return position_of("a=A90 b=B0 c=A0", "A . . B", "a> b . .", ". . . ?", ". c . C")


class Logging(Viewer):
    """Viewer that logs each event with the board."""

    def __init__(self, controller: Controller, log: list[Any]) -> None:
        self.log = log
        super().__init__(controller)

    def notify_state_change(self) -> None:
        super().notify_state_change()
        assert self.controller is not None
        assert self.controller.board is not None
        self.log.append(("view", self.controller.board.position.text().split("board:\n")[1]))

    def notify_game_over(self) -> None:
        super().notify_game_over()
        self.log.append("over")


def game(
    position: gp.Position[Any], seed: int = 0, **strategies: Any
) -> tuple[Board, Controller, dict[str, Robot]]:
    """Begin a game; return its board, controller and robots by name."""
    board, controller = Board(), Controller()
    board.initialize(position, controller, strategies, seed)
    return board, controller, {robot.name: robot for robot in board.robots or ()}


def log_events(board: Board, controller: Controller) -> list[Any]:
    """Return a log of all later notices to viewer and robots, in order."""
    log: list[Any] = []
    Logging(controller, log)
    for robot in board.robots or ():
        _log(robot, log)
    return log


def _log(robot: Robot, log: list[Any]) -> None:
    def make_spy(name: str, describe: Callable[..., str]) -> Callable[..., None]:
        method = getattr(robot, name)

        def call(*arguments: Any) -> None:
            log.append((robot.name, describe(*arguments)))
            method(*arguments)

        return call

    words: dict[str, Callable[..., str]]
    words = {"notify_auto_movement": str, "notify_hint": str, "terminate": lambda: "terminated"}
    for name, describe in words.items():
        setattr(robot, name, make_spy(name, describe))
