"""Tests of levels in PDDL and of plans; Fast Downward solves them where it is installed (`make test-peers`)."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.games.sokoban.formats.lurd import split_actions
from gridproof.games.sokoban.formats.pddl import is_plan, pddl, read_plan

LEVEL = "#####\n#@$.#\n#####\n"
BOMBED = "Bombs: 2\n\n#####\n#@$##\n##.##\n#####\n"
PLAN = (
    "(step c1-1 c2-1 right)\n(push c2-1 c3-1 c4-1 DOWN) ; a box\n(bomb c3-1 bomb0)\n; cost = 3 (unit cost)\n"
)
PLANNED = [
    *(f"sokoban/first-steps/{number}" for number in (1, 2, 3, 4, 5)),
    *(f"sokoban/bombs/{number}" for number in (1, 2, 3)),
]
SPEC = importlib.util.find_spec("up_fast_downward")


def test_problem_has_the_floor_and_what_stands_on_it() -> None:
    words = pddl(LEVEL, None)
    assert words.count("(") == words.count(")")
    for fact in ("(player-at c1-1)", "(box-at c2-1)", "(clear c1-1) (clear c3-1)", "(next c2-1 c3-1 right)"):
        assert fact in words
    assert "(:goal (and (box-at c3-1)))" in words
    assert "c0-0" not in words


def test_problem_with_bombs_has_the_whole_grid() -> None:
    words, domain = pddl(BOMBED, None), pddl(BOMBED, None, "domain")
    assert "(:domain sokoban-with-bombs)" in words
    assert "(define (domain sokoban-with-bombs)" in domain
    assert domain.count("(") == domain.count(")")
    for fact in ("(wall c0-0)", "(in c3-1 column3)", "(in c3-1 row1)", "(unused bomb0) (unused bomb1)"):
        assert fact in words


def test_domain_without_bombs_is_strips() -> None:
    domain = pddl(LEVEL, None, "domain")
    assert "(:requirements :strips :typing)" in domain
    assert "forall" not in domain


@pytest.mark.parametrize(
    ("text", "part", "reason"),
    [
        (LEVEL, "plan", "--part 'plan': choose from problem, domain"),
        (f"{LEVEL}\n{LEVEL}", None, "PDDL describes one level, and there are 2"),
        ("shiftit 2x2\nb r\nr b\n", None, "this is one of shiftit"),
    ],
)
def test_wrong_question_is_refused_in_words(text: str, part: str | None, reason: str) -> None:
    with pytest.raises(GridproofError, match=reason):
        pddl(text, "sokoban" if text.startswith("#") else None, part)


def test_plan_is_read_as_actions() -> None:
    assert is_plan(PLAN)
    assert split_actions(PLAN) == read_plan(PLAN) == ["right", "down", "bomb"]


@pytest.mark.parametrize(
    "text",
    ["", "; cost = 0", "right", "(right)", "(step right) up", "(jump a b right)", "(step)", "(", "r(2)"],
)
def test_other_texts_are_no_plans(text: str) -> None:
    assert not is_plan(text)


@pytest.mark.skipif(SPEC is None, reason="Fast Downward is not installed: make test-peers")
@pytest.mark.parametrize("name", PLANNED)
def test_shortest_plan_replays_and_is_as_long_as_the_solution(name: str, tmp_path: Path) -> None:
    level = gp.level(name)
    text = level.game.formats[0].write_level(level)
    (tmp_path / "problem.pddl").write_text(pddl(text, "sokoban"))
    (tmp_path / "domain.pddl").write_text(pddl(text, "sokoban", "domain"))
    assert SPEC is not None
    assert SPEC.origin is not None
    program = str(Path(SPEC.origin).parent / "downward" / "fast-downward.py")
    files = ["--plan-file", "plan", "domain.pddl", "problem.pddl"]
    subprocess.run(
        [sys.executable, program, *files, "--search", "astar(blind())"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    actions = split_actions((tmp_path / "plan").read_text())
    position = level.start()
    for action in actions:
        (outcome,) = position.outcomes(position.action(action))
        position = outcome.position
    assert position.won
    assert len(actions) == gp.solve(level).cost
