"""Tests of the requests of several actors, and of co-players, as pages receive them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.sites import Site
from tests.server.test_access import invite

TWO = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"
A_WALKS, B_WALKS = (
    {
        "words": f"{robot} steps ahead",
        "seen": f"{robot} steps right",
        "heard": [f"{robot} is told: home is ahead"],
        "seen_heard": [f"{robot} is told: home is to the right"],
        "dialogue": {
            "asker": robot,
            "question": "May I step right?",
            "own": "May I step ahead?",
            "answers": ["Yes."],
            "cells": [],
        },
    }
    for robot in "ab"
)
A_WALKS_UNHEARD, B_WALKS_UNHEARD = (
    {**{name: value for name, value in request.items() if name != "seen_heard"}, "heard": []}
    for request in (A_WALKS, B_WALKS)
)


@pytest.mark.clause("R19")
def test_robot_hint_is_sent_to_its_own_player_only(site: Site) -> None:
    name = site.begin(text=TWO)
    with site.page(name, "?view=a") as page, site.page(invite(site, name, actor="b", plays=True)) as other:
        (step,) = page.do("a:walk(1,0)")["changes"][0]["steps"]
        assert all(step[name] == A_WALKS[name] for name in ("words", "seen", "heard", "seen_heard"))
        (step,) = other.wait_for("news")["changes"][0]["steps"]
        assert (step["words"], "heard" in step) == (A_WALKS["words"], False)
        assert "seen_heard" not in step
        other.do("b:walk(1,0)")
        seen = [one.say(type="state")["state"]["requests"] for one in (page, other)]
        assert seen == [[A_WALKS, B_WALKS_UNHEARD], [A_WALKS_UNHEARD, B_WALKS]]
        assert "home is ahead" not in str(page.say(type="view", actor="b")["state"]["requests"][0])


@pytest.mark.clause("R27")
def test_viewer_receives_requests_of_all_actors(site: Site) -> None:
    name = site.begin(text=TWO)
    with site.page(name) as page, site.page(invite(site, name)) as viewer:
        page.do("a:walk(1,0)")
        page.do("b:walk(1,0)")
        assert viewer.say(type="state")["state"]["requests"] == [A_WALKS, B_WALKS]


def test_undone_requests_are_removed(site: Site) -> None:
    with site.page(site.begin(text=TWO)) as page:
        page.do("a:walk(1,0)")
        page.do("b:walk(1,0)")
        assert page.do("undo")["requests"] == [A_WALKS]
        assert page.do("redo")["requests"] == [A_WALKS, B_WALKS]
        assert page.do("restart")["requests"] == []


def test_requests_are_empty_when_level_has_one_actor(site: Site) -> None:
    with site.page(site.begin(text="#######\n#@ $ .#\n#######\n")) as page:
        page.do("right")
        assert page.say(type="state")["state"]["requests"] == []


def test_co_players_are_the_same_in_all_views(site: Site) -> None:
    name = site.begin(text=TWO)
    with site.page(name, "?view=a") as page, site.page(name) as other:
        page.do("let b random")
        assert other.wait_for("news")["now"]["partners"] == {"b": "random"}
        assert page.say(type="view", actor=None)["state"]["now"]["partners"] == {"b": "random"}
        working = page.do("a:walk(1,0)")["told"][-1]
        assert (working["kind"], working["what"], working["actor"]) == ("working", "b thinks", "b")
        page.do("let b hand")
        assert page.say(type="state")["state"]["now"]["partners"] == {}


def test_actor_of_another_page_is_not_given_to_a_program(site: Site) -> None:
    name = site.begin(text=TWO)
    with site.page(name, "?view=a") as page, site.page(name, "?view=b") as other:
        assert page.do("let b random")["text"] == "b is played on another page."
        assert page.say(type="typed", text="let b random")["text"] == "b is played on another page."
        assert page.do("let a random")["type"] == "answer"
        other.say(type="view", actor=None)
        page.do("let b random")
        assert page.say(type="state")["state"]["now"]["partners"] == {"a": "random", "b": "random"}


def test_default_actor_is_told_with_each_level(site: Site) -> None:
    answer = site.client.post("/api/sessions", json={"pack": "robots/races", "level": 2}).json()
    assert answer["default_actor"] == "b"  # the certificate is its win
    with site.page(answer["id"]) as page:
        assert page.state["default_actor"] == "b"
        assert page.do("level 4")["now"]["about"]["default_actor"] == "a"
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        assert page.state["default_actor"] is None


def test_co_player_is_not_shown_on_a_level_without_its_actor(site: Site) -> None:
    with site.page(site.begin(pack="robots/duels", level=2)) as page:
        page.do("let c random")
        assert page.do("level 3")["now"]["partners"] == {}
        assert page.do("level 2")["now"]["partners"] == {"c": "random"}


@pytest.mark.slow
def test_key_meanings_include_actions_that_are_not_possible_now(site: Site) -> None:
    with site.page(site.begin(text="#######\n#@ $ .#\n#######\n")) as page:
        assert page.state["meanings"]["up"] == "go up"
        assert "go up" not in str(page.state["now"]["actions"])
    with site.page(site.begin(pack="robots/duels", level=3)) as page:
        assert page.state["actors"] == ["a", "b"]
        assert page.do("level 2")["now"]["about"]["actors"] == ["a", "b", "c"]


def test_player_acts_after_switching_to_an_actor(site: Site) -> None:
    with site.page(site.begin(pack="robots/duels", level=3)) as page:
        assert page.say(type="view", actor="b")["state"]["now"]["place"] == [2, 1]
        answer = page.do("b:walk(1,0)")
        assert answer["changes"][0]["steps"][0]["dialogue"]["question"] == "May I step left?"
        assert answer["now"]["place"] == [1, 1]


def test_arrows_mean_directions_of_the_board_in_each_position(site: Site) -> None:
    with site.page(site.begin(text=TWO), "?view=b") as page:
        before = page.state["now"]
        assert before["directions"]["right"] == "b:walk(1,0)"
        words = {action["text"]: (action["seen"], action["way"]) for action in before["actions"]}
        assert words["b:walk(2,0)"] == ("b walks 2 cells right", "right")
        assert words["b:rotate(90)"] == ("b turns to face down", "down")
        now = page.do("b:rotate(90)")["now"]
        assert (now["directions"]["down"], now["directions"]["right"]) == ("b:walk(1,0)", "b:rotate(270)")
        assert "b turns to face right" in [action["seen"] for action in now["actions"]]
    with site.page(site.begin(text="#######\n#@ $ .#\n#######\n")) as page:
        assert not {"directions", "place"} & page.state["now"].keys()


def test_moves_and_hints_are_sent_in_both_frames(site: Site) -> None:
    with site.page(site.begin(text=TWO), "?view=a") as page:
        page.do("a:walk(0,1)")
        counts = page.do("a:walk(1,0)")["now"]
        assert ["heard by a", "ahead"] in counts["counts"]
        assert ["heard by a", "right"] in counts["seen_counts"]
        state = page.say(type="state")["state"]
        assert state["moves"]["list"] == [["a:walk(1,0)", "a steps ahead", "a steps right"]]
        page.do("undo")
        told: list[Any] = page.do("hint")["told"]
        hint = told[-1] if told[-1]["kind"] == "hint" else page.wait_for("news")["told"][-1]
        assert (hint["text"].split(" (")[0], hint["seen"].split(" (")[0]) == (
            "a steps ahead",
            "a steps right",
        )
        begin = page.do("restart")["now"]
        assert begin["seen_counts"] is None  # a page would keep what is left out


def test_refused_request_says_why(site: Site) -> None:
    with site.page(site.begin(text=TWO)) as page:
        (refusal,) = page.do("a:walk(0,-1)")["told"]
        assert refusal["reason"] == "a: May I step up? No: it leads off the board."
        assert refusal["own_reason"] == "a: May I step to my left? No: it leads off the board."


def test_winner_and_loser_learn_who_was_first(site: Site) -> None:
    name = site.begin(text="robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A .\nb . B\n")
    with site.page(name) as page, site.page(invite(site, name, actor="b", plays=True)) as other:
        assert other.state["turns"] == "There are no turns: each robot may ask at any time."
        page.do("a:walk(1,0)")
        told = [line for line in other.wait_for("news")["told"] if line["kind"] == "lost"]
        assert [line["because"] for line in told] == ["a is home first: b has lost."]
        assert other.say(type="state")["state"]["now"]["end"]["because"] == "a is home first: b has lost."


def test_click_and_drag_are_refused_for_the_same_reason_as_a_key(site: Site) -> None:
    text = "robots 4x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\nb . . B\n# a # #\n# A # #\n"
    told = "a: May I step up? No: this would cut b off from its home."
    with site.page(site.begin(text=text), "?view=a") as page:
        for asked in (
            {"type": "do", "text": "a:walk(0,-1)"}, {"type": "point", "x": 1, "y": 0},
            {"type": "point", "x": 1, "y": 1, "to": [1, 0]},
        ):  # fmt: skip
            (refusal,) = page.say(**asked)["told"]
            assert refusal["reason"] == told
