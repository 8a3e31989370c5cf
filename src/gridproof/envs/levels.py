"""Where an environment's levels come from: packs, files, folders, levels, or a generator."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from gridproof.core import reading, shelf
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.generate import generate
from gridproof.core.position import Level
from gridproof.core.wording import shown


@dataclass(frozen=True)
class Generated:
    """Levels made from a seed, all when the environment is: `reset` is as quick as with any others.

    Parameters
    ----------
    count : int
        How many; they have the seeds from `seed` on.
    seed : int
    parameters : mapping
        The game's own, as `gp.generate` takes them: {"width": 3}.
    """

    count: int = 32
    seed: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def levels(self, game: Game) -> list[Level]:
        """The levels; errors as of `gp.generate`."""
        if not isinstance(self.count, int) or self.count < 1:
            raise GridproofError(
                f"the number of levels is a whole number, at least 1, not {shown(self.count)}"
            )
        return [generate(game, self.seed + number, **self.parameters) for number in range(self.count)]


Source: TypeAlias = "str | Path | Level | Generated | Iterable[Level] | None"
"""A reference as in commands (`sokoban/first-steps`, `FILE`, `FILE#3`), a file, a folder with files of levels, a
level, levels, or `Generated`; None for the game's first pack."""


def levels_of(game: Game, source: Source) -> list[Level]:
    """The levels that a source means, at least one, all of the game.

    Raises
    ------
    GridproofError
        When there are none, they cannot be read, or they belong to another game.
    """
    found = _found(game, source)
    if wrong := [level for level in found if not isinstance(level, Level)]:
        raise GridproofError(f"an environment needs levels, not {shown(wrong[0])}")
    if strange := {level.game.name for level in found} - {game.name}:
        raise GridproofError(f"levels of {game.name} are needed, not of {strange.pop()}")
    if not found:
        raise GridproofError(f"an environment needs levels of {game.name}: there are none")
    return found


def _found(game: Game, source: Source) -> list[Level]:
    if source is None:
        source = shelf.first_pack(game.name)
    if isinstance(source, Generated):
        return source.levels(game)
    if isinstance(source, Level):
        return [source]
    if isinstance(source, str | Path):
        return (
            _read(game, Path(source))
            if os.path.exists(source)  # pathlib raises for a long name
            else list(shelf.levels_at(str(source), game.name))
        )
    try:
        return list(source)
    except TypeError:
        raise GridproofError(f"levels are named, or given, not {shown(source)}") from None


def _read(game: Game, path: Path) -> list[Level]:
    if not path.is_dir():
        return list(reading.read(path, game))
    endings = tuple(ending for form in game.formats for ending in form.extensions)
    files = sorted(file for file in path.rglob("*") if file.name.endswith(endings) and file.is_file())
    if not files:
        raise GridproofError(f"{path}: no file in this folder ends in {', '.join(endings)}")
    read = functools.partial(reading.read, game=game)
    return [level for file in files for level in read(file)]
