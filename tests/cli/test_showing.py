from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import gridproof as gp
from gridproof.core.look import board_text

from .conftest import Run, Terminal


def test_show_prints_title_board_and_counts(run: Run) -> None:
    answer = run("show", "null/first/2")
    assert answer.out == "null/first/2  A walk\n\n.@....o\n\nactions 0, status playing\n"
    assert answer.status == 0


def test_show_in_json(run: Run) -> None:
    data = run("show", "null/first/2", "--json").json
    assert data == {
        "level": "null/first/2",
        "game": "null",
        "title": "A walk",
        "author": "",
        "keys": {},
        "status": "PLAYING",
        "text": ".@....o\n",
        "board": [".@....o"],
        "counts": {"actions": "0"},
        "actions": ["left", "right", "hop"],
    }


def test_the_seed_decides_the_start(run: Run) -> None:
    (level,) = gp.read("2048 4x4 spawn=spec target=2048\n")
    texts = {
        run("show", "-", "--seed", str(seed), "--json", input=level.text()).json["text"] for seed in range(9)
    }
    assert texts == {level.start(seed).text() for seed in range(9)}
    assert len(texts) > 5


def test_the_first_of_many_levels_is_shown_with_a_note(run: Run, sokoban_file: Path) -> None:
    answer = run("show", str(sokoban_file))
    assert "#@$.#" in answer.out
    assert answer.err == f"note: this is the first of 3 levels; another is {sokoban_file}#2\n"


def test_a_game_can_be_named_for_texts_that_no_format_recognises(run: Run) -> None:
    assert run("show", "-", input=".@o\n").status == 2
    assert run("show", "-", "--game", "null", input=".@o\n").out.startswith("-\n\n.@o\n")


def test_a_picture_is_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    assert run("show", "null/first/1", "--svg", str(path)).status == 0
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_every_level_that_comes_with_a_game_is_shown(run: Run) -> None:
    for name in gp.game_names():
        for pack in run("levels", name, "--json").json:
            answer = run("show", f"{pack['pack']}/1")
            position = gp.levels_at(f"{pack['pack']}/1")[0].start()
            assert answer.status == 0
            assert board_text(gp.game(name).look.board(position)) in answer.out


def test_a_terminal_shows_colours_and_the_same_characters(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("show", "null/first/2")
    shown.until("A walk")
    board = shown.until("actions")
    assert "\x1b[" in board
    assert shown.end() == 0
