"""Tests of trials: a draft is played without a session."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.sites import Site

ROOM = "######\n#@$ .#\n######\n"
BOARD = "2048 2x2 target=8\n2 2\n4 0\n"
RACE = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA . b\n"


def tried(site: Site, text: str, *actions: str, **where: Any) -> dict[str, Any]:
    answer = site.client.post("/api/trials", json={"text": text, "actions": actions, **where})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def test_trial_begins_at_the_start(site: Site) -> None:
    state = tried(site, ROOM)
    assert (state["steps"], state["won"], state["over"], state["refused"]) == ([], False, False, None)
    assert [action["text"] for action in state["actions"]] == ["right"]
    assert state["keys"]["right"] == "right"
    assert "undo" in state["keys"].values()


@pytest.mark.slow
def test_trial_ends_with_the_win(site: Site) -> None:
    state = tried(site, ROOM, "right", "right", "right")
    assert (state["won"], state["over"], state["text"]) == (True, True, "Won in 2 moves")
    assert [step["action"] for step in state["steps"]] == ["right", "right"]
    assert state["actions"] == []
    assert state["refused"]["action"] == "right"


def test_trial_refuses_impossible_action_and_keeps_those_before(site: Site) -> None:
    state = tried(site, ROOM, "right", "up")
    assert [step["action"] for step in state["steps"]] == ["right"]
    assert state["refused"]["action"] == "up"


def test_trial_follows_clicks(site: Site) -> None:
    state = tried(site, ROOM, x=2, y=1)
    assert len(state["steps"]) == 1
    nothing = tried(site, ROOM, x=0, y=0)
    assert (nothing["steps"], nothing["refused"]["text"]) == ([], "Nothing can be done there.")


@pytest.mark.parametrize("text", [BOARD, RACE])
def test_trial_plays_other_games_the_same_again(site: Site, text: str) -> None:
    first = tried(site, text)["actions"][0]["text"]
    assert tried(site, text, first)["steps"] == tried(site, text, first)["steps"] != []


def test_trial_says_that_nothing_can_be_done(site: Site) -> None:
    state = tried(site, "#####\n#@$##\n#.###\n#####\n", "down")
    assert not state["over"]
    stuck = tried(site, "2048 2x2 target=64\n2 4\n8 16\n")
    assert (stuck["won"], stuck["over"]) == (False, True)
    assert stuck["text"].endswith(", and nothing can be done")


def test_trial_refuses_text_without_level(site: Site) -> None:
    assert site.client.post("/api/trials", json={"text": "nothing"}).status_code == 422


def test_arrows_of_trial_mean_directions_of_the_board(site: Site) -> None:
    state = tried(site, RACE)
    ways = {action["text"]: action["way"] for action in state["actions"]}
    assert state["game"] == "robots"
    assert ways[state["keys_of"]["b"]["right"]] != "right"  # in the robot's own directions
    found = state["each"]["b"]["directions"]
    assert found
    assert all(ways.get(text, way) == way for way, text in found.items())
    assert tried(site, ROOM)["directions"] == {}


def test_click_that_means_several_actions_offers_them(site: Site) -> None:
    text = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\na . b ? .\nA . . . B\n"
    state = tried(site, text, x=1, y=0)
    assert (state["steps"], state["refused"]) == ([], None)
    assert state["choice"] == ["a:walk(1,0)", "b:walk(1,0)"]
    alone = tried(site, text, "a:walk(1,0)", x=0, y=0)
    assert ([step["action"] for step in alone["steps"]], alone["choice"]) == (
        ["a:walk(1,0)", "a:walk(-1,0)"],
        [],
    )
