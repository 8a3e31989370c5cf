"""The phases of a packing: which depots are filled together, and where boxes wait until then.

Boxes are pulled off the depots until all have gone: in each phase all boxes that reach starts which no other box has
taken, or one box that is parked. Both only where the player can come back, and boxes go only when the player has
been to all starts. The game takes the phases the other way round. This is the packing order of YASS (B. Damgaard).
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.feature_search.fields import backward_field
from gridproof.games.sokoban.feature_search.macro_moves import (
    NONE,
    UNPACKING,
    Options,
    allocate_work,
    places_of,
    region_of,
)
from gridproof.games.sokoban.feature_search.packing_plan import final_regions
from gridproof.games.sokoban.solver.board import FAR, Array, Board
from gridproof.games.sokoban.solver.pruning import mark_frozen

_NEAR = 3
"""Steps on an empty floor within which a start would take a box too easily."""
_WIDE = 25
"""Percent of the live squares: a box that reaches fewer comes from a narrow part, where it is parked first."""
_LAST = 15
"""Percent of the boxes: the last ones may go anywhere."""
_MOST_PHASES = 500


class PackingPhases(NamedTuple):
    """Targets, those of a phase one after another. The game begins with the last phase and ends with phase 1."""

    squares: Any
    """int16 (targets,): depots, and squares where boxes are parked"""
    numbers: Any
    """int32 (targets,): the phase in which each is filled"""
    until: Any
    """int32 (targets,): the phase in which a parked box goes on; 0 for depots"""
    begins: Any
    """int32 (phases + 2,): the first target of each phase"""
    distances: Any
    """int16 (targets, squares): pushes of a single box, with the boxes that are frozen by then as walls; or FAR"""


@dataclass
class _Target:
    """A depot, or the square of a parked box."""

    square: int
    starts: frozenset[int]
    """The starts that a box reaches from here while no others are there."""
    until: int = 0
    phase: int = 0

    @property
    def is_parking(self) -> bool:
        return self.until > 0


class _Remainder(NamedTuple):
    """Boxes that are left, and what has been used."""

    boxes: tuple[int, ...]
    """The targets that have boxes."""
    player: int
    seen: frozenset[int]
    """The starts to which the player has been."""
    used: frozenset[int]
    """The starts that boxes have taken."""


class _Space(NamedTuple):
    """A square where a box can be parked."""

    square: int
    player: int
    """The player's region then."""
    distance: int
    """Pushes from here to the box's depot."""


