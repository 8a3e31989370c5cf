"""Observations of positions without an environment."""

from __future__ import annotations

import functools
from typing import Any

import gymnasium

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level, Position
from gridproof.envs.scalar import GridEnv


def observe(position: Position[Any], observation: str = "symbols") -> Any:
    """Return what an environment of the position's level shows when an episode begins there.

    Parameters
    ----------
    position : Position
    observation : str
        "symbols", "planes" or "text", as the option of environments. In Robots it is the knowledge of the first robot.

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
    return _environment(position.level, observation).reset(options={"position": position})[0]


@functools.lru_cache(maxsize=8)
def _environment(level: Level, observation: str) -> GridEnv:
    """Return an environment of one level, of the game's own class if it has one."""
    name = level.game.name
    options: dict[str, Any] = {"levels": [level], "observation": observation}
    for spec in gymnasium.registry.values():
        if (spec.namespace, spec.name.lower()) == ("gridproof", name):
            own: Any = gymnasium.make(spec, **options).unwrapped
            return own  # type: ignore[no-any-return]  # Gymnasium's registry has no types
    return GridEnv(level.game, **options)
