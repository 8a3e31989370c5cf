"""Pushes and bombs between regions of positions, in bits, and the geometry of lemmas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.rules import Level, Position


class Node(NamedTuple):
    """Positions that differ only by where the player is."""

    boxes: Places
    walls: Places
    bombs: int


class Pushes:
    """The graph of pushes and bombs of a level.

    Attributes
    ----------
    grid : Grid
    depots : Places
    """

    def __init__(self, level: Level) -> None:
        self.level, self.grid = level, Grid(*level.size)
        self.depots = self.grid.to_places(level.depots)
        self._axes = 1, level.size[0] + 1
        self._walls = {level.walls: self.grid.to_places(level.walls)}
        self._permanent: dict[tuple[Places, int, Places], Places] = {}

    def node(self, position: Position) -> tuple[Node, Places]:
        """The node that a position belongs to, and where its player is."""
        walls = self._walls.get(position.walls)
        if walls is None:
            walls = self._walls.setdefault(position.walls, self.grid.to_places(position.walls))
        boxes = self.grid.to_places(position.boxes)
        return Node(boxes, walls, position.bombs), self.grid.bits[position.player]

    def position(self, node: Node, player: Places) -> Position:
        """Return the position of a node with this player."""
        boxes, walls = frozenset(self.grid.to_cells(node.boxes)), frozenset(self.grid.to_cells(node.walls))
        return Position(self.level, next(self.grid.to_cells(player)), boxes, node.bombs, walls)

    def region(self, node: Node, player: Places) -> Places:
        """Return the squares that the player can walk to."""
        return self.grid.flood_fill(player, self.grid.all_cells & ~node.walls & ~node.boxes)

    def successors(self, node: Node, region: Places) -> Iterator[tuple[Node, Places]]:
        """Yield the successors by pushes and bombs, and the player in each (K6-K8); none after a win (K15)."""
        boxes, walls, bombs = node
        if boxes == self.depots:
            return
        free = self.grid.all_cells & ~walls & ~boxes
        for axis in self._axes:
            pushed = boxes & region << axis & free >> axis
            while pushed:
                box = pushed & -pushed
                pushed ^= box
                yield Node(boxes ^ box ^ box << axis, walls, bombs), box
            pushed = boxes & region >> axis & free << axis
            while pushed:
                box = pushed & -pushed
                pushed ^= box
                yield Node(boxes ^ box ^ box >> axis, walls, bombs), box
        if bombs > 0:
            for cell in self.grid.to_cells(region):
                after = Node(boxes, walls & ~self.grid.crosses[cell], bombs - 1)
                yield after, self.grid.bits[cell]

    def permanent_walls(self, node: Node, player: Places) -> Places:
        """The walls that the bombs left cannot delete, wherever the boxes are."""
        walls, area = node.walls, self.grid.all_cells
        if not node.bombs:
            return walls
        area = self.grid.flood_fill(player, self.grid.all_cells & ~walls)
        key = walls, node.bombs, area
        if key not in self._permanent:
            for _ in range(node.bombs):
                for line in (*self.grid.rows, *self.grid.columns):
                    if line & area:
                        walls &= ~line
                area = self.grid.flood_fill(player, self.grid.all_cells & ~walls)
            self._permanent[key] = walls
        return self._permanent[key]

    def exits(self, squares: Places, walls: Places) -> Places:
        """Return the squares outside a set to which a push leads a single box from it."""
        free, outside = self.grid.all_cells & ~walls, Places()
        for axis in self._axes:
            there = squares & free & free << axis & free >> axis
            outside |= there << axis | there >> axis
        return outside & ~squares

    def movable_boxes(self, boxes: Places, walls: Places) -> Places:
        """Return the boxes that walls and other boxes do not hold on both axes (K5, K6)."""
        free, found = self.grid.all_cells & ~walls & ~boxes, Places()
        for axis in self._axes:
            found |= boxes & free << axis & free >> axis
        return found
