"""Actors that can win with their next action."""

from __future__ import annotations

import functools
from typing import Any

from gridproof.core.position import NATURE, Position


@functools.lru_cache(maxsize=64)  # each viewer's verdict asks again
def next_winners(position: Position[Any]) -> tuple[str, ...]:
    """Return the actors with an action of their own after which they have won, in their order: all are tried.

    Parameters
    ----------
    position : Position

    Returns
    -------
    tuple of str
        Empty where nobody can act, or where no actor wins before the others.
    """
    game = position.level.game
    actors = [actor for actor in game.actors(position.level) if actor != NATURE]
    return tuple(actor for actor in actors if _can_win_next(position, actor))


def _can_win_next(position: Position[Any], actor: str) -> bool:
    winners = position.level.game.look.winners
    return any(
        outcome.position.won and actor in winners(outcome.position)
        for action in position.actions(actor)
        for outcome in position.outcomes(action)
    )
