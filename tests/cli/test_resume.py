"""Saved games, and their continuation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

import gridproof as gp
from gridproof.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    address = f"sqlite:///{tmp_path}/store.sqlite"
    monkeypatch.setenv("GRIDPROOF_STORE", address)
    return address


def play(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gridproof", "play", "--plain", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.long
def test_play_resumes_game_where_it_was_left(url: str) -> None:
    assert play("null/first/2", typed="right\nhop\n").returncode == 0
    left = Store(url).resume(str(Store(url).latest())).position
    again = play("--resume", typed="undo 2\n")
    assert left.text().strip() in again.stdout
    assert ".@....o" in again.stdout
    assert Store(url).resume(str(Store(url).latest())).actions_done == 0


@pytest.mark.long
def test_resume_finds_game_by_its_levels(url: str) -> None:
    play("null/first/2", typed="right\n")
    play("null/first/3", typed="left\nleft\n")
    assert "actions 1" in play("null/first/2", "--resume").stdout
    assert "actions 2" in play("null/first/3", "--resume").stdout
    nothing = play("null/first/1", "--resume")
    assert nothing.returncode == 2
    assert nothing.stderr == "error: no game to resume of null/first/1\n"
    assert url


@pytest.mark.long
def test_win_prints_best_counts(url: str) -> None:
    assert "Best results so far: actions 3." in play("null/first/1", typed="left\nright\nright\n").stdout
    assert "Best results so far: actions 1." in play("null/first/1", typed="right\n").stdout
    assert len(Store(url).traces(gp.levels_at("null/first/1")[0])) == 2


@pytest.mark.long
def test_high_scores_survive_the_process(url: str) -> None:
    text = "2048 2x2\n2 2\n0 0\n"
    level = gp.read(text)[0]
    with_points = play("-", typed="")  # nothing on standard input is no level
    assert with_points.returncode == 2
    gp.Session(level, store=Store(url)).act("left")
    assert gp.Session(level, store=Store(url)).high_score >= 4
    assert Store(url).high_score("twenty48 2x2 spec") == 4


@pytest.mark.long
def test_play_without_keep_saves_nothing(url: str) -> None:
    assert play("null/first/2", "--no-keep", typed="right\n").returncode == 0
    assert Store(url).latest() is None


@pytest.mark.long
def test_json_play_is_not_saved(url: str) -> None:
    assert play("null/first/2", "--json", typed="right\n").returncode == 0
    assert Store(url).latest() is None


def test_play_works_when_store_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDPROOF_STORE", "nonsense")
    talk = play("null/first/1", typed="right\n")
    assert talk.returncode == 0
    assert "this game is not saved" in talk.stderr
    assert "You have won!" in talk.stdout
    assert play("--resume").returncode == 2


def test_play_refuses_neither_level_nor_resume() -> None:
    assert play().stderr == "error: give a level or a pack (see `gridproof levels`), or --resume\n"


def test_resumed_game_keeps_its_seed(url: str) -> None:
    play("null/first/2", typed="right\n")
    for seed in ("5", "0"):
        again = play("--resume", "--seed", seed)
        assert again.returncode == 2
        assert "--seed does not apply to a resumed game" in again.stderr
    assert url


def test_play_takes_name_of_game_as_its_first_pack() -> None:
    whole, alone = play("null/first", "--no-keep"), play("null", "--no-keep")
    assert alone.returncode == 0
    assert alone.stdout == whole.stdout


@pytest.mark.parametrize("level", ["-", "-#1"])
def test_play_reads_actions_from_standard_input(level: str) -> None:
    answer = play("--no-keep", "--", level, typed="#####\n#@$.#\n#####\n")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "give a file for the level; standard input is for your typing" in answer.stderr


def test_play_refuses_unwritable_trace_before_the_game(tmp_path: Path) -> None:
    answer = play("null/first/1", "--no-keep", "--save", f"{tmp_path}/nowhere/x.json", typed="right\n")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert f"{tmp_path}/nowhere/x.json: there is no folder" in answer.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_resume_skips_game_that_is_not_installed(url: str) -> None:
    play("null/first/2", typed="right\n")
    play("null/first/3", typed="right\n")
    latest = str(Store(url).latest())
    database = sa.create_engine(url)
    with database.begin() as connection:
        connection.execute(sa.text("update sessions set game = 'gone' where id = :id"), {"id": latest})
    database.dispose()
    resumed = play("--resume", typed="quit\n")
    assert resumed.returncode == 0
    assert "actions 1" in resumed.stdout
    assert resumed.stderr.endswith(" cannot be opened because the game gone is not installed\n")


@pytest.mark.long
def test_resume_notes_a_missing_game_once(url: str) -> None:
    for _ in range(3):
        gp.Session(gp.levels_at("null/first/3"), 0, Store(url)).act("right")
    database = sa.create_engine(url)
    with database.begin() as connection:
        connection.execute(sa.text("update sessions set game = 'gone'"))
    database.dispose()
    resumed = play("--resume")
    assert resumed.returncode == 2
    assert resumed.stderr.count("the game gone is not installed") == 1
