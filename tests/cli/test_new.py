"""`new` makes a puzzle that passes the conformance kit and its own test."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.cli.conftest import Run

NAME = "my_walk"


@pytest.fixture
def puzzle(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a new puzzle, and return its folder."""
    monkeypatch.chdir(tmp_path)
    made = run("new", NAME)
    assert (made.status, made.err) == (0, "")
    assert made.out.startswith("my_walk: 12 files. Install it and run its tests:\n  cd my_walk\n")
    return tmp_path / NAME


def environment_of(puzzle: Path) -> dict[str, str]:
    """Return the environment of a process that finds the puzzle as if it were environment_of."""
    points = tomllib.loads((puzzle / "pyproject.toml").read_text())["project"]["entry-points"]
    about = puzzle.parent / "site" / f"gridproof_{NAME}-0.1.0.dist-info"
    about.mkdir(parents=True)
    about.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: gridproof-{NAME}\nVersion: 0.1.0\n")
    lines = [f"{name} = {value}" for name, value in points["gridproof.games"].items()]
    about.joinpath("entry_points.txt").write_text("\n".join(["[gridproof.games]", *lines, ""]))
    paths = [str(puzzle / "src"), str(about.parent), os.environ.get("PYTHONPATH", "")]
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}  # of this run
    return {**own, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@pytest.mark.long
def test_new_puzzle_passes_its_tests_and_the_conformance_kit(puzzle: Path) -> None:
    given = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    ran = subprocess.run(
        given, cwd=puzzle, env=environment_of(puzzle), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout
    assert "warning" not in (ran.stdout + ran.stderr).lower()


@pytest.mark.slow
def test_new_puzzle_is_listed_and_solved(puzzle: Path) -> None:
    given = [sys.executable, "-m", "gridproof", "solve", f"{NAME}/first/1"]
    ran = subprocess.run(
        given, cwd=puzzle, env=environment_of(puzzle), capture_output=True, text=True, check=False
    )
    assert ran.stdout.startswith("my_walk/first/1  One step: 1 action, the fewest"), ran.stderr


def test_new_puzzle_does_not_mention_the_template(puzzle: Path) -> None:
    for path in puzzle.rglob("*.*"):
        assert "null" not in path.read_text().lower(), path


def test_new_lists_files_as_json(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("new", "walk", "--json").json
    assert made["folder"] == "walk"
    assert all((tmp_path / "walk" / name).is_file() for name in made["files"])
    assert {"pyproject.toml", "tests/test_walk.py", "src/gridproof_walk/levels/first.walk"} < {*made["files"]}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("there", "there exists already; choose another name or remove it"),
        (
            "My-Walk",
            "'My-Walk' is not a valid name; use lower-case letters, digits and _, starting with a letter",
        ),
        (
            "2walk",
            "'2walk' is not a valid name; use lower-case letters, digits and _, starting with a letter",
        ),
        (
            "../walk",
            "'../walk' is not a valid name; use lower-case letters, digits and _, starting with a letter",
        ),
        ("class", "'class' is a Python keyword; choose another name"),
        ("import", "'import' is a Python keyword; choose another name"),
        ("gridproof", "'gridproof' is the name of this package; choose another name"),
        ("sokoban", "the game sokoban exists already; choose another name"),
        ("null", "the game null exists already; choose another name"),
        ("lights_out", "the game lights_out exists already"),
    ],
)
def test_new_refuses_invalid_names(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    refused = run("new", name)
    assert refused.status == 2
    assert message in refused.err
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
