"""The start of a game in lines of text."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sqlite3
from pathlib import Path

import pytest
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("game", "title"), [("twenty48", "Always a 2"), ("sokoban", "Level 1 of 13: Straight In")]
)
def test_play_begins_with_welcome_and_first_steps(run: Run, game: str, title: str) -> None:
    assert title in run("play", game, "--no-keep").out


def test_play_prints_new_seed_of_random_game(run: Run) -> None:
    """Two games with random seeds are equal once in 480 times."""
    first, second = (run("play", "twenty48", "--no-keep", "--json").out for _ in range(2))
    assert first != second
    said = next(json.loads(line)["text"] for line in first.splitlines() if '"seed"' in line)
    seed = re.fullmatch("Seed: ([0-9]+). Use --seed to play this game again.", said)
    assert seed
    again = run("play", "twenty48", "--no-keep", "--json", "--seed", seed[1]).out
    assert again.splitlines() == [line for line in first.splitlines() if '"seed"' not in line]


def test_play_prints_no_seed_of_deterministic_game(run: Run) -> None:
    assert "seed" not in run("play", "sokoban", "--no-keep").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("twenty48",), "\nThank you for playing. Good-bye!\n"),
        (("--resume",), "\nGood-bye!\n"),
        (("--resume", "--json"), '{"kind": "farewell", "text": "Good-bye!"}\n'),
    ],
)
def test_ctrl_c_ends_play_while_store_is_locked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "store.sqlite"
    monkeypatch.setenv("GRIDPROOF_STORE", f"sqlite:///{path}")
    monkeypatch.setattr("gridproof.store.database.time.sleep", lambda _: signal.raise_signal(signal.SIGINT))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        answer = run("play", *arguments)
    assert (answer.status, answer.out, answer.err) == (0, said, "")
