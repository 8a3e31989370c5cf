"""Answers of the prover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from gridproof.core.limit import Meter, Stopped, describe_limit
from gridproof.core.representation import Representable, facts_of, text_html, trace_html
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace, trace_to_data
from gridproof.prove.formula import Accepted, Formula, Quantity, Unary, decisive_goal
from gridproof.prove.logic import Logic, path_question
from gridproof.prove.strategy import NumberStrategy, Strategy
from gridproof.prove.trace_text import trace_lines
from gridproof.search.actors import Who
from gridproof.search.space import StateSpace


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
    """Positions found: all reachable ones, or those found before an early verdict or a limit; if a remark says so, one
    of each orbit."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"; the proved part of the verdict holds."""
    remarks: tuple[str, ...] = ()
    """Further remarks, such as the condition that makes it vacuous."""
    paths: str = "all"
    """Paths on which a formula of LTL must hold: "all" or "some"."""
    who: Who = (None,)
    """The actors: names, or None for all players."""
    strategy: Strategy | NumberStrategy | None = None
    """For a formula `<<a>> ...`: the coalition's strategy if it holds; else that of the others against it. For a comparison of
    a number: one that reaches it, if a way to act shows the verdict."""
    complete: bool = True
    """False if a limit was reached, or the answer known, before all positions were found."""
    bound: int | None = None
    """At a limit, if one path decides the formula, and none of fewer actions than this number does; else None."""
    omission_probability: float = 0.0
    """With hash compaction, if no trace shows the answer: the probability that a position was left out; 0 if it is certain."""
    traces: Traces = field(default=NO_TRACES, repr=False, compare=False)
    place: int = field(default=0, repr=False, compare=False)

    def on(self, space: StateSpace) -> Verdict:
        """Return the same verdict on a space."""
        return replace(self, states=space.states, stopped_by=space.stopped_by, complete=space.complete)

    def more(self) -> Verdict | None:
        """Return the same verdict with the next trace; None when there is none within the limit.

        The limit starts again, for all of them together.

        Traces that enter a loop or come to a goal in few steps are the first; a loop may be entered in very many ways.
        """
        following = self.traces.at(self.place + 1)
        return None if following is None else replace(self, trace=following, place=self.place + 1)

    @property
    def answer(self) -> str:
        """The answer: "holds", "does not hold" or "no answer", perhaps with "probably"."""
        if self.holds is None:
            return "no answer"
        return self._probably + ("holds" if self.holds else "does not hold")

    @property
    def _probably(self) -> str:
        return "probably " if self.omission_probability else ""

    @property
    def shows(self) -> str:
        """The kind of the trace: "witness" or "counterexample"."""
        return "witness" if self.holds else "counterexample"

    def sentence(self, formula: str = "") -> str:
        """Return the answer as a sentence, "`AG EF won` does not hold at the start.", about the formula or a name for it."""
        match self.formula:
            case Unary("!", Accepted(name)) if not formula and self.holds is not None:
                return f"{'No' if self.holds else 'Some'} path is accepted by {name}."
        it = formula or f"`{self.formula}`"
        if self.holds is None:
            return f"No answer for {it[0].lower()}{it[1:]}."
        if isinstance(self.formula, Quantity):
            return f"{it} {self._quantity_answer(self.formula)} way to act."
        if self.logic is not Logic.LTL:
            return f"{it} {self.answer} at the start."
        if self.paths == "all":
            return f"{it} {self.answer} on all paths."
        return f"{it} {self._probably}holds on {'some' if self.holds else 'no'} path."

    def _quantity_answer(self, quantity: Quantity) -> str:
        if quantity.is_universal:
            return f"{self.answer} for every"
        return f"holds for {'some' if self.holds else 'no'}"

    @property
    def work(self) -> str:
        """The number of positions where it holds, or that were found, and the time, as a sentence."""
        positions = format_count(self.states, "reachable positions")
        if self.holds is None and self.stopped_by:
            reached = describe_limit(self.stopped_by)
            text = f"{reached[0].upper()}{reached[1:]} after {format_count(self.states, 'positions')}"
        elif not self.complete and not self.stopped_by:
            text = f"The answer was known after {format_count(self.states, 'positions')}"
        elif self.satisfying is None:
            text = f"{positions} {'was' if self.states == 1 else 'were'} examined"
            text += f" until {describe_limit(self.stopped_by)}" if self.stopped_by else ""
        else:
            text = f"It holds in {self.satisfying:,} of {positions}"
        return f"{text} ({self.seconds:.2f} s).{self._bound_text}{self._omission_text}"

    @property
    def _omission_text(self) -> str:
        """The probability of an omission as a sentence; "" without one."""
        if not self.omission_probability:
            return ""
        return f" A position was left out with a probability of about {self.omission_probability:.1e}."

    @property
    def _bound_text(self) -> str:
        """The bound as a sentence: " No counterexample has fewer than 17 actions."; "" without one."""
        if not self.bound:
            return ""
        found = decisive_goal(self.formula, self.paths) or path_question(self.formula, self.paths)
        kind = "witness" if found and found[1] else "counterexample"
        return f" No {kind} has fewer than {format_count(self.bound, 'actions')}."

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON data.

        Returns
        -------
        dict
            The fields, with the start, steps and loop of `trace`; `strategy_of`, `complete`, `bound` and `omission_probability` are there if they say something.
        """
        data: dict[str, Any] = {"formula": str(self.formula), "logic": self.logic.value}
        data |= facts_of(self, "paths", "holds", "satisfying", "vacuous", "remarks")
        data |= facts_of(self, "states", "seconds", "stopped_by")
        data["trace"] = self.trace and trace_to_data(self.trace)
        data |= {"strategy_of": self.strategy.players} if self.strategy else {}
        data |= {} if self.complete else {"complete": False}
        data |= {"bound": self.bound} if self.bound else {}
        return data | facts_of(self, *(["omission_probability"] if self.omission_probability else ()))

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
