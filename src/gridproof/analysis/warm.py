"""What analyses need compiled once, besides the engines: `gridproof.search.warm` and `gridproof.prove.warm` have those."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.shelf import pack_names, shipped
from gridproof.kernels.game import kernel_of
from gridproof.play.analysis.level import analyse

_LIMIT = Limit(seconds=math.inf, states=20_000)
_MOST = 10
"""Levels that are tried."""


def warm(game: Game) -> Iterator[str]:
    """Compile it, by analysing levels until one is known as a whole; what has been compiled, in a few words."""
    levels = [level for name in pack_names(game) for level in shipped(game, name)]
    for level in levels[:_MOST] if kernel_of(game) else ():
        if analyse(level, _LIMIT).whole:
            yield "analyses"
            return
