"""The command `explore`: graph files."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run


def test_explore_writes_graph(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "walk.tra"
    answer = run("explore", "null/first/2", "--graph", str(path))
    assert answer.status == 0
    assert answer.out.endswith(f"  graph in {path} and {tmp_path / 'walk.lab'}\n")
    assert path.read_text().startswith("mdp\n0 0 ")
    data = run("explore", "null/first/2", "--graph", str(tmp_path / "walk.aut"), "--json").json
    assert data["graph"] == [str(tmp_path / "walk.aut")]
    stopped = run("explore", "null/first/2", "--graph", str(tmp_path / "part.aut"), "--states", "3")
    assert (stopped.status, (tmp_path / "part.aut").exists()) == (3, False)
    said = f"note: {tmp_path / 'part.aut'} is not written: the limit of positions was reached before the exploration was complete\n"
    assert stopped.err == said
    wrong = run("explore", "null/first/2", "--graph", str(tmp_path / "walk.txt"))
    assert wrong.status == 2
    assert "graph files must end in .graphml, .dot, .aut, .tra, .prism.tra" in wrong.err


def test_explore_writes_model(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "walk.hoa"
    formulas = "--formula", "G F home", "--formula", "F won"
    answer = run("explore", "null/first/2", "--graph", str(path), *formulas, "--json")
    names = ["walk.hoa", "walk.never-1.hoa", "walk.never-2.hoa"]
    assert answer.json["graph"] == [str(tmp_path / name) for name in names]
    assert "null, null/first/2 " in path.read_text()
    again = run("explore", "null/first/2", "--graph", str(path), *formulas)
    assert (again.status, "exists already; use --force" in again.err) == (2, True)
    forced = " ".join(run("explore", "null/first/2", "--graph", str(path), *formulas, "--force").out.split())
    assert forced.endswith(f"graph in {path}, {tmp_path / names[1]} and {tmp_path / names[2]}")
    wrong = run("explore", "null/first/2", "--formula", "F won")
    assert (wrong.status, "--formula does not apply without --graph" in wrong.err) == (2, True)
    part = run("explore", "null/first/2", "--graph", str(tmp_path / "part.smv"), "--states", "2")
    assert (part.status, (tmp_path / "part.smv").exists()) == (3, False)


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_explore_counts_positions_of_each_level(run: Run, tmp_path: Path, jobs: str) -> None:
    answer = run("explore", "null/first", "--jobs", jobs, "--json")
    levels = gp.levels_at("null/first")
    assert [line["states"] for line in answer.lines] == [gp.explore(level).states for level in levels]
    assert (answer.status, len({line["level"] for line in answer.lines})) == (0, len(levels))
    assert run("explore", "null/first", "--jobs", jobs, "--states", "3").status == 3
    wrong = run("explore", "null/first", "--jobs", "2", "--graph", str(tmp_path / "walk.tra"))
    assert (wrong.status, "--jobs does not apply with --graph" in wrong.err) == (2, True)


@pytest.mark.slow
def test_explore_on_disk(run: Run, tmp_path: Path) -> None:
    level, folder = "shiftit/boards/6", str(tmp_path / "layers")
    stopped = run("explore", level, "--disk", folder, "--seconds", "0")
    assert stopped.status == 3
    assert "incomplete, the time limit was reached after 1 position;" in stopped.out
    answer = run("explore", level, "--disk", folder, "--goal", "won", "--memory", "4000")
    space, solution = gp.explore(level), gp.solve(level)
    assert answer.status == 0
    assert f"won: {solution.cost} actions: " in answer.out
    assert f" MB in {folder}" in " ".join(answer.out.split())
    data = run("explore", level, "--disk", folder, "--goal", "lost", "--json").json
    assert (data["states"], data["by_depth"], data["trace"]) == (space.states, [*space.by_depth], None)
    assert data["disk"] > 0
    for options, message in (
        (("--disk", folder, "--jobs", "2"), "--jobs does not apply with --disk"),
        (("--disk", folder, "--graph", "walk.tra"), "--graph does not apply with --disk"),
        (("--disk", folder, "--formula", "AG !lost"), "--formula does not apply with --disk"),
        (("--disk", folder, "--force"), "--force does not apply with --disk"),
        (("--force",), "--force does not apply without --graph"),
        (("--goal", "won"), "--goal does not apply without --disk"),
        (("--disk", str(tmp_path / "new"), "--goal", "wonn"), "shiftit has no proposition 'wonn'"),
        (("--disk", str(tmp_path / "new"), "--goal", "at(99,1,1)"), "no tile 99"),
        (("--disk", str(tmp_path)), "is no folder of layers: it has layers"),
    ):
        wrong = run("explore", level, *options)
        assert (wrong.status, message in " ".join(wrong.err.split())) == (2, True), wrong.err
    assert not (tmp_path / "new").exists()
    full = run("explore", level, "--disk", str(tmp_path / "none"), "--memory", "1")
    assert (full.status, "the memory limit was reached after 1 position;" in " ".join(full.out.split())) == (
        3,
        True,
    )
