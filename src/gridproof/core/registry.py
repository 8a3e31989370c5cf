"""Registry of games by name: the built-in ones, and plug-ins by the entry points `gridproof.games`.

A built-in game is a package of `gridproof.games` with a value `GAME`; none is listed anywhere.
"""

from __future__ import annotations

import difflib
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


@functools.cache
def _loaders() -> Mapping[str, Callable[[], object]]:
    folder: ModuleType = importlib.import_module(GROUP)
    names = [module.name for module in pkgutil.iter_modules(folder.__path__)]
    own = [importlib.metadata.EntryPoint(name, f"{GROUP}.{name}:GAME", GROUP) for name in names]
    plugins = importlib.metadata.entry_points(group=GROUP)
    return {point.name: point.load for point in (*plugins, *own)}  # a plug-in never hides a built-in game


def game_names() -> tuple[str, ...]:
    """The names of all games, built-in and installed, in alphabetical order; without the template.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import gridproof as gp
    >>> {"robots", "shiftit", "sokoban", "twenty48"} <= set(gp.game_names())
    True
    """
    return tuple(sorted(set(_loaders()) - {TEMPLATE}))


def is_game(name: str) -> bool:
    """Return whether there is a game of this name; the template is one."""
    return name in _loaders()


@functools.cache
def game(name: str) -> Game:
    """The game of this name.

    Parameters
    ----------
    name : str
        One of `gridproof.game_names()`, the title of one ("2048"), or the template, "null".

    Returns
    -------
    Game

    Raises
    ------
    GridproofError
        When there is none, or an installed package's entry point gives no game or cannot be loaded.

    Examples
    --------
    >>> import gridproof as gp
    >>> gp.game("sokoban")
    gridproof.game('sokoban')
    """
    loader = _loaders().get(name)
    if loader is None:
        name = str(name)
        if titled := name_of_title(name):
            return game(titled)
        raise GridproofError(f"no game {name!r}; choose from {', '.join(game_names())}{suggest_game(name)}")
    try:
        found = loader()
    except GridproofError:
        raise
    except Exception as error:  # whatever other people's code does when it is imported
        raise GridproofError(
            f"the installed game {name!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(found, Game) or found.name != name:
        raise GridproofError(f"the entry point {name!r} of {GROUP} is no game of that name")
    return found


def name_of_title(title: str) -> str:
    """Return the name of the game that has a title, in capitals or small letters; "" if none has."""
    return next((one.name for one in games() if one.title.lower() == title.lower()), "")


def suggest_game(name: str) -> str:
    """Return the game whose name or title is like a name, as the end of a message."""
    known = {word.lower(): one.name for one in games() for word in (one.title, one.name)}
    close = difflib.get_close_matches(name.lower(), known, 1)
    return f"; did you mean {known[close[0]]}?" if close else ""


def resolve_game(named: str | Game) -> Game:
    """Return a game, or the one of a name; errors as of `game`, and for other values."""
    if isinstance(named, Game):
        return named
    if not isinstance(named, str):
        raise GridproofError(f"a game or its name is needed, not {type(named).__name__}")
    return game(named)


def games() -> tuple[Game, ...]:
    """Return all games that can be loaded, in the order of their names; `load_errors` has the others."""
    broken = load_errors()
    return tuple(game(name) for name in game_names() if name not in broken)


def load_errors() -> Mapping[str, str]:
    """Return the errors of installed games that cannot be loaded, by their names."""
    found: dict[str, str] = {}
    for name in game_names():
        try:
            game(name)
        except GridproofError as error:
            found[name] = str(error)
    return found
