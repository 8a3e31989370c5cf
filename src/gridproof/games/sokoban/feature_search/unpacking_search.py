"""A plan of the packing by searches with pulls, in which a box leaves the board where another one starts.

Boxes are parked, in any number, until all have left. Where a box has left, it is in nobody's way.
This is the backward search of Y. Shoham and J. Schaeffer ("The FESS algorithm", IEEE Conference on Games 2020), with all starts as sinks.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from gridproof.games.sokoban.feature_search.fields import leaving_field
from gridproof.games.sokoban.feature_search.macro_moves import (
    BACKWARDS,
    NONE,
    Options,
    allocate_work,
    places_of,
    region_of,
)
from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan, Unpacking, final_regions, plan_of
from gridproof.games.sokoban.feature_search.start_squares import StartMatching
from gridproof.games.sokoban.feature_search.tree_search import TreeSearch
from gridproof.games.sokoban.solver.board import Board

_VARIANTS = Options(BACKWARDS, regions_apart=1), Options(BACKWARDS, regions_apart=1, links_apart=31)
_GROUPED = (Options(BACKWARDS, regions_apart=1, links_apart=31, clearing=1),)
_WORK = 1 << 31
"""Squares, times boxes, times nodes of a search: large boards have few nodes."""


class Leaving(Enum):
    """Squares on which boxes leave the board."""

    EACH = auto()
    """At each start one."""
    SHARED = auto()
    """At each start any number."""
    GROUPED = auto()
    """At each start one, but only in the largest group of those that are left."""


class _Moment(NamedTuple):
    """Boxes, and a square of the player's region."""

    boxes: list[int]
    player: int


class _Pull(NamedTuple):
    """A box goes to another square; the player is in the region of a square then."""

    box: int
    target: int
    player: int


class UnpackingSearch:
    """Two searches in turns: one by distance, the other one over cells of boxes that have left, regions and boxes on depots.

    By groups there is one, over these cells, in which boxes are parked far from the depots.

    Parameters
    ----------
    board : Board
        A possible one without bombs.
    leaving : Leaving
        Where boxes leave.
    """

    def __init__(self, board: Board, leaving: Leaving) -> None:
        self._board, self._goals = board, board.goals.tolist()
        variants = _GROUPED if leaving is Leaving.GROUPED else _VARIANTS
        fields = [leaving_field(board, options, leaving is Leaving.SHARED) for options in variants]
        regions, nothing = (
            final_regions(board.neighbours[0], self._goals),
            plan_of([], board.neighbours[0], []),
        )
        self._field, self.searches = (
            fields[0],
            [TreeSearch(field, self._goals, regions, nothing) for field in fields],
        )
        self._runs = [search.run() for search in self.searches]
        self._work = allocate_work(len(self._field.neighbours), len(self._goals))

    @property
    def has_found(self) -> bool:
        """True if all boxes have left."""
        return any(search.goal is not None for search in self.searches)

    def run(self, most: int) -> Iterator[None]:
        """Search until all boxes have left, or each search has so many nodes or no more; yield now and then."""
        most = min(most, _WORK // (len(self._board.cells) * max(1, len(self._goals))))
        waiting = [*zip(self.searches, self._runs, strict=True)]
        while waiting and not self.has_found:
            search, run = waiting.pop(0)
            if search.states < most and next(run, None) is not None:
                waiting.append((search, run))
                yield

    def plan(self, one_by_one: bool = False) -> PackingPlan:
        """Return the plan by which all boxes have left, without pulls that it can do without.

        Boxes that leave one after another are one step where each could leave first, unless they go one by one.
        """
        path = next(search.path() for search in self.searches if search.goal is not None)
        start = _Moment(self._goals, path[-1].end if path else NONE)
        pulls = self._shorten(start, [_Pull(move.target, move.origin, move.region) for move in path[::-1]])
        unpacking = Unpacking(self._goals, NONE, StartMatching([]))
        for group in [[pull] for pull in pulls] if one_by_one else self._groups(start, pulls):
            if group[0].target < len(self._board.cells):
                unpacking.park(group[0].box, group[0].target)
            else:
                unpacking.leave([pull.box for pull in group], NONE)
        return plan_of([unpacking.stages()], self._board.neighbours[0], self._goals)

    def _places(self, moment: _Moment, box: int) -> list[list[int]]:
        """Return where a box can go, with the player's region there."""
        region = region_of(self._field.neighbours, moment.boxes, moment.player)
        return places_of(self._field, self._work, moment.boxes, box, region)

    def _after(self, moment: _Moment, pull: _Pull) -> _Moment | None:
        """Return what a pull leads to, if it can be made."""
        boxes = [pull.target if box == pull.box else box for box in moment.boxes]
        end = region_of(self._field.neighbours, boxes, pull.player)
        possible = end != NONE and [pull.target, end] in self._places(moment, pull.box)
        return _Moment(boxes, pull.player) if possible else None

    def _can_follow(self, moment: _Moment | None, pulls: list[_Pull]) -> bool:
        """Return whether pulls can be made one after the other."""
        for pull in pulls:
            moment = moment and self._after(moment, pull)
        return moment is not None

    def _shorten(self, start: _Moment, pulls: list[_Pull]) -> list[_Pull]:
        """Leave out each pull, from the last one on, without which the others can still be made."""
        for place in reversed(range(len(pulls))):
            box, target, _ = pulls[place]
            rest = pulls[place + 1 :]
            following = next((i for i, pull in enumerate(rest) if pull.box == target), None)
            if following is not None:
                rest[following] = rest[following]._replace(box=box)
                if self._can_follow(start, [*pulls[:place], *rest]):
                    pulls = [*pulls[:place], *rest]
        return pulls

    def _groups(self, start: _Moment, pulls: list[_Pull]) -> Iterator[list[_Pull]]:
        """Group boxes that leave one after another, if each could leave while the others stay."""
        squares, moment, first = len(self._board.cells), start, start
        group = list[_Pull]()
        for pull in pulls:
            leaves = pull.target >= squares
            joins = leaves and group and group[0].target >= squares
            if not (joins and any(target >= squares for target, _ in self._places(first, pull.box))):
                if group:
                    yield group
                first, group = moment, []
            group.append(pull)
            after = self._after(moment, pull)
            assert after is not None
            moment = after
        if group:
            yield group
