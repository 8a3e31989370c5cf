"""Reachable positions up to a horizon: by the rules where they are few, else by the kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gridproof.core.distances import shortest_path
from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter
from gridproof.core.trace import Step, Trace
from gridproof.games.shiftit.rules import Level, Move, Position

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_BY_RULES = 250  # positions that take less time than loading a kernel
_BETWEEN = 256  # positions between two looks at the clock


class Reachability(ABC):
    """Reachable positions in breadth-first order, up to the horizon.

    Attributes
    ----------
    ends : list of int
        The numbers of positions within 0, 1, ... moves; shorter where all have been found before the horizon.
    expanded : int
        The number of positions whose successors are known; they come first.
    complete : bool
        True if all up to the horizon have been found, or all that matter.
    unwinnable : bool
        True if no placement of the tiles is known to be a win, where that was checked.
    """

    def __init__(self, level: Level, horizon: int) -> None:
        self.level, self.horizon = level, horizon
        self.ends = [1]
        self.expanded = 0
        self.complete = False
        self.unwinnable = False

    @property
    def count(self) -> int:
        """The number of positions."""
        return self.ends[-1]

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
    def position(self, number: int) -> Position:
        """Return the position with a number."""

    @abstractmethod
    def path_to(self, number: int) -> list[int]:
        """Return the numbers of the positions on a shortest path from the start, with both ends."""

    @abstractmethod
    def find_win_without_split(self, meter: Meter) -> list[int] | None:
        """Return a shortest path to a win on which no two connected sides part (S22); None without one, or at the limit."""

    @cached_property
    def wins(self) -> list[int]:
        """The numbers of the won positions, in order."""
        return [int(number) for number in self.won.nonzero()[0]]

    def trace_along(self, numbers: list[int]) -> Trace:
        """Return the trace through some positions."""
        positions = [self.position(number) for number in numbers]
        moves = map(_move_between, positions, positions[1:])
        return Trace(positions[0], tuple(map(Step, moves)))

    def trace_to(self, number: int) -> Trace:
        """Return a shortest trace to a position."""
        return self.trace_along(self.path_to(number))


def _move_between(before: Position, after: Position) -> Move:
    return next(move for move in before.actions() if before.outcomes(move)[0].position == after)


def walk_parents(number: int, parents: Any) -> list[int]:
    """Return the path to a number from the root, which is its own parent."""
    numbers = [number]
    while numbers[-1] != parents[numbers[-1]]:
        numbers.append(int(parents[numbers[-1]]))
    return numbers[::-1]


class RulesReachability(Reachability):
    """Reachable positions by the rules, on boards of any size."""

    def __init__(self, level: Level, horizon: int, meter: Meter, most: int | None = None) -> None:
        super().__init__(level, horizon)
        self._positions = [level.start()]
        self._numbers = {self._positions[0]: 0}
        self._parents = [0]
        self._rows: list[list[int]] = []
        while self.expanded < self.count and len(self.ends) <= horizon:
            for number in range(self.expanded, self.count):
                self._expand(number)
                found = len(self._positions)
                if (most is not None and found > most) or (
                    number % _BETWEEN == 0 and meter.is_reached(found)
                ):
                    self.ends.append(found)
                    return
            self.expanded = self.count
            self.ends.append(len(self._positions))
        self.complete = not meter.is_reached(self.count)

    def _expand(self, number: int) -> None:
        row = []
        for move in self._positions[number].actions():
            after = self._positions[number].outcomes(move)[0].position
            if after not in self._numbers:
                self._numbers[after] = len(self._positions)
                self._positions.append(after)
                self._parents.append(number)
            row.append(self._numbers[after])
        self._rows.append(row)

    @cached_property
    def won(self) -> Array:
        import numpy as np

        return np.array([position.won for position in self._positions], bool)

    @cached_property
    def targets(self) -> Array:
        import numpy as np

        moves = len(self.level.valid_moves)
        rows = [row or [-1] * moves for row in self._rows[: self.expanded]]
        return np.array(rows, np.int64).reshape(self.expanded, moves)

    def position(self, number: int) -> Position:
        return self._positions[number]

    def path_to(self, number: int) -> list[int]:
        return walk_parents(number, self._parents)

    def find_win_without_split(self, meter: Meter) -> list[int] | None:
        def steps(number: int) -> Iterator[tuple[int, int]]:
            if not meter.is_reached(self.count):
                yield from ((target, target) for target in self._successors_without_split(number))

        found = shortest_path(0, steps, lambda number: self._positions[number].won)
        return [0, *found[0]] if found and len(found[0]) <= self.horizon else None

    def _successors_without_split(self, number: int) -> Iterator[int]:
        """Yield the successors of a position that split no region."""
        before = self._regions(number)
        for target in self._rows[number] if number < len(self._rows) else ():  # else behind a limit
            after = self._regions(target)
            if len({*zip(before, after, strict=True)}) == len({*before}):
                yield target

    def _regions(self, number: int) -> list[int]:
        tiles = self.level.connection.regions(self._positions[number].tiles)
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
