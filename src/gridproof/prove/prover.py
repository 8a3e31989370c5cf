"""Prover of formulas over a state space: CTL by fixpoints, LTL by automata."""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import compile_listeners
from gridproof.core.limit import Meter, Stopped, describe_limit
from gridproof.core.trace import Step, Trace
from gridproof.prove.ctl import Evaluator
from gridproof.prove.ctl_witness import Explainer
from gridproof.prove.fairness import Assumption, Fair, assumptions
from gridproof.prove.formula import FALSE, Binary, Formula, Unary, decisive_goal, is_about_positions, negate
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.model import Model
from gridproof.prove.partial_model import PartialEvaluator, PartialModel
from gridproof.prove.past import paths_of_space, record_past
from gridproof.prove.paths import Path, Paths
from gridproof.prove.verdict import Traces, Verdict, without_trace
from gridproof.search.cost_product import strip_costs
from gridproof.search.space import StateSpace

_BYTES_AN_EDGE = 12  # targets, actions, and sources backwards
_BYTES_A_POSITION = 32  # both rows' offsets, and what fixpoints need
_VACUOUS = "vacuous: "
_MOST_PARTS = 10  # implications and sides of disjunctions to check
NOT_SHORTEST = "perhaps not the shortest: a limit was reached before that was known"

# The operators whose operand, or whose left or right one, must hold at each place of evaluation; for a negated whole
# (False), those whose operand must not hold anywhere. For the others one place is enough, which may lie elsewhere.
_BELOW = {True: frozenset("!AGXHY"), False: frozenset("!EFXOY")}
_LEFT = {True: frozenset("&W"), False: frozenset({"|", "->"})}
_RIGHT = {True: frozenset({"&", "->", *"RT"}), False: frozenset({"|", "->", *"US"})}


@contextlib.contextmanager
def exclude_compilation(meter: Meter) -> Iterator[None]:
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


def answer(
    open_verdict: Verdict, space: StateSpace, fair: Fair, meter: Meter, shortest: bool = False
) -> Verdict:
    """Decide an open verdict on a space that may be incomplete, with a shortest lasso if `shortest`.

    GridproofError when the formula is too large, or fairness names nobody and nothing.
    """
    if open_verdict.holds is not None and not space.complete:
        return open_verdict
    try:
        with exclude_compilation(meter), meter.enforce():
            return _answer(open_verdict, _Prover(space, fair, open_verdict.paths, meter, shortest))
    except (Stopped, MemoryError):
        return replace(open_verdict, stopped_by=open_verdict.stopped_by or meter.reason)


def _answer(open_verdict: Verdict, prover: _Prover) -> Verdict:
    verdict, paths = prover.ltl(open_verdict) if open_verdict.logic is Logic.LTL else prover.ctl(open_verdict)
    if verdict.holds is None:
        return verdict
    try:
        verdict = prover.add_traces(verdict, paths)
    except (Stopped, MemoryError):
        verdict = without_trace(verdict, prover.meter)
    return mark_vacuous(verdict, prover.holds, prover.meter)


def mark_vacuous(verdict: Verdict, holds: Callable[[Formula], bool | None], meter: Meter) -> Verdict:
    """Return a verdict, marked if it holds vacuously; `holds` returns whether a formula holds, None if that is unknown."""
    if not verdict.holds or verdict.paths != "all":
        return verdict
    try:
        return _check_vacuity(verdict, holds)
    except (Stopped, MemoryError):
        why = describe_limit(meter.reason)
    except GridproofError as error:  # without the consequence, its automaton may be larger
        why = str(error)
    return replace(verdict, remarks=(*verdict.remarks, f"unknown whether it is vacuous: {why}"))


def stronger_formulas(formula: Formula) -> Iterator[tuple[str, Formula]]:
    """Yield formulas with FALSE in place of a part that must hold everywhere, each after what it means if it holds too.

    Such a part is the consequence of an implication: its condition is never met (O. Kupferman, M. Y. Vardi, STTT 2003). If
    single positions decide the formula, it may also be one side of a disjunction: that side is never needed.
    """
    found = _strengthen(formula, True, "->")
    goal, _ = decisive_goal(formula, "all") or (None, None)
    if goal is not None and is_about_positions(goal):
        found = itertools.chain(found, _strengthen(formula, True, "|"))
    return itertools.islice(found, _MOST_PARTS)


def _strengthen(formula: Formula, positive: bool, sought: str) -> Iterator[tuple[str, Formula]]:
    """Yield what the parts with the operator `sought` allow."""
    match formula:
        case Unary(operator, operand) if operator in _BELOW[positive]:
            for meaning, inner in _strengthen(operand, positive is not (operator == "!"), sought):
                yield meaning, Unary(operator, inner)
        case Binary(operator, left, right):
            if positive and operator == sought == "->":
                yield f"{_VACUOUS}{left} is never true", Binary("->", left, FALSE)
            if positive and operator == sought == "|":
                yield f"{left} is never needed", right
                yield f"{right} is never needed", left
            is_inside = positive and operator == sought == "|"
            if is_inside or operator in _LEFT[positive]:
                for meaning, inner in _strengthen(left, positive is not (operator == "->"), sought):
                    yield meaning, Binary(operator, inner, right)
            if is_inside or operator in _RIGHT[positive]:
                for meaning, inner in _strengthen(right, positive, sought):
                    yield meaning, Binary(operator, left, inner)


