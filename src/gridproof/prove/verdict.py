"""Answers of the prover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from gridproof.core.limit import Meter, Stopped, describe_limit
from gridproof.core.representation import Representable, text_html, trace_html
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.prove.formula import Formula, Logic
from gridproof.prove.strategy import Strategy
from gridproof.prove.trace_text import trace_lines
from gridproof.search.actors import Who


class Traces:
    """Lazy traces: found on request, each within the whole limit of a meter."""

    def __init__(self, source: Iterator[Trace], meter: Meter | None = None) -> None:
        self._source, self._meter = source, meter
        self._found: list[Trace] = []
        self._seconds = 0.0
        """The time of the search; time between two calls does not count."""

    def at(self, place: int) -> Trace | None:
        """Return the trace at a place, from 0; None when there are fewer, or a limit is reached first."""
        if self._meter:
            self._meter.stopped_by = ""
            self._meter.start_time += self._meter.seconds - self._seconds
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
class Verdict(Representable):
    """Verdict on a formula, with its proof."""

    formula: Formula
    logic: Logic
    holds: bool | None
    """True if it holds at all starts; None when a limit was reached first."""
    trace: Trace | None
    """A witness that it holds, or a counterexample, replayed; None where no one path shows it. With a loop it goes
    round for ever; without, the rest does not matter, or no action is possible any more."""
    satisfying: int | None
    """The number of reachable positions that satisfy it; None for LTL, or at a limit."""
    vacuous: bool
    """True if it holds only because the condition of an implication never occurs."""
    states: int
    """Reachable positions found."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"; the proved part of the verdict holds."""
    remarks: tuple[str, ...] = ()
    """Further remarks, such as the condition that makes it vacuous."""
    paths: str = "all"
    """Paths on which a formula of LTL must hold: "all" or "some"."""
    who: Who = (None,)
    """The actors: names, or None for all players."""
    strategy: Strategy | None = None
    """For a formula `<<a>> ...`: the coalition's strategy if it holds; else that of the others against it."""
    traces: Traces = field(default=NO_TRACES, repr=False, compare=False)
    place: int = field(default=0, repr=False, compare=False)

    def more(self) -> Verdict | None:
        """Return the same verdict with the next trace; None when there is none within the limit.

        The limit starts again, for all of them together.

        Traces that enter a loop or come to a goal in few steps are the first; a loop may be entered in very many ways.
        """
        following = self.traces.at(self.place + 1)
        return None if following is None else replace(self, trace=following, place=self.place + 1)

    @property
    def answer(self) -> str:
        """The answer: "holds", "does not hold" or "no answer"."""
        if self.holds is None:
            return "no answer"
        return "holds" if self.holds else "does not hold"

    @property
    def shows(self) -> str:
        """The kind of the trace: "witness" or "counterexample"."""
        return "witness" if self.holds else "counterexample"

    def sentence(self, formula: str = "") -> str:
        """Return the answer as a sentence, "`AG EF won` does not hold at the start.", about the formula or a name for it."""
        it = formula or f"`{self.formula}`"
        if self.holds is None:
            return f"No answer for {it[0].lower()}{it[1:]}."
        if self.logic is not Logic.LTL:
            return f"{it} {self.answer} at the start."
        if self.paths == "all":
            return f"{it} {self.answer} on all paths."
        return f"{it} holds on {'some' if self.holds else 'no'} path."

    @property
    def work(self) -> str:
        """The number of positions where it holds, or that were found, and the time, as a sentence."""
        positions = format_count(self.states, "reachable positions")
        if self.holds is None and self.stopped_by:
            reached = describe_limit(self.stopped_by)
            text = f"{reached[0].upper()}{reached[1:]} after {format_count(self.states, 'positions')}"
        elif self.satisfying is None:
            text = f"{positions} {'was' if self.states == 1 else 'were'} examined"
            text += f" until {describe_limit(self.stopped_by)}" if self.stopped_by else ""
        else:
            text = f"It holds in {self.satisfying:,} of {positions}"
        return f"{text} ({self.seconds:.2f} s)."

    def trace_lines(self) -> Iterator[str]:
        """The trace in lines; none without one."""
        return trace_lines(self.trace, self.formula, self.who) if self.trace else iter(())

    @property
    def head(self) -> str:
        """The answer and the work in a line."""
        return f"{self.sentence()} {self.work}"

    def _summary(self) -> str:
        return f"<Verdict: {self.sentence()}>"

    def _html_parts(self) -> Iterator[str]:
        yield text_html(self.head)
        yield from map(text_html, self.remarks)
        if self.trace is not None:
            yield text_html(f"The {self.shows}:") + trace_html(self.trace)

    def __str__(self) -> str:
        lines = [self.head, *self.remarks]
        if self.trace is not None:
            lines += [
                "",
                f"{self.shows}, {format_count(len(self.trace.steps), 'actions')}:",
                *self.trace_lines(),
            ]
        return "\n".join(lines)


def without_trace(verdict: Verdict, meter: Meter) -> Verdict:
    """Return a verdict that holds without a trace, since a limit was reached before one was found."""
    why = meter.reason
    remark = f"not shown: {describe_limit(why)} before"
    return replace(verdict, stopped_by=why, remarks=(*verdict.remarks, remark))
