"""Sources of an environment's levels: packs, files, folders, levels, or a generator."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.generate import generate
from gridproof.core.position import Level
from gridproof.core.text import level_lookup
from gridproof.core.text.phrases import short_repr
from gridproof.envs import tasks
from gridproof.envs.splits import check_split, distinct_levels


@dataclass(frozen=True)
class Generated:
    """Levels from a generator, all made with the environment, so that `reset` is fast.

    No level is a rotated, reflected or renamed copy of another one, or of a level of the game's graded tasks
    (`gridproof.core.design.canonical`).
    """

    count: int = 32
    """Number of levels; their seeds count up from `seed`, without those that give copies."""
    seed: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of `gp.generate`: {"width": 3}."""
    split: str | None = None
    """"train" or "test": only levels of this split (`split_of`), so that no seed gives a level to both."""

    @classmethod
    def of_task(cls, name: str, count: int = 32, seed: int = 0, split: str | None = None) -> Generated:
        """Return levels like those of a graded task, to train for it; GridproofError for a task without a generator."""
        return cls(count, seed, tasks.parameters_of(name), split)

    def levels(self, game: Game) -> list[Level]:
        """Generate the levels; errors as of `gp.generate`, and GridproofError when there are not so many."""
        if not isinstance(self.count, int) or self.count < 1:
            raise GridproofError(
                f"the number of levels is a whole number, at least 1, not {short_repr(self.count)}"
            )
        check_split(self.split)
        made = (generate(game, seed, **self.parameters) for seed in itertools.count(self.seed))
        distinct = distinct_levels(made, self.split, tasks.canonical_levels(game.name))
        return list(itertools.islice(distinct, self.count))


Source: TypeAlias = "str | Path | Level | Generated | Iterable[Level] | None"
"""A reference as in commands (`sokoban/first-steps`, `FILE`, `FILE#3`), a file, a folder with files of levels, a
level, levels, or `Generated`; None for the levels of the game's first pack that can share an environment with its first."""


def levels_of(game: Game, source: Source = None) -> list[Level]:
    """Return the levels of a source, at least one, all of the game.

    GridproofError when there are none, they are not readable, or they belong to another game.
    """
    found = _read_source(game, source)
    if wrong := [level for level in found if not isinstance(level, Level)]:
        raise GridproofError(f"an environment needs levels, not {short_repr(wrong[0])}")
    if strange := {level.game.name for level in found} - {game.name}:
        raise GridproofError(f"levels of {game.name} are needed, not of {strange.pop()}")
    if not found:
        raise GridproofError(f"an environment needs levels of {game.name}, but there are none")
    return found


def _read_source(game: Game, source: Source) -> list[Level]:
    if source is None:
        source = level_lookup.first_pack(game.name)
    if isinstance(source, Generated):
        return source.levels(game)
    if isinstance(source, Level):
        return [source]
    if isinstance(source, str | Path):
        return (
            _read_path(game, Path(source))
            if os.path.exists(source)  # pathlib raises for a long name
            else list(level_lookup.levels_at(str(source), game.name))
        )
    try:
        return list(source)
    except TypeError:
        raise GridproofError(f"levels must be names or levels, not {short_repr(source)}") from None


def _read_path(game: Game, path: Path) -> list[Level]:
    if not path.is_dir():
        return list(level_lookup.read(path, game))
    endings = tuple(ending for form in game.formats for ending in form.extensions)
    files = sorted(file for file in path.rglob("*") if file.name.endswith(endings) and file.is_file())
    if not files:
        raise GridproofError(f"{path}: no file in this folder ends in {', '.join(endings)}")
    read = functools.partial(level_lookup.read, game=game)
    return [level for file in files for level in read(file)]
