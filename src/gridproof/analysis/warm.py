"""Compilation for analyses, besides the engines of `gridproof.search.warm` and `gridproof.prove.warm`."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gridproof.analysis.level import analyse
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.kernels.game import kernel_of

_LIMIT = Limit(seconds=math.inf, states=20_000)
_MOST = 10
"""The most levels to try."""


def warm(game: Game) -> Iterator[str]:
    """Compile the analysis by analysing levels until an analysis is complete; yield a description of it."""
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    for level in levels[:_MOST] if kernel_of(game) else ():
        if analyse(level, _LIMIT).whole:
            yield "analyses"
            return
