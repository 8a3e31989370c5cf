"""Compilation of a game's environments in advance, so that `make` in later processes starts at once."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.envs.extension import OwnEnvs
from gridproof.envs.levels import Source
from gridproof.envs.vector import GridVectorEnv


def warm(game: Game) -> Iterator[str]:
    """Compile the environments of a game; yield descriptions of what was compiled."""
    for pack in pack_names(game)[:1]:
        with contextlib.suppress(GridproofError):  # games without a kernel, or without observations
            envs = _make(game, builtin_pack(game, pack)[:1])
            envs.reset(seed=0)
            envs.step(envs.sample_legal())
            envs.games.update_observations()
            envs.close()
            yield "environments"


def _make(game: Game, levels: Source) -> GridVectorEnv:
    found = find_extension(game, "env", object)
    if not isinstance(found, OwnEnvs):
        return GridVectorEnv(game, 1, levels)
    module, _, name = found.vector.partition(":")
    own: type[GridVectorEnv] = getattr(importlib.import_module(module), name)
    return own(1, levels)  # type: ignore[arg-type]  # as `OwnEnvs` says
