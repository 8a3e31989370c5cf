"""The matching of boxes and the squares where they start."""

from __future__ import annotations

import itertools
import random

from gridproof.games.sokoban.feature_search.start_squares import StartMatching


def test_start_matching_takes_a_box_when_some_assignment_has_room() -> None:
    chance = random.Random(3)
    for _ in range(200):
        starts = list(range(4))
        matching, taken = StartMatching(starts), list[set[int]]()
        for _ in range(6):
            reach = {start for start in starts if chance.random() < 0.4}
            fits = any(
                all(start in box for start, box in zip(chosen, [*taken, reach], strict=True))
                for chosen in itertools.permutations(starts, len(taken) + 1)
            )
            assert matching.add(reach) is fits
            taken += [reach] if fits else []
