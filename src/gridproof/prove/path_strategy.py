"""Strategies of probabilities of formulas of LTL: players who remember a state of the automaton, and the goal that they pursue."""

from __future__ import annotations

from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove.path_bounds import PathBounds
from gridproof.prove.turn_order import turn_order
from gridproof.search.space import StateSpace


class PathStrategy:
    """A player of one play: called with its positions in turn, from a start on, it returns the actions that reach a value.

    What it does not expect after its last action has to be a start, from which it begins again.
    """

    def __init__(self, space: StateSpace, bounds: PathBounds) -> None:
        self.players = turn_order(space.level, space.who)
        self._space, self._bounds, self._product = space, bounds, bounds.product
        self._expected: dict[int, int] = {}
        """The nodes that may follow the last action, by the numbers of their positions."""
        self._goal = 0

    def __call__(self, position: Position[Any]) -> Any:
        """Return the action in a position; GridproofError where nothing is left to decide, or it does not follow the last one."""
        node = self._find(self._space.number(position))
        graph, actions = self._product.graph, self._product.actions
        while True:
            found = self._bounds.choose(node, self._goal)
            if found is None or graph.actions[found[0].start] == actions:
                raise GridproofError("nothing is left to decide in this position")
            edges, self._goal = found
            targets = graph.targets[edges.start : edges.stop].tolist()
            action = int(graph.actions[edges.start])
            if action < actions:
                self._expected = {int(self._product.places[target]): target for target in targets}
                return graph.labels[action]
            (node,) = targets  # a jump of the automaton

    def _find(self, number: int) -> int:
        """Return the node of the next position of the play."""
        if number in self._expected:
            return self._expected[number]
        if number not in self._product.starts:
            raise GridproofError(
                "the position does not follow the last one: the strategy plays one play from a start on"
            )
        self._goal = 0
        return self._product.starts[number]
