"""Every kernel against its rules, on generated levels of many sizes and kinds, and on whole state spaces."""

from __future__ import annotations

from typing import Any

import pytest

from gridproof.core.generate import generate
from gridproof.core.position import NATURE, Level
from gridproof.games.twenty48.rules import Level as Board
from gridproof.games.twenty48.tiles import SPAWN_RULES
from gridproof.kernels.game import packing_of
from gridproof.search.explore import explore_by_rules
from gridproof.testing.agreement import check_kernel

LIGHT: list[tuple[str, dict[str, Any]]] = [
    ("sokoban", {"width": 8, "height": 7, "boxes": 2}),
    ("sokoban", {"width": 7, "height": 7, "boxes": 1, "bombs": 2}),
    ("shiftit", {}),
    ("shiftit", {"width": 2, "height": 2}),
    ("shiftit", {"width": 7, "height": 2, "colours": 4, "moves": 3}),
    ("shiftit", {"width": 4, "height": 4, "colours": 4, "locks": 2, "moves": 4}),
    ("shiftit", {"width": 6, "height": 6, "colours": 6, "moves": 2}),
    ("robots", {"width": 3, "height": 3, "robots": 2, "conveyors": 0}),
    ("robots", {"width": 9, "height": 2, "robots": 2, "conveyors": 3}),
    ("robots", {"width": 5, "height": 4, "robots": 3, "conveyors": 6, "hints": 2, "broken": 2}),
    ("twenty48", {}),
    ("twenty48", {"width": 2, "height": 3, "target": 32, "spawn": "classic", "moves": 4}),
    ("twenty48", {"width": 3, "height": 5, "target": 128, "spawn": "classic"}),
    ("twenty48", {"width": 4, "height": 4, "target": 131072, "moves": 2}),
    ("twenty48", {"width": 6, "height": 6, "target": 65536, "moves": 3}),
]
HEAVY: list[tuple[str, dict[str, Any]]] = [
    ("sokoban", {"width": 8, "height": 8, "boxes": 2, "bombs": 1}),
    ("sokoban", {"width": 20, "height": 12, "boxes": 6}),
    ("sokoban", {"width": 24, "height": 24, "boxes": 6}),
    ("sokoban", {"width": 12, "height": 9, "boxes": 3, "bombs": 2}),
    ("shiftit", {"width": 4, "height": 3, "locks": 1}),
    ("shiftit", {"width": 5, "height": 5, "colours": 6, "locks": 3, "moves": 3}),
    ("shiftit", {"width": 2, "height": 10, "colours": 3, "moves": 3}),
    ("robots", {"width": 4, "height": 4, "robots": 2}),
    ("robots", {"width": 1, "height": 12, "robots": 2}),
    ("robots", {"width": 6, "height": 6, "robots": 4, "conveyors": 8}),
    ("robots", {"width": 7, "height": 5, "robots": 5, "conveyors": 7, "hints": 3}),
    ("robots", {"width": 8, "height": 8, "robots": 6}),
    ("robots", {"width": 20, "height": 20, "robots": 3, "conveyors": 20}),
    ("twenty48", {"width": 5, "height": 5, "target": 2**60, "moves": 2}),
    ("twenty48", {"width": 6, "height": 2, "target": 256, "spawn": "classic", "moves": 20}),
    ("twenty48", {"width": 3, "height": 3, "target": 64, "moves": 8}),
]


def exchanges(level: Level) -> int:
    """How many outcomes of nature a position has at the most."""
    found = packing_of(level)
    assert found is not None
    return found[1].most_of_nature


def far_on(level: Level, seed: int) -> None:
    """Compare on longer walks, and where the game began."""
    number = exchanges(level)
    deep = 30 if not number else max(1, min(30, 4000 // number))
    assert check_kernel(level, seed=seed, walks=2, depth=deep, whole=0 if number else 100) > 1


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize(("name", "parameters"), LIGHT, ids=str)
def test_generated_levels(name: str, parameters: dict[str, Any]) -> None:
    level = generate(name, 3, **parameters)
    assert check_kernel(level, seed=3, walks=1, depth=3 if exchanges(level) else 6) > 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "parameters"), LIGHT, ids=str)
def test_generated_levels_far_on(name: str, parameters: dict[str, Any], seed: int) -> None:
    far_on(generate(name, seed, **parameters), seed)


@pytest.mark.long
@pytest.mark.parametrize(("name", "parameters"), HEAVY, ids=str)
def test_large_generated_levels(name: str, parameters: dict[str, Any]) -> None:
    far_on(generate(name, 0, **parameters), 0)


def whole(level: Level, actors: str | None = None) -> None:
    """Compare every position that can be reached."""
    found = explore_by_rules(level, actors)
    assert found.complete
    compared = check_kernel(level, walks=0, whole=found.states + 1, nature=actors is not None)
    assert compared == found.states


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("shiftit", {"width": 2, "height": 2}),
        pytest.param("shiftit", {"width": 3, "height": 2}, marks=pytest.mark.slow),
        ("sokoban", {"width": 6, "height": 6, "boxes": 1}),
        pytest.param("sokoban", {"width": 6, "height": 6, "boxes": 2}, marks=pytest.mark.slow),
        pytest.param("sokoban", {"width": 7, "height": 6, "boxes": 2, "bombs": 1}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_whole_state_spaces(name: str, parameters: dict[str, Any]) -> None:
    whole(generate(name, 1, **parameters))


@pytest.mark.parametrize("spawn", SPAWN_RULES)
def test_2048_on_2x2_agrees_on_all_positions(spawn: str) -> None:
    """From all starts, with every place and tile that chance has: all that can ever be."""
    whole(Board(2, 2, spawn))


@pytest.mark.long
def test_2048_on_2x3_agrees_on_all_positions_up_to_16() -> None:
    whole(generate("twenty48", 0, width=2, height=3, target=16, moves=1))


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize(
    "parameters",
    [{"width": 3, "height": 2}, pytest.param({"width": 3, "height": 3}, marks=pytest.mark.slow)],
    ids=str,
)
def test_robots_with_all_that_nature_does(parameters: dict[str, Any]) -> None:
    whole(generate("robots", 1, robots=2, conveyors=0, **parameters), "all")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_three_robots_with_all_that_nature_does(seed: int) -> None:
    whole(generate("robots", seed, width=4, height=2, robots=3, conveyors=0), "all")


@pytest.mark.long
@pytest.mark.parametrize("conveyors", [1, 2, 4])
def test_robots_on_belts_that_nature_exchanges(conveyors: int) -> None:
    level = generate("robots", 0, width=3, height=3, robots=2, conveyors=conveyors)
    assert NATURE in level.game.actors(level)
    assert check_kernel(level, walks=2, depth=30, whole=400, nature=True) > 400
