"""Tests of actions: all viewers receive them, failures do not spread, and no page blocks another."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.sites import Site
from tests.server.test_access import invite

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.server.live.replays import MOST_STEPS, Replays
from gridproof.server.rate_limits import Limits
from gridproof.table.jobs import Job
from gridproof.table.replay import Replay

STRAIGHT = "#######\n#@ $ .#\n#######\n"
ENDLESS = "#####\n#@ .#\n# $ #\n#####\n"


# -- what is watched


def test_replay_does_not_run_far_ahead_of_sent_steps(site: Site) -> None:
    with site.page(site.begin(text=ENDLESS)) as page:
        number = page.do("watch random")["told"][0]["replay"]
        answer = page.say(type="steps", replay=number, **{"from": 10**9}, count=1)
        assert (answer["type"], "only 0 steps" in answer["text"]) == ("error", True)
        (part,) = page.say(type="steps", replay=number, **{"from": MOST_STEPS}, count=1)["told"]
        assert len(part["steps"]) == 1


def test_replay_step_names_winner_of_several() -> None:
    level = gp.read("robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . . B\n")[0]
    replays, session = Replays(Limits()), gp.Session([level])
    session.act("a:walk(1,0)")
    session.act("b:walk(3,0)")
    replays._replays[1] = Replay.of(session.trace())
    first, last = (now for *_, now in replays.steps(1, 0, 10).steps)
    assert "end" not in first
    assert last["end"] == "Fireworks! The winner is b."


def test_replay_ends_at_trace_limit() -> None:
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
    assert (part.steps, part.end, replay.computed_count) == ([], True, 5)


@pytest.mark.slow
def test_slow_replay_does_not_block_other_players(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
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


# -- actions and jobs


def test_action_is_answered_when_co_player_job_is_refused(url: str, waiting: Any) -> None:
    site = Site(url, Limits(jobs_each=1), lambda: waiting)
    with site.client:
        name, elsewhere = site.begin(pack="robots/races"), site.begin(text=STRAIGHT)
        with site.page(name) as page, site.page(name) as other, site.page(elsewhere) as third:
            page.do("let b random")
            assert other.wait_for("news")["now"]["partners"] == {"b": "random"}
            site.context.jobs._clients[Job("other", lambda *_: None, lambda _: ())] = "testclient"
            answer = page.do(page.now["actions"][0]["text"])
            assert (answer["now"]["done"], len(answer["changes"])) == (1, 1)
            assert answer["told"][-1]["kind"] == "refusal"
            assert other.wait_for("news")["now"]["done"] == 1
            assert third.do("right")["now"]["done"] == 1


def test_co_player_acts_only_after_last_of_several_actions(url: str, waiting: Any) -> None:
    site = Site(url, Limits(jobs_each=1), lambda: waiting)
    with site.client, site.page(site.begin(pack="robots/races")) as page:
        page.do("let b random")
        moves = [one["text"] for one in page.now["actions"] if one["actor"] == "a"]
        answer = page.say(type="do", texts=[moves[0], "undo", moves[0]])
        assert [line["kind"] for line in answer["told"] if line["kind"] in ("working", "refusal")] == [
            "working"
        ]
        waiting.go_on()
        while "job" not in page.wait_for("news"):
            pass


def test_invalid_race_does_not_restart_level(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        page.do(page.now["actions"][0]["text"])
        assert page.say(type="race", options={"strategies": "nobody"})["type"] == "error"
        assert page.say(type="state")["state"]["now"]["done"] == 1


def test_all_co_players_play_in_browser(site: Site) -> None:
    with site.page(site.begin(pack="robots/duels", level=2)) as page:
        for actor in "bc":
            page.do(f"let {actor} random")
        page.do(next(one["text"] for one in page.now["actions"] if one["actor"] == "a"))
        thought: list[int] = []
        while len(thought) < 2:
            news = page.wait_for("news")
            thought += [news["job"]] if "job" in news else []
        assert thought == [1, 2]


# -- who acts for whom


@pytest.mark.slow
@pytest.mark.clause("R27")
def test_guest_cannot_act_on_level_without_its_robot(url: str) -> None:
    site = Site(url, Limits(messages_at_once=10_000))
    with site.client:
        _acts_for_c_alone(site)


def _acts_for_c_alone(site: Site) -> None:
    name = site.begin(pack="robots/duels", level=2)
    invitation = invite(site, name, actor="c", plays=True)
    with site.page(name) as page, site.page(invitation) as other:
        own = {one["text"] for one in other.now["actions"]}
        page.do("level 3")
        news = other.wait_for("news")["now"]
        assert {one["actor"] for one in news["actions"]} <= {NATURE}
        assert (news["about"]["actors"], news["about"]["meanings"]) == (["a", "b"], {})
        with site.page(invitation) as again:
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
            session = site.context.registry.sessions[name].session
            level = session.levels[session.current]
            assert {level.owner(session.position.action(action)) for action in acted} <= {"c", NATURE}
        view = site.context.registry.sessions[name].views["c", True]
        assert view.table.actor == "c"
        assert own
        assert {one["actor"] for one in other.say(type="state")["state"]["now"]["actions"]} <= {"c", NATURE}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("undo", "Nothing to undo."),
        ("mistake", "Ask first whether this position can still be won."),
        ("level 9", "Choose a level from 1 to 3."),
        ("level x", "Must be a whole number."),
    ],
)
def test_refused_commands_are_told_in_sentences(site: Site, text: str, told: str) -> None:
    with site.page(site.begin(pack="null/first")) as page:
        for kind in ("do", "typed"):
            assert page.say(type=kind, text=text)["told"][0]["text"] == told


def test_refused_action_among_several_is_named(site: Site) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        told = page.say(type="typed", text="right up")["told"]
        assert [one["text"] for one in told if one["kind"] == "refusal"] == [
            "1 of 2 actions done",
            "up: a wall is in row 1, column 3",
        ]
