"""A position's tables for the solver: floor squares, neighbours, sides, distances of a single box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gridproof.games.sokoban.rules import STEPS, Position
from gridproof.games.sokoban.validity import Cell
from gridproof.kernels.compile import kernel

DIRECTIONS = tuple(STEPS)
"""The directions by number; up and down, left and right are 0 and 1, 2 and 3: `d ^ 1` is opposite."""
FAR = 1 << 13
"""No number of pushes: a goal that cannot be reached."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Board:
    """The squares that the player could reach if there were no boxes, numbered in reading order.

    Boxes and depots elsewhere never change: `possible` is False when they do not fit together.
    """

    cells: tuple[Cell, ...]
    """The cell of each square."""
    neighbours: Array
    """int16 (squares, 4): -1 where there is none."""
    sides: Array
    """uint8 (squares, squares): with a box on the first, the side of it that the second is on."""
    distances: Array
    """int16 (goals, squares, 4): the fewest pushes that bring a single box from a square to a goal,
    by the player's side; FAR where it cannot come there."""
    goal: Array
    """uint8 (squares,): whether it is a depot."""
    dead: Array
    """uint8 (squares,): whether a box there can come to no goal, whatever the player's side."""
    boxes: tuple[int, ...]
    player: int
    possible: bool


def board_of(position: Position) -> Board:
    """The tables of a position; its bombs are left out of account."""
    inside = sorted(_reached(position), key=lambda cell: (cell[1], cell[0]))
    number = {cell: square for square, cell in enumerate(inside)}
    steps = [STEPS[direction] for direction in DIRECTIONS]
    rows = [[number.get((x + dx, y + dy), -1) for dx, dy in steps] for x, y in inside]
    neighbours = np.array(rows, np.int16).reshape(-1, 4)
    sides = np.zeros((len(inside), len(inside)), np.uint8)
    find_sides(neighbours, sides)
    depots = position.level.depots
    goals = np.array(sorted(number[cell] for cell in depots if cell in number), np.int16)
    boxes = tuple(sorted(number[cell] for cell in position.boxes if cell in number))
    distances = np.full((len(goals), len(inside), 4), FAR, np.int16)
    find_distances(neighbours, sides, goals, distances)
    goal = np.zeros(len(inside), np.uint8)
    goal[goals] = 1
    dead = np.zeros(len(inside), np.uint8)
    dead[np.all(distances >= FAR, axis=(0, 2))] = 1
    possible = {cell for cell in position.boxes if cell not in number} == {
        cell for cell in depots if cell not in number
    }
    return Board(
        tuple(inside), neighbours, sides, distances, goal, dead, boxes, number[position.player], possible
    )


def _reached(position: Position) -> set[Cell]:
    """The cells that the player could reach if there were no boxes."""
    width, height = position.level.size
    found, queue = {position.player}, [position.player]
    for x, y in queue:
        for dx, dy in STEPS.values():
            cell = (x + dx, y + dy)
            inside = 0 <= cell[0] < width and 0 <= cell[1] < height
            if inside and cell not in found and cell not in position.walls:
                found.add(cell)
                queue.append(cell)
    return found


@kernel
def find_sides(neighbours: Any, sides: Any) -> None:
    """Label, for each square as if a box stood there, the parts that the rest falls into."""
    count = neighbours.shape[0]
    queue = np.empty(count, np.int16)
    for box in range(count):
        sides[box, :] = 255
        label = 0
        for direction in range(4):
            first = neighbours[box, direction]
            if first < 0 or sides[box, first] != 255:
                continue
            sides[box, first] = label
            queue[0] = first
            head, tail = 0, 1
            while head < tail:
                square = queue[head]
                head += 1
                for way in range(4):
                    other = neighbours[square, way]
                    if other >= 0 and other != box and sides[box, other] == 255:
                        sides[box, other] = label
                        queue[tail] = other
                        tail += 1
            label += 1


@kernel
def find_distances(neighbours: Any, sides: Any, goals: Any, distances: Any) -> None:
    """Breadth-first search by pulls, from each goal and every side of it."""
    count = neighbours.shape[0]
    queue = np.empty((4 * count, 2), np.int16)
    for number in range(goals.shape[0]):
        goal, head, tail = goals[number], 0, 0
        for side in range(4):
            distances[number, goal, side] = 0
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
                if distances[number, origin, before] == FAR:
                    distances[number, origin, before] = distances[number, square, side] + 1
                    queue[tail, 0], queue[tail, 1] = origin, before
                    tail += 1
