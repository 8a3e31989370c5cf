"""LURD on the command line and in plain play (K22)."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run

LEVEL = "########\n#@ $  .#\n#      #\n########\nBombs: 1\n"


@pytest.mark.clause("K22")
@pytest.mark.parametrize(
    ("actions", "names"),
    [
        ("rRRR", ["right"] * 4),
        ("4r", ["right"] * 4),
        ("r 2R\nR", ["right"] * 4),
        ("right, 2r; R", ["right"] * 4),
        ("d!u", ["down", "bomb", "up"]),
        ("down bomb up", ["down", "bomb", "up"]),
        ("DULL", ["down", "up", "left", "left"]),
    ],
)
def test_solution_is_accepted_as_lurd_or_names(run: Run, actions: str, names: list[str]) -> None:
    lines = run("replay", "-", actions, "--json", input=LEVEL).lines
    assert [line["action"] for line in lines] == names


@pytest.mark.clause("K22")
@pytest.mark.parametrize("actions", ["3", "r 0l", "9999999r"])
def test_broken_lurd_is_refused(run: Run, actions: str) -> None:
    answer = run("replay", "-", actions, input=LEVEL)
    assert (answer.status, answer.out) == (2, "")
    assert "line 1, column" in answer.err


@pytest.mark.clause("K22")
def test_solution_is_printed_as_lurd_that_replays(run: Run) -> None:
    data = run("solve", "-", "--json", input=LEVEL).json
    assert data["text"] == "rRRR"
    assert run("replay", "-", data["text"], "--json", input=LEVEL).lines[-1]["status"] == "WON"
    assert run("solve", "-", input=LEVEL).out.endswith("\n  rRRR\n")


@pytest.mark.clause("K22")
@pytest.mark.usefixtures("close_stores")
def test_plain_play_accepts_lurd_on_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "level.xsb"
    path.write_text(LEVEL)
    answer = run("play", str(path), "--plain", input="r3R\n")
    assert answer.status == 0
    assert gp.game("sokoban").look.won in answer.out
