"""Prover of formulas over a state space: CTL by fixpoints, LTL by automata."""

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
from gridproof.core.lazy_import import compile_listeners
from gridproof.core.limit import Meter, Stopped, describe_limit, use_stop
from gridproof.core.trace import Step, Trace
from gridproof.prove.ctl import Evaluator
from gridproof.prove.ctl_witness import Explainer
from gridproof.prove.early_verdict import decide_early
from gridproof.prove.fairness import Assumption, Fair, assumptions
from gridproof.prove.formula import FALSE, Binary, Formula, Logic, Unary, logic_of, negate
from gridproof.prove.model import Model, rows_of
from gridproof.prove.paths import Path, Paths
from gridproof.prove.tableau import automaton_of
from gridproof.prove.verdict import Traces, Verdict, without_trace
from gridproof.search.cost_product import strip_costs
from gridproof.search.space import StateSpace

_BYTES_AN_EDGE = 12  # targets, actions, and sources backwards
_BYTES_A_POSITION = 32  # both rows' offsets, and what fixpoints need
_MOST_IMPLICATIONS = 10  # implications to check

# The operators whose operand, or whose left or right one, must hold at each place of evaluation; for a negated whole
# (False), those whose operand must not hold anywhere. For the others one place is enough, which may lie elsewhere.
_BELOW = {True: frozenset("!AGXHY"), False: frozenset("!EFXOY")}
_LEFT = {True: frozenset("&W"), False: frozenset({"|", "->"})}
_RIGHT = {True: frozenset({"&", "->", *"RT"}), False: frozenset({"|", "->", *"US"})}


@contextlib.contextmanager
def _exclude_compilation(meter: Meter) -> Iterator[None]:
    """Stop the clock while this thread compiles kernels; other threads do not stop it."""
    thread, began = threading.get_ident(), 0.0

    def record(begins: bool) -> None:
        nonlocal began
        if threading.get_ident() != thread:
            return
        if begins:
            began = time.perf_counter()
        else:
            meter.start_time += time.perf_counter() - began

    compile_listeners.append(record)
    try:
        yield
    finally:
        compile_listeners.remove(record)


def answer(open_verdict: Verdict, space: StateSpace, fair: Fair, meter: Meter) -> Verdict:
    """Decide an open verdict on a space that may be incomplete.

    GridproofError when the formula is too large, or fairness names nobody and nothing.
    """
    if not space.complete:
        return decide_early(open_verdict, space)
    try:
        with _exclude_compilation(meter), use_stop(meter.limit.stop):
            return _answer(open_verdict, space, fair, meter)
    except (Stopped, MemoryError):
        return replace(open_verdict, stopped_by=meter.reason)


def _answer(open_verdict: Verdict, space: StateSpace, fair: Fair, meter: Meter) -> Verdict:
    if not meter.has_room(space.transitions * _BYTES_AN_EDGE + space.states * _BYTES_A_POSITION):
        raise Stopped
    prover = _Prover(space, fair, open_verdict.paths, meter)
    verdict, paths = prover.ltl(open_verdict) if open_verdict.logic is Logic.LTL else prover.ctl(open_verdict)
    try:
        verdict = prover.add_traces(verdict, paths)
    except (Stopped, MemoryError):
        verdict = without_trace(verdict, meter)
    if not verdict.holds or open_verdict.paths != "all":
        return verdict
    try:
        return _check_vacuity(verdict, prover)
    except (Stopped, MemoryError):
        why = describe_limit(meter.reason)
    except GridproofError as error:  # without the consequence, its automaton may be larger
        why = str(error)
    return replace(verdict, remarks=(*verdict.remarks, f"unknown whether it is vacuous: {why}"))


def weaken_implications(formula: Formula) -> Iterator[tuple[Formula, Formula]]:
    """Yield the condition of each implication that must hold everywhere, and the formula with FALSE as its consequence.

    If that formula holds too, the condition is never met (O. Kupferman, M. Y. Vardi, STTT 2003).
    """
    return itertools.islice(_weaken(formula, True), _MOST_IMPLICATIONS)


