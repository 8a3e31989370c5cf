"""The plan of the packing: which depots are filled in which order.

The boxes are taken off their depots in rounds: in each, all boxes that can be pulled to a square on which a
box starts, while all others stay. What leaves last is filled first. Depots that hang together
are a cluster, and each cluster has its own order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.feature_search.macro_moves import (
    HERE,
    NONE,
    SQUARE,
    Field,
    Work,
    allocate_work,
    find_moves,
    label_position,
    label_regions,
)
from gridproof.games.sokoban.feature_search.start_squares import StartMatching
from gridproof.games.sokoban.solver.board import Array
from gridproof.kernels.compile import borrowing

_WORK = 1 << 24
"""Squares that may be visited by all attempts to take a box off, roughly."""
_PEEL = 1 << 22
"""Boxes that are tried between two looks at the clock, times the square of the board's squares."""
_LOCKED = 1 << 17
"""Squares, times stages, for which it is found out where boxes are locked out."""
_REGIONS = 16
"""The most regions in which the player may end that are tried."""


class PackingPlan(NamedTuple):
    """Stages of the packing, those of a chain one behind the other.

    In stage k the boxes on `held[held_ends[k]:held_ends[k + 1]]` stand where they are wanted, and those on
    `next[next_ends[k]:next_ends[k + 1]]` are to be filled next.
    """

    held: Any
    """int16 (n,)"""
    held_ends: Any
    """int32 (stages + 1,)"""
    following: Any
    """int16 (n,)"""
    following_ends: Any
    """int32 (stages + 1,)"""
    values: Any
    """int32 (stages,): the number of steps before each stage"""
    chain_ends: Any
    """int32 (chains + 1,): the first stage of each chain"""
    out: Any
    """uint8 (stages, squares): where a box reaches no depot any more once the next stage is complete"""


@borrowing
def find_stage(plan: PackingPlan, occupied: Any, chain: Any) -> Any:
    """Return the stage that a chain is in: the last one whose boxes stand where they are wanted."""
    stage = plan.chain_ends[chain + 1] - 1
    while stage > plan.chain_ends[chain]:
        place, end = plan.held_ends[stage], plan.held_ends[stage + 1]
        while place < end and occupied[plan.held[place]]:
            place += 1
        if place == end:
            break
        stage -= 1
    return stage


@borrowing
def count_packed(plan: PackingPlan, work: Work) -> Any:
    """Return the number of steps of the plan that are done, and that of boxes which the next stages would lock out."""
    following, ends = plan.following, plan.following_ends
    packed, locked = 0, 0
    for chain in range(plan.chain_ends.shape[0] - 1):
        stage = find_stage(plan, work.occupied, chain)
        packed += plan.values[stage]
        for i in range(ends[stage], ends[stage + 1]):
            packed += work.occupied[following[i]]
        for box in work.boxes:
            locked += plan.out[stage, box]
    return packed, locked


@borrowing
def peel(field: Field, work: Work, reach: Any, player: Any, begin: Any, end: Any) -> None:
    """Find the targets that some boxes reach, each while the others stay.

    `field` is backwards. `reach` is uint8 (boxes, squares), 0 at first.
    """
    boxes = work.boxes
    label_position(field, work)
    region = np.int64(work.places[HERE, player])
    for i in range(begin, end):
        count = find_moves(field, work, np.int64(boxes[i]), region)
        for place in range(count):
            square = work.reached[place, SQUARE]
            reach[i, square] = field.target[square]


def clusters_of(neighbours: Array, goals: list[int]) -> list[list[int]]:
    """Return the goals in groups that hang together, by sides or corners."""
    rest, clusters = set(goals), []
    while rest:
        cluster = [rest.pop()]
        for square in cluster:
            beside = {int(other) for other in neighbours[square] if other >= 0}
            corners = {int(other) for near in beside for other in neighbours[near] if other >= 0}
            found = rest & (beside | corners)
            rest -= found
            cluster += sorted(found)
        clusters.append(sorted(cluster))
    return clusters


Stage = tuple[list[int], list[int]]
"""The boxes that stand where they are wanted, and those to be filled next."""


def stages_of(layers: list[list[int]]) -> list[Stage]:
    """Return the stages that fill layers one after the other."""
    done, stages = list[int](), list[Stage]()
    for layer in [*layers, []]:
        stages.append((done[::-1], layer))
        done = [*done, *layer]
    return stages


def locked_squares(neighbours: Array, goals: list[int], stages: list[Stage]) -> Array:
    """Return, for each stage but the last of a chain, from where a box reaches no other goal once the next one is complete.

    As if the player could be everywhere. None where that would take long.
    """
    out = np.zeros((len(stages), len(neighbours)), np.uint8)
    around = neighbours.tolist()
    for number, (_, following) in enumerate(stages):
        if not following or len(stages) * len(neighbours) > _LOCKED:
            continue
        walls = set(stages[number + 1][0])
        found = [goal for goal in goals if goal not in walls]
        if not found:
            continue
        reached = {*found, *walls}
        for square in found:
            for direction in range(4):
                origin = around[square][direction]
                stand = around[origin][direction] if origin >= 0 else NONE
                if origin not in reached and origin >= 0 and stand >= 0 and stand not in walls:
                    reached.add(origin)
                    found.append(origin)
        out[number] = 1
        out[number, sorted(reached)] = 0
    return out


