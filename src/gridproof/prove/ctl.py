"""CTL: where a formula holds, by fixpoints over the whole graph (E. M. Clarke, E. A. Emerson, A. P. Sistla 1986)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gridproof.core.limit import Stopped
from gridproof.prove.automaton import always
from gridproof.prove.fairness import Assumption
from gridproof.prove.fixpoints import some_always, some_next, some_until
from gridproof.prove.formula import TRUE, Binary, Formula, Truth, Unary, negated, positional
from gridproof.prove.model import Model
from gridproof.prove.paths import Paths

Array = np.ndarray[Any, Any]


def opposite(path: Formula) -> Formula:
    """What holds on exactly those paths on which a temporal operator of CTL does not."""
    match path:
        case Unary("X", operand):
            return Unary("X", negated(operand))
        case Unary("F", operand):
            return Unary("G", negated(operand))
        case Unary("G", operand):
            return Unary("F", negated(operand))
        case Binary("U", left, right):
            return Binary("R", negated(left), negated(right))
        case Binary("R", left, right):
            return Binary("U", negated(left), negated(right))
        case Binary(_, left, right):  # W
            return Binary("U", negated(right), Binary("&", negated(left), negated(right)))
    raise TypeError(path)


class Evaluator:
    """Where formulas of CTL hold in a model, each found out once.

    Parameters
    ----------
    model : Model
    fair : sequence of Assumption
        Quantifiers then speak of fair paths.
    reached : callable
        Whether a limit is reached; asked before each fixpoint.
    """

    def __init__(
        self, model: Model, fair: Sequence[Assumption] = (), reached: Callable[[], bool] = lambda: False
    ) -> None:
        self.model, self.fair, self.reached = model, fair, reached
        self._known: dict[Formula, Array] = {}

    def values(self, formula: Formula) -> Array:
        """Where a formula holds: bool (n,).

        Raises
        ------
        Stopped
            When a limit is reached.
        """
        if formula not in self._known:
            for one in reversed(
                [*positional(formula)]
            ):  # the inner ones first: nothing goes down by recursion
                if one not in self._known:
                    self._known[one] = np.packbits(self._values(one))  # there may be many, of millions each
        return np.unpackbits(self._known[formula], count=self.model.states).view(bool)

    def _values(self, formula: Formula) -> Array:
        match formula:
            case Truth(value):
                return np.full(self.model.states, value)
            case Unary("!", operand):
                return ~self.values(operand)
            case Unary("E", path):
                return self._some_path(path)
            case Unary("A", path):
                return ~self._some_path(opposite(path))
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
        """Where a fair path begins."""
        return self.always(np.ones(self.model.states, bool))

    def goals(self, formula: Formula) -> Array:
        """Where a formula holds and a fair path begins, if paths are to be fair; an array of one's own."""
        values = self.values(formula)
        return values & self._fair if self.fair else values

    def next(self, inside: Array) -> Array:
        """EX."""
        self._look()
        found = np.zeros_like(inside)
        some_next(self.model.rows.offsets, self.model.rows.targets, inside, found)
        return found

    def until(self, through: Array, goals: Array) -> Array:
        """E U."""
        self._look()
        reached = goals.copy()
        some_until(*self.model.rows.backward, through, reached, self._room())
        return reached

    def always(self, inside: Array) -> Array:
        """EG: of fair paths those that come to a fair loop."""
        self._look()
        if self.fair:
            loops = Paths(self.model, always(TRUE), lambda _: inside, self.fair, self.reached)
            return self.until(inside, loops.accepted(inside))
        rows, kept = self.model.rows, inside.copy()
        some_always(rows.offsets, rows.targets, *rows.backward, kept, self._room(), self._room())
        return kept

    def _room(self) -> Array:
        return np.empty(self.model.states, np.int32)

    def _look(self) -> None:
        if self.reached():
            raise Stopped


JOIN: dict[str, Callable[[Array, Array], Array]] = {
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "->": lambda left, right: ~left | right,
    "<->": lambda left, right: left == right,
}
