"""The hint follower: finds home by what a robot may know (R30).

It keeps a map of its own, in coordinates that begin where it stands and faces: where it has been, what
has failed, and where which hints were given. Auto movement makes the map worthless, since the robot
does not know where it has been carried to. It looks for home where it has not been yet, near by and
where the hints allow it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gridproof.core.rng import Rng
from gridproof.games.robots.board import Cell
from gridproof.games.robots.hints import Hint
from gridproof.games.robots.race.knowledge import Knowledge
from gridproof.games.robots.requests import Request, Response, Rotate, Walk, rotate_path

_WAYS = {
    Hint.NORTH: (0, -1), Hint.NORTH_EAST: (1, -1), Hint.EAST: (1, 0), Hint.SOUTH_EAST: (1, 1),
    Hint.SOUTH: (0, 1), Hint.SOUTH_WEST: (-1, 1), Hint.WEST: (-1, 0), Hint.NORTH_WEST: (-1, -1),
}  # fmt: skip
"""Hints as signs in local coordinates: EAST is straight ahead (R19)."""

MISFIT = 2.0
"""How many requests of detour a cell is worth for each step by which it contradicts the hints less."""
ASIDE = 0.5
"""The weight of cells straight ahead of a hint in one direction: there it is the only one of three possible hints."""
UNSEEN = 0.5
"""What it costs to run over a cell that may be barred."""
PATIENCE = 3
"""Requests after which one that has failed is tried again; twice as many each time."""
WANDERING = 4
"""Percent of requests that are chance, for each time that the robot has been carried off: belts may lead it
in circles."""
MOST_WANDERING = 60


class Pose(NamedTuple):
    """Where a robot stands and faces on its own map."""

    cell: Cell = (0, 0)
    rotation: int = 0

    def path(self, walk: Walk) -> list[Cell]:
        """The cells of a walk straight ahead, or of one step."""
        far = max(abs(walk.dx), abs(walk.dy))
        ((x, y),) = rotate_path(((walk.dx // far, walk.dy // far),), self.rotation)
        return [(self.cell[0] + x * steps, self.cell[1] + y * steps) for steps in range(1, far + 1)]

    def after(self, request: Request) -> Pose:
        """The pose once a request has succeeded without auto movement."""
        if isinstance(request, Rotate):
            return self._replace(rotation=(self.rotation + request.by) % 360)
        return self._replace(cell=self.path(request)[-1])


class Sign(NamedTuple):
    """A hint on the map: where it was given, and on which sides of there home lies; 0 where it says nothing."""

    cell: Cell
    way: Cell

    def misfit(self, cell: Cell) -> float:
        """How far a cell is from where the hint allows home to be."""
        total = 0.0
        for place, origin, way in zip(cell, self.cell, self.way, strict=True):
            if way:
                total += MISFIT * max(0, 1 - way * (place - origin))
            elif place != origin:
                total += ASIDE
        return total


class Failure(NamedTuple):
    """That a walk has failed: until when it is not tried again."""

    until: int
    times: int


@dataclass(slots=True)
class Map:
    """What a robot has found out since it last was moved by others."""

    pose: Pose = field(default_factory=Pose)
    visited: set[Cell] = field(default_factory=lambda: {(0, 0)})
    """Where it has been put down, so that home is not there."""
    crossed: set[Cell] = field(default_factory=set)
    """What it has run over."""
    signs: list[Sign] = field(default_factory=list)
    failures: dict[tuple[Cell, Cell], Failure] = field(default_factory=dict)
    """By the first and last cell of the walk."""

    def go(self, request: Request) -> None:
        """A request has succeeded."""
        if isinstance(request, Walk):
            *between, end = self.pose.path(request)
            self.crossed.update(between)
            self.visited.add(end)
        self.pose = self.pose.after(request)

    def fail(self, request: Request, now: int) -> None:
        """A request has failed: a robot may have stood there, or it may never be possible."""
        if isinstance(request, Walk):
            walk = (self.pose.cell, self.pose.path(request)[-1])
            times = self.failures[walk].times + 1 if walk in self.failures else 0
            self.failures[walk] = Failure(now + (PATIENCE << min(times, 10)), times + 1)

    def mark(self, hint: Hint) -> None:
        """A hint has been given here."""
        (way,) = rotate_path((_WAYS[hint],), self.pose.rotation)
        self.signs.append(Sign(self.pose.cell, way))

    def misfit(self, cell: Cell) -> float:
        """How badly a cell agrees with the hints."""
        return sum(sign.misfit(cell) for sign in self.signs)

    def cost(self, pose: Pose, request: Request, now: int) -> float | None:
        """What a request costs, by what is known; None for a walk that failed lately."""
        if isinstance(request, Rotate):
            return 1.0
        *between, end = pose.path(request)
        failure = self.failures.get((pose.cell, end))
        if failure is not None and failure.until > now:
            return None
        unseen = sum(cell not in self.visited and cell not in self.crossed for cell in between)
        return 1.0 + UNSEEN * unseen


class HintFollower:
    """Looks for home near by, and where the hints allow it (R30).

    Parameters
    ----------
    seed : int
        Decides between equals.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)
        self._map = Map()
        self._now = 0
        self._lost = 0

    def ask(self, knowledge: Knowledge) -> Request:
        """The first request on the way to the cell that promises most."""
        self._learn(knowledge)
        self._now += 1
        useful = [item for item in knowledge.requests if not (isinstance(item, Rotate) and item.by == 0)]
        lost = self._rng.below(100) < min(WANDERING * self._lost, MOST_WANDERING)
        found = None if lost else self._look(useful)
        return found or self._rng.choice(useful)  # when everything is known or barred, try anything

    def _learn(self, knowledge: Knowledge) -> None:
        asked = knowledge.asked
        if any(isinstance(news, Response) for news in knowledge.news):
            self._map = Map()
            self._lost += 1
        elif asked is not None and knowledge.answer is Response.FAILED:
            self._map.fail(asked, self._now)
        elif asked is not None:
            self._map.go(asked)
        for news in knowledge.news:
            if isinstance(news, Hint):
                self._map.mark(news)
            else:
                self._map.signs.clear()  # those before it were given elsewhere

    def _look(self, requests: list[Request]) -> Request | None:
        """Dijkstra's search on the map, to cells where home may be; None when there is none."""
        best: tuple[float, Request | None] = (float("inf"), None)
        for cost, pose, first in self._reached(requests):
            if cost >= best[0]:
                break
            if pose.cell not in self._map.visited:
                promise = cost + self._map.misfit(pose.cell) + self._rng.below(64) / 128
                best = min(best, (promise, first), key=lambda item: item[0])
        return best[1]

    def _reached(self, requests: list[Request]) -> Iterator[tuple[float, Pose, Request]]:
        """The poses that can be reached, the nearest first, each with the first request on the way."""
        tickets = itertools.count()
        heap: list[tuple[float, int, Pose, Request | None]] = [(0.0, next(tickets), self._map.pose, None)]
        done: set[Pose] = set()
        while heap:
            cost, _, pose, first = heapq.heappop(heap)
            if pose in done:
                continue
            done.add(pose)
            if first is not None:
                yield cost, pose, first
            if pose.cell not in self._map.visited:
                continue
            for request in requests:
                more = self._map.cost(pose, request, self._now)
                if more is not None:
                    heapq.heappush(heap, (cost + more, next(tickets), pose.after(request), first or request))
