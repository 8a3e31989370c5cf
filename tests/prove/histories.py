"""Slow twins of operators of the past beside A and E: graphs whose nodes are histories, the paths from a start.

In a `Tree` each history is a node: for graphs without circles. In `Merged` histories count once if they end in the same
node and the operator has the same value on both, which is found on one of them by its definition.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from tests.prove.graphs import ACTIONS, Drawn, truth_in
from tests.prove.test_ctl_star import FairPaths
from tests.prove.twins import BranchingPaths

from gridproof.prove.formula import (
    PAST,
    Atom,
    Binary,
    Formula,
    Truth,
    Unary,
    negate,
    parts,
    subformulas,
    with_parts,
)
from gridproof.prove.logic import Logic, logic_of


class Nodes:
    """A graph of nodes, each with its position in another graph; `known` are the nodes where atoms for operators hold."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.edges: list[tuple[tuple[int, int], ...]] = []
        self.stays: list[int] = []
        self.known: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return len(self.places)

    def after(self, node: int) -> list[int]:
        return [target for _, target in self.edges[node]] or [self.stays[node]]

    def holds(self, atom: Formula, node: int) -> bool:
        if isinstance(atom, Atom) and atom.name in self.known:
            return node in self.known[atom.name]
        return self.holds_below(atom, self.places[node])

    def holds_below(self, atom: Formula, place: int) -> bool:
        raise NotImplementedError

    def arcs(self) -> list[tuple[int, str, int]]:
        return [
            arc
            for node, row in enumerate(self.edges)
            for arc in (
                [(node, ACTIONS[action], target) for action, target in row] or [(node, "", self.stays[node])]
            )
        ]


class Tree(Nodes):
    """All histories of a graph without circles; at their ends they stay so long that values settle."""

    def __init__(self, drawn: Drawn, starts: int, stays: int) -> None:
        super().__init__()
        self._drawn, self.before = drawn, [-1] * starts
        self.places, stayed = [*range(starts)], [0] * starts
        for node, place in enumerate(self.places):
            row = drawn.edges[place]
            targets = [(action, self._add(node, target)) for action, target in row]
            self.edges.append(tuple(targets))
            stayed += [0] * len(row)
            is_last = bool(row) or stayed[node] == stays
            self.stays.append(node if is_last else self._add(node, place))
            stayed += [] if is_last else [stayed[node] + 1]

    def _add(self, before: int, place: int) -> int:
        self.before.append(before)
        self.places.append(place)
        return len(self.places) - 1

    def holds_below(self, atom: Formula, place: int) -> bool:
        return self._drawn.holds(atom, place)

    def history(self, node: int) -> list[int]:
        found = [node]
        while (node := self.before[node]) >= 0:
            found.insert(0, node)
        return found


class Merged(Nodes):
    """Histories of a graph, which count once if they end in the same node with the same value of an operator."""

    def __init__(self, below: Drawn | Nodes, starts: int, value: Callable[[list[int]], bool]) -> None:
        super().__init__()
        self._below, numbers, true = below, dict[tuple[int, bool], int](), set[int]()
        histories: list[list[int]] = []

        def number(history: list[int]) -> int:
            key = history[-1], value(history)
            if key not in numbers:
                numbers[key] = len(numbers)
                histories.append(history)
                self.places.append(history[-1])
                if key[1]:
                    true.add(numbers[key])
            return numbers[key]

        for start in range(starts):
            number([start])
        for history in histories:
            row = below.edges[history[-1]]
            self.edges.append(tuple((action, number([*history, target])) for action, target in row))
            self.stays.append(-1 if row else number([*history, below.after(history[-1])[0]]))
        self.true = true

    def holds_below(self, atom: Formula, place: int) -> bool:
        return self._below.holds(atom, place)


