"""Proofs of the kind "distance": what is left to pay in each position that costs less to reach than the goal."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from typing import Any

from gridproof.core.game import Measure
from gridproof.core.limit import Meter, Stopped
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Position
from gridproof.prove.checkers.distance import Costs, measures_of
from gridproof.prove.checkers.goal_statements import DistanceStatement
from gridproof.prove.writers.proof import Proof

_CHECK_EVERY = 256


def find_proof(said: DistanceStatement, meter: Meter) -> Proof:
    """Return the proof of a cheapest solution; Stopped at a limit."""
    reached = _costs(said, meter)
    lines = (
        [position.text(), *(most - cost for most, cost in zip(said.cost, costs, strict=True))]
        for position, costs in reached.items()
    )
    return Proof("distance", said.facts, len(reached), lines)


def _costs(said: DistanceStatement, meter: Meter) -> dict[Position[Any], Costs]:
    """Return the least cost of each position that is cheaper to reach than the goal, by Dijkstra's search."""
    measures, numbers = measures_of(said), itertools.count()
    queue = [((0,) * len(measures), next(numbers), start) for start in said.starts if any(said.cost)]
    best = {start: costs for costs, _, start in queue}
    reached: dict[Position[Any], Costs] = {}
    while queue:
        costs, _, position = heapq.heappop(queue)
        if position in reached:
            continue
        if len(reached) % _CHECK_EVERY == 0 and meter.is_reached(len(reached)):
            raise Stopped
        reached[position] = costs
        for price, after in _steps(said, measures, position):
            total = tuple(one + two for one, two in zip(costs, price, strict=True))
            if total < min(best.get(after, said.cost), said.cost):
                best[after] = total
                heapq.heappush(queue, (total, next(numbers), after))
    return reached


def _steps(
    said: DistanceStatement, measures: tuple[Measure, ...], position: Position[Any]
) -> Iterator[tuple[Costs, Position[Any]]]:
    for actor in said.who:
        if measures == (ACTIONS,):
            yield from (((1,), position.at(one)) for one in position.successors(actor))
            continue
        for action in position.actions(actor):
            for outcome in position.outcomes(action):
                yield tuple(one.cost(position, action, outcome) for one in measures), outcome.position
