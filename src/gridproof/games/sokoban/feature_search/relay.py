"""Searches one after another, each from the same end towards the best position of a search from the other end.

The best position is often near, but cannot be reached exactly; on the way there the searches may meet.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from gridproof.core.limit import Meter
from gridproof.games.sokoban.feature_search.macro_trace import MacroMove
from gridproof.games.sokoban.feature_search.tree import Reached
from gridproof.games.sokoban.feature_search.tree_search import Opposite, TreeSearch

_SLICES = 2
"""Slices of the first search; each later one has one more."""


class RelaySearch:
    """One search at a time, which is replaced by another one as soon as there is a better position to aim at; until then it waits.

    Parameters
    ----------
    aim : TreeSearch or RelaySearch
        A search from the other end.
    build : callable
        Makes a search towards boxes.
    """

    def __init__(self, aim: TreeSearch | RelaySearch, build: Callable[[list[int]], TreeSearch]) -> None:
        self._aim, self._build = aim, build
        self._best = aim.best_boxes
        self._search, self._past = build(self._best), 0
        self.most = self._search.most

    @property
    def best_boxes(self) -> list[int]:
        """Boxes of the best node of the present search."""
        return self._search.best_boxes

    @property
    def backwards(self) -> bool:
        """True if boxes are pulled."""
        return self._search.backwards

    @property
    def opposites(self) -> list[Opposite]:
        """The searches from the other end that the present search may meet."""
        return self._search.opposites

    @opposites.setter
    def opposites(self, searches: list[Opposite]) -> None:
        self._search.opposites = searches

    @property
    def states(self) -> int:
        """The number of nodes of all searches."""
        return self._past + self._search.states

    @property
    def goal(self) -> int | None:
        """The node at the end, once it is reached."""
        return self._search.goal

    @property
    def has_overflow(self) -> bool:
        """True if a node was left out because there were `most`."""
        return self._search.has_overflow

    @property
    def reached(self) -> Reached:
        """The positions of the nodes of the present search."""
        return self._search.reached

    def can_continue(self, meter: Meter) -> bool:
        """Return whether the search is done, or has room to go on."""
        return self._search.can_continue(meter)

    def run(self) -> Iterator[int]:
        """Search; yield the number of nodes now and then."""
        for least in itertools.count(_SLICES):
            for number, states in enumerate(self._run_present()):
                yield states
                if number + 1 >= least and self._aim.best_boxes != self._best:
                    break
            if self.goal is not None or self.has_overflow:
                return
            while self._aim.best_boxes == self._best:
                yield self.states
            self._best = self._aim.best_boxes
            self._past += self._search.states
            following = self._build(self._best)
            following.opposites = self._search.opposites
            self._search = following

    def _run_present(self) -> Iterator[int]:
        run = self._search.run()
        while True:
            self._search.most = self.most - self._past
            if next(run, None) is None:
                return
            yield self.states

    def path(self) -> list[MacroMove]:
        """Return the moves from the start of the level to its end."""
        return self._search.path()

    def moves_of(self, node: int) -> list[MacroMove]:
        """Return the moves between a node and the first one, in the order of the level."""
        return self._search.moves_of(node)
