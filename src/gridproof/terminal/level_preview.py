"""Picture of a level or a position beside a list. It does not move: a solution that played by itself would be a spoiler."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridproof.core.look import Board, Mark, Numbers, check_piece
from gridproof.core.position import Position
from gridproof.terminal.board import BoardView


class Preview(BoardView, can_focus=False):
    """A board that takes no input."""

    def show(self, board: Board, handles: Iterable[Mark] = (), numbers: Numbers | None = None) -> None:
        """Show a board; clear the view and raise the error if it cannot be drawn."""
        try:
            for piece in (piece for row in board for cell in row for piece in cell):
                check_piece(piece)
        except Exception:
            board = ()
            raise
        finally:
            super().show(board, handles, numbers)

    def show_position(self, position: Position[Any]) -> None:
        """Show a position; errors as of `show`."""
        try:
            board = position.level.game.look.board(position)
        except Exception:
            super().show(())
            raise
        self.show(board)
