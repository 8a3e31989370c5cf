"""Search for an accepted path depth-first by the rules, which finds positions only as it comes to them.

A node is a position with a state of the automaton; both are searched together, so positions that no state of the
automaton can go on from are not expanded. Strongly connected components are found with a stack of their roots, each with
the marks seen inside, and the search ends as soon as a component has all marks (J.-M. Couvreur, FM 1999). A search
breadth-first among the nodes that were seen then shortens the path.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gridproof.core.position import Position
from gridproof.core.trace import Step, Trace
from gridproof.prove.automaton import Automaton
from gridproof.prove.evaluate import test_of
from gridproof.prove.formula import Next
from gridproof.search.actors import Who

_OPEN, _CLOSED = 0, -1
"""Orders of nodes: not seen yet; in a component without a path. Nodes on the stack have their places from 1 on."""


class _Arc(NamedTuple):
    """A step of the product; where the position is followed by itself, there is no step of the level."""

    target: int
    marks: int
    step: Step | None


@dataclass(slots=True)
class _Node:
    """A position with a state of the automaton."""

    position: int
    state: int
    order: int = _OPEN
    drawn: list[_Arc] = field(default_factory=list)
    """The arcs that were followed so far."""


@dataclass(slots=True)
class _Root:
    """The first node of a component on the stack."""

    order: int
    brought: int
    """The marks of the arc into it."""
    marks: int = 0


Walk = list[tuple[int, _Arc]]
"""Arcs, each with the node that it begins at."""


class OnTheFly:
    """Search for a path from one of some positions that an automaton accepts.

    Parameters
    ----------
    automaton : Automaton
    starts : sequence of Position
        All of one level.
    who : tuple of str or None
        Whose actions count.
    """

    def __init__(self, automaton: Automaton, starts: Sequence[Position[Any]], who: Who) -> None:
        self._automaton, self._who, self._every = automaton, who, (1 << automaton.marks) - 1
        self._universal = automaton.universal
        self._deciding = [*map(automaton.deciding_conditions, range(len(automaton.transitions)))]
        level = starts[0].level
        self._tests = [
            (1 << bit, None if isinstance(atom, Next) else test_of(atom, level, who))
            for bit, atom in enumerate(automaton.atoms)
        ]
        self._next = {
            one.action: 1 << bit for bit, one in enumerate(automaton.atoms) if isinstance(one, Next)
        }
        self._all_next = sum(self._next.values())
        self._positions: list[Position[Any]] = []
        self._letters: list[int] = []
        self._places: dict[Position[Any], int] = {}
        self._nodes: list[_Node] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._starts = [self._number(start, 0) for start in dict.fromkeys(starts)]
        self._waiting = self._starts[::-1]
        self._stack: list[int] = []
        self._roots: list[_Root] = []
        self._path: list[tuple[int, Iterator[_Arc]]] = []
        self._members: set[int] = set()
        self.is_complete = False
        """True if all nodes were seen: then no path is accepted, unless one was found."""

    def _number(self, position: Position[Any], state: int) -> int:
        """Return the number of a node."""
        place = self._places.setdefault(position, len(self._positions))
        if place == len(self._positions):
            self._positions.append(position)
            self._letters.append(sum(bit for bit, test in self._tests if test and test(position)))
        number = self._numbers.setdefault((place, state), len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(_Node(place, state))
        return number

    def _arcs(self, node: _Node) -> Iterator[_Arc]:
        """Yield the arcs of a node; each is one of its drawn arcs then."""
        position, letter = self._positions[node.position], self._letters[node.position]
        row = self._automaton.transitions[node.state]
        if all(one.must & ~letter & ~self._all_next or one.not_any & letter for one in row):
            return
        is_stuck, seen = True, set[tuple[int, int]]()
        for actor in self._who:
            for action in position.actions(actor):
                is_stuck, now = False, letter | self._next.get(str(action), 0)
                for outcome in position.outcomes(action):
                    for arc in self._arcs_to(node, outcome.position, now, Step(action, outcome.label)):
                        if (arc.target, arc.marks) not in seen:
                            seen.add((arc.target, arc.marks))
                            node.drawn.append(arc)
                            yield arc
        if is_stuck:
            for arc in self._arcs_to(node, position, letter, None):
                node.drawn.append(arc)
                yield arc

    def _arcs_to(self, node: _Node, after: Position[Any], letter: int, step: Step | None) -> Iterator[_Arc]:
        for one in self._automaton.transitions[node.state]:
            if not one.must & ~letter and not one.not_any & letter:
                yield _Arc(self._number(after, one.target), one.marks, step)

    def search(
        self, arcs: int, most: float = math.inf, check: Callable[[], None] = lambda: None
    ) -> Trace | None:
        """Follow some more arcs, to `most` positions; return the trace of an accepted path as soon as there is one.

        `check` is called now and then; it may raise an error that ends the search.
        """
        if decided := [one for one in self._starts if self._is_decided(one)]:
            return Trace(self._positions[self._nodes[decided[0]].position], ())
        for count in range(arcs):
            if count % 64 == 0:
                check()
            if self.is_complete or len(self._positions) > most:
                break
            if trace := self._follow():
                return trace
        return None

    def _follow(self) -> Trace | None:
        """Follow the next arc, or go back; return the trace of an accepted path if that closes one."""
        if not self._path:
            self.is_complete = not self._waiting
            if self._waiting:
                self._enter(self._waiting.pop(), 0)
            return None
        source, following = self._path[-1]
        arc = next(following, None)
        if arc is None:
            self._leave(source)
            return None
        target = self._nodes[arc.target]
        if self._is_decided(arc.target):
            return self._trace(self._walk(self._starts, self._is_decided), [])
        if target.order == _OPEN:
            self._enter(arc.target, arc.marks)
        elif target.order > 0 and self._merge(target.order, arc.marks):
            return self._lasso()
        return None

    def _is_decided(self, number: int) -> bool:
        """Return whether every path from a node is accepted, as is known without its next action."""
        node = self._nodes[number]
        if node.state == self._universal:
            return True
        letter = self._letters[node.position]
        return any(not one.must & ~letter and not one.not_any & letter for one in self._deciding[node.state])

    def _enter(self, number: int, marks: int) -> None:
        node = self._nodes[number]
        if node.order != _OPEN:
            return
        self._stack.append(number)
        node.order = len(self._stack)
        self._roots.append(_Root(node.order, marks))
        self._path.append((number, self._arcs(node)))

    def _leave(self, number: int) -> None:
        """Go back from a node; close its component if it is the root."""
        self._path.pop()
        order = self._nodes[number].order
        if self._roots[-1].order == order:
            self._roots.pop()
            for one in self._stack[order - 1 :]:
                self._nodes[one].order = _CLOSED
            del self._stack[order - 1 :]

    def _merge(self, order: int, marks: int) -> bool:
        """Merge the components that an arc closes to a cycle; return whether the result has all marks."""
        while self._roots[-1].order > order:
            inner = self._roots.pop()
            marks |= inner.marks | inner.brought
        root = self._roots[-1]
        root.marks |= marks
        return root.marks == self._every

    def _lasso(self) -> Trace:
        """Return the trace of a path into the last component, and a loop in it with all marks."""
        self._members = set(self._stack[self._roots[-1].order - 1 :])
        stem = self._walk(self._starts, self._members.__contains__)
        entry = stem[-1][1].target if stem else next(one for one in self._starts if one in self._members)
        node, missing, loop = entry, self._every, Walk()
        while missing:
            way = self._walk([node], lambda number: True, missing)
            loop += way
            missing &= ~way[-1][1].marks
            node = way[-1][1].target
        if node != entry or not loop:
            loop += self._walk([node], entry.__eq__, inside=True)
        return self._trace(stem, loop)

    def _walk(
        self, starts: list[int], test: Callable[[int], bool], marks: int = 0, inside: bool = False
    ) -> Walk:
        """Return a shortest walk to a node that passes a test, by arcs that were drawn.

        With `marks`, it stays inside the component, and its last arc has one of them; `inside`, it has an arc.
        """
        is_inside = inside or bool(marks)
        parents: dict[int, tuple[int, _Arc] | None] = dict.fromkeys(starts)
        if not is_inside and any(map(test, starts)):
            return []
        queue = deque(starts)
        while queue:
            number = queue.popleft()
            for arc in self._nodes[number].drawn:
                if is_inside and arc.target not in self._members:
                    continue
                if test(arc.target) and (not marks or arc.marks & marks):
                    walk = [(number, arc)]
                    while before := parents[walk[-1][0]]:
                        walk.append(before)
                    return walk[::-1]
                if arc.target not in parents:
                    parents[arc.target] = number, arc
                    queue.append(arc.target)
        raise AssertionError("the component has no such walk")

    def _trace(self, stem: Walk, loop: Walk) -> Trace:
        """Return the trace of a stem and a loop."""
        first = (stem or loop)[0][0] if stem or loop else self._starts[0]
        before, around = ([arc.step for _, arc in walk if arc.step] for walk in (stem, loop))
        start = self._positions[self._nodes[first].position]
        return Trace(start, (*before, *around), len(before) if around else None)
