"""Formulas that a game offers: its extension `formulas`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import Level


@dataclass(frozen=True, slots=True)
class Domain:
    """Things of a level, for `forall x in DOMAIN: ...` and `exists`."""

    parameters: tuple[str, ...]
    """Names of the values that give a thing: ("x", "y")."""
    meaning: str
    """One line."""
    things: Callable[[Any], Iterable[tuple[int | str, ...]]]
    """The things of a level, each with a value for each parameter."""


def _list_actions(level: Level) -> Iterable[tuple[str]]:
    listed = level.all_actions()
    if not listed:
        raise GridproofError("this level does not list its actions; name them one by one")
    return ((str(action),) for action in listed)


COMMON = {
    "actors": Domain(("actor",), "who acts", lambda level: ((name,) for name in level.game.actors(level))),
    "actions": Domain(("action",), "all actions, for e(...) and [...]", _list_actions),
}
"""Domains of every game."""


@dataclass(frozen=True, kw_only=True)
class GameFormulas:
    """Formulas about every level of a game, as `gridproof.check` takes them: the value of `FORMULAS`."""

    invariants: Mapping[str, str] = field(default_factory=dict)
    """Invariants of the rules on every level, for all actors: number of the clause -> formula."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """Formulas worth asking of its levels -> their questions in words; for beginners."""
    is_worth_asking: Callable[[Any, str], bool] = lambda level, formula: True
    """The test of whether a level gives one of these formulas a meaning: a formula about bombs needs a bomb."""
    domains: Mapping[str, Domain] = field(default_factory=dict)
    """Its own domains by name; every game also has `actors` and `actions`."""


def domains_of(game: Game) -> Mapping[str, Domain]:
    """Return all domains of a game by name."""
    return {**COMMON, **formulas_of(game).domains}


def formulas_of(game: Game) -> GameFormulas:
    """Return the formulas of a game; none when it offers none."""
    return find_extension(game, "formulas", GameFormulas) or GameFormulas()
