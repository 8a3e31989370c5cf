"""The cheapest matching, asked again and again while boxes, the player and the walls change."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from gridproof.games.sokoban.solver.board import FAR, SIDES
from gridproof.games.sokoban.solver.matching import HOPELESS, OF_ALL, WORK, empty_assignment, match_boxes


def cheapest(costs: Any) -> int:
    """The least sum by all partial matchings: a set of goals taken for each number of boxes placed."""
    least = {frozenset[int](): 0}
    for row in costs.tolist():
        following = dict[frozenset[int], int]()
        for taken, total in least.items():
            for goal, cost in enumerate(row):
                if goal not in taken and cost < FAR:
                    key = taken | {goal}
                    following[key] = min(following.get(key, HOPELESS), total + cost)
        least = following
    return min(least.values(), default=HOPELESS)


class MatchingCase:
    """Distances and sides drawn by lot, of two stages, and a matching of boxes that come and go."""

    def __init__(self, seed: int, goals: int, far: float = 0.0, largest: int = 40, squares: int = 12) -> None:
        self.chance = np.random.default_rng(seed)
        self.distances = self.chance.integers(0, largest, (2, squares, SIDES, goals)).astype(np.int16)
        self.distances[self.chance.random(self.distances.shape) < far] = FAR
        self.sides = self.chance.integers(0, SIDES, (2, squares, squares)).astype(np.uint8)
        self.sides[:, :, : squares // 2] = 1  # many players are on the same side
        self.assignment = empty_assignment(squares, goals)
        self.squares, self.goals = squares, goals

    def match(self, boxes: list[int], player: int, stage: int) -> int:
        occupied = np.zeros(self.squares, np.uint8)
        occupied[boxes] = 1
        tables = self.distances[stage], self.sides[stage]
        return int(match_boxes(*tables, np.array(boxes, np.int16), occupied, player, stage, self.assignment))

    def costs(self, boxes: list[int], player: int, stage: int) -> Any:
        return np.array([self.distances[stage, box, self.sides[stage, box, player]] for box in boxes])

    def draw(self, boxes: list[int] | None) -> tuple[list[int], int, int]:
        """Some boxes, or the same but for one of them, which may be the same; a player; a stage."""
        if boxes is None or self.chance.random() < 0.2:
            boxes = self.chance.permutation(self.squares)[: self.goals].tolist()
        else:
            free = sorted(set(range(self.squares)) - set(boxes))
            boxes = [*boxes[1:], int(self.chance.choice([boxes[0], *free]))]
        return boxes, int(self.chance.integers(self.squares)), int(self.chance.random() < 0.1)


@pytest.mark.parametrize(("goals", "far", "largest"), [(1, 0.3, 5), (4, 0.0, 3), (5, 0.5, 40), (6, 0.7, 9)])
def test_matching_is_cheapest_after_any_calls(goals: int, far: float, largest: int) -> None:
    case, boxes, hopeless = MatchingCase(goals, goals, far, largest), None, set()
    for _ in range(300):
        boxes, player, stage = case.draw(boxes)
        least = cheapest(case.costs(boxes, player, stage))
        assert case.match(boxes, player, stage) == least
        hopeless.add(least == HOPELESS)
    assert hopeless == ({False, True} if far else {False})


def test_large_sums_are_not_hopeless() -> None:
    """A possible number of pushes is never HOPELESS."""
    squares = 400
    case = MatchingCase(0, 200, largest=1, squares=squares)
    case.distances[:] = FAR - 1
    assert case.match([*range(200)], 0, 0) == 200 * (FAR - 1) < HOPELESS


def test_matching_of_no_boxes_needs_no_pushes() -> None:
    assert MatchingCase(0, 0).match([], 3, 0) == 0


def test_matching_keeps_unchanged_pairs() -> None:
    case = MatchingCase(1, 60, largest=1000, squares=100)
    work = [0]
    boxes = [*range(60)]
    for arrangement in (boxes, boxes[::-1], [*boxes[1:], 70]):
        case.match(arrangement, 3, 0)
        work.append(int(case.assignment[OF_ALL, WORK]))
    first, again, moved = (after - before for before, after in itertools.pairwise(work))
    assert again == 0
    assert 0 < moved <= 60 * 60 < first
