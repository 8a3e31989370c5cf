"""Observations of robots as arrays: their knowledge (R31), or the full board."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from gymnasium import spaces

from gridproof.core.errors import GridproofError
from gridproof.envs.game_batch import Games
from gridproof.envs.observation import KINDS, Observer, Positions
from gridproof.games.robots.board import OUTSIDE, Layout
from gridproof.games.robots.hints import Hint
from gridproof.games.robots.race.knowledge import Knowledge
from gridproof.games.robots.requests import Response, Rule
from gridproof.games.robots.rules import Level, Position

Array = np.ndarray[Any, Any]
REQUESTS = 7
"""Number of actions of each robot: the requests of its rule, walks first; rule A lists 4 of them, rule B 7."""
KNOWLEDGE_HIGH = np.array([2, *[1] * len(Hint), 7, len(Response), 255, 255], np.uint8)
"""Largest value of each number of `encode_knowledge`."""


def encode_knowledge(knowledge: Knowledge) -> Array:
    """Return a robot's knowledge, uint8 (13,), as the kernel's `observe` writes it."""
    last, requests = knowledge.last_request, knowledge.requests
    notices = [knowledge.news.count(answer) for answer in (Response.SUCCESS, Response.WIN)]
    answer = 0 if knowledge.answer is None else 1 + list(Response).index(knowledge.answer)
    return np.array(
        [
            1 + list(Rule).index(knowledge.rule),
            *(hint in knowledge.hints for hint in Hint),
            1 + requests.index(last) if last in requests else 0,
            answer,
            *(min(count, 255) for count in notices),
        ],
        np.uint8,
    )


def encode_board(position: Position, robot: int, shape: tuple[int, int]) -> Array:
    """Return the full board as a robot sees it, uint8 (height, width, 2), in a shape that may be larger.

    First the tile: 0 normal, 1 hint, 2 broken, 3 off the board, 4 to 7 conveyors of the rotations 0, 90, 180 and
    270, 8 its own home, 9 and more the homes of the others, counted on from it. Then its robot: 0 none, 1 to 4
    the robot itself by its rotation, 5 to 8 the next one, and so on.
    """
    grid, codes, robots = position.level.grid, position.layout.codes, len(position.cells)
    seen = np.zeros((*shape, 2), np.uint8)
    seen[:, :, 0] = OUTSIDE
    for square in grid.squares:
        x, y = grid.cell(square)
        code = codes[square]
        seen[y, x, 0] = 8 + (code - 8 - robot) % robots if code >= 8 else code
    for number, square in enumerate(position.cells):
        x, y = grid.cell(square)
        seen[y, x, 1] = 1 + 4 * ((number - robot) % robots) + position.rotations[number] // 90
    return seen


def decode_board(level: Level, board: Array, robot: int = 0) -> Position:
    """Return the position that a robot sees as a board: the inverse of `encode_board`.

    Raises
    ------
    GridproofError
        When no position of the level looks so.
    """
    wrong = GridproofError("no position of the level has this observation")
    grid, robots = level.grid, len(level.robots)
    shape = grid.height, grid.width
    fits = (
        board.ndim == 3 and board.shape[2] == 2 and board.shape[0] >= shape[0] and board.shape[1] >= shape[1]
    )
    if not fits or board.dtype.kind not in "iu":
        raise GridproofError(f"a board of the level has the shape {(*shape, 2)}, not {board.shape}")
    tiles, pieces = np.moveaxis(board[: shape[0], : shape[1]].astype(np.int64), 2, 0)
    codes = np.where(tiles >= 8, 8 + (tiles - 8 + robot) % robots, tiles).ravel().tolist()
    known: Any = level.start()
    if sorted(codes) != sorted(known.layout.codes[square] for square in grid.squares):
        raise wrong  # exchanges move tiles, and change none (R21)
    cells, rotations = list[int](), list[int]()
    for number in range(robots):
        first = 1 + 4 * ((number - robot) % robots)
        places = np.argwhere((pieces >= first) & (pieces < first + 4))
        if len(places) != 1:
            raise wrong
        y, x = places[0].tolist()
        cells.append(grid.square((x, y)))
        rotations.append(90 * int(pieces[y, x] - first))
    drawn = Position(level, Layout.from_codes(grid, codes), tuple(cells), tuple(rotations))
    try:
        position: Any = level.position(drawn.text())  # asks for all that the rules ask
    except GridproofError as error:
        raise wrong from error
    if (encode_board(position, robot, board.shape[:2]) != board).any():
        raise wrong
    return cast("Position", position)


def board_space(shape: tuple[int, int], robots: int) -> spaces.Box:
    """Return the space of `encode_board`."""
    high = np.broadcast_to(np.array([7 + robots, 4 * robots], np.uint8), (*shape, 2))
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)


def encode_planes(position: Position, robot: int) -> Array:
    """Return the full board as a robot sees it, uint8 (planes, height, width): a plane for each number of `encode_board`."""
    grid, robots = position.level.grid, len(position.cells)
    shape = grid.height, grid.width
    board, highest = encode_board(position, robot, shape), board_space(shape, robots).high[0, 0]
    planes = [board[:, :, part] == number for part in (0, 1) for number in range(highest[part] + 1)]
    return np.array(planes, np.uint8)


class RaceObserver(Observer):
    """Observer of one robot, which can also show the full board; boards of several levels are padded to one size."""

    kinds = (*KINDS, "board")

    def __init__(self, games: Games, robot: int, kind: str, with_mask: bool) -> None:
        levels: list[Any] = games.levels
        self._robot, self._robots = robot, max(len(level.robots) for level in levels)
        self._size = max(level.grid.height for level in levels), max(level.grid.width for level in levels)
        super().__init__(games, kind, with_mask)

    def _space(self, games: Games) -> spaces.Space[Any]:
        return board_space(self._size, self._robots) if self._kind == "board" else super()._space(games)

    def _see(self, symbols: Array, positions: Positions, out: Array | None) -> Any:
        if self._kind != "board":
            return super()._see(symbols, positions, out)
        seen = np.empty((len(symbols), *self._size, 2), np.uint8) if out is None else out
        for number, position in enumerate(positions()):
            seen[number] = encode_board(position, self._robot, self._size)  # type: ignore[arg-type]  # of Robots
        return seen
