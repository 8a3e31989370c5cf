"""A path of pushes among fixed walls: its costs, its tables, and its actions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gridproof.games.sokoban.kernel.packing import reachable_cells
from gridproof.games.sokoban.rules import STEPS, Action, Position
from gridproof.games.sokoban.solver.board import DIRECTIONS, FAR, SIDES, find_distances, find_sides
from gridproof.games.sokoban.solver.flood_fill import flood
from gridproof.games.sokoban.solver.matching import empty_assignment
from gridproof.games.sokoban.solver.walk import shortest_walk
from gridproof.games.sokoban.validity import Cell, sort_cells
from gridproof.games.sokoban.vicinity.kernel import (
    NONE,
    Prices,
    Tables,
    Vicinity,
)
from gridproof.games.sokoban.vicinity.search import PushState, bits_of, split_words, to_words

_MOST_SQUARES = 4096
_NEVER = -1
"""Bits that no arrangement has."""


class PushPath:
    """The states of a path of pushes: the first, and one after each push.

    Parameters
    ----------
    positions : sequence of Position
        The positions of a trace without bombs, all with the same walls.
    is_win : bool
        True if any player's square at the end will do; else it is that of the last position.
    """

    def __init__(self, positions: Sequence[Position], is_win: bool) -> None:
        first, last = positions[0], positions[-1]
        self.states = list[PushState]()
        self._costs = dict[Prices, list[int]]()
        self._near = dict[int, np.ndarray[Any, Any]]()
        cells = reachable_cells(first, _MOST_SQUARES)
        self.fits = cells is not None
        if cells is None:
            return
        self._number = {cell: square for square, cell in enumerate(sort_cells(cells))}
        self._around = [
            [self._number.get((x + dx, y + dy), -1) for dx, dy in STEPS.values()] for x, y in self._number
        ]
        self._neighbours = np.array(self._around, np.int16)
        squares = len(self._number)
        self._sides = np.empty((squares, squares), np.uint8)
        find_sides(self._neighbours, self._sides, np.empty(squares, np.int16))
        self._beside = [sum(1 << other for other in row if other >= 0) for row in self._around]
        self.words = -(-len(self._number) // 64)
        boxes = first.boxes
        self.states.append(self._state(first))
        for position in positions[1:]:
            if position.boxes != boxes:
                boxes = position.boxes
                self.states.append(self._state(position))
        self.end = NONE if is_win else self._number[last.player]
        can_win = first.boxes - self._number.keys() <= first.level.depots
        self._won = self._bits(first.level.depots) if can_win else _NEVER

    def _state(self, position: Position) -> PushState:
        return PushState(self._bits(position.boxes), self._number[position.player])

    def _bits(self, cells: Iterable[Cell]) -> int:
        """Return the bits of the squares among some cells."""
        return sum(1 << self._number[cell] for cell in cells if cell in self._number)

    def replace(self, first: int, last: int, states: Sequence[PushState]) -> None:
        """Replace a part of the path, from one state to another."""
        self.states[first : last + 1] = states
        self._costs.clear()

    def step_costs(self, prices: Prices) -> list[int]:
        """Return the cost of the path to each of its states, and last that of the whole."""
        if prices not in self._costs:
            self._costs[prices] = self._sum_costs(prices)
        return self._costs[prices]

    def _sum_costs(self, prices: Prices) -> list[int]:
        total, costs = 0, [0]
        occupied = np.zeros(len(self._neighbours), np.uint8)
        occupied[[*bits_of(self.states[0].boxes)]] = 1
        for before, after in itertools.pairwise(self.states):
            behind = self._behind(before, after)
            total += prices.push + prices.step * self._walk_length(occupied, before.player, behind)
            costs.append(total)
            occupied[[*bits_of(before.boxes ^ after.boxes)]] ^= 1
        end = 0 if self.end == NONE else self._walk_length(occupied, self.states[-1].player, self.end)
        return [*costs, total + prices.step * end]

    def _behind(self, before: PushState, after: PushState) -> int:
        """Return the square from which the box is pushed."""
        (box,), (target,) = bits_of(before.boxes & ~after.boxes), bits_of(after.boxes & ~before.boxes)
        around = self._neighbours[box].tolist()
        return int(around[around.index(target) ^ 1])

    def _walk_length(self, occupied: np.ndarray[Any, Any], start: int, target: int) -> int:
        steps = np.empty(len(self._neighbours), np.int16)
        flood(self._neighbours, occupied, start, steps, np.empty_like(steps))
        return int(steps[target])

    def tables(self, last: int) -> Tables:
        """Return the tables of a search for a state of the path."""
        squares = len(self._neighbours)
        target = self.states[last].boxes
        goals = np.array([*bits_of(target)], np.int32)
        goal = np.zeros(squares, np.uint8)
        goal[goals] = 1
        distances = np.full((squares, SIDES, len(goals)), FAR, np.int16)
        find_distances(self._neighbours, self._sides, goals, distances, np.empty((4 * squares, 2), np.int16))
        dead = np.all(distances >= FAR, axis=(1, 2)).astype(np.uint8)
        words = [np.array(split_words(boxes, self.words), np.uint64) for boxes in (target, self._won)]
        assignment = empty_assignment(squares, len(goals))
        return Tables(self._neighbours, dead, goal, distances, self._sides, assignment, words[0], words[1])

    def vicinity(self, first: int, last: int, boxes: int, radius: int) -> Vicinity:
        """Return the vicinity of a part of the path."""
        path = to_words([state.boxes for state in self.states[first : last + 1]], self.words)
        if radius not in self._near:
            around = [self._squares_around(square, radius) for square in range(len(self._neighbours))]
            self._near[radius] = to_words(around, self.words)
        return Vicinity(path, self._near[radius], boxes)

    def _squares_around(self, square: int, radius: int) -> int:
        """Return the bits of the squares around a square, at most `radius` steps away."""
        if radius >= len(self._neighbours):  # they are connected
            return (1 << len(self._neighbours)) - 1
        found = layer = 1 << square
        for _ in range(radius):
            grown = found
            for here in bits_of(layer):
                grown |= self._beside[here]
            layer, found = grown & ~found, grown
            if not layer:
                break
        return found

    def actions(self) -> list[Action]:
        """Return the actions of the path, with shortest walks."""
        actions, player = list[Action](), self.states[0].player
        for before, after in itertools.pairwise(self.states):
            behind = self._behind(before, after)
            (box,) = bits_of(before.boxes & ~after.boxes)
            actions += self._walk(before, player, behind)
            actions.append(DIRECTIONS[self._around[behind].index(box)])
            player = box
        return actions if self.end == NONE else actions + self._walk(self.states[-1], player, self.end)

    def _walk(self, state: PushState, start: int, end: int) -> list[Action]:
        return shortest_walk(self._around, frozenset(bits_of(state.boxes)), start, {end})[0]


def prepare() -> None:
    """Load or compile the kernels of paths, which may take seconds."""
    neighbours, steps = np.full((1, 4), -1, np.int16), np.zeros(1, np.int16)
    flood(neighbours, np.zeros(1, np.uint8), 0, steps, steps.copy())
    sides, distances = np.empty((1, 1), np.uint8), np.full((1, SIDES, 1), FAR, np.int16)
    find_sides(neighbours, sides, steps)
    find_distances(neighbours, sides, np.zeros(1, np.int32), distances, np.empty((4, 2), np.int16))
