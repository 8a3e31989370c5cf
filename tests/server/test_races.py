"""Races in a session: live for any number of viewers, and played by two."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.sites import Page, Site
from tests.server.test_access import invite

from gridproof.server.rate_limits import Limits
from gridproof.table.replay import SPEEDS


@pytest.mark.clause("R27")
def test_race_runs_live_for_all_viewers(site: Site) -> None:
    name = site.begin(pack="robots/races")
    with site.page(name) as page, site.page(name) as viewer, site.page(name, "?view=b") as other:
        answer = page.say(type="race", options={"strategies": "planner"}, speed=16)
        assert answer["type"] == "answer"
        heard: list[dict[str, Any]] = []
        while not any(line["kind"] == "won" for news in heard for line in news.get("told", ())):
            heard.append(viewer.wait_for("news"))
        moved = [change for news in heard for change in news.get("changes", ()) if change["change"] == "act"]
        assert moved[-1]["won"]
        assert heard[-1]["changes"][-1]["steps"][0]["moves"]
        while viewer.now["race"] is not None:  # that it has ended
            viewer.wait_for("news")
        while "changes" not in (news := other.wait_for("news")) or not news["changes"][-1]["won"]:
            pass
    trace = site.client.get(f"/api/sessions/{name}/trace?level=1").json()
    assert len(trace["steps"]) == len(moved)


def test_race_changes_speed_and_stops(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        assert page.say(type="race", options={"strategies": "random"}, speed=0.25)["type"] == "answer"
        assert page.say(type="speed", speed=8)["now"]["race"]["speed"] == 8
        assert page.say(type="stop")["now"]["race"] is None


def test_race_can_be_watched_by_one_page(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        (replay,) = page.say(type="race", options={"strategies": "planner"}, watch=True)["told"]
        (part,) = page.say(type="steps", replay=replay["replay"])["told"]
        assert part["end"]
        assert part["steps"][-1]["now"]["status"] == "WON"


@pytest.mark.parametrize(
    "message",
    [
        {"options": {"strategies": "nobody"}}, {"options": {"max_requests": 10**9}}, {"options": []},
        {"speed": 1000}, {"speed": True}, {"options": {"strategies": [1]}}, {"options": {"no": 1}},
    ],
)  # fmt: skip
def test_race_is_refused_when_options_are_invalid(site: Site, message: dict[str, object]) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        assert page.say(type="race", **message)["type"] == "error"


def test_two_browsers_play_two_robots_of_one_race(site: Site) -> None:
    name = site.begin(pack="robots/races")
    with site.page(name, "?view=a") as page, site.page(name, "?view=b") as other:
        first = page.state["now"]["actions"][0]["text"]
        page.do(first)
        news = other.wait_for("news")
        second = next(one["text"] for one in news["now"]["actions"] if one["actor"] == "b")
        other.do(second)
        heard = page.wait_for("news")
        assert heard["changes"][0]["steps"][0]["action"] == second
        assert heard["now"]["done"] == 2


@pytest.mark.clause("R27")
def test_race_start_speed_and_end_are_sent_to_viewers(site: Site) -> None:
    name = site.begin(pack="robots/races")
    with site.page(name) as page, site.page(name) as other:
        page.say(type="race", options={"strategies": "random"}, speed=0.25)
        assert other.wait_for("news")["now"]["race"] == {"speed": 0.25, "requests": 0}
        assert other.state["speeds"] == [*SPEEDS]
        page.say(type="speed", speed=8)
        while other.wait_for("news")["now"]["race"]["speed"] != 8:
            pass
        page.say(type="stop")
        while other.wait_for("news")["now"]["race"] is not None:
            pass


def test_race_tells_which_programs_pass(site: Site) -> None:
    with site.page(site.begin(pack="robots/races", level=4)) as page:
        page.say(type="race", options={"strategies": "planner"}, speed=16)
        told: list[dict[str, Any]] = []
        while not any(line["kind"] == "won" for line in told):
            told += page.wait_for("news").get("told", [])
    passes = [line["text"] for line in told if line["kind"] == "pass"]
    assert passes == ["b waits", "c waits"]


RACE = "robots 5x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . . A\n. . . . .\nb . B . .\n"


def test_player_has_lost_when_the_robot_of_a_program_is_home(site: Site) -> None:
    with site.page(site.begin(text=RACE)) as page:
        page.do("let b planner")
        page.do("a:walk(1,0)")
        told: list[dict[str, Any]] = []
        while not (ends := [line for line in told if line["kind"] in ("won", "lost")]):
            told = page.wait_for("news").get("told", [])
        assert [line["text"] for line in ends] == ["You have lost: the winner is b."]
        assert (ends[0]["kind"], ends[0]["own"]) == ("lost", 1)
        assert page.say(type="state")["state"]["now"]["end"]["kind"] == "lost"


def test_win_counts_own_requests_beside_those_of_a_program(site: Site) -> None:
    with site.page(
        site.begin(text=RACE.replace("a . . . A", "a . A . .").replace("b . B . .", "b . . . B"))
    ) as page:
        page.do("let b planner")
        page.do("a:walk(1,0)")
        while page.now["done"] < 2:
            page.wait_for("news")
        assert page.now["own_done"] == 1
        (won,) = [line for line in page.do("a:walk(1,0)")["told"] if line["kind"] == "won"]
        assert (won["text"], won["own"]) == ("You have won! Fireworks!", 2)


@pytest.mark.slow
def test_program_leaves_its_robot_to_a_guest(site: Site) -> None:
    name = site.begin(text=RACE.replace("b . B . .", "b . . . B"))
    with site.page(name) as page:
        page.do("let b planner")
        with site.page(invite(site, name, actor="b", plays=True)) as guest:
            while page.now["partners"]:
                page.wait_for("news")
            assert guest.state["now"]["partners"] == {}
            assert page.do("let b planner")["text"] == "Another person plays b."
            answer = page.do("a:walk(1,0)")
            assert not [line for line in answer.get("told", []) if line["kind"] == "working"]
            assert guest.do("b:walk(1,0)")["now"]["done"] == 2


def test_race_of_programs_has_a_winner_but_no_player(site: Site) -> None:
    with site.page(site.begin(text=RACE)) as page:
        page.say(type="race", options={"strategies": "planner"}, speed=16)
        told: list[dict[str, Any]] = []
        while not (ends := [line for line in told if line["kind"] in ("won", "lost")]):
            told = page.wait_for("news").get("told", [])
        assert (ends[0]["text"], ends[0]["own"]) == (winner := "Fireworks! The winner is b.", 0)
        while page.now["race"] is not None:
            page.wait_for("news")
        now = page.say(type="state")["state"]["now"]
        assert (now["end"]["text"], now["end"]["own"], now["own_done"]) == (winner, 0, None)
        page.do("undo")
        assert page.now["end"] is None


def _finish(page: Page, **message: Any) -> dict[str, Any]:
    """Send a message after which programs play to the end; return the line of the end."""
    told = page.say(**message).get("told", [])
    while not (ends := [line for line in told if line["kind"] in ("won", "lost")]):
        told = page.wait_for("news").get("told", [])
    while page.now["race"] is not None:
        page.wait_for("news")
    return dict(ends[0])


@pytest.mark.parametrize("is_race", [True, False])
def test_level_that_programs_won_is_not_done_and_has_their_win_after_eviction(
    url: str, is_race: bool
) -> None:
    site = Site(url, Limits(idle=0))
    with site.client:
        name = site.begin(text=RACE)
        with site.page(name) as page:
            if is_race:
                end = _finish(page, type="race", options={"strategies": "planner"}, speed=16)
            else:
                page.do("let b planner")
                end = _finish(page, type="do", text="a:walk(1,0)")
            assert page.now["completed"] == 0
        site.context.registry.evict_idle()
        assert name not in site.context.registry.sessions
        with site.page(name) as page:
            now = page.state["now"]
            assert (now["end"]["kind"], now["end"]["own"]) == (end["kind"], end["own"])
            assert bool(now["race_players"]) == is_race
            assert not page.state["levels"][0]["done"]
            answer = site.client.post("/api/scores", json={"name": "Eve", "session": name})
            assert answer.json()["error"]["text"] == "a win of programs does not enter the high scores"
            page.do("restart")
            assert (page.now["completed"], page.now["race_players"]) == (0, None)


def test_lost_race_stays_on_its_level_and_can_be_taken_back(site: Site) -> None:
    with site.page(site.begin(text=f"{RACE}\n{RACE}")) as page:
        page.do("let b planner")
        assert _finish(page, type="do", text="a:walk(1,0)")["kind"] == "lost"
        assert (page.now["level"], page.now["done"], page.now["completed"]) == (1, 2, 0)
        assert page.do("undo")["now"]["done"] == 0
