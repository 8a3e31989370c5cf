"""Kernel of Robots for engines: actions by number, exchanges, propositions, packing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.games.robots import board
from gridproof.games.robots.board import Layout
from gridproof.games.robots.kernel.exchanges import nature
from gridproof.games.robots.kernel.play import OBSERVED, observe, step
from gridproof.games.robots.kernel.steps import (
    CONVEYOR,
    HOME,
    HOMES,
    LINES,
    LOOPING,
    NORMAL,
    TILE_WORDS,
    WIDTH,
    allocate_work,
    home_of,
    is_valid,
    load_state,
    status_of,
    successors,
    write_mask,
)
from gridproof.games.robots.requests import Rule
from gridproof.games.robots.rules import Level, Position
from gridproof.kernels.compile import borrowing, kernel
from gridproof.kernels.game import EnvKernel, GameKernel, Packing

U = np.uint64
_WIDEST, _MOST_CELLS = 62, 1 << 12
_MOST_EXCHANGES = 1 << 16  # outcomes there is room for; levels with more are left to the rules


@kernel
def status(data: Any, state: Any) -> Any:
    """Return the status."""
    work = allocate_work(data)
    load_state(data, work, state)
    return status_of(data, work)


@kernel
def mask(data: Any, state: Any, mask: Any) -> None:
    """Mark the requests that are not answered FAILED."""
    work = allocate_work(data)
    load_state(data, work, state)
    write_mask(data, work, mask)


@borrowing
def robot_of(data: Any, state: Any, robot: Any) -> Any:
    """Return the cell and the rotation of a robot in one number."""
    return np.int64((state[data[TILE_WORDS] + robot // 4] >> U(robot % 4 * 16)) & U(0xFFFF))


@borrowing
def won(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `won(robot)`."""
    return np.int64(robot_of(data, state, arguments[0]) & 0x3FFF == home_of(data, arguments[0]))


