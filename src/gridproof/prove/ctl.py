"""CTL by fixpoints over the whole graph (E. M. Clarke, E. A. Emerson, A. P. Sistla 1986); CTL* with automata.

In CTL*, the formulas about positions inside a formula about a path are the automaton's atoms, evaluated before it
(E. A. Emerson, C.-L. Lei 1985).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gridproof.core.limit import Stopped
from gridproof.prove.automaton import invariant_automaton
from gridproof.prove.fairness import Assumption
from gridproof.prove.fixpoints import some_always, some_next, some_until
from gridproof.prove.formula import (
    FALSE,
    TRUE,
    Binary,
    Formula,
    Truth,
    Unary,
    is_ctl_path,
    is_path_formula,
    negate,
    positional_subformulas,
)
from gridproof.prove.lassos import Shortening
from gridproof.prove.model import Model
from gridproof.prove.monitors import split_monitors
from gridproof.prove.paths import Paths
from gridproof.prove.strategy import NEXT, UNLESS, UNTIL, Objective
from gridproof.prove.tableau import automaton_of
from gridproof.search.graph import Array

_DUAL = {"X": "X", "F": "G", "G": "F", "U": "R", "R": "U"}


def opposite_path(path: Formula) -> Formula:
    """Return a formula for exactly those paths on which a temporal operator of CTL does not hold."""
    match path:
        case Unary(operator, operand):
            return Unary(_DUAL[operator], negate(operand))
        case Binary("W", left, right):
            return Binary("U", negate(right), Binary("&", negate(left), negate(right)))
        case Binary(operator, left, right):
            return Binary(_DUAL[operator], negate(left), negate(right))
    raise TypeError(path)


def opposite(path: Formula) -> Formula:
    """Return a formula for exactly those paths on which a formula of CTL* does not hold."""
    return opposite_path(path) if is_ctl_path(path) else negate(path)


def objective_of(path: Formula) -> Objective:
    """Return the objective of a temporal operator, as formulas."""
    match path:
        case Unary("X", operand):
            return Objective(NEXT, TRUE, operand)
        case Unary("F", operand):
            return Objective(UNTIL, TRUE, operand)
        case Unary("G", operand):
            return Objective(UNLESS, operand, FALSE)
        case Binary("R", left, right):
            return Objective(UNLESS, right, Binary("&", left, right))
        case Binary(operator, left, right):
            return Objective(UNTIL if operator == "U" else UNLESS, left, right)
    raise TypeError(path)


class Evaluator:
    """Evaluator of CTL and CTL* formulas in a model; each formula is evaluated once.

    With assumptions `fair`, quantifiers speak of fair paths. `is_stopped` tells before each fixpoint if a limit is reached.
    """

    def __init__(
        self, model: Model, fair: Sequence[Assumption] = (), is_stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self.model, self.is_stopped = model, is_stopped
        self.shortening = Shortening()
        self._cache: dict[Formula, Array] = {}
        self.fair: Sequence[Assumption] = ()  # the formulas of fairness speak of all paths
        values = {one: self.values(one.formula) for one in fair if one.formula is not None}
        self.fair = [replace(one, where=values.get(one)) for one in fair]
        self._cache.clear()

    def values(self, formula: Formula) -> Array:
        """Return the positions where a formula holds, bool (n,); Stopped at a limit."""
        self._evaluate(formula)
        return self._unpack(self._cache[formula])

    def possible(self, formula: Formula) -> Array:
        """Return the positions where a formula may hold, bool (n,): in a complete space those where it holds."""
        return self.values(formula)

    def is_certain(self, formula: Formula, position: int, truth: bool) -> bool:
        """Return whether a formula is certainly true in a position; or certainly false, without `truth`."""
        return bool((self.values(formula) if truth else ~self.possible(formula))[position])

    def _evaluate(self, formula: Formula) -> None:
        if formula in self._cache:
            return
        for one in reversed([*positional_subformulas(formula)]):  # the inner ones first: no recursion
            if one not in self._cache:
                self._store(one)

    def _store(self, formula: Formula) -> None:
        self._cache[formula] = np.packbits(self._values(formula))  # there may be many, of millions each

    def _unpack(self, bits: Array) -> Array:
        return np.unpackbits(bits, count=self.model.states).view(bool)

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
        if not is_path_formula(path):
            return self.goals(path)
        if not is_ctl_path(path):
            return self.paths(path).positions()
        wanted = objective_of(path)
        if wanted.kind == NEXT:
            return self.next(self.goals(wanted.reach))
        reached = self.until(self.values(wanted.hold), self.goals(wanted.reach))
        return reached | self.always(self.values(wanted.hold)) if wanted.kind == UNLESS else reached

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
        return self.always_on_any_path(inside)

    def always_on_any_path(self, inside: Array) -> Array:
        """Evaluate EG, also by paths that are not fair."""
        rows, found = self.model.rows, inside.copy()
        some_always(rows.offsets, rows.targets, *rows.backward, found, self._room(), self._room())
        return found

    def paths_inside(self, inside: Array, formula: Formula) -> Paths:
        """Return the fair paths that never leave the positions where a formula holds."""
        paths = Paths(self.model, invariant_automaton(formula), lambda _: inside, self.fair, self.is_stopped)
        paths.shortening = self.shortening
        return paths

    def paths(self, path: Formula) -> Paths:
        """Return the fair paths on which a formula holds."""
        rest, monitors = split_monitors(path)
        paths = Paths(self.model, automaton_of(rest), self.values, self.fair, self.is_stopped, monitors)
        paths.shortening = self.shortening
        return paths

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
