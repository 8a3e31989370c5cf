from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run


def test_games_in_text_name_every_game(run: Run) -> None:
    answer = run("games")
    assert answer.status == 0
    assert not answer.err
    for name in gp.game_names():
        assert f"\n{name}\n" in f"\n{answer.out}"
    assert "null" not in answer.out


def test_games_fit_narrow_terminals(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, run("games").out.splitlines())) <= 40


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
        assert all(gp.levels_at(pack) for pack in data["packs"])
    assert games["twenty48"]["propositions"][-1]["parameters"] == ["value"]
    assert {item["name"] for item in games["sokoban"]["measures"]} == {"actions", "moves", "pushes"}


def test_levels_lists_packs(run: Run) -> None:
    packs = run("levels", "--json").json
    assert {"pack", "title", "author", "levels"} == set(packs[0])
    for pack in packs:
        assert len(gp.levels_at(pack["pack"])) == pack["levels"]
    text = run("levels").out
    assert all(pack["pack"] in text for pack in packs)


def test_levels_of_a_game(run: Run) -> None:
    assert run("levels", "null").out == "null/first  3 levels\n"
    assert run("levels", "null", "--json").json == [
        {"pack": "null/first", "title": "", "author": "", "levels": 3}
    ]


def test_levels_of_a_pack(run: Run) -> None:
    assert run("levels", "null/first").out == (
        "null/first  3 levels\n  1  One step, 3x1\n  2  A walk, 7x1\n  3  Back, 9x1\n"
    )
    data = run("levels", "null/first", "--json").json
    assert [item["level"] for item in data] == ["null/first/1", "null/first/2", "null/first/3"]
    assert (data[1]["title"], data[1]["width"], data[1]["height"]) == ("A walk", 7, 1)


def test_levels_of_a_file_are_named_so_that_they_can_be_used(run: Run, sokoban_file: Path) -> None:
    data = run("levels", str(sokoban_file), "--json").json
    assert len(data) == 3
    for number, item in enumerate(data, 1):
        assert item["level"] == f"{sokoban_file}#{number}"
        assert run("show", item["level"], "--json").json["text"].startswith("###")


def test_levels_of_standard_input(run: Run) -> None:
    answer = run("levels", "-", input="#####\n#@$.#\n#####\n")
    assert answer.out == "-  1 level\n  1  without a title, 5x3\n"
