"""From names to games: the built-in ones, and other people's by the entry points `gridproof.games`.

A built-in game is a package of `gridproof.games` with a value `GAME`; none is listed anywhere.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable, Mapping
from types import ModuleType

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game

GROUP = "gridproof.games"
TEMPLATE = "null"
"""The template game: found by name, listed nowhere."""


def _built_in(name: str) -> Callable[[], Game]:
    return lambda: _checked(importlib.import_module(f"{GROUP}.{name}").GAME, name)


def _checked(value: object, name: str) -> Game:
    if not isinstance(value, Game) or value.name != name:
        raise GridproofError(f"the entry point {name!r} of {GROUP} is no game of that name")
    return value


def _plug_in(point: importlib.metadata.EntryPoint) -> Callable[[], Game]:
    def load() -> Game:
        try:
            return _checked(point.load(), point.name)
        except GridproofError:
            raise
        except Exception as error:  # whatever other people's code does when it is imported
            raise GridproofError(
                f"the installed game {point.name!r} cannot be loaded: {type(error).__name__}: {error}"
            ) from error

    return load


@functools.cache
def _loaders() -> Mapping[str, Callable[[], Game]]:
    folder: ModuleType = importlib.import_module(GROUP)
    found = {module.name: _built_in(module.name) for module in pkgutil.iter_modules(folder.__path__)}
    for point in importlib.metadata.entry_points(group=GROUP):
        found.setdefault(point.name, _plug_in(point))  # a plug-in never hides a built-in game
    return found


def game_names() -> tuple[str, ...]:
    """The names of all games, built-in and installed, in alphabetical order; without the template."""
    return tuple(sorted(set(_loaders()) - {TEMPLATE}))


def is_game(name: str) -> bool:
    """Whether there is a game of this name; the template is one."""
    return name in _loaders()


@functools.cache
def game(name: str) -> Game:
    """The game of this name.

    Raises
    ------
    GridproofError
        When there is none, or an installed package's entry point gives no game or cannot be loaded.
    """
    loader = _loaders().get(name)
    if loader is None:
        raise GridproofError(f"no game {name!r}: there are {', '.join(game_names())}")
    return loader()


def game_meant(named: str | Game) -> Game:
    """A game, or the one of a name; errors as of `game`, and for what is neither."""
    if isinstance(named, Game):
        return named
    if not isinstance(named, str):
        raise GridproofError(f"a game or its name is needed, not {type(named).__name__}")
    return game(named)


def games() -> tuple[Game, ...]:
    """All games that can be loaded, in the order of their names; `broken` says why the others cannot."""
    unsound = broken()
    return tuple(game(name) for name in game_names() if name not in unsound)


def broken() -> Mapping[str, str]:
    """Why installed games cannot be loaded, by their names."""
    return {name: fault for name in game_names() if (fault := _fault(name))}


def _fault(name: str) -> str:
    try:
        game(name)
    except GridproofError as error:
        return str(error)
    return ""
