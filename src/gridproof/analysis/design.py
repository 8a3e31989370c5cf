"""A game's help for designers: its extension `design`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from gridproof.core.design import Ablation, Symmetry
from gridproof.core.extension import find_extension
from gridproof.core.position import Level


@runtime_checkable
class Design(Symmetry, Protocol):
    """The type of `DESIGN`."""

    def ablations(self, level: Any, /) -> Iterable[Ablation]:
        """Yield a level without each of its pieces in turn, where that is still a valid level."""


def ablations(level: Level) -> Iterable[Ablation]:
    """Return a level without each of its pieces in turn; nothing if its game has no ablations."""
    design = find_extension(level.game, "design", Design)
    return design.ablations(level) if design else ()
