"""Notes of 2048 for the proof status: the probability of the next tile, where it is exact, and why there is no estimate.

There is no note that luck could bring the target: it nearly always could.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gridproof.core.limit import Limit
from gridproof.games.twenty48.propositions import max_tile, min_moves_to_tile
from gridproof.games.twenty48.rules import Position
from gridproof.prove.estimate import Prospect, format_chance
from gridproof.prove.position_status import Badge, Note, StatusNotes

_SECONDS = 1.0
_STATES = 300_000
_FAR = 40
"""The most moves to the next tile on boards of more than 9 cells; further tiles have too many positions."""


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Yield why the position has no estimate, and the probability of a tile above the largest, by the best play."""
    from gridproof.games.twenty48.estimate import explain_no_estimate
    from gridproof.prove.value import value

    if badge.dead:
        return
    if (why := explain_no_estimate(position)) and not position.lost:
        yield Note(why)
    wanted = 2 * max_tile(position)
    if len(position.cells) > 9 and min_moves_to_tile(position, wanted) > _FAR:
        return
    within = replace(limit, seconds=min(limit.seconds or _SECONDS, _SECONDS), states=_STATES)
    found = value(position, f"tile({wanted})", limit=within)
    if found.converged and (found.best or not position.won):  # after a win, no goal is lost
        chance = format_chance(Prospect(float(found.best), 0.0), games=0)
        yield Note(
            f"tile {wanted}: a chance of {chance}"
            if found.best
            else f"tile {wanted} can no longer be reached"
        )


STATUS = StatusNotes(notes, actions="moves", dead="the target is out of reach", tells_ways=False)
