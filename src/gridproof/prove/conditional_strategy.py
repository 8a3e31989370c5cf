"""Strategies of conditional probabilities: players who remember what has been decided on the way, and how many actions were done."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.prove.chain_probability import Chain
from gridproof.prove.conditional_probability import COPIES, EVENT_MISSED, RestartGraph
from gridproof.prove.end_components import end_components
from gridproof.prove.formula import Atom, Binary, Formula, Unary, negate
from gridproof.prove.graph_strategy import choose_for_goal
from gridproof.prove.memory_strategy import MemoryStrategy, PlayChain, Starts
from gridproof.prove.quantity_solver import find_probability_bounds
from gridproof.prove.strategy_value import PathFate
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

_TRY, _STAY, _AVOID_EVENT, _AVOID_CONDITION = "try", "stay", "avoid the event", "avoid the condition"


class _Aim(NamedTuple):
    """Aim from a node on: the copy of the positions, and the place in it."""

    kind: str
    copy: int
    place: int


class ConditionalStrategy(MemoryStrategy):
    """A player that reaches a conditional probability.

    Parameters
    ----------
    restarts : RestartGraph
        On all positions, copied for each number of actions up to the largest bound.
    paths : pair of Formula
        The event and the condition.
    """

    def __init__(
        self,
        space: StateSpace,
        starts: Starts,
        restarts: RestartGraph,
        paths: tuple[Formula, Formula],
        meter: Meter,
    ) -> None:
        super().__init__(space, starts)
        self._restarts, self._graph, self._paths = restarts, restarts.graph, paths
        self._process = restarts.process(restarts=True)
        wanted, given = restarts.ends()
        bounds = find_probability_bounds(self._process, wanted, True, meter)
        if not bounds.low[restarts.start]:  # then the condition has to come true, no matter how
            wanted, bounds = given, find_probability_bounds(self._process, given, True, meter)
        self._chosen = choose_for_goal(self._process, wanted, bounds.low)
        self._begins = np.append(self._graph.choices(), len(self._graph))
        self._entries = [restarts.nodes(copy) for copy in range(COPIES)]
        self._kept: dict[tuple[str, int], Array] = {}

    def begin(self, number: int) -> _Aim | None:
        """Return what to do from a start on."""
        return self._enter(0, number)

    def _enter(self, copy: int, place: int) -> _Aim | None:
        """Return what to do from a place on that is entered from a copy; None where nothing is left to decide."""
        count, node = self._restarts.count, int(self._entries[copy][place])
        if node < COPIES * count:
            return _Aim(_TRY, *divmod(node, count))
        is_open = not self._restarts.event.missed[place] and not self._restarts.event.came[place]
        can_avoid = node == self._restarts.alone and is_open and copy != EVENT_MISSED
        return _Aim(_AVOID_EVENT, copy, place) if can_avoid else None

    def act(self, number: int, memory: _Aim) -> tuple[Any, dict[int, Any]] | None:
        """Return the action, and what to do after it in each position."""
        if memory.kind != _TRY:
            return self._keep(memory)
        process = self._process
        choice = int(self._chosen[memory.copy * self._restarts.count + memory.place])
        if choice < 0:
            return None
        action = int(process.graph.actions[process.begins[choice]])
        if action == len(self._graph.labels):  # the condition is never decided
            kind = _STAY if self._restarts.condition.by_staying else _AVOID_CONDITION
            return self._keep(memory._replace(kind=kind))
        first, last = self._graph.offsets[[memory.place, memory.place + 1]].tolist()
        edges = first + np.flatnonzero(self._graph.actions[first:last] == action)
        places = self._graph.targets[edges].tolist()
        return self._graph.labels[action], {
            place % self.space.states: self._enter(memory.copy, place) for place in places
        }

    def _keep(self, memory: _Aim) -> tuple[Any, dict[int, Any]] | None:
        """Return an action that keeps to an aim for ever, and the same aim after it; None where there is no action."""
        first, last = np.searchsorted(
            self._begins, self._graph.offsets[[memory.place, memory.place + 1]]
        ).tolist()
        kept = np.flatnonzero(self._keeping(memory.kind, memory.copy)[first:last])
        if not len(kept):
            return None
        begin, end = self._begins[[first + kept[0], first + kept[0] + 1]].tolist()
        label = self._graph.labels[int(self._graph.actions[begin])]
        places = self._graph.targets[begin:end].tolist()
        return label, {place % self.space.states: memory._replace(place=place) for place in places}

    def _keeping(self, kind: str, copy: int) -> Array:
        """Return the choices that keep to an aim, bool (choices,)."""
        key = kind, copy if kind == _STAY else 0
        if key not in self._kept:
            self._kept[key] = self._find_keeping(kind, copy)
        return self._kept[key]

    def _find_keeping(self, kind: str, copy: int) -> Array:
        restarts, graph = self._restarts, self._graph
        if kind == _STAY:
            count = restarts.count
            return end_components(graph, self._entries[copy] == copy * count + np.arange(count))[1]
        fate = restarts.event if kind == _AVOID_EVENT else restarts.condition
        found: Array = np.logical_and.reduceat(
            (fate.avoidable | fate.missed)[graph.targets], self._begins[:-1]
        )
        return found

    def verify(self) -> float:
        """Play from the start, by the rules, and return the conditional probability that is reached."""
        if not self.space.complete:
            raise GridproofError("the strategy is not known everywhere, since a limit was reached")
        fates = [PathFate(path, self.space.who) for path in self._paths]
        most = max(one.steps for one in fates)

        def observe(done: int, before: list[bool | None], position: Position[Any]) -> tuple[Any, ...]:
            now = [
                fate.decide(position, max(fate.steps - done, 0)) if known is None else known
                for fate, known in zip(fates, before, strict=True)
            ]
            return min(done, most), *now

        chain = PlayChain(
            self,
            lambda position: observe(0, [None, None], position),
            lambda before, position: observe(before[0] + 1, list(before[1:]), position),
        )
        truths, parts = dict[Formula, list[bool]](), list[Formula]()
        for place, (fate, name) in enumerate(zip(fates, ("event", "condition"), strict=True), 1):
            atom: Formula = Atom(name, ())
            truths[atom] = [
                observed[place] is not fate.lasts and observed[place] is not None
                for _, observed in chain.states
            ]
            decided: Formula = Unary("F", atom)
            parts.append(negate(decided) if fate.lasts else decided)
        both, given = (
            Chain(chain.rows, truths, chain.chances).probability(one)
            for one in (Binary("&", *parts), parts[1])
        )
        return both / given
