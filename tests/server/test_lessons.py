"""Tests of the routes of rules and lessons."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.sites import Site

from gridproof.core.lesson import lesson_of
from gridproof.core.registry import game

GAMES = ["robots", "shiftit", "sokoban", "twenty48"]


def play(site: Site, name: str, number: int, *actions: str, **pointed: Any) -> Any:
    answer = site.client.post(f"/api/lessons/{name}/{number}", json={"actions": [*actions], **pointed})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("name", GAMES)
def test_lesson_has_rules_with_steps_to_draw(site: Site, name: str) -> None:
    data = site.client.get(f"/api/lessons/{name}").json()
    lesson = lesson_of(game(name))
    assert lesson
    assert data["steps"] == [step.task for step in lesson.steps]
    for example, item in zip(lesson.examples, data["examples"], strict=True):
        assert [step["action"] for step in item["steps"]] == [*example.actions]
        used = {piece for row in item["board"]["cells"] for pile in row for piece in pile}
        assert used <= set(range(len(item["pieces"])))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_solution_fulfils_each_step(site: Site, name: str) -> None:
    for number in range(1, len(site.client.get(f"/api/lessons/{name}").json()["steps"]) + 1):
        start = play(site, name, number)
        assert not start["done"]
        assert start["solution"][0] in [action["text"] for action in start["actions"]]
        end = play(site, name, number, *start["solution"])
        assert (end["done"], end["lost"], end["refused"]) == (True, False, None)
        assert end["answer"]
        assert end["board"] == start["board"]


def test_lost_step_and_refused_action_are_answered(site: Site) -> None:
    lost = play(site, "sokoban", 6, "bomb")
    assert lost["lost"]
    assert "Take the move back" in lost["answer"]
    refused = play(site, "sokoban", 1, "right", "up", "right")["refused"]
    assert refused == {"text": "a wall is in row 1, column 3", "action": "up"}


def test_click_walks_in_a_step(site: Site) -> None:
    state = play(site, "sokoban", 2, x=3, y=4)
    assert [step["action"] for step in state["steps"]] == ["down", "right"]
    assert play(site, "sokoban", 2, x=0, y=0)["refused"]


def test_hint_of_a_robot_is_heard_in_a_step(site: Site) -> None:
    state = play(site, "robots", 5)
    state = play(site, "robots", 5, *state["solution"])
    assert state["steps"][-1]["heard"]


def test_keys_of_a_step_are_those_of_its_actor(site: Site) -> None:
    keys = play(site, "robots", 2)["keys"]
    assert {text for text in keys.values() if ":" in text} <= {f"b:{one}" for one in (
        "walk(1,0)", "walk(2,0)", "walk(3,0)", "rotate(0)", "rotate(90)", "rotate(180)", "rotate(270)")}  # fmt: skip
    assert play(site, "robots", 6)["keys"]["x"] == "exchange"
    assert keys["u"] == "undo"


def test_own_cell_of_a_step_is_that_of_its_actor(site: Site) -> None:
    assert play(site, "robots", 2)["place"] == [0, 0]
    assert play(site, "robots", 6)["place"] is None  # chance alone acts
    assert play(site, "robots", 7)["each"]["a"]["place"] == [2, 0]


@pytest.mark.parametrize("path", ["chess", "null", "sokoban/99", "chess/1"])
def test_unknown_lesson_is_missing(site: Site, path: str) -> None:
    address = f"/api/lessons/{path}"
    answer = site.client.post(address, json={}) if "/" in path else site.client.get(address)
    assert answer.status_code == 404


def test_state_of_a_game_names_its_rules(site: Site) -> None:
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        assert page.state["rules"]["bombs left"] == "bombs"
    assert all(one["rules"] for one in site.client.get("/api/games").json()["games"] if one["name"] in GAMES)


def test_arrows_of_a_step_with_several_actors_mean_directions_of_the_board(site: Site) -> None:
    state = play(site, "robots", 7)
    ways = {action["text"]: action["way"] for action in state["actions"]}
    assert [*state["each"]] == [*state["keys_of"]] == ["a", "b"]
    for actor, one in state["each"].items():
        assert all(ways.get(text, way) == way for way, text in one["directions"].items())
        assert set(one["directions"].values()) <= set(state["keys_of"][actor].values())
    assert play(site, "robots", 6)["directions"] == {}  # chance alone acts
