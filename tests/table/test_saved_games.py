"""Traces that are saved in the middle of a game, and at its end."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.table.games import TWO_LEVELS, null, played

import gridproof as gp
from gridproof.console.plain import PlainPlay
from gridproof.core.session import Session
from gridproof.table.table import Table


def test_save_writes_trace_in_mid_game(tmp_path: Path) -> None:
    path = tmp_path / "my trace.json"
    text, session = played(null("null/first/3"), "left", f"save {path}", "left", f"save {path}")
    assert f"1 action saved in {path}\n" in text
    assert gp.Trace.load(path).replay() == session.position


def test_save_does_not_overwrite_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("mine")
    text, _ = played(null(), f"save {path}", "save /nowhere/x.json")
    assert path.read_text() == "mine"
    assert "the file exists" in text
    assert "/nowhere/x.json: No such file or directory" in text


def test_traces_are_saved_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    text, session = played(null("null/first/3"), "left", save=path)
    assert gp.Trace.load(path).replay() == session.position
    assert text.endswith(f"1 action saved in {path}\nGood-bye!\n")


def test_levels_are_saved_in_their_own_files(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played(gp.read(TWO_LEVELS), "r", "r", save=path)
    assert not path.exists()
    assert gp.Trace.load(tmp_path / "game-1.json").replay().won
    assert len(gp.Trace.load(tmp_path / "game-2.json").steps) == 1


def test_failure_to_save_at_the_end_is_reported(tmp_path: Path) -> None:
    output = io.StringIO()
    table = Table(Session(null()), save=tmp_path / "no" / "where.json")
    with pytest.raises(gp.GridproofError, match="No such file or directory"):
        PlainPlay(table, io.StringIO("left\n"), output).run()
    assert output.getvalue().endswith("Good-bye!\n")


@pytest.mark.parametrize("name", ["~nobody-of-this-name/x", "n" * 5000])
def test_save_refuses_impossible_file_and_the_game_continues(name: str) -> None:
    text, session = played(null(), f"save {name}", "right")
    assert "Type ? for help" in text
    assert session.actions_done == 1
