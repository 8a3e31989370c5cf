"""What solvers answer."""

from __future__ import annotations

from dataclasses import dataclass

from gridproof.core.trace import Trace
from gridproof.core.wording import counted


@dataclass(frozen=True, slots=True)
class Solution:
    """What the solver found."""

    found: bool | None
    """True, False (proved impossible), or None (a limit was reached first)."""
    trace: Trace | None
    """A replayed trace to the goal, when found."""
    cost: int | None
    """The trace's cost by the measure that was minimised; its actions when none was."""
    optimal: bool
    """Whether `cost` is proved the least."""
    states: int
    """Positions found."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached, when `found` is None: "states", "seconds", "memory" or "stop"."""
    engine: str = ""
    """What did the work, by the name that chooses it: "rules", "a-star", "fewest-pushes", ..."""
    refused: str = ""
    """Why an engine asked before it could not answer: "the level is too large for the kernel"."""
    reason: str = ""
    """Why there is no way, in a few words, where the game can say: "the box at (1, 1) can reach no depot"."""

    def __str__(self) -> str:
        """The answer, and the boards that it begins and ends with."""
        work = f"{counted(self.states, 'positions')}, {self.seconds:.2f} s by {self.engine}"
        if self.trace is None:
            answer = "impossible" if self.found is False else f"no answer, stopped by {self.stopped_by}"
            return f"{answer} ({work})" + (f"\n{self.reason}" if self.reason else "")
        least = ", the least there is" if self.optimal else ""
        return f"solved at cost {self.cost}{least} ({work})\n\n{self.trace}\n\n{self.trace.replay()}"
