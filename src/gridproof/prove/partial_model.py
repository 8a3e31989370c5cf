"""CTL on a prefix of a space: where a formula certainly holds, and where it possibly holds, whatever follows.

The first positions of a space are expanded; nothing is known about the edges of the others, its frontier. Negation
swaps certain and possible (G. Bruns and P. Godefroid, "Model checking partial state spaces with 3-valued temporal
logics", CAV 1999).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from gridproof.core.limit import Stopped, check_stop
from gridproof.prove.ctl import JOIN, Evaluator, objective_of, opposite_path
from gridproof.prove.fairness import Assumption
from gridproof.prove.formula import Binary, Deadlock, Executable, Formula, Unary
from gridproof.prove.model import Model, Rows
from gridproof.prove.monitors import split_monitors
from gridproof.prove.paths import Paths
from gridproof.prove.strategy import NEXT, UNLESS
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace


class PartialModel(Model):
    """A prefix of a space as formulas see it: positions of the frontier have no edges, but are no deadlocks."""

    def __init__(self, space: StateSpace) -> None:
        super().__init__(space)
        self.expanded = space.expanded_count

    @functools.cached_property
    def rows(self) -> Rows:
        """The edges of the expanded positions."""
        return Rows(self.space.partial_graph())

    @functools.cached_property
    def deadlocks(self) -> Array:
        """Expanded positions where nothing can be done: bool (n,)."""
        found = np.diff(self.rows.offsets) == 0
        found[self.expanded :] = False
        return found  # type: ignore[no-any-return]  # numpy's types say no more

    @property
    def product_rows(self) -> Rows:
        return OpenRows(self.rows, self.expanded)


class OpenRows(Rows):
    """Rows of a prefix where an edge to no position, -1, leads out of each position of the frontier."""

    def __init__(self, rows: Rows, expanded: int) -> None:
        super().__init__(rows.graph)
        check_stop()
        more = self.states - expanded
        self.offsets = rows.offsets.copy()
        self.offsets[expanded:] += np.arange(more + 1)
        self.targets = np.concatenate([rows.targets, np.full(more, -1, np.int32)])
        self.actions = np.concatenate([rows.actions, np.zeros(more, np.int32)])
        self.actions.flags.writeable = False  # as in the whole graph: kernels are compiled for that


class PartialEvaluator(Evaluator):
    """Evaluator of CTL formulas in a prefix: `values` are certain, and those of `possible` not excluded.

    A fair path is not distinguished from others where it is possible, since every finite path can go on fairly.
    """

    model: PartialModel

    def __init__(
        self,
        model: PartialModel,
        fair: Sequence[Assumption] = (),
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._possible: dict[Formula, Array] = {}
        super().__init__(model, fair, is_stopped)

    def possible(self, formula: Formula) -> Array:
        self._evaluate(formula)
        return self._unpack(self._possible[formula])

    def _store(self, formula: Formula) -> None:
        super()._store(formula)
        self._possible[formula] = np.packbits(self._possible_values(formula))

    def _values(self, formula: Formula) -> Array:
        match formula:
            case Unary("!", operand):
                return ~self.possible(operand)
            case Unary("A", path):
                return ~self._possible_path(opposite_path(path))
            case Binary("->", left, right):
                return ~self.possible(left) | self.values(right)
            case Binary("<->", left, right):
                both = self.values(left) & self.values(right)
                return both | ~(self.possible(left) | self.possible(right))
        return super()._values(formula)

    def _possible_values(self, formula: Formula) -> Array:
        match formula:
            case Unary("!", operand):
                return ~self.values(operand)
            case Unary("E", path):
                return self._possible_path(path)
            case Unary("A", path):
                return ~self._some_path(opposite_path(path))
            case Binary("->", left, right):
                return ~self.values(left) | self.possible(right)
            case Binary("<->", left, right):
                both = self.possible(left) & self.possible(right)
                return both | ~(self.values(left) | self.values(right))
            case Binary(operator, left, right):
                return JOIN[operator](self.possible(left), self.possible(right))
            case Deadlock() | Executable():
                return self._with_frontier(self.values(formula))
        return self.values(formula)

    def _possible_path(self, path: Formula) -> Array:
        wanted = objective_of(path)
        reach = self.possible(wanted.reach)
        if wanted.kind == NEXT:
            return self._with_frontier(super().next(reach))
        hold = self.possible(wanted.hold)
        reached = self.until(hold, reach | self._frontier & hold)
        return reached | self.always_on_any_path(hold) if wanted.kind == UNLESS else reached

    @functools.cached_property
    def _frontier(self) -> Array:
        return np.arange(self.model.states) >= self.model.expanded

    def _with_frontier(self, values: Array) -> Array:
        values[self.model.expanded :] = True
        return values

    def paths(self, path: Formula) -> Paths:
        """Return the fair paths on which a formula holds; Stopped where it needs monitors, which know no frontier."""
        if split_monitors(path)[1]:
            raise Stopped
        return super().paths(path)

    def goals(self, formula: Formula) -> Array:
        """Return the positions where a formula certainly holds: a fair path begins in each position."""
        return self.values(formula)

    def next(self, inside: Array) -> Array:
        """Evaluate EX for certain."""
        found = super().next(inside)
        found[self.model.expanded :] = False
        return found

    def always(self, inside: Array) -> Array:
        """Evaluate EG for certain: by paths that stay among the expanded positions."""
        return super().always(inside & ~self._frontier)