def _check_vacuity(verdict: Verdict, holds: Callable[[Formula], bool | None]) -> Verdict:
    """Return a verdict that holds, marked if it holds vacuously."""
    for meaning, without in stronger_formulas(verdict.formula):
        still_holds = holds(without)
        if still_holds is None:
            remark = "unknown whether it is vacuous: not all positions were found"
            return replace(verdict, remarks=(*verdict.remarks, remark))
        if still_holds:
            is_vacuous = meaning.startswith(_VACUOUS)  # with a side too many, it is no empty claim
            return replace(verdict, vacuous=is_vacuous, remarks=(*verdict.remarks, meaning))
    return verdict


class _Prover:
    """Prover of formulas on one space. On an incomplete one, it decides what is certain whatever follows."""

    def __init__(self, space: StateSpace, fair: Fair, paths: str, meter: Meter, shortest: bool) -> None:
        if not meter.has_room(space.transitions * _BYTES_AN_EDGE + space.states * _BYTES_A_POSITION):
            raise Stopped
        self._some, self.meter, self._is_complete = paths == "some", meter, space.complete
        self._is_stopped = functools.partial(meter.is_reached, space.states)
        self._model = model = Model(space) if space.complete else PartialModel(space)
        self._fair: tuple[Assumption, ...] = assumptions(fair, space.level, model.rows.graph.labels)
        self._evaluator = (
            PartialEvaluator(model, self._fair, self._is_stopped)
            if isinstance(model, PartialModel)
            else Evaluator(model, self._fair, self._is_stopped)
        )
        self._evaluator.shortening.is_exhaustive = shortest
        self._starts = range(self._model.starts)

    def holds(self, formula: Formula) -> bool | None:
        """Return whether a formula holds at all starts, on all paths; None if that is not certain."""
        if logic_of(formula) is not Logic.LTL:
            return self._holds_at_starts(*record_past(self._evaluator, formula), some=False)
        paths = self._paths(negate(formula))
        return False if paths.find_lazily(self._starts) else paths.is_final or None

    def _holds_at_starts(self, evaluator: Evaluator, formula: Formula, some: bool) -> bool | None:
        """Return whether a formula holds at all starts, or at some; None if that is not certain."""
        which = np.any if some else np.all
        certain, possible = evaluator.values(formula), evaluator.possible(formula)
        if which(certain[: self._model.starts]):
            return True
        return None if which(possible[: self._model.starts]) else False

    def ctl(self, open_verdict: Verdict) -> tuple[Verdict, Iterator[Path]]:
        """Return the verdict on a formula of CTL, or without temporal operators, and the paths that show it."""
        evaluator, formula = record_past(self._evaluator, open_verdict.formula)
        holds = self._holds_at_starts(evaluator, formula, self._some)
        values = evaluator.values(formula)
        is_counted = self._is_complete and evaluator is self._evaluator
        satisfying = int(np.count_nonzero(values)) if is_counted else None
        verdict = replace(open_verdict, holds=holds, satisfying=satisfying)
        if open_verdict.logic is Logic.STATE or holds is None:
            return verdict, iter(())
        certain = values if holds else ~evaluator.possible(formula)
        start = int(np.argmax(certain[: self._model.starts]))
        paths = Explainer(evaluator).paths(formula, start, holds)
        return verdict, paths_of_space(evaluator.model, paths)

    def ltl(self, open_verdict: Verdict) -> tuple[Verdict, Iterator[Path]]:
        """Return the verdict on a formula of LTL, and the paths that show it."""
        paths = self._paths(open_verdict.formula if self._some else negate(open_verdict.formula))
        found = paths.find_lazily(self._starts)
        if found is None:
            return replace(open_verdict, holds=not self._some if paths.is_final else None), iter(())
        return replace(open_verdict, holds=self._some), paths.find_all(self._starts, found)

    def add_traces(self, verdict: Verdict, paths: Iterator[Path]) -> Verdict:
        """Return the verdict with the trace of the first path, and lazily with the traces of the others."""
        traces = map(self._trace, paths)
        trace = next(traces, None)
        if trace is None:
            return verdict
        if self._evaluator.shortening.is_exhaustive and self._evaluator.shortening.is_cut:
            verdict = replace(verdict, remarks=(*verdict.remarks, NOT_SHORTEST))
        return replace(verdict, trace=trace, traces=Traces(itertools.chain([trace], traces), self.meter))

    def _paths(self, formula: Formula) -> Paths:
        return self._evaluator.paths(formula)

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
