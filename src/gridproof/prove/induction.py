"""Proofs of `AG p` by induction over all positions of a level, reachable or not: by an inductive invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped, describe_limit
from gridproof.core.position import Position
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace, trace_to_data
from gridproof.prove.cost import find_product
from gridproof.prove.enumeration import enumeration_of
from gridproof.prove.evaluate import Test, test_of
from gridproof.prove.expansion import expand_things
from gridproof.prove.formula import Binary, Formula
from gridproof.prove.logic import property_of, require_state_formula
from gridproof.prove.name_check import check_names
from gridproof.prove.trace_text import trace_lines
from gridproof.prove.verdict import Verdict
from gridproof.search.question import Question
from gridproof.search.space import trace_through

LARGEST = 100_000_000
"""The most positions of a level that are listed without a limit of positions."""
_CHECK_EVERY = 256

EXPLICIT, CLINGO = ENGINES = "explicit", "clingo"
BASE, STEP, IMPLICATION = "base", "step", "implication"


class Obligation(NamedTuple):
    """Part of a proof by induction."""

    name: str
    """BASE, STEP or IMPLICATION."""
    holds: bool | None
    """None if a limit was reached first."""
    trace: Trace | None = None
    """A counterexample, if it does not hold; it may begin at a position that cannot be reached."""


@dataclass(frozen=True, slots=True)
class InductionVerdict(Verdict):
    """Verdict on `AG p` by induction.

    It holds if all obligations do. If one fails, the formula may hold all the same: `holds` is None, unless a
    counterexample begins at a start. Then it is the `trace`.

    Attributes
    ----------
    invariant : Formula or None
        The inductive invariant; None for k-induction.
    depth : int
        k of k-induction, else 0.
    obligations : tuple of Obligation
    states : int
        The number of positions of the level that were listed; of those found, where a search was enough.
    inside : int
        The number of listed positions where the invariant holds; for k-induction, where p holds.
    size : int
        The number of positions that were to be tried; 0 where a search was enough.
    engine : str
        "explicit", by listed positions; or "clingo".
    """

    invariant: Formula | None = None
    depth: int = 0
    obligations: tuple[Obligation, ...] = ()
    inside: int = 0
    size: int = 0
    engine: str = EXPLICIT

    @property
    def failures(self) -> tuple[Obligation, ...]:
        """The obligations that fail."""
        return tuple(one for one in self.obligations if one.holds is False)

    @property
    def counterexamples(self) -> tuple[tuple[str, Trace], ...]:
        """The counterexample to the formula, or those to the obligations that fail, each after its name."""
        if self.holds is False and self.trace:
            return (("counterexample", self.trace),)
        return tuple((f"counterexample to the {one.name}", one.trace) for one in self.failures if one.trace)

    @property
    def shows(self) -> str:
        """The kind of the trace: "counterexample", or "counterexample to the step"."""
        return self.counterexamples[0][0] if self.counterexamples else "counterexample"

    def sentence(self, formula: str = "") -> str:
        """Return the answer as a sentence, with the way to prove it."""
        answer = Verdict.sentence(self, formula)
        if self.holds:
            how = f"`{self.invariant}` is an inductive invariant that implies it"
            return (
                f"{answer} {how if self.invariant else f'It is proved by k-induction with k = {self.depth}'}."
            )
        if self.holds is False or not self.failures:
            return answer
        *others, last = (f"the {one.name}" for one in self.failures)
        names = f"{', '.join(others)} and {last} fail" if others else f"{last} fails"
        how = f"`{self.invariant}`" if self.invariant else f"k-induction with k = {self.depth}"
        return f"{answer} {how[0].upper()}{how[1:]} does not prove it: {names}."

    @property
    def work(self) -> str:
        """The number of positions, the time and the bound, as a sentence."""
        end = f"({self.seconds:.2f} s).{self._bound_text}"
        states = format_count(self.states, "positions")
        if self.engine == CLINGO:
            reached = describe_limit(self.stopped_by) if self.stopped_by else "clingo listed no positions"
            return f"{reached[0].upper()}{reached[1:]} {end}"
        if self.stopped_by:
            reached = describe_limit(self.stopped_by)
            size = f"; the level has up to {self.size:,}" if self.size else ""
            return f"{reached[0].upper()}{reached[1:]} after {states}{size} {end}"
        if not self.size:
            return f"The search found {states} {end}"
        subject = "The invariant" if self.invariant else "The property"
        return f"{subject} holds in {self.inside:,} of all {states} of the level {end}"

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON data.

        Returns
        -------
        dict
            As of `Verdict`, with `invariant`, `induction` (k), `engine`, `inside`, and `obligations` by name.
        """
        proof = {
            "invariant": None if self.invariant is None else str(self.invariant),
            "induction": self.depth or None,
            "engine": self.engine,
            "inside": self.inside,
            "obligations": {
                one.name: {"holds": one.holds, "trace": one.trace and trace_to_data(one.trace)}
                for one in self.obligations
            },
        }
        return Verdict.to_dict(self) | proof

    def trace_lines(self) -> Iterator[str]:
        """The trace in lines; none without one."""
        return self.lines_of(self.trace) if self.trace else iter(())

    def lines_of(self, trace: Trace) -> Iterator[str]:
        """Return the lines of a counterexample, with the values of the propositions of both formulas."""
        return trace_lines(trace, Binary("->", self.invariant or self.formula, self.formula), self.who)

    def __str__(self) -> str:
        lines = [self.head, *self.remarks]
        for name, trace in self.counterexamples:
            lines += ["", f"{name}:", *self.lines_of(trace)]
        return "\n".join(lines)


