"""Checks of looks: boards that every front end can draw, and keys of actions."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.look import Board, Look, Mark, Piece, PointedCell, check_piece
from gridproof.core.position import NATURE, Outcome, Position
from gridproof.testing.conformance.fault import NonConformance, place, require


def check_look(position: Position[Any], look: Look, done: list[Outcome[Any]]) -> None:
    """Check the look of a position after the outcomes `done`."""
    board = look.board(position)
    with place("board"):
        check_board(board)
    if look.numbers is not None:
        rows, columns = look.numbers(position)
        require(
            (len(rows), len(columns)) == (len(board), len(board[0])),
            f"it numbers {len(rows)} rows and {len(columns)} columns, and has {len(board)} and {len(board[0])}",
        )
    with place("counts"):
        for count in look.counts(position, look.tally.of(done)):
            sound = isinstance(count, tuple) and len(count) == 2 and all(isinstance(x, str) for x in count)
            require(sound, f"{count!r} is no pair of a word and a text")
    for action in position.all_actions():
        with place(f"action {action}"):
            words = look.describe(position.level, action)
            require(isinstance(words, str) and words, f"its words are {words!r}")
            _check_words_of_board(position, action, look)
            for mark in look.marks(position, action):
                _check_mark(mark, board)
    listed = {str(action) for action in position.level.all_actions()}
    if listed:
        _check_input(position, look, listed)


def _check_words_of_board(position: Position[Any], action: Any, look: Look) -> None:
    """Check an action in directions of the board, and as a request."""
    if look.seen is not None:
        way, words = look.seen(position, action)
        require(way in ("", "up", "down", "left", "right"), f"it is seen to lead {way!r}")
        require(isinstance(words, str) and words, f"its words on the board are {words!r}")
    if look.dialogue is not None:
        asked = look.dialogue(position, action, None)
        require(bool(asked.question and asked.own), "its request has no words")


def _check_input(position: Position[Any], look: Look, listed: Collection[str]) -> None:
    """Check that keys of an actor and clicks stand for actions of the level."""
    level = position.level
    actors = [name for name in level.game.actors(level) if name != NATURE]
    for key, action in (look.keys_on(level) if look.keys_on else {}).items():
        require(action in listed, f"the key {key!r} means {action!r}, which is no action")
    keys_of = look.keys_of
    for name, keys in ((name, keys_of(level, name)) for name in actors) if keys_of else ():
        for key, action in keys.items():
            require(action in listed, f"the key {key!r} of {name} means {action!r}, which is no action")
    for at in (
        PointedCell(0, 0),
        PointedCell(-1, 0),
        PointedCell(0, 0, to=(1, 0)),
        PointedCell(0, 0, actor=actors[0]),
    ):
        with place(f"{at}"):
            for action in look.pointed(position, at):
                require(action in listed, f"it means {action!r}, which is no action")


def check_keys(look: Look, texts: Collection[str]) -> None:
    """Check that each key stands for an action that was executable somewhere."""
    for key, action in look.keys.items():
        require(action in texts, f"the key {key!r} means {action!r}, which was never an executable action")


def check_board(board: Board) -> None:
    """Check that a board has rows of one length and drawable cells."""
    require(isinstance(board, tuple) and board and board[0], "it has no cells")
    widths = {len(row) for row in board}
    require(len(widths) == 1, f"it is not rectangular: its rows have {sorted(widths)} cells")
    for y, row in enumerate(board):
        with place(f"row {y}"):
            for cell in row:
                _check_cell(cell)


def _check_cell(cell: Iterable[Piece]) -> None:
    require(isinstance(cell, tuple), "the cell is no tuple")
    for piece in cell:
        require(isinstance(piece, Piece), f"a {type(piece).__name__} is no Piece")
        _check_piece(piece)


@functools.lru_cache(maxsize=4096)
def _check_piece(piece: Piece) -> None:
    require(piece.name, f"{piece!r} has no name")
    try:
        check_piece(piece)
    except GridproofError as error:
        raise NonConformance(str(error)) from None
    for text in (piece.glyph, piece.text):
        printable = isinstance(text, str) and text.isprintable()
        require(printable, f"the piece {piece.name!r} has {text!r} on it, which is no line of text")


def _check_mark(mark: Mark, board: Board) -> None:
    require(isinstance(mark, Mark), f"{mark!r} is no Mark")
    near = -1 <= mark.x <= len(board[0]) and -1 <= mark.y <= len(board)
    require(near, f"the mark at column {mark.x}, row {mark.y} is neither on the board nor beside it")
    _check_piece(mark.piece)
