"""State spaces: numbered positions with edges, values and shortest paths."""

from __future__ import annotations

import itertools
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.limit import Meter, describe_limit
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Term
from gridproof.core.representation import Representable, facts_of
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Step, Trace
from gridproof.search.actors import Who

if TYPE_CHECKING:
    import numpy as np

    from gridproof.search.graph import Graph

    Array = np.ndarray[Any, Any]

Same = Callable[[Position[Any], Position[Any]], bool]

WHOLE = 4096
"""Positions of a space that is explored whole, so that verdicts count all its positions."""

Progress = Callable[[int], None]
"""Receives the number of positions now and then."""


class EarlyStop(Protocol):
    """Decides from growing prefixes of a space whether the exploration may end."""

    next_size: float
    """The number of positions at which it wants to judge again."""
    names: frozenset[str] | None
    """The propositions and numbers that decide it in single positions; None if it needs more."""
    needs_edges: bool
    """True if it needs the edges of the positions; else it judges each layer of ranks."""

    def is_decided(self, space: StateSpace) -> bool:
        """Return whether the positions found so far are enough."""


def monotonic_progress(progress: Progress | None) -> Progress | None:
    """Return the same function, never called with fewer positions than before: kernels start again after the rules."""
    if progress is None:
        return None
    if not callable(progress):
        raise GridproofError(f"progress is a function of a number of positions, not {progress!r}")
    most = 0

    def report(count: int) -> None:
        nonlocal most
        most = max(most, count)
        progress(most)

    return report


