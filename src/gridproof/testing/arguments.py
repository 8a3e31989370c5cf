"""Arguments to try propositions with: every small one that means something on a level."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.core.position import NATURE, Level, Position

_FEW = (-1, 0, 1, 2, 3)
_MORE = (4, 7, 64, 2048, 1 << 40)
"""These too, where there is one argument alone."""


def arguments_of(proposition: Proposition, level: Level, count: int) -> Iterator[tuple[int | str, ...]]:
    """All tuples of `count` arguments, numbers and names of players, that its value does not refuse.

    None at all are never refused.
    """
    players = (name for name in level.game.actors(level) if name != NATURE)
    numbers = (*_FEW, *_MORE) if count == 1 else _FEW
    start = level.start()
    for arguments in itertools.product((*numbers, *players), repeat=count):
        if not arguments or _means_something(proposition, start, arguments):
            yield arguments


def _means_something(
    proposition: Proposition, start: Position[Any], arguments: tuple[int | str, ...]
) -> bool:
    try:
        proposition.value(start, *arguments)
    except GridproofError:
        return False
    return True
