"""Operators of the past in CTL and CTL*: `AG (won -> Y at(1,1))` looks back on the path from the start.

An operator of the past is one bit beside the position: its value now. The step to the next position determines the next
value (F. Laroussinie, Ph. Schnoebelen, "A hierarchy of temporal logics with past", 1995). The positions with the values
that occur are a graph of their own, in which the operator is an atom.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped
from gridproof.kernels.compile import kernel
from gridproof.prove.ctl import Evaluator
from gridproof.prove.formula import (
    Binary,
    Formula,
    Recorded,
    Unary,
    has_past_of_states,
    is_past,
    parts,
    subformulas,
    substitute,
)
from gridproof.prove.model import Model, Rows
from gridproof.prove.paths import Path
from gridproof.search.graph import Array, Graph

_MOST_OPERATORS = 32
_LARGEST = (1 << 31) - 1  # a node's number is 32 bits


class Record(NamedTuple):
    """The rule for the value of an operator of the past, as bool arrays by position."""

    sets: Any
    """It is true here."""
    keeps: Any
    """It is true here if what it carries from the position before is true."""
    now: Any
    """The value that `Y` carries to the next position."""
    is_yesterday: bool
    """True for `Y`; the others carry their own value."""


def record_past(evaluator: Evaluator, formula: Formula) -> tuple[Evaluator, Formula]:
    """Return an evaluator of a product that knows the operators of the past, and the formula for it.

    Without such operators beside A or E, they are the same. Stopped at a limit; GridproofError for too many operators.
    """
    if not has_past_of_states(formula):
        return evaluator, formula
    number = 0
    while (one := next(_innermost(formula), None)) is not None:
        if number == _MOST_OPERATORS:
            raise GridproofError(
                f"the formula has more than {_MOST_OPERATORS} different operators of the past"
            )
        model = RecordedModel(evaluator, one, number)
        extended = Evaluator(model, evaluator.fair, evaluator.is_stopped)
        extended.shortening = evaluator.shortening
        recorded = Recorded(number, str(one))
        evaluator, formula = extended, substitute(formula, {one: recorded}.get)
        number += 1
    return evaluator, formula


def _innermost(formula: Formula) -> Iterator[Formula]:
    """Yield the operators of the past that have no others inside."""
    for one in subformulas(formula):
        if is_past(one) and not any(is_past(inner) for part in parts(one) for inner in subformulas(part)):
            yield one


class RecordedModel(Model):
    """A model whose nodes are those of another one with the value of an operator of the past: all that can occur."""

    def __init__(self, evaluator: Evaluator, operator: Formula, number: int) -> None:
        self.below, self._number = evaluator.model, number
        super().__init__(self.below.space)
        record, first = _record(evaluator, operator)
        if evaluator.is_stopped():
            raise Stopped
        self._rows = RecordedRows(self.below.rows, record, first[: self.starts])
        self.states = self.expanded = self._rows.states

    @functools.cached_property
    def rows(self) -> Rows:
        """The edges; a step where no action is possible is one if it changes the value."""
        return self._rows

    @functools.cached_property
    def deadlocks(self) -> Array:
        """Nodes where nothing can be done: bool (n,)."""
        found: Array = self.below.deadlocks[self._rows.places]
        return found

    def values(self, atom: Formula) -> Array:
        """Return the nodes where an atom holds: bool (n,)."""
        if isinstance(atom, Recorded) and atom.number == self._number:
            return self._rows.values.copy()
        found: Array = self.below.values(atom)[self._rows.places]
        return found

    def executable(self, actions: Collection[int]) -> Array:
        """Return the nodes where one of the actions, given by number, is possible: bool (n,)."""
        found: Array = self.below.executable(actions)[self._rows.places]
        return found

    def path_below(self, path: Path) -> Path:
        """Return a path as one of the model below, without steps where no action is possible."""
        below = [int(self._rows.edges[edge]) for edge in path.edges]
        done, loop = [edge for edge in below if edge >= 0], path.loop
        if loop is not None and len(done) < len(below):  # it stays at its end for ever
            loop = None
        return Path(int(self._rows.places[path.start]), tuple(done), loop)


def paths_of_space(model: Model, paths: Iterable[Path]) -> Iterator[Path]:
    """Yield paths of a model as different paths of its space."""
    seen = set[Path]()
    for path in paths:
        below = model
        while isinstance(below, RecordedModel):
            path, below = below.path_below(path), below.below  # noqa: PLW2901  # it goes down to the space
        if path not in seen:
            seen.add(path)
            yield path


def _record(evaluator: Evaluator, operator: Formula) -> tuple[Record, Array]:
    """Return the rule of an operator of the past, and its values where a path begins."""
    never, always = (np.full(evaluator.model.states, truth) for truth in (False, True))
    match operator:
        case Unary("Y", operand):
            return Record(never, always, evaluator.values(operand), True), never
        case Unary("O", operand):
            values = evaluator.values(operand)
            return Record(values, always, never, False), values
        case Unary("H", operand):
            values = evaluator.values(operand)
            return Record(never, values, never, False), values
        case Binary("S", left, right):
            values = evaluator.values(right)
            return Record(values, evaluator.values(left), never, False), values
        case Binary("T", left, right):
            values = evaluator.values(right)
            return Record(values & evaluator.values(left), values, never, False), values
    raise TypeError(operator)


class RecordedRows(Rows):
    """Rows of a graph whose nodes are those of another one with the value of an operator; the starts are the first."""

    def __init__(self, rows: Rows, record: Record, first: Array) -> None:
        if 2 * rows.states > _LARGEST:
            raise Stopped
        numbers, keys = np.full(2 * rows.states, -1, np.int32), np.empty(2 * rows.states, np.int32)
        keys[: len(first)] = 2 * np.arange(len(first)) + first
        numbers[keys[: len(first)]] = np.arange(len(first))
        count = int(spread((rows.offsets, rows.targets), record, numbers, keys, len(first)))
        keys = keys[:count].copy()
        self.places, self.values = keys >> 1, (keys & 1).astype(bool)
        """The node of the other graph, and the value."""
        widths = np.diff(rows.offsets)[self.places]
        carried = record.now[self.places] if record.is_yesterday else self.values
        after = record.sets[self.places] | (record.keeps[self.places] & carried)
        widths[(widths == 0) & (after != self.values)] = 1
        offsets = np.concatenate(([0], np.cumsum(widths)))
        if offsets[-1] > _LARGEST:
            raise Stopped
        targets, self.edges = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int32)
        """The edges of the other graph; -1 where no action is possible, and the value changes."""
        link((rows.offsets, rows.targets), record, numbers, keys, offsets, (targets, self.edges))
        stays = len(rows.graph.labels)
        actions = np.append(rows.actions, np.int32(stays))[self.edges].astype(np.int32)
        labels = (*rows.graph.labels, "")
        weights = np.broadcast_to(np.uint8(1), len(targets))
        super().__init__(Graph(offsets, targets, actions, weights, 1, labels))


@kernel
def following(place: Any, target: Any, value: Any, record: Record) -> Any:
    """Return the key of the node that follows another one: twice its place, plus its value."""
    carried = record.now[place] if record.is_yesterday else value
    return 2 * target + (1 if record.sets[target] or (record.keeps[target] and carried) else 0)


@kernel
def spread(rows: Any, record: Record, numbers: Any, keys: Any, count: Any) -> Any:
    """Find the keys of all nodes, after the first `count`, in breadth-first order; write their numbers, and return how many there are."""
    (offsets, targets), head = rows, 0
    while head < count:
        place, value = keys[head] >> 1, keys[head] & 1 == 1
        first, last = offsets[place], offsets[place + 1]
        for edge in range(first, max(last, first + 1)):
            target = np.int64(targets[edge]) if last > first else np.int64(place)
            key = following(place, target, value, record)
            if numbers[key] < 0:
                numbers[key] = count
                keys[count] = key
                count += 1
        head += 1
    return count


@kernel
def link(rows: Any, record: Record, numbers: Any, keys: Any, ends: Any, found: Any) -> None:
    """Write the targets of the edges between nodes, and the numbers of the edges that they come from, -1 for none."""
    (offsets, targets), (after, edges) = rows, found
    for node in range(keys.shape[0]):
        place, value = keys[node] >> 1, keys[node] & 1 == 1
        first, is_dead = offsets[place], offsets[place] == offsets[place + 1]
        for at in range(ends[node], ends[node + 1]):
            edge = first + at - ends[node]
            target = np.int64(place) if is_dead else np.int64(targets[edge])
            after[at] = numbers[following(place, target, value, record)]
            edges[at] = -1 if is_dead else edge
