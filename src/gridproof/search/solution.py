"""Answers of solvers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gridproof.core.limit import describe_limit
from gridproof.core.representation import Representable, facts_of, text_html, trace_html
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace

GIVEN = "given"
"""Engine of a solution that was given and is not improved."""


@dataclass(frozen=True, slots=True)
class Solution(Representable):
    """Answer of a solver."""

    found: bool | None
    """True, False (proved impossible), or None (a limit was reached first)."""
    trace: Trace | None
    """A replayed trace to the goal, when found."""
    cost: int | None
    """The trace's cost by the measure that was minimised; its actions when none was."""
    optimal: bool
    """True if `cost` is proved the least."""
    states: int
    """The number of positions found."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached, when `found` is None: "states", "seconds", "memory" or "stop"."""
    engine: str = ""
    """The name of the engine that answered: "rules", "a-star", "fewest-pushes", ..."""
    refused: str = ""
    """The reason why an earlier engine could not answer: "the level is too large for the kernel"."""
    reason: str = ""
    """The reason why no solution exists, where the game can say: "the box in row 2, column 2 can reach no depot"."""

    def __str__(self) -> str:
        """Return the answer, with the first and the last board."""
        if self.trace is None:
            return self._work + (f"\n{self.reason}" if self.reason else "")
        return f"{self._work}\n\n{self.trace}\n\n{self.trace.replay()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON data: its fields, and the trace as `actions`, as `text` and as `labels` of events.

        Returns
        -------
        dict
            `actions` is None without a trace; `text`, in the game's own format, and `labels` are there if they say something.
        """
        data = facts_of(self, "found", "cost", "optimal", "states", "seconds", "engine")
        data |= facts_of(self, "refused", "stopped_by", "reason") | {"actions": None}
        if self.trace:
            labels = [step.label for step in self.trace.steps]
            data["actions"] = [str(action) for action in self.trace.actions]
            data["text"] = self.trace.level.game.own_format.join_actions(self.trace)
            data |= {"labels": labels} if any(labels) else {}
        return data

    @property
    def _answer(self) -> str:
        if self.trace is None:
            return "impossible" if self.found is False else f"no answer, {describe_limit(self.stopped_by)}"
        return f"solved at cost {self.cost}" + (", the least possible" if self.optimal else "")

    @property
    def _work(self) -> str:
        by = "; the given solution is not improved" if self.engine == GIVEN else f" by {self.engine}"
        return f"{self._answer} ({format_count(self.states, 'positions')}, {self.seconds:.2f} s{by})"

    def _summary(self) -> str:
        return f"<Solution: {self._answer}>"

    def _html_parts(self) -> Iterator[str]:
        yield text_html(self._work)
        yield trace_html(self.trace) if self.trace else text_html(self.reason)
