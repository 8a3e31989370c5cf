"""What a search stands on: the numbered squares, and of each stage of the walls its tables.

A stage is the walls and the bombs that are left. Moves are made on its walls. What prunes (sides,
distances, dead squares, freezes) is told on its open board: without the walls that bombs could still
delete, so that it holds whatever is bombed later. With no bomb left both are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gridproof.games.sokoban.rules import STEPS, Position
from gridproof.games.sokoban.solver.distances import FAR, SIDES, find_distances, find_sides
from gridproof.games.sokoban.validity import Cell, in_reading_order

DIRECTIONS = tuple(STEPS)
"""The directions by number; up and down, left and right are 0 and 1, 2 and 3: `d ^ 1` is opposite."""
NOWHERE = -1
_MOST_SQUARES = 4096
_MOST_BYTES = 1 << 30  # of `sides`, by far the largest table: a byte for each pair of squares
_MANY_BYTES = 1 << 23  # of it, filled in between two looks at the clock

Array = np.ndarray[Any, Any]
Walls = frozenset[Cell]


class Board:
    """The squares of a position in reading order, and the stages that have been met.

    Without bombs the squares are those that the player could reach if there were no boxes; boxes and
    depots elsewhere never change: `possible` is False when they do not fit together. With bombs the
    squares are all cells. Boards that are too large (`fits` is False) have no stages.

    Attributes
    ----------
    cells : list of Cell
        The cell of each square.
    goal : uint8 (squares,)
        Whether it is a depot.
    neighbours, openly : int16 (stages, squares, 4)
        The squares around, NOWHERE where there is none: among the walls, and on the open board.
    sides : uint8 (stages, squares, squares)
        With a box on the first square, the side of it that the second is on.
    distances : int16 (stages, squares, SIDES, goals)
        The fewest pushes that bring a single box from a square to a goal, by the player's side; FAR
        where it cannot come there.
    dead : uint8 (stages, squares)
        Whether a box there can come to no goal, whatever the player's side.
    following : int32 (stages, squares)
        The stage that a bomb on a square leads to; NOWHERE where it hits no wall, or cannot go off.
    known : uint8 (stages,)
        Whether `following` has been filled in, see `follow`.
    """

    def __init__(self, position: Position) -> None:
        self.size = width, height = position.level.size
        self._start = position.player
        inside = self._reached(position.walls)
        everything = [(x, y) for y in range(height) for x in range(width)]
        self.cells = everything if position.bombs else in_reading_order(inside)
        self.number = number = {cell: square for square, cell in enumerate(self.cells)}
        depots = position.level.depots
        self.goals = np.array(sorted(number[cell] for cell in depots if cell in number), np.int32)
        self.boxes = tuple(sorted(number[cell] for cell in position.boxes if cell in number))
        self.player = number[position.player]
        self.possible = position.boxes - number.keys() == depots - number.keys()
        self.goal = np.zeros(len(self.cells), np.uint8)
        self.goal[self.goals] = 1
        self._stages: dict[tuple[Walls, int], int] = {}
        self.fits = len(self.cells) <= _MOST_SQUARES
        if self.fits:
            self._make_room(1)
            self._stage(position.walls, position.bombs)

    def _reached(self, walls: Walls) -> set[Cell]:
        """The cells that the player could reach if there were no boxes."""
        width, height = self.size
        found, queue = {self._start}, [self._start]
        for x, y in queue:
            for dx, dy in STEPS.values():
                cell = (x + dx, y + dy)
                inside = 0 <= cell[0] < width and 0 <= cell[1] < height
                if inside and cell not in found and cell not in walls:
                    found.add(cell)
                    queue.append(cell)
        return found

    def _make_room(self, stages: int) -> None:
        squares, goals = len(self.cells), len(self.goals)
        self.neighbours = np.full((stages, squares, 4), NOWHERE, np.int16)
        self.openly = np.full((stages, squares, 4), NOWHERE, np.int16)
        self.sides = np.zeros((stages, squares, squares), np.uint8)
        self.distances = np.full((stages, squares, SIDES, goals), FAR, np.int16)
        self.dead = np.zeros((stages, squares), np.uint8)
        self.following = np.full((stages, squares), NOWHERE, np.int32)
        self.known = np.zeros(stages, np.uint8)

    def _grow(self) -> None:
        before, count = self.tables, len(self.known)
        self._make_room(2 * count)
        for old, new in zip(before, self.tables, strict=True):
            if new is not self.goal:
                new[:count] = old

    @property
    def stages(self) -> int:
        """How many stages there are."""
        return len(self._stages)

    @property
    def full(self) -> bool:
        """Whether there is no room for what the bombs of one more stage lead to."""
        squares = len(self.cells)
        return (self.stages + squares) * squares**2 > _MOST_BYTES

    @property
    def tables(self) -> tuple[Array, ...]:
        """What the compiled search knows."""
        return (
            self.neighbours,
            self.openly,
            self.sides,
            self.distances,
            self.dead,
            self.following,
            self.known,
            self.goal,
        )

    def _stage(self, walls: Walls, bombs: int) -> int:
        """The number of a stage, made when it is new."""
        key = walls, bombs
        if key in self._stages:
            return self._stages[key]
        stage = self._stages[key] = len(self._stages)
        if stage == len(self.known):
            self._grow()
        self.neighbours[stage] = self._around(walls)
        self.openly[stage] = self._around(self._opened(walls, bombs)) if bombs else self.neighbours[stage]
        find_sides(self.openly[stage], self.sides[stage])
        find_distances(self.openly[stage], self.sides[stage], self.goals, self.distances[stage])
        self.dead[stage] = np.all(self.distances[stage] >= FAR, axis=(1, 2))
        self.known[stage] = bombs == 0
        return stage

    def _around(self, walls: Walls) -> Array:
        rows = [
            [NOWHERE if (to := (x + dx, y + dy)) in walls else self.number.get(to, NOWHERE) for dx, dy in STEPS.values()]
            for x, y in self.cells
        ]  # fmt: skip
        return np.array(rows, np.int16)

    def _opened(self, walls: Walls, bombs: int) -> Walls:
        """The walls that so many bombs cannot delete, wherever the player goes meanwhile (K8)."""
        for _ in range(bombs):
            inside = self._reached(walls)
            left = walls - _hit(walls, {x for x, _ in inside}, {y for _, y in inside})
            if left == walls:
                break
            walls = left
        return walls

    def follow(self, stage: int) -> Iterator[None]:
        """Fill in where the bombs of a stage lead to; those that hit no wall are not worth it.

        Stops now and then, so that one can look at the clock.
        """
        walls, bombs = list(self._stages)[stage]
        before = self.stages
        for cell in in_reading_order(self._reached(walls)):
            hit = _hit(walls, {cell[0]}, {cell[1]})
            if hit:
                following = self._stage(walls - hit, bombs - 1)
                self.following[stage, self.number[cell]] = following
                if (self.stages - before) * len(self.cells) ** 2 > _MANY_BYTES:
                    before = self.stages
                    yield
        self.known[stage] = 1


def _hit(walls: Walls, columns: Iterable[int], rows: Iterable[int]) -> Walls:
    return frozenset(cell for cell in walls if cell[0] in columns or cell[1] in rows)


def prepare() -> None:
    """Load or compile what boards call at first, which may take seconds."""
    around, sides = np.zeros((0, 4), np.int16), np.zeros((0, 0), np.uint8)
    find_sides(around, sides)
    find_distances(around, sides, np.zeros(0, np.int32), np.zeros((0, SIDES, 0), np.int16))
