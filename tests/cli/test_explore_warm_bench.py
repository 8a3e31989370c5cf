"""`explore`, `warm` and `bench`: output and exit status."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import gridproof as gp
from gridproof.analysis import warm as analysis_warm
from gridproof.cli import bench
from gridproof.cli import warm as warming
from gridproof.envs import warm as envs_warm
from gridproof.prove import warm as prove_warm
from gridproof.search import warm

from .conftest import Run


def test_explore_counts_positions(run: Run) -> None:
    answer = run("explore", "shiftit/boards/1")
    assert answer.status == 0
    first, second = answer.out.splitlines()
    level = gp.levels_at("shiftit/boards/1")[0]
    space = gp.explore(level)
    assert first.startswith(f"shiftit/boards/1  {level.title}: {space.states} positions; ")
    assert second == "  by depth: " + ", ".join(map(str, space.by_depth))


def test_explore_prints_counts_as_json(run: Run) -> None:
    data = run("explore", "null/first/2", "--json").json
    assert data.pop("seconds") >= 0
    assert data == {
        "level": "null/first/2",
        "game": "null",
        "title": "A walk",
        "actors": None,
        "states": 7,
        "transitions": 21,
        "by_depth": [1, 3, 2, 1],
        "complete": True,
        "stopped_by": None,
        "engine": "rules",
        "refused": None,
    }


@pytest.mark.parametrize(
    ("option", "value", "limit"), [("--states", "3", "limit of positions"), ("--seconds", "0", "time limit")]
)
def test_explore_reports_reached_limit(run: Run, option: str, value: str, limit: str) -> None:
    answer = run("explore", "sokoban/first-steps/5", option, value)
    assert answer.status == 3
    assert f"incomplete, the {limit} was reached after " in answer.out
    data = run("explore", "sokoban/first-steps/5", option, value, "--json").json
    assert (data["complete"], data["stopped_by"]) == (False, option[2:])
    assert sum(data["by_depth"]) == data["states"]


def test_explore_takes_actors(run: Run) -> None:
    one, both, every = (
        run("explore", "robots/races/1", *options, "--states", "200", "--json").json["states"]
        for options in (["--actors", "a"], [], ["--actors", "all"])
    )
    assert one <= both <= every


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--actors", "bob"], "no actor 'bob': the level has player"),
        (["--actors", ""], "no actor '': the level has player"),
        (["--states", "-1"], "limit states=-1: it must be a number of at least 0"),
        (["--seconds", "nan"], "limit seconds=nan: it must be a number of at least 0"),
    ],
)
def test_explore_refuses_invalid_options(run: Run, arguments: list[str], message: str) -> None:
    answer = run("explore", "null/first/2", *arguments)
    assert answer.status == 2
    assert message in answer.err


def test_warm_prints_a_line_for_each_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = {"robots": ["the rules"], "shiftit": ["the rules", "new levels"]}
    monkeypatch.setattr(warm, "warm", lambda game: iter(done.get(game.name, ())[:1]))
    monkeypatch.setattr(prove_warm, "warm", lambda game: iter(done.get(game.name, ())[1:]))
    monkeypatch.setattr(analysis_warm, "warm", lambda game: iter(()))
    monkeypatch.setattr(envs_warm, "warm", lambda game: iter(()))
    answer = run("warm")
    assert answer.status == 0
    lines = [re.sub(r"[0-9.]+ s$", "0 s", line) for line in answer.out.splitlines()]
    assert {"robots: 1 engine, 0 s", "shiftit: 2 engines, 0 s", "sokoban: has no kernels to compile"} <= set(
        lines
    )


def test_warm_compiles_one_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (warm, prove_warm, analysis_warm, envs_warm):
        monkeypatch.setattr(module, "warm", lambda game: iter([game.title]))
    assert [(line["game"], set(line["engines"])) for line in run("warm", "twenty48", "--json").lines] == [
        ("twenty48", {"2048"})
    ]
    assert "no game 'chess'" in run("warm", "chess").err


def test_warm_skips_environments_without_their_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (warm, prove_warm, analysis_warm):
        monkeypatch.setattr(module, "warm", lambda game: iter(()))
    monkeypatch.setattr(envs_warm, "warm", lambda game: iter(["environments"]))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pettingzoo" else name)
    engines = {line["game"]: line["engines"] for line in run("warm", "--json").lines}
    assert engines == {name: [] for name in gp.game_names()}
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "gridproof.envs.warm", None)  # another import that fails is not hidden
    with pytest.raises(ImportError):
        warming.warm()


@pytest.mark.slow
def test_bench_prints_positions_per_second(run: Run) -> None:
    data = run("bench", "shiftit", "--seconds", "0.2", "--json").json
    assert data["game"] == "shiftit"
    assert data["states"] > 0
    assert data["per_second"] > 0
    assert data["per_second_by_rules"] > 0


def test_bench_compares_kernel_with_rules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "explore", lambda *_, **__: SimpleNamespace(states=9000, seconds=0.5))
    by_rules = SimpleNamespace(states=200, seconds=0.25)
    monkeypatch.setattr(bench, "explore_by_rules", lambda *_, **__: by_rules)
    data = run("bench", "shiftit", "--json").json
    assert (data["states"], data["per_second"], data["per_second_by_rules"]) == (9000, 18000, 800)
    assert data["ratio"] == 22.5
    told = " ".join(run("bench", "shiftit").out.split())
    assert told.endswith(": 18,000 positions per second (9,000 found), 22.5 times the rules' 800")
    assert run("bench", "chess").status == 2


@pytest.mark.long
def test_second_process_compiles_nothing(process: Run, tmp_path: Path) -> None:
    """A small level that its rules alone would take long for: cold, and found on disk."""
    arguments = ("solve", "shiftit/boards/12", "--states", "30000", "--json")

    def cached_files() -> dict[Path, int]:
        """The files that are there afterwards, and when they were written."""
        answer = process(*arguments, NUMBA_CACHE_DIR=str(tmp_path))
        assert json.loads(answer.out)["engine"] == "listed-wins"
        return {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb*")}

    cold = cached_files()
    assert cold
    assert cached_files() == cold


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve", "explore"])
def test_reason_is_printed_when_no_kernel_works(command: str, run: Run, tmp_path: Path) -> None:
    board = tmp_path / "wide.shiftit"
    board.write_text(
        "shiftit 7x6\n" + "\n".join(" ".join("rgbrgbr"[(x + 2 * y) % 7] for x in range(7)) for y in range(6))
    )
    answer = run(command, str(board), "--states", "15000")
    assert answer.status == 3
    assert " s by rules\n" in answer.out
    assert "slower because the level is too large for the kernel" in answer.out
