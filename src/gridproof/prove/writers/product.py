"""Product of a state space with the checker's tableau: its nodes, components and fair paths."""

from __future__ import annotations

import functools
import operator
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gridproof.core.limit import Meter, Stopped
from gridproof.prove.checkers.fairness import Act
from gridproof.prove.checkers.tableau import Tableau
from gridproof.prove.model import Rows

_CHECK_EVERY = 1024


class Arc(NamedTuple):
    """A step to another node, with its marks and the strong acts that it does."""

    target: int
    marks: int
    done: int


class TableauProduct:
    """The nodes that follow from the first ones at some positions, with their arcs.

    `truths` has the truths of the tableau's atoms for each position. Stopped at a limit.
    """

    def __init__(
        self,
        tableau: Tableau,
        acts: list[Act],
        rows: Rows,
        truths: list[int],
        starts: Iterable[int],
        meter: Meter,
    ) -> None:
        self._tableau, self._rows, self._truths, self._meter = tableau, rows, truths, meter
        self._weak, self._strong = ([act for act in acts if act.strong is strong] for strong in (False, True))
        self._every = (1 << tableau.marks + len(self._weak)) - 1
        self._texts = [str(label) for label in rows.graph.labels]
        self.nodes: list[tuple[int, int]] = []
        """Positions with bits."""
        self._numbers: dict[tuple[int, int], int] = {}
        self._arcs: list[list[Arc]] = []
        self._possible: list[int] = []
        """The strong acts that are possible in each node."""
        self.firsts = [self._number(start, tableau.first) for start in starts]
        self._explore()

    def _explore(self) -> None:
        for number, (position, bits) in enumerate(self.nodes):
            if number % _CHECK_EVERY == 0 and self._meter.is_reached(len(self.nodes)):
                raise Stopped
            steps = self._steps(position)
            texts = {text for text, _ in steps}
            idle = sum(
                1 << place
                for place, act in enumerate(self._weak)
                if (act.where[position] if act.formula else act.actions.isdisjoint(texts))
            )
            self._possible.append(self._bits(self._strong, texts))
            arcs = set[Arc]()
            for text, target in steps:
                weak = (idle | self._bits(self._weak, {text})) << self._tableau.marks
                done = self._bits(self._strong, {text})
                letter = self._tableau.letter(text)
                for after, marks in self._tableau.follow(self._truths[position], letter, bits):
                    arcs.add(Arc(self._number(target, after), marks | weak, done))
            self._arcs.append(sorted(arcs))

    def _number(self, position: int, bits: int) -> int:
        number = self._numbers.setdefault((position, bits), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append((position, bits))
        return number

    @staticmethod
    def _bits(acts: Sequence[Any], actions: set[str | None]) -> int:
        return sum(1 << place for place, act in enumerate(acts) if not act.actions.isdisjoint(actions))

    def _steps(self, position: int) -> set[tuple[str | None, int]]:
        rows = self._rows
        first, last = rows.offsets[position], rows.offsets[position + 1]
        actions, targets = rows.graph.actions[first:last].tolist(), rows.targets[first:last].tolist()
        return {(self._texts[action], target) for action, target in zip(actions, targets, strict=True)} or {
            (None, position)
        }

    def components(self, group: list[int]) -> tuple[dict[int, tuple[int, ...]], list[list[int]]]:
        """Return the components of each node of a group, and the sets of nodes in which a fair path has all marks.

        Without strong fairness, components that lack the same mark are joined, so that many positions have the same ones.
        """
        found: dict[int, tuple[int, ...]] = dict.fromkeys(group, ())
        accepting, waiting = list[list[int]](), [group]
        while waiting:
            for number, members in enumerate(self._components_of(waiting.pop())):
                for node in members:
                    found[node] = (*found[node], number)
                rest = self._rest(members)
                if len(rest) == len(members):
                    accepting.append(members)
                elif rest:
                    waiting.append(rest)
        return found if self._strong or accepting else self._join(group), accepting

    def _join(self, group: list[int]) -> dict[int, tuple[int, ...]]:
        """Return few components for the nodes of a group: inside each, some mark is missing, and none leads to a higher one."""
        places = range(max(1, self._every.bit_length()))
        labels: dict[int, tuple[int, int]] = {}
        for members in self._components_of(group):
            arcs = [arc for node in members for arc in self._arcs[node]]
            outer = {(*labels[arc.target], arc.marks) for arc in arcs if arc.target in labels}
            marks = functools.reduce(operator.or_, (arc.marks for _, arc in self._inside(members)), 0)
            missing = [place for place in places if not marks >> place & 1]
            label = min(
                (
                    max(
                        (
                            level + (place != mark or here >> place & 1 or not self._every)
                            for level, mark, here in outer
                        ),
                        default=0,
                    ),
                    place,
                )
                for place in missing
            )
            labels.update(dict.fromkeys(members, label))
        return {node: (level * len(places) + place,) for node, (level, place) in labels.items()}

    def _inside(self, members: list[int]) -> list[tuple[int, Arc]]:
        inside = set(members)
        return [(node, arc) for node in members for arc in self._arcs[node] if arc.target in inside]

    def _rest(self, members: list[int]) -> list[int]:
        """Return the nodes of a component that a fair path with all marks may visit again and again."""
        arcs = [arc for _, arc in self._inside(members)]
        marks = functools.reduce(operator.or_, (arc.marks for arc in arcs), 0)
        done = functools.reduce(operator.or_, (arc.done for arc in arcs), 0)
        if not arcs or marks & self._every != self._every:
            return []
        return [node for node in members if not self._possible[node] & ~done]

    def witnesses(self, accepting: list[list[int]]) -> dict[int, list[int]]:
        """Return the ranks of all nodes that lead to accepting sets, as the checker of the kind "paths" reads them."""
        promised = self._tableau.marks + len(self._weak)
        size = promised + len(self._strong)
        ranks: dict[int, list[int]] = {}
        for members in accepting:
            arcs = self._inside(members)
            possible = (
                functools.reduce(operator.or_, (self._possible[node] for node in members), 0) << promised
            )
            columns = [
                self._distances(
                    [node for node, arc in arcs if (arc.marks | arc.done << promised) >> place & 1], arcs
                )
                if place < promised or possible >> place & 1
                else dict.fromkeys(members, -1)
                for place in range(size)
            ]
            for node in members:
                ranks[node] = [column[node] for column in columns]
        everywhere = [(node, arc) for node, listed in enumerate(self._arcs) for arc in listed]
        far = self._distances(list(ranks), everywhere)
        return {node: ranks.get(node, [len(self.nodes) + rank] * size) for node, rank in far.items()}

    @staticmethod
    def _distances(goals: list[int], arcs: list[tuple[int, Arc]]) -> dict[int, int]:
        """Return the fewest arcs from each node to a goal, where there is a way."""
        before: dict[int, list[int]] = {}
        for node, arc in arcs:
            before.setdefault(arc.target, []).append(node)
        found, queue = dict.fromkeys(goals, 0), deque(dict.fromkeys(goals))
        while queue:
            node = queue.popleft()
            for one in before.get(node, ()):
                if one not in found:
                    found[one] = found[node] + 1
                    queue.append(one)
        return found

    def _components_of(self, group: list[int]) -> Iterable[list[int]]:
        """Return the strongly connected components among some nodes, each after those that it leads to (Tarjan 1972)."""
        inside, order, low = set(group), dict[int, int](), dict[int, int]()
        stack, done = list[int](), set[int]()
        for root in group:
            if root in order:
                continue
            path = [(root, iter(self._arcs[root]))]
            order[root] = low[root] = len(order)
            stack.append(root)
            while path:
                node, arcs = path[-1]
                for arc in arcs:
                    if arc.target not in inside or arc.target in done:
                        continue
                    if arc.target not in order:
                        order[arc.target] = low[arc.target] = len(order)
                        stack.append(arc.target)
                        path.append((arc.target, iter(self._arcs[arc.target])))
                        break
                    low[node] = min(low[node], order[arc.target])
                else:
                    path.pop()
                    if path:
                        low[path[-1][0]] = min(low[path[-1][0]], low[node])
                    if low[node] == order[node]:
                        members = [stack.pop()]
                        while members[-1] != node:
                            members.append(stack.pop())
                        done.update(members)
                        yield members
