"""Improvement of a solution by ever wider searches in its vicinity.

A solution falls into paths of pushes, between two bombs each, with the shortest walks between pushes. A path is
searched in windows that overlap, or as a whole; where a search finds too many states, its window is halved. A cheaper
window becomes part of the path, and the searches begin again with the narrowest vicinity. They pass over the windows
that they have searched in vain before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from gridproof.core.memory import memory_in_use
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.rules import Action
from gridproof.games.sokoban.vicinity.kernel import NONE, Prices
from gridproof.games.sokoban.vicinity.path import PushPath, prepare
from gridproof.games.sokoban.vicinity.search import PushState, VicinitySearch
from gridproof.search.improver import ImproveQuestion

_BY_PUSHES = Prices(push=1, step=0, end=NONE)
_BY_MOVES = Prices(push=1, step=1, end=NONE)
_MOST_MOVES = 1 << 16
"""More moves than a window may have: what is minimised first costs as much."""
_BY_PUSHES_THEN_MOVES = Prices(push=_MOST_MOVES + 1, step=1, end=NONE)
_BY_MOVES_THEN_PUSHES = Prices(push=_MOST_MOVES + 1, step=_MOST_MOVES, end=NONE)
_EVERYWHERE = 1 << 12
"""A radius beyond all boards, and more boxes than they have."""
_FIRST_MOST = 1 << 17
"""States of one search at first."""
_GROWTH = 4
"""Factor of the states of one search after the last stage."""
_PER_STATE = 128
"""Bytes of a state, roughly, without its words."""


class Stage(NamedTuple):
    """A vicinity."""

    boxes: int
    """The most boxes that stand off an arrangement of the path."""
    radius: int
    """Steps from a square that the arrangement has to the box that stands off."""
    length: int = 1 << 30
    """The most pushes of a window."""
    first: bool = True
    """True to minimise by the first prices, False by the last: of those that cost the same, the fewest moves."""
    share: int = 1
    """Divisor of the states of one search."""


_STAGES = (
    Stage(1, _EVERYWHERE, 96),
    Stage(_EVERYWHERE, _EVERYWHERE, 32, share=8),
    Stage(1, _EVERYWHERE),
    Stage(_EVERYWHERE, _EVERYWHERE, 64, share=8),
    Stage(2, 2),
    Stage(2, _EVERYWHERE, 96),
    Stage(1, _EVERYWHERE, 96, first=False),
    Stage(2, 4),
    Stage(_EVERYWHERE, _EVERYWHERE, 96, share=4),
    Stage(3, 2),
    Stage(2, 2, 96, first=False),
    Stage(3, _EVERYWHERE, 128),
    Stage(1, _EVERYWHERE, first=False),
    Stage(2, _EVERYWHERE),
    Stage(_EVERYWHERE, _EVERYWHERE, 192),
    Stage(2, 4, first=False),
    Stage(3, 4),
    Stage(_EVERYWHERE, _EVERYWHERE),
    Stage(_EVERYWHERE, _EVERYWHERE, first=False),
)
"""The stages in their order; after the last, searches may find more states."""


def improve(question: ImproveQuestion) -> Iterator[Trace | None]:
    """Yield cheaper and cheaper traces to the same end, and None after a search that found none.

    A level with more squares than a path takes is left to others.
    """
    with question.meter.pause():
        prepare()
    paths = _split(question)
    if not all(path.fits for path in paths):
        return
    straight = _join(question, paths)
    if len(straight.steps) < len(question.trace.steps):
        yield straight
    searches = {number: _PathImprovement(path, question).run() for number, path in enumerate(paths)}
    while searches and not question.meter.is_interrupted():
        for number, search in [*searches.items()]:
            better = next(search, None)
            if better is None:
                del searches[number]
            yield _join(question, paths) if better else None


def _split(question: ImproveQuestion) -> list[PushPath]:
    """Return the paths of pushes between the bombs of a trace."""
    position: Any = question.trace.start
    parts: list[list[Any]] = [[position]]
    for action, position in zip(question.trace.actions, [*question.trace.positions()][1:], strict=True):
        if action is Action.BOMB:
            parts.append([position])
        else:
            parts[-1].append(position)
    return [PushPath(part, question.is_win and part is parts[-1]) for part in parts]


def _join(question: ImproveQuestion, paths: list[PushPath]) -> Trace:
    actions = list[Action]()
    for number, path in enumerate(paths):
        actions += [Action.BOMB] if number else []
        actions += path.actions()
    return Trace(question.trace.start, tuple(map(Step, actions)))


def _prices(question: ImproveQuestion) -> list[Prices]:
    """Return the prices to minimise by, one after the other."""
    first, *second = (part.name for part in question.measure.parts or (question.measure,))
    if first == "pushes":
        return [_BY_PUSHES, _BY_PUSHES_THEN_MOVES]
    return [_BY_MOVES, _BY_MOVES_THEN_PUSHES] if second == ["pushes"] else [_BY_MOVES]


class _PathImprovement:
    """The searches for one path."""

    def __init__(self, path: PushPath, question: ImproveQuestion) -> None:
        self._path, self._question = path, question
        self._prices = _prices(question)
        self._stages = [stage for stage in _STAGES if stage.first or len(self._prices) > 1]
        self._fruitless = dict[int, bool]()
        """Hashes of windows without a cheaper path, and whether the search came to its end."""
        self._proved = set[Prices]()
        start: Any = question.trace.start
        self._can_prove = not start.bombs
        self._most = _FIRST_MOST
        self._overflow = False

    def run(self) -> Iterator[bool]:
        """Search in all stages; yield after each search whether the path is cheaper."""
        if len(self._path.states) < 2:
            return
        number = 0
        while number < len(self._stages) and self._proved != {*self._prices}:
            if number == 0:
                self._overflow = False
            better = False
            for found in self._run_stage(self._stages[number]):
                better |= found
                yield found
            number = 0 if better and number else number + 1
            if number == len(self._stages) and self._overflow and self._room() > self._most:
                number, self._most = 0, self._most * _GROWTH

    def _room(self) -> int:
        """Return how many states there may be at most."""
        meter = self._question.meter
        room = max(0, meter.memory - memory_in_use()) // (_PER_STATE + 16 * self._path.words)
        return room if meter.limit.states is None else int(min(room, meter.limit.states))

    def _run_stage(self, stage: Stage) -> Iterator[bool]:
        """Search the windows of the path until none becomes cheaper; yield after each search whether one has."""
        path, prices = self._path, self._prices[0 if stage.first else -1]
        length, better = min(stage.length, len(path.states) - 1), True
        while better:
            first, better = 0, False
            while first < len(path.states) - 1:
                last = self._window_end(first, length)
                found, complete = self._search_once(first, last, prices, stage)
                if found is not None:
                    path.replace(first, last, found)
                    better = True
                yield found is not None
                if found is not None and complete:
                    continue
                if not complete and last - first > 1:
                    self._overflow = True
                    length = (last - first) // 2
                    continue
                if last == len(path.states) - 1:
                    if first == 0:
                        self._note_proof(prices, stage)
                        return
                    break
                first = self._cut(
                    first + max(1, (last - first) // 4), first + max(1, 3 * (last - first) // 4)
                )

    def _window_end(self, first: int, length: int) -> int:
        end = len(self._path.states) - 1
        return end if first + length >= end else self._cut(first + length - length // 4, first + length)

    def _cut(self, low: int, high: int) -> int:
        """Return a place from `low` to `high` that depends on the states alone.

        So the same windows come again where the path has not changed.
        """
        return min(range(low, high + 1), key=lambda place: hash(self._path.states[place]))

    def _search_once(
        self, first: int, last: int, prices: Prices, stage: Stage
    ) -> tuple[list[PushState] | None, bool]:
        """Search a window, unless it has been searched before; return what `_search` does."""
        states = self._path.states
        window = hash((stage, self._most, last == len(states) - 1, *states[first : last + 1]))
        if window in self._fruitless:
            return None, self._fruitless[window]
        found, complete = self._search(first, last, prices, stage)
        if found is None:
            self._fruitless[window] = complete
        return found, complete

    def _note_proof(self, prices: Prices, stage: Stage) -> None:
        """Note that no cheaper path is in the vicinity; everywhere, if all boxes may stand off."""
        if self._can_prove and stage.boxes == stage.radius == _EVERYWHERE:
            self._proved.add(prices)
            self._question.optimal |= prices == self._prices[-1 if self._question.measure.parts else 0]

    def _search(
        self, first: int, last: int, prices: Prices, stage: Stage
    ) -> tuple[list[PushState] | None, bool]:
        """Return a cheaper part of the path, or None, and whether the search came to its end."""
        path, question = self._path, self._question
        is_end = last == len(path.states) - 1
        end = path.end if is_end else path.states[last].player
        best, moves = (
            costs[-1 if is_end else last] - costs[first]
            for costs in map(path.step_costs, (prices, _BY_MOVES))
        )
        if moves >= _MOST_MOVES:
            return None, False
        vicinity = path.vicinity(first, last, stage.boxes, stage.radius)
        most = max(1, min(self._most // stage.share, self._room()))
        search = VicinitySearch(
            path.tables(last), vicinity, prices._replace(end=end), path.states[first], best, most
        )
        with question.meter.pause():
            search.prepare()
        reported = 0
        for states in search.run():
            question.report(states - reported)
            reported = states
            if question.meter.is_interrupted():
                break
        return search.path(), search.is_complete
