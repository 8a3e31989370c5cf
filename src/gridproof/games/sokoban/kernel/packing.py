"""Conversion of positions to packed words and back; `kernel` describes the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gridproof.games.sokoban.grid import walk_distances
from gridproof.games.sokoban.propositions import depot_distances
from gridproof.games.sokoban.rules import STEPS, Level, Position
from gridproof.games.sokoban.validity import Cell, sort_cells

NONE = np.uint64((1 << 64) - 1)
"""The number that stands for no square."""
ALONE = 20
"""The bits of the player's square where the bombs stand above it."""

FLOOR, ON_DEPOT, WALLED, BOX = range(4)
WALKER = 5
"""The symbols of an observation: floor, depot, wall; a box adds 3, and the player 5 and two for each
bomb left, at most 120, to floor or depot."""
MOST_BOMBS_SEEN = 120

_MOST_SEEN = 1 << 14
"""Larger boards are not observed: their pictures would take longer to make than all the rest."""


def relevant_cells(level: Level, most: int) -> list[Cell] | None:
    """Return the cells that matter, in reading order; None when there are more than `most`."""
    width, height = level.size
    inside = None if level.bombs else reachable_cells(level.start(), most)
    if inside is not None and level.boxes <= inside and level.depots <= inside:
        return sort_cells(inside)
    if width * height - (0 if level.bombs else len(level.walls)) > most:
        return None
    everything = ((x, y) for y in range(height) for x in range(width))
    return [cell for cell in everything if level.bombs or cell not in level.walls]


def reachable_cells(position: Position, most: int) -> set[Cell] | None:
    """Return the cells that the player could reach without boxes and bombs; None for more than `most`."""
    distances = walk_distances(position.level, [position.player], position.walls, most)
    return set(distances) if len(distances) <= most else None


def picture_of(level: Level, height: int, width: int) -> Iterable[int]:
    """Yield the symbols of all cells, in reading order, without boxes and player; all around is wall."""
    columns, rows = level.size
    for x, y in ((x, y) for y in range(height) for x in range(width)):
        outside = x >= columns or y >= rows or (x, y) in level.walls
        yield WALLED if outside else ON_DEPOT if (x, y) in level.depots else FLOOR


class Packer:
    """A converter of positions to words and back."""

    def __init__(self, level: Level, cells: list[Cell]) -> None:
        self.level, self.cells = level, cells
        self.number = {cell: square for square, cell in enumerate(self.cells)}
        self._depot_distances = depot_distances(level)
        boxes, rest = divmod(len(self.cells), 64)
        bits = ALONE if level.bombs else len(self.cells).bit_length()
        if level.bombs or rest == 0 or rest + bits > 64:  # the player has a word of its own
            boxes, rest = boxes + (rest > 0), 0
        self.place, self.shift, self.mask = boxes, rest, (1 << bits) - 1
        self.size = boxes + (3 if level.bombs else 1)
        width, height = level.size
        self.observation_shape = (height, width) if width * height <= _MOST_SEEN else ()

    def data(self, shape: tuple[int, ...] = ()) -> np.ndarray[Any, Any]:
        """Return the level's data for the compiled functions, its picture in a shape that may be larger."""
        height, width = shape or self.observation_shape or (0, 0)
        everything = self._bits(self.cells) & ~self._bits(self.level.depots)
        masks = [everything >> 64 * word & int(NONE) for word in range(self.size)]
        head = [len(self.cells), self.level.bombs > 0, self.place, self.shift, self.mask]
        table = [word for cell in self.cells for word in self._square_entries(cell)]
        picture = bytes(picture_of(self.level, height, width))
        places = [y * width + x for x, y in self.cells] if picture else []
        tables = [
            np.array(masks, np.uint64),
            np.array(table, np.uint64),
            np.array([*places, *[0] * (-len(places) % 4)], np.uint16).view(np.uint64),
            np.frombuffer(picture + bytes(-len(picture) % 8), np.uint64),
        ]
        begins = np.cumsum([len(head) + len(tables), *map(len, tables[:-1])]).tolist()
        head += [*begins[1:], len(picture)]
        return np.concatenate([np.array(head, np.uint64), *tables])

    def _square_entries(self, cell: Cell) -> Iterable[int]:
        """Yield the entries of a square in the table."""
        x, y = cell
        for dx, dy in STEPS.values():
            yield self.number.get((x + dx, y + dy), int(NONE))
        yield from (cell in self.level.walls, y, x, self._depot_distances[x][y])

    def _bits(self, cells: Iterable[Cell]) -> int:
        return sum(1 << self.number[cell] for cell in cells)

    def fits(self, position: Position) -> bool:
        """Return whether a position is one of this level and can be packed without loss."""
        inside = position.player in self.number and all(box in self.number for box in position.boxes)
        return inside and position.bombs <= self.level.bombs and self.unpack(self.pack(position)) == position

    def pack(self, position: Position) -> np.ndarray[Any, Any]:
        bits = self._bits(position.boxes)
        bits |= (self.number[position.player] | position.bombs << ALONE) << 64 * self.place + self.shift
        if self.level.bombs:
            for place, axis in ((self.place + 1, 1), (self.place + 2, 0)):
                had = {cell[axis] for cell in self.level.walls}
                gone = had - {cell[axis] for cell in position.walls}
                bits |= sum(1 << line for line in gone) << 64 * place
        return np.array([bits >> 64 * word & int(NONE) for word in range(self.size)], np.uint64)

    def unpack(self, state: np.ndarray[Any, Any]) -> Position:
        words = [int(word) for word in state]
        bits = sum(word << 64 * i for i, word in enumerate(words[: self.place + 1]))
        boxes = frozenset(cell for square, cell in enumerate(self.cells) if bits >> square & 1)
        about = words[self.place] >> self.shift
        walls = self.level.walls
        if not self.level.bombs:
            return Position(self.level, self.cells[about & self.mask], boxes, 0, walls)
        rows, columns = words[self.place + 1 :]
        walls = frozenset(cell for cell in walls if not (rows >> cell[1] | columns >> cell[0]) & 1)
        return Position(self.level, self.cells[about & self.mask], boxes, about >> ALONE, walls)

    def from_symbols(self, symbols: np.ndarray[Any, Any]) -> Position | None:
        """Return the position with these symbols of its cells; None without exactly one player."""
        players = np.argwhere(symbols >= WALKER).tolist()
        if len(players) != 1:
            return None
        ((y, x),) = players
        boxes, walls = (
            frozenset((x, y) for y, x in np.argwhere(found).tolist())
            for found in ((symbols == BOX) | (symbols == BOX + ON_DEPOT), symbols == WALLED)
        )
        return Position(self.level, (x, y), boxes, (int(symbols[y, x]) - WALKER) // 2, walls)
