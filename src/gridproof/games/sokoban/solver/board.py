"""The tables of a search: numbered squares, and for each stage of the walls distances, sides and dead squares.

A stage is the walls and the bombs that are left. Moves are made among its walls. Pruning (sides,
distances, dead squares, freezes) uses its open board, without the walls that bombs could still
delete, so that it stays valid whatever is bombed later. With no bomb left both are the same.

Bombs can lead to very many stages. Each has a number as soon as it is seen; its large tables
are built on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.kernel.packing import reachable_cells
from gridproof.games.sokoban.rules import STEPS, Position
from gridproof.games.sokoban.validity import Cell, sort_cells
from gridproof.kernels.compile import borrowing

# -- distances of single boxes from the goals, by the side that the player stands on

FAR = 1 << 14
"""Greater than any number of pushes, which is below squares times sides: the goal cannot be reached."""
AWAY = 4
"""The side of a player who cannot reach the box: it has 4 at most."""
SIDES = AWAY + 1


@borrowing
def find_sides(neighbours: Any, sides: Any, queue: Any) -> None:
    """Label, for each square as if a box stood there, the parts that the rest falls into.

    `queue` is int16 (squares,), of no meaning afterwards.
    """
    count = neighbours.shape[0]
    for box in range(count):
        sides[box, :] = AWAY
        label = 0
        for direction in range(4):
            first = neighbours[box, direction]
            if first < 0 or sides[box, first] != AWAY:
                continue
            sides[box, first] = label
            queue[0] = first
            head, tail = 0, 1
            while head < tail:
                square = queue[head]
                head += 1
                for way in range(4):
                    other = neighbours[square, way]
                    if other >= 0 and other != box and sides[box, other] == AWAY:
                        sides[box, other] = label
                        queue[tail] = other
                        tail += 1
            label += 1


@borrowing
def find_distances(neighbours: Any, sides: Any, goals: Any, distances: Any, queue: Any) -> None:
    """Breadth-first search by pulls, from each goal and every side of it.

    `queue` is int16 (4 * squares, 2), of no meaning afterwards.
    """
    for number in range(goals.shape[0]):
        goal, head, tail = goals[number], 0, 0
        distances[goal, AWAY, number] = 0
        for side in range(AWAY):
            distances[goal, side, number] = 0
            queue[tail, 0], queue[tail, 1] = goal, side
            tail += 1
        while head < tail:
            square, side = queue[head, 0], queue[head, 1]
            head += 1
            for direction in range(4):
                # The box came here from `origin`, pushed by a player on `behind`, who now stands there.
                origin = neighbours[square, direction]
                if origin < 0 or sides[square, origin] != side:
                    continue
                behind = neighbours[origin, direction]
                if behind < 0:
                    continue
                before = sides[origin, behind]
                if distances[origin, before, number] == FAR:
                    distances[origin, before, number] = distances[square, side, number] + 1
                    queue[tail, 0], queue[tail, 1] = origin, before
                    tail += 1


# -- squares and stages

DIRECTIONS = tuple(STEPS)
"""The directions by number; up and down, left and right are 0 and 1, 2 and 3: `d ^ 1` is opposite."""
NOWHERE = -1
_MOST_SQUARES = 4096
_OF_STAGE = 300  # bytes of a stage without tables, and a bit for each square

Array = np.ndarray[Any, Any]
Walls = frozenset[Cell]


class _Stage(NamedTuple):
    walls: Places
    """0 where there have never been bombs: then walls are no squares."""
    bombs: int


class Board:
    """The squares of a position in reading order, and the stages that have been met.

    Without bombs the squares are those that the player could reach if there were no boxes; boxes and
    depots elsewhere never change: `possible` is False when they do not fit together. With bombs the
    squares are all cells. Boards that are too large (`fits` is False) have neither squares nor stages.

    The start is stage 0. The tables of a stage stand at its place in all arrays but the last three.

    Attributes
    ----------
    cells : list of Cell
        The cell of each square.
    neighbours, open_neighbours : int16 (places, squares, 4)
        The squares around, NOWHERE where there is none: among the walls, and on the open board.
    sides : uint8 (places, squares, squares)
        With a box on the first square, the side of it that the second is on.
    distances : int16 (places, squares, SIDES, goals)
        The fewest pushes that bring a single box from a square to a goal, by the player's side; FAR
        if it cannot reach it.
    dead : uint8 (places, squares)
        True if a box there can reach no goal, whatever the player's side.
    bomb_stages : int32 (places, squares)
        The stage that a bomb on a square leads to; NOWHERE where it hits no wall, or cannot go off.
    places : int32 (stages or more,)
        The place of each stage; NOWHERE while its tables are not made, see `build_tables`.
    ready : uint8 (stages or more,)
        True if a search has all tables of a stage; for stages with bombs the search sets it.
    goal : uint8 (squares,)
        True for depots.
    """

    def __init__(self, position: Position) -> None:
        self.size = width, height = position.level.size
        self._start = position.player
        cells: Iterable[Cell] | None = reachable_cells(position, _MOST_SQUARES)
        if position.bombs:
            all_fit = width * height <= _MOST_SQUARES
            cells = ((x, y) for y in range(height) for x in range(width)) if all_fit else None
        self.fits = cells is not None
        self.cells = sort_cells(cells or (position.player,))
        self.number = number = {cell: square for square, cell in enumerate(self.cells)}
        depots = position.level.depots
        self.goals = np.array(sorted(number[cell] for cell in depots if cell in number), np.int32)
        self.boxes = tuple(sorted(number[cell] for cell in position.boxes if cell in number))
        self.player = number[position.player]
        outside = position.boxes - number.keys(), depots - number.keys()
        self.possible = not self.fits or outside[0] == outside[1]
        self.bombs = position.bombs
        self.goal = np.zeros(len(self.cells), np.uint8)
        self.goal[self.goals] = 1
        self._numbers: dict[_Stage, int] = {}
        self._stages: list[_Stage] = []
        self.table_count = 0
        """The number of stages with tables."""
        if self.fits:
            self._grid = Grid(width, height) if position.bombs else None
            self.places, self.ready = np.full(1, NOWHERE, np.int32), np.zeros(1, np.uint8)
            self._allocate(1)
            self._stage_number(
                _Stage(self._grid.to_places(position.walls) if self._grid else 0, position.bombs)
            )
            for _ in self.build_tables(0):
                pass

    def _allocate(self, places: int) -> None:
        squares, goals = len(self.cells), len(self.goals)
        self.neighbours = np.full((places, squares, 4), NOWHERE, np.int16)
        self.open_neighbours = np.full((places, squares, 4), NOWHERE, np.int16)
        self.sides = np.zeros((places, squares, squares), np.uint8)
        self.distances = np.full((places, squares, SIDES, goals), FAR, np.int16)
        self.dead = np.zeros((places, squares), np.uint8)
        self.bomb_stages = np.full((places, squares), NOWHERE, np.int32)

    @property
    def _next_capacity(self) -> int:
        return self.table_count + self.table_count // 2 + 1

    def _grow(self) -> None:
        before = self._stage_tables
        self._allocate(self._next_capacity)
        for old, new in zip(before, self._stage_tables, strict=True):
            new[: self.table_count] = old

    @property
    def growth(self) -> int:
        """The number of bytes more that building the tables of a stage may hold."""
        one = sum(table[0].nbytes for table in self._stage_tables)
        fresh = len(self.cells) * (_OF_STAGE + len(self.cells) // 8)
        return fresh + (self._next_capacity * one if self.table_count == len(self.dead) else 0)

    @property
    def stage_count(self) -> int:
        """The number of stages."""
        return len(self._stages)

    @property
    def _stage_tables(self) -> tuple[Array, ...]:
        return self.neighbours, self.open_neighbours, self.sides, self.distances, self.dead, self.bomb_stages

    @property
    def tables(self) -> tuple[Array, ...]:
        """The arrays of the compiled search."""
        return *self._stage_tables, self.places, self.ready, self.goal

    def _stage_number(self, stage: _Stage) -> int:
        """Return the number of a stage, a new one for a new stage."""
        number = self._numbers.setdefault(stage, self.stage_count)
        if number == self.stage_count:
            self._stages.append(stage)
        if number == len(self.places):
            self.places = np.concatenate([self.places, np.full_like(self.places, NOWHERE)])
            self.ready = np.concatenate([self.ready, np.zeros_like(self.ready)])
        return number

    def build_tables(self, number: int) -> Iterator[None]:
        """Build the tables of a stage; yield now and then, so that the caller can check its limit."""
        if self.places[number] != NOWHERE:
            return
        stage = self._stages[number]
        if self.table_count == len(self.dead):
            self._grow()
        place = self.table_count
        self.neighbours[place] = self._neighbours_among(stage.walls)
        around, sides = self.open_neighbours[place], self.sides[place]
        around[:] = self.neighbours[place]
        if self._grid and stage.bombs:
            start = self._grid.bits[self._start]
            around[:] = self._neighbours_among(self._grid.permanent_walls(start, *stage))
        yield
        queue = np.empty((4 * len(around), 2), np.int16)
        find_sides(around, sides, queue[:, 0].copy())
        yield
        find_distances(around, sides, self.goals, self.distances[place], queue)
        self.dead[place] = np.all(self.distances[place] >= FAR, axis=(1, 2))
        if self._grid and stage.bombs:
            free = self._grid.all_cells & ~stage.walls
            for cell in self._grid.to_cells(self._grid.flood_fill(self._grid.bits[self._start], free)):
                if hit := stage.walls & self._grid.crosses[cell]:
                    after = self._stage_number(_Stage(stage.walls & ~hit, stage.bombs - 1))
                    self.bomb_stages[place, self.number[cell]] = after
        self.places[number], self.ready[number] = place, not stage.bombs
        self.table_count += 1

    def stages_after(self, number: int) -> list[int]:
        """Return the stages to which the bombs of a stage with tables lead."""
        bomb_stages = np.unique(self.bomb_stages[self.places[number]])
        return [int(after) for after in bomb_stages if after != NOWHERE]

    def _neighbours_among(self, walls: Places) -> Array:
        barred = frozenset(self._grid.to_cells(walls)) if self._grid else frozenset()
        rows = [
            [NOWHERE if (to := (x + dx, y + dy)) in barred else self.number.get(to, NOWHERE) for dx, dy in STEPS.values()]
            for x, y in self.cells
        ]  # fmt: skip
        return np.array(rows, np.int16)


def prepare() -> None:
    """Load or compile the kernels of boards, which may take seconds."""
    around, sides = np.zeros((0, 4), np.int16), np.zeros((0, 0), np.uint8)
    find_sides(around, sides, np.zeros(0, np.int16))
    distances, queue = np.zeros((0, SIDES, 0), np.int16), np.zeros((0, 2), np.int16)
    find_distances(around, sides, np.zeros(0, np.int32), distances, queue)
