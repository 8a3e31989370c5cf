"""Properties of the game as a transition system without a bound on time (S25).

Its states are the placements of the tiles. Its events are the moves: the guard of each is that its line holds no locked tile
and the game has not ended (`e(RM(0,left))` in a formula). Where no guard holds, the state stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gridproof.core.limit import Limit
from gridproof.games.shiftit.rules import Level

if TYPE_CHECKING:
    from gridproof.prove.verdict import Verdict


class Property(NamedTuple):
    """A statement about the transition system."""

    kind: str
    """"invariant", "CTL" or "LTL"."""
    formula: str
    """A formula of `gridproof.check`."""
    meaning: str


PROPERTIES = {
    "won-has-ended": Property("invariant", "AG (won -> ended)", "a game that is won has ended (S14)"),
    "deadlock": Property(
        "invariant", "AG (deadlock <-> ended)", "no event can happen when the game has ended, and only then"
    ),
    "ended-is-won": Property(
        "invariant", "!ended -> AG (ended -> won)", "a game that has not ended at the start ends won"
    ),
    "win-stays": Property("CTL", "AG (won -> AG won)", "a win is for ever (S13, S15)"),
    "winnable": Property("CTL", "EF won", "the game can be won"),
    "always-winnable": Property("CTL", "AG EF won", "whatever has been done, the game can be won"),
    "way-back": Property(
        "CTL", "AG (!ended -> EF home)", "as long as the game goes on, the start can be reached again"
    ),
    "near-win": Property(
        "CTL", "EF (won & near)", "it can be won with every tile at its start or next to it"
    ),
    "ends": Property("LTL", "F ended", "every play ends"),
    "wins": Property("LTL", "F won", "every play is won"),
    "won-next": Property("LTL", "G (won -> X won)", "a win is kept by every step"),
    "ended-for-ever": Property(
        "LTL", "G (ended -> G deadlock)", "after the end no event happens any more (S15)"
    ),
}
"""The properties by name."""


def properties_of(level: Level) -> dict[str, Property]:
    """Return the properties by name, with that of the events' guards on a level."""
    guards = (
        f"!e({move})" if level.lock(move) is not None else f"(e({move}) <-> !ended)" for move in level.moves
    )
    meaning = "an event can happen when its line holds no locked tile and the game has not ended, and only then (S6, S7)"
    return {"guards": Property("invariant", f"AG ({' & '.join(guards)})", meaning), **PROPERTIES}


def properties(level: Level, limit: Limit | None = None) -> dict[str, Verdict]:
    """Check each property on one exploration of all positions; return the verdicts by name.

    Parameters
    ----------
    level : Level
    limit : Limit
        When to stop; open properties then have the answer None.
    """
    from gridproof.prove.check import check
    from gridproof.search.explore import explore

    space = explore(level, limit=limit)
    return {name: check(space, one.formula, limit=limit) for name, one in properties_of(level).items()}
