"""What solvers answer."""

from __future__ import annotations

from dataclasses import dataclass

from gridproof.core.trace import Trace


@dataclass(frozen=True, slots=True)
class Solution:
    """What the solver found."""

    found: bool | None
    """True, False (proved impossible), or None (a limit was reached first)."""
    trace: Trace | None
    """A replayed trace to the goal, when found."""
    cost: int | None
    """What was minimised, of the trace; actions when nothing was."""
    optimal: bool
    """Whether `cost` is proved the least."""
    states: int
    """Positions found."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached, when `found` is None: "states", "seconds" or "memory"."""
    engine: str = ""
    """What did the work: "rules", "solver" (the game's own), "kernel, A*", ...; and, after a colon, why a
    kernel could not."""