def check_invariant(invariant: Formula, start: Position[Any]) -> Formula:
    """Return an invariant for the level of a position; GridproofError if it is not about one position."""
    formula = expand_things(invariant, start.level)
    require_state_formula(formula)
    check_names(formula, start)
    if find_product(formula, start.level):
        raise GridproofError(f"induction is about positions, which have no costs, not about {formula}")
    return formula


def prove_by_invariant(open_verdict: Verdict, question: Question, invariant: Formula) -> InductionVerdict:
    """Return the verdict on `AG p` by an invariant: it holds at the starts, actions keep it, and it implies p."""
    proof = _InvariantProof(question, invariant, property_of(open_verdict.formula, open_verdict.paths))
    stopped_by = proof.run()
    verdict = induction_verdict(
        open_verdict, question, tuple(proof.found.values()), stopped_by, proof.refutation
    )
    return replace(
        verdict, states=proof.states, invariant=invariant, inside=len(proof.inside), size=proof.size
    )


def induction_verdict(
    open_verdict: Verdict,
    question: Question,
    obligations: tuple[Obligation, ...],
    stopped_by: str,
    refutation: Trace | None,
) -> InductionVerdict:
    """Return the verdict that obligations decide, or a counterexample from a start; how they were decided is to be added."""
    failed = next((one for one in obligations if one.holds is False), None)
    return InductionVerdict(
        open_verdict.formula,
        open_verdict.logic,
        holds=False if refutation else True if all(one.holds for one in obligations) else None,
        trace=refutation or (failed.trace if failed else None),
        satisfying=None,
        vacuous=False,
        states=0,
        seconds=question.meter.seconds,
        stopped_by=stopped_by,
        paths=open_verdict.paths,
        who=question.who,
        complete=not stopped_by,
        obligations=obligations,
    )


class PositionSearch:
    """Positions of a level, listed within a limit."""

    def __init__(self, question: Question) -> None:
        level, self.who = question.level, question.who
        self._question, self.meter = question, question.meter
        self._enumeration = enumeration_of(level.game)
        limit = question.meter.limit.states
        self._most = LARGEST if limit is None else limit
        self.size = self._enumeration.size(question.starts, self.who)
        """The number of positions to try."""
        self.states = 0
        """The number of positions listed."""
        self._work = 0

    def positions(self) -> Iterator[Position[Any]]:
        """Yield the positions of the level; Stopped when a limit is reached, or would be."""
        if self.size > self._most:
            self._stop()
        for position in self._enumeration.positions(self._question.starts, self.who):
            self.count()
            yield position

    def successors(self, position: Position[Any]) -> Iterator[Position[Any]]:
        """Yield the positions that follow one."""
        self._check_limit()
        for actor in self.who:
            yield from map(position.at, position.successors(actor))

    def count(self) -> None:
        """Count a position; Stopped at a limit."""
        self.states += 1
        if self.states > self._most:
            self._stop()
        self._check_limit()

    def trace(self, path: list[Position[Any]]) -> Trace:
        """Return the trace through some positions."""
        return trace_through(path, self.who)

    def _check_limit(self) -> None:
        self._work += 1
        if self._work % _CHECK_EVERY == 0:
            if self.meter.is_reached(0):
                raise Stopped
            if self._question.progress:
                self._question.progress(self.states)

    def _stop(self) -> None:
        self.meter.stopped_by = "states"
        raise Stopped


class _InvariantProof(PositionSearch):
    """Search for counterexamples to the obligations of an invariant."""

    def __init__(self, question: Question, invariant: Formula, wanted: Formula) -> None:
        super().__init__(question)
        self._invariant: Test = test_of(invariant, question.level, self.who)
        self._wanted: Test = test_of(wanted, question.level, self.who)
        self.inside: dict[Position[Any], None] = {}
        """The positions where the invariant holds."""
        self.found = {name: Obligation(name, None) for name in (BASE, STEP, IMPLICATION)}
        wrong = [start for start in question.starts if not self._wanted(start)]
        self.refutation = self.trace(wrong[:1]) if wrong else None
        """The trace of no steps to a start without what is wanted."""

    def run(self) -> str:
        """Decide the obligations; return the limit that was reached first, or ""."""
        try:
            with self.meter.enforce():
                outside = [start for start in self._question.starts if not self._invariant(start)]
                self._decide(BASE, outside[:1])
                self._list_positions()
                self._decide(STEP, self._find_step())
        except (Stopped, MemoryError):
            return self.meter.stopped_by or self.meter.reason
        return ""

    def _decide(self, name: str, counterexample: list[Position[Any]]) -> None:
        trace = self.trace(counterexample) if counterexample else None
        self.found[name] = Obligation(name, trace is None, trace)

    def _list_positions(self) -> None:
        """List the positions where the invariant holds, and decide whether it implies what is wanted."""
        for position in self.positions():
            if self._invariant(position):
                self._add(position)
        for start in self._question.starts:
            if start not in self.inside and self._invariant(start):
                self.count()
                self._add(start)
        if self.found[IMPLICATION].holds is None:
            self._decide(IMPLICATION, [])

    def _add(self, position: Position[Any]) -> None:
        """List a position where the invariant holds."""
        self.inside[position] = None
        if self.found[IMPLICATION].holds is not False and not self._wanted(position):
            self._decide(IMPLICATION, [position])

    def _find_step(self) -> list[Position[Any]]:
        """Return a listed position and one without the invariant that follows; [] if there are none.

        All that follows from a listed position is then listed, too.
        """
        waiting = list(self.inside)
        for position in waiting:
            for after in self.successors(position):
                if after in self.inside:
                    continue
                if not self._invariant(after):
                    return [position, after]
                self.count()
                self._add(after)
                waiting.append(after)
        return []
