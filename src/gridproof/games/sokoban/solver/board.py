"""The tables of a search: numbered squares, and for each stage of the walls distances, sides and dead squares.

A stage is the walls and the bombs that are left. Moves are made among its walls. Pruning (sides,
distances, dead squares, freezes) uses its open board, without the walls that bombs could still
delete, so that it stays valid whatever is bombed later. With no bomb left both are the same.

Bombs can lead to very many stages. Each has a number as soon as it is seen; its tables, which are large,
are made when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.kernel.packing import reached
from gridproof.games.sokoban.rules import STEPS, Position
from gridproof.games.sokoban.solver.distances import FAR, SIDES, find_distances, find_sides
from gridproof.games.sokoban.validity import Cell, in_reading_order

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
    neighbours, openly : int16 (places, squares, 4)
        The squares around, NOWHERE where there is none: among the walls, and on the open board.
    sides : uint8 (places, squares, squares)
        With a box on the first square, the side of it that the second is on.
    distances : int16 (places, squares, SIDES, goals)
        The fewest pushes that bring a single box from a square to a goal, by the player's side; FAR
        where it cannot come there.
    dead : uint8 (places, squares)
        Whether a box there can come to no goal, whatever the player's side.
    following : int32 (places, squares)
        The stage that a bomb on a square leads to; NOWHERE where it hits no wall, or cannot go off.
    places : int32 (stages or more,)
        The place of each stage; NOWHERE while its tables are not made, see `make`.
    known : uint8 (stages or more,)
        Whether a search has all that it needs of a stage; for stages with bombs the search sets it.
    goal : uint8 (squares,)
        Whether it is a depot.
    """

    def __init__(self, position: Position) -> None:
        self.size = width, height = position.level.size
        self._start = position.player
        cells: Iterable[Cell] | None = reached(position, _MOST_SQUARES)
        if position.bombs:
            all_fit = width * height <= _MOST_SQUARES
            cells = ((x, y) for y in range(height) for x in range(width)) if all_fit else None
        self.fits = cells is not None
        self.cells = in_reading_order(cells or (position.player,))
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
        self.made = 0
        """How many stages have tables."""
        if self.fits:
            self._grid = Grid(width, height) if position.bombs else None
            self.places, self.known = np.full(1, NOWHERE, np.int32), np.zeros(1, np.uint8)
            self._make_room(1)
            self._number(_Stage(self._grid.of(position.walls) if self._grid else 0, position.bombs))
            for _ in self.make(0):
                pass

    def _make_room(self, places: int) -> None:
        squares, goals = len(self.cells), len(self.goals)
        self.neighbours = np.full((places, squares, 4), NOWHERE, np.int16)
        self.openly = np.full((places, squares, 4), NOWHERE, np.int16)
        self.sides = np.zeros((places, squares, squares), np.uint8)
        self.distances = np.full((places, squares, SIDES, goals), FAR, np.int16)
        self.dead = np.zeros((places, squares), np.uint8)
        self.following = np.full((places, squares), NOWHERE, np.int32)

    @property
    def _larger(self) -> int:
        """The next capacity, when there are too few places."""
        return self.made + self.made // 2 + 1

    def _grow(self) -> None:
        before = self._of_places
        self._make_room(self._larger)
        for old, new in zip(before, self._of_places, strict=True):
            new[: self.made] = old

    @property
    def growth(self) -> int:
        """How many bytes more may be held while the tables of a stage are made."""
        one = sum(table[0].nbytes for table in self._of_places)
        fresh = len(self.cells) * (_OF_STAGE + len(self.cells) // 8)
        return fresh + (self._larger * one if self.made == len(self.dead) else 0)

    @property
    def stages(self) -> int:
        """How many stages there are."""
        return len(self._stages)

    @property
    def _of_places(self) -> tuple[Array, ...]:
        return self.neighbours, self.openly, self.sides, self.distances, self.dead, self.following

    @property
    def tables(self) -> tuple[Array, ...]:
        """What the compiled search knows."""
        return *self._of_places, self.places, self.known, self.goal

    def _number(self, stage: _Stage) -> int:
        """The number of a stage, a new one when it has not been seen."""
        number = self._numbers.setdefault(stage, self.stages)
        if number == self.stages:
            self._stages.append(stage)
        if number == len(self.places):
            self.places = np.concatenate([self.places, np.full_like(self.places, NOWHERE)])
            self.known = np.concatenate([self.known, np.zeros_like(self.known)])
        return number

    def make(self, number: int) -> Iterator[None]:
        """Make the tables of a stage; yields now and then, so that the caller can check its limit."""
        if self.places[number] != NOWHERE:
            return
        stage = self._stages[number]
        if self.made == len(self.dead):
            self._grow()
        place = self.made
        self.neighbours[place] = self._around(stage.walls)
        self.openly[place] = self._around(self._opened(stage)) if stage.bombs else self.neighbours[place]
        yield
        queue = np.empty((4 * len(self.openly[place]), 2), np.int16)
        find_sides(self.openly[place], self.sides[place], queue[:, 0].copy())
        yield
        find_distances(self.openly[place], self.sides[place], self.goals, self.distances[place], queue)
        self.dead[place] = np.all(self.distances[place] >= FAR, axis=(1, 2))
        if self._grid and stage.bombs:
            for cell in self._grid.cells(self._inside(stage.walls)):
                if hit := stage.walls & self._grid.crosses[cell]:
                    after = self._number(_Stage(stage.walls & ~hit, stage.bombs - 1))
                    self.following[place, self.number[cell]] = after
        self.places[number], self.known[number] = place, not stage.bombs
        self.made += 1

    def after(self, number: int) -> list[int]:
        """The stages that the bombs of one whose tables are made lead to."""
        following = np.unique(self.following[self.places[number]])
        return [int(after) for after in following if after != NOWHERE]

    def _around(self, walls: Places) -> Array:
        barred = frozenset(self._grid.cells(walls)) if self._grid else frozenset()
        rows = [
            [NOWHERE if (to := (x + dx, y + dy)) in barred else self.number.get(to, NOWHERE) for dx, dy in STEPS.values()]
            for x, y in self.cells
        ]  # fmt: skip
        return np.array(rows, np.int16)

    def _inside(self, walls: Places) -> Places:
        """Where the player could go if there were no boxes."""
        assert self._grid
        return self._grid.reached(self._grid.bits[self._start], self._grid.everywhere & ~walls)

    def _opened(self, stage: _Stage) -> Places:
        """The walls that the bombs of a stage cannot delete, wherever the player goes meanwhile (K8)."""
        assert self._grid
        walls = stage.walls
        for _ in range(stage.bombs):
            inside, left = self._inside(walls), walls
            for line in (*self._grid.columns, *self._grid.rows):
                if inside & line:
                    left &= ~line
            if left == walls:
                break
            walls = left
        return walls


def prepare() -> None:
    """Load or compile what boards call at first, which may take seconds."""
    around, sides = np.zeros((0, 4), np.int16), np.zeros((0, 0), np.uint8)
    find_sides(around, sides, np.zeros(0, np.int16))
    distances, queue = np.zeros((0, SIDES, 0), np.int16), np.zeros((0, 2), np.int16)
    find_distances(around, sides, np.zeros(0, np.int32), distances, queue)
