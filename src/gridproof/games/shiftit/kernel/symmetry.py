"""Boards of Shift It up to symmetry.

Identical tiles, of the same colours and both locked or both not, may change places. A board may also be turned or
mirrored, and its colours renamed, where this makes each tile one that the board has, and leaves the locked ones: shifts
and connections look the same then (S5, S6, S9, S10).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from gridproof.core.design import images
from gridproof.games.shiftit.design import image_sides
from gridproof.games.shiftit.kernel.ranks import ranking
from gridproof.games.shiftit.kernel.shifts import PLACES, kinds_of, put_kinds
from gridproof.games.shiftit.rules import Level, tile_kinds
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Packing, SymmetryKernel

Array = np.ndarray[Any, Any]

_WORTH = 24
"""The size of orbits from which on a search of them is quicker than one of all ranks."""
_MOST_NAMINGS = 120
"""The number of ways to rename colours up to which all are tried."""


@kernel
def is_less(first: Any, second: Any) -> Any:
    """Return whether the first state comes before the second."""
    for word in range(first.shape[0]):
        if first[word] != second[word]:
            return first[word] < second[word]
    return False


@kernel
def map_kinds(symmetry: Any, kinds: Any, image: Any) -> None:
    """Write the kind on each place of the image of a board."""
    places = kinds.shape[0]
    for place in range(places):
        image[place] = symmetry[places + kinds[symmetry[place]]]


@kernel
def least_image(data: Any, symmetries: Any, state: Any) -> None:
    """Replace a state by its least image."""
    kinds = np.empty(data[PLACES], np.int64)
    mapped, free, image = np.empty_like(kinds), np.empty_like(kinds), np.empty_like(state)
    kinds_of(data, state, kinds)
    for number in range(symmetries.shape[0]):
        map_kinds(symmetries[number], kinds, mapped)
        put_kinds(data, mapped, free, image)
        if number == 0 or is_less(image, state):
            state[:] = image


@kernel
def orbit_size(data: Any, symmetries: Any, state: Any) -> Any:
    """Return the number of positions whose least image is the one given, or 2**40 if there are more."""
    kinds = np.empty(data[PLACES], np.int64)
    mapped, seen = np.empty_like(kinds), np.zeros_like(kinds)
    kinds_of(data, state, kinds)
    same = 0
    for number in range(symmetries.shape[0]):
        map_kinds(symmetries[number], kinds, mapped)
        same += np.array_equal(mapped, kinds)
    size = symmetries.shape[0] // same
    for kind in kinds:
        seen[kind] += 1
        size = min(size * seen[kind], 1 << 40)  # the factorial of the number of tiles of each kind
    return size


def symmetries_of(level: Level) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the symmetries of a board, the board itself first.

    Each is the place from which the tile of each place comes, and the kind that tiles of each kind become.
    """
    kinds, width = tile_kinds(level), len(level.columns)
    counts, places = Counter(kinds), range(len(kinds))
    tiles = dict(zip(kinds, level.tiles, strict=True))
    numbers: dict[object, int] = {(tile.colours, tile.locked): kind for kind, tile in tiles.items()}
    rows = [places[first : first + width] for first in places[::width]]
    locked = [place for place in places if level.tiles[place].locked]
    for mirrored, quarters, table in images(rows):
        if len(table[0]) != width:
            continue
        sources, order = [*itertools.chain(*table)], image_sides(mirrored, quarters)
        for names in _namings(level):
            looks = [tuple(names[tiles[kind].colours[side]] for side in order) for kind in range(len(tiles))]
            become = [numbers.get((look, tiles[kind].locked)) for kind, look in enumerate(looks)]
            if {one: counts[kind] for kind, one in enumerate(become)} == counts and all(
                kinds[place] == become[kinds[sources[place]]] for place in locked
            ):
                yield sources, cast("list[int]", become)


def _namings(level: Level) -> Iterator[dict[str | None, str | None]]:
    """Yield the ways to rename colours that have as many sides; only the given names if there are too many."""
    sides = Counter(colour for tile in level.tiles for colour in tile.colours)
    groups = [[one for one in sides if sides[one] == size] for size in dict.fromkeys(sides.values())]
    if math.prod(math.factorial(len(group)) for group in groups) > _MOST_NAMINGS:
        yield {colour: colour for colour in sides}
        return
    for orders in itertools.product(*map(itertools.permutations, groups)):
        yield dict(zip(itertools.chain(*groups), itertools.chain(*orders), strict=True))


def pack_symmetries(packing: Packing) -> Array | None:
    """Return the symmetries of a board as int64 (number, 2 * places), or None where a search of all ranks is quicker."""
    level = cast("Level", packing.level)
    symmetries = [*symmetries_of(level)]
    orbit = len(symmetries) * math.prod(map(math.factorial, Counter(tile_kinds(level)).values()))
    if orbit < (2 if ranking(level) is None else _WORTH):
        return None
    packed = np.zeros((len(symmetries), 2 * len(level.tiles)), np.int64)
    for row, (sources, become) in zip(packed, symmetries, strict=True):
        row[: len(sources)] = sources
        row[len(sources) :][: len(become)] = become
    return packed


SYMMETRY = SymmetryKernel(
    canonicalize=least_image,
    data=pack_symmetries,
    size=orbit_size,
    invariant=frozenset({"won", "lost", "ended"}),
)
