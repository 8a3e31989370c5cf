"""Sokoban on packed words. The same rules as `rules.py`, held to it by tests.

Squares are the cells that are no walls, in reading order; where there are bombs, all cells. A state is
a bit a square for the boxes, then a word with the player's square (20 bits) and the bombs left, then,
where there are bombs, a word for the rows and one for the columns whose walls are gone: of those that
had any, all in which none is left, so that equal positions have equal words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridproof.games.sokoban.rules import STEPS, Action, Level, Position
from gridproof.games.sokoban.validity import Cell
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import LOST, PLAYING, WON, GameKernel, Packing

U = np.uint64
_ZERO, _ONE, _SIX, _LOW = U(0), U(1), U(6), U(63)
_PLAYER_BITS = U(20)
_PLAYER = U((1 << 20) - 1)
_MOST_LINES = 64
_MOST_BOMBS = 1 << 40

# Columns of the table of squares; 0 to 3 are the neighbours up, down, left, right, or -1
WALL, ROW, COLUMN, DEPOT = 4, 5, 6, 7
# The other table: how many squares, how many words for the boxes, and in so many words the depots
SQUARES, WORDS, DEPOTS = range(3)
BOMB = 4  # the number of the action


@kernel
def bit(state: Any, square: Any) -> Any:
    """Whether a box stands on a square."""
    return (state[square >> 6] >> U(square & 63)) & _ONE


@kernel
def player_of(state: Any, shape: Any) -> Any:
    """The player's square."""
    return np.int64(state[shape[WORDS]] & _PLAYER)


@kernel
def is_wall(squares: Any, shape: Any, state: Any, square: Any) -> Any:
    """Whether a square is a wall that is left (K8)."""
    if not squares[square, WALL]:
        return False
    rows, columns = state[shape[WORDS] + 1], state[shape[WORDS] + 2]
    gone = (rows >> U(squares[square, ROW])) | (columns >> U(squares[square, COLUMN]))
    return gone & _ONE == _ZERO


@kernel
def won(shape: Any, state: Any) -> Any:
    """Whether each box stands on a depot: there are as many (K3, K9)."""
    for word in range(shape[WORDS]):  # noqa: SIM110  # numba compiles no generators
        if state[word] & ~U(shape[DEPOTS + word]) != _ZERO:
            return False
    return True


@kernel
def can(squares: Any, shape: Any, state: Any, number: Any) -> Any:
    """Whether an action is executable in a position that is not won (K5, K6, K7): 2 for a push."""
    if number == BOMB:
        return np.int64(state[shape[WORDS]] >> _PLAYER_BITS != _ZERO)
    ahead = squares[player_of(state, shape), number]
    if ahead < 0 or is_wall(squares, shape, state, ahead):
        return 0
    if not bit(state, ahead):
        return 1
    behind = squares[ahead, number]
    if behind < 0 or is_wall(squares, shape, state, behind) or bit(state, behind):
        return 0
    return 2


@kernel
def bombed(squares: Any, shape: Any, state: Any, out: Any) -> None:
    """The state after a bomb (K8); its lines stand as wide as can be said."""
    place = shape[WORDS]
    player = player_of(state, shape)
    out[place] -= _ONE << _PLAYER_BITS
    out[place + 1] |= _ONE << U(squares[player, ROW])
    out[place + 2] |= _ONE << U(squares[player, COLUMN])
    had_rows, had_columns, rows, columns = _ZERO, _ZERO, _ZERO, _ZERO
    for square in range(shape[SQUARES]):
        if squares[square, WALL]:
            row, column = _ONE << U(squares[square, ROW]), _ONE << U(squares[square, COLUMN])
            had_rows |= row
            had_columns |= column
            if is_wall(squares, shape, out, square):
                rows |= row
                columns |= column
    out[place + 1], out[place + 2] = had_rows & ~rows, had_columns & ~columns


@kernel
def act(squares: Any, shape: Any, state: Any, number: Any, kind: Any, out: Any) -> None:
    """The state after an executable action; `kind` is what `can` said."""
    for word in range(state.shape[0]):  # quicker than by slices
        out[word] = state[word]
    if number == BOMB:
        bombed(squares, shape, state, out)
        return
    ahead = squares[player_of(state, shape), number]
    place = shape[WORDS]
    out[place] = (state[place] & ~_PLAYER) | U(ahead)
    if kind == 2:
        behind = squares[ahead, number]
        out[ahead >> 6] ^= _ONE << U(ahead & 63)
        out[behind >> 6] ^= _ONE << U(behind & 63)


