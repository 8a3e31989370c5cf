"""The probability that a strategy forces what comes again and again, found by the rules alone, as in `strategy_value`.

The others stay for ever in a set of turns that they can come round in, with the goal or without it, whichever they want; so they
reach such a set as surely as they can (L. de Alfaro, "Formal verification of probabilistic systems", 1997).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gridproof.core.position import Position
from gridproof.prove.evaluate import test_of
from gridproof.prove.formula import Quantity, Unary
from gridproof.prove.interval import Number
from gridproof.prove.quantity import task_of
from gridproof.prove.strategy_value import Choose, Node, Option, Players, StrategyValue
from gridproof.search.actors import Who

_Moves = Mapping[Node, Sequence[frozenset[Node]]]
"""The outcomes of each action at each turn."""


class RecurrenceStrategyValue(StrategyValue):
    """The probability of `G F q` or `F G q` that a strategy reaches; arguments as of `StrategyValue`."""

    def __init__(self, asked: Quantity, who: Who, players: Players, choose: Choose, wants_more: bool) -> None:
        task = task_of(asked)
        super().__init__(replace(asked, operand=Unary("F", task.reach)), who, players, choose, wants_more)
        self._task, self._worst, self._unknown = task, max, Fraction(1)
        self._stays_away = wants_more is not task.negated
        """True if the others want the goal only so many times."""

    def find(self, starts: Sequence[tuple[Fraction, Position[Any]]]) -> Number:
        """Return the mean probability of the starts, each with its probability."""
        self._is_goal = test_of(self._task.reach, starts[0][1].level, self._who)
        reached = min(super().find(starts), Fraction(1))  # rounding may add a little
        return 1 - reached if self._stays_away is not self._task.negated else reached

    def _ends(self, node: Node) -> Number | None:
        """Return None: no play is ever decided."""
        return None

    def _solve(self, options: dict[Node, list[Option]], values: dict[Node, Number]) -> None:
        """Add the numbers of the nodes that have options: 1 where the others stay, and the probability to come there."""
        moves = {
            node: [frozenset(after for _, after in one.after) for one in found]
            for node, found in options.items()
        }
        goal = {node for node in options if self._is_goal(node.position)}
        for part in _end_components(moves, options.keys() - goal if self._stays_away else options.keys()):
            if self._stays_away or part & goal:
                for node in part:
                    values[node] = Fraction(1)
                    del options[node]
        super()._solve(options, values)


def _end_components(moves: _Moves, inside: Collection[Node]) -> Iterator[frozenset[Node]]:
    """Yield the largest sets inside in which a play can stay, and come from each turn to each."""
    waiting = [frozenset(inside)]
    while waiting:
        part = waiting.pop()
        edges = {node: {after for one in moves[node] if one <= part for after in one} for node in part}
        acting = frozenset(node for node, following in edges.items() if following)
        pieces = [acting] if acting < part else _components(edges)
        if pieces == [part]:
            yield part
        else:
            waiting += filter(None, pieces)


def _components(edges: Mapping[Node, Collection[Node]]) -> list[frozenset[Node]]:
    """Return the strongly connected components of a graph, by two searches (Kosaraju)."""
    before: dict[Node, list[Node]] = {node: [] for node in edges}
    for node, following in edges.items():
        for after in following:
            before[after].append(node)
    found, known = list[frozenset[Node]](), set[Node]()
    for node in reversed(_finishing_order(edges)):
        component = {node} - known
        waiting = list(component)
        while waiting:
            new = {*before[waiting.pop()]} - component - known
            component |= new
            waiting += new
        known |= component
        if component:
            found.append(frozenset(component))
    return found


def _finishing_order(edges: Mapping[Node, Collection[Node]]) -> list[Node]:
    """Return the nodes in the order in which a depth-first search leaves them."""
    order, seen = list[Node](), set[Node]()
    for root in edges:
        path = [] if root in seen else [(root, iter(edges[root]))]
        seen.add(root)
        while path:
            node, following = path[-1]
            after = next((one for one in following if one not in seen), None)
            if after is None:
                order.append(node)
                path.pop()
            else:
                seen.add(after)
                path.append((after, iter(edges[after])))
    return order
