"""Probable verdicts on invariants by hash compaction: a counterexample is certain, but positions may be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped
from gridproof.core.position import Position
from gridproof.prove import prover
from gridproof.prove.cost import find_product
from gridproof.prove.ctl import Evaluator
from gridproof.prove.early_verdict import COUNTED_ONCE
from gridproof.prove.formula import FALSE, Formula, atoms, decisive_goal, is_about_positions
from gridproof.prove.model import Model
from gridproof.prove.verdict import Verdict, without_trace
from gridproof.search.hash_compaction import BITS, HashSearch, Layer
from gridproof.search.question import Question


def answer(open_verdict: Verdict, question: Question, bits: int = BITS) -> Verdict:
    """Return the verdict on `AG p`, `EF p`, `G p`, or `F p` on some path.

    Parameters
    ----------
    open_verdict : Verdict
        The question.
    question : Question
        The starts, and whose actions count.
    bits : int
        Bits of a hash.

    Raises
    ------
    GridproofError
        For another formula, for `EF p` at several starts, and for levels without a kernel.
    """
    goal, truth = _goal_of(open_verdict, question.starts)
    names = frozenset(one.name for one in atoms(goal))
    search, meter = HashSearch(question, names, bits), question.meter
    if search.is_reduced:
        open_verdict = replace(open_verdict, remarks=(*open_verdict.remarks, COUNTED_ONCE))
    checker = _GoalSearch(open_verdict, goal)
    try:
        with prover.exclude_compilation(meter):
            for depth, layer in enumerate(search.layers()):
                place = checker.find_goal(layer)
                if place is not None:
                    decided = replace(open_verdict, holds=truth, states=search.states, complete=False)
                    return _add_trace(decided, search, depth, place)
    except (Stopped, MemoryError):
        return replace(open_verdict, states=search.states, stopped_by=meter.reason, complete=False)
    verdict = replace(
        open_verdict, holds=not truth, states=search.states, omission_probability=search.omission_probability
    )
    return prover.mark_vacuous(verdict, checker.is_never_refuted, meter)


def _goal_of(open_verdict: Verdict, starts: Sequence[Position[Any]]) -> tuple[Formula, bool]:
    """Return the formula whose truth in one position decides, and the answer that it gives."""
    goal, truth = decisive_goal(open_verdict.formula, open_verdict.paths) or (None, False)
    if goal is None or not is_about_positions(goal) or find_product(goal, starts[0].level):
        raise GridproofError(
            "hash compaction is for AG p, EF p, G p, and F p on some path, where p is about positions, without costs, "
            "e(ACTION) and deadlock"
        )
    if truth and open_verdict.paths == "all" and len(starts) > 1:
        raise GridproofError("with several starts, hash compaction is for AG p and G p only")
    return goal, truth


class _GoalSearch:
    """Evaluates layers, and notes which conditions of implications occur."""

    def __init__(self, open_verdict: Verdict, goal: Formula) -> None:
        self._goal, self._paths = goal, open_verdict.paths
        self._conditions = {self._goal_of(one) for _, one in prover.stronger_formulas(open_verdict.formula)}

    def _goal_of(self, formula: Formula) -> Formula:
        goal, _ = decisive_goal(formula, self._paths) or (FALSE, False)
        return goal

    def find_goal(self, layer: Layer) -> int | None:
        """Return the first place of the goal in a layer; None without one."""
        evaluator = Evaluator(Model(layer))
        values = evaluator.values(self._goal)
        if values.any():
            return int(np.argmax(values))
        self._conditions -= {one for one in self._conditions if evaluator.values(one).any()}
        return None

    def is_never_refuted(self, formula: Formula) -> bool:
        """Return whether no position decided against a formula with a weaker implication."""
        return self._goal_of(formula) in self._conditions


def _add_trace(verdict: Verdict, search: HashSearch, depth: int, place: int) -> Verdict:
    """Return a decided verdict with a shortest trace to the position at a place of a layer."""
    try:
        return replace(verdict, trace=search.trace(depth, place))
    except (Stopped, MemoryError):
        return without_trace(verdict, search.question.meter)
