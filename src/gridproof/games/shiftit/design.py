"""Symmetry and ablations of boards of Shift It, for designers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from gridproof.core.design import Ablation, Table, images
from gridproof.games.shiftit.rules import Level, Tile

_OWN_COLOUR = "if {} had a colour of its own"
"""A board with a tile that matches no other, `{}` for the tile."""
_TURNED = (3, 0, 1, 2)  # a quarter clockwise puts the left side up
_MIRRORED = (0, 3, 2, 1)


def image_sides(mirrored: bool, quarters: int) -> tuple[int, ...]:
    """Return the sides of a tile that its mirrored and then turned image has up, right, down and left."""
    order: tuple[int, ...] = _MIRRORED if mirrored else (0, 1, 2, 3)
    for _ in range(quarters):
        order = tuple(order[side] for side in _TURNED)
    return order


def _image_key(mirrored: bool, quarters: int, table: Table[Tile]) -> tuple[tuple[object, ...], ...]:
    order = image_sides(mirrored, quarters)
    numbers: dict[str | None, int] = {}
    return tuple(
        tuple(
            (tile.locked, *(numbers.setdefault(tile.colours[side], len(numbers)) for side in order))
            for tile in row
        )
        for row in table
    )


def _replace_tile(level: Level, tile: Tile, **changes: object) -> Level:
    parts = {"colours": tile.colours, "locked": tile.locked} | changes
    new = Tile(tile.name, tile.x, tile.y, **parts)  # type: ignore[arg-type]  # one of the two
    return Level([new if one is tile else one for one in level.tiles], level.columns, level.rows)


class ShiftItDesign:
    """Functions of `gridproof.analysis.design.Design`."""

    def canonical(self, level: Level) -> Hashable:
        """Return the least image of the board, its colours numbered as they come, without names."""
        width = len(level.columns)
        rows = [level.tiles[first : first + width] for first in range(0, len(level.tiles), width)]
        return min(_image_key(mirrored, quarters, table) for mirrored, quarters, table in images(rows))

    def ablations(self, level: Level) -> Iterator[Ablation]:
        """List the board with each tile in a colour of its own, which asks nothing, and without each lock."""
        own = "own"
        while own in level.colours:
            own += "_"
        width = len(level.columns)
        for number, tile in enumerate(level.tiles):
            place = number % width, number // width
            alone = _replace_tile(level, tile, colours=(own,) * 4)
            yield Ablation(f"the tile {tile.name}", (alone,), place, "the tile", _OWN_COLOUR)
            if tile.locked:
                unlocked = _replace_tile(level, tile, locked=False)
                yield Ablation(f"the lock of {tile.name}", (unlocked,), place, "the lock")


DESIGN = ShiftItDesign()
