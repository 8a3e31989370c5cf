"""Other spellings, near misses and files of another kind: each works, or gives a clear error."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.testing.certify import certify

from .conftest import Run

LEVEL = "sokoban/first-steps/1"


@pytest.mark.parametrize("command", [("solve", LEVEL), ("improve", LEVEL, "dRR")])
def test_minimize_is_accepted_for_minimise(run: Run, command: tuple[str, ...]) -> None:
    british = run(*command, "--minimise", "pushes", "--json").json
    american = run(*command, "--minimize", "pushes", "--json").json
    assert british["minimise"] == american["minimise"] == "pushes"
    assert (british["cost"], british["actions"]) == (american["cost"], american["actions"])


@pytest.mark.parametrize("spelling", ["minimise", "minimize"])
def test_functions_accept_both_spellings(spelling: str, tmp_path: Path) -> None:
    measure: Any = {spelling: "pushes"}
    solution = gp.solve(LEVEL, **measure)
    assert solution.cost == 2
    assert solution.trace is not None
    assert gp.improve(solution.trace, **measure).cost == 2
    assert not gp.solve("sokoban/first-steps/2", **{**measure, spelling: None}).optimal
    path = tmp_path / "level.xsb"
    path.write_text(gp.level(LEVEL).text())
    assert list(certify(path, "sokoban", **measure)) == ["1 Straight In: solved, 3 actions"]


def test_functions_refuse_two_different_spellings() -> None:
    assert gp.solve(LEVEL, minimise="pushes", minimize="pushes").cost == 2
    trace = gp.solve(LEVEL).trace
    assert trace is not None
    refusal = r"^minimise and minimize are one parameter: give one of them$"
    with pytest.raises(GridproofError, match=refusal):
        gp.solve(LEVEL, "pushes", minimize="moves")
    with pytest.raises(GridproofError, match=refusal):
        gp.solve(LEVEL, minimise="actions", minimize=None)
    with pytest.raises(GridproofError, match=refusal):
        gp.improve(trace, minimise="pushes", minimize="actions")


def test_functions_refuse_unknown_keywords() -> None:
    unknown: Any = {"minimum": "pushes"}
    with pytest.raises(TypeError, match=r"^solve\(\) got an unexpected keyword argument 'minimum'$"):
        gp.solve(LEVEL, **unknown)


def test_analyze_is_accepted_for_analyse(run: Run) -> None:
    analyzed, analysed = (run(name, LEVEL, "--json").json for name in ("analyze", "analyse"))
    assert analyzed.keys() == analysed.keys()


@pytest.mark.parametrize(
    ("name", "meant"),
    [("2047", "twenty48"), ("sokban", "sokoban"), ("Shift Itt", "shiftit"), ("ROBOT", "robots")],
)
def test_unknown_game_suggests_similar_name_or_title(run: Run, name: str, meant: str) -> None:
    told = run("games", name)
    assert told.status == 2
    assert told.err.startswith(f"error: no game {name!r}; choose from ")
    assert told.err.endswith(f"; did you mean {meant}?\n")


def test_unknown_game_suggests_nothing_when_no_name_is_similar() -> None:
    with pytest.raises(GridproofError, match=r"choose from [a-z0-9_, ]+$"):
        gp.game("chess")


def test_verify_reports_file_that_is_no_certificate(run: Run, tmp_path: Path) -> None:
    for data in (b"\x7fELF\xff\xfe\x00", b"#####\n#@$.#\n"):
        path = tmp_path / "file"
        path.write_bytes(data)
        answer = run("verify", str(path), "--json")
        assert (answer.status, answer.json["holds"]) == (1, False)
        assert answer.json["reason"] == "line 1: not a certificate: the first line must be JSON"


def test_play_suggests_a_game_of_a_like_title(run: Run) -> None:
    refused = run("show", "2047")
    assert refused.status == 2
    assert refused.err.endswith(" (see `gridproof levels`); did you mean twenty48?\n")


def test_command_suggests_one_of_a_like_name(run: Run) -> None:
    assert run("sovle", LEVEL).err.endswith(", properties; did you mean solve?\n")
    assert run("xyz").err.endswith(", properties\n")


@pytest.mark.parametrize("arguments", [("nowhere.json",), (LEVEL, "nowhere.json")])
def test_replay_of_a_trace_that_does_not_exist(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("replay", *arguments).err == "error: nowhere.json: no such file\n"


def test_verify_says_in_words_what_is_wrong_with_a_compressed_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    whole = gzip.compress(b"{}\n")
    for data, reason in (
        (b"\x7fELF", "line 1: not a certificate: it is not compressed by gzip"),
        (whole[:5], "line 1: damaged: the compressed file ends too early"),
        (whole[:10] + b"\xff" * 50, "line 1: damaged: it cannot be decompressed"),
    ):
        path.write_bytes(data)
        assert run("verify", str(path), "--json").json["reason"] == reason


@pytest.mark.parametrize("command", ["claims", "runs", "properties", "model"])
def test_help_of_a_command_names_its_game(run: Run, command: str) -> None:
    assert "\n  Shift It: " in run(command, "--help").out
    (line,) = (line for line in run("--help").out.splitlines() if line.startswith(f"  {command} "))
    assert line.split(maxsplit=1)[1].startswith("Shift It: ")
