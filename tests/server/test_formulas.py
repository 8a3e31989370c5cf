"""Tests of formulas over REST: vocabulary, errors with places, verdicts and traces."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.server.sites import Site

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


def test_replay_returns_first_steps(site: Site) -> None:
    trace = checked(site, formula="AG EF won")["result"]["trace"]
    part = site.client.post("/api/replays", json={"trace": trace, "count": 2}).json()
    assert [step["action"] for step in part["steps"]] == ["down", "right"]
    assert not part["end"]


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
    forms = {item["form"]: item for item in data["propositions"]}
    assert {"won", "home", "bombs", "box(x,y)"} <= forms.keys()
    assert forms["bombs"]["number"]
    assert data["actions"] == ["up", "down", "left", "right", "bomb"]
    assert "AG EF won" in [item["formula"] for item in data["examples"]]
    assert data["board"]["height"] == 4


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
