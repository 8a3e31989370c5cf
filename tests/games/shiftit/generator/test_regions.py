"""Regions of won boards: they begin apart and grow in turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import gridproof as gp
from gridproof.games.shiftit.generator.regions import Side, adjacent_sides, begin_regions, grow_regions


class Scripted(gp.Rng):
    """Chooses the items at these places, the first where the script has ended, and keeps what it was offered."""

    def __init__(self, *places: int) -> None:
        super().__init__(0)
        self.places, self.offered = list(places), list[list[Any]]()

    def choice(self, items: Sequence[Any]) -> Any:
        self.offered.append(list(items))
        return items[self.places.pop(0) if self.places else 0]


def sides(*numbers: int) -> list[Side]:
    """Sides, which are named by a number alone here."""
    return [(0, number) for number in numbers]


def chain(*lengths: int) -> dict[Side, list[Side]]:
    """Sides in a row; several rows do not touch."""
    rows, first = dict[Side, list[Side]](), 0
    for length in lengths:
        for number in range(first, first + length):
            others = [other for other in (number - 1, number + 1) if first <= other < first + length]
            rows[0, number] = sides(*others)
        first += length
    return rows


@pytest.mark.clause("S9")
def test_sides_round_a_centre_and_across_a_border_are_adjacent() -> None:
    assert adjacent_sides(2, [(0, 1, 1, 3)]) == {
        (0, 0): ((0, 1), (0, 3)),
        (0, 1): ((0, 2), (0, 0), (1, 3)),
        (0, 2): ((0, 3), (0, 1)),
        (0, 3): ((0, 0), (0, 2)),
        (1, 0): ((1, 1), (1, 3)),
        (1, 1): ((1, 2), (1, 0)),
        (1, 2): ((1, 3), (1, 1)),
        (1, 3): ((1, 0), (1, 2), (0, 1)),
    }


def test_region_begins_at_the_furthest_of_four_free_sides() -> None:
    rng, taken = Scripted(1, 6, 3, 0, 0, 1, 2, 4), [sides(0)]
    begin_regions(rng, chain(9), taken, 3)
    assert rng.offered == [sides(1, 2, 3, 4, 5, 6, 7, 8)] * 4 + [sides(1, 2, 3, 4, 5, 6, 8)] * 4
    # Of 2, 7, 4, 1 the one furthest from 0; of 1, 2, 3, 5 the one furthest from 0 and 7.
    assert taken == [sides(0), sides(7), sides(3)]


def test_unreachable_side_is_furthest() -> None:
    taken = [sides(0, 1)]
    begin_regions(Scripted(5, 6, 0, 0), chain(8, 2), taken, 2)
    assert taken == [sides(0, 1), sides(8)]  # of 7, 8, 2, 2: there is no way to 8
    begin_regions(Scripted(), chain(8, 2), taken, 2)
    assert len(taken) == 2  # there are enough


@pytest.mark.clause("S13")
@pytest.mark.parametrize(
    ("length", "regions", "still", "owned"),
    [
        (7, [[0], [6]], None, "0000111"),  # in turns, the first before the second
        (10, [[0, 1, 2], [9]], None, "0000011111"),  # the smallest first, by one side each time
        (6, [[5], [0]], None, "111000"),
        (5, [[0], [2], [4]], None, "00112"),
        (5, [[0], [4]], 0, "01111"),
        (6, [[0], [1], [5]], None, "011122"),  # one that is shut in ends, the others go on
    ],
)
def test_regions_grow_in_turns(length: int, regions: list[list[int]], still: int | None, owned: str) -> None:
    owner = grow_regions(Scripted(), chain(length), [sides(*region) for region in regions], still)
    assert "".join(str(owner[0, number]) for number in range(length)) == owned


def test_regions_grow_at_sides_with_most_neighbours() -> None:
    """A square of four sides with a tail at one of them: the side that closes the square comes first."""
    beside = {
        (0, 0): sides(1, 3),
        (0, 1): sides(0, 2, 4),
        (0, 2): sides(1, 3),
        (0, 3): sides(2, 0),
        (0, 4): sides(1),
    }
    rng = Scripted()
    assert grow_regions(rng, beside, [sides(0, 1, 2)]) == dict.fromkeys(sides(0, 1, 2, 3, 4), 0)
    assert rng.offered == [sides(3), sides(4)]


def test_equal_sides_are_chosen_at_random() -> None:
    rng = Scripted(1, 0)
    grow_regions(rng, chain(5), [sides(2)])
    assert rng.offered == [sides(1, 3), sides(1, 4), sides(4, 0), sides(0)]
