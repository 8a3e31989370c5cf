"""Animated picture of a level: its certificate as a loop, or its start."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from textual.timer import Timer

from gridproof.core.errors import GridproofError
from gridproof.core.look import Board, Mark, Numbers, check_piece
from gridproof.core.position import Level, Position
from gridproof.table.replay import Replay
from gridproof.terminal.board import BoardView

STEP = 0.35
REST = 4
"""Steps for which the start and the end are shown."""


class Preview(BoardView, can_focus=False):
    """A board that takes no input."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._replay: Replay | None = None
        self._rest = 0
        self._clock: Timer | None = None

    def on_mount(self) -> None:
        """Start the animation."""
        self._clock = self.set_interval(STEP, self.advance)

    def show(self, board: Board, handles: Iterable[Mark] = (), numbers: Numbers | None = None) -> None:
        """Show a board; clear the view and raise the error if it cannot be drawn."""
        try:
            for piece in (piece for row in board for cell in row for piece in cell):
                check_piece(piece)
        except Exception:
            self._replay, board = None, ()
            raise
        finally:
            super().show(board, handles, numbers)

    def show_level(self, level: Level) -> None:
        """Show a level; clear the view and raise the error if it cannot be drawn."""
        certificate = level.certificate
        self.show_position(certificate.start if certificate else level.start())
        self._replay = Replay.of(certificate) if certificate else None
        self._rest = REST

    def show_position(self, position: Position[Any]) -> None:
        """Show a position without animation."""
        self._replay = None
        try:
            board = position.level.game.look.board(position)
        except Exception:
            super().show(())
            raise
        self.show(board)

    def advance(self) -> None:
        """Show the next step, or the start again."""
        if self._replay is None or not self.app.is_animated:  # type: ignore[attr-defined]  # BaseApp has it
            return
        if self._rest:
            self._rest -= 1
            if self._rest or self._replay.at == 0:
                return
            self._replay.go(0)
            self._rest = REST
        else:
            self._step(self._replay)
        board = self._replay.position
        with contextlib.suppress(Exception):  # nothing is shown then
            self.show(board.level.game.look.board(board))

    def _step(self, replay: Replay) -> None:
        try:
            ended = replay.forward() is None
        except GridproofError:
            self._replay, ended = None, True
        if ended:
            self._rest = REST
