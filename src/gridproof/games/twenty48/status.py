"""What 2048 adds to what is proved while one plays: how likely the next tile is, where that is exact.

That luck could bring the target is worth no word: it nearly always could.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from gridproof.core.limit import Limit
from gridproof.games.twenty48.propositions import max_tile, until_tile
from gridproof.games.twenty48.rules import Position
from gridproof.prove.badge import Badge, Manner, Note

_SECONDS = 1.0
_STATES = 300_000
_FAR = 40
"""Moves to the next tile from which on boards of more than 9 cells have too many positions to be tried."""


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """The probability of a larger tile than the largest there is, by the best play."""
    from gridproof.prove.value import value

    wanted = 2 * max_tile(position)
    if len(position.cells) > 9 and until_tile(position, wanted) > _FAR:
        return
    within = replace(limit, seconds=min(limit.seconds or _SECONDS, _SECONDS), states=_STATES)
    chance = value(position, f"tile({wanted})", limit=within).best
    if chance is not None:
        yield Note(f"tile {wanted}: a chance of {_percent(chance)}")


def _percent(chance: Fraction | float) -> str:
    """A probability for people; what is neither 0 nor 1 does not look so."""
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    return f"{min(max(100 * float(chance), 0.01), 99.99):.2f} %"


MANNER = Manner(notes, actions="moves", dead="the target is out of reach", tells_ways=False)
