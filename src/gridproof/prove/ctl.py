"""CTL by fixpoints over the whole graph (E. M. Clarke, E. A. Emerson, A. P. Sistla 1986)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from gridproof.core.limit import Stopped
from gridproof.prove.automaton import invariant_automaton
from gridproof.prove.fairness import Assumption
from gridproof.prove.fixpoints import some_always, some_next, some_until
from gridproof.prove.formula import TRUE, Binary, Formula, Truth, Unary, negate, positional_subformulas
from gridproof.prove.model import Model
from gridproof.prove.paths import Paths
from gridproof.search.graph import Array


def opposite_path(path: Formula) -> Formula:
    """Return a formula for exactly those paths on which a temporal operator of CTL does not hold."""
    match path:
        case Unary("X", operand):
            return Unary("X", negate(operand))
        case Unary("F", operand):
            return Unary("G", negate(operand))
        case Unary("G", operand):
            return Unary("F", negate(operand))
        case Binary("U", left, right):
            return Binary("R", negate(left), negate(right))
        case Binary("R", left, right):
            return Binary("U", negate(left), negate(right))
        case Binary(_, left, right):  # W
            return Binary("U", negate(right), Binary("&", negate(left), negate(right)))
    raise TypeError(path)


class Evaluator:
    """Evaluator of CTL formulas in a model; each formula is evaluated once.

    With assumptions `fair`, quantifiers speak of fair paths. `is_stopped` tells before each fixpoint if a limit is reached.
    """

    def __init__(
        self, model: Model, fair: Sequence[Assumption] = (), is_stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self.model, self.fair, self.is_stopped = model, fair, is_stopped
        self._cache: dict[Formula, Array] = {}

    def values(self, formula: Formula) -> Array:
        """Return the positions where a formula holds, bool (n,); Stopped at a limit."""
        if formula not in self._cache:
            for one in reversed(
                [*positional_subformulas(formula)]
            ):  # the inner ones first: nothing goes down by recursion
                if one not in self._cache:
                    self._cache[one] = np.packbits(self._values(one))  # there may be many, of millions each
        return np.unpackbits(self._cache[formula], count=self.model.states).view(bool)

    def _values(self, formula: Formula) -> Array:
        match formula:
            case Truth(value):
                return np.full(self.model.states, value)
            case Unary("!", operand):
                return ~self.values(operand)
            case Unary("E", path):
                return self._some_path(path)
            case Unary("A", path):
                return ~self._some_path(opposite_path(path))
            case Binary(operator, left, right):
                return JOIN[operator](self.values(left), self.values(right))
        return self.model.values(formula)

    def _some_path(self, path: Formula) -> Array:
        match path:
            case Unary("X", operand):
                return self.next(self.goals(operand))
            case Unary("F", operand):
                return self.until(self.values(TRUE), self.goals(operand))
            case Unary(_, operand):  # G
                return self.always(self.values(operand))
        assert isinstance(path, Binary)
        left, right = path.left, path.right
        if path.operator == "U":
            return self.until(self.values(left), self.goals(right))
        if path.operator == "W":
            return self.until(self.values(left), self.goals(right)) | self.always(self.values(left))
        both = self.goals(Binary("&", left, right))
        return self.until(self.values(right), both) | self.always(self.values(right))  # R

    @functools.cached_property
    def _fair(self) -> Array:
        """Positions where a fair path begins."""
        return self.always(np.ones(self.model.states, bool))

    def goals(self, formula: Formula) -> Array:
        """Return the positions where a formula holds and, if paths must be fair, a fair path begins; the caller owns the array."""
        values = self.values(formula)
        return values & self._fair if self.fair else values

    def next(self, inside: Array) -> Array:
        """Evaluate EX."""
        self._check_limit()
        found = np.zeros_like(inside)
        some_next(self.model.rows.offsets, self.model.rows.targets, inside, found)
        return found

    def until(self, through: Array, goals: Array) -> Array:
        """Evaluate E U."""
        self._check_limit()
        reached = goals.copy()
        some_until(*self.model.rows.backward, through, reached, self._room())
        return reached

    def always(self, inside: Array) -> Array:
        """Evaluate EG; if paths must be fair, by the positions from which a fair loop can be reached."""
        self._check_limit()
        if self.fair:
            return self.until(inside, self.paths_inside(inside, TRUE).accepting_positions(inside))
        rows, found = self.model.rows, inside.copy()
        some_always(rows.offsets, rows.targets, *rows.backward, found, self._room(), self._room())
        return found

    def paths_inside(self, inside: Array, formula: Formula) -> Paths:
        """Return the fair paths that never leave the positions where a formula holds."""
        return Paths(self.model, invariant_automaton(formula), lambda _: inside, self.fair, self.is_stopped)

    def _room(self) -> Array:
        return np.empty(self.model.states, np.int32)

    def _check_limit(self) -> None:
        if self.is_stopped():
            raise Stopped


JOIN: dict[str, Callable[[Array, Array], Array]] = {
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "->": lambda left, right: ~left | right,
    "<->": lambda left, right: left == right,
}
