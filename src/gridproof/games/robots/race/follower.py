"""Hint follower: a strategy that finds home by a robot's knowledge (R30).

It keeps a map of its own, in coordinates that begin with its pose: visited cells, failed walks, and hints.
Auto movement makes the map worthless, since the robot does not know where the belt took it. It looks for
home on new cells, near by and where the hints allow it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gridproof.core.rng import Rng
from gridproof.games.robots.board import Cell
from gridproof.games.robots.hints import HINT_MAPPING, Hint
from gridproof.games.robots.race.knowledge import Knowledge
from gridproof.games.robots.requests import Request, Response, Rotate, Walk, rotate_path

_WAYS = {hints[0]: signs for signs, hints in HINT_MAPPING.items()}
"""Hints as signs in local coordinates: EAST is straight ahead (R19)."""

MISFIT = 2.0
"""Cost of each step by which a cell contradicts the hints, in requests."""
ASIDE = 0.5
"""Cost of cells beside a hint in one direction: straight ahead, that is the only one of three possible hints."""
UNSEEN = 0.5
"""Cost of running over a cell that may be barred."""
PATIENCE = 3
"""Requests before a failed one is tried again; twice as many each time."""
WANDERING = 4
"""Percent of random requests for each time that a belt carried the robot off, as belts may lead it in circles."""
MAX_WANDERING = 60


class Pose(NamedTuple):
    """Cell and rotation of a robot on its own map."""

    cell: Cell = (0, 0)
    rotation: int = 0

    def path(self, walk: Walk) -> list[Cell]:
        """Return the cells of a walk straight ahead, or of one step."""
        far = max(abs(walk.dx), abs(walk.dy))
        ((x, y),) = rotate_path(((walk.dx // far, walk.dy // far),), self.rotation)
        return [(self.cell[0] + x * steps, self.cell[1] + y * steps) for steps in range(1, far + 1)]

    def after(self, request: Request) -> Pose:
        """Return the pose after a successful request without auto movement."""
        if isinstance(request, Rotate):
            return self._replace(rotation=(self.rotation + request.by) % 360)
        return self._replace(cell=self.path(request)[-1])


class Sign(NamedTuple):
    """Hint on the map: its cell, and the signs of home minus that; 0 if the hint says nothing."""

    cell: Cell
    direction: Cell

    def misfit(self, cell: Cell) -> float:
        """Return how badly a cell agrees with the hint as home."""
        total = 0.0
        for place, origin, direction in zip(cell, self.cell, self.direction, strict=True):
            if direction:
                total += MISFIT * max(0, 1 - direction * (place - origin))
            elif place != origin:
                total += ASIDE
        return total


class Failure(NamedTuple):
    """Failures of a walk, and the time before which it is not tried again."""

    until: int
    times: int


@dataclass(slots=True)
class Map:
    """Discoveries of a robot since its last auto movement."""

    pose: Pose = field(default_factory=Pose)
    visited: set[Cell] = field(default_factory=lambda: {(0, 0)})
    """Ends of its walks, so that home is not there."""
    crossed: set[Cell] = field(default_factory=set)
    """Cells that it has run over."""
    signs: list[Sign] = field(default_factory=list)
    failures: dict[tuple[Cell, Cell], Failure] = field(default_factory=dict)
    """Failed walks, by their first and last cells."""

    def record_success(self, request: Request) -> None:
        """Record the success of a request."""
        if isinstance(request, Walk):
            *between, end = self.pose.path(request)
            self.crossed.update(between)
            self.visited.add(end)
        self.pose = self.pose.after(request)

    def record_failure(self, request: Request, now: int) -> None:
        """Record the failure of a request: another robot may have barred it, or it may never be possible."""
        if isinstance(request, Walk):
            walk = (self.pose.cell, self.pose.path(request)[-1])
            times = self.failures[walk].times + 1 if walk in self.failures else 0
            self.failures[walk] = Failure(now + (PATIENCE << min(times, 10)), times + 1)

    def record_hint(self, hint: Hint) -> None:
        """Record a hint on this cell."""
        (direction,) = rotate_path((_WAYS[hint],), self.pose.rotation)
        self.signs.append(Sign(self.pose.cell, direction))

    def misfit(self, cell: Cell) -> float:
        """Return how badly a cell agrees with the hints as home."""
        return sum(sign.misfit(cell) for sign in self.signs)

    def cost(self, pose: Pose, request: Request, now: int) -> float | None:
        """Return the cost of a request on this map; None for a walk that failed lately."""
        if isinstance(request, Rotate):
            return 1.0
        *between, end = pose.path(request)
        failure = self.failures.get((pose.cell, end))
        if failure is not None and failure.until > now:
            return None
        unseen = sum(cell not in self.visited and cell not in self.crossed for cell in between)
        return 1.0 + UNSEEN * unseen


class HintFollower:
    """Strategy that looks for home near by, and where the hints allow it (R30).

    Parameters
    ----------
    seed : int
        Seed of decisions between equals.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)
        self._map = Map()
        self._now = 0
        self._carries = 0

    def ask(self, knowledge: Knowledge) -> Request:
        """Return the first request on the way to the most promising cell."""
        self._learn(knowledge)
        self._now += 1
        useful = [item for item in knowledge.requests if not (isinstance(item, Rotate) and item.by == 0)]
        wanders = self._rng.below(100) < min(WANDERING * self._carries, MAX_WANDERING)
        found = None if wanders else self._find_request(useful)
        return found or self._rng.choice(useful)  # if everything is known or barred, try anything

    def _learn(self, knowledge: Knowledge) -> None:
        request = knowledge.last_request
        if any(isinstance(news, Response) for news in knowledge.news):
            self._map = Map()
            self._carries += 1
        elif request is not None and knowledge.answer is Response.FAILED:
            self._map.record_failure(request, self._now)
        elif request is not None:
            self._map.record_success(request)
        for news in knowledge.news:
            if isinstance(news, Hint):
                self._map.record_hint(news)
            else:
                self._map.signs.clear()  # hints before it were given elsewhere

    def _find_request(self, requests: list[Request]) -> Request | None:
        """Search the map by Dijkstra's algorithm for cells where home may be; return None without any."""
        best: tuple[float, Request | None] = (float("inf"), None)
        for cost, pose, first in self._reachable_poses(requests):
            if cost >= best[0]:
                break
            if pose.cell not in self._map.visited:
                promise = cost + self._map.misfit(pose.cell) + self._rng.below(64) / 128
                best = min(best, (promise, first), key=lambda item: item[0])
        return best[1]

    def _reachable_poses(self, requests: list[Request]) -> Iterator[tuple[float, Pose, Request]]:
        """Yield the poses that can be reached, the nearest first, each with the first request on the way."""
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
