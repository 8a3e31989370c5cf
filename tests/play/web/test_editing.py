"""Drafts over REST: what is painted, what is wrong with it, and in which formats it can be had."""

from __future__ import annotations

from typing import Any

import pytest
from tests.play.web.sites import Site

import gridproof as gp
from gridproof.play.web.limits import Limits

GAMES = ("robots", "shiftit", "sokoban", "twenty48", "lights_out")


def told(site: Site, **asked: Any) -> dict[str, Any]:
    answer = site.client.post("/api/drafts", json=asked)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def refused(site: Site, **asked: Any) -> tuple[int, dict[str, Any]]:
    answer = site.client.post("/api/drafts", json=asked)
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize("name", GAMES)
def test_a_new_level_is_valid_and_comes_in_every_format(site: Site, name: str) -> None:
    data = told(site, game=name)
    assert data["problems"] == []
    assert data["board"]["height"] == len(data["draft"]["cells"])
    assert all(0 <= piece < len(data["pieces"]) for tool in data["tools"] for piece in tool["pile"])
    levels = gp.read(data["text"], name)
    for form in data["formats"]:
        answer = site.client.post(
            "/api/texts",
            json={
                "text": data["text"],
                "game": name,
                "format": form["name"],
                "options": dict.fromkeys(form.get("asks", ()), 3),
            },
        )
        assert answer.status_code == 200, answer.text
        if form["name"] not in gp.game(name).exports:
            assert gp.read(answer.text, name) == levels


@pytest.mark.clause("K2")
def test_every_broken_clause_is_told_with_its_cells(site: Site) -> None:
    draft = told(site, game="sokoban")["draft"]
    draft["cells"][1] = list("#@-@-.#")
    data = told(site, game="sokoban", draft=draft)
    found = [(problem["code"], problem["cells"]) for problem in data["problems"]]
    assert found == [("K2-many-players", [[3, 1]]), ("K2-many-players", [[2, 2]]), ("K3-counts", [])]


def test_edits_are_done_in_their_order(site: Site) -> None:
    edits = [
        {"tool": "wall", "x": 1, "y": 1},
        {"grow": "right"},
        {"shrink": "top"},
        {"field": "bombs", "value": "2"},
    ]
    data = told(site, game="sokoban", edits=edits)
    assert data["draft"]["cells"][0] == list("##----#-")
    assert [item["value"] for item in data["fields"]] == ["2"]
    assert gp.read(data["text"])[0].bombs == 2  # type: ignore[attr-defined]


def test_a_value_that_cannot_be_read_is_told_with_its_place(site: Site) -> None:
    (problem,) = told(site, game="sokoban", edits=[{"field": "bombs", "value": "many"}])["problems"]
    assert problem["line"] == 6
    assert "bombs" in problem["text"]


def test_a_text_becomes_a_draft_and_stays_what_it_is(site: Site) -> None:
    text = "######\n#@ $.#\n######\n\n; Second\n#######\n#@ $ .#\n#######\nBombs: 1\ndifficulty: 4\n"
    data = told(site, text=text, level=2)
    assert data["game"] == "sokoban"
    assert data["draft"]["title"] == "Second"
    assert data["draft"]["keys"] == {"difficulty": "4"}
    assert gp.read(data["text"])[0] == gp.read(text)[1]
    again = told(site, game="sokoban", draft=data["draft"])
    assert {**again, "levels": 2} == data


@pytest.mark.clause("R9")
def test_a_position_in_the_middle_of_a_game_becomes_a_draft(site: Site) -> None:
    text = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na> ? B\nA . b\n"
    data = told(site, text=text)
    assert [(problem["code"], problem["cells"]) for problem in data["problems"]] == [
        ("R9-conveyor", [[0, 0]])
    ]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"game": "nothing"}, 404, "missing"),
        ({}, 404, "missing"),
        ({"text": "####\n#@@#\n####\n"}, 422, "level"),
        ({"text": "nothing at all"}, 422, "parse"),
        ({"text": "#####\n#@$.#\n#####\n", "level": 2}, 400, "input"),
        ({"game": "sokoban", "draft": {"cells": []}}, 400, "input"),
        ({"game": "sokoban", "draft": {"cells": [["#", "#"], ["#"]]}}, 400, "input"),
        ({"game": "sokoban", "draft": {"cells": [["?"]]}}, 400, "input"),
        ({"game": "sokoban", "draft": {"cells": [["#"] * 61]}}, 400, "input"),
        ({"game": "sokoban", "draft": {"cells": [["#"]], "fields": {"bombs": "1\n2"}}}, 400, "input"),
        ({"game": "sokoban", "edits": [{"tool": "wall", "x": 7, "y": 0}]}, 400, "input"),
        ({"game": "sokoban", "edits": [{"tool": "tree"}]}, 400, "input"),
        ({"game": "sokoban", "edits": [{}]}, 400, "input"),
        ({"game": "sokoban", "edits": [{"shrink": "top"}] * 5}, 409, "action"),
        ({"game": "twenty48", "edits": [{"grow": "top"}] * 3}, 400, "input"),
        ({"game": "sokoban", "edits": [{"tool": "wall"}] * 501}, 400, "input"),
        ({"game": "sokoban", "text": "#" * (Limits().text + 1)}, 413, "large"),
    ],
)
def test_what_is_refused(site: Site, asked: dict[str, Any], status: int, code: str) -> None:
    found, error = refused(site, **asked)
    assert (found, error["code"]) == (status, code), error


def test_options_are_those_that_a_format_asks_for(site: Site) -> None:
    asked = {"text": told(site, game="shiftit")["text"], "format": "fodot"}
    for options in ({"nonsense": 1}, {"text": 1}, {}):
        assert site.client.post("/api/texts", json={**asked, "options": options}).status_code == 400


def test_texts_in_formats_that_there_are_not(site: Site) -> None:
    answer = site.client.post("/api/texts", json={"text": "#####\n#@$.#\n#####\n", "format": "png"})
    assert answer.status_code == 400
    assert "png" in answer.json()["error"]["text"]
