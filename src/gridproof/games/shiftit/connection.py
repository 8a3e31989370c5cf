"""Connection of sides (S9, S10) by tables of one level.

The sides of one colour that lie next to each other round a tile's centre never part: such a block is
one node. Blocks are united across the borders between neighbouring positions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

UP, RIGHT, DOWN, LEFT = range(4)

Tiles = tuple[int, ...]
"""A placement: the tile on each position, positions in reading order."""


def place_picker(places: Sequence[int]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a fast function that picks these places of a tuple, as a tuple."""
    if len(places) > 1:
        return operator.itemgetter(*places)
    return lambda values: tuple(values[place] for place in places)


class Connection:
    """Tables of one board.

    Parameters
    ----------
    width, height : int
        Positions of the board.
    colours : sequence of (int, int, int, int)
        Colours of the sides of each tile, up, right, down, left, numbered from 0 without gaps.
    """

    def __init__(self, width: int, height: int, colours: Sequence[tuple[int, ...]]) -> None:
        self.block: list[list[int]] = []  # the block of each side of each tile
        self.colour: list[int] = []  # the colour of each block
        for sides in colours:
            self._add_tile(sides)
        self.needed = len(self.colour) - len(set(self.colour))
        # S9: facing sides of neighbouring positions; none round the edge of the board
        across = [(y * width + x, y * width + x + 1) for y in range(height) for x in range(width - 1)]
        down = [(place, place + width) for place in range(width * (height - 1))]
        self.borders = [(*pair, RIGHT, LEFT) for pair in across] + [(*pair, DOWN, UP) for pair in down]
        self._tests = [
            (
                place_picker([first for first, _ in pairs]),
                [sides[out] for sides in colours].__getitem__,
                place_picker([second for _, second in pairs]),
                [sides[into] for sides in colours].__getitem__,
            )
            for pairs, out, into in ((across, RIGHT, LEFT), (down, DOWN, UP))
        ]

    def _add_tile(self, sides: tuple[int, ...]) -> None:
        """Add the blocks of a tile: equal neighbours round its centre are one block (S9)."""
        blocks: list[int] = []
        for side, colour in enumerate(sides):
            if side and colour == sides[side - 1]:
                blocks.append(blocks[-1])
                continue
            blocks.append(len(self.colour))
            self.colour.append(colour)
        if sides[LEFT] == sides[UP] and blocks[LEFT] != blocks[UP]:
            last = len(self.colour) - 1  # the left side's block: none was made after it
            blocks = [blocks[UP] if block == last else block for block in blocks]
            self.colour.pop()
        self.block.append(blocks)

    def is_connected(self, tiles: Tiles) -> bool:
        """Return whether each colour forms one region (S13)."""
        matching = 0
        for first, out, second, into in self._tests:
            matching += sum(map(operator.eq, map(out, first(tiles)), map(into, second(tiles))))
        if matching < self.needed:  # too few borders to unite all blocks
            return False
        return self._unite(tiles)[1] == self.needed

    def regions(self, tiles: Tiles) -> list[list[int]]:
        """Return the regions of the sides of each tile: equal numbers for connected sides (S10)."""
        parents = self._unite(tiles)[0]
        return [[_root(parents, block) for block in blocks] for blocks in self.block]

    def count_regions(self, tiles: Tiles) -> list[int]:
        """Count the regions of each colour (S10)."""
        parents, counts = self._unite(tiles)[0], [0] * len(set(self.colour))
        for block, colour in enumerate(self.colour):
            counts[colour] += parents[block] == block
        return counts

    def count_unions(self, tiles: Tiles) -> int:
        """Count the unions of blocks across borders; a win has them all."""
        return self._unite(tiles)[1]

    def _unite(self, tiles: Tiles) -> tuple[list[int], int]:
        """Unite blocks across borders; return their parents and the number of unions."""
        block, colour = self.block, self.colour
        parents = list(range(len(colour)))
        unions = 0
        for place, neighbour, out, into in self.borders:
            first, second = block[tiles[place]][out], block[tiles[neighbour]][into]
            if colour[first] == colour[second]:
                first, second = _root(parents, first), _root(parents, second)
                if first != second:
                    parents[first] = second
                    unions += 1
        return parents, unions


def _root(parents: list[int], node: int) -> int:
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node
