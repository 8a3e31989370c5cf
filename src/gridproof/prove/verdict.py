"""What a prover answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from gridproof.core.limit import Meter, Stopped
from gridproof.core.trace import Trace
from gridproof.core.wording import counted
from gridproof.prove.formula import Formula, Logic
from gridproof.prove.strategy import Strategy
from gridproof.search.actors import Who


class Traces:
    """Traces that are looked for when they are asked for, for as long as a meter's limit allows, counted anew."""

    def __init__(self, source: Iterator[Trace], meter: Meter | None = None) -> None:
        self._source, self._meter = source, meter
        self._found: list[Trace] = []
        self._seconds = 0.0
        """How long has been looked: what comes between two questions does not count."""

    def at(self, place: int) -> Trace | None:
        """The one at a place, from 0; None when there are fewer, or a limit is reached first."""
        if self._meter:
            self._meter.stopped_by = ""
            self._meter.started += self._meter.seconds - self._seconds
        try:
            while len(self._found) <= place:
                self._found.append(next(self._source))
        except (StopIteration, Stopped, MemoryError):
            return None
        finally:
            if self._meter:
                self._seconds = self._meter.seconds
        return self._found[place]

    def __reduce__(self) -> tuple[Any, ...]:
        return Traces, (iter(self._found),)  # elsewhere there are those found so far


NO_TRACES = Traces(iter(()))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a formula holds on a level, and what shows it.

    Attributes
    ----------
    formula : Formula
    logic : Logic
    holds : bool or None
        At all starts; None when a limit was reached first.
    trace : Trace or None
        A witness that it holds, or a counterexample, replayed; None where no one path shows it. With a loop it goes
        round for ever; without, the rest does not matter, or nothing can be done any more.
    satisfying : int or None
        How many of the reachable positions satisfy it; None for LTL, or at a limit.
    vacuous : bool
        Whether it holds only because the condition of an implication never occurs.
    states : int
        Reachable positions found.
    seconds : float
    stopped_by : str
        The limit that was reached: "states", "seconds", "memory" or "stop"; "" when there was none.
        What was proved before stands, without what was not found any more.
    remarks : tuple of str
        What else is to be said, such as what makes it vacuous.
    paths : str
        "all" or "some", of a formula of LTL.
    who : tuple
        Who acts: names, or None for all players.
    strategy : Strategy or None
        Of a formula `<<a>> ...`: what the coalition does, where it holds; else what the others do against it.
    """

    formula: Formula
    logic: Logic
    holds: bool | None
    trace: Trace | None
    satisfying: int | None
    vacuous: bool
    states: int
    seconds: float
    stopped_by: str = ""
    remarks: tuple[str, ...] = ()
    paths: str = "all"
    who: Who = (None,)
    strategy: Strategy | None = None
    traces: Traces = field(default=NO_TRACES, repr=False, compare=False)
    place: int = field(default=0, repr=False, compare=False)

    def more(self) -> Verdict | None:
        """The same verdict with another trace, the next one; None when there is no other, or none within the limit.

        The limit's time is counted anew for all of them together.

        Traces that enter a loop or come to a goal in few steps are the first; a loop may be entered in very many ways.
        """
        following = self.traces.at(self.place + 1)
        return None if following is None else replace(self, trace=following, place=self.place + 1)

    @property
    def answer(self) -> str:
        """In a word: "holds", "does not hold" or "no answer"."""
        if self.holds is None:
            return "no answer"
        return "holds" if self.holds else "does not hold"

    @property
    def shows(self) -> str:
        """What the trace is: "witness" or "counterexample"."""
        return "witness" if self.holds else "counterexample"

    @property
    def work(self) -> str:
        """How many positions satisfy it of how many, and how long it took."""
        of = "" if self.satisfying is None else f"in {self.satisfying:,} of "
        stopped = f" before the limit of {self.stopped_by}" if self.stopped_by else ""
        return f"{of}{counted(self.states, 'positions')}{stopped}, {self.seconds:.2f} s"

    def __str__(self) -> str:
        from gridproof.prove.telling import told

        lines = [f"{self.formula}: {self.answer} ({self.work})", *self.remarks]
        if self.trace is not None:
            lines += ["", f"{self.shows}, {counted(len(self.trace.steps), 'actions')}:", *told(self)]
        return "\n".join(lines)


def unshown(verdict: Verdict, meter: Meter) -> Verdict:
    """A verdict that stands, though a limit was reached before what shows it was found."""
    why = meter.why
    remark = f"not shown: the limit of {why} was reached before"
    return replace(verdict, stopped_by=why, remarks=(*verdict.remarks, remark))
