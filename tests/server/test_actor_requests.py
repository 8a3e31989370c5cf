"""Tests of the requests of several actors, and of co-players, as pages receive them."""

from __future__ import annotations

import pytest
from tests.server.sites import Site
from tests.server.test_access import invite

TWO = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"
A_WALKS, B_WALKS = (
    {"words": f"{robot} steps ahead", "heard": [f"{robot} is told: home is ahead"]} for robot in "ab"
)


@pytest.mark.clause("R19")
def test_robot_hint_is_sent_to_its_own_player_only(site: Site) -> None:
    name = site.begin(text=TWO)
    with site.page(name, "?view=a") as page, site.page(invite(site, name, actor="b", plays=True)) as other:
        (step,) = page.do("a:walk(1,0)")["changes"][0]["steps"]
        assert (step["words"], step["heard"]) == (A_WALKS["words"], A_WALKS["heard"])
        (step,) = other.wait_for("news")["changes"][0]["steps"]
        assert (step["words"], "heard" in step) == (A_WALKS["words"], False)
        other.do("b:walk(1,0)")
        seen = [one.say(type="state")["state"]["requests"] for one in (page, other)]
        assert seen == [[A_WALKS, {**B_WALKS, "heard": []}], [{**A_WALKS, "heard": []}, B_WALKS]]
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
    with site.page(name, "?view=a") as page, site.page(name, "?view=b") as other:
        page.do("let b random")
        assert other.wait_for("news")["now"]["partners"] == {"b": "random"}
        assert page.say(type="view", actor=None)["state"]["now"]["partners"] == {"b": "random"}
        assert page.do("a:walk(1,0)")["told"][-1]["kind"] == "working"
        page.do("let b hand")
        assert page.say(type="state")["state"]["now"]["partners"] == {}


def test_key_meanings_include_actions_that_are_not_possible_now(site: Site) -> None:
    with site.page(site.begin(text="#######\n#@ $ .#\n#######\n")) as page:
        assert page.state["meanings"]["up"] == "go up"
        assert "go up" not in str(page.state["now"]["actions"])
    with site.page(site.begin(pack="robots/duels", level=3)) as page:
        assert page.state["actors"] == ["a", "b"]
        assert page.do("level 2")["now"]["about"]["actors"] == ["a", "b", "c"]
