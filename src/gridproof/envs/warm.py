"""What the environments of a game need, compiled once, so that the first `make` of later processes begins at once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.shelf import pack_names, shipped
from gridproof.envs.levels import Source
from gridproof.envs.robots import RobotsVectorEnv
from gridproof.envs.vector import GridVectorEnv


def warm(game: Game) -> Iterator[str]:
    """Compile what environments of a game need, single ones too; what has been compiled, in a few words."""
    for pack in pack_names(game)[:1]:
        with contextlib.suppress(GridproofError):  # games without a kernel, or with one that observes nothing
            envs = _made(game, shipped(game, pack)[:1])
            envs.reset(seed=0)
            envs.step(envs.sample_legal())
            envs.games.see_anew()
            envs.close()
            yield "environments"


def _made(game: Game, levels: Source) -> GridVectorEnv:
    return RobotsVectorEnv(1, levels) if game.name == "robots" else GridVectorEnv(game, 1, levels)
