"""`train`: a line for each report, a file to go on with, and errors before any work."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridproof.games.twenty48.network import load_network

from .conftest import Run

LEVEL = "2048 2x2 spawn=classic target=16\n"


@pytest.fixture
def level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("small.2048").write_text(LEVEL)
    return "small.2048"


def test_train_prints_reports_and_saves(run: Run, level: str) -> None:
    answer = run(
        "train", level, "--out", "net.npz", "--games", "200", "--report", "100", "--rate", "0.5", "--json"
    )
    assert answer.status == 0
    *reports, saved = answer.lines
    assert [report["games"] for report in reports] == [100, 200]
    assert saved == {"saved": "net.npz"}
    assert load_network(Path("net.npz")).facts["plan"]["rate"] == 0.5
    more = run("train", level, "--out", "net.npz", "--games", "300", "--report", "100", "--resume")
    assert more.out.startswith("300 games: score ")
    assert more.out.endswith("saved in net.npz\n")


def test_trained_network_is_evaluated(run: Run, level: str) -> None:
    run("train", level, "--out", "net.npz", "--games", "100")
    own = ("--levels", level, "--file", "net.npz", "--games", "20", "--json")
    assert run("evaluate", "twenty48", "--player", "network", *own).json["games"] == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sokoban", "--out", "net.npz"), "sokoban has no player that learns"),
        (("small.2048", "--out", "small.2048"), "small.2048 exists already; use --force to overwrite it"),
        (("small.2048", "--out", "no/net.npz"), "no/net.npz: there is no folder no"),
        (("small.2048", "--out", "net.npz", "--resume"), "net.npz: No such file or directory"),
        (("small.2048", "--out", "net.npz", "--tuples", "04"), "tuple 04: the board of 2x2 has no such cell"),
    ],
)
def test_train_refuses(run: Run, level: str, arguments: tuple[str, ...], message: str) -> None:
    answer = run("train", *arguments, "--games", "1")
    assert answer.status == 2
    assert answer.err == f"error: {message}\n"
