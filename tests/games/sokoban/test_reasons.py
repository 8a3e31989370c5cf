"""Why a level is impossible, in a sentence: true wherever it is said."""

from __future__ import annotations

import random

import pytest

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
