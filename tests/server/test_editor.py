"""Tests of drafts over REST: edits, problems, and formats."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.sites import Site

import gridproof as gp
from gridproof.core.difficulty import puzzles_of
from gridproof.core.extension import function_table
from gridproof.core.puzzle import build_id, make_puzzle
from gridproof.server.rate_limits import Limits

GAMES = ("robots", "shiftit", "sokoban", "twenty48", "lights_out")


def post_draft(site: Site, **asked: Any) -> dict[str, Any]:
    answer = site.client.post("/api/drafts", json=asked)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def refused(site: Site, **asked: Any) -> tuple[int, dict[str, Any]]:
    answer = site.client.post("/api/drafts", json=asked)
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize("name", GAMES)
def test_new_draft_is_valid_and_lists_every_format(site: Site, name: str) -> None:
    data = post_draft(site, game=name)
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
        if form["name"] not in function_table(gp.game(name), "exports"):
            assert gp.read(answer.text, name) == levels


@pytest.mark.clause("K2")
def test_draft_lists_every_broken_clause_with_its_cells(site: Site) -> None:
    draft = post_draft(site, game="sokoban")["draft"]
    draft["cells"][1] = list("#@-@-.#")
    data = post_draft(site, game="sokoban", draft=draft)
    found = [(problem["code"], problem["cells"]) for problem in data["problems"]]
    depots = [[5, 1], [4, 2]]
    assert found == [("K2-many-players", [[3, 1]]), ("K2-many-players", [[2, 2]]), ("K3-counts", depots)]


def test_list_of_problems_says_how_many_it_leaves_out(site: Site) -> None:
    draft = post_draft(site, game="sokoban")["draft"]
    draft["cells"] = [[*"#" * 40], *([*"#", *"@" * 38, *"#"] for _ in range(10)), [*"#" * 40]]
    *listed, last = post_draft(site, game="sokoban", draft=draft)["problems"]
    assert (len(listed), last["more"]) == (200, 180)
    assert last["text"] == "and 180 more, which are not listed"


def test_edits_are_applied_in_order(site: Site) -> None:
    edits = [
        {"tool": "wall", "x": 1, "y": 1},
        {"grow": "right"},
        {"shrink": "top"},
        {"field": "bombs", "value": "2"},
    ]
    data = post_draft(site, game="sokoban", edits=edits)
    assert data["draft"]["cells"][0] == list("##----#-")
    assert [item["value"] for item in data["fields"]] == ["2"]
    assert gp.read(data["text"])[0].bombs == 2  # type: ignore[attr-defined]


def test_fields_of_2048_are_in_words(site: Site) -> None:
    target, spawn = post_draft(site, game="twenty48")["fields"]
    assert (target["label"], spawn["label"]) == ("target", "new tiles")
    assert spawn["choices"] == ["spec", "classic"]
    assert spawn["words"] == ["always a 2", "one in ten is a 4"]


@pytest.mark.slow
def test_draft_reports_place_of_invalid_value(site: Site) -> None:
    (problem,) = post_draft(site, game="sokoban", edits=[{"field": "bombs", "value": "many"}])["problems"]
    assert problem["line"] == 6
    assert "bombs" in problem["text"]


def test_text_becomes_draft_without_change(site: Site) -> None:
    text = "######\n#@ $.#\n######\n\n; Second\n#######\n#@ $ .#\n#######\nBombs: 1\ndifficulty: 4\n"
    data = post_draft(site, text=text, level=2)
    assert data["game"] == "sokoban"
    assert data["draft"]["title"] == "Second"
    assert data["draft"]["keys"] == {"difficulty": "4"}
    assert gp.read(data["text"])[0] == gp.read(text)[1]
    again = post_draft(site, game="sokoban", draft=data["draft"])
    assert {**again, "levels": 2} == data


BROKEN: dict[str, tuple[str, str, list[str], str]] = {
    "two players": ("####\n#@@#\n####\nBombs: 2\n", "Bombs: 2", ["K2-many-players", "K3-no-box"], ""),
    "a foreign mark": ("######\n#@x .#\n# $  #\n######\n", "#@--.#", [], "'x' in a row"),
    "markup": (
        '<?xml version="1.0"?><SokobanLevels><LevelCollection><Level Width="4" Height="3">\n<L>####</L>\n<L>#@ #</L>\n'
        "<L>####</L>\n</Level></LevelCollection></SokobanLevels>",
        "#@-#",
        ["K3-no-box"],
        "",
    ),
    "tiles": ("2048 2x2 spawn=classic target=64\n3 2\n0 0\n", "2048 2x2 spawn=classic target=64", ["T12-value", "T3-two-tiles"], ""),
    "a row that is short": ("2048 3x2\n2 2 2\n2 2\n", "2 2 0", [], "line 3"),
    "a robot without a home": (
        "robots 3x1\na: rule=A rotation=90\nb: rule=A rotation=0\nboard:\na b A\n",
        "a: rule=A rotation=90",
        ["R8a-B", "R8c-none", "R8d"],
        "",
    ),
    "a tile of Shift It": ("shiftit 2x2\ntitle: Mine\nr b\nrrr g\n", "title: Mine", [], "line 4"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_draft_recovers_board_of_broken_text(site: Site, name: str) -> None:
    text, written, codes, notice = BROKEN[name]
    answer = site.client.post("/api/drafts", json={"text": text})
    assert answer.status_code == 200, answer.text
    data = answer.json()
    assert written in data["text"]
    assert [problem["code"] for problem in data["problems"]] == codes
    assert notice in data.get("notice", "")
    assert bool(notice) == ("notice" in data)


def test_draft_recovers_broken_level_of_several(site: Site) -> None:
    text = "####\n#@$.#\n####\n\n; Two\n#####\n#@@.#\n#####\n\n####\n#.$@#\n####\n"
    data = site.client.post("/api/drafts", json={"text": text, "level": 2}).json()
    assert (data["levels"], data["draft"]["cells"][1]) == (3, [*"#@@.#"])
    assert site.client.post("/api/drafts", json={"text": text, "level": 4}).status_code == 400


@pytest.mark.slow
def test_problem_of_unequal_counts_marks_unmatched_cells(site: Site) -> None:
    for rows, cells in (
        ("#####\n#@..#\n#*  #\n#####", [[2, 1], [3, 1]]),
        ("####\n#@$#\n#$.#\n####", [[2, 1], [1, 2]]),
    ):
        data = site.client.post("/api/drafts", json={"text": rows}).json()
        assert [problem["cells"] for problem in data["problems"] if problem["code"] == "K3-counts"] == [cells]


@pytest.mark.clause("R9")
def test_position_in_mid_game_becomes_draft(site: Site) -> None:
    text = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na> ? B\nA . b\n"
    data = post_draft(site, text=text)
    assert [(problem["code"], problem["cells"]) for problem in data["problems"]] == [
        ("R9-conveyor", [[0, 0]])
    ]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"game": "nothing"}, 404, "missing"),
        ({}, 404, "missing"),
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
def test_editor_refuses_invalid_request(site: Site, asked: dict[str, Any], status: int, code: str) -> None:
    found, error = refused(site, **asked)
    assert (found, error["code"]) == (status, code), error


def test_convert_options_are_those_of_the_format(site: Site) -> None:
    asked = {"text": post_draft(site, game="shiftit")["text"], "format": "fodot"}
    for options in ({"nonsense": 1}, {"text": 1}, {}):
        assert site.client.post("/api/texts", json={**asked, "options": options}).status_code == 400


def test_convert_refuses_unknown_format(site: Site) -> None:
    answer = site.client.post("/api/texts", json={"text": "#####\n#@$.#\n#####\n", "format": "png"})
    assert answer.status_code == 400
    assert "png" in answer.json()["error"]["text"]


def test_changed_draft_loses_the_results_of_the_level_before(site: Site) -> None:
    text = gp.level("sokoban/first-steps/2").text()
    unchanged = post_draft(site, text=text)["draft"]
    assert (unchanged["author"], {*unchanged["keys"]}) == ("gridproof", {"Pushes", "Difficulty"})
    edit = {"tool": "wall", "x": 3, "y": 2}
    changed = post_draft(site, game="sokoban", draft=unchanged, edits=[edit])["draft"]
    assert (changed["title"], changed["author"], changed["keys"]) == ("Back Door", "", {})
    changed["author"] = "me"
    again = post_draft(site, game="sokoban", draft=changed, edits=[{**edit, "x": 4}])["draft"]
    assert again["author"] == "me"


@pytest.mark.parametrize(
    "name",
    ["twenty48", *(pytest.param(name, marks=pytest.mark.slow) for name in ("shiftit", "sokoban", "robots"))],
)
def test_changed_draft_of_a_puzzle_loses_its_results_and_is_an_own_level(site: Site, name: str) -> None:
    puzzles = puzzles_of(gp.game(name))
    assert puzzles is not None
    level = make_puzzle(build_id(name, puzzles.kinds[0].name, "beginner", 1)).level
    text = "".join(line for line in level.text().splitlines(keepends=True) if "Puzzle:" not in line)
    unchanged = post_draft(site, text=text)["draft"]
    assert (unchanged["title"], bool(unchanged["keys"])) == (level.title, True)
    changed = post_draft(site, game=name, draft=unchanged, edits=[{"grow": "right"}])["draft"]
    assert (changed["title"], changed["author"], changed["keys"]) == ("My level", "", {})


def test_changed_draft_without_results_loses_a_generated_title_alone(site: Site) -> None:
    text = "shiftit 2x2\ntitle: Shift It, 28 Nov\nauthor: me\nr g\nr g\n"
    unchanged = post_draft(site, text=text)["draft"]
    changed = post_draft(site, game="shiftit", draft=unchanged, edits=[{"grow": "right"}])["draft"]
    assert (changed["title"], changed["author"]) == ("My level", "me")


def test_changed_draft_keeps_the_title_of_a_person(site: Site) -> None:
    text = "shiftit 2x2\ntitle: Seed of doubt\nMoves: 4\nr g\nr g\n"
    unchanged = post_draft(site, text=text)["draft"]
    assert unchanged["keys"] == {"Moves": "4"}
    changed = post_draft(site, game="shiftit", draft=unchanged, edits=[{"grow": "right"}])["draft"]
    assert (changed["title"], changed["keys"]) == ("Seed of doubt", {})
