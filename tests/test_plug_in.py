"""A game from another package does all that a built-in one does, and nothing in gridproof knows it."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import gridproof as gp
from gridproof.analysis.html_report import Report
from gridproof.cli import app
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.pictures.picture import animation, film, svg
from gridproof.store import Store
from gridproof.testing import check_game

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "lights_out"
PAIR = "lights: A pair\nauthor: Somebody\nO.OO\n"
GAME = gp.game("lights_out")


def run(*arguments: str, input: str = "", status: int = 0) -> str:
    """What a command prints; it must end with this status."""
    result = CliRunner().invoke(app, list(arguments), input=input, env={"COLUMNS": "200"})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout


def run_json(*arguments: str, input: str = "", status: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", input=input, status=status))


# -- a package of its own


def test_plug_in_is_found_by_its_entry_point() -> None:
    (point,) = importlib.metadata.entry_points(group="gridproof.games", name="lights_out")
    assert point.dist is not None
    assert point.dist.name == "gridproof-lights-out"
    assert "lights_out" in gp.game_names()
    assert GAME.package == "gridproof_lights_out"


def test_gridproof_does_not_mention_plug_in() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        assert "lights" not in path.read_text(encoding="utf-8").lower(), path


@pytest.mark.slow
def test_plug_in_wheel_has_all_files(tmp_path: Path) -> None:
    copy = shutil.copytree(EXAMPLE, tmp_path / "source", ignore=shutil.ignore_patterns("__pycache__"))
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([sys.executable, *install, "--target", tmp_path / "site", copy], check=True, timeout=600)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "import gridproof as gp, gridproof_lights_out\n"
        "print(gridproof_lights_out.__file__)\n"
        "print(all(level.certificate.replay().won for level in gp.levels_at('lights_out/first')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=600
    )
    assert done.stdout.splitlines() == [
        str(tmp_path / "site" / "gridproof_lights_out" / "__init__.py"),
        "True",
    ]
    assert (tmp_path / "site" / "gridproof_lights_out" / "py.typed").is_file()


@pytest.mark.slow
def test_plug_in_passes_conformance_kit() -> None:
    check_game(GAME, levels=gp.read(PAIR), seed=5, walks=1, depth=10)


# -- commands


@pytest.mark.slow
def test_plug_in_is_listed() -> None:
    (entry,) = (item for item in run_json("games") if item["name"] == "lights_out")
    assert {"won", "lit", "on"} <= {item["name"] for item in entry["propositions"]}
    assert "lights_out/first" in run("levels")
    assert "Diagonal" in run("levels", "lights_out/first")


def test_plug_in_is_shown() -> None:
    assert ".O.\nOOO\n.O.\n" in run("show", "lights_out/first/1")
    assert "O.OO\n" in run("show", "-", input=PAIR)


def test_plug_in_has_pictures(tmp_path: Path) -> None:
    path = tmp_path / "lights.svg"
    run("show", "lights_out/first/1", "--svg", str(path))
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")


def test_plug_in_is_solved(tmp_path: Path) -> None:
    answer = run_json("solve", "lights_out/first/4")
    assert (answer["found"], answer["cost"], answer["optimal"]) == (True, 5, True)
    path = tmp_path / "impossible.lights"
    path.write_text("lights:\nO.\n")
    assert run_json("solve", str(path), status=1)["found"] is False
    assert run_json("solve", "lights_out/first/4", "--seconds", "0", status=3)["found"] is None


def test_plug_in_is_replayed(tmp_path: Path) -> None:
    assert "status won" in run("replay", "lights_out/first/2", "press(0,0) press(3, 2)")
    run("replay", "lights_out/first/2", "press(9,9)", status=1)
    trace = gp.solve(gp.levels_at("lights_out/first/5")[0]).trace
    assert trace is not None
    trace.save(tmp_path / "trace.json")
    assert "status won" in run("replay", "lights_out/first/5", str(tmp_path / "trace.json"))


def test_plug_in_is_converted(tmp_path: Path) -> None:
    source, target = tmp_path / "a.txt", tmp_path / "b.lights"
    source.write_bytes(b"\xef\xbb\xbf" + PAIR.replace("\n", "\r\n").encode())
    run("convert", str(source), str(target))
    assert target.read_text() == PAIR
    source.write_text("lights:\nOX\n")
    run("convert", str(source), str(target), status=2)
    assert target.read_text() == PAIR


@pytest.mark.usefixtures("close_stores")
def test_plug_in_is_played_in_lines(tmp_path: Path) -> None:
    path = tmp_path / "played.json"
    typed = "press(0,0)\npress(9,9)\nundo\nredo\nundo\npress(1,1)\nquit\n"
    out = run("play", "--plain", "lights_out/first/1", "--save", str(path), input=typed)
    assert "press(column,row), both from 0?" in out
    assert "All lamps are dark: you have won!" in out
    assert gp.Trace.load(path).replay().won


# -- everything else


def test_plug_in_has_reports() -> None:
    level = gp.levels_at("lights_out/first/3")[0]
    trace = level.certificate
    assert trace is not None
    start = trace.start
    pictures = [svg(start), svg(start, trace.actions[0]), film(trace), animation(trace)]
    assert all(ElementTree.fromstring(picture).tag.endswith("svg") for picture in pictures)
    assert pictures[0] != pictures[1]
    report = Report("Lights out")
    report.trace(trace, "the diagonal")
    assert "the diagonal" in report.html()


@pytest.mark.usefixtures("close_stores")
def test_plug_in_sessions_are_saved_and_resumed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    pack = builtin_pack(GAME, "first")
    session = gp.Session(pack, store=Store(url))
    session.select(2)
    for action in ("press(0,0)", "press(1,1)"):
        session.act(action)
    (line,) = Store(url).saved("lights_out")
    again = Store(url).resume(line.id)
    assert again.position == session.position
    again.act("press(2,2)")
    assert Store(url).best(pack[2])["actions"].value == 3
