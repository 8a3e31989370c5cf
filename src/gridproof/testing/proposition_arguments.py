"""Small valid arguments of propositions on a level."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.core.position import NATURE, Level, Position

_FEW = (-1, 0, 1, 2, 3)
_MORE = (4, 7, 64, 2048, 1 << 40)
"""Further numbers for propositions with one argument."""


def arguments_of(proposition: Proposition, level: Level, count: int) -> Iterator[tuple[int | str, ...]]:
    """Yield the tuples of `count` numbers and names of players that the proposition accepts.

    The empty tuple is always valid.
    """
    players = (name for name in level.game.actors(level) if name != NATURE)
    numbers = (*_FEW, *_MORE) if count == 1 else _FEW
    start = level.start()
    for arguments in itertools.product((*numbers, *players), repeat=count):
        if not arguments or _is_valid(proposition, start, arguments):
            yield arguments


def _is_valid(proposition: Proposition, start: Position[Any], arguments: tuple[int | str, ...]) -> bool:
    try:
        proposition.value(start, *arguments)
    except GridproofError:
        return False
    return True
