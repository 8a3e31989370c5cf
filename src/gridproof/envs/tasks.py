"""Graded tasks (`gridproof.core.text.level_lookup.task`) as sets of levels that no training may see."""

from __future__ import annotations

import functools
from collections.abc import Hashable

from gridproof.core.design import canonical
from gridproof.core.text.level_lookup import TASKS, game_of_task, task


@functools.cache
def canonical_levels(game: str) -> frozenset[Hashable]:
    """Return the levels of all tasks of a game in `gridproof.core.design.canonical` form; errors as of `task`."""
    return frozenset(canonical(level) for name in TASKS if game_of_task(name) == game for level in task(name))