def _weaken(formula: Formula, positive: bool) -> Iterator[tuple[Formula, Formula]]:
    match formula:
        case Unary(operator, operand) if operator in _BELOW[positive]:
            for antecedent, inner in _weaken(operand, positive is not (operator == "!")):
                yield antecedent, Unary(operator, inner)
        case Binary(operator, left, right):
            if operator == "->" and positive:
                yield left, Binary("->", left, FALSE)
            if operator in _LEFT[positive]:
                for antecedent, inner in _weaken(left, positive is not (operator == "->")):
                    yield antecedent, Binary(operator, inner, right)
            if operator in _RIGHT[positive]:
                for antecedent, inner in _weaken(right, positive):
                    yield antecedent, Binary(operator, left, inner)


def _check_vacuity(verdict: Verdict, prover: _Prover) -> Verdict:
    """Return a verdict that holds, marked if it holds vacuously."""
    for antecedent, without in weaken_implications(verdict.formula):
        if prover.holds(without):
            remark = f"vacuous: {antecedent} is never true"
            return replace(verdict, vacuous=True, remarks=(*verdict.remarks, remark))
    return verdict


class _Prover:
    """Prover of formulas on one complete space."""

    def __init__(self, space: StateSpace, fair: Fair, paths: str, meter: Meter) -> None:
        self._model, self._some, self._meter = Model(space), paths == "some", meter
        self._fair: tuple[Assumption, ...] = assumptions(fair, space.level, rows_of(space).graph.labels)
        self._is_stopped = functools.partial(meter.is_reached, space.states)
        self._evaluator = Evaluator(self._model, self._fair, self._is_stopped)
        self._starts = range(self._model.starts)

    def holds(self, formula: Formula) -> bool:
        """Return whether a formula holds at all starts, on all paths."""
        if logic_of(formula) is Logic.LTL:
            return self._paths(negate(formula)).find_lazily(self._starts) is None
        return bool(self._evaluator.values(formula)[: self._model.starts].all())

    def ctl(self, open_verdict: Verdict) -> tuple[Verdict, Iterator[Path]]:
        """Return the verdict on a formula of CTL, or without temporal operators, and the paths that show it."""
        values = self._evaluator.values(open_verdict.formula)
        at_starts = values[: self._model.starts]
        holds = bool(at_starts.any() if self._some else at_starts.all())
        verdict = replace(open_verdict, holds=holds, satisfying=int(np.count_nonzero(values)))
        if open_verdict.logic is Logic.STATE:
            return verdict, iter(())
        start = int(np.argmax(at_starts == holds))
        return verdict, Explainer(self._evaluator).paths(open_verdict.formula, start, holds)

    def ltl(self, open_verdict: Verdict) -> tuple[Verdict, Iterator[Path]]:
        """Return the verdict on a formula of LTL, and the paths that show it."""
        paths = self._paths(open_verdict.formula if self._some else negate(open_verdict.formula))
        found = paths.find_lazily(self._starts)
        verdict = replace(open_verdict, holds=(found is None) is not self._some)
        return verdict, iter(()) if found is None else paths.find_all(self._starts, found)

    def add_traces(self, verdict: Verdict, paths: Iterator[Path]) -> Verdict:
        """Return the verdict with the trace of the first path, and lazily with the traces of the others."""
        traces = map(self._trace, paths)
        trace = next(traces, None)
        if trace is None:
            return verdict
        return replace(verdict, trace=trace, traces=Traces(itertools.chain([trace], traces), self._meter))

    def _paths(self, formula: Formula) -> Paths:
        return Paths(self._model, automaton_of(formula), self._evaluator.values, self._fair, self._is_stopped)

    def _trace(self, path: Path) -> Trace:
        """Return the trace of a path, replayed by the rules."""
        space, graph = self._model.space, self._model.rows.graph
        start = position = space[path.start]
        steps = []
        for edge in path.edges:
            action, after = graph.labels[graph.actions[edge]], space[int(graph.targets[edge])]
            label = next((one.label for one in position.outcomes(action) if one.position == after), None)
            if label is None:
                raise GridproofError("a kernel and the rules disagree; please report this level")
            steps.append(Step(action, label))
            position = after
        trace = Trace(start, tuple(steps), path.loop)
        trace.replay()
        return strip_costs(trace)
