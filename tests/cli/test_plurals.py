"""Singular and plural: "1 levels" is printed nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gridproof.cli.progress import Progress

from .conftest import Run

ONE_OF_MANY = re.compile(r"(?<![\w.,:])1 [a-z]+s\b(?! \d)")
"""Excludes "pushes 1 status", where the word stands before its number."""
LEVELS = {"one.xsb": "#####\n#@$.#\n#####\n", "shut.xsb": "######\n#@#$.#\n######\n"}


@pytest.fixture
def level(tmp_path: Path) -> dict[str, str]:
    for name, text in LEVELS.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in LEVELS}


def ask(run: Run, *arguments: str, typed: str = "") -> str:
    answer = run(*arguments, input=typed)
    told = answer.out + answer.err
    assert not ONE_OF_MANY.search(told), told
    return told


def test_singular_of_level(run: Run, level: dict[str, str], tmp_path: Path) -> None:
    assert "1 level\n" in ask(run, "levels", level["one.xsb"])
    assert "1 level written" in ask(run, "convert", level["one.xsb"], str(tmp_path / "one.slc"))
    small = ("--set", "width=5", "--set", "height=5", "--set", "boxes=1")
    assert "1 level written" in ask(run, "generate", "sokoban", *small, "--save", str(tmp_path / "made.xsb"))


def test_singular_of_measures(run: Run, level: dict[str, str]) -> None:
    told = {
        what: ask(run, "solve", level["one.xsb"], "--minimise", what) for what in ("pushes", "moves", "any")
    }
    assert "1 push, the fewest; " in told["pushes"]
    assert "1 move, the fewest; " in told["moves"]
    assert ": 1 action; " in told["any"]


def test_singular_of_position(run: Run, level: dict[str, str]) -> None:
    assert ": 1 position; 0 transitions, " in ask(run, "explore", level["shut.xsb"])
    assert ": 2 positions; 1 transition, " in ask(run, "explore", level["one.xsb"])


def test_singular_of_request(run: Run) -> None:
    told = ask(run, "watch", "robots/races/1", "--strategies", "planner", "--max-requests", "1")
    assert "after 1 request\n" in told


def test_singular_of_action(run: Run, level: dict[str, str], tmp_path: Path) -> None:
    saved = tmp_path / "one.json"
    told = ask(run, "play", "--plain", "--no-keep", "null/first/2", "--save", str(saved), typed="right\n")
    assert f"1 action saved in {saved}" in told


def test_singular_of_argument(run: Run) -> None:
    assert "won with 1 argument: " in ask(run, "solve", "null/first/1", "--goal", "won(1)")


def interrupt(unit: str, whole: int | None) -> None:
    with Progress("Trying", unit, whole) as progress:
        progress(1)
        raise KeyboardInterrupt


def test_singular_in_progress_of_interrupted_work(capsys: pytest.CaptureFixture[str]) -> None:
    for unit, whole in (("levels", None), ("levels", 3), ("pushes", None)):
        with pytest.raises(KeyboardInterrupt):
            interrupt(unit, whole)
    first, second, third = capsys.readouterr().err.splitlines()
    assert first.startswith("Trying: interrupted after 1 level, ")
    assert second.startswith("Trying: interrupted after 1 of 3 levels, ")
    assert third.startswith("Trying: interrupted after 1 push, ")
