"""New levels: certified, closed, of the size and difficulty asked for or saying what is missing."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples

import gridproof as gp
from gridproof.core.distances import cell_distances
from gridproof.games.sokoban import Level, generator
from gridproof.games.sokoban.generator import generate, with_bombs
from gridproof.games.sokoban.generator.bomb_plan import Budget
from gridproof.games.sokoban.generator.candidates import Target, prove
from gridproof.games.sokoban.generator.chambers import build_chambers
from gridproof.games.sokoban.generator.floor_plan import (
    draw_floor_plan,
    enclosing_walls,
    mutate,
    prune_floor,
    surroundings,
    trim_level,
    walk,
)
from gridproof.games.sokoban.generator.with_bombs import generate_bomb_levels


def pushes(level: Level) -> int | None:
    solution = gp.solve(level, "pushes", limit=gp.Limit(states=500_000), solver="fewest-pushes")
    assert solution.optimal
    return solution.cost


def check(level: Level, **parameters: int) -> None:
    """Check all promises about a level."""
    assert level.certificate is not None
    assert level.certificate.start == level.start()
    assert level.certificate.replay().won
    assert gp.read(level.text()) == [level]
    assert gp.read(level.text())[0].keys == level.keys
    assert level.start().status is gp.Status.PLAYING
    assert (len(level.boxes), level.bombs) == (parameters.get("boxes", 4), parameters.get("bombs", 0))
    done = sum(
        bool(event.__class__.__name__ == "Pushed")
        for outcome in level.certificate.outcomes()
        for event in outcome.events
    )
    assert done == int(level.keys["Pushes"])
    size = parameters.get("width", 10), parameters.get("height", 10)
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
        assert all(other in floor or other in level.walls for other in surroundings(cell))
    assert all(any(other in floor for other in surroundings(wall)) for wall in level.walls)
    assert level.boxes | level.depots <= floor
    assert level.title == f"Seed {seed}"


@pytest.mark.slow
def test_generate_repeats_level_of_same_seed_and_parameters() -> None:
    levels = [generate(seed, width=8, height=7, boxes=2) for seed in (3, 4, 3)]
    assert levels[0].text() == levels[2].text()
    assert levels[0] != levels[1]
    assert levels[0].certificate == levels[2].certificate
    assert gp.generate("sokoban", 3, width=8, height=7, boxes=2) == levels[0]


@pytest.mark.slow
def test_difficulty_is_the_number_of_states_of_the_plain_search() -> None:
    level = generate(5, boxes=3, difficulty=300)
    effort = int(level.keys["Difficulty"])
    assert 200 <= effort <= 450
    assert "Missed" not in level.keys or "difficulty" not in level.keys["Missed"]
    assert prove(level).effort == effort
    solution = gp.solve(level, "pushes", solver="fewest-pushes")
    assert solution.states <= effort
    assert str(solution.cost) == level.keys["Pushes"]
    easy, hard = (int(generate(5, difficulty=parameters).keys["Difficulty"]) for parameters in (20, 2000))
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
def test_generate_places_many_boxes_in_a_large_grid() -> None:
    level = generate(1, width=50, height=50, boxes=50)
    check(level, width=50, height=50, boxes=50)
    assert len(level.boxes - level.depots) >= 40  # nearly all have to be pushed
    assert int(level.keys["Pushes"]) >= 200


@pytest.mark.slow
def test_chambers_are_proved_together() -> None:
    """The fewest pushes of all chambers are those of the whole, as the solver finds them."""
    for seed in range(2):
        made = build_chambers(gp.Rng(seed), Target(14, 9, 4, 0, None))
        assert made is not None
        assert made.proof.trace is not None
        assert made.proof.trace.replay().won
        assert made.level.size == (14, 9)
        assert made.level.text().count("$") + made.level.text().count("*") == 4
        assert pushes(made.level) == made.proof.pushes
    assert build_chambers(gp.Rng(0), Target(8, 8, 4, 0, None)) is None  # one chamber is none
    assert build_chambers(gp.Rng(0), Target(16, 16, 50, 0, None)) is None


@pytest.mark.slow
def test_keys_name_missed_targets() -> None:
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
    parameters = {"width": 9, "height": 8, "boxes": 2, "bombs": bombs}
    level = generate(seed, **parameters)
    check(level, **parameters)
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
def test_bombs_are_mostly_all_needed(bombs: int, budgets: list[Budget]) -> None:
    reached = 0
    for seed in range(10):
        parameters = {"width": 8 + seed % 5, "height": 12 - seed % 3, "boxes": 2 + seed % 4, "bombs": bombs}
        level = generate(seed, **parameters)
        check(level, **parameters)
        reached += "Missed" not in level.keys
        if bombs < 3:  # more is too much for the solver
            assert pushes(level) == int(level.keys["Pushes"])
            assert "Missed" in level.keys or pushes(dataclasses.replace(level, bombs=bombs - 1)) is None
    assert reached >= (7 if bombs == 4 else 9)
    assert all(budget.work > -_OVERDRAWN for budget in budgets)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "parameters"),
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
def test_generate_stays_within_its_budget_for_many_bombs(
    seed: int, parameters: dict[str, int], budgets: list[Budget]
) -> None:
    level = generate(seed, **parameters)
    check(level, **parameters)
    assert budgets
    assert all(budget.work > -_OVERDRAWN for budget in budgets)


_OVERDRAWN = 60_000  # what the last plan, and the difficulty found out at the end, may cost


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """Return all budgets of the generators."""
    made: list[Budget] = []

    class Kept(Budget):
        def __init__(self, work: int) -> None:
            super().__init__(work)
            made.append(self)

    for module in (generator, with_bombs):
        monkeypatch.setattr(module, "Budget", Kept)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "parameters"),
    [
        (6342597492404504319, {"width": 30, "height": 26, "boxes": 1}),
        (2951904527727641679, {"boxes": 6}),
        (7114124734077022234, {"boxes": 1}),
        (8588315077185179982, {"width": 5, "height": 32, "boxes": 5, "difficulty": 100}),
    ],
)
def test_generate_keeps_the_size(seed: int, parameters: dict[str, int]) -> None:
    level = generate(seed, **parameters)
    check(level, **parameters)
    assert pushes(level) == int(level.keys["Pushes"])


@pytest.mark.slow
@pytest.mark.parametrize("bombs", [1, 2])
@given(seed=st.integers(0, 2**64 - 1))
@examples(15)
def test_proofs_of_bombs_agree_with_the_solver(bombs: int, seed: int) -> None:
    rng = gp.Rng(seed)
    for found in itertools.islice(generate_bomb_levels(rng, (8, 7), 2, bombs, Budget(6_000)), 3):
        assert found.proof.trace is not None
        assert found.proof.trace.replay().won
        assert pushes(found.level) == found.proof.pushes
        if found.needed:
            assert pushes(dataclasses.replace(found.level, bombs=found.needed - 1)) is None


@st.composite
def parameter_sets(draw: st.DrawFn) -> dict[str, Any]:
    width, height = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    if max(width, height) < 5:
        width = 5
    boxes = draw(st.integers(1, min(6, (width - 2) * (height - 2) - 2)))
    bombs = draw(st.sampled_from((0, 0, 0, 1, 2, 5)))
    difficulty = draw(st.none() | st.integers(1, 1000))
    return {"width": width, "height": height, "boxes": boxes, "bombs": bombs, "difficulty": difficulty}


@pytest.mark.slow
@pytest.mark.long
@given(st.integers(0, 2**64 - 1), parameter_sets())
@examples(25)
def test_generate_accepts_all_valid_parameters(seed: int, parameters: dict[str, Any]) -> None:
    check(generate(seed, **parameters), **parameters)


@pytest.mark.parametrize(
    ("name", "parameters"),
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
        ("no parameter 'rooms'; choose from width, height, boxes, bombs, difficulty", {"rooms": 3}),
    ],
)
def test_bad_parameters_are_refused(name: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError, match=name):
        gp.generate("sokoban", 1, **parameters)


def test_bad_seeds_and_games_are_refused() -> None:
    with pytest.raises(gp.GridproofError, match="seed -1"):
        gp.generate("sokoban", -1)
    with pytest.raises(gp.GridproofError, match="chess"):
        gp.generate("chess", 1)
    with pytest.raises(gp.GridproofError, match="null has no level generator"):
        gp.generate("null", 1)


@pytest.mark.slow
@given(st.integers(0, 1000), st.integers(3, 14), st.integers(3, 14), st.integers(1, 60))
@examples(60)
def test_floor_plans_are_connected_and_inside(seed: int, width: int, height: int, least: int) -> None:
    floor = draw_floor_plan(gp.Rng(seed), width, height, least)
    assert len(floor) >= min(least, (width - 2) * (height - 2))
    assert all(0 < x < width - 1 and 0 < y < height - 1 for x, y in floor)
    start = min(floor)
    level = Level(start, 0, [(width, height)], [(width, height)], enclosing_walls(floor))
    assert {position.player for position in gp.explore(dataclasses.replace(level.start(), boxes=frozenset()))} == floor  # type: ignore[attr-defined]  # Sokoban's  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_altered_floor_is_connected_and_inside(seed: int) -> None:
    rng = gp.Rng(seed)
    floor = draw_floor_plan(rng, 9, 7, 12)
    depots = sorted(floor)[:3]
    for _ in range(50):
        before = floor, depots
        floor, depots = mutate(rng, floor, depots, 9, 7)
        assert (floor, depots) != before
        assert all(0 < x < 8 and 0 < y < 6 for x, y in floor)
        assert cell_distances(depots[0], floor).keys() == floor
        assert len(set(depots)) == 3
        assert floor.issuperset(depots)
        assert ({1, 7}, {1, 5}) == ({x for x, _ in floor} & {1, 7}, {y for _, y in floor} & {1, 5})


def test_floor_that_cannot_be_altered_stays() -> None:
    assert mutate(gp.Rng(1), {(1, 1)}, [(1, 1)], 3, 3) == ({(1, 1)}, [(1, 1)])


def test_walks_are_shortest() -> None:
    free = {(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2)} - {(1, 2)}
    assert [str(action) for action in walk((1, 1), (1, 3), free)] == [
        *["right", "right", "down", "down", "left", "left"]
    ]
    assert walk((2, 1), (2, 1), free) == []


def test_needless_floor_goes() -> None:
    corridor = {(x, 1) for x in range(1, 20)}
    assert prune_floor(corridor, {(3, 1), (4, 1)}, 2) == {(3, 1), (4, 1)}
    room = {(x, y) for x in range(1, 9) for y in range(1, 9)}
    assert prune_floor(room, {(1, 1)}, 2) == {(x, y) for x, y in room if x + y <= 4} - {(3, 1), (1, 3)}


def test_floor_far_from_the_solution_goes() -> None:
    (level,) = gp.read(
        "##############\n#@$.         #\n" + 9 * "#            #\n" + "#          $.#\n##############",
        "sokoban",
    )
    assert isinstance(level, Level)
    trace = gp.solve(level).trace
    assert trace is not None
    floor = {(x, y) for x in range(1, 13) for y in range(1, 12)}
    smaller = trim_level(level, floor, trace)
    assert smaller.size == level.size
    assert [(x, 1) in smaller.walls for x in (4, 5)] == [False, True]