class PhasePlanner:
    """A search for the phases, depth first, in which each box is parked once at the most.

    Parameters
    ----------
    board : Board
        A possible one without bombs.
    """

    def __init__(self, board: Board) -> None:
        self._board, self._neighbours = board, board.neighbours[0]
        self._goals, self._starts = board.goals.tolist(), frozenset(board.boxes)
        self._field = backward_field(board, Options(UNPACKING))
        self._field.target[:] = 0  # no box ends the search for moves
        self._work = allocate_work(len(board.cells), len(board.boxes))
        self._wide = np.count_nonzero(board.dead[0] == 0) * _WIDE // 100
        self._last = (len(self._goals) * _LAST + 50) // 100
        self._nearest = board.distances[0].min(axis=1).T.tolist()
        self._gates = frozenset(filter(self._is_gate, range(len(board.cells))))
        self.work = 0
        """Squares, times boxes that were tried, so far."""
        self._targets = list[_Target]()
        self.has_found = False
        self._search = self._run()

    def run(self, most: float = math.inf) -> Iterator[None]:
        """Search until the phases are found, there are none, or there was so much work; yield now and then."""
        for _ in self._search:
            yield
            if self.work > most:
                return

    def _run(self) -> Iterator[None]:
        seen = self._starts.intersection(self._goals)
        for region in final_regions(self._neighbours, self._goals):
            self._targets = [
                _Target(goal, frozenset(s for s in self._starts if row[s] < FAR))
                for goal, row in zip(self._goals, self._nearest, strict=True)
            ]
            boxes = tuple(range(len(self._goals)))
            self.has_found = yield from self._unpack(1, _Remainder(boxes, region, seen, frozenset()))
            if self.has_found:
                return

    def phases(self) -> PackingPhases:
        """Return the phases that were found."""
        targets = sorted(self._targets, key=lambda target: target.phase)
        numbers = np.array([target.phase for target in targets], np.int32)
        last = int(numbers.max(initial=0))
        return PackingPhases(
            np.array([target.square for target in targets], np.int16),
            numbers,
            np.array([target.until for target in targets], np.int32),
            np.searchsorted(numbers, np.arange(last + 2)).astype(np.int32),
            np.array([self._distances(target, targets) for target in targets], np.int16).reshape(
                len(targets), len(self._neighbours)
            ),
        )

    def _distances(self, target: _Target, targets: list[_Target]) -> Array:
        """Return the pushes from each square to a target, as if the player could be everywhere."""
        filled = [one.square for one in targets if not one.is_parking and one.phase > target.phase]
        walls = np.zeros(len(self._neighbours), np.uint8)
        mark_frozen(self._neighbours, self._board.dead[0], np.array(filled, np.int16), walls)
        distances = np.full(len(self._neighbours), FAR, np.int16)
        distances[target.square], found = 0, [target.square]
        for square in found:
            for direction in range(4):
                origin = self._neighbours[square, direction]
                stand = NONE if origin < 0 else self._neighbours[origin, direction]
                if stand >= 0 and distances[origin] == FAR and not walls[origin] and not walls[stand]:
                    distances[origin] = distances[square] + 1
                    found.append(int(origin))
        return distances

    def _is_gate(self, square: int) -> bool:
        """Return whether a box on a square one wide would cut the floor in two."""
        beside = self._neighbours[square].tolist()
        for one, other in ((beside[:2], beside[2:]), (beside[2:], beside[:2])):
            if min(one) >= 0 and max(other) < 0:
                sides = {region_of(self._neighbours, [square], near) for near in one}
                return len(sides) == 2
        return False

    def _occupied(self, moment: _Remainder) -> list[int]:
        return [self._targets[number].square for number in moment.boxes]

    def _places(self, moment: _Remainder, number: int) -> list[list[int]]:
        """Return where a box can be pulled, with the player's region there."""
        self.work += len(self._neighbours)
        boxes = self._occupied(moment)
        region = region_of(self._neighbours, boxes, moment.player)
        return places_of(self._field, self._work, boxes, self._targets[number].square, region)

    def _unpack(self, phase: int, moment: _Remainder) -> Generator[None, None, bool]:
        """Take all boxes away, from some phase on; return whether that was found."""
        if not moment.boxes:
            return True
        if phase > _MOST_PHASES:
            return False
        yield
        boxes, unseen = self._occupied(moment), self._starts - moment.seen
        region = region_of(self._neighbours, boxes, moment.player)
        reached = {start for start in unseen if region == region_of(self._neighbours, boxes, start)}
        moment = moment._replace(seen=moment.seen | reached)
        leaving, narrow = dict[int, int](), list[int]()
        if moment.seen == self._starts:
            leaving, narrow = self._leaving(moment)
        if narrow or not leaving:
            found = yield from self._park(phase, moment, narrow or [*moment.boxes])
            if found:
                return True
        if leaving:
            rest = tuple(number for number in moment.boxes if number not in leaving)
            used = moment.used.union(leaving.values())
            if (yield from self._unpack(phase + 1, moment._replace(boxes=rest, used=used))):
                for number in leaving:
                    self._targets[number].phase = phase
                return True
        return False

    def _leaving(self, moment: _Remainder) -> tuple[dict[int, int], list[int]]:
        """Return the boxes that can go, each with its start, all from depots or all parked; and those from narrow parts."""
        leaving, narrow, used = dict[int, int](), list[int](), moment.used
        all_at_starts = self._starts.issuperset(self._occupied(moment))
        for number in moment.boxes:
            target, places = self._targets[number], self._places(moment, number)
            if len(places) == 0 and not all_at_starts:
                continue
            rest = [other for other in moment.boxes if other not in leaving]
            start = self._find_start(moment._replace(used=used), number, places, rest)
            if start == NONE:
                continue
            reached = {target.square, *(square for square, _ in places)}
            if len(reached) < self._wide and len(moment.boxes) > self._last and not target.is_parking:
                narrow.append(number)
                continue
            if any(self._targets[other].is_parking != target.is_parking for other in leaving):
                if target.is_parking:
                    continue
                leaving, used = {}, moment.used
            leaving[number], used = start, used | {start}
        some_parked = any(self._targets[number].is_parking for number in leaving)
        some_stay = any(not self._targets[number].is_parking for number in moment.boxes)
        return ({} if some_parked and some_stay and not narrow else leaving), narrow

    def _find_start(self, moment: _Remainder, number: int, places: list[list[int]], rest: list[int]) -> int:
        """Return the start for a box which leaves the others the most; NONE if there is none."""
        target, best, most = self._targets[number], NONE, -1
        boxes = [self._targets[other].square for other in moment.boxes if other != number]
        is_last = len(moment.boxes) <= self._last
        for start in sorted(self._starts - moment.used):
            stays = start == target.square
            if not (
                is_last or (stays and not target.is_parking) or self._steps(start, target.square) >= _NEAR
            ):
                continue
            regions = [region for square, region in places if square == start]
            if not stays and not self._can_leave([*boxes, start], moment.player, regions):
                continue
            left = [self._targets[other].starts for other in rest if start in self._targets[other].starts]
            fewest = min((len(starts - moment.used) for starts in left), default=len(self._starts) + 1)
            if fewest > most:
                best, most = start, fewest
        return best

    def _can_leave(self, boxes: list[int], player: int, regions: list[int]) -> bool:
        """Return whether the player can come back from one of some regions, or need not after the last box."""
        return bool(regions) and (len(boxes) == 1 or region_of(self._neighbours, boxes, player) in regions)

    def _steps(self, one: int, other: int) -> int:
        (x, y), (u, v) = self._board.cells[one], self._board.cells[other]
        return abs(x - u) + abs(y - v)

    def _park(self, phase: int, moment: _Remainder, boxes: list[int]) -> Generator[None, None, bool]:
        """Park one of some boxes, each in its turn, the farthest first; return whether all boxes go then."""
        waiting = {
            number: self._spaces(moment, number) for number in boxes if not self._targets[number].is_parking
        }
        order = sorted(waiting, key=lambda number: self._parking_key(number, waiting[number]))
        for number in order:
            rest = tuple(other for other in moment.boxes if other != number)
            for space in waiting[number]:
                self._targets.append(_Target(space.square, frozenset(), until=phase))
                after = moment._replace(boxes=(*rest, len(self._targets) - 1), player=space.player)
                if (yield from self._unpack(phase + 1, after)):
                    self._targets[number].phase = phase
                    return True
                self._targets.pop()
        return False

    def _parking_key(self, number: int, spaces: list[_Space]) -> tuple[int, bool]:
        """Return what makes a box one to be parked sooner: far from its depot, which is no corner."""
        beside = self._neighbours[self._targets[number].square]
        is_corner = bool(beside[:2].min() < 0 and beside[2:].min() < 0)
        return (-spaces[0].distance if spaces else 1), is_corner

    def _spaces(self, moment: _Remainder, number: int) -> list[_Space]:
        """Return up to two squares where a box can be parked, and the player go to its depot: by pushes and by steps the farthest."""
        square, nearest = self._targets[number].square, self._nearest[number]
        boxes = [self._targets[other].square for other in moment.boxes if other != number]
        found = [
            _Space(place, region, nearest[place])
            for place, region in self._places(moment, number)
            if place != square and place not in self._gates and nearest[place] < FAR
        ]
        found.sort(key=lambda space: (-space.distance, space.square))
        first = next((space for space in found if self._is_space(boxes, space, square)), None)
        if first is None:
            return []
        found.sort(
            key=lambda space: (-self._steps(space.square, square), -self._steps(space.square, first.square))
        )
        others = (space for space in found if space.square != first.square)
        second = next((space for space in others if self._is_space(boxes, space, square)), None)
        return [first, second] if second else [first]

    def _is_space(self, boxes: list[int], space: _Space, square: int) -> bool:
        return space.player == region_of(self._neighbours, [*boxes, space.square], square)
