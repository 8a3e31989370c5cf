"""Reachable positions up to a horizon: by the rules where they are few, else by the kernel."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from gridproof.core.distances import shortest_path
from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter
from gridproof.core.trace import Trace
from gridproof.games.shiftit.rules import Level, Position
from gridproof.search.rules_space import RulesSpace
from gridproof.search.space import StateSpace, trace_through

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_BY_RULES = 250  # positions that take less time than loading a kernel


class Reachability(ABC):
    """Reachable positions in breadth-first order, up to the horizon.

    Attributes
    ----------
    ends : list of int
        The numbers of positions within 0, 1, ... moves; shorter where all have been found before the horizon.
    count : int
        The number of positions.
    expanded : int
        The number of positions whose successors are known; they come first.
    complete : bool
        True if all up to the horizon have been found, or all that matter.
    unwinnable : bool
        True if no placement of the tiles is known to be a win, where that was checked.
    """

    def __init__(self, space: StateSpace, horizon: int) -> None:
        self.level, self.horizon, self.space = cast("Level", space.level), horizon, space
        self.ends = list(itertools.accumulate(space.by_depth))
        self.count, self.expanded, self.complete = space.states, space.expanded_count, space.complete
        self.unwinnable = False

    def count_within(self, moves: int) -> int:
        """Count the positions that are reached in at most `moves` moves."""
        return self.ends[min(moves, len(self.ends) - 1)] if moves >= 0 else 0

    @property
    @abstractmethod
    def won(self) -> Array:
        """True for each won position: bool (count,)."""

    @property
    @abstractmethod
    def targets(self) -> Array:
        """The successor by each valid move: (expanded, moves), with -1 where the game is won."""

    @abstractmethod
    def find_win_without_split(self, meter: Meter) -> list[int] | None:
        """Return a shortest path to a win on which no two connected sides part (S22); None without one, or at the limit."""

    def position(self, number: int) -> Position:
        """Return the position with a number."""
        return cast("Position", self.space[number])

    @cached_property
    def wins(self) -> list[int]:
        """The numbers of the won positions, in order."""
        return [int(number) for number in self.won.nonzero()[0]]

    def trace_along(self, numbers: list[int]) -> Trace:
        """Return the trace through some positions."""
        return trace_through([self.space[number] for number in numbers])

    def trace_to(self, number: int) -> Trace:
        """Return a shortest trace to a position."""
        return self.space.trace_to(self.space[number])


class RulesReachability(Reachability):
    """Reachable positions by the rules, on boards of any size."""

    def __init__(self, level: Level, horizon: int, meter: Meter, most: int | None = None) -> None:
        space = RulesSpace([level.start()], (None,))
        space.explore(meter, None, most, horizon)
        super().__init__(space, horizon)

    @cached_property
    def won(self) -> Array:
        import numpy as np

        return np.array([self.position(number).won for number in range(self.count)], bool)

    @cached_property
    def targets(self) -> Array:
        import numpy as np

        moves = len(self.level.valid_moves)
        rows = [self._successors(number) or [-1] * moves for number in range(self.expanded)]
        return np.array(rows, np.int64).reshape(self.expanded, moves)

    def _successors(self, number: int) -> list[int]:
        """Return the positions after each move; none where the game is won, or behind a limit."""
        before = self.position(number)
        moves = before.actions() if number < self.expanded else ()
        return [self.space.number(before.outcomes(move)[0].position) for move in moves]

    def find_win_without_split(self, meter: Meter) -> list[int] | None:
        def steps(number: int) -> Iterator[tuple[int, int]]:
            if not meter.is_reached(self.count):
                yield from ((target, target) for target in self._successors_without_split(number))

        found = shortest_path(0, steps, lambda number: self.position(number).won)
        return [0, *found[0]] if found and len(found[0]) <= self.horizon else None

    def _successors_without_split(self, number: int) -> Iterator[int]:
        """Yield the successors of a position that split no region."""
        before = self._regions(number)
        for target in self._successors(number):
            after = self._regions(target)
            if len({*zip(before, after, strict=True)}) == len({*before}):
                yield target

    def _regions(self, number: int) -> list[int]:
        tiles = self.level.connection.regions(self.position(number).tiles)
        return [region for sides in tiles for region in sides]


def explore(level: Level, horizon: int, meter: Meter, stop_if_unwinnable: bool = False) -> Reachability:
    """Explore the positions of all runs of a level up to a horizon.

    With `stop_if_unwinnable`, stop early where no placement of the tiles is a win: then no run ends, and all
    positions are alike to the claims.
    """
    few = RulesReachability(level, horizon, meter, _BY_RULES)
    if few.complete or meter.stopped_by:
        return few
    with meter.pause():
        packed = load("gridproof.games.shiftit.claims.kernel_reachability")
        few.unwinnable = stop_if_unwinnable and packed.is_unwinnable(level)
    if few.unwinnable:
        few.complete = True
        return few
    found: Reachability | None = packed.explore(level, horizon, meter)
    return found or RulesReachability(level, horizon, meter)
