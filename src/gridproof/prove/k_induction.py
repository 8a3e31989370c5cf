"""Proofs of `AG p` by k-induction (Sheeran, Singh and Stalmarck 2000), over all positions of a level, reachable or not.

The base is a bounded search: no counterexample has fewer than k actions. The step is about positions from which the nearest
one without p is k actions away, through positions with p: if there are none, p always holds. For the last k actions of a
shortest counterexample are a shortest path from such a position.
"""

from __future__ import annotations

import itertools
from array import array
from dataclasses import replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped
from gridproof.core.position import Position
from gridproof.core.text.phrases import short_repr
from gridproof.core.trace import Trace
from gridproof.prove.evaluate import Test, test_of
from gridproof.prove.formula import Formula
from gridproof.prove.induction import (
    BASE,
    STEP,
    InductionVerdict,
    Obligation,
    PositionSearch,
    induction_verdict,
)
from gridproof.prove.logic import property_of
from gridproof.prove.verdict import Verdict
from gridproof.search.question import Question

MOST = 1_000_000
"""The largest k."""


def check_depth(depth: object) -> int:
    """Return k; GridproofError for a value that is none."""
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MOST:
        raise GridproofError(
            f"k of k-induction is a whole number from 1 to {MOST:,}, not {short_repr(depth)}"
        )
    return depth


def prove_by_depth(open_verdict: Verdict, question: Question, depth: int) -> InductionVerdict:
    """Return the verdict on `AG p` by k-induction."""
    wanted = property_of(open_verdict.formula, open_verdict.paths)
    base = _BoundedSearch(question, wanted)
    base_trace, stopped_by = base.run(depth)
    step: _StepSearch | None = None
    step_trace, step_holds = None, True if base.is_complete else None
    if not (base_trace or stopped_by or base.is_complete):
        step = _StepSearch(question, wanted)
        step_trace, stopped_by = step.run(depth)
        step_holds = None if stopped_by else step_trace is None
    base_holds = False if base_trace else None if base.bound < depth and not base.is_complete else True
    obligations = Obligation(BASE, base_holds, base_trace), Obligation(STEP, step_holds, step_trace)
    return replace(
        induction_verdict(open_verdict, question, obligations, stopped_by, base_trace),
        states=step.states if step else base.states,
        bound=None if base_trace or step_holds else base.bound,
        depth=depth,
        inside=step.inside if step else 0,
        size=step.size if step else 0,
    )


class _BoundedSearch(PositionSearch):
    """Breadth-first search for a counterexample with few actions."""

    def __init__(self, question: Question, wanted: Formula) -> None:
        super().__init__(question)
        self._wanted: Test = test_of(wanted, question.level, self.who)
        self._before: dict[Position[Any], Position[Any] | None] = dict.fromkeys(question.starts)
        self.bound = 0
        """No counterexample has fewer actions."""
        self.is_complete = False
        """True if all reachable positions have p."""

    def run(self, depth: int) -> tuple[Trace | None, str]:
        """Search up to a depth; return a shortest counterexample, and the limit that was reached first."""
        layer = list(self._before)
        try:
            with self.meter.enforce():
                while layer and self.bound < depth:
                    for position in layer:
                        self.count()
                        if not self._wanted(position):
                            return self._trace_to(position), ""
                    self.bound += 1
                    layer = self._next_layer(layer) if self.bound < depth else layer
        except (Stopped, MemoryError):
            return None, self.meter.stopped_by or self.meter.reason
        self.is_complete = not layer
        return None, ""

    def _next_layer(self, layer: list[Position[Any]]) -> list[Position[Any]]:
        found = []
        for position in layer:
            for after in self.successors(position):
                if after not in self._before:
                    self._before[after] = position
                    found.append(after)
        return found

    def _trace_to(self, position: Position[Any]) -> Trace:
        path = [position]
        while (before := self._before[path[-1]]) is not None:
            path.append(before)
        return self.trace(path[::-1])


class _StepSearch(PositionSearch):
    """Distances of the positions with p to the nearest one without it."""

    def __init__(self, question: Question, wanted: Formula) -> None:
        super().__init__(question)
        self._wanted: Test = test_of(wanted, question.level, self.who)
        self._numbers: dict[Position[Any], int] = {}
        self._ends: dict[int, Position[Any]] = {}
        """A position without p that follows, by number."""
        self._offsets, self._targets = array("q", [0]), array("q")

    @property
    def inside(self) -> int:
        """The number of positions with p."""
        return len(self._numbers)

    def run(self, depth: int) -> tuple[Trace | None, str]:
        """Return a shortest path of so many actions to a position without p, and the limit that was reached first."""
        try:
            with self.meter.enforce():
                for position in itertools.chain(self.positions(), self._question.starts):
                    if position not in self._numbers and self._wanted(position):
                        self._numbers[position] = len(self._numbers)
                self._find_edges()
                return self._find_path(depth), ""
        except (Stopped, MemoryError):
            return None, self.meter.stopped_by or self.meter.reason

    def _find_edges(self) -> None:
        """Find what follows from the positions with p; what is not listed is added."""
        waiting = list(self._numbers)
        for number, position in enumerate(waiting):
            for after in self.successors(position):
                target = self._numbers.get(after)
                if target is None and not self._wanted(after):
                    self._ends.setdefault(number, after)
                    continue
                if target is None:
                    self.count()
                    target = self._numbers[after] = len(waiting)
                    waiting.append(after)
                self._targets.append(target)
            self._offsets.append(len(self._targets))

    def _find_path(self, depth: int) -> Trace | None:
        """Return a shortest path of `depth` actions to a position without p; None if none is as long."""
        following = dict.fromkeys(self._ends, -1)  # the next number, of those whose distance is known
        layer = set(self._ends)
        rest = [number for number in range(len(self._numbers)) if number not in following]
        for _ in range(depth - 1):
            found = {}
            for number in rest:
                targets = self._targets[self._offsets[number] : self._offsets[number + 1]]
                if (target := next((one for one in targets if one in layer), None)) is not None:
                    found[number] = target
                self._check_limit()
            following |= found
            layer = set(found)
            rest = [number for number in rest if number not in found]
            if not layer:
                return None
        return self._path(min(layer), following) if layer else None

    def _path(self, number: int, following: dict[int, int]) -> Trace:
        positions, path = list(self._numbers), []
        while True:
            path.append(positions[number])
            if following[number] < 0:
                return self.trace([*path, self._ends[number]])
            number = following[number]
