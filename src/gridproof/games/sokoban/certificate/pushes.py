"""Pushes and bombs between positions that differ by more than a walk, in bits; and what lemmas ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.rules import Level, Position


class Node(NamedTuple):
    """Positions that differ by where the player is alone."""

    boxes: Places
    walls: Places
    bombs: int


class Pushes:
    """What leads from where to where on a level.

    Attributes
    ----------
    grid : Grid
    depots : Places
    """

    def __init__(self, level: Level) -> None:
        self.level, self.grid = level, Grid(*level.size)
        self.depots = self.grid.of(level.depots)
        self._axes = 1, level.size[0] + 1
        self._walls = {level.walls: self.grid.of(level.walls)}
        self._lasting: dict[tuple[Places, int, Places], Places] = {}

    def node(self, position: Position) -> tuple[Node, Places]:
        """The node that a position belongs to, and where its player is."""
        walls = self._walls.get(position.walls)
        if walls is None:
            walls = self._walls.setdefault(position.walls, self.grid.of(position.walls))
        return Node(self.grid.of(position.boxes), walls, position.bombs), self.grid.bits[position.player]

    def position(self, node: Node, player: Places) -> Position:
        """The position of a node where the player is there."""
        boxes, walls = frozenset(self.grid.cells(node.boxes)), frozenset(self.grid.cells(node.walls))
        return Position(self.level, next(self.grid.cells(player)), boxes, node.bombs, walls)

    def walked(self, node: Node, player: Places) -> Places:
        """Where the player can walk to."""
        return self.grid.reached(player, self.grid.everywhere & ~node.walls & ~node.boxes)

    def after(self, node: Node, walked: Places) -> Iterator[tuple[Node, Places]]:
        """What pushes and bombs lead to, and where the player is then (K6-K8); nothing after a win (K15)."""
        boxes, walls, bombs = node
        if boxes == self.depots:
            return
        free = self.grid.everywhere & ~walls & ~boxes
        for axis in self._axes:
            pushed = boxes & walked << axis & free >> axis
            while pushed:
                box = pushed & -pushed
                pushed ^= box
                yield Node(boxes ^ box ^ box << axis, walls, bombs), box
            pushed = boxes & walked >> axis & free << axis
            while pushed:
                box = pushed & -pushed
                pushed ^= box
                yield Node(boxes ^ box ^ box >> axis, walls, bombs), box
        if bombs > 0:
            for cell in self.grid.cells(walked):
                after = Node(boxes, walls & ~self.grid.crosses[cell], bombs - 1)
                yield after, self.grid.bits[cell]

    def lasting(self, node: Node, player: Places) -> Places:
        """The walls that the bombs left cannot delete, wherever the boxes are."""
        walls, area = node.walls, self.grid.everywhere
        if not node.bombs:
            return walls
        area = self.grid.reached(player, self.grid.everywhere & ~walls)
        key = walls, node.bombs, area
        if key not in self._lasting:
            for _ in range(node.bombs):
                for line in (*self.grid.rows, *self.grid.columns):
                    if line & area:
                        walls &= ~line
                area = self.grid.reached(player, self.grid.everywhere & ~walls)
            self._lasting[key] = walls
        return self._lasting[key]

    def leaves(self, squares: Places, walls: Places) -> Places:
        """Where a push leads from one of the squares, not among them, with no boxes but that one."""
        free, outside = self.grid.everywhere & ~walls, Places()
        for axis in self._axes:
            there = squares & free & free << axis & free >> axis
            outside |= there << axis | there >> axis
        return outside & ~squares

    def movable(self, boxes: Places, walls: Places) -> Places:
        """Those of the boxes that neither walls nor others of them hold on both axes (K5, K6)."""
        free, found = self.grid.everywhere & ~walls & ~boxes, Places()
        for axis in self._axes:
            found |= boxes & free << axis & free >> axis
        return found
