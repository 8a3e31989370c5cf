"""`gp.explore`: all positions that can be reached, by a game's kernel or by its rules."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Level, Measure, Position
from gridproof.core.limit import Limit, Meter, started
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS
from gridproof.core.trace import Step, Trace
from gridproof.search.actors import Actors, Who, acting, starts_of
from gridproof.search.refusal import Refused, because

if TYPE_CHECKING:
    from gridproof.search.packed import PackedStates
    from gridproof.search.ranked import RankedStates

_BY_RULES = 2000  # positions whose expansion takes less time than loading a kernel
_CHECK_EVERY = 512  # outcomes between two looks at the clock

Same = Callable[[Position[Any], Position[Any]], bool]

Progress = Callable[[int], None]
"""Told now and then how many positions have been found."""


def rising(progress: Progress | None) -> Progress | None:
    """The same, but never told of fewer positions than before: a kernel begins anew after the rules.

    Raises
    ------
    GridproofError
        When it cannot be called.
    """
    if progress is None:
        return None
    if not callable(progress):
        raise GridproofError(f"progress is a function of a number of positions, not {progress!r}")
    most = 0

    def told(count: int) -> None:
        nonlocal most
        most = max(most, count)
        progress(most)

    return told


class StateSpace(ABC):
    """The positions reached from the starts, in breadth-first order.

    Attributes
    ----------
    states, transitions : int
        Positions found, and outcomes counted from those expanded.
    by_depth : tuple of int
        How many positions are first reached after 0, 1, 2, ... actions.
    complete : bool
        Whether no limit was reached.
    seconds : float
    stopped_by : str
        The limit that was reached: "states", "seconds" or "memory"; "" when there was none.
    engine : str
        What did the work: "rules", "kernel, breadth-first" or "kernel, by ranks"; and, after a colon, why
        no kernel did.
    who : tuple
        Who acts: names, or None for all players.
    """

    states: int
    transitions: int
    by_depth: tuple[int, ...]
    complete: bool
    seconds: float
    stopped_by: str
    engine: str
    who: Who

    @abstractmethod
    def __iter__(self) -> Iterator[Position[Any]]:
        """The positions in the order they were found."""

    @abstractmethod
    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        """The positions from a start to this one on a shortest way; None when it was not found."""

    def __len__(self) -> int:
        return self.states

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and self.path(position) is not None

    def depth(self, position: Position[Any]) -> int:
        """The fewest actions that reach a position.

        Raises
        ------
        GridproofError
            When it was not found.
        """
        return len(self._path(position)) - 1

    def trace_to(self, position: Position[Any]) -> Trace:
        """A shortest trace to a position, replayed through the rules.

        Raises
        ------
        GridproofError
            When it was not found.
        """
        return trace_through(self._path(position), self.who)

    def _path(self, position: Position[Any]) -> list[Position[Any]]:
        path = self.path(position) if isinstance(position, Position) else None
        if path is None:
            raise GridproofError("the position was not reached")
        return path


def trace_through(
    path: list[Position[Any]], who: Who = (None,), same: Same = operator.eq, measure: Measure = ACTIONS
) -> Trace:
    """The trace through given positions: of each, the cheapest action of theirs that can lead to the next.

    With `same`, it leads from the first position through such as are the same as the others.
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
        raise GridproofError("a kernel and its rules disagree: please report this level")
    action, outcome = best
    return Step(action, outcome.label), outcome.position


