"""State spaces explored by the rules."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal, Term
from gridproof.search.actors import Who
from gridproof.search.space import Progress, StateSpace

if TYPE_CHECKING:
    import numpy as np

    from gridproof.search.graph import Graph

    Array = np.ndarray[Any, Any]

_CHECK_EVERY = 512  # outcomes between two checks of the clock


class RulesSpace(StateSpace):
    """State space found by breadth-first search with the rules."""

    def __init__(self, starts: list[Position[Any]], who: Who, goal: Goal | None = None) -> None:
        """Begin a space in which positions with the goal are not expanded."""
        self._goal = goal
        self._parents: dict[Position[Any], Position[Any] | None] = dict.fromkeys(starts)
        self.who = who
        self._layers: list[list[Position[Any]]] = [list(self._parents), []]
        self._expanded = 0  # of the last layer but one
        self._looks = 0
        self.states, self.transitions, self.by_depth = len(starts), 0, (len(starts),)
        self.complete, self.seconds, self.stopped_by = False, 0.0, ""

    def explore(
        self, meter: Meter, progress: Progress | None, most: float | None, depth: float = math.inf
    ) -> bool:
        """Explore further; return False when more than `most` positions were found before all were expanded.

        With a depth, only the positions that are reached with so many actions are found: these are all, then.
        """
        for cached in ("_positions", "_numbers"):
            vars(self).pop(cached, None)
        ended = self._expand_all(meter, progress, math.inf if most is None else most, depth)
        self.states, self.seconds, self.stopped_by = len(self._parents), meter.seconds, meter.stopped_by
        self.by_depth = tuple(len(layer) for layer in self._layers if layer)
        return ended

    def _expand_all(self, meter: Meter, progress: Progress | None, most: float, depth: float) -> bool:
        while self._layers[-2] and len(self._layers) - 2 < depth:
            for position in self._layers[-2][self._expanded :]:
                if len(self._parents) > most:
                    return meter.is_reached(len(self._parents))
                if not self._expand(position, meter, progress):
                    return True
                self._expanded += 1
            self._layers.append([])
            self._expanded = 0
        self.complete = True
        return True

    def _expand(self, position: Position[Any], meter: Meter, progress: Progress | None) -> bool:
        """Find the successors of a position; return False when a limit is reached."""
        if self._is_limit_reached(meter, progress):
            return False
        if self._goal and self._goal(position):
            return True
        for actor in self.who:
            for action in position.actions(actor):
                for outcome in position.outcomes(action):
                    self.transitions += 1
                    if outcome.position not in self._parents:
                        if meter.is_full(len(self._parents)):
                            return False
                        self._parents[outcome.position] = position
                        self._layers[-1].append(outcome.position)
                    if self._is_limit_reached(meter, progress):
                        return False
        return True

    def _is_limit_reached(self, meter: Meter, progress: Progress | None) -> bool:
        """Return whether a limit is reached; the clock and the memory are checked now and then, even within one action."""
        self._looks += 1
        if self._looks % _CHECK_EVERY != 1:
            return False
        if progress:
            progress(len(self._parents))
        return meter.is_reached(len(self._parents))

    @property
    def expanded_count(self) -> int:
        return len(self._parents) - sum(map(len, self._layers[-2:])) + self._expanded

    def __iter__(self) -> Iterator[Position[Any]]:
        return iter(self._parents)

    @property
    def level(self) -> Level:
        return next(iter(self._parents)).level

    @functools.cached_property
    def _positions(self) -> tuple[Position[Any], ...]:
        return tuple(self._parents)

    @functools.cached_property
    def _numbers(self) -> dict[Position[Any], int]:
        return {position: number for number, position in enumerate(self._parents)}

    def _position(self, number: int) -> Position[Any]:
        return self._positions[number]

    def _number(self, position: Position[Any]) -> int | None:
        return self._numbers.get(position)

    def _graph(self) -> Graph:
        build: Callable[..., Graph] = load("gridproof.search.graph").graph_by_rules
        expanded = islice(self._parents, self.expanded_count)
        return build(self.level, expanded, self._numbers.__getitem__, self.who, self._goal)

    def _values(self, term: Term, first: int) -> Array:
        positions = list(islice(self._parents, first, None))
        values: Array = load("gridproof.search.values").values_by_rules(term, positions)
        return values

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        if position not in self._parents:
            return None
        path = [position]
        while (parent := self._parents[path[-1]]) is not None:
            path.append(parent)
        return path[::-1]
