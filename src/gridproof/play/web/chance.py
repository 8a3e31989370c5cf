"""Chance that counts: of games of chance only those are ranked whose seed this server has drawn.

Who chooses a seed may try many until one is lucky. So a session says by its own seed who has drawn it: those of the
server are larger than any that can be asked for, and one that is made of a trace has a smaller one, whatever the
trace's. They stay below 2**53, since pages hold numbers as JavaScript does.
"""

from __future__ import annotations

import itertools
import secrets

from gridproof.core.session import Session
from gridproof.core.trace import Trace

CHOSEN = 1 << 52
"""Seeds that can be asked for are smaller."""


def drawn_seed() -> int:
    """A seed of the server's own."""
    return CHOSEN + secrets.randbelow(CHOSEN)


def is_drawn(session: Session) -> bool:
    """Whether the server has drawn the chance of a session."""
    return CHOSEN <= session.seed < 2 * CHOSEN


def has_luck(trace: Trace) -> bool:
    """Whether chance has a part in a trace: in its start, or in what came of its actions."""
    return any(step.label for step in trace.steps) or len([*itertools.islice(trace.level.starts(), 2)]) > 1
