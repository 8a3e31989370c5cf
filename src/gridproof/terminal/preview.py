"""A living picture of a level: its certificate played round and round, or the level as it begins."""

from __future__ import annotations

from typing import Any

from textual.timer import Timer

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level, Position
from gridproof.play.replay import Replay
from gridproof.play.terminal.board import BoardView

STEP = 0.35
REST = 4
"""Steps for which the end is shown."""


class Preview(BoardView, can_focus=False):
    """A board to be looked at."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._replay: Replay | None = None
        self._resting = 0
        self._clock: Timer | None = None

    def on_mount(self) -> None:
        """Let it live."""
        self._clock = self.set_interval(STEP, self.advance)

    def show_level(self, level: Level, seed: int = 0) -> None:
        """Show a level."""
        certificate = level.certificate
        self.show_position(certificate.start if certificate else level.start(seed))
        self._replay = Replay.of(certificate) if certificate else None
        self._resting = REST

    def show_position(self, position: Position[Any]) -> None:
        """Show a position, which stays as it is."""
        self._replay = None
        self.show(position.level.game.look.board(position))

    def advance(self) -> None:
        """The next step, or the start again."""
        if self._replay is None or not self.app.moves:  # type: ignore[attr-defined]
            return
        if self._resting:
            self._resting -= 1
            if self._resting or self._replay.at == 0:
                return
            self._replay.go(0)
            self._resting = REST
        else:
            self._step(self._replay)
        board = self._replay.position
        self.show(board.level.game.look.board(board))

    def _step(self, replay: Replay) -> None:
        try:
            ended = replay.forward() is None
        except GridproofError:
            self._replay, ended = None, True
        if ended:
            self._resting = REST
