"""Whether given structures are models of a game's rules, for games that name a module which can tell."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gridproof.core import files, reading
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.trace import Trace


@dataclass(frozen=True, slots=True)
class Violation:
    """A clause that a structure breaks."""

    clause: str
    """Its number: "S5"."""
    time: int | None
    """When; None for what has no time."""
    where: str | None
    """The tile, side or symbol concerned; None where there is none."""
    message: str

    def __str__(self) -> str:
        time = "" if self.time is None else f" at time {self.time}"
        where = "" if self.where is None else f", {self.where}"
        return f"{self.clause}{time}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found out about one structure."""

    name: str
    """The structure's own."""
    title: str
    holds: bool | None
    """Whether it is a model, or can be completed to one; None when a limit was reached first."""
    violation: Violation | None
    """The first violated clause, when it is none."""
    trace: Trace | None
    """The play that it is, or that completes it."""
    picture: str
    """The same moment by moment, as text; "" when there is none."""


def check_models(
    source: str | Path,
    game: str | Game | None = None,
    limit: Limit | None = None,
    horizon: int | None = None,
) -> Iterator[Checked]:
    """Check whether each structure of a text (str) or a file (Path) is a model, or can be completed to one.

    Parameters
    ----------
    source : str or Path
        At most 16 MiB.
    game : str or Game, optional
        Needed only for texts that no format recognises.
    limit : Limit, optional
        For each structure.
    horizon : int, optional
        Of structures that list no times, such as boards alone: those from 0 to this are taken.

    Raises
    ------
    ParseError
        When the text has not the form of structures, or they do not fit their vocabulary.
    GridproofError
        When a file cannot be read, the game checks no structures, or the horizon is none.
    """
    if isinstance(source, Path):
        with files.naming(source):
            yield from _check(files.text_of(source), game, limit, horizon)
    else:
        yield from _check(source, game, limit, horizon)


def _check(text: str, game: str | Game | None, limit: Limit | None, horizon: int | None) -> Iterator[Checked]:
    text = files.clean(text)
    owner, _ = reading.recognised(text, game)
    if not owner.models:
        raise GridproofError(f"{owner.name} checks no structures")
    checker = importlib.import_module(owner.models)
    found: Iterator[Checked] = checker.check_models(text, limit or Limit(), horizon)
    return found
