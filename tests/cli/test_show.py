from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gridproof as gp
from gridproof.core.look import Piece, board_text
from gridproof.core.text.level_lookup import first_pack

from .conftest import Run, Terminal


def test_show_prints_title_board_and_counts(run: Run) -> None:
    answer = run("show", "null/first/2")
    assert answer.out == "null/first/2  A walk\n\n.@....o\n\nactions 0, status playing\n"
    assert answer.status == 0


def test_show_prints_json(run: Run) -> None:
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


def test_show_takes_seed_of_start(run: Run) -> None:
    (level,) = gp.read("2048 4x4 spawn=spec target=2048\n")
    texts = {
        run("show", "-", "--seed", str(seed), "--json", input=level.text()).json["text"] for seed in range(9)
    }
    assert texts == {level.start(seed).text() for seed in range(9)}
    assert len(texts) > 5


def test_show_notes_that_first_of_many_levels_is_shown(run: Run, sokoban_file: Path) -> None:
    answer = run("show", str(sokoban_file))
    assert "#@$.#" in answer.out
    assert answer.err == f"note: using the first of 3 levels; another is {sokoban_file}#2\n"


def test_show_takes_game_for_unrecognised_text(run: Run) -> None:
    assert run("show", "-", input=".@o\n").status == 2
    assert run("show", "-", "--game", "null", input=".@o\n").out.startswith("-\n\n.@o\n")


def test_show_writes_picture(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    assert run("show", "null/first/1", "--svg", str(path)).status == 0
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_show_writes_picture_to_standard_output(run: Run) -> None:
    answer = run("show", "null/first/1", "--svg", "-")
    assert ElementTree.fromstring(answer.out).tag.endswith("svg")
    assert answer.err == ""
    both = run("show", "null/first/1", "--svg", "-", "--json")
    assert both.status == 2
    assert "--svg - and --json both write to standard output; give a file for the picture" in both.err


def test_show_names_a_piece_that_cannot_be_drawn(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridproof.games.null.look.FLAG", Piece("flag", "o", "star", ("pink",)))
    path = tmp_path / "picture.svg"
    answer = run("show", "null/first/1", "--svg", str(path))
    assert (answer.status, path.exists()) == (2, False)
    assert answer.err.startswith("error: the piece 'flag' has an unknown colour, 'pink'; choose from floor, ")


def test_show_reads_level_from_pipe(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("#####\n#@$.#\n#####\n",))
    writer.start()
    answer = run("show", str(pipe))
    writer.join()
    assert "#@$.#" in answer.out


@pytest.mark.parametrize("name", ["null", *gp.game_names()])
def test_show_takes_name_of_game_as_its_first_level(run: Run, name: str) -> None:
    first = gp.levels_at(f"{first_pack(name)}/1")[0]
    answer = run("show", name, "--json")
    assert (answer.json["title"], answer.err) == (first.title, "")


def test_show_prefers_file_to_game_of_same_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robots").write_text("#####\n#@$.#\n#####\n")
    assert "#@$.#" in run("show", "robots").out


@pytest.mark.slow
def test_show_prints_every_built_in_level(run: Run) -> None:
    for name in gp.game_names():
        for pack in run("levels", name, "--json").json:
            answer = run("show", f"{pack['pack']}/1")
            position = gp.levels_at(f"{pack['pack']}/1")[0].start()
            assert answer.status == 0
            assert board_text(gp.game(name).look.board_with_numbers(position)) in answer.out


@pytest.mark.slow
def test_show_prints_same_characters_in_colours_on_terminal(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("show", "null/first/2")
    shown.until("A walk")
    board = shown.until("actions")
    assert "\x1b[" in board
    assert shown.end() == 0


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    path = tmp_path / "played"
    session = gp.Session(gp.levels_at("null/first/2"))
    session.act("right")
    session.act("right")
    session.trace().save(path)
    return path


def test_show_prints_end_of_trace(run: Run, trace_file: Path) -> None:
    answer = run("show", str(trace_file))
    assert answer.out == f"{trace_file}  A walk\n\n...@..o\n\nactions 2, status playing\n"
    assert run("show", str(trace_file), "--json").json["counts"] == {"actions": "2"}
    strip = run("show", str(trace_file), "--svg", "-").out
    assert strip.count("actions") == run("show", "null/first/2", "--svg", "-").out.count("actions")
    assert len(strip) > 2 * len(run("show", "null/first/2", "--svg", "-").out)


def test_trace_file_is_watched_and_replayed(run: Run, trace_file: Path) -> None:
    watched = run("watch", str(trace_file))
    assert watched.out == (
        f"{trace_file}  A walk\n\n.@....o\n\nactions 0, status playing\n   1  right\n   2  right\n"
        "\n...@..o\n\nactions 2, status playing\n"
    )
    assert [line["text"] for line in run("watch", str(trace_file), "--json").lines] == [
        "..@...o\n",
        "...@..o\n",
    ]
    assert "--player does not apply to a trace" in run("watch", str(trace_file), "--player", "random").err
    replayed = run("replay", str(trace_file))
    assert replayed.out == "1  right\n2  right\n\n...@..o\n\nactions 2, status playing\n"
    assert run("replay", str(trace_file)).out == run("replay", "null/first/2", str(trace_file)).out


def test_show_refuses_broken_trace(run: Run, trace_file: Path) -> None:
    trace_file.write_text(trace_file.read_text().replace('"right"', '"up"', 1))
    for command in ("show", "watch"):
        answer = run(command, str(trace_file))
        assert (answer.status, answer.out) == (2, "")
        assert f"{trace_file}: " in answer.err
    assert run("replay", str(trace_file)).status == 1
    assert "null/first/1: give the actions too, or a trace file alone" in run("replay", "null/first/1").err


OBEYED = "a\x1b]0;b\x07c\x9bd\x7f\N{RIGHT-TO-LEFT OVERRIDE}"


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert", "-"),
        ("levels", "-"),
        ("show", "-"),
        ("solve", "-"),
        ("explore", "-"),
        ("replay", "-", "right"),
        ("watch", "-"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_show_escapes_control_characters_on_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr("gridproof.cli.output.is_terminal", lambda: True)
    answer = run(*arguments, "--game", "null", input=f"title: {OBEYED}\n.@o\n")
    assert answer.status == 0
    for text in (answer.out, answer.err):
        assert not set(text) & set("\x1b\x07\x9b\x7f\N{RIGHT-TO-LEFT OVERRIDE}")


def test_show_writes_unchanged_text_to_pipe(run: Run) -> None:
    assert OBEYED in run("convert", "-", "--game", "null", input=f"title: {OBEYED}\n.@o\n").out


def test_generate_escapes_control_characters_in_title(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    level = gp.games.null.Level(3, 1, 2, title=OBEYED)
    monkeypatch.setattr("gridproof.cli.generate.generate_level", lambda *_, **__: level)
    assert OBEYED in run("generate", "null").out
    monkeypatch.setattr("gridproof.cli.output.is_terminal", lambda: True)
    assert run("generate", "null").out.startswith("title: a?]0;b?c?d??\n")
