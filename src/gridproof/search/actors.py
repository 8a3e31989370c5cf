"""The starts of a search, and its actors."""

from __future__ import annotations

from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.text.level_lookup import resolve_level

Who = tuple[str | None, ...]
"""Actors to ask for actions: names, or None for all players."""

Actors = str | tuple[str, ...] | None
"""Actors as callers name them: None for the players, "all" with nature, a name or names."""


def starts_of(level_or_position: Level | Position[Any] | str) -> list[Position[Any]]:
    """Return a position itself, or all starts of a level or of the name of one, each once; else GridproofError."""
    level_or_position = resolve_level(level_or_position)
    if isinstance(level_or_position, Position):
        return [level_or_position]
    if isinstance(level_or_position, Level):
        return list(dict.fromkeys(outcome.position for outcome in level_or_position.starts()))
    raise GridproofError(f"a level or a position is needed, not {type(level_or_position).__name__}")


def resolve_actors(level: Level, actors: Actors) -> Who:
    """Return the actors to ask for actions; (None,) stands for all players, GridproofError for unknown ones."""
    if actors is None:
        return (None,)
    if not actors or not isinstance(actors, (str, tuple, list)):
        raise GridproofError(f"actors are None, 'all', a name or names, not {actors!r}")
    known = level.game.actors(level)
    chosen = known if actors == "all" else (actors,) if isinstance(actors, str) else tuple(actors)
    for name in chosen:
        if name not in known:
            chance = "; chance comes with actions here" if name == NATURE else ""
            raise GridproofError(f"no actor {name!r}: the level has {', '.join(known)}{chance}")
    if set(chosen) == set(known) - {NATURE}:
        return (None,)
    return tuple(name for name in known if name in chosen)  # in the level's order, as kernels have it
