"""Judges formulas over a state space: CTL by fixpoints, LTL by automata."""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
import time
from collections.abc import Iterator
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
from gridproof.prove.verdict import Traces, Verdict, unshown
from gridproof.search.space import StateSpace

_BYTES_AN_EDGE = 12  # targets, actions, and sources backwards
_BYTES_A_POSITION = 32  # both rows' offsets, and what fixpoints need


@contextlib.contextmanager
def _not_counting_compilation(meter: Meter) -> Iterator[None]:
    """Stop the clock while this thread compiles kernels; that of another goes on."""
    thread, began = threading.get_ident(), 0.0

    def compiling(begins: bool) -> None:
        nonlocal began
        if threading.get_ident() != thread:
            return
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
    prover = _Prover(space, fair, known.paths, meter)
    verdict, paths = prover.ltl(known) if known.logic is Logic.LTL else prover.ctl(known)
    try:
        verdict = prover.shown(verdict, paths)
    except (Stopped, MemoryError):
        verdict = unshown(verdict, meter)
    if not verdict.holds or known.paths != "all":
        return verdict
    try:
        return _not_of_nothing(verdict, prover)
    except (Stopped, MemoryError):
        why = f"the limit of {meter.why}"
    except GridproofError as error:  # with nothing that follows, its automaton may be larger
        why = str(error)
    return replace(verdict, remarks=(*verdict.remarks, f"not found out whether it is vacuous: {why}"))


def _not_of_nothing(verdict: Verdict, prover: _Prover) -> Verdict:
    """The verdict on a formula that holds, with whether it does so of something."""
    for antecedent, without in without_consequence(verdict.formula):
        if prover.holds(without):
            remark = f"vacuous: {antecedent} is never true where it is asked"
            return replace(verdict, vacuous=True, remarks=(*verdict.remarks, remark))
    return verdict


class _Prover:
    """Judges formulas on one complete space."""

    def __init__(self, space: StateSpace, fair: Fair, paths: str, meter: Meter) -> None:
        self._model, self._some, self._meter = Model(space), paths == "some", meter
        self._fair: tuple[Assumption, ...] = assumptions(fair, space.level, rows_of(space).graph.labels)
        self._reached = functools.partial(meter.reached, space.states)
        self._evaluator = Evaluator(self._model, self._fair, self._reached)
        self._starts = range(self._model.starts)

    def holds(self, formula: Formula) -> bool:
        """Whether a formula holds at all starts, on all paths."""
        if logic_of(formula) is Logic.LTL:
            return self._paths(negated(formula)).found(self._starts) is None
        return bool(self._evaluator.values(formula)[: self._model.starts].all())

    def ctl(self, known: Verdict) -> tuple[Verdict, Iterator[Path]]:
        """The verdict on a formula of CTL, or without temporal operators, and the paths that show it."""
        values = self._evaluator.values(known.formula)
        at_starts = values[: self._model.starts]
        holds = bool(at_starts.any() if self._some else at_starts.all())
        verdict = replace(known, holds=holds, satisfying=int(np.count_nonzero(values)))
        if known.logic is Logic.STATE:
            return verdict, iter(())
        start = int(np.argmax(at_starts == holds))
        return verdict, Explainer(self._evaluator).paths(known.formula, start, holds)

    def ltl(self, known: Verdict) -> tuple[Verdict, Iterator[Path]]:
        """The verdict on a formula of LTL, and the paths that show it."""
        paths = self._paths(known.formula if self._some else negated(known.formula))
        found = paths.found(self._starts)
        verdict = replace(known, holds=(found is None) is not self._some)
        return verdict, iter(()) if found is None else paths.all(self._starts, found)

    def shown(self, verdict: Verdict, paths: Iterator[Path]) -> Verdict:
        """The verdict with the trace of the first path, and those of the others when they are asked for."""
        traces = map(self._trace, paths)
        trace = next(traces, None)
        if trace is None:
            return verdict
        return replace(verdict, trace=trace, traces=Traces(itertools.chain([trace], traces), self._meter))

    def _paths(self, formula: Formula) -> Paths:
        return Paths(self._model, automaton_of(formula), self._evaluator.values, self._fair, self._reached)

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
