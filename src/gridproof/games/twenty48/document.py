"""The source document's own interface: the model `BoardT`, and the library of functions `View` (T16).

Every routine has a Python name and, as an alias, the document's spelling.
"""

# ruff: noqa: N815  # the document names them so

from __future__ import annotations

import dataclasses
import secrets
import sys
from typing import cast

from gridproof.core.errors import IllegalAction, InvalidLevel, Problem
from gridproof.core.look import board_text
from gridproof.core.rng import derive
from gridproof.core.session import Session
from gridproof.games.twenty48.look import LOOK, grid
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.tiles import Cell


class BoardT:
    """A game of 2048; several can exist at once, sharing nothing but the high score (T14).

    Parameters
    ----------
    level : Level, optional
        Size, spawn rule and target; the document's by default (T1).
    seed : int, optional
        64 bits that determine all chance (T18); a random one by default.
    """

    def __init__(self, level: Level | None = None, *, seed: int | None = None) -> None:
        self._level = level or Level()
        self._session = Session(self._level, secrets.randbits(64) if seed is None else seed)

    def get_board(self) -> list[list[int]]:
        """Return a copy of the rows, each a list of tiles; 0 for an empty cell (T2)."""
        return [list(row) for row in self._position.rows]

    def get_score(self) -> int:
        """Return the sum of the tiles made by combinations since the last reset (T7)."""
        return self._session.score

    def get_high_score(self) -> int:
        """Return the best score of all boards of this size and spawn rule in this process (T4)."""
        return self._session.high_score

    def empty_cells(self) -> set[Cell]:
        """Return (row, column) of every empty cell (T2)."""
        return set(self._position.empty)

    def is_game_won(self) -> bool:
        """Return whether the target has been made since the last reset, or was set (T11, T12)."""
        return self._position.won

    def is_game_lost(self) -> bool:
        """Return whether no move is valid; true of some won games as well (T11)."""
        return self._position.lost

    def set_board(self, b: list[list[int]]) -> None:
        """Put a board in place of this one; scores stay, the rest is recomputed (T12).

        Raises
        ------
        InvalidLevel
            (A ValueError.) When it is no list of rows of the board's size, a cell is not 0 or
            2, 4, 8, ..., or fewer than two cells hold a tile; then nothing changes.
        """
        if not isinstance(b, list) or not all(isinstance(row, list) for row in b):
            raise InvalidLevel([Problem("T12-form", None, "a board is a list of lists of numbers")])
        level = dataclasses.replace(self._level, board=b)
        self._session = Session(level, self._session.seed, score=self.get_score())

    def reset_board(self) -> None:
        """Start a new game, with a seed derived from the one before (T13); the high score stays."""
        self._session = Session(self._level, derive(self._session.seed))

    def is_valid_move_right(self) -> bool:
        """Return whether a move to the right would change the board (T8)."""
        return self._position.can_move(Move.RIGHT)

    def is_valid_move_left(self) -> bool:
        """Return whether a move to the left would change the board (T8)."""
        return self._position.can_move(Move.LEFT)

    def is_valid_move_up(self) -> bool:
        """Return whether a move up would change the board (T8)."""
        return self._position.can_move(Move.UP)

    def is_valid_move_down(self) -> bool:
        """Return whether a move down would change the board (T8)."""
        return self._position.can_move(Move.DOWN)

    def move_right(self) -> bool:
        """Move to the right (T6); False without a change when that is invalid (T9)."""
        return self._move(Move.RIGHT)

    def move_left(self) -> bool:
        """Move to the left (T6); False without a change when that is invalid (T9)."""
        return self._move(Move.LEFT)

    def move_up(self) -> bool:
        """Move up (T6); False without a change when that is invalid (T9)."""
        return self._move(Move.UP)

    def move_down(self) -> bool:
        """Move down (T6); False without a change when that is invalid (T9)."""
        return self._move(Move.DOWN)

    getBoard, getScore, getHighScore = get_board, get_score, get_high_score
    emptyCells, isGameWon, isGameLost = empty_cells, is_game_won, is_game_lost
    setBoard, resetBoard = set_board, reset_board
    isValidMoveRight, isValidMoveLeft = is_valid_move_right, is_valid_move_left
    isValidMoveUp, isValidMoveDown = is_valid_move_up, is_valid_move_down
    moveRight, moveLeft, moveUp, moveDown = move_right, move_left, move_up, move_down

    @property
    def _position(self) -> Position:
        return cast("Position", self._session.position)

    def _move(self, move: Move) -> bool:
        try:
            self._session.act(move)
        except IllegalAction:
            return False
        return True


class View:
    """Functions that print; they keep nothing, and ask a board only through its routines (T15, T16)."""

    @staticmethod
    def print_welcome_message() -> None:
        """Print the welcome of the first start."""
        _print(LOOK.welcome)

    @staticmethod
    def print_board(b: BoardT) -> None:
        """Print one row a line; columns grow to the right, rows downwards."""
        _print(board_text(grid(b.get_board())).rstrip("\n"))

    @staticmethod
    def print_move_prompt() -> None:
        """Ask for a direction."""
        _print(f"Your move ({LOOK.prompt}):")

    @staticmethod
    def print_score(b: BoardT) -> None:
        """Print the score."""
        _print(f"Score: {b.get_score()}")

    @staticmethod
    def print_high_score(b: BoardT) -> None:
        """Print the high score."""
        _print(f"High score: {b.get_high_score()}")

    @staticmethod
    def print_losing_message() -> None:
        """Print that the game is lost, and the choices."""
        _print(f"{LOOK.lost}\nTry again or exit?")

    @staticmethod
    def print_winning_message() -> None:
        """Print that the game is won, and the choices."""
        _print(f"{LOOK.won}\nContinue, new game or exit?")

    @staticmethod
    def print_farewell_message() -> None:
        """Print the farewell, after the player decided to exit."""
        _print(LOOK.farewell)

    printWelcomeMessage, printBoard = print_welcome_message, print_board
    printMovePrompt, printScore, printHighScore = print_move_prompt, print_score, print_high_score
    printLosingMessage, printWinningMessage = print_losing_message, print_winning_message
    printFarewellMessage = print_farewell_message


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
