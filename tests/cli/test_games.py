from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.core import registry
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.prove.game_formulas import formulas_of

from .conftest import Run


def test_games_in_text_name_every_game(run: Run) -> None:
    answer = run("games")
    assert answer.status == 0
    assert not answer.err
    for name in gp.game_names():
        assert f"\n{name}\n" in f"\n{answer.out}"
    assert "null" not in answer.out


def test_games_fit_narrow_terminals(run: Run, columns: Callable[[int], None]) -> None:
    columns(40)
    assert max(map(len, run("games").out.splitlines())) <= 40


@pytest.mark.slow
def test_games_in_json_list_everything_that_formulas_need(run: Run) -> None:
    games = {game["name"]: game for game in run("games", "--json").json}
    assert games["robots"]["actors"] == "the level's robots, and nature for the exchange of tiles"
    assert games["sokoban"]["actors"] == "one player"
    assert tuple(games) == gp.game_names()
    for name, data in games.items():
        game = gp.game(name)
        assert data["title"] == game.title
        assert data["meaning"] == game.meaning
        assert data["actors"]
        propositions = {item["name"]: item for item in data["propositions"]}
        assert {"won", "lost", "ended", "home"} <= set(propositions)
        assert {item.name for item in game.propositions} <= set(propositions)
        assert all(item["meaning"] and "\n" not in item["meaning"] for item in propositions.values())
        assert [item["name"] for item in data["formats"]] == [item.name for item in game.formats]
        assert data["measures"][0]["name"] == "actions"
        assert {item["clause"]: item["formula"] for item in data["invariants"]} == formulas_of(
            game
        ).invariants
        assert [item["name"] for item in data["domains"]] == ["actors", "actions", *formulas_of(game).domains]
        assert all(gp.levels_at(pack) for pack in data["packs"])
    assert games["twenty48"]["propositions"][-1]["parameters"] == ["value"]
    assert {item["name"] for item in games["sokoban"]["measures"]} == {"actions", "moves", "pushes"}


@pytest.mark.slow
def test_levels_lists_packs(run: Run) -> None:
    packs = run("levels", "--json").json
    assert {"pack", "title", "author", "levels"} == set(packs[0])
    for pack in packs:
        assert len(gp.levels_at(pack["pack"])) == pack["levels"]
    text = run("levels").out
    assert all(pack["pack"] in text for pack in packs)


def test_levels_lists_packs_of_a_game(run: Run) -> None:
    assert run("levels", "null").out == "null/first  3 levels\n"
    assert run("levels", "null", "--json").json == [
        {"pack": "null/first", "title": "", "author": "", "levels": 3}
    ]


def test_levels_lists_levels_of_a_pack(run: Run) -> None:
    assert run("levels", "null/first").out == (
        "null/first  3 levels\n     size  title\n  1   3x1  One step\n  2   7x1  A walk\n  3   9x1  Back\n"
    )
    data = run("levels", "null/first", "--json").json
    assert [item["level"] for item in data] == ["null/first/1", "null/first/2", "null/first/3"]
    assert (data[1]["title"], data[1]["width"], data[1]["height"]) == ("A walk", 7, 1)


def test_levels_prints_references_for_levels_of_a_file(run: Run, sokoban_file: Path) -> None:
    data = run("levels", str(sokoban_file), "--json").json
    assert len(data) == 3
    for number, item in enumerate(data, 1):
        assert item["level"] == f"{sokoban_file}#{number}"
        assert run("show", item["level"], "--json").json["text"].startswith("###")


def test_levels_reads_standard_input(run: Run) -> None:
    answer = run("levels", "-", input="#####\n#@$.#\n#####\n")
    assert answer.out == "-  1 level\n     size  title\n  1   5x3  without a title\n"


@pytest.mark.parametrize("pack", ["sokoban/first-steps", "shiftit/boards", "robots/races"])
@pytest.mark.parametrize("width", [80, 120])
def test_levels_prints_measures_in_columns(
    run: Run, columns: Callable[[int], None], pack: str, width: int
) -> None:
    columns(width)
    levels = gp.levels_at(pack)
    _, header, *rows = run("levels", pack).out.splitlines()
    length, difficulty = levels[0].keys
    assert header.split() == ["size", length.lower(), "difficulty", "title"]
    ends = [header.index(word) + len(word) for word in (length.lower(), "difficulty")]
    for number, (row, level) in enumerate(zip(rows, levels, strict=True), 1):
        assert row.split()[0] == str(number)
        for end, key in zip(ends, (length, difficulty), strict=True):
            shown = row[:end].split()[-1].replace(",", "")
            assert shown == level.keys.get(key, "-")
        assert row[header.index("title") :] == level.title
        assert len(row) <= width


