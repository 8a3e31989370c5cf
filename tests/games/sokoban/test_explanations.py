"""Why a level is impossible, in a sentence: true wherever it is said."""

from __future__ import annotations

import random

import pytest
from tests.work import lines_run

import gridproof as gp
from gridproof.games.sokoban import reasons
from gridproof.games.sokoban.reasons import why_never_won
from gridproof.games.sokoban.rules import Level

CORNER = "######\n#$ . #\n#@   #\n######\n"
ROOM = "##########\n#@ $    .#\n#  $    .#\n#        #\n##########\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (CORNER, "the box at (1, 1) can never be moved, and is on no depot"),
        (CORNER + "Bombs: 1\n", ""),  # its walls could be gone
        ("#######\n#@$.#$#\n#  .# #\n#######\n", "the box at (5, 1) can never be moved, and is on no depot"),
        ("#######\n#@    #\n#   . #\n#  $  #\n#######\n", "the box at (3, 3) can reach no depot"),
        ("########\n#  $@ .#\n########\n", "the box at (3, 1) can reach no depot"),  # from the other side
        ("########\n#. $@  #\n########\n", ""),
        (
            "########\n#@$$   #\n# $$ ..#\n#    ..#\n########\n",
            "the box at (2, 1) can never be moved, and is on no depot",
        ),
        (
            "#########\n#@ $ $ .#\n#   #####\n#  .#\n#####\n",
            "the boxes at (3, 1), (5, 1) can reach only the depot at (7, 1)",
        ),
        (ROOM, ""),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    (level,) = gp.read(text)
    assert why_never_won(level.start()) == reason  # type: ignore[arg-type]  # Sokoban's
    if reason:
        solution = gp.solve(level)
        assert (solution.found, solution.reason) == (False, reason)


def test_nothing_is_said_after_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = gp.read("#######\n#@    #\n#   . #\n#  $  #\n#######\n")
    monkeypatch.setattr(reasons, "_PURSE", 20)
    assert why_never_won(level.start()) == ""  # type: ignore[arg-type]  # Sokoban's


def stairs(steps: int) -> Level:
    """A box in a corner, and a flight of boxes each of which is free to move once the one before has gone."""
    flight = [(3 + (i + 1) // 2, 3 + i // 2) for i in range(2 * steps)]
    boxes, size = [(0, 0), *flight], (steps + 6, steps + 6)
    depots = [(x, y + 2) for x, y in boxes]
    return Level((2, 0), 0, boxes, depots, [], size)


def test_boxes_that_come_free_one_by_one_are_looked_at_a_few_times_each() -> None:
    def work(steps: int) -> int:
        position = stairs(steps).start()
        assert why_never_won(position) == "the box at (0, 0) can never be moved, and is on no depot"
        return lines_run(lambda: why_never_won(position))

    assert work(40) < 3 * work(20)


def test_boxes_that_are_looked_at_count_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "_PURSE", 40)
    assert why_never_won(stairs(10).start()) != ""
    monkeypatch.setattr(reasons, "_PURSE", 20)
    assert why_never_won(stairs(10).start()) == ""


def test_bombs_whose_lines_take_too_long_to_find_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = gp.read("######\n#$ . #\n#@   #\n######\nBombs: 1\n")
    monkeypatch.setattr(reasons, "_PURSE", 5)
    assert why_never_won(level.start()) == ""  # type: ignore[arg-type]  # Sokoban's


def drawn(seed: int) -> Level:
    chance = random.Random(seed)
    size = chance.randint(3, 4), chance.randint(3, 4)
    player, *cells = chance.sample(
        [(x, y) for x in range(size[0]) for y in range(size[1])], size[0] * size[1]
    )
    boxes, walls = chance.randint(1, 2), chance.randint(0, len(cells) // 2)
    rest = cells[2 * boxes :][:walls]
    return Level(player, chance.randint(0, 1), cells[:boxes], cells[boxes : 2 * boxes], rest, size)


def test_what_has_a_reason_is_impossible() -> None:
    said = 0
    for level in map(drawn, range(120)):
        if why_never_won(level.start()):
            said += 1
            assert not any(position.won for position in gp.explore(level))
    assert said > 20


def test_only_a_proof_has_a_reason() -> None:
    (level,) = gp.read(CORNER)
    assert gp.solve(level, goal="placed = 0").reason == ""
    assert gp.solve(level, goal="at(0,0)").reason == ""  # no way, and nothing is known of it
