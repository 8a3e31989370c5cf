"""Paths that show why a formula of CTL holds in a position, or why not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gridproof.prove.ctl import Evaluator, objective_of, opposite
from gridproof.prove.fixpoints import nearest
from gridproof.prove.formula import Binary, Formula, Unary, is_ctl_path, is_path_formula, negate
from gridproof.prove.paths import Path
from gridproof.prove.strategy import NEXT, UNLESS


class _Part(NamedTuple):
    """A path that one operator decides, and the formula at its end that may be shown from there on."""

    path: Path
    goal: Formula | None
    end: int


class Explainer:
    """Shows the outermost operators that decide: `EF` by a shortest path, `EG` by a loop, and on from their ends.

    No path shows a formula about all paths, or about the position alone.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._model = evaluator.model

    def paths(self, formula: Formula, position: int, truth: bool) -> Iterator[Path]:
        """Yield different paths from a position that show why the formula has this truth there, if any can."""
        for path, goal, end in self._parts(formula, position, truth):
            whole, on = path, self._continuation(goal, end)
            while on is not None:
                whole, on = whole.then(on.path), self._continuation(on.goal, on.end)
            yield whole

    def _continuation(self, goal: Formula | None, end: int) -> _Part | None:
        return None if goal is None else next(self._parts(goal, end, True), None)

    def _parts(self, formula: Formula, position: int, truth: bool) -> Iterator[_Part]:
        """Yield the parts of such paths that the outermost operator decides."""
        match formula:
            case Unary("!", operand):
                yield from self._parts(operand, position, not truth)
            case Unary("E", path) if truth:
                yield from self._witnesses(path, position)
            case Unary("A", path) if not truth:
                yield from self._witnesses(opposite(path), position)
            case Binary("->", left, right):
                yield from self._parts(Binary("|", negate(left), right), position, truth)
            case Binary("<->", left, right):
                first, second = (self._evaluator.is_certain(one, position, True) for one in (left, right))
                yield from self._conjunction([(left, first), (right, second)], position)
            case Binary(operator, left, right):
                if (operator == "&") is truth:
                    yield from self._conjunction([(left, truth), (right, truth)], position)
                    return
                for one in (left, right):
                    if self._evaluator.is_certain(one, position, truth):
                        yield from self._parts(one, position, truth)

    def _conjunction(self, parts: list[tuple[Formula, bool]], position: int) -> Iterator[_Part]:
        """Yield the parts for the first of several facts that a path can show."""
        candidates = []
        for formula, truth in parts:
            others = self._parts(formula, position, truth)
            if (first := next(others, None)) is not None:
                candidates.append((first, others))
        candidates.sort(key=lambda one: not one[0].path.edges)
        for first, others in candidates[:1]:
            yield first
            yield from others

    def _witnesses(self, path: Formula, position: int) -> Iterator[_Part]:
        """Yield different paths that satisfy a formula which holds on some path."""
        if not is_path_formula(path):
            yield from self._parts(path, position, True)
            return
        if not is_ctl_path(path):
            for one in self._evaluator.paths(path).find_all([position]):
                yield _Part(one, None, position)
            return
        wanted = objective_of(path)
        if wanted.kind == NEXT:
            yield from self._next(wanted.reach, position)
            return
        yield from self._until(wanted.hold, wanted.reach, position)
        if wanted.kind == UNLESS:
            yield from self._always(wanted.hold, position)

    def _next(self, operand: Formula, position: int) -> Iterator[_Part]:
        rows, goals = self._model.rows, self._evaluator.goals(operand)
        edges = range(rows.offsets[position], rows.offsets[position + 1])
        if not edges and goals[position]:
            yield _Part(Path(position), operand, position)
        for edge in edges:
            if goals[target := int(rows.targets[edge])]:
                yield _Part(Path(position, (edge,)), operand, target)

    def _until(self, through: Formula, goal: Formula, position: int) -> Iterator[_Part]:
        rows, goals = self._model.rows, self._evaluator.goals(goal)
        inside = self._evaluator.values(through)
        while goals.any():
            parents, queue = np.full(self._model.states, -1, np.int32), np.empty(self._model.states, np.int32)
            found = int(nearest(rows.offsets, rows.targets, inside, goals, position, parents, queue))
            if found < 0:
                return
            way = [found]
            while way[-1] != position:
                way.append(int(parents[way[-1]]))
            edges = tuple(self._edge(*pair) for pair in itertools.pairwise(reversed(way)))
            yield _Part(Path(position, edges), goal, found)
            goals[found] = False

    def _edge(self, source: int, target: int) -> int:
        rows = self._model.rows
        first, last = rows.offsets[source], rows.offsets[source + 1]
        return int(first + np.argmax(rows.targets[first:last] == target))

    def _always(self, operand: Formula, position: int) -> Iterator[_Part]:
        inside = self._evaluator.always(self._evaluator.values(operand))
        if inside[position]:
            for path in self._evaluator.paths_inside(inside, operand).find_all([position]):
                yield _Part(path, None, position)
