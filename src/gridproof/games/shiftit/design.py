"""What designers ask of a board of Shift It: the same one turned, and without what a tile asks for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from gridproof.core.game import Without
from gridproof.core.symmetry import Table, images
from gridproof.games.shiftit.rules import Level, Tile

_TURNED = (3, 0, 1, 2)  # after a quarter clockwise, the side up is what was the left one
_MIRRORED = (0, 3, 2, 1)


def canonical(level: Level) -> Hashable:
    """The least image of the board, its colours numbered as they come; names do not count."""
    width = len(level.columns)
    rows = [level.tiles[first : first + width] for first in range(0, len(level.tiles), width)]
    return min(_numbered(mirrored, quarters, table) for mirrored, quarters, table in images(rows))


def _numbered(mirrored: bool, quarters: int, table: Table[Tile]) -> tuple[tuple[object, ...], ...]:
    order: tuple[int, ...] = _MIRRORED if mirrored else (0, 1, 2, 3)
    for _ in range(quarters):
        order = tuple(order[side] for side in _TURNED)
    numbers: dict[str | None, int] = {}
    return tuple(
        tuple(
            (tile.locked, *(numbers.setdefault(tile.colours[side], len(numbers)) for side in order))
            for tile in row
        )
        for row in table
    )


def without(level: Level) -> Iterator[Without]:
    """The board with each tile in a colour of its own, so that nothing is asked of it, and without each lock."""
    own = "own"
    while own in level.colours:
        own += "_"
    width = len(level.columns)
    for number, tile in enumerate(level.tiles):
        place = number % width, number // width
        yield Without(f"the tile {tile.name}", (_changed(level, tile, colours=(own,) * 4),), place)
        if tile.locked:
            yield Without(f"the lock of {tile.name}", (_changed(level, tile, locked=False),), place)


def _changed(level: Level, tile: Tile, **changes: object) -> Level:
    parts = {"colours": tile.colours, "locked": tile.locked} | changes
    new = Tile(tile.name, tile.x, tile.y, **parts)  # type: ignore[arg-type]  # one of the two
    return Level([new if one is tile else one for one in level.tiles], level.columns, level.rows)
