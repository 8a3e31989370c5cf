"""What is done in a session is told to all, whatever fails beside it; what one page asks keeps nobody else waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.play.web.sites import Site
from tests.play.web.test_guests import invited

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.play.jobs import Job
from gridproof.play.replay import Replay
from gridproof.play.web.limits import Limits
from gridproof.play.web.replays import MOST_STEPS, Replays

STRAIGHT = "#######\n#@ $ .#\n#######\n"
ENDLESS = "#####\n#@ .#\n# $ #\n#####\n"


# -- what is watched


def test_a_replay_does_not_run_far_ahead_of_what_was_seen(site: Site) -> None:
    with site.page(site.begin(text=ENDLESS)) as page:
        number = page.do("watch random")["told"][0]["replay"]
        answer = page.say(type="steps", replay=number, **{"from": 10**9}, count=1)
        assert (answer["type"], "0 steps are known" in answer["text"]) == ("error", True)
        (part,) = page.say(type="steps", replay=number, **{"from": MOST_STEPS}, count=1)["told"]
        assert len(part["steps"]) == 1


def test_a_replay_ends_where_a_trace_would_be_too_long() -> None:
    def for_ever() -> Iterator[Any]:
        while True:
            yield action, outcome

    session = gp.Session(gp.read(STRAIGHT))
    session.act("right")
    ((action, outcome),) = zip(session.trace().actions, session.outcomes, strict=True)
    replays = Replays(Limits(steps=5))
    replays._replays[1] = replay = Replay(session.trace().start, for_ever())
    part = replays.steps(1, 0, 50)
    assert (len(part.steps), part.end) == (5, True)
    part = replays.steps(1, 150, 50)
    assert (part.steps, part.end, replay.seen) == ([], True, 5)


def test_who_watches_a_slow_player_lets_others_play(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, begun = threading.Event(), threading.Event()
    steps = Replays.steps

    def slowly(*asked: Any) -> Any:
        begun.set()
        go_on.wait(60)
        return steps(*asked)

    monkeypatch.setattr(Replays, "steps", slowly)
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page, site.page(name) as other:
        number = page.do("watch random")["told"][0]["replay"]
        page.socket.send_json({"type": "steps", "replay": number, "ref": 2})
        assert begun.wait(60)
        assert other.do("right")["now"]["done"] == 1
        go_on.set()
        while page.receive().get("ref") != 2:
            pass


# -- deeds and long work


def test_an_action_is_told_though_there_is_no_room_for_the_partners_work(url: str, waiting: Any) -> None:
    site = Site(url, Limits(jobs_each=1), lambda: waiting)
    with site.client:
        name, elsewhere = site.begin(pack="robots/races"), site.begin(text=STRAIGHT)
        with site.page(name) as page, site.page(name) as other, site.page(elsewhere) as third:
            page.do("let b random")
            assert other.hear("news")["now"]["partners"] == {"b": "random"}
            site.house.jobs._clients[Job("other", lambda *_: None, lambda _: ())] = "testclient"
            answer = page.do(page.now["actions"][0]["text"])
            assert (answer["now"]["done"], len(answer["changes"])) == (1, 1)
            assert answer["told"][-1]["kind"] == "refusal"
            assert other.hear("news")["now"]["done"] == 1
            assert third.do("right")["now"]["done"] == 1


def test_of_several_actions_only_the_last_asks_a_partner(url: str, waiting: Any) -> None:
    site = Site(url, Limits(jobs_each=1), lambda: waiting)
    with site.client, site.page(site.begin(pack="robots/races")) as page:
        page.do("let b random")
        moves = [one["text"] for one in page.now["actions"] if one["actor"] == "a"]
        answer = page.say(type="do", texts=[moves[0], "undo", moves[0]])
        assert [line["kind"] for line in answer["told"] if line["kind"] in ("working", "refusal")] == [
            "working"
        ]
        waiting.go_on()
        while "job" not in page.hear("news"):
            pass


def test_a_race_that_cannot_be_restarts_nothing(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        page.do(page.now["actions"][0]["text"])
        assert page.say(type="race", options={"strategies": "nobody"})["type"] == "error"
        assert page.say(type="state")["state"]["now"]["done"] == 1


def test_all_partners_play_in_a_browser(site: Site) -> None:
    with site.page(site.begin(pack="robots/duels", level=2)) as page:
        for actor in "bc":
            page.do(f"let {actor} random")
        page.do(next(one["text"] for one in page.now["actions"] if one["actor"] == "a"))
        thought: list[int] = []
        while len(thought) < 2:
            news = page.hear("news")
            thought += [news["job"]] if "job" in news else []
        assert thought == [1, 2]


# -- who acts for whom


@pytest.mark.clause("R27")
def test_a_guest_acts_for_its_robot_alone_also_where_that_is_not(url: str) -> None:
    site = Site(url, Limits(messages_at_once=10_000))
    with site.client:
        _acts_for_c_alone(site)


def _acts_for_c_alone(site: Site) -> None:
    name = site.begin(pack="robots/duels", level=2)
    guest = invited(site, name, actor="c", plays=True)
    with site.page(name) as page, site.page(guest) as other:
        own = {one["text"] for one in other.now["actions"]}
        page.do("level 3")
        news = other.hear("news")["now"]
        assert {one["actor"] for one in news["actions"]} <= {NATURE}
        assert (news["about"]["actors"], news["about"]["meanings"]) == (["a", "b"], {})
        with site.page(guest) as again:
            assert again.state["actors"] == ["a", "b"]
        cells = [(x, y) for x in range(5) for y in range(4)]
        for place in (3, 2):
            page.do(f"level {place}")
            told = [other.say(type="point", x=x, y=y, to=to) for x, y in cells[::3] for to in cells[::2]]
            done = page.say(type="state")["state"]["now"]["done"]
            acted = [
                step["action"] for one in told for move in one.get("changes", ()) for step in move["steps"]
            ]
            assert done == len(acted)
            session = site.house.rooms.rooms[name].session
            level = session.levels[session.current]
            assert {level.owner(session.position.action(action)) for action in acted} <= {"c", NATURE}
        seat = site.house.rooms.rooms[name].seats["c"]
        assert seat.table.actor == "c"
        assert own
        assert {one["actor"] for one in other.say(type="state")["state"]["now"]["actions"]} <= {"c", NATURE}
