"""`generate`: levels, files, and what it says of what can be wished for."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp
from gridproof.core.generate import parameters_of
from gridproof.core.trace import Trace

from .conftest import Run

SMALL = ("--set", "width=7", "--set", "height=7", "--set", "boxes=1")


def test_levels_are_made(run: Run, tmp_path: Path) -> None:
    answer = run("generate", "sokoban", "--seed", "5", "--count", "2", *SMALL)
    assert answer.status == 0
    made = gp.read(answer.out, "sokoban")
    assert len(made) == 2
    assert made[0] == gp.generate("sokoban", 5, width=7, height=7, boxes=1)
    path = tmp_path / "made.xsb"
    saved = run("generate", "sokoban", "--seed", "5", "--count", "2", *SMALL, "--save", str(path))
    assert saved.out == f"2 levels written to {path}\n"
    assert list(gp.read(path)) == list(made)


def test_levels_in_json_with_their_certificates(run: Run) -> None:
    lines = run("generate", "sokoban", "--seed", "7", "--count", "2", *SMALL, "--json").lines
    assert [line["seed"] for line in lines] == [7, 8]
    for line in lines:
        level = gp.read(line["text"], "sokoban")[0]
        position = level.start()
        for text in line["actions"]:
            position = next(iter(position.outcomes(position.action(text)))).position
        assert position.won
        assert isinstance(gp.generate("sokoban", line["seed"], width=7, height=7, boxes=1).certificate, Trace)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "chess"),
        (["sokoban", "--set", "width"], "it is written NAME=VALUE"),
        (["sokoban", "--set", "=3"], "it is written NAME=VALUE"),
        (["sokoban", "--set", "seed=3"], "it is written NAME=VALUE"),
        (["sokoban", "--set", "colour=3"], "knows no parameter 'colour'"),
        (["sokoban", "--set", "width=wide"], "width='wide'"),
        (["sokoban", "--set", "width=9999"], "width=9999"),
        (["sokoban", "--seed", "-1"], "seed -1"),
        (["sokoban", "--seed", str(2**64 - 1), "--count", "2"], "seed 18446744073709551616"),
        (["sokoban", "--count", "0"], "count"),
        (["null"], "makes no new levels"),
    ],
)
def test_wishes_that_cannot_be(run: Run, arguments: list[str], message: str) -> None:
    answer = run("generate", *arguments)
    assert answer.status == 2
    assert message in answer.err


def test_help_says_what_can_be_wished_for(run: Run) -> None:
    told = run("generate", "--help").out
    for name in gp.game_names():
        assert (f"Parameters of {name}," in told) == bool(gp.game(name).generator)
    assert "  width=10, height=10  The size of the grid" in told
    assert "walls included: 3 to 50, with bombs up to 20." in " ".join(told.split())


@pytest.mark.parametrize("arguments", [("--help",), ("-h", "--count", "3"), ("--seed", "1", "-h")])
def test_help_beside_a_game_is_of_that_game(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run("generate", "shiftit", *arguments)
    assert answer.status == 0
    assert answer.out.count("Parameters of ") == 1
    words = " ".join(answer.out.partition("Parameters of shiftit,")[2].split())
    for given, meaning in parameters_of(gp.game("shiftit")):
        assert f"{', '.join(given)} {meaning}" in words


def test_help_fits_narrow_terminals(process: Run) -> None:
    assert max(map(len, process("generate", "--help", COLUMNS="60").out.splitlines())) <= 60
