"""Endgame tables of 2048: the best chance of one more tile while the large tiles stay where they are.

A table has a goal, such as 256. Tiles of the goal and more are fixed: a slide that moves one of them is not allowed. The other
tiles move, and the table has the best probability that they make the goal, for all boards that follow from a first one. So it
does for boards with other fixed tiles, as long as those are in the same cells and no two are equal. It is computed backwards
by layers of the tile sum, as `values.py` does, and is exact but for rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.representation import Representable
from gridproof.core.text.phrases import format_count
from gridproof.games.twenty48.propositions import max_tile
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.tiles import is_tile

MOST_CELLS = 16
_LARGEST = 15
"""The exponent of the first fixed tile in a table; the others follow downwards."""


class Region(NamedTuple):
    """The question of a table: which cells are fixed, and the tile that the others are to make."""

    fixed: frozenset[int]
    """Cells by their numbers in reading order."""
    goal: int

    def board(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return a board with the fixed tiles of a table in place of its own."""
        own = iter(range(_LARGEST, 0, -1))
        return tuple(1 << next(own) if cell in self.fixed else tile for cell, tile in enumerate(cells))

    def has_goal(self, position: Position) -> bool:
        """Return whether a cell that is not fixed has the goal."""
        return any(tile == self.goal for cell, tile in enumerate(position.cells) if cell not in self.fixed)


def region_of(position: Position, goal: int) -> Region:
    """Return the region of a position for a goal: tiles of the goal and more are fixed.

    Raises
    ------
    GridproofError
        When the goal is no tile, the board has more than 16 cells, two fixed tiles are equal, or they are too many for the goal.
    """
    if not is_tile(goal) or goal > 1 << _LARGEST:
        raise GridproofError(f"goal {goal}: it must be a tile from 2 to {1 << _LARGEST}")
    if len(position.cells) > MOST_CELLS:
        raise GridproofError(f"an endgame table is for boards of at most {MOST_CELLS} cells")
    fixed = [tile for tile in position.cells if tile >= goal]
    if len(set(fixed)) < len(fixed):
        raise GridproofError(f"goal {goal}: the tiles from it on must be different")
    if len(fixed) > _LARGEST + 2 - goal.bit_length():
        raise GridproofError(f"goal {goal}: too many tiles are larger")
    return Region(frozenset(cell for cell, tile in enumerate(position.cells) if tile >= goal), goal)


def find_regions(position: Position) -> Iterator[Region]:
    """Yield the regions whose goal is a tile of the position, or the next one; the largest first, while they are different."""
    for tile in (2 * max_tile(position), *sorted(filter(None, position.cells), reverse=True)):
        try:
            yield region_of(position, tile)
        except GridproofError:  # tiles above 32768 come first
            if tile <= 1 << _LARGEST:
                return


class EndgameTable(Representable):
    """Chances that the moving tiles make a goal, for all boards that follow from a position.

    Parameters
    ----------
    position : Position
    goal : int, optional
        The tile to make. Tiles of the goal and more are fixed. By default twice the largest tile; then all tiles move.
    limit : Limit, optional
        Each board takes 24 bytes, and 200 in the layer at work.

    Raises
    ------
    GridproofError
        As of `region_of`, or when the limit is reached before the table is complete.
    """

    def __init__(self, position: Position, goal: int | None = None, limit: Limit | None = None) -> None:
        import numpy as np

        from gridproof.games.twenty48.kernel import layers
        from gridproof.games.twenty48.kernel.cells import MOST, NIBBLES
        from gridproof.games.twenty48.kernel.packing import packing_in
        from gridproof.games.twenty48.values import Layers

        self.region = region_of(position, 2 * max_tile(position) if goal is None else goal)
        level = position.level
        self._level = Level(level.width, level.height, level.spawn)
        fixed = sum(15 << 4 * cell for cell in self.region.fixed)
        arguments = np.array([self.region.goal.bit_length() - 1, fixed], np.uint64)
        packing = packing_in(self._level, NIBBLES, MOST[NIBBLES])
        compiled = layers.has_free_tile, arguments
        self._layers = Layers(packing, [self._own(position)], self.region.has_goal, compiled, fixed)  # type: ignore[arg-type]  # 2048's
        self._layers.prepare()
        meter = (limit or Limit()).start()
        if not self._layers.run_to_end(meter):
            raise GridproofError(f"no table: {meter.reason} ended the work")

    @property
    def states(self) -> int:
        """The number of boards; if all tiles move, boards that are turned or mirrored count once."""
        return self._layers.states

    @property
    def error(self) -> float:
        """A bound of the relative error of each chance."""
        return self._layers.error

    def __str__(self) -> str:
        fixed = f" with {format_count(len(self.region.fixed), 'fixed tiles')}" if self.region.fixed else ""
        return (
            f"an endgame table for the tile {self.region.goal}{fixed}: {format_count(self.states, 'boards')}"
        )

    def _summary(self) -> str:
        return f"<EndgameTable: {self.region.goal}, {format_count(self.states, 'boards')}>"

    def chance(self, position: Position) -> float | None:
        """Return the best chance of the goal; None if the table does not have the position."""
        found = self._layers.of(self._own(position)) if self._has_region(position) else None
        return None if found is None else float(found[0].middle)

    def chances(self, position: Position) -> Mapping[Move, float] | None:
        """Return the best chance of the goal after each move, 0 if it moves a fixed tile.

        None if the table does not have the position, or the goal is there already.
        """
        if self.chance(position) is None or self.region.has_goal(position):
            return None
        return {move: self._chance_after(position, move) for move in position.actions()}

    def _chance_after(self, position: Position, move: Move) -> float:
        total = 0.0
        for outcome in position.outcomes(move):
            if any(outcome.position.cells[cell] != position.cells[cell] for cell in self.region.fixed):
                return 0.0
            chance = self.chance(outcome.position)
            if chance is None:
                raise GridproofError("a kernel and the rules disagree; please report this level")
            total += float(outcome.probability) * chance
        return total

    def _has_region(self, position: Position) -> bool:
        """Return whether a position is of the table's level, with different large tiles in the fixed cells."""
        level = position.level
        if (level.width, level.height, level.spawn) != (
            self._level.width,
            self._level.height,
            self._level.spawn,
        ):
            return False
        fixed = [position.cells[cell] for cell in self.region.fixed]
        free = [tile for cell, tile in enumerate(position.cells) if cell not in self.region.fixed]
        return (
            all(tile >= self.region.goal for tile in fixed)
            and len(set(fixed)) == len(fixed)
            and max(free) <= self.region.goal
        )

    def _own(self, position: Position) -> Position:
        """Return a position with the table's own fixed tiles."""
        return Position(self._level, self.region.board(position.cells))
