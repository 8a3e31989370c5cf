"""Formulas that a game offers: its extension `formulas`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gridproof.core.extension import find_extension
from gridproof.core.game import Game


@dataclass(frozen=True, kw_only=True)
class GameFormulas:
    """Formulas about every level of a game, as `gridproof.check` takes them: the value of `FORMULAS`."""

    invariants: Mapping[str, str] = field(default_factory=dict)
    """Invariants of the rules on every level, for all actors: number of the clause -> formula."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """Formulas worth asking of its levels -> their questions in words; for beginners."""


def formulas_of(game: Game) -> GameFormulas:
    """Return the formulas of a game; none when it offers none."""
    return find_extension(game, "formulas", GameFormulas) or GameFormulas()
