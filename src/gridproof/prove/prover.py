"""Judges formulas over a state space: CTL by fixpoints, LTL by automata."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped, stopping
from gridproof.core.loading import told_of_compiling
from gridproof.core.trace import Step, Trace
from gridproof.prove.ctl import Evaluator
from gridproof.prove.explain import Explainer
from gridproof.prove.fairness import Assumption, Fair, assumptions
from gridproof.prove.formula import Formula, Logic, logic_of, negated
from gridproof.prove.model import Model, rows_of
from gridproof.prove.partly import seen_so_far
from gridproof.prove.paths import Path, Paths
from gridproof.prove.tableau import automaton_of
from gridproof.prove.vacuity import without_consequence
from gridproof.prove.verdict import NO_TRACES, Traces, Verdict
from gridproof.search.space import StateSpace

_BYTES_AN_EDGE = 12  # targets, actions, and sources backwards
_BYTES_A_POSITION = 32  # both rows' offsets, and what fixpoints need


@contextlib.contextmanager
def _not_counting_compilation(meter: Meter) -> Iterator[None]:
    """Stop the clock while kernels are compiled."""
    began = 0.0

    def compiling(begins: bool) -> None:
        nonlocal began
        if begins:
            began = time.perf_counter()
        else:
            meter.started += time.perf_counter() - began

    told_of_compiling.append(compiling)
    try:
        yield
    finally:
        told_of_compiling.remove(compiling)


def answer(known: Verdict, space: StateSpace, fair: Fair, meter: Meter) -> Verdict:
    """The verdict on the formula of one that is still open, on a space that may not be complete.

    Raises
    ------
    GridproofError
        When the formula is too large, or fairness names nobody and nothing.
    """
    if not space.complete:
        return seen_so_far(known, space)
    try:
        with _not_counting_compilation(meter), stopping(meter.limit.stop):
            return _answer(known, space, fair, meter)
    except (Stopped, MemoryError):
        return replace(known, stopped_by=meter.why)


def _answer(known: Verdict, space: StateSpace, fair: Fair, meter: Meter) -> Verdict:
    if not meter.has_room(space.transitions * _BYTES_AN_EDGE + space.states * _BYTES_A_POSITION):
        raise Stopped
    prover = _Prover(space, fair, known.paths, lambda: meter.reached(space.states))
    verdict = prover.ltl(known) if known.logic is Logic.LTL else prover.ctl(known)
    if verdict.holds and known.paths == "all":
        for antecedent, without in without_consequence(known.formula):
            if prover.holds(without):
                remark = f"vacuous: {antecedent} is never true where it is asked"
                return replace(verdict, vacuous=True, remarks=(*verdict.remarks, remark))
    return verdict


class _Prover:
    """Judges formulas on one complete space."""

    def __init__(self, space: StateSpace, fair: Fair, paths: str, reached: Callable[[], bool]) -> None:
        self._model, self._some, self._reached = Model(space), paths == "some", reached
        self._fair: tuple[Assumption, ...] = assumptions(fair, space.level, rows_of(space).graph.labels)
        self._evaluator = Evaluator(self._model, self._fair, reached)
        self._starts = range(self._model.starts)

    def holds(self, formula: Formula) -> bool:
        """Whether a formula holds at all starts, on all paths."""
        if logic_of(formula) is Logic.LTL:
            return self._paths(negated(formula)).first(self._starts) is None
        return bool(self._evaluator.values(formula)[: self._model.starts].all())

    def ctl(self, known: Verdict) -> Verdict:
        """The verdict on a formula of CTL, or without temporal operators."""
        values = self._evaluator.values(known.formula)
        at_starts = values[: self._model.starts]
        holds = bool(at_starts.any() if self._some else at_starts.all())
        verdict = replace(known, holds=holds, satisfying=int(np.count_nonzero(values)))
        if known.logic is Logic.STATE:
            return verdict
        start = int(np.argmax(at_starts == holds))
        found = self._traces(Explainer(self._evaluator).paths(known.formula, start, holds))
        return replace(verdict, trace=found.at(0), traces=found)

    def ltl(self, known: Verdict) -> Verdict:
        """The verdict on a formula of LTL."""
        formula = known.formula if self._some else negated(known.formula)
        found = self._traces(self._paths(formula).all(self._starts))
        trace = found.at(0)
        return replace(
            known, holds=(trace is None) is not self._some, trace=trace, traces=found if trace else NO_TRACES
        )

    def _paths(self, formula: Formula) -> Paths:
        return Paths(self._model, automaton_of(formula), self._evaluator.values, self._fair, self._reached)

    def _traces(self, paths: Iterator[Path]) -> Traces:
        return Traces(self._trace(path) for path in paths)

    def _trace(self, path: Path) -> Trace:
        """The trace of a path, replayed by the rules."""
        space, graph = self._model.space, self._model.rows.graph
        start = position = space[path.start]
        steps = []
        for edge in path.edges:
            action, after = graph.labels[graph.actions[edge]], space[int(graph.targets[edge])]
            label = next((one.label for one in position.outcomes(action) if one.position == after), None)
            if label is None:
                raise GridproofError("a kernel and its rules disagree: please report this level")
            steps.append(Step(action, label))
            position = after
        trace = Trace(start, tuple(steps), path.loop)
        trace.replay()
        return trace
