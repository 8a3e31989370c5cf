"""The six claims of the source document, and verdicts about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridproof.core.limit import Meter, describe_limit
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.prove.formula import Atom, Binary, Formula
from gridproof.prove.logic import Logic
from gridproof.prove.verdict import Verdict

WON = Atom("won")

STATEMENTS = {
    1: "some run wins",
    2: "if the game has not ended at the start and has ended at t, it is won at t",
    3: "when it is won, as many sides of each colour are reached as at any time of any run",
    4: "some run wins and parts no two connected sides on the way",
    5: "some run wins with every tile at its start or next to it",
    6: "a column move and at once its opposite give back the board",
}
"""The claims by their numbers, clauses S19 to S24."""

UNMET = {
    2: "vacuous: no run that has not ended at the start ends",
    3: "vacuous: no run wins",
    6: "vacuous: in no run a column moves there and back at once",
}
"""The reasons why claims about all runs hold vacuously."""

HOPELESS = "no placement of the tiles is a win, whatever moves lead to it"


@dataclass(frozen=True, slots=True)
class ClaimVerdict(Verdict):
    """The verdict on a claim about all runs up to a horizon.

    Attributes
    ----------
    number : int
        1 to 6.
    statement : str
        The claim in words.
    horizon : int
        T, the last time.
    engine : str
        The engine that answered.
    formula : Formula
        The formula about the positions of the trace.
    trace : Trace or None
        The relevant part of a run: a witness of a claim about some run, a counterexample to a claim about all runs, or an
        example to which such a claim applies.
    states : int
        The number of reachable positions up to the horizon, or of those found; 0 from an engine that lists none.
    """

    number: int = 0
    statement: str = ""
    horizon: int = 0
    engine: str = "explicit"

    @property
    def is_universal(self) -> bool:
        """True if the claim is about all runs."""
        return self.number in UNMET

    @property
    def shows(self) -> str:
        """The role of the trace: "witness", "counterexample", or "example" of a claim about all runs that holds."""
        if self.is_universal:
            return "example" if self.holds else "counterexample"
        return "witness"

    @property
    def work(self) -> str:
        """The number of positions found, the limit reached and the time."""
        positions = f"{format_count(self.states, 'positions')}, " if self.states else ""
        stopped = f"{describe_limit(self.stopped_by)}, " if self.stopped_by else ""
        return f"{positions}{stopped}{self.seconds:.2f} s"

    @property
    def head(self) -> str:
        """The answer in a line."""
        return f"claim {self.number}, T = {self.horizon}: {self.statement}: {self.answer} ({self.work})"

    def _summary(self) -> str:
        return f"<ClaimVerdict: {self.statement}: {self.answer}>"

    @property
    def trace_text(self) -> str:
        """The trace in lines; "" without one."""
        if self.trace is None:
            return ""
        lines = [f"{self.shows}, {format_count(len(self.trace.steps), 'moves')}:", *self.trace_lines()]
        return "".join(f"{line}\n" for line in lines)

    def __str__(self) -> str:
        lines = [self.head, *self.remarks, *(["", self.trace_text] if self.trace else [])]
        return "\n".join(lines).rstrip("\n")


def formula_of(number: int) -> Formula:
    """Return the formula about the positions of a claim's trace."""
    if number == 5:
        return Binary("&", WON, Atom("near"))
    return Binary("->", Atom("ended"), WON) if number == 2 else WON


def make_verdict(
    number: int,
    holds: bool | None,
    trace: Trace | None,
    meter: Meter,
    remarks: tuple[str, ...] = (),
    **more: Any,
) -> ClaimVerdict:
    """Return the verdict on one claim; vacuous where it is about all runs, holds, and has no example."""
    if trace is not None:
        trace.replay()
    vacuous = number in UNMET and holds is True and trace is None
    return ClaimVerdict(
        formula_of(number),
        Logic.STATE,
        holds,
        trace,
        None,
        vacuous,
        seconds=meter.seconds,
        stopped_by="" if holds is not None else meter.reason,
        remarks=(UNMET[number], *remarks) if vacuous else remarks,
        number=number,
        statement=STATEMENTS[number],
        **more,
    )
