"""Strategies of probabilities of formulas of LTL: players who remember a state of the automaton, and the goal that they pursue."""

from __future__ import annotations

from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.prove.chain_probability import Chain
from gridproof.prove.evaluate import holds
from gridproof.prove.formula import Formula
from gridproof.prove.limit_deterministic import atoms_of
from gridproof.prove.memory_strategy import MemoryStrategy, PlayChain, Starts
from gridproof.prove.path_bounds import PathBounds
from gridproof.search.space import StateSpace


class PathStrategy(MemoryStrategy):
    """A player that reaches a probability of a formula: its memory is a node of the product with the automaton, and a goal."""

    def __init__(self, space: StateSpace, starts: Starts, bounds: PathBounds, path: Formula) -> None:
        super().__init__(space, starts)
        self._bounds, self._product, self._path = bounds, bounds.product, path

    def begin(self, number: int) -> tuple[int, int]:
        """Return the node of a start, with the first goal."""
        return self._product.starts[number], 0

    def act(self, number: int, memory: tuple[int, int]) -> tuple[Any, dict[int, Any]] | None:
        """Return the action in a node, and the nodes that may follow."""
        graph, actions = self._product.graph, self._product.actions
        node, goal = memory
        while True:
            found = self._bounds.choose(node, goal)
            if found is None or graph.actions[found[0].start] == actions:
                return None
            edges, goal = found
            targets = graph.targets[edges.start : edges.stop].tolist()
            action = int(graph.actions[edges.start])
            if action < actions:
                after = {int(self._product.places[target]): (target, goal) for target in targets}
                return graph.labels[action], after
            (node,) = targets  # a jump of the automaton

    def verify(self) -> float:
        """Play from the start, by the rules, and return the probability of the formula that is reached."""
        if not self.space.complete:
            raise GridproofError("the strategy is not known everywhere, since a limit was reached")
        chain = PlayChain(self)
        truths: dict[Formula, list[bool]] = {
            atom: [holds(atom, position, self.space.who) for position, _ in chain.states]
            for atom in atoms_of(self._path)
        }
        return Chain(chain.rows, truths, chain.chances).probability(self._path)
