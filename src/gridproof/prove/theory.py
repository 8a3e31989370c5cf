"""Rules of a game as an answer-set program: a game's extension `theory`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game

Arguments = Sequence[str]
"""The arguments of a proposition, as a formula has them."""


@dataclass(frozen=True, kw_only=True)
class PlayTheory:
    """Plays of a level as answer sets: the value `THEORY`.

    The program has `time/1`, `start/1` and `next/2` as facts. It derives `state(T,F)`, what is so in the position at each time,
    from `first(F)`, what is so at the start: both are functional, so equal positions have equal terms F. `executable(T,A)` are
    the actions, one of which is done at each time but the last one, unless `over(T)`.
    """

    program: Path
    """The rules, in the part `base`; the part `anywhere` derives `first(F)` of any position of the level from
    `given(I,F)`, those of some positions."""
    facts: Callable[[Any, int], Iterator[str]]
    """(level, horizon) -> the facts of the level and of the times from 0 to the horizon."""
    terms: Callable[[Any], Iterable[str]]
    """(position) -> its terms F."""
    position: Callable[[Any, Iterable[Any]], Any]
    """(level, symbols of clingo) -> the position with these terms."""
    proposition: Callable[[str, Arguments], str | None]
    """(name, arguments) -> a body that is true at the time T if the proposition is; None for one it does not have."""
    number: Callable[[str, Arguments], str | None]
    """(name, arguments) -> a body that binds N to the number at the time T; None for one it does not have."""
    action: Callable[[str], str]
    """(text) -> the term of an action."""


def theory_of(game: Game) -> PlayTheory:
    """Return the theory of a game; GridproofError when it has none."""
    found = find_extension(game, "theory", PlayTheory)
    if found is None:
        raise GridproofError(f"{game.name} has no theory for clingo: use the engine explicit")
    return found