@borrowing
def at(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `at(robot,x,y)`."""
    return np.int64(robot_of(data, state, arguments[0]) & 0x3FFF == arguments[2] * data[WIDTH] + arguments[1])


@borrowing
def rotation(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `rotation(robot)` in degrees."""
    return 90 * (robot_of(data, state, arguments[0]) >> 14)


@kernel
def valid(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `valid` (R8)."""
    work = allocate_work(data)
    load_state(data, work, state)
    return np.int64(is_valid(data, work))


def numbers(level: Level, name: str, arguments: tuple[int | str, ...]) -> tuple[int, ...] | None:
    """Return arguments as numbers, a robot by its place in the level; None if there is no such robot."""
    found = [level.numbers.get(value) if isinstance(value, str) else value for value in arguments]
    return None if None in found else tuple(number for number in found if number is not None)


def prepare(level: Level) -> Packing | None:
    """Return the packing of a board of up to 62 columns and 4,096 cells; None for larger ones."""
    width, height = level.grid.width, level.grid.height
    if width > _WIDEST or width * height > _MOST_CELLS:
        return None
    words = -(-width * height // 21)
    actions = level.all_actions()[:-1]  # without the exchange
    packer = _Packer(level, words)
    exchanges = _max_exchanges(level)
    return Packing(
        level,
        packer.size,
        13 * len(level.robots),
        _data(level, words, len(actions)),
        actions,
        packer.pack,
        packer.unpack,
        exchanges if exchanges <= _MOST_EXCHANGES else 0,
        memory=len(level.robots),
        observed=(OBSERVED,),
    )


def _max_exchanges(level: Level) -> int:
    """Return an upper bound of exchanges in a position: pairs of tiles, each with its ways to turn."""
    codes = [level.layout.codes[square] for square in level.grid.squares]
    belts = sum(board.CONVEYOR <= code < board.HOME for code in codes)
    others = sum(code != board.HINT and code < board.CONVEYOR for code in codes)
    return belts * (belts - 1) // 2 * 16 + belts * others * 4 + others * (others - 1) // 2


def _data(level: Level, words: int, actions: int) -> np.ndarray[Any, Any]:
    width, height = level.grid.width, level.grid.height
    head = [width, height, len(level.robots), words, actions, width * height]
    data = np.zeros(LINES + 8 * width * height, np.int64)
    data[: len(head)] = head
    for number, (robot, square) in enumerate(zip(level.robots, level.homes, strict=True)):
        x, y = level.grid.cell(square)
        data[HOMES + 2 * number : HOMES + 2 * number + 2] = y * width + x, robot.rule is Rule.B
    for cell in range(width * height):
        y, x = divmod(cell, width)
        around = [
            (y + dy) * width + x + dx if (x + dx, y + dy) in level.grid else -1
            for dx, dy in ((-1, 0), (0, 1), (1, 0), (0, -1))
        ]
        data[LINES + 8 * cell : LINES + 8 * cell + 7] = *around, x, y, 2 << x
    return np.concatenate((data, *_own_tiles(level, words)))


def _own_tiles(level: Level, words: int) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the level's own tiles for `load_state`: their words, open rows, and codes with loops marked."""
    layout, squares, width = level.layout, level.grid.squares, level.grid.width
    yield _tile_words(layout, words).view(np.int64)
    is_open = np.array([layout.codes[square] != board.BROKEN for square in squares], np.int64)
    yield is_open.reshape(-1, width) @ (2 << np.arange(width, dtype=np.int64))
    marks = [LOOPING - CONVEYOR if square in layout.loops else 0 for square in squares]
    yield np.array(marks, np.int64) + [_pack_code(layout.codes[square]) for square in squares]


def _tile_words(layout: Layout, words: int) -> np.ndarray[Any, Any]:
    """Return tiles as words, three bits each."""
    state = np.zeros(words, np.uint64)
    for cell, square in enumerate(layout.grid.squares):
        state[cell // 21] |= U(_pack_code(layout.codes[square]) << cell % 21 * 3)
    return state


class _Packer:
    """Converter of positions to words and back."""

    def __init__(self, level: Level, words: int) -> None:
        self.level, self.words = level, words
        self.size = words + -(-len(level.robots) // 4)
        self._homes = {square: board.HOME + number for number, square in enumerate(level.homes)}

    def pack(self, position: Position) -> np.ndarray[Any, Any]:
        grid = self.level.grid
        state = np.zeros(self.size, np.uint64)
        state[: self.words] = _tile_words(position.layout, self.words)
        for robot, (square, rotation) in enumerate(zip(position.cells, position.rotations, strict=True)):
            x, y = grid.cell(square)
            about = (y * grid.width + x) | rotation // 90 << 14
            state[self.words + robot // 4] |= U(about << robot % 4 * 16)
        return state

    def unpack(self, state: np.ndarray[Any, Any]) -> Position:
        grid = self.level.grid
        codes = [
            self._unpack_code(int(state[cell // 21]) >> cell % 21 * 3 & 7, square)
            for cell, square in enumerate(grid.squares)
        ]
        robots = [
            int(state[self.words + robot // 4]) >> robot % 4 * 16 & 0xFFFF
            for robot in range(len(self.level.robots))
        ]
        cells = tuple(grid.squares[robot & 0x3FFF] for robot in robots)
        rotations = tuple(90 * (robot >> 14) for robot in robots)
        return Position(self.level, Layout.from_codes(grid, codes), cells, rotations)

    def _unpack_code(self, code: int, square: int) -> int:
        return self._homes[square] if code == HOME else _CODES[code]


_CODES = (NORMAL, board.HINT, board.BROKEN, board.HOME, *range(board.CONVEYOR, board.CONVEYOR + 4))


def _pack_code(code: int) -> int:
    return HOME if code >= board.HOME else _CODES.index(code)


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("won", 1): won, ("at", 3): at, ("rotation", 1): rotation, ("valid", 0): valid},
    numbers=numbers,
    nature=nature,
    env=EnvKernel(observe=observe),
)
