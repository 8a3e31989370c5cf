"""Any solution of Sokoban: several searches in turns, under one limit."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from gridproof.core.limit import Meter
from gridproof.core.trace import Trace
from gridproof.games.sokoban.feature_search.macro_trace import trace_of_moves
from gridproof.games.sokoban.feature_search.searches import (
    VARIANTS,
    AnySearch,
    Searches,
    prepare_trees,
)
from gridproof.games.sokoban.rules import Position
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import board_of, conclude, trace_of
from gridproof.search.question import GoalQuestion
from gridproof.search.solution import Solution
from gridproof.search.space import finish

_MOST = (1 << 31) - 1
_QUICK = 1 << 24
"""States, times squares times boxes, of the search by single pushes that come first: small levels do not wait for other kernels."""
_FOLLOWING = 2
"""Slices in each turn of the searches forwards by the plans by search."""
_BACKWARDS, _PLANNED, _CLEARING, _SINGLE, _RELAY, _FEWEST, _PHASES = (2, 2), 2, 2, 2, 3, 40, 4
"""Slices in each turn of the searches backwards, of that backwards by a plan, of that which clears the depots, by single pushes, of each relay, for fewest pushes, and of each by phases.

Those by single pushes, for fewest pushes and by phases are shorter. Each other search forwards has one.
"""
_PLANNED_NODES, _CLEARING_NODES = 1 << 18, 1 << 19
"""Nodes of the search backwards by a plan, about: it wins soon or hardly ever, and the others may still meet it; and of that which clears the depots."""
_ROUNDS, _MANY_ROUNDS = 1, 5
"""Turns of all searches before tables of deadlocks are made, and relays; and before the search for fewest pushes begins.

Easy levels do not wait for them.
"""


def any_win(question: GoalQuestion) -> Solution:
    """Find any win soon; raise Refused for a board that is too large, or bombs that can leave too many patterns of walls."""
    position: Any = question.starts[0]
    board = board_of(question)
    if not board.possible:
        return question.refuted(1)
    portfolio = Portfolio(position, board, question.meter.pause)
    finish(portfolio, question.meter, question.progress)
    return conclude(question, portfolio.pushes, portfolio.trace, portfolio.states)


class Portfolio:
    """Searches that take turns until one has found a win, or that by single pushes has shown that there is none.

    A level with bombs is also searched as if it had none.

    Parameters
    ----------
    position : Position
        The start.
    board : Board
        That of the start: a possible one that fits.
    paused : callable
        A context manager within which kernels are compiled or loaded.
    """

    def __init__(
        self,
        position: Position,
        board: Board,
        paused: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._position, self._paused = position, paused
        self.most = _MOST
        self.pushes = PushSearch(board, by_moves=False, greedy=True, paused=paused)
        self._trees: Searches | None = None
        self._fewest = list[PushSearch]()
        self._growth = 0
        self.trace: Trace | None = None
        """The win, once it is found."""

    @property
    def _searches(self) -> list[AnySearch | PushSearch]:
        return [*(self._trees.growing if self._trees else ()), *self._fewest, self.pushes]

    @property
    def states(self) -> int:
        """The number of states of all searches."""
        past = self._trees.past if self._trees else 0
        return past + sum(search.states for search in self._searches)

    @property
    def has_overflow(self) -> bool:
        """True if a search left out a state because there were `most`."""
        return any(search.has_overflow for search in self._searches)

    def can_continue(self, meter: Meter) -> bool:
        """Return whether there is a trace, or room for all searches to go on."""
        if self.trace is not None:
            return True
        has_room = not self._growth or meter.has_room(self._growth)
        return has_room and all(search.can_continue(meter) for search in self._searches)

    def run(self) -> Iterator[int]:
        """Search; yield the number of states now and then."""
        with self._paused():
            self.pushes.prepare()
        quick = self._run_slices(self.pushes, self.pushes.run())
        size = len(self.pushes.board.cells) * max(1, len(self.pushes.board.boxes))
        for _ in itertools.takewhile(lambda states: states * size < _QUICK, quick):
            yield self.states
        if self._is_done:
            return
        yield from self._build_trees()
        runs = self._runs(quick)
        for turn in itertools.count():
            if self._trees and turn == _ROUNDS:
                self._growth = self._trees.deadlock_bytes
                yield self.states
                self._growth = 0
                for _ in itertools.chain(
                    self._trees.find_plan(),
                    self._trees.find_phases(),
                    self._trees.find_deadlocks(),
                    self._trees.build_planned(),
                ):
                    yield self.states
                self._trees.build_clearing()
                self._trees.build_relays()
                runs = self._runs(quick)
            if self._trees and turn == _MANY_ROUNDS:
                runs.append((self._run_fewest(self._trees.board), _FEWEST))
            for slices, count in runs:
                for _ in itertools.islice(slices, count):
                    yield self.states
                    if self._is_done:
                        return

    def _runs(self, quick: Iterator[int]) -> list[tuple[Iterator[int], int]]:
        """Return the slices of each search, and how many it has in each turn."""
        trees = self._trees
        if trees is None:
            return [(quick, 1)]
        runs = self._runs_of(trees.by_phases, _PHASES)
        runs += self._runs_of(trees.forwards[: len(VARIANTS) - 1 : -1], _FOLLOWING)
        runs += self._runs_of(trees.forwards[: len(VARIANTS)][::-1], 1)
        for search, count in zip(trees.backwards, _BACKWARDS, strict=True):
            runs += self._runs_of([search], count)
        runs += self._runs_of(trees.planned, _PLANNED, _PLANNED_NODES)
        runs += self._runs_of(trees.clearing, _CLEARING, _CLEARING_NODES)
        return [*runs, *self._runs_of(trees.relays, _RELAY), (quick, _SINGLE)]

    def _runs_of(
        self, searches: Iterable[AnySearch], count: int, nodes: int = _MOST
    ) -> list[tuple[Iterator[int], int]]:
        """Return the slices of some searches, of which each has so many in each turn, until it has so many nodes."""
        runs = [self._run_slices(search, search.run()) for search in searches]
        return [(itertools.takewhile(lambda states: states < nodes, run), count) for run in runs]

    def _run_fewest(self, board: Board) -> Iterator[int]:
        """Search for fewest pushes, which wins some small levels that the others miss."""
        with self._paused():
            fewest = PushSearch(board, by_moves=False, paused=self._paused)
            fewest.prepare()
        self._fewest.append(fewest)
        yield from self._run_slices(fewest, fewest.run())

    def _run_slices(self, search: AnySearch | PushSearch, slices: Iterator[int]) -> Iterator[int]:
        """Run a search with as many states as the others leave it; keep its win."""
        while True:
            search.most = max(1, self.most - self.states + search.states)
            if next(slices, None) is None:
                return
            if search.goal is not None and self.trace is None:
                self.trace = self._trace_of(search)
            yield search.states

    @property
    def _is_done(self) -> bool:
        return self.trace is not None or self.has_overflow or self.pushes.is_exhausted

    def _build_trees(self) -> Iterator[int]:
        board = Board(dataclasses.replace(self._position, bombs=0))
        if not board.possible:
            return
        with self._paused():
            prepare_trees()
        trees = Searches(board)
        for _ in trees.build():
            yield self.states
        self._trees = trees

    def _trace_of(self, search: AnySearch | PushSearch) -> Trace:
        if isinstance(search, PushSearch):
            return trace_of(self._position, search)
        assert self._trees is not None
        return trace_of_moves(self._position, self._trees.board, search.path())