class NodePaths(FairPaths):
    """The nodes from which a fair path satisfies a formula."""

    def __init__(self, path: Formula, nodes: Any, fair: Sequence[str]) -> None:
        self.drawn, self.fair = nodes, [text.split() for text in fair]
        BranchingPaths.__init__(
            self, path, SimpleNamespace(arcs=nodes.arcs), lambda one: truth_at(one, nodes, fair)
        )


def truth_at(formula: Formula, nodes: Any, fair: Sequence[str]) -> set[int]:
    """The nodes in which a formula of CTL* without past holds."""
    if not fair and logic_of(formula) in (Logic.STATE, Logic.CTL):
        return truth_in(formula, nodes)
    everywhere = set(range(len(nodes)))
    match formula:
        case Truth(value):
            return everywhere if value else set()
        case Unary("!", operand):
            return everywhere - truth_at(operand, nodes, fair)
        case Unary("E", path):
            return NodePaths(path, nodes, fair).positions()
        case Unary("A", path):
            return everywhere - NodePaths(negate(path), nodes, fair).positions()
        case Binary(operator, left, right):
            one, two = truth_at(left, nodes, fair), truth_at(right, nodes, fair)
            joined = {"&": one & two, "|": one | two, "->": (everywhere - one) | two}
            return joined.get(operator, everywhere - (one ^ two))
    return {number for number in everywhere if nodes.holds(formula, number)}


def value_on(operator: Formula, sides: Sequence[set[int]], history: Sequence[int]) -> bool:
    """Return the value of an operator of the past at the end of a history, by its definition."""
    right = [node in sides[-1] for node in history]
    left, now = [node in sides[0] for node in history], len(history) - 1
    match operator:
        case Unary("Y", _):
            return now > 0 and right[now - 1]
        case Unary("O", _):
            return any(right)
        case Unary("H", _):
            return all(right)
        case Binary("S", _, _):
            return any(right[at] and all(left[at + 1 :]) for at in range(now + 1))
    return all(right[at] or any(left[at + 1 :]) for at in range(now + 1))  # T


def _innermost(formula: Formula) -> Iterator[Formula]:
    for one in subformulas(formula):
        inside = (inner for part in parts(one) for inner in subformulas(part))
        if getattr(one, "operator", "") in PAST and not any(
            getattr(i, "operator", "") in PAST for i in inside
        ):
            yield one


def _put(formula: Formula, old: Formula, new: Formula) -> Formula:
    return new if formula == old else with_parts(formula, [_put(one, old, new) for one in parts(formula)])


def truth_at_starts(formula: Formula, drawn: Drawn, starts: int, fair: Sequence[str] = ()) -> list[bool]:
    """Return whether a formula holds at each start: by merged histories."""
    nodes: Any = Merged(drawn, starts, lambda history: True)
    for number in range(50):
        one = next(_innermost(formula), None)
        if one is None:
            break
        sides = [truth_at(part, nodes, fair) for part in parts(one)]
        merged = Merged(nodes, starts, functools.partial(value_on, one, sides))
        merged.known[f"past_{number}"] = merged.true
        nodes, formula = merged, _put(formula, one, Atom(f"past_{number}"))
    found = truth_at(formula, nodes, fair)
    return [start in found for start in range(starts)]


def truth_in_tree(formula: Formula, drawn: Drawn, starts: int, fair: Sequence[str] = ()) -> list[bool]:
    """Return whether a formula holds at each start of a graph without circles: by all histories."""
    depth = sum(getattr(one, "operator", "") in PAST | {"X"} for one in subformulas(formula))
    nodes = Tree(drawn, starts, depth + 1)
    for number in range(50):
        one = next(_innermost(formula), None)
        if one is None:
            break
        sides = [truth_at(part, nodes, fair) for part in parts(one)]
        nodes.known[f"past_{number}"] = {
            node for node in range(len(nodes)) if value_on(one, sides, nodes.history(node))
        }
        formula = _put(formula, one, Atom(f"past_{number}"))
    found = truth_at(formula, nodes, fair)
    return [start in found for start in range(starts)]
