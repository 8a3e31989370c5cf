"""New levels: certified by fewest requests, with the tiles asked for, saying what is missing."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples

import gridproof as gp
from gridproof.core.distances import cell_distances
from gridproof.core.rng import Rng
from gridproof.games.robots import Kind, Level, Rule
from gridproof.games.robots.generator import generate
from gridproof.games.robots.generator.belt_plan import POINTS, lay_belts, lay_broken, next_cell


def count_kinds(level: Level) -> Counter[Kind]:
    return Counter(tile.kind for row in level.tiles for tile in row)


def check(level: Level) -> None:
    """Check all promises of a level."""
    assert level.certificate is not None
    assert level.certificate.start == level.start()
    assert level.certificate.replay().won
    assert gp.read(level.text()) == [level]
    assert level.start().status is gp.Status.PLAYING
    assert len(level.certificate.steps) == int(level.keys["Actions"])
    assert int(level.keys["Difficulty"]) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_levels_are_certified_by_fewest_requests(seed: int) -> None:
    level = generate(seed)
    check(level)
    assert (level.grid.width, level.grid.height, len(level.robots)) == (8, 8, 3)
    assert count_kinds(level)[Kind.CONVEYOR] == 16
    assert count_kinds(level)[Kind.HINT] == 4
    assert count_kinds(level)[Kind.BROKEN] == 6
    solution = gp.solve(level)
    assert solution.optimal
    assert solution.cost == int(level.keys["Actions"]) >= 4


@pytest.mark.slow
def test_generate_repeats_level_of_same_seed() -> None:
    assert gp.generate("robots", 5, width=5).text() == gp.generate("robots", 5, width=5).text()
    assert gp.generate("robots", 5, width=5).text() != gp.generate("robots", 6, width=5).text()


sizes = st.integers(1, 6)


@pytest.mark.slow
@given(st.integers(0, 2**64 - 1), sizes, sizes, st.integers(2, 6), st.data())
@examples(25)
def test_generate_accepts_all_valid_parameters(
    seed: int, width: int, height: int, robots: int, data: Any
) -> None:
    room = width * height - 2 * robots
    if room < 0:
        with pytest.raises(gp.GridproofError, match="need"):
            generate(seed, width=width, height=height, robots=robots)
        return
    conveyors = data.draw(st.integers(0, room))
    hints = data.draw(st.integers(0, room - conveyors))
    broken = data.draw(st.integers(0, room - conveyors - hints))
    wanted = data.draw(st.integers(1, 1000))
    level = generate(
        seed,
        width=width,
        height=height,
        robots=robots,
        conveyors=conveyors,
        hints=hints,
        broken=broken,
        difficulty=wanted,
    )
    check(level)
    found = count_kinds(level)
    assert (found[Kind.CONVEYOR], found[Kind.HINT], found[Kind.BROKEN]) == (conveyors, hints, broken)
    assert (level.grid.width, level.grid.height, len(level.robots)) == (width, height, robots)
    assert {robot.rule for robot in level.robots} == set(Rule)
    difficulty = int(level.keys["Difficulty"])
    reached = 2 / 3 <= difficulty / wanted <= 1.5
    assert ("Missed" in level.keys) is not reached


@pytest.mark.slow
def test_defaults_leave_room_for_what_is_given() -> None:
    assert count_kinds(generate(1, width=4, height=4, robots=2, broken=10))[Kind.BROKEN] == 10
    assert count_kinds(generate(1, width=4, height=3, conveyors=6))[Kind.CONVEYOR] == 6
    check(generate(3, width=1, height=4, robots=2))


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [10, 300, 3_000, 20_000])
def test_generate_approaches_requested_difficulty(wanted: int) -> None:
    reached = sum(
        2 / 3 <= int(generate(seed, difficulty=wanted).keys["Difficulty"]) / wanted <= 1.5
        for seed in range(6)
    )
    assert reached >= 3


@pytest.mark.slow
def test_generate_records_missed_difficulty() -> None:
    level = generate(1, width=3, height=3, robots=2, difficulty=1_000_000)
    check(level)
    assert level.keys["Missed"] == "a difficulty of 1000000"


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"width": 0}, "width=0"),
        ({"height": 21}, "height=21"),
        ({"width": True}, "width=True"),
        ({"robots": 1}, "robots=1"),
        ({"robots": 7}, "robots=7"),
        ({"width": 2, "height": 2}, "need 6 cells"),
        ({"hints": -1}, "hints=-1"),
        ({"conveyors": 59}, "conveyors=59"),
        ({"broken": 2.0}, r"broken=2\.0"),
        ({"conveyors": 30, "broken": 29}, "conveyors=30, broken=29: there is room for 58"),
        ({"difficulty": 0}, "difficulty=0"),
        ({"difficulty": 10**7}, "difficulty=10000000"),
        ({"boxes": 3}, "boxes"),
    ],
)
def test_parameters_out_of_bounds_are_refused(parameters: dict[str, Any], told: str) -> None:
    with pytest.raises(gp.GridproofError, match=told):
        gp.generate("robots", 1, **parameters)


@pytest.mark.slow
def test_belts_are_runs_with_corners_that_seldom_stop_short() -> None:
    in_runs = corners = 0
    for seed in range(30):
        blank = {(x, y) for x in range(8) for y in range(8)}
        belts = lay_belts(Rng(seed), blank, 16)
        assert len(belts) == 16
        assert len(blank) == 48
        assert not blank & belts.keys()
        for cell, tile in belts.items():
            following = belts.get(next_cell(cell, tile.rotation))
            if following is not None:
                assert following.rotation != (tile.rotation + 180) % 360  # no two that point at each other
                in_runs += 1
                corners += following.rotation != tile.rotation
    assert in_runs > 30 * 16 * 0.6
    assert 30 < corners < in_runs / 2


@pytest.mark.slow
def test_generate_makes_loops_and_merging_belts() -> None:
    levels = [generate(seed, width=7, height=6, robots=2, difficulty=50) for seed in range(25)]
    assert any(level.layout.loops for level in levels)
    merging = 0
    for level in levels:
        belts = {
            (x, y): tile.rotation
            for y, row in enumerate(level.tiles)
            for x, tile in enumerate(row)
            if tile.kind is Kind.CONVEYOR
        }
        targets = Counter(next_cell(cell, rotation) for cell, rotation in belts.items())
        merging += any(count > 1 and cell in belts for cell, count in targets.items())
    assert merging >= 5


@pytest.mark.slow
def test_broken_tiles_part_nothing_as_long_as_they_can() -> None:
    for seed, count in itertools.product(range(5), (3, 6, 12)):
        blank = {(x, y) for x in range(5) for y in range(5)}
        assert len(lay_broken(Rng(seed), blank, (), count)) == count
        assert len(cell_distances(min(blank), blank)) == len(blank) == 25 - count
    blank = {(x, 0) for x in range(4)}
    assert len(lay_broken(Rng(1), blank, (), 4)) == 4
    assert not blank
    assert set(POINTS) == {0, 90, 180, 270}
