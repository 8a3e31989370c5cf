"""The kernel of Robots, as engines take it: actions by number, exchanges, propositions, packing."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.board import BROKEN as BROKEN_CODE
from gridproof.games.robots.board import CONVEYOR as CONVEYOR_CODE
from gridproof.games.robots.board import HINT as HINT_CODE
from gridproof.games.robots.board import HOME as HOME_CODE
from gridproof.games.robots.board import Layout
from gridproof.games.robots.kernel import (
    ACTIONS,
    BROKEN,
    CONVEYOR,
    HEIGHT,
    HINT,
    HOME,
    HOMES,
    NORMAL,
    ROBOTS,
    TILE_WORDS,
    WIDTH,
    bit_of,
    carry_on,
    connected,
    executable,
    hints_at,
    is_won,
    load,
    put_robots,
    put_tile,
    row_of,
    successors,
    walk_to,
    walked,
)
from gridproof.games.robots.level import Level
from gridproof.games.robots.requests import Rule, Walk
from gridproof.games.robots.rules import Position
from gridproof.kernels.chance import below
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import LOST, PLAYING, WON, GameKernel, Packing

U = np.uint64
_WIDEST, _MOST_CELLS = 62, 1 << 12
_MOST_EXCHANGES = 1 << 16  # outcomes there is room for; beyond them, the rules do


@kernel
def status(data: Any, state: Any) -> Any:
    """As `Position.status`."""
    robots, height = data[ROBOTS], data[HEIGHT]
    codes, bots = np.empty(data[WIDTH] * height, np.int64), np.empty((2, robots), np.int64)
    sets = np.empty((2, height), np.uint64)
    load(data, state, codes, bots[0], bots[1], sets[0], sets[1])
    if is_won(data, bots[0]):
        return WON
    return PLAYING if executable(data, state, np.empty(data[ACTIONS], np.uint8)) else LOST


@kernel
def mask(data: Any, state: Any, mask: Any) -> None:
    """Which requests are not answered FAILED."""
    executable(data, state, mask)


@kernel
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One request that is not answered FAILED; a hint draws a number, though it is not in the state."""
    robots, height = data[ROBOTS], data[HEIGHT]
    codes, bots = np.empty(data[WIDTH] * height, np.int64), np.empty((3, robots), np.int64)
    sets = np.empty((4, height), np.uint64)
    cells, turns, open_, free, rows = bots[0], bots[1], sets[2], sets[3], sets[:2]
    load(data, state, codes, cells, turns, open_, free)
    robot = 0
    while number >= (7 if data[HOMES + 2 * robot + 1] else 4):
        number -= 7 if data[HOMES + 2 * robot + 1] else 4
        robot += 1
    if data[HOMES + 2 * robot + 1] and number >= 3:
        turns[robot] = (turns[robot] + number - 3) & 3
        for word in range(data[TILE_WORDS]):
            out[word] = state[word]
        put_robots(data, cells, turns, out)
        return 0
    target = walked(data, codes, cells, turns, open_, free, rows, robot, number)
    ways = hints_at(data, codes, robot, target)
    if ways > 1:
        below(random, ways)
    walk_to(data, codes, cells, turns, open_, rows, robot, target, bots[2], state, out)
    return 0


@kernel
def exchanged(data: Any, codes: Any, cells: Any, first: Any, second: Any, open_: Any, moved: Any, opened: Any) -> None:  # fmt: skip
    """Where the robots stand after two tiles have changed places, and what is open then (R21)."""
    for robot in range(cells.shape[0]):
        cell = cells[robot]
        moved[robot] = second if cell == first else first if cell == second else cell
    for y in range(data[HEIGHT]):
        opened[y] = open_[y]
    for cell, code in ((first, codes[second]), (second, codes[first])):
        if code == BROKEN:
            opened[row_of(data, cell)] &= ~bit_of(data, cell)
        else:
            opened[row_of(data, cell)] |= bit_of(data, cell)


