"""Tests of formulas over REST: vocabulary, errors with places, verdicts and traces."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.server.sites import Site

import gridproof as gp
from gridproof.store import digest

LEVEL = "######\n#@ $.#\n#    #\n######\n"
RACE = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA . b\n"


def checked(site: Site, **asked: Any) -> dict[str, Any]:
    answer = site.client.post("/api/checks", json={"text": LEVEL, **asked})
    assert answer.status_code == 202, answer.text
    data: dict[str, Any] = answer.json()
    while not data["done"]:
        time.sleep(0.01)
        data = site.client.get(f"/api/jobs/{data['id']}").json()
    return data


def test_check_returns_verdict_with_trace(site: Site) -> None:
    result = checked(site, formula="AG EF won")["result"]
    assert (result["holds"], result["shows"], result["actions"]) == (False, "counterexample", 7)
    shown = site.client.post("/api/replays", json={"trace": result["trace"]}).json()
    assert [step["action"] for step in shown["steps"]] == [
        "down",
        "right",
        "right",
        "right",
        "up",
        "left",
        "left",
    ]
    assert shown["end"]
    assert shown["board"]["width"] == 6
    assert len(shown["pieces"]) > max(
        piece for step in shown["steps"] for _, _, pile in step["cells"] for piece in pile
    )


def test_check_says_if_its_witness_needs_luck(site: Site) -> None:
    lucky = checked(site, text="2048 2x2 target=8\n2 2\n4 0\n", formula="EF won")["result"]
    assert (lucky["holds"], lucky["luck"]) == (True, True)
    sure = checked(site, formula="EF won")["result"]
    assert (sure["holds"], sure["luck"]) == (True, False)


def test_replay_returns_first_steps(site: Site) -> None:
    trace = checked(site, formula="AG EF won")["result"]["trace"]
    part = site.client.post("/api/replays", json={"trace": trace, "count": 2}).json()
    assert [step["action"] for step in part["steps"]] == ["down", "right"]
    assert not part["end"]


@pytest.mark.slow
def test_replay_returns_many_steps_at_once(site: Site) -> None:
    name = site.begin(text=LEVEL)
    with site.page(name) as page:
        for _ in range(3):
            page.say(type="do", texts=["down", "up"] * 35)
    trace = site.client.get(f"/api/sessions/{name}/trace").json()
    shown = site.client.post("/api/replays", json={"trace": trace}).json()
    assert (len(shown["steps"]), shown["end"]) == (210, True)


def test_check_returns_lasso_and_paths_of_ltl(site: Site) -> None:
    result = checked(site, formula="F won")["result"]
    assert (result["holds"], result["loop"]) == (False, 0)
    assert checked(site, formula="F won", paths="some")["result"]["holds"]


def test_check_job_reports_unsupported_formula(site: Site) -> None:
    assert "paths='some'" in checked(site, formula="AG EF won", paths="some")["error"]


@pytest.mark.parametrize("path", ["formulas", "checks"])
@pytest.mark.parametrize(
    ("formula", "line", "column", "words"),
    [
        ("AG (won &", 1, 10, "ends too early"),
        ("EF\n wno", 2, 2, "did you mean won"),
        ("EF bombs", 1, 4, "a number is no proposition"),
        ("AG e(upp)", 1, 4, "did you mean up"),
    ],
)
def test_formula_error_has_its_column(
    site: Site, path: str, formula: str, line: int, column: int, words: str
) -> None:
    answer = site.client.post(f"/api/{path}", json={"text": LEVEL, "formula": formula})
    error = answer.json()["error"]
    assert (answer.status_code, error["line"], error["column"]) == (422, line, column)
    assert words in error["text"]


def test_formula_is_parsed_while_typing(site: Site) -> None:
    answer = site.client.post("/api/formulas", json={"text": LEVEL, "formula": " AG(EF won)"}).json()
    assert answer == {"formula": "AG EF won", "logic": "CTL"}


def test_vocabulary_lists_names_of_level(site: Site) -> None:
    data = site.client.post("/api/vocabularies", json={"text": LEVEL}).json()
    draft = site.client.post("/api/drafts", json={"text": LEVEL}).json()
    assert data["key"] == draft["key"] == digest(gp.read(LEVEL)[0])
    forms = {item["form"]: item for item in data["propositions"]}
    assert {"won", "home", "bombs", "box(x,y)"} <= forms.keys()
    assert forms["bombs"]["number"]
    assert data["actions"] == ["up", "down", "left", "right", "bomb"]
    assert "AG EF won" in [item["formula"] for item in data["examples"]]
    assert data["board"]["height"] == 4


@pytest.mark.parametrize("bombs", ["", "Bombs: 1\n"])
def test_vocabulary_examples_use_bombs_of_level(site: Site, bombs: str) -> None:
    data = site.client.post("/api/vocabularies", json={"text": LEVEL + bombs}).json()
    assert ("EF (won & bombs > 0)" in [item["formula"] for item in data["examples"]]) == bool(bombs)


@pytest.mark.parametrize("name", ["a", "c"])
def test_vocabulary_examples_use_robots_of_level(site: Site, name: str) -> None:
    text = RACE.replace("a", name).replace("A", name.upper()).replace(f"rot{name}tion", "rotation")
    text = text.replace(f"bo{name}rd", "board").replace("rule=C", "rule=A")
    data = site.client.post("/api/vocabularies", json={"text": text}).json()
    assert ("E[!won(b) U won(a)]" in [item["formula"] for item in data["examples"]]) == (name == "a")


def test_formula_routes_refuse_invalid_request(site: Site) -> None:
    for path, asked, status in (
        ("vocabularies", {"text": "nonsense"}, 422),
        ("vocabularies", {"text": "####\n#@@#\n####\n"}, 422),
        ("formulas", {"text": LEVEL, "formula": "x" * 10_001}, 400),
        ("checks", {"text": "#" * 300_000, "formula": "won"}, 413),
        ("replays", {"trace": "{}"}, 422),
        ("replays", {"trace": {}, "count": 2001}, 400),
    ):
        answer = site.client.post(f"/api/{path}", json=asked)
        assert answer.status_code == status, (path, asked, answer.text)


def test_check_job_can_be_stopped(site: Site) -> None:
    big = "2048 4x4 spawn=spec target=2048\n2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2\n"
    answer = site.client.post("/api/checks", json={"text": big, "formula": "AG !won", "seconds": 15})
    name = answer.json()["id"]
    assert site.client.delete(f"/api/jobs/{name}").status_code == 204
    assert site.client.get(f"/api/jobs/{name}").status_code == 404


def test_job_reports_failing_solver(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("gridproof.search.solve.solve", broken)
    data = site.client.post("/api/jobs", json={"text": LEVEL}).json()
    while not data["done"]:
        time.sleep(0.01)
        data = site.client.get(f"/api/jobs/{data['id']}").json()
    assert data["error"] == "internal error; please report it (RuntimeError: a fault)"
    assert "result" not in data


def test_verdict_in_words_counts_positions(site: Site) -> None:
    result = checked(site, formula="AG EF won")["result"]
    assert result["words"] == "Fails at the start; holds in 1 of 22 reachable positions."
    assert result["counted"]
    assert checked(site, formula="won | !won")["result"]["words"].startswith("Holds at the start")
    everywhere = checked(site, formula="AG true")["result"]["words"]
    assert everywhere == "Holds at the start; holds in all of the 22 reachable positions."
    nowhere = checked(site, formula="EF false")["result"]["words"]
    assert nowhere == "Fails at the start; holds in none of the 22 reachable positions."


def test_verdict_in_words_says_on_which_paths(site: Site) -> None:
    ways = {
        paths: checked(site, formula="F won", paths=paths)["result"]["words"] for paths in ("all", "some")
    }
    assert ways == {
        "all": "Fails on some path that begins at the start.",
        "some": "Holds on some path that begins at the start.",
    }
    assert checked(site, formula="G true")["result"]["words"] == "Holds on all paths that begin at the start."
    assert checked(site, formula="F false", paths="some")["result"]["words"].startswith("Fails on all paths")


def test_states_of_trace_say_what_changed(site: Site) -> None:
    result = checked(site, formula="EF placed = 1")["result"]
    states = result["states"]
    assert len(states) == result["actions"] + 1
    assert states[0] == [["placed", "", "0"]]
    assert states[-1] == [["placed", "0", "1"], ["won", "false", "true"]]
    assert all(change == [] for change in states[1:-1])
    cost = checked(site, formula="EF (won & cost(pushes) <= 3)")["result"]["states"]
    assert cost[0] == [["won", "", "false"], ["cost(pushes)", "", "0"]]


def test_position_is_asked_about(site: Site) -> None:
    name = site.begin(text=LEVEL)
    with site.page(name) as page:
        page.do("right")
        page.do("right")
    position = site.client.get(f"/api/sessions/{name}/position").text
    here = checked(site, formula="EF won", position=position)["result"]
    assert here["words"].startswith("Holds in your position; holds in ")
    words = site.client.post("/api/vocabularies", json={"text": LEVEL, "position": position}).json()
    assert words["board"] != site.client.post("/api/vocabularies", json={"text": LEVEL}).json()["board"]
    wrong = site.client.post("/api/checks", json={"text": LEVEL, "formula": "won", "position": "none"})
    assert wrong.status_code == 422


SMALL = {
    "lights_out": None,
    "robots": RACE,
    "shiftit": None,
    "sokoban": LEVEL,
    "twenty48": "2048 2x2 target=8\n2 2\n4 0\n",
}
"""A small level of each game; None: the first one of its first pack."""


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL)
def test_examples_of_a_game_run(site: Site, game: str) -> None:
    text = SMALL[game]
    if text is None:
        pack = next(
            one["packs"][0]["name"]
            for one in site.client.get("/api/games").json()["games"]
            if one["name"] == game
        )
        text = site.client.get(f"/api/packs/{pack}/1.txt").text
    words = site.client.post("/api/vocabularies", json={"text": text, "game": game}).json()
    own = [one["formula"] for one in words["examples"] if one["about"] == "game"]
    assert own or game == "lights_out"
    for example in words["examples"]:
        result = checked(site, text=text, game=game, formula=example["formula"])["result"]
        assert result["holds"] is not None, example
        assert example["meaning"].endswith("?")
        assert example["meaning"].split()[0] in ("can", "is", "does")


def test_formulas_quantify_over_things_of_a_level(site: Site) -> None:
    vocabulary = site.client.post("/api/vocabularies", json={"text": RACE}).json()
    assert [item["form"] for item in vocabulary["domains"]] == ["actors", "actions", "robots", "cells"]
    formula = "AG (forall r in robots: !won(r))"
    parsed = site.client.post("/api/formulas", json={"text": RACE, "formula": formula}).json()
    assert parsed == {"formula": formula, "logic": "CTL"}
    result = checked(site, text=RACE, formula=formula)["result"]
    assert (result["formula"], result["holds"]) == (formula, False)
    assert {name for name, _, _ in result["states"][0]} == {"won(a)", "won(b)"}
