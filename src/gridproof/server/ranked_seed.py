"""Seeds of ranked games: a random game is ranked only if this server has drawn its seed.

A player who chooses the seed may try many seeds until the game is easy. The seeds of the server are larger than any seed that a
client can choose; a session made from a trace has a smaller one, whatever the trace's seed is. All stay below 2**53,
because pages hold numbers as JavaScript does.
"""

from __future__ import annotations

import itertools
import secrets

from gridproof.core.session import Session
from gridproof.core.trace import Trace

CHOSEN = 1 << 52
"""Upper limit of the seeds that clients choose."""


def draw_seed() -> int:
    """Draw a seed of the server's own."""
    return CHOSEN + secrets.randbelow(CHOSEN)


def has_server_seed(session: Session) -> bool:
    """Return whether the server has drawn the seed of a session."""
    return CHOSEN <= session.seed < 2 * CHOSEN


def has_chance(trace: Trace) -> bool:
    """Return whether a trace is random: its start, or an outcome of its actions."""
    return trace.is_random or len([*itertools.islice(trace.level.starts(), 2)]) > 1