def explore(
    level_or_position: Level | Position[Any],
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> StateSpace:
    """Find every position that can be reached.

    Parameters
    ----------
    level_or_position : Level or Position
        A level is explored from all its starts.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop with what has been found; never an error.

    Raises
    ------
    GridproofError
        For an actor that the level does not know.
    """
    meter = started(limit)
    starts = starts_of(level_or_position)
    who = acting(starts[0].level, actors)
    progress = rising(progress)
    by_rules = _RulesSpace(starts, who)
    if by_rules.explore(meter, progress, _BY_RULES):
        return by_rules
    with meter.paused():
        load("gridproof.search.packed")
    try:
        compiled = _compiled(starts, who, meter, progress)
        if compiled.complete or compiled.states >= by_rules.states:
            return compiled
        by_rules.stopped_by = compiled.stopped_by  # before the kernel had come as far
        return by_rules
    except Refused as reason:
        by_rules.engine = because(by_rules.engine, str(reason))
    by_rules.explore(meter, progress, None)
    return by_rules


def explore_by_rules(
    level_or_position: Level | Position[Any], actors: Actors = None, limit: Limit | None = None
) -> StateSpace:
    """As `explore`, without the game's kernel.

    Raises
    ------
    GridproofError
        For an actor that the level does not know.
    """
    starts = starts_of(level_or_position)
    found = _RulesSpace(starts, acting(starts[0].level, actors))
    found.explore(started(limit), None, None)
    return found


def _compiled(starts: list[Position[Any]], who: Who, meter: Meter, progress: Progress | None) -> StateSpace:
    """The state space by the game's kernel; Refused where the rules must do."""
    from gridproof.search.packed import PLAYERS, PackedStates, packed_for
    from gridproof.search.ranked import RankedStates

    kernel, packing, acting = packed_for(starts, who)
    ranking = kernel.ranking(packing.level) if kernel.ranking and acting == PLAYERS else None
    most = meter.limit.states
    all_may_be_kept = ranking is not None and (most is None or most >= ranking.size)
    if ranking is not None and all_may_be_kept and meter.has_room(RankedStates.size(ranking)):
        with meter.paused():
            ranked = RankedStates(kernel, ranking, starts)
            ranked.prepare()
        return _RankedSpace(ranked, finish(ranked, meter, progress), meter)
    meter.stopped_by = ""
    with meter.paused():
        packed = PackedStates(kernel, packing, starts, who=acting)
        packed.prepare()
    return _PackedSpace(packed, who, finish(packed, meter, progress), meter)


class Search(Protocol):
    """What `finish` runs."""

    most: int
    """No more states than that are kept."""

    @property
    def refused(self) -> bool:
        """Whether a state has been left out for that."""

    def run(self) -> Iterator[int]:
        """Search; now and then the number of states."""

    def can_go_on(self, meter: Meter) -> bool:
        """Whether there is room for more."""


def finish(found: Search, meter: Meter, progress: Progress | None) -> bool:
    """Run a search to its end (True) or to a limit."""
    if meter.limit.states is not None:
        found.most = int(min(found.most, meter.limit.states))
    try:
        for count in found.run():
            if progress:
                progress(count)
            if meter.reached(count) or not found.can_go_on(meter):
                return False
    except MemoryError:  # the machine has less than the limit allows
        meter.stopped_by = "memory"
        return False
    if found.refused:
        meter.stopped_by = "states"
    return not found.refused


class _RankedSpace(StateSpace):
    who = (None,)

    def __init__(self, found: RankedStates, complete: bool, meter: Meter) -> None:
        self._found, self.engine = found, found.engine
        self.states, self.transitions = found.count, found.transitions
        self.by_depth, self.complete = tuple(found.by_depth), complete
        self.seconds, self.stopped_by = meter.seconds, meter.stopped_by

    def __iter__(self) -> Iterator[Position[Any]]:
        return (self._found.ranking.unrank(rank) for rank in self._found)

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        ranking = self._found.ranking
        if position.level != ranking.level or (rank := ranking.rank(position)) not in self._found:
            return None
        if ranking.unrank(rank) != position:  # tiles where they never are
            return None
        return [ranking.unrank(number) for number in self._found.path(rank)]


class _PackedSpace(StateSpace):
    def __init__(self, found: PackedStates, who: Who, complete: bool, meter: Meter) -> None:
        self._found, self.who, self.engine = found, who, found.engine
        self.states, self.transitions, self.by_depth = found.count, found.transitions, found.by_depth()
        self.complete, self.seconds, self.stopped_by = complete, meter.seconds, meter.stopped_by

    def __iter__(self) -> Iterator[Position[Any]]:
        return (self._found.position(number) for number in range(self.states))

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        if position.level != self._found.packing.level:
            return None
        number = self._found.number(position)
        return None if number is None else self._found.path(number)


class _RulesSpace(StateSpace):
    def __init__(self, starts: list[Position[Any]], who: Who) -> None:
        self._parents: dict[Position[Any], Position[Any] | None] = dict.fromkeys(starts)
        self.who = who
        self._layers: list[list[Position[Any]]] = [list(self._parents), []]
        self._expanded = 0  # of the last layer but one
        self._looks = 0
        self.states, self.transitions, self.by_depth = len(starts), 0, (len(starts),)
        self.complete, self.seconds, self.stopped_by, self.engine = False, 0.0, "", "rules"

    def explore(self, meter: Meter, progress: Progress | None, most: int | None) -> bool:
        """Go on; False when more than `most` positions have been found before all were expanded."""
        ended = self._expand_all(meter, progress, most)
        self.states, self.seconds, self.stopped_by = len(self._parents), meter.seconds, meter.stopped_by
        self.by_depth = tuple(len(layer) for layer in self._layers if layer)
        return ended

    def _expand_all(self, meter: Meter, progress: Progress | None, most: int | None) -> bool:
        while self._layers[-2]:
            for position in self._layers[-2][self._expanded :]:
                if most is not None and len(self._parents) > most:
                    return meter.reached(len(self._parents))
                if not self._expand(position, meter, progress):
                    return True
                self._expanded += 1
            self._layers.append([])
            self._expanded = 0
        self.complete = True
        return True

    def _expand(self, position: Position[Any], meter: Meter, progress: Progress | None) -> bool:
        """Find what follows from a position; False when a limit is reached."""
        if self._limit_reached(meter, progress):
            return False
        for actor in self.who:
            for action in position.actions(actor):
                for outcome in position.outcomes(action):
                    self.transitions += 1
                    if outcome.position not in self._parents:
                        if meter.full(len(self._parents)):
                            return False
                        self._parents[outcome.position] = position
                        self._layers[-1].append(outcome.position)
                    if self._limit_reached(meter, progress):
                        return False
        return True

    def _limit_reached(self, meter: Meter, progress: Progress | None) -> bool:
        """Look at the clock and the memory now and then: the outcomes of one action may be very many."""
        self._looks += 1
        if self._looks % _CHECK_EVERY != 1:
            return False
        if progress:
            progress(len(self._parents))
        return meter.reached(len(self._parents))

    def __iter__(self) -> Iterator[Position[Any]]:
        return iter(self._parents)

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        if position not in self._parents:
            return None
        path = [position]
        while (parent := self._parents[path[-1]]) is not None:
            path.append(parent)
        return path[::-1]
