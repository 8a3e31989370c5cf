"""Boards of Shift It up to symmetry: identical tiles, of the same colours and both locked or both not, may change places."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, cast

import numpy as np

from gridproof.games.shiftit.kernel.ranks import ranking
from gridproof.games.shiftit.kernel.shifts import canonicalize
from gridproof.games.shiftit.rules import Level, tile_kinds
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Packing, SymmetryKernel

_WORTH = 24
"""The size of orbits from which on a search of them is quicker than one of all ranks."""


@kernel
def sort_identical_tiles(data: Any, symmetry: Any, state: Any) -> None:
    """Put identical tiles into their own order on the places that they hold."""
    canonicalize(data, state)


def find_identical_tiles(packing: Packing) -> np.ndarray[Any, Any] | None:
    """Return an array of no meaning where a board has enough identical tiles; else None."""
    level = cast("Level", packing.level)
    orbit = math.prod(map(math.factorial, Counter(tile_kinds(level)).values()))
    is_worth = orbit > 1 if ranking(level) is None else orbit >= _WORTH
    return np.zeros(1, np.int64) if is_worth else None


SYMMETRY = SymmetryKernel(
    canonicalize=sort_identical_tiles,
    data=find_identical_tiles,
    invariant=frozenset({"won", "lost", "ended"}),
)
