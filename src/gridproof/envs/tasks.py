"""Graded tasks (`gridproof.core.text.level_lookup.task`): their generators, and the levels that no training may see."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping
from typing import Any

from gridproof.core.design import canonical
from gridproof.core.errors import GridproofError
from gridproof.core.text.level_lookup import TASKS, game_of_task, task
from gridproof.core.text.phrases import short_repr

_TIERS = ((6, 1), (7, 1), (6, 2), (7, 2), (8, 2), (7, 3), (8, 3), (8, 4), (9, 4), (10, 5))
"""Side and boxes of the tiers of Sokoban."""
LADDER = tuple(f"sokoban-tier-{number}" for number in range(1, len(_TIERS) + 1))
"""Tasks of Sokoban from the easiest to the hardest."""
VERSION = "-v1"
"""End of the names of tasks of the second version."""

PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "sokoban-easy": {"width": 7, "height": 7, "boxes": 2},
    "sokoban-medium": {"width": 8, "height": 8, "boxes": 3},
    "sokoban-hard": {"width": 10, "height": 10, "boxes": 5},
    "shiftit-easy": {"width": 3, "height": 2, "colours": 3},
    "shiftit-medium": {"width": 3, "height": 3, "colours": 3, "moves": 6},
    "shiftit-hard": {"width": 4, "height": 4, "colours": 4, "moves": 8},
    "robots-easy": {"width": 5, "height": 5, "robots": 2},
    "robots-medium": {"width": 7, "height": 7, "robots": 3},
    "robots-hard": {"width": 10, "height": 10, "robots": 4},
    **{
        name: {"width": side, "height": side, "boxes": boxes}
        for name, (side, boxes) in zip(LADDER, _TIERS, strict=True)
    },
}
"""Parameters of the generator of each task that has one."""


def parameters_of(name: str) -> Mapping[str, Any]:
    """Return the parameters of a task's generator; GridproofError when it has none."""
    found = PARAMETERS.get(name.removesuffix(VERSION)) if isinstance(name, str) else None
    if found is None:
        raise GridproofError(
            f"no task {short_repr(name)} with a generator: there are {', '.join(PARAMETERS)}"
        )
    return found


@functools.cache
def canonical_levels(game: str) -> frozenset[Hashable]:
    """Return the levels of all tasks of a game in `gridproof.core.design.canonical` form; errors as of `task`."""
    return frozenset(canonical(level) for name in TASKS if game_of_task(name) == game for level in task(name))
