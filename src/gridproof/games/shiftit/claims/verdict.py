"""The six claims of the source document, and what is answered about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridproof.core.limit import Meter
from gridproof.core.trace import Trace
from gridproof.core.wording import counted
from gridproof.prove.formula import Atom, Binary, Formula, Logic
from gridproof.prove.telling import told
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
    2: "true of nothing: no run that has not ended at the start ends",
    3: "true of nothing: no run wins",
    6: "true of nothing: in no run a column moves there and back at once",
}
"""Why claims about all runs hold vacuously, where they do."""

HOPELESS = "no placement of the tiles is a win, whatever moves lead to it"


@dataclass(frozen=True, slots=True)
class ClaimVerdict(Verdict):
    """Whether a claim holds of all runs up to a horizon.

    Attributes
    ----------
    number : int
        1 to 6.
    statement : str
        The claim in words.
    horizon : int
        T, the last time.
    engine : str
        Who has answered.
    formula : Formula
        What is said of the positions of the trace.
    trace : Trace or None
        A run, as far as it matters: one that shows a claim about some run, or refutes one about all runs; or one to which
        a claim about all runs that holds applies.
    states : int
        Positions that runs come to up to the horizon, or as many as have been found; 0 from an engine that lists none.
    """

    number: int = 0
    statement: str = ""
    horizon: int = 0
    engine: str = "explicit"

    @property
    def about_all(self) -> bool:
        """Whether the claim is about all runs."""
        return self.number in UNMET

    @property
    def shows(self) -> str:
        """What the trace is: "witness", "counterexample", or "example" of what a claim about all runs speaks of."""
        if self.about_all:
            return "example" if self.holds else "counterexample"
        return "witness"

    @property
    def work(self) -> str:
        """How many positions were found, and how long it took."""
        positions = f"{counted(self.states, 'positions')}, " if self.states else ""
        stopped = f"stopped by {self.stopped_by}, " if self.stopped_by else ""
        return f"{positions}{stopped}{self.seconds:.2f} s"

    @property
    def head(self) -> str:
        """The answer in a line."""
        return f"claim {self.number}, T = {self.horizon}: {self.statement}: {self.answer} ({self.work})"

    @property
    def shown(self) -> str:
        """The trace in lines; "" without one."""
        if self.trace is None:
            return ""
        lines = [f"{self.shows}, {counted(len(self.trace.steps), 'moves')}:", *told(self)]
        return "".join(f"{line}\n" for line in lines)

    def __str__(self) -> str:
        lines = [self.head, *self.remarks, *(["", self.shown] if self.trace else [])]
        return "\n".join(lines).rstrip("\n")


def formula_of(number: int) -> Formula:
    """What is said of the positions of a claim's trace."""
    if number == 5:
        return Binary("&", WON, Atom("near"))
    return Binary("->", Atom("ended"), WON) if number == 2 else WON


def verdict(
    number: int,
    holds: bool | None,
    trace: Trace | None,
    meter: Meter,
    remarks: tuple[str, ...] = (),
    **more: Any,
) -> ClaimVerdict:
    """The answer about one claim; vacuous where it is about all runs, holds, and no trace is an example."""
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
        stopped_by="" if holds is not None else meter.why,
        remarks=(UNMET[number], *remarks) if vacuous else remarks,
        number=number,
        statement=STATEMENTS[number],
        **more,
    )
