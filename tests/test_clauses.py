"""Every clause of every game has a test that carries its number, and every number is a clause."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path

import pytest
from tests.clauses import code_places, proofs

import gridproof as gp

ROOT = Path(__file__).parent.parent
COUNTS = {"robots": ("R", 33), "shiftit": ("S", 27), "sokoban": ("K", 22), "twenty48": ("T", 18)}
"""The clauses of the settled rules: a game cannot forget one."""
NAMES = ("null", *gp.game_names())


@functools.cache
def carried() -> Counter[str]:
    """How many tests carry each clause."""
    return Counter(proof.clause for folder in ("tests", "examples") for proof in proofs(ROOT / folder))


@pytest.mark.parametrize("name", NAMES)
def test_clauses_are_numbered_from_1_under_one_letter(name: str) -> None:
    clauses = list(gp.game(name).clauses)
    letter = clauses[0][0]
    assert clauses == [f"{letter}{number}" for number in range(1, len(clauses) + 1)]
    assert (letter, len(clauses)) == COUNTS.get(name, (letter, len(clauses)))


@pytest.mark.parametrize("name", NAMES)
def test_clauses_have_tests(name: str) -> None:
    without = sorted(gp.game(name).clauses.keys() - carried().keys(), key=lambda clause: int(clause[1:]))
    assert not without, f"clauses of {name} that no test carries: {', '.join(without)}"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_clauses_stand_beside_code(name: str) -> None:
    game = gp.game(name)
    missing = sorted(game.clauses.keys() - {place.clause for place in code_places(game)})
    assert not missing, f"clauses of {name} that no comment or docstring names: {', '.join(missing)}"


def test_marks_name_clauses() -> None:
    known = [clause for name in NAMES for clause in gp.game(name).clauses]
    assert len(known) == len(set(known)), "two games have a clause of the same name"
    assert not carried().keys() - set(known), "marks that name no clause"