@kernel
def nature(data: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """Every exchange (R21), then belts start again (R20, R22)."""
    robots, height, places = data[ROBOTS], data[HEIGHT], data[WIDTH] * data[HEIGHT]
    codes, laid = np.empty(places, np.int64), np.empty(places, np.int64)
    bots, sets = np.empty((5, robots), np.int64), np.empty((4, height), np.uint64)
    cells, turns, moved, turned, ends = bots[0], bots[1], bots[2], bots[3], bots[4]
    open_, opened, rows = sets[2], sets[3], sets[:2]
    load(data, state, codes, cells, turns, open_, opened)
    count = 0
    if is_won(data, cells):
        return count
    for first in range(places):
        for second in range(first + 1, places):
            one, other = codes[first], codes[second]
            if one in (HINT, HOME) or other in (HINT, HOME):
                continue
            exchanged(data, codes, cells, first, second, open_, moved, opened)
            if not connected(data, opened, moved, rows):
                continue
            ridden = False
            for robot in range(robots):
                ridden |= cells[robot] == first or cells[robot] == second
            for i in range(4 if one >= CONVEYOR else 1):
                for j in range(4 if other >= CONVEYOR else 1):
                    new_one = CONVEYOR + i if one >= CONVEYOR else one
                    new_other = CONVEYOR + j if other >= CONVEYOR else other
                    if not ridden and new_one == other and new_other == one:
                        continue  # the board would not differ
                    for robot in range(robots):
                        grown = 0
                        if cells[robot] == first:
                            grown = new_one - one
                        elif cells[robot] == second:
                            grown = new_other - other
                        turned[robot] = (turns[robot] - grown) & 3
                        ends[robot] = moved[robot]
                    for cell in range(places):
                        laid[cell] = codes[cell]
                    laid[first], laid[second] = new_other, new_one
                    carry_on(data, laid, ends, opened, rows)
                    for word in range(data[TILE_WORDS]):
                        out[count, word] = state[word]
                    put_tile(out[count], first, new_other)
                    put_tile(out[count], second, new_one)
                    put_robots(data, ends, turned, out[count])
                    reward[count] = 0
                    count += 1
    for i in range(count):
        chance[i] = 1.0 / count
    return count


@kernel
def robot_of(data: Any, state: Any, robot: Any) -> Any:
    """The cell and the rotation of a robot, in one number."""
    return np.int64((state[data[TILE_WORDS] + robot // 4] >> U(robot % 4 * 16)) & U(0xFFFF))


@kernel
def won(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `won(robot)`."""
    return np.int64(robot_of(data, state, arguments[0]) & 0x3FFF == data[HOMES + 2 * arguments[0]])


@kernel
def at(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `at(robot,x,y)`."""
    return np.int64(robot_of(data, state, arguments[0]) & 0x3FFF == arguments[2] * data[WIDTH] + arguments[1])


@kernel
def rotation(data: Any, state: Any, arguments: Any) -> Any:
    """The number `rotation(robot)`, in degrees."""
    return 90 * (robot_of(data, state, arguments[0]) >> 14)


def numbers(level: Level, name: str, arguments: tuple[int | str, ...]) -> tuple[int, ...] | None:
    """Arguments as numbers: a robot by its place in the level."""
    found = [level.numbers.get(value) if isinstance(value, str) else value for value in arguments]
    return None if None in found else tuple(number for number in found if number is not None)


def prepare(level: Level) -> Packing | None:
    """The packing of a board of up to 62 columns and 4,096 cells."""
    width, height = level.grid.width, level.grid.height
    if width > _WIDEST or width * height > _MOST_CELLS:
        return None
    words = -(-width * height // 21)
    actions = tuple(
        action
        for number, robot in enumerate(level.robots)
        for action in (*(Walk(robot.name, dx, dy) for dx, dy in robot.rule.moves), *level.rotates[number])
    )
    packer = _Packer(level, words)
    exchanges = _exchanges(level)
    return Packing(
        level,
        packer.size,
        13 * len(level.robots),
        _data(level, words, len(actions)),
        actions,
        packer.pack,
        packer.unpack,
        exchanges if exchanges <= _MOST_EXCHANGES else 0,
    )


def _exchanges(level: Level) -> int:
    """No position has more exchanges: pairs of tiles, each with its ways to turn."""
    codes = [level.layout.codes[square] for square in level.grid.squares]
    belts = sum(CONVEYOR_CODE <= code < HOME_CODE for code in codes)
    others = sum(code != HINT_CODE and code < CONVEYOR_CODE for code in codes)
    return belts * (belts - 1) // 2 * 16 + belts * others * 4 + others * (others - 1) // 2


def _data(level: Level, words: int, actions: int) -> np.ndarray[Any, Any]:
    width, height = level.grid.width, level.grid.height
    homes = []
    for robot, square in zip(level.robots, level.homes, strict=True):
        x, y = level.grid.cell(square)
        homes += [y * width + x, int(robot.rule is Rule.B)]
    neighbours = [
        (y + dy) * width + x + dx if 0 <= x + dx < width and 0 <= y + dy < height else -1
        for y in range(height)
        for x in range(width)
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))
    ]
    first = HOMES + len(homes)
    places = [(cell % width, cell // width) for cell in range(width * height)]
    columns = first + len(neighbours)
    head = [width, height, len(level.robots), words, first, actions, columns, columns + len(places)]
    lines = [*(x for x, _ in places), *(y for _, y in places)]
    return np.array([*head, *homes, *neighbours, *lines], np.int64)


class _Packer:
    """Positions to words and back."""

    def __init__(self, level: Level, words: int) -> None:
        self.level, self.words = level, words
        self.size = words + -(-len(level.robots) // 4)
        self._homes = {square: HOME_CODE + number for number, square in enumerate(level.homes)}

    def pack(self, position: Position) -> np.ndarray[Any, Any]:
        grid = self.level.grid
        state = np.zeros(self.size, np.uint64)
        for cell, square in enumerate(grid.squares):
            state[cell // 21] |= U(_small(position.layout.codes[square]) << cell % 21 * 3)
        for robot, (square, rotation) in enumerate(zip(position.cells, position.rotations, strict=True)):
            x, y = grid.cell(square)
            about = (y * grid.width + x) | rotation // 90 << 14
            state[self.words + robot // 4] |= U(about << robot % 4 * 16)
        return state

    def unpack(self, state: np.ndarray[Any, Any]) -> Position:
        grid = self.level.grid
        codes = [
            self._large(int(state[cell // 21]) >> cell % 21 * 3 & 7, square)
            for cell, square in enumerate(grid.squares)
        ]
        robots = [
            int(state[self.words + robot // 4]) >> robot % 4 * 16 & 0xFFFF
            for robot in range(len(self.level.robots))
        ]
        cells = tuple(grid.squares[robot & 0x3FFF] for robot in robots)
        rotations = tuple(90 * (robot >> 14) for robot in robots)
        return Position(self.level, Layout.of(grid, codes), cells, rotations)

    def _large(self, code: int, square: int) -> int:
        return self._homes[square] if code == HOME else _LARGE[code]


_LARGE = (NORMAL, HINT_CODE, BROKEN_CODE, HOME_CODE, *range(CONVEYOR_CODE, CONVEYOR_CODE + 4))


def _small(code: int) -> int:
    return HOME if code >= HOME_CODE else _LARGE.index(code)


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("won", 1): won, ("at", 3): at, ("rotation", 1): rotation},
    numbers=numbers,
    nature=nature,
)
