"""`gp.generate`: a new level of a game, from a seed."""

from __future__ import annotations

import inspect
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game, Level
from gridproof.core.loading import load
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed


def generate(game: str | Game, seed: int, **parameters: Any) -> Level:
    """Make a new level: the same one for the same arguments, always.

    Parameters
    ----------
    game : str or Game
        A game, or its name.
    seed : int
        64 bits.
    **parameters
        The game's own, all of which may be left out: its size, a wished difficulty, ...

    Returns
    -------
    Level
        Its `certificate` wins it. What was wished for but could not be reached stands in its `keys`.

    Raises
    ------
    GridproofError
        For an unknown game, one that makes no levels, a seed or parameters that it does not take.
    """
    found = game if isinstance(game, Game) else game_named(game)
    if not found.generator:
        raise GridproofError(f"{found.name} makes no new levels")
    maker = load(found.generator).generate
    known = [name for name in inspect.signature(maker).parameters if name != "seed"]
    for name in parameters:
        if name not in known:
            raise GridproofError(f"{found.name} knows no parameter {name!r}: it has {', '.join(known)}")
    level: Level = maker(check_seed(seed), **parameters)
    return level


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse a parameter that is no whole number within bounds.

    Raises
    ------
    GridproofError
        Naming the parameter, its value and the bounds.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise GridproofError(f"{name}={value!r}: it must be a whole number from {least} to {most} here")
