"""Conversion of positions to observations, and back, without an environment."""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.text.phrases import short_repr
from gridproof.envs.extension import BoardParser, JointPlay
from gridproof.envs.game_batch import Array, Games
from gridproof.envs.observation import check_kind
from gridproof.envs.scalar import GridEnv
from gridproof.kernels.batch import start_of
from gridproof.kernels.game import GameKernel, Packing, packing_of


def observe(position: Position[Any], observation: str = "symbols") -> Any:
    """Return what an environment of the position's level shows when an episode begins there.

    Parameters
    ----------
    position : Position
    observation : str
        "symbols", "planes", "text", or in Robots "board", as the option of environments. In Robots the first two are the
        knowledge of the first robot, and "board" is the full board as it sees it.

    Returns
    -------
    array or str
        As `reset(options={"position": position})` gives it.

    Raises
    ------
    GridproofError
        For an object that is no position, an unknown kind of observation, or a level without environments.

    Examples
    --------
    >>> import gridproof as gp
    >>> import gridproof.envs
    >>> gridproof.envs.observe(gp.level("twenty48/positions/1").start())
    array([[1, 0, 0, 1],
           [0, 0, 0, 0],
           [0, 0, 0, 0],
           [0, 0, 0, 0]], dtype=uint8)
    """
    if not isinstance(position, Position):
        raise GridproofError(f"a position is needed, not {type(position).__name__}")
    return environment_of(position.level, observation).reset(options={"position": position})[0]


@functools.lru_cache(maxsize=8)
def environment_of(
    level: Level, observation: str, beside: tuple[Level, ...] = (), joint: bool = False
) -> GridEnv:
    """Return an environment whose first level is given, of the game's own class if it has one.

    If `joint`, one player acts for all actors.
    """
    options: dict[str, Any] = {"levels": [level, *beside], "observation": observation}
    options |= joint_options(level.game) if joint else {}
    if spec := find_spec(level.game):
        own: Any = gymnasium.make(spec, **options).unwrapped
        return own  # type: ignore[no-any-return]  # Gymnasium's registry has no types
    return GridEnv(level.game, **options)


def find_spec(game: Game) -> EnvSpec | None:
    """Return Gymnasium's entry of a game's own environment, `gridproof/NAME-v0`; None without one."""
    for spec in gymnasium.registry.values():
        if (spec.namespace, spec.name.lower()) == ("gridproof", game.name):
            return spec
    return None


def joint_options(game: Game) -> Mapping[str, Any]:
    """Return the options of an environment in which one player acts for all actors; none if it is always so."""
    found = find_extension(game, "env", object)
    return found.joint if isinstance(found, JointPlay) else {}


def check_all_actors(level: Level, games: Games) -> None:
    """Check that the actions of an environment's first level are those of all its players; GridproofError otherwise."""
    known = games.action_numbers(0).keys()
    if any(str(action) not in known for action in level.all_actions() if level.owner(action) != NATURE):
        raise GridproofError(
            f"{level.game.name} has no labels and no data sets: its environment is for one of several actors"
        )


def parse_observation(level: Level, observed: Any, observation: str = "symbols") -> Position[Any]:
    """Return the position that an observation shows: the inverse of `observe`.

    Parameters
    ----------
    level : Level
        Level of the position; `info["level"]` is its number in an environment.
    observed : array or str
        Observation of one game; its board may be framed by walls, as beside larger boards (Sokoban). Planes may be of any
        type of numbers.
    observation : str
        Kind of the observation: "symbols", "planes", "text", or in Robots "board", as the first robot sees it.

    Returns
    -------
    Position
        In Shift It, tiles of the same colours look the same: then it is one of the positions with the observation.

    Raises
    ------
    GridproofError
        When no position of the level has the observation, the kind is unknown, or the game's observations do not contain
        the position (in Robots other ones than "board" and "text").

    Examples
    --------
    >>> import gridproof as gp
    >>> from gridproof.envs import observe, parse_observation
    >>> start = gp.level("sokoban/first-steps/1").start()
    >>> parse_observation(start.level, observe(start, "planes"), "planes") == start
    True
    """
    if not isinstance(level, Level):
        raise GridproofError(f"a level is needed, not {short_repr(level)}")
    found = find_extension(level.game, "env", object)
    if observation == "board" and isinstance(found, BoardParser):
        position: Position[Any] = pkgutil.resolve_name(found.parse_board)(level, np.asarray(observed))
        return position
    return _parse_common(level, observed, observation)


def _parse_common(level: Level, observed: Any, observation: str) -> Position[Any]:
    """Return the position of an observation that all games have; errors as of `parse_observation`."""
    check_kind(observation)
    if observation == "text":
        return level.position(observed)
    found = packing_of(level)
    if found is None or found[1].from_symbols is None:
        raise GridproofError(
            f"observations of {level.game.name} do not contain the position: choose observation='text'"
            + (" or 'board'" if isinstance(find_extension(level.game, "env", object), BoardParser) else "")
        )
    symbols = np.asarray(observed)
    if observation == "planes":
        symbols = _symbols_of_planes(symbols, found[1].observed)
    return _position_of_symbols(*found, symbols)


def _position_of_symbols(kernel: GameKernel, packing: Packing, symbols: Array) -> Position[Any]:
    """Return the position of symbols; GridproofError when no position of the level has them."""
    wrong = GridproofError("no position of the level has this observation")
    shape, framed = packing.observed, packing.framed
    if symbols.shape != shape and not (framed and _contains(symbols.shape, shape)):
        raise GridproofError(f"symbols of the level have the shape {shape}, not {symbols.shape}")
    inner = symbols[tuple(map(slice, shape))]
    if symbols.dtype.kind not in "iu" or symbols.min() < 0 or symbols.max() > 255 or not packing.from_symbols:
        raise wrong
    try:
        position = packing.from_symbols(inner)
        position = position and packing.level.position(position.text())  # asks for all that the rules ask
    except GridproofError as error:
        raise wrong from error
    if position is None or not packing.fits(position):
        raise wrong
    data = framed(symbols.shape) if framed else packing.data
    again, state = np.zeros(symbols.size, np.uint8), start_of(packing)
    state[: packing.words] = packing.pack(position)
    kernel.env.observe(data, state, 0, again)
    if (again != symbols.ravel()).any():
        raise wrong
    return position


def _contains(outer: tuple[int, ...], inner: tuple[int, ...]) -> bool:
    return len(outer) == len(inner) and all(one >= other for one, other in zip(outer, inner, strict=True))


def _symbols_of_planes(planes: Array, observed: tuple[int, ...]) -> Array:
    """Return the symbols of planes (parts * symbols, rows, columns), on boards of one, two or three dimensions.

    GridproofError when a cell has not one symbol for each of its parts.
    """
    parts = observed[2] if len(observed) == 3 else 1
    if planes.ndim != 3 or not len(planes) or len(planes) % parts:
        raise GridproofError(f"planes have the shape (symbols, rows, columns), not {planes.shape}")
    each = planes.reshape(parts, -1, *planes.shape[1:])
    if planes.dtype.kind not in "biuf" or ((each != 0) & (each != 1)).any() or (each.sum(axis=1) != 1).any():
        raise GridproofError("planes have a 1 for the symbol of each cell, and else 0")
    cells: Array = np.moveaxis(each.argmax(axis=1), 0, -1)
    if len(observed) < 3:
        cells = cells[..., 0]
    return cells.ravel() if len(observed) == 1 else cells