def plan_of(chains: list[list[Stage]], neighbours: Array, goals: list[int]) -> PackingPlan:
    """Return the plan with the stages of each chain one after the other."""
    stages = [stage for chain in chains for stage in chain]
    held, following = [held for held, _ in stages], [following for _, following in stages]
    values = [sum(len(stage[1]) for stage in chain[:i]) for chain in chains for i in range(len(chain))]
    return PackingPlan(
        np.array([square for part in held for square in part], np.int16),
        np.cumsum([0, *map(len, held)], dtype=np.int32),
        np.array([square for part in following for square in part], np.int16),
        np.cumsum([0, *map(len, following)], dtype=np.int32),
        np.array(values, np.int32),
        np.cumsum([0, *map(len, chains)], dtype=np.int32),
        locked_squares(neighbours, goals, stages),
    )


@dataclass
class Unpacking:
    """Boxes that are taken off the targets, with what has been done so far."""

    boxes: list[int]
    player: int
    """A square."""
    starts: StartMatching
    steps: list[tuple[list[int], int]] = field(default_factory=list)
    """Boxes that leave, with NONE; or a box that is parked, with its new square."""

    def run(self, table: Field, rounds: int) -> Iterator[None]:
        """Let boxes leave in at most so many rounds; yield now and then."""
        few = max(1, _PEEL // len(table.neighbours) ** 2)
        for _ in range(rounds):
            work = allocate_work(len(table.neighbours), len(self.boxes))
            work.boxes[:] = self.boxes
            work.occupied[self.boxes] = 1
            reach = np.zeros((len(self.boxes), len(table.neighbours)), np.uint8)
            for begin in range(0, len(self.boxes), few):
                yield
                peel(table, work, reach, self.player, begin, min(begin + few, len(self.boxes)))
            found = [set(np.flatnonzero(row).tolist()) for row in reach]
            gone = [box for box, starts in zip(self.boxes, found, strict=True) if self.starts.add(starts)]
            if not gone:
                return
            self.leave(gone, self.player)

    def leave(self, gone: list[int], player: int) -> None:
        """Take boxes away."""
        self.steps.append((gone, NONE))
        self.boxes = [box for box in self.boxes if box not in gone]
        self.player = player

    def park(self, box: int, target: int) -> None:
        """Bring a box to another square, where it waits."""
        self.steps.append(([box], target))
        self.boxes = [target if other == box else other for other in self.boxes]

    def stages(self) -> list[Stage]:
        """Return the stages of the packing, which is what was done backwards; boxes that did not leave once parked may be anywhere."""
        parked = {target for _, target in self.steps}
        held = [box for box in self.boxes if box not in parked]
        stages: list[Stage] = [([], held)]
        for squares, target in reversed(self.steps):
            stages.append((held[::-1], squares))
            held = [square for square in held if square != target] + squares
        return [*stages, (held[::-1], [])]

    @property
    def parks(self) -> bool:
        """True if a box was parked."""
        return any(target != NONE for _, target in self.steps)


def final_regions(neighbours: Array, goals: list[int]) -> list[int]:
    """Return the regions in which the player may end; the largest come first."""
    occupied = np.zeros(len(neighbours), np.uint8)
    occupied[goals] = 1
    labels, queue = np.zeros((2, len(neighbours)), np.int16)
    label_regions(neighbours, occupied, labels, queue)
    regions, sizes = np.unique(labels[labels >= 0], return_counts=True)
    return regions[np.argsort(-sizes, kind="stable")].tolist()  # type: ignore[no-any-return]  # numpy's types say no more


def plan_from(unpacking: Unpacking, neighbours: Array, goals: list[int]) -> PackingPlan:
    """Return the plan by what was done backwards: each cluster has its own order, unless boxes are parked."""
    if unpacking.parks:
        return plan_of([unpacking.stages()], neighbours, goals)
    layers = [unpacking.boxes, *(gone for gone, _ in reversed(unpacking.steps))]
    chains = []
    for cluster in clusters_of(neighbours, goals):
        parts = [[goal for goal in layer if goal in cluster] for layer in layers]
        chains.append(stages_of([part for part in parts if part]))
    return plan_of(chains, neighbours, goals)


def unpack(table: Field, goals: list[int], found: list[Unpacking]) -> Iterator[None]:
    """Take as many boxes off the goals as can leave without parking others, once for each region of the player.

    Those are found first that leave the fewest boxes, in the fewest rounds. Yields now and then.
    """
    regions = final_regions(table.neighbours, goals)[:_REGIONS]
    rounds = 1 + _WORK // (len(table.neighbours) * max(1, len(goals) * len(regions)))
    starts = np.flatnonzero(table.target).tolist()
    found += [Unpacking(goals, region, StartMatching(starts)) for region in regions]
    for unpacking in found:
        yield from unpacking.run(table, rounds)
    found.sort(key=lambda unpacking: (len(unpacking.boxes), len(unpacking.steps)))