ONE = "#####\n#@$.#\n#####\n"


def test_levels_keeps_long_titles_in_their_column(run: Run, columns: Callable[[int], None]) -> None:
    columns(60)
    text = f"{ONE}Title: {'long ' * 30}\nPushes: 12345\n"
    _, header, first, *others = run("levels", "-", input=text).out.splitlines()
    assert header == "     size  pushes  title"
    assert first.startswith("  1   5x3  12,345  long long ")
    assert len(first) <= 60
    assert len(others) > 1
    assert all(line.startswith(" " * 19 + "long") and len(line) <= 60 for line in others)


@pytest.mark.parametrize(
    ("keys", "columns"),
    [
        ((["Boxes: 7"], []), ["size", "boxes", "title"]),
        ((["Date: 1999-12-31"], ["Date: 2001"]), ["size", "title"]),
        ((["Pushes: \N{ARABIC-INDIC DIGIT THREE}"], []), ["size", "title"]),
        ((["Pushes: " + 5000 * "9"], []), ["size", "title"]),
        (([f"K{n}: {n}" for n in range(9)], []), ["size", "k0", "k1", "k2", "k3", "title"]),
    ],
    ids=["in one alone", "no number in one", "foreign digits", "too large", "many"],
)
def test_levels_has_columns_for_numbers_only(
    run: Run, keys: tuple[list[str], ...], columns: list[str]
) -> None:
    text = "\n\n".join("\n".join([f"{ONE}Title: x", *lines]) for lines in keys)
    answer = run("levels", "-", input=text)
    assert answer.status == 0
    assert answer.out.splitlines()[1].split() == columns
    assert len(answer.out.splitlines()) == 4


def test_levels_escapes_control_characters(run: Run) -> None:
    answer = run("levels", "-", input=f"{ONE}Title: a\x1b[2Jb\tc\x07\n")
    assert answer.out.splitlines()[-1] == "  1   5x3  a?[2Jb c?"


def test_games_lists_propositions_and_measures(run: Run) -> None:
    answer = run("games", "sokoban")
    assert "    box(x, y): a box stands at (x, y)\n" in answer.out
    assert "    won: the level is completed\n" in answer.out
    assert "    K10: G ([bomb] -> X !won)\n" in answer.out
    assert "    pushes: pushes done; steps and bombs are free\n" in answer.out
    assert (
        "    won(robot): some robot, or the one named, stands on its home (arguments are"
        in run("games", "robots").out
    )
    assert run("games", "sokoban", "--json").json in run("games", "--json").json
    assert "no game 'chess'" in run("games", "chess").err


@pytest.mark.slow
def test_games_names_plug_in_that_cannot_be_loaded(
    run: Run, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    def load() -> Game:
        raise GridproofError("the installed game 'chess' cannot be loaded")

    loaders = {**registry._loaders(), "chess": load}
    monkeypatch.setattr(registry, "_loaders", lambda: loaders)
    for command in ("games", "levels"):
        assert run(command).err == "note: the installed game 'chess' cannot be loaded\n"
    assert run("show", "null/first/1").err == ""
    assert run("show", "-", input="#####\n#@$.#\n#####\n").err == ""
    assert "not recognised; the installed game 'chess' cannot be loaded" in run("show", "-", input="?").err
    assert not recwarn.list


def test_games_lists_solvers(run: Run) -> None:
    told = run("games", "sokoban").out
    assert "    fewest-pushes: A* on pushes and bombs (for pushes; optimal)\n" in told
    assert "    greedy-pushes: " in told
    listed = {one["name"]: one for one in run("games", "sokoban", "--json").json["solvers"]}
    assert next(iter(listed)) == "greedy-pushes"
    assert [*listed][-1] == "rules"
    assert (listed["a-star"]["minimises"], listed["a-star"]["optimal"]) == (["actions", "any"], True)
    assert listed["greedy-pushes"]["optimal"] is False
