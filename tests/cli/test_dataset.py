"""Tests of `dataset`: folders that come back, the same bytes, cards, and levels that are left out."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

import gridproof as gp
from gridproof.agents.demonstrations import record_games
from gridproof.envs import label_positions

from .conftest import Run

LEVELS = """\
#######
#@ $ .#
#######

######
#@   #
#   $#
#.   #
######

########
#  . . #
# $  $ #
#@     #
########
"""
"""The second one has no solution."""


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / "three.xsb"
    path.write_text(LEVELS)
    return str(path)


def test_games_are_written_as_parquet(run: Run, pack: str, tmp_path: Path) -> None:
    out = tmp_path / "games"
    answer = run("dataset", pack, "--out", str(out), "--json")
    assert answer.status == 3
    assert "three.xsb#2: it has no solution" in answer.err
    last = answer.lines[-1]
    assert (last["left_out"], last["statistics"]["levels"]) == (1, "2")
    dataset = gp.dataset(out)
    table = dataset.table()
    levels = gp.read(Path(pack))
    one, other = (gp.solve(levels[number]) for number in (0, 2))
    assert table["level"].to_pylist() == [0] * (one.cost or 0) + [2] * (other.cost or 0)
    assert table["distance"].to_pylist()[0] == one.cost
    boards = np.array(table["observation"].to_pylist(), np.uint8)
    assert boards.reshape(-1, *dataset.content["observation_shape"]).shape[1:] == (5, 8)
    assert gp.read(out / "levels.xsb") == levels


@pytest.mark.slow
def test_data_set_is_the_same_again(run: Run, pack: str, tmp_path: Path) -> None:
    for content, form in (("games", "parquet"), ("games", "npz"), ("positions", "parquet")):
        folders = [tmp_path / f"{content}-{form}-{number}" for number in (1, 2)]
        for folder in folders:
            assert run("dataset", pack, "--content", content, "--to", form, "--out", str(folder)).status in (
                0,
                3,
            )
        first, second = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
        assert first == second
        lines = "".join(
            f"{hashlib.sha256(data).hexdigest()}  {name}\n"
            for name, data in sorted(first.items())
            if name != "README.md"
        )
        card = first["README.md"].decode()
        assert hashlib.sha256(lines.encode()).hexdigest() in card
        assert f"gridproof dataset three.xsb --content {content} --to {form}" in card
        assert str(tmp_path) not in card
        assert {*re.findall(r"^\| `(\w+)`", card, re.MULTILINE)} >= {"level", "observation", "distance"}


@pytest.mark.long
def test_positions_are_labelled(run: Run, tmp_path: Path) -> None:
    for form in ("parquet", "npz"):
        out = tmp_path / form
        answer = run(
            "dataset", "sokoban/first-steps/1", "--content", "positions", "--to", form, "--out", str(out)
        )
        assert answer.status == 0
    labels = label_positions("sokoban/first-steps/1")
    table, arrays = gp.dataset(tmp_path / "parquet").table(), np.load(tmp_path / "npz" / "positions.npz")
    for name, column in labels.items():
        np.testing.assert_array_equal(arrays[name], column)
        np.testing.assert_array_equal(np.array(table[name].to_pylist()).reshape(column.shape), column)
    assert f"dead positions: {(labels['distance'] == -1).sum()} (" in answer.out


def test_card_names_own_player_without_its_folder(run: Run, tmp_path: Path) -> None:
    player = tmp_path / "my.py"
    player.write_text("def play(position):\n    return position.actions()[0]\n")
    out = tmp_path / "games"
    assert run("dataset", "shiftit-easy/1", "--player", f"{player}:play", "--out", str(out)).status == 0
    card = (out / "README.md").read_text()
    assert "--player my.py:play" in card
    assert str(tmp_path) not in card


@pytest.mark.long
def test_games_of_another_player_are_written(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games"
    options = ("--player", "random", "--games", "3", "--seed", "5", "--to", "npz")
    assert run("dataset", "twenty48-easy", *options, "--out", str(out)).status == 0
    arrays = np.load(out / "games.npz")
    episodes = record_games(gp.levels_at("twenty48-easy"), "random", 3, 5)
    np.testing.assert_array_equal(arrays["action"], np.concatenate([one.action for one in episodes]))
    assert arrays["seed"].dtype == np.uint64
    assert "distance" not in arrays


@pytest.mark.long
def test_data_set_does_not_depend_on_processes(run: Run, pack: str, tmp_path: Path) -> None:
    for content in ("games", "positions"):
        digests = {
            run("dataset", pack, "--content", content, "--jobs", jobs, "--out", str(tmp_path / f"{content}{jobs}"), "--json").lines[-1]["digest"]
            for jobs in "12"
        }  # fmt: skip
        assert len(digests) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sokoban-easy", "--to", "csv"), "no 'csv': choose parquet, npz, minari"),
        (("sokoban-easy", "--content", "wins"), "no 'wins': choose games, positions"),
        (
            ("sokoban-easy", "--content", "positions", "--games", "2"),
            "--games does not apply with --content positions",
        ),
        (
            ("sokoban-easy/1", "--content", "positions", "--states", "9"),
            "sokoban-easy/1 has no level for a data set",
        ),
        (("sokoban-easy", "--player", "best"), "sokoban has no player 'best'"),
    ],
)
def test_dataset_refuses_invalid_input(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    answer = run("dataset", *arguments, "--out", str(tmp_path / "new"))
    assert answer.status == 2
    assert message in answer.err


@pytest.mark.parametrize("form", ["parquet", "npz"])
def test_dataset_writes_nothing_without_levels(run: Run, tmp_path: Path, form: str) -> None:
    options = ("sokoban-easy/1", "--content", "positions", "--to", form, "--out", str(tmp_path / "new"))
    refused = run("dataset", *options, "--states", "9")
    assert refused.status == 2
    assert "sokoban-easy/1: the limit of positions was reached\n" in refused.err
    assert not [*(tmp_path / "new").iterdir()]
    assert run("dataset", *options).status == 0


def test_dataset_refuses_several_actors_before_it_solves(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("gridproof.games.robots.env.RobotsEnvs.joint")
    monkeypatch.setattr("gridproof.cli.dataset._prepare", pytest.fail)
    answer = run("dataset", "robots/races", "--out", str(tmp_path / "new"))
    assert (answer.status, "for one of several actors" in answer.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("content", ["games", "positions"])
def test_dataset_of_robots_has_targets(run: Run, tmp_path: Path, content: str) -> None:
    out = tmp_path / "robots"
    assert run("dataset", "robots-easy/1", "--content", content, "--out", str(out)).status == 0
    table = gp.dataset(out).table()
    assert table["distance"].to_pylist()[0] == 6
    assert "7 `b:walk(1,0)`" in (out / "README.md").read_text()


def test_dataset_keeps_other_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    answer = run("dataset", "sokoban-easy", "--out", str(tmp_path))
    assert (answer.status, answer.err) == (2, f"error: {tmp_path} is not empty; give a new folder\n")
    answer = run("dataset", "sokoban-easy", "--out", str(tmp_path / "notes.txt"))
    assert answer.err == f"error: {tmp_path / 'notes.txt'} is a file; give a folder\n"
    assert "there is no folder" in run("dataset", "sokoban-easy", "--out", str(tmp_path / "no" / "new")).err


def test_minari_is_missing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "minari", None)
    answer = run("dataset", "sokoban-easy", "--to", "minari", "--out", str(tmp_path / "new"))
    assert answer.err == "error: Minari is not installed: pip install 'gridproof[minari]'\n"
