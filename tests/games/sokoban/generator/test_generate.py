"""New levels: certified, closed, of the size and difficulty asked for or saying what is missing."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import examples

import gridproof as gp
from gridproof.games.sokoban import Level
from gridproof.games.sokoban.making import generate
from gridproof.games.sokoban.making.blasting import Purse
from gridproof.games.sokoban.making.bombed import bombed
from gridproof.games.sokoban.making.chambers import chambered
from gridproof.games.sokoban.making.floorplan import (
    altered,
    around,
    floor_plan,
    region,
    walk,
    walls_around,
    without_needless,
)
from gridproof.games.sokoban.making.proving import prove
from gridproof.games.sokoban.making.wishes import Wish


def pushes(level: Level) -> int | None:
    solution = gp.solve(level, "pushes", limit=gp.Limit(states=500_000), solver="fewest-pushes")
    assert solution.optimal
    return solution.cost


def check(level: Level, **wish: int) -> None:
    """All that is promised of a level."""
    assert level.certificate is not None
    assert level.certificate.start == level.start()
    assert level.certificate.replay().won
    assert gp.read(level.text()) == [level]
    assert gp.read(level.text())[0].keys == level.keys
    assert level.start().status is gp.Status.PLAYING
    assert (len(level.boxes), level.bombs) == (wish.get("boxes", 4), wish.get("bombs", 0))
    done = sum(
        bool(event.__class__.__name__ == "Pushed")
        for outcome in level.certificate.outcomes()
        for event in outcome.events
    )
    assert done == int(level.keys["Pushes"])
    size = wish.get("width", 10), wish.get("height", 10)
    assert level.size == size


def inside(level: Level) -> set[tuple[int, int]]:
    """The cells that the player could reach without bombs, if there were no boxes."""
    return {position.player for position in gp.explore(dataclasses.replace(level.start(), boxes=frozenset()))}  # type: ignore[attr-defined]  # Sokoban's


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 7))
def test_levels_are_certified_closed_and_proved(seed: int) -> None:
    level = generate(seed)
    check(level)
    assert pushes(level) == int(level.keys["Pushes"])
    floor = inside(level)
    width, height = level.size
    for cell in floor:  # closed: no floor at the edge of the grid, walls around all of it
        assert 0 < cell[0] < width - 1
        assert 0 < cell[1] < height - 1
        assert all(other in floor or other in level.walls for other in around(cell))
    assert all(any(other in floor for other in around(wall)) for wall in level.walls)
    assert level.boxes | level.depots <= floor
    assert level.title == f"Seed {seed}"


@pytest.mark.slow
def test_the_seed_and_the_parameters_say_all() -> None:
    levels = [generate(seed, width=8, height=7, boxes=2) for seed in (3, 4, 3)]
    assert levels[0].text() == levels[2].text()
    assert levels[0] != levels[1]
    assert levels[0].certificate == levels[2].certificate
    assert gp.generate("sokoban", 3, width=8, height=7, boxes=2) == levels[0]


@pytest.mark.slow
def test_difficulty_is_what_the_plain_search_finds() -> None:
    level = generate(5, boxes=3, difficulty=300)
    effort = int(level.keys["Difficulty"])
    assert 200 <= effort <= 450
    assert "Missed" not in level.keys or "difficulty" not in level.keys["Missed"]
    assert prove(level).effort == effort
    solution = gp.solve(level, "pushes", solver="fewest-pushes")
    assert solution.states <= effort
    assert str(solution.cost) == level.keys["Pushes"]
    easy, hard = (int(generate(5, difficulty=wish).keys["Difficulty"]) for wish in (20, 2000))
    assert easy < hard


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", [2_000, 5_000])
def test_high_difficulties_are_climbed_to(difficulty: int) -> None:
    level = generate(7, difficulty=difficulty)
    check(level)
    assert "Missed" not in level.keys
    effort = int(level.keys["Difficulty"])
    assert difficulty / 1.5 <= effort <= difficulty * 1.5
    assert prove(level).effort == effort
    assert pushes(level) == int(level.keys["Pushes"])
    assert generate(7, difficulty=difficulty).text() == level.text()


@pytest.mark.slow
def test_many_boxes_in_a_large_grid_are_a_level() -> None:
    level = generate(1, width=50, height=50, boxes=50)
    check(level, width=50, height=50, boxes=50)
    assert len(level.boxes - level.depots) >= 40  # nearly all have to be pushed
    assert int(level.keys["Pushes"]) >= 200


def test_chambers_are_proved_together() -> None:
    """The fewest pushes of all chambers are those of the whole, as the solver finds them."""
    for seed in range(2):
        made = chambered(gp.Rng(seed), Wish(14, 9, 4, 0, None))
        assert made is not None
        assert made.proof.trace is not None
        assert made.proof.trace.replay().won
        assert made.level.size == (14, 9)
        assert made.level.text().count("$") + made.level.text().count("*") == 4
        assert pushes(made.level) == made.proof.pushes
    assert chambered(gp.Rng(0), Wish(8, 8, 4, 0, None)) is None  # one chamber is none
    assert chambered(gp.Rng(0), Wish(16, 16, 50, 0, None)) is None


@pytest.mark.slow
def test_what_cannot_be_reached_is_said() -> None:
    level = generate(1, width=5, height=5, boxes=1, difficulty=10**9)
    check(level, width=5, height=5, boxes=1)
    assert "a difficulty of 1000000000" in level.keys["Missed"]
    crowded = generate(1, width=5, height=3, boxes=1, bombs=2)
    check(crowded, width=5, height=3, boxes=1, bombs=2)
    assert "that all bombs are needed: 0 of 2 are" in crowded.keys["Missed"]


@pytest.mark.slow
@pytest.mark.clause("K7", "K8")
@pytest.mark.parametrize(("seed", "bombs"), [(1, 1), (2, 1), (3, 2)])
def test_bombs_are_needed(seed: int, bombs: int) -> None:
    wish = {"width": 9, "height": 8, "boxes": 2, "bombs": bombs}
    level = generate(seed, **wish)
    check(level, **wish)
    assert "bombs are needed" not in level.keys.get("Missed", "")
    assert pushes(level) == int(level.keys["Pushes"])
    assert pushes(dataclasses.replace(level, bombs=bombs - 1)) is None


@pytest.mark.slow
def test_bombs_in_a_moment() -> None:
    level = generate(1, width=8, height=8, boxes=2, bombs=2)
    check(level, width=8, height=8, boxes=2, bombs=2)
    assert "Missed" not in level.keys
    assert pushes(level) == int(level.keys["Pushes"]) == prove(level).pushes
    assert pushes(dataclasses.replace(level, bombs=1)) is None
    assert generate(1, width=8, height=8, boxes=2, bombs=2).text() == level.text()


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("bombs", [1, 2, 3, 4])
def test_bombs_are_mostly_all_needed(bombs: int, purses: list[Purse]) -> None:
    reached = 0
    for seed in range(10):
        wish = {"width": 8 + seed % 5, "height": 12 - seed % 3, "boxes": 2 + seed % 4, "bombs": bombs}
        level = generate(seed, **wish)
        check(level, **wish)
        reached += "Missed" not in level.keys
        if bombs < 3:  # more is too much for the solver
            assert pushes(level) == int(level.keys["Pushes"])
            assert "Missed" in level.keys or pushes(dataclasses.replace(level, bombs=bombs - 1)) is None
    assert reached >= (7 if bombs == 4 else 9)
    assert all(purse.work > -_OVERDRAWN for purse in purses)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "wish"),
    [
        (7165800515574927916, {"bombs": 6}),
        (16596134841884262534, {"width": 7, "boxes": 7, "bombs": 6}),
        (17649213327533461664, {"width": 8, "bombs": 7}),
        (1, {"width": 20, "height": 20, "boxes": 50, "bombs": 9}),
        (2, {"width": 20, "height": 20, "bombs": 9, "difficulty": 500}),
        (3, {"width": 12, "height": 14, "boxes": 44, "bombs": 4}),
        (4, {"width": 5, "height": 3, "boxes": 1, "bombs": 9}),
        (5, {"width": 3, "height": 20, "boxes": 16, "bombs": 1}),
        (6, {"width": 14, "height": 14, "boxes": 3, "bombs": 3, "difficulty": 10**9}),
    ],
)
def test_many_bombs_cost_no_more_than_is_counted(
    seed: int, wish: dict[str, int], purses: list[Purse]
) -> None:
    level = generate(seed, **wish)
    check(level, **wish)
    assert purses
    assert all(purse.work > -_OVERDRAWN for purse in purses)


_OVERDRAWN = 60_000  # what the last plan, and the difficulty found out at the end, may cost


@pytest.fixture
def purses(monkeypatch: pytest.MonkeyPatch) -> list[Purse]:
    """All the budgets that generators have."""
    made: list[Purse] = []

    class Kept(Purse):
        def __init__(self, work: int) -> None:
            super().__init__(work)
            made.append(self)

    for module in ("making", "making.bombed"):  # by its full name: `making` has a function of the same name
        monkeypatch.setattr(importlib.import_module(f"gridproof.games.sokoban.{module}"), "Purse", Kept)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "wish"),
    [
        (6342597492404504319, {"width": 30, "height": 26, "boxes": 1}),
        (2951904527727641679, {"boxes": 6}),
        (7114124734077022234, {"boxes": 1}),
        (8588315077185179982, {"width": 5, "height": 32, "boxes": 5, "difficulty": 100}),
    ],
)
def test_the_size_is_kept(seed: int, wish: dict[str, int]) -> None:
    level = generate(seed, **wish)
    check(level, **wish)
    assert pushes(level) == int(level.keys["Pushes"])


@pytest.mark.slow
@pytest.mark.parametrize("bombs", [1, 2])
@given(seed=st.integers(0, 2**64 - 1))
@examples(15)
def test_what_is_proved_of_bombs_is_what_the_solver_says(bombs: int, seed: int) -> None:
    rng = gp.Rng(seed)
    for found in itertools.islice(bombed(rng, (8, 7), 2, bombs, Purse(6_000)), 3):
        assert found.trace.replay().won
        assert pushes(found.level) == found.pushes
        if found.needed:
            assert pushes(dataclasses.replace(found.level, bombs=found.needed - 1)) is None


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, Any]:
    width, height = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    if max(width, height) < 5:
        width = 5
    boxes = draw(st.integers(1, min(6, (width - 2) * (height - 2) - 2)))
    bombs = draw(st.sampled_from((0, 0, 0, 1, 2, 5)))
    difficulty = draw(st.none() | st.integers(1, 1000))
    return {"width": width, "height": height, "boxes": boxes, "bombs": bombs, "difficulty": difficulty}


@pytest.mark.slow
@pytest.mark.long
@given(st.integers(0, 2**64 - 1), wishes())
@examples(25)
def test_no_valid_parameters_fail(seed: int, wish: dict[str, Any]) -> None:
    check(generate(seed, **wish), **wish)


@pytest.mark.parametrize(
    ("name", "wish"),
    [
        ("width", {"width": 2}),
        ("width", {"width": 51}),
        ("height", {"height": 0}),
        ("width or height", {"width": 4, "height": 4}),
        ("boxes", {"boxes": 0}),
        ("boxes", {"boxes": 51, "width": 50}),
        ("boxes", {"width": 5, "height": 4, "boxes": 5}),
        ("bombs", {"bombs": -1}),
        ("bombs", {"bombs": 10}),
        ("width", {"bombs": 1, "width": 21}),
        ("difficulty", {"difficulty": 0}),
        ("difficulty", {"difficulty": 1.5}),
        ("boxes", {"boxes": "4"}),
        ("boxes", {"boxes": True}),
        ("no parameter 'rooms': it has width, height, boxes, bombs, difficulty", {"rooms": 3}),
    ],
)
def test_bad_parameters_are_told(name: str, wish: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError, match=name):
        gp.generate("sokoban", 1, **wish)


def test_bad_seeds_and_games_are_told() -> None:
    with pytest.raises(gp.GridproofError, match="seed -1"):
        gp.generate("sokoban", -1)
    with pytest.raises(gp.GridproofError, match="chess"):
        gp.generate("chess", 1)
    with pytest.raises(gp.GridproofError, match="null makes no new levels"):
        gp.generate("null", 1)


@pytest.mark.slow
@given(st.integers(0, 1000), st.integers(3, 14), st.integers(3, 14), st.integers(1, 60))
@examples(60)
def test_floor_plans_are_connected_and_inside(seed: int, width: int, height: int, least: int) -> None:
    floor = floor_plan(gp.Rng(seed), width, height, least)
    assert len(floor) >= min(least, (width - 2) * (height - 2))
    assert all(0 < x < width - 1 and 0 < y < height - 1 for x, y in floor)
    start = min(floor)
    level = Level(start, 0, [(width, height)], [(width, height)], walls_around(floor))
    assert {position.player for position in gp.explore(dataclasses.replace(level.start(), boxes=frozenset()))} == floor  # type: ignore[attr-defined]  # Sokoban's  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_altered_floor_is_connected_and_inside(seed: int) -> None:
    rng = gp.Rng(seed)
    floor = floor_plan(rng, 9, 7, 12)
    depots = sorted(floor)[:3]
    for _ in range(50):
        before = floor, depots
        floor, depots = altered(rng, floor, depots, 9, 7)
        assert (floor, depots) != before
        assert all(0 < x < 8 and 0 < y < 6 for x, y in floor)
        assert region(depots[0], floor).keys() == floor
        assert len(set(depots)) == 3
        assert floor.issuperset(depots)
        assert ({1, 7}, {1, 5}) == ({x for x, _ in floor} & {1, 7}, {y for _, y in floor} & {1, 5})


def test_floor_that_cannot_be_altered_stays() -> None:
    assert altered(gp.Rng(1), {(1, 1)}, [(1, 1)], 3, 3) == ({(1, 1)}, [(1, 1)])


def test_walks_are_shortest() -> None:
    free = {(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2)} - {(1, 2)}
    assert [str(action) for action in walk((1, 1), (1, 3), free)] == [
        *["right", "right", "down", "down", "left", "left"]
    ]
    assert walk((2, 1), (2, 1), free) == []


def test_needless_floor_goes() -> None:
    corridor = {(x, 1) for x in range(1, 20)}
    assert without_needless(corridor, {(3, 1), (4, 1)}, 2) == {(3, 1), (4, 1)}
    room = {(x, y) for x in range(1, 9) for y in range(1, 9)}
    assert without_needless(room, {(1, 1)}, 2) == {(x, y) for x, y in room if x + y <= 4} - {(3, 1), (1, 3)}
