"""All positions of a level, reachable or not: a game's extension `enumeration`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game

Who = tuple[str | None, ...]
"""The actors: names, or None for all players."""


@dataclass(frozen=True, kw_only=True)
class Enumeration:
    """List of the positions of a level: the value `ENUMERATION`.

    What no action of the actors can change is as in one of the starts. A proof adds what follows from listed positions: it
    does not rely on the list.
    """

    size: Callable[[Any, Who], int]
    """(starts, actors) -> the number of positions that are tried, at least that of the listed ones."""
    positions: Callable[[Any, Who], Iterator[Any]]
    """(starts, actors) -> each position once, by the rules alone."""


def enumeration_of(game: Game) -> Enumeration:
    """Return the enumeration of a game; GridproofError when it has none."""
    found = find_extension(game, "enumeration", Enumeration)
    if found is None:
        raise GridproofError(
            f"{game.name} does not list all positions of a level, which a proof by induction needs"
        )
    return found