class StateSpace(Representable, ABC):
    """The positions reached from the starts, in breadth-first order."""

    states: int
    transitions: int
    """Positions found, and outcomes counted from those expanded."""
    by_depth: tuple[int, ...]
    """Numbers of positions that are first reached after 0, 1, 2, ... actions."""
    complete: bool
    """True if no limit was reached."""
    seconds: float
    stopped_by: str
    """The limit that was reached: "states", "seconds", "memory", "stop" or "disk"; "" when there was none."""
    engine: str = ""
    """The engine: "rules", "breadth-first" (by kernel) or "ranks"; "ranks on disk" or "sorted states on disk"."""
    refused: str = ""
    """The reason why an earlier engine could not answer: "the level is too large for the kernel"."""
    who: Who
    """The actors: names, or None for all players."""
    is_reduced = False
    """True if one position stands for all that are equal up to symmetry."""

    def __str__(self) -> str:
        """Return the number of positions, in all and by depth, and whether these are all."""
        rest = "all" if self.complete else f"not all: {describe_limit(self.stopped_by)}"
        work = f"{format_count(self.transitions, 'transitions')}, {self.seconds:.2f} s by {self.engine}"
        depths = ", ".join(f"{count:,}" for count in self.by_depth)
        return f"{format_count(self.states, 'positions')}, {rest} ({work})\nby depth: {depths}"

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, the limit and the engine as JSON data."""
        counts = facts_of(self, "states", "transitions", "by_depth", "complete", "stopped_by", "seconds")
        return counts | facts_of(self, "engine", "refused")

    def _summary(self) -> str:
        rest = "" if self.complete else ", not all"
        return f"<StateSpace of {format_count(self.states, 'positions')}{rest}: {self.level!r}>"

    @abstractmethod
    def __iter__(self) -> Iterator[Position[Any]]:
        """Yield the positions in the order in which they were found."""

    @abstractmethod
    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        """Return the positions from a start to this one on a shortest path; None when it was not found."""

    @abstractmethod
    def _position(self, number: int) -> Position[Any]:
        """Return the position of a number from 0 to `states` - 1."""

    @abstractmethod
    def _number(self, position: Position[Any]) -> int | None:
        """Return the number of a position; None when it was not found."""

    @abstractmethod
    def _graph(self) -> Graph:
        """Return the edges of the expanded positions."""

    @abstractmethod
    def _values(self, term: Term, first: int) -> Array:
        """Return the value of a term in each position from a number on: bool for a goal, else int64."""

    def count_positions(self) -> int | None:
        """Return the number of all positions that those of a complete space stand for; None if it is unknown."""
        return self.states

    @property
    def expanded_count(self) -> int:
        """The number of positions, counted from the first, whose successors are all known."""
        return self.states if self.complete else 0

    @property
    def complete_layers(self) -> int:
        """The number of layers, from the starts on, of which all positions are found."""
        ends = itertools.accumulate(self.by_depth[:-1])
        return 1 + sum(end <= self.expanded_count for end in ends)

    @property
    @abstractmethod
    def level(self) -> Level:
        """The level that all positions belong to."""

    def __len__(self) -> int:
        return self.states

    def __getitem__(self, number: SupportsIndex) -> Position[Any]:
        """Return the position of a number: 0 is the first start, -1 the last position found.

        Raises
        ------
        GridproofError
            When there is none.
        """
        if isinstance(number, bool) or not isinstance(number, SupportsIndex):
            raise GridproofError(f"a position has a whole number, not {number!r}")
        place = operator.index(number)
        if not -self.states <= place < self.states:
            raise GridproofError(f"no position has the number {place}: there are 0 to {self.states - 1}")
        return self._position(place % self.states)

    def number(self, position: Position[Any]) -> int:
        """Return the number of a position: its place in the iteration of the space.

        Raises
        ------
        GridproofError
            When it was not found.
        """
        found = self._number(position) if isinstance(position, Position) else None
        if found is None:
            raise GridproofError("the position was not reached")
        return found

    def values(self, term: str, first: int = 0) -> Array:
        """Return the value of a goal or a number in each position: `won`, `tile(512)`, `bombs = 0`; `bombs`.

        Returns
        -------
        array (states - first,)
            bool of a goal, int64 of a number, by the positions' numbers from `first` on; read only. Where a number
            is beyond int64 in some position, all are Python's own (dtype object).

        Raises
        ------
        GridproofError
            As `gridproof.solve` for a goal.
        """
        meant = proposition.parse_term(self.level.game, term)
        meant.value(self[0])  # tells which arguments mean nothing on this level
        values = self._values(meant, first)
        values.flags.writeable = False
        return values

    def graph(self) -> Graph:
        """Return all outcomes of all actions as edges between the positions' numbers.

        Raises
        ------
        GridproofError
            When the space is not complete, so that not all edges are known.
        """
        if not self.complete:
            raise GridproofError(f"the space is not complete, stopped by {self.stopped_by}: it has no graph")
        return self._graph()

    def partial_graph(self) -> Graph:
        """Return the graph of a space that may be incomplete: positions from `expanded_count` on have no edges."""
        return self._graph().pad(self.states)

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and self.path(position) is not None

    def depth(self, position: Position[Any]) -> int:
        """Return the fewest actions that reach a position.

        Raises
        ------
        GridproofError
            When it was not found.
        """
        return len(self._path(position)) - 1

    def trace_to(self, position: Position[Any]) -> Trace:
        """Return a shortest trace to a position, replayed by the rules.

        Raises
        ------
        GridproofError
            When it was not found.
        """
        return trace_through(self._path(position), self.who)

    def trace_to_goal(self, goal: str) -> Trace | None:
        """Return a shortest trace to a position with a goal; None if no position has it.

        Raises
        ------
        GridproofError
            As `gridproof.solve` for a goal.
        """
        meant, before = proposition.parse_goal(self.level.game, goal), 0
        meant.value(self[0])  # tells which arguments mean nothing on this level
        for values in self._value_blocks(meant, 0):
            if values.any():
                return self.trace_to(self._position(before + int(values.argmax())))
            before += len(values)
        return None

    def _value_blocks(self, term: Term, first: int) -> Iterator[Array]:
        """Yield the value of a term in each position from a number on, for some at a time."""
        yield self._values(term, first)

    def _path(self, position: Position[Any]) -> list[Position[Any]]:
        path = self.path(position) if isinstance(position, Position) else None
        if path is None:
            raise GridproofError("the position was not reached")
        return path


def trace_through(
    path: list[Position[Any]], who: Who = (None,), same: Same = operator.eq, measure: Measure = ACTIONS
) -> Trace:
    """Return the trace through given positions, by the cheapest actions from each to the next.

    A step may lead to any position that is the `same` as the given one, such as another of its orbit.
    """
    position, steps = path[0], []
    for after in path[1:]:
        step, position = _step(position, after, who, same, measure)
        steps.append(step)
    trace = Trace(path[0], tuple(steps))
    trace.replay()
    return trace


def _step(
    before: Position[Any], after: Position[Any], who: Who, same: Same, measure: Measure
) -> tuple[Step, Position[Any]]:
    found = (
        (action, outcome)
        for actor in who
        for action in before.actions(actor)
        for outcome in before.outcomes(action)
        if same(outcome.position, after)
    )
    if measure is ACTIONS:  # the first will do: there may be very many
        best = next(found, None)
    else:
        best = min(found, key=lambda one: measure.cost(before, *one), default=None)
    if best is None:
        raise GridproofError("a kernel and the rules disagree; please report this level")
    action, outcome = best
    return Step(action, outcome.label), outcome.position


class Search(Protocol):
    """A search that `finish` runs."""

    most: int
    """The most states to keep."""

    @property
    def has_overflow(self) -> bool:
        """True if a state was left out because there were `most`."""

    def run(self) -> Iterator[int]:
        """Search; yield the number of states now and then."""

    def can_continue(self, meter: Meter) -> bool:
        """Return whether there is room for more."""


def finish(
    found: Search,
    meter: Meter,
    progress: Progress | None,
    is_enough: Callable[[int], bool] = lambda count: False,
) -> bool:
    """Run a search to its end (True), to a limit, or until `is_enough`, given the number of states, returns True."""
    if meter.limit.states is not None:
        found.most = int(min(found.most, meter.limit.states))
    try:
        for count in found.run():
            if progress:
                progress(count)
            if meter.is_reached(count) or not found.can_continue(meter):
                return False
            if is_enough(count):
                return False
    except MemoryError:  # the machine has less than the limit allows
        meter.stopped_by = "memory"
        return False
    if found.has_overflow:
        meter.stopped_by = "states"
    return not found.has_overflow
