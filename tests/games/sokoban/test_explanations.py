"""Explanations of impossible levels, which are always true."""

from __future__ import annotations

import random

import pytest
from tests.measurement import lines_run

import gridproof as gp
from gridproof.games.sokoban import explanations
from gridproof.games.sokoban.explanations import explain_dead_position
from gridproof.games.sokoban.rules import Level

CORNER = "######\n#$ . #\n#@   #\n######\n"
ROOM = "##########\n#@ $    .#\n#  $    .#\n#        #\n##########\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (CORNER, "the box in row 2, column 2 can never be moved, and is on no depot"),
        (CORNER + "Bombs: 1\n", ""),  # its walls could be gone
        (
            "#######\n#@$.#$#\n#  .# #\n#######\n",
            "the box in row 2, column 6 can never be moved, and is on no depot",
        ),
        ("#######\n#@    #\n#   . #\n#  $  #\n#######\n", "the box in row 4, column 4 can reach no depot"),
        (
            "########\n#  $@ .#\n########\n",
            "the box in row 2, column 4 can reach no depot",
        ),  # from the other side
        (
            "########\n#@   $ #\n##   ###\n#  .. #\n#$    #\n#######\n",
            "the box in row 5, column 2 can never be moved, and is on no depot",
        ),  # rather than the box above it, which can reach no depot either
        ("########\n#. $@  #\n########\n", ""),
        (
            "########\n#@$$   #\n# $$ ..#\n#    ..#\n########\n",
            "the boxes in row 2, column 3 and row 2, column 4 and row 3, column 3 and row 3, column 4 can never be moved, and are on no depot",
        ),
        (
            "#########\n#@ $ $ .#\n#   #####\n#  .#\n#####\n",
            "the boxes in row 2, column 4 and row 2, column 6 can reach only the depot in row 2, column 8",
        ),
        (ROOM, ""),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    (level,) = gp.read(text)
    assert explain_dead_position(level.start()) == reason  # type: ignore[arg-type]  # Sokoban's
    if reason:
        solution = gp.solve(level)
        assert (solution.found, solution.reason) == (False, reason)


def test_explanation_is_empty_after_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = gp.read("#######\n#@    #\n#   . #\n#  $  #\n#######\n")
    monkeypatch.setattr(explanations, "_CELL_BUDGET", 20)
    assert explain_dead_position(level.start()) == ""  # type: ignore[arg-type]  # Sokoban's


def stairs(steps: int) -> Level:
    """A box in a corner, and a flight of boxes each of which is free to move once the one before has gone."""
    flight = [(3 + (i + 1) // 2, 3 + i // 2) for i in range(2 * steps)]
    boxes, size = [(0, 0), *flight], (steps + 6, steps + 6)
    depots = [(x, y + 2) for x, y in boxes]
    return Level((2, 0), 0, boxes, depots, [], size)


def test_frozen_boxes_visits_each_box_a_few_times() -> None:
    def work(steps: int) -> int:
        position = stairs(steps).start()
        assert (
            explain_dead_position(position)
            == "the box in row 1, column 1 can never be moved, and is on no depot"
        )
        return lines_run(lambda: explain_dead_position(position))

    assert work(40) < 3 * work(20)


def test_explanation_counts_visited_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "_CELL_BUDGET", 40)
    assert explain_dead_position(stairs(10).start()) != ""
    monkeypatch.setattr(explanations, "_CELL_BUDGET", 20)
    assert explain_dead_position(stairs(10).start()) == ""


def test_explanation_is_empty_when_bomb_lines_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = gp.read("######\n#$ . #\n#@   #\n######\nBombs: 1\n")
    monkeypatch.setattr(explanations, "_CELL_BUDGET", 5)
    assert explain_dead_position(level.start()) == ""  # type: ignore[arg-type]  # Sokoban's


def random_level(seed: int) -> Level:
    chance = random.Random(seed)
    size = chance.randint(3, 4), chance.randint(3, 4)
    player, *cells = chance.sample(
        [(x, y) for x in range(size[0]) for y in range(size[1])], size[0] * size[1]
    )
    boxes, walls = chance.randint(1, 2), chance.randint(0, len(cells) // 2)
    rest = cells[2 * boxes :][:walls]
    return Level(player, chance.randint(0, 1), cells[:boxes], cells[boxes : 2 * boxes], rest, size)


@pytest.mark.slow
def test_explained_positions_are_impossible() -> None:
    said = 0
    for level in map(random_level, range(120)):
        if explain_dead_position(level.start()):
            said += 1
            assert not any(position.won for position in gp.explore(level))
    assert said > 20


def test_reason_is_empty_without_proof() -> None:
    (level,) = gp.read(CORNER)
    assert gp.solve(level, goal="placed = 0").reason == ""
    assert gp.solve(level, goal="at(0,0)").reason == ""  # no way, and nothing is known of it