@kernel
def successors(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """All actions; none once the level is completed (K15)."""
    squares, shape = tables
    if won(shape, state):
        return 0
    count = 0
    for number in range(5):
        kind = can(squares, shape, state, number)
        if kind:
            act(squares, shape, state, number, kind, out[count])
            action[count], reward[count], chance[count] = number, 0, 1.0
            count += 1
    return count


@kernel
def status(tables: Any, state: Any) -> Any:
    """As `Position.status` (K9)."""
    squares, shape = tables
    if won(shape, state):
        return WON
    for number in range(5):
        if can(squares, shape, state, number):
            return PLAYING
    return LOST


@kernel
def step(tables: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One action."""
    squares, shape = tables
    act(squares, shape, state, number, can(squares, shape, state, number), out)
    return 0


@kernel
def mask(tables: Any, state: Any, mask: Any) -> None:
    """Which actions are executable."""
    squares, shape = tables
    over = won(shape, state)
    for number in range(5):
        mask[number] = 0 if over or not can(squares, shape, state, number) else 1


@kernel
def bombs(tables: Any, state: Any, arguments: Any) -> Any:
    """The number `bombs`."""
    return np.int64(state[tables[1][WORDS]] >> _PLAYER_BITS)


@kernel
def placed(tables: Any, state: Any, arguments: Any) -> Any:
    """The number `placed`: boxes on depots."""
    count = 0
    for square in range(tables[1][SQUARES]):
        if tables[0][square, DEPOT] and bit(state, square):
            count += 1
    return count


@kernel
def square_at(squares: Any, shape: Any, x: Any, y: Any) -> Any:
    """The square of a cell, -1 when it is none."""
    for square in range(shape[SQUARES]):
        if squares[square, COLUMN] == x and squares[square, ROW] == y:
            return square
    return -1


@kernel
def at(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `at(x,y)`."""
    squares, shape = tables
    square = square_at(squares, shape, arguments[0], arguments[1])
    return np.int64(square >= 0 and player_of(state, shape) == square)


@kernel
def box(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `box(x,y)`."""
    squares, shape = tables
    square = square_at(squares, shape, arguments[0], arguments[1])
    return np.int64(square >= 0 and bit(state, square) == _ONE)


def prepare(level: Level) -> Packing | None:
    """The packing of a level; with bombs, of one of up to 64 rows and columns."""
    width, height = level.size
    bombs = level.bombs > 0
    if (bombs and max(width, height) > _MOST_LINES) or level.bombs >= _MOST_BOMBS or width * height > 1 << 20:
        return None
    cells = [(x, y) for y in range(height) for x in range(width) if bombs or (x, y) not in level.walls]
    words = -(-len(cells) // 64)
    number = {cell: square for square, cell in enumerate(cells)}
    tables = (_squares(level, cells, number), _shape(level, len(cells), number, words))
    packer = _Packer(level, cells, number, words)
    return Packing(level, packer.size, 5, tables, tuple(Action), packer.pack, packer.unpack)


def _squares(level: Level, cells: Sequence[Cell], number: dict[Cell, int]) -> np.ndarray[Any, Any]:
    rows = []
    for x, y in cells:
        around = [number.get((x + dx, y + dy), -1) for dx, dy in STEPS.values()]
        rows.append([*around, (x, y) in level.walls, y, x, (x, y) in level.depots])
    return np.array(rows, np.int32)


def _shape(level: Level, squares: int, number: dict[Cell, int], words: int) -> np.ndarray[Any, Any]:
    depots = np.zeros(words, np.uint64)
    for cell in level.depots:
        depots[number[cell] >> 6] |= U(1 << (number[cell] & 63))
    return np.concatenate([np.array([squares, words], np.int64), depots.view(np.int64)])


class _Packer:
    """Positions to words and back."""

    def __init__(self, level: Level, cells: Sequence[Cell], number: dict[Cell, int], words: int) -> None:
        self.level, self.cells, self.number, self.words = level, cells, number, words
        self.size = words + (3 if level.bombs else 1)

    def pack(self, position: Position) -> np.ndarray[Any, Any]:
        state = np.zeros(self.size, np.uint64)
        for cell in position.boxes:
            square = self.number[cell]
            state[square >> 6] |= U(1 << (square & 63))
        state[self.words] = self.number[position.player] | position.bombs << 20
        if self.level.bombs:
            for place, axis in ((self.words + 1, 1), (self.words + 2, 0)):
                had = {cell[axis] for cell in self.level.walls}
                gone = had - {cell[axis] for cell in position.walls}
                state[place] = sum(1 << line for line in gone)
        return state

    def unpack(self, state: np.ndarray[Any, Any]) -> Position:
        bits = sum(int(word) << 64 * i for i, word in enumerate(state[: self.words]))
        boxes = frozenset(cell for square, cell in enumerate(self.cells) if bits >> square & 1)
        about = int(state[self.words])
        walls = self.level.walls
        if self.level.bombs:
            rows, columns = int(state[self.words + 1]), int(state[self.words + 2])
            walls = frozenset(cell for cell in walls if not (rows >> cell[1] | columns >> cell[0]) & 1)
        return Position(self.level, self.cells[about & 0xFFFFF], boxes, about >> 20, walls)


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("bombs", 0): bombs, ("placed", 0): placed, ("at", 2): at, ("box", 2): box},
)
