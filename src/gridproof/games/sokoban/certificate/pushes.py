"""Pushes and bombs between regions of positions, in bits, and the geometry of lemmas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.limit import check_stop
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
        boxes, bits = Places(), self.grid.bits
        for cell in position.boxes:
            boxes |= bits[cell]
        return Node(boxes, walls, position.bombs), bits[position.player]

    def position(self, node: Node, player: Places) -> Position:
        """Return the position of a node with this player."""
        check_stop()
        boxes, walls = frozenset(self.grid.to_cells(node.boxes)), frozenset(self.grid.to_cells(node.walls))
        return Position(self.level, next(self.grid.to_cells(player)), boxes, node.bombs, walls)

    def region(self, node: Node, player: Places) -> Places:
        """Return the squares that the player can walk to."""
        return self.grid.flood_fill(player, self.grid.all_cells & ~node.walls & ~node.boxes)

    def successors(self, node: Node, region: Places) -> Iterator[tuple[Node, Places]]:
        """Yield the successors by pushes and bombs, and the player in each (K6-K8); none after a win (K15)."""
        for boxes, player in self.after_pushes(node, region):
            yield Node(boxes, node.walls, node.bombs), player
        yield from self.after_bombs(node, region)

    def after_pushes(self, node: Node, region: Places) -> Iterator[tuple[Places, Places]]:
        """Yield the boxes after each push, and the player (K6); none after a win (K15)."""
        boxes = node.boxes
        if boxes == self.depots:
            return
        free = self.grid.all_cells & ~node.walls & ~boxes
        for axis in self._axes:
            pushed = boxes & region << axis & free >> axis
            while pushed:
                box = pushed & -pushed
                pushed ^= box
                yield boxes ^ box ^ box << axis, box
            pushed = boxes & region >> axis & free << axis
            while pushed:
                box = pushed & -pushed
                pushed ^= box
                yield boxes ^ box ^ box >> axis, box

    def after_bombs(self, node: Node, region: Places) -> Iterator[tuple[Node, Places]]:
        """Yield the successors by bombs, and the player in each (K7, K8); none after a win (K15)."""
        boxes, walls, bombs = node
        if bombs > 0 and boxes != self.depots:
            for cell in self.grid.to_cells(region):
                check_stop()
                after = Node(boxes, walls & ~self.grid.crosses[cell], bombs - 1)
                yield after, self.grid.bits[cell]

    def permanent_walls(self, node: Node, player: Places) -> Places:
        """The walls that the bombs left cannot delete, wherever the boxes are."""
        if not node.bombs:
            return node.walls
        check_stop()
        area = self.grid.flood_fill(player, self.grid.all_cells & ~node.walls)
        key = node.walls, node.bombs, area
        if key not in self._permanent:
            self._permanent[key] = self.grid.permanent_walls(area, node.walls, node.bombs)
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
