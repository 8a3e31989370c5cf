"""Tests of access: guests, scores, and REST requests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.server.sites import Page, Site

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.store import digest

STRAIGHT = "#######\n#@ $ .#\n#######\n"


def invite(site: Site, name: str, **asked: object) -> str:
    answer = site.client.post(f"/api/sessions/{name}/invitations", json=asked)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.clause("R27")
def test_viewer_sees_everything_and_changes_nothing(site: Site) -> None:
    name = site.begin(pack="robots/races")
    invitation = invite(site, name)
    with site.page(name) as page, site.page(invitation) as viewer:
        assert (viewer.state["plays"], viewer.state["id"]) == (False, invitation)
        text = page.state["now"]["actions"][0]["text"]
        assert viewer.do(text)["told"][0]["kind"] == "refusal"
        assert viewer.say(type="race")["type"] == "error"
        page.do(text)
        assert viewer.wait_for("news")["now"]["done"] == 1
    assert name not in str(viewer.state)


def test_guest_cannot_play_another_robot(site: Site) -> None:
    name = site.begin(pack="robots/races")
    invitation = invite(site, name, actor="b", plays=True)
    with site.page(name) as page, site.page(invitation, "?view=a") as other:
        assert (other.state["actor"], other.state["bound"]) == ("b", True)
        first = page.state["now"]["actions"][0]["text"]
        for message in (
            {"type": "do", "text": first}, {"type": "typed", "text": first}, {"type": "do", "text": "restart"},
            {"type": "preview", "text": first}, {"type": "stop"},
        ):  # fmt: skip
            assert other.say(**message)["type"] == "error"
        assert other.say(type="view", actor="a")["told"][0]["kind"] == "refusal"
        own = other.state["now"]["actions"][0]["text"]
        assert other.do(own)["now"]["done"] == 1


@pytest.mark.slow
def test_invitation_does_not_allow_owner_requests(site: Site, url: str) -> None:
    name = site.begin(pack="robots/races")
    invitation = invite(site, name, plays=True)
    client = site.client
    assert client.delete(f"/api/sessions/{invitation}").status_code == 403
    assert client.get(f"/api/sessions/{invitation}/trace").status_code == 403
    assert client.post(f"/api/sessions/{invitation}/invitations", json={}).status_code == 403
    assert client.get(f"/api/sessions/{invitation}").json()["id"] == invitation
    assert client.post(f"/api/sessions/{name}/invitations", json={"actor": "z"}).status_code == 400
    again = Site(url)
    assert again.client.get(f"/api/sessions/{invitation}").json()["title"]
    assert client.delete(f"/api/sessions/{name}").status_code == 204
    assert client.get(f"/api/sessions/{name}").status_code == 404
    assert client.get(f"/api/sessions/{invitation}").status_code == 404


@pytest.mark.slow
def test_scores_are_replayed_and_ranked(site: Site) -> None:
    session = gp.Session(gp.read(STRAIGHT))
    for action in ("right", "left", "right", "right", "right"):
        session.act(action)
    detour = session.trace().to_json()
    name = site.begin(text=STRAIGHT)
    client = site.client
    early = client.post("/api/scores", json={"name": "Ada", "session": name})
    assert (early.status_code, early.json()["error"]["code"]) == (409, "action")
    with site.page(name) as page:
        for _ in range(3):
            page.do("right")
        key = page.state["now"]["key"]
    ada = client.post("/api/scores", json={"name": "Ada", "session": name})
    assert ada.json() == {"key": key, "ranks": {"actions": 1, "moves": 1, "pushes": 1}}
    bob = client.post("/api/scores", json={"name": "Bob", "trace": detour})
    assert bob.json()["ranks"] == {"actions": 2, "moves": 2, "pushes": 1}
    client.post("/api/scores", json={"name": "Ada", "trace": detour})
    measures = {item["name"]: item for item in client.get(f"/api/scores/{key}").json()["measures"]}
    assert [(one["name"], one["value"]) for one in measures["actions"]["scores"]] == [("Ada", 3), ("Bob", 5)]
    number = measures["actions"]["scores"][1]["id"]
    assert client.get(f"/api/scores/{key}/{number}/trace").text == detour
    assert client.get(f"/api/scores/{key}/999/trace").status_code == 404


def test_score_is_refused_when_its_trace_does_not_replay(site: Site) -> None:
    forged = (
        gp.Session(gp.read(STRAIGHT)).trace().to_json().replace('"steps": []', '"steps": [{"action": "up"}]')
    )
    answer = site.client.post("/api/scores", json={"name": "Eve", "trace": forged})
    assert answer.status_code == 409
    assert "step 1" in answer.json()["error"]["text"]


def test_score_of_random_game_is_refused_when_played_elsewhere(site: Site) -> None:
    session = gp.Session(gp.read("2048 2x2\n2 2\n0 0\n"))
    session.act("left")
    lucky = session.trace().to_json()
    assert site.client.post("/api/scores", json={"name": "Eve", "trace": lucky}).status_code == 409
    name = site.begin(text="2048 2x2\n2 2\n0 0\n")
    with site.page(name) as page:
        page.do("left")
    assert site.client.post("/api/scores", json={"name": "Ada", "session": name}).json()["ranks"] == {
        "score": 1
    }


def test_score_counts_when_a_game_of_chance_was_restarted_after_its_hint(site: Site) -> None:
    name = site.begin(text="2048 2x2 target=8\n4 4\n0 0\n")
    with site.page(name) as page:
        page.do("left")
        page.say(type="note_help")
        assert page.do("restart")["now"]["undone"] == 0
        page.do("left")
    answer = site.client.post("/api/scores", json={"name": "Ada", "session": name, "level": 1})
    assert answer.json()["ranks"]["score"] == 1


@pytest.mark.parametrize("begin_anew", ["restart", "new"])
def test_score_is_refused_when_the_same_level_begins_anew_after_its_hint(site: Site, begin_anew: str) -> None:
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page:
        page.do("right")
        page.say(type="note_help")
        page.do(begin_anew)
        for _ in range(3):
            page.do("right")
    assert site.client.post("/api/scores", json={"name": "Eve", "session": name}).status_code == 409


def test_score_is_refused_when_the_page_has_shown_a_hint(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page:
        page.say(type="note_help")
        for _ in range(3):
            page.do("right")
    assert site.client.post("/api/scores", json={"name": "Eve", "session": name}).status_code == 409


def test_score_is_refused_when_game_had_a_hint(site: Site) -> None:
    name = site.begin(text="2048 2x2 target=8\n4 4\n0 0\n")
    with site.page(name) as page:
        page.do("hint")
        page.do("left")
    answer = site.client.post("/api/scores", json={"name": "Eve", "session": name, "level": 1})
    assert (answer.status_code, answer.json()["error"]["text"]) == (
        409,
        "a game with hints does not enter the high scores",
    )


def test_viewers_learn_that_a_hint_was_shown(site: Site) -> None:
    name = site.begin(text="2048 4x4 target=2048\n2 4 8 2\n0 0 0 2\n0 0 0 0\n0 0 0 0\n")
    with site.page(name) as page, site.page(invite(site, name)) as viewer:
        assert (page.state["now"]["helped"], viewer.state["now"]["helped"]) == (False, False)
        page.say(type="note_help")
        assert viewer.wait_for("news")["helped"]
        with site.page(name) as fresh:
            assert fresh.state["now"]["helped"]
        assert page.do("restart")["now"]["helped"] is False
        assert viewer.wait_for("news")["now"]["helped"] is False


def test_hint_on_another_page_is_noted_for_its_level_alone(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    address = f"/api/sessions/{name}"
    key = site.client.get(address).json()["key"]
    with site.page(name) as page:
        for noted, helped in (("0" * 64, False), (key, True)):
            assert site.client.post(f"{address}/help", json={"key": noted}).status_code == 204
            assert site.client.get(address).json()["helped"] is helped
        assert page.wait_for("news")["helped"]
    viewer = invite(site, name)
    assert site.client.post(f"/api/sessions/{viewer}/help", json={"key": key}).status_code == 403


def test_score_of_random_game_is_refused_when_seed_was_chosen(site: Site) -> None:
    """Whoever chooses a seed could try many, and bring the luckiest as a session of its own."""
    text = "2048 2x2\n2 2\n0 0\n"
    chosen = site.begin(text=text, seed=5)
    with site.page(chosen) as page:
        page.do("left")
    drawn = site.begin(text=text)
    with site.page(drawn) as page:
        page.do("left")
    taken_up = site.begin(trace=site.client.get(f"/api/sessions/{drawn}/trace").text)
    for name, status in ((chosen, 409), (taken_up, 409), (drawn, 201)):
        assert site.client.post("/api/scores", json={"name": "Eve", "session": name}).status_code == status
    answer = site.client.post("/api/sessions", json={"text": text, "seed": 1 << 52})
    assert answer.status_code == 400


def test_server_seeds_are_safe_integers_in_javascript(site: Site) -> None:
    name = site.begin(pack="twenty48/standard")
    assert 1 << 52 <= site.client.get(f"/api/sessions/{name}/trace").json()["seed"] < 1 << 53


def test_session_of_trace_continues_at_its_end(site: Site) -> None:
    session = gp.Session(gp.read("2048 3x3\n"), seed=5)
    for _ in range(4):
        session.act(session.position.actions()[0])
    with site.page(site.begin(trace=session.trace().to_json())) as page:
        assert page.state["now"]["done"] == 4
        assert page.do("undo")["now"]["done"] == 3


def test_session_of_winning_trace_starts_at_level_start(site: Site) -> None:
    session = gp.Session(gp.read(STRAIGHT))
    for _ in range(3):
        session.act("right")
    trace = session.trace().to_json()
    begun = site.client.post("/api/sessions", json={"trace": trace}).json()
    assert begun["watch"]
    with site.page(begun["id"]) as page:
        assert (page.now["done"], page.now["status"]) == (0, "PLAYING")
        (told,) = page.say(type="open", trace=trace)["told"]
        assert told["result"] == "Won in 3 moves."
        assert page.do("right")["now"]["done"] == 1


@pytest.mark.slow
def test_result_of_a_race_says_who_has_won(site: Site) -> None:
    session = gp.Session(
        gp.read("robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . A\nb B .\n")
    )
    session.act("b:walk(1,0)")
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        (told,) = page.say(type="open", trace=session.trace().to_json())["told"]
    assert told["result"] == "b won in 1 request."


@pytest.mark.parametrize("watch", [False, True])
def test_win_after_which_the_game_goes_on_is_watched_on_request(site: Site, watch: bool) -> None:
    session = gp.Session(gp.read("2048 2x2 spawn=spec target=8\n4 4\n0 0\n"), seed=5)
    session.act("left")
    body = {"trace": session.trace().to_json(), "watch": watch}
    begun = site.client.post("/api/sessions", json=body).json()
    assert begun["watch"] == watch
    with site.page(begun["id"]) as page:
        assert page.now["done"] == (0 if watch else 1)


@pytest.mark.parametrize(
    "body", [{"pack": "sokoban/first-steps"}, {"text": STRAIGHT}, {"puzzle": "no-puzzle"}]
)
def test_watching_without_trace_is_refused(site: Site, body: dict[str, str]) -> None:
    answer = site.client.post("/api/sessions", json={**body, "watch": True})
    assert answer.status_code == 400
    assert answer.json()["error"]["text"] == "only a trace is watched: give watch with a trace"


def test_session_of_random_trace_without_seed_starts_at_level_start(site: Site) -> None:
    session = gp.Session(gp.read("2048 2x2\n2 2\n0 0\n"), seed=5)
    session.act("left")
    data = json.loads(session.trace().to_json())
    del data["seed"]
    begun = site.client.post("/api/sessions", json={"trace": json.dumps(data)}).json()
    assert begun["watch"]
    with site.page(begun["id"]) as page:
        (told,) = page.say(type="open", trace=data)["told"]
        assert told["result"] == "Played for 1 move."


def test_position_of_won_level_is_its_last_one(site: Site) -> None:
    name = site.begin(text=f"{STRAIGHT}\n{STRAIGHT}")
    with site.page(name) as page:
        for _ in range(3):
            page.do("right")
        assert page.now["level"] == 2
    address = f"/api/sessions/{name}/position"
    assert [site.client.get(address + query).text.count("*") for query in ("", "?level=1")] == [0, 1]
    assert site.client.get(f"{address}?level=9").status_code == 400


def test_level_text_picture_and_trace_are_returned(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    client = site.client
    assert client.get(f"/api/sessions/{name}/level").text == STRAIGHT
    assert client.get(f"/api/sessions/{name}/position").text.endswith("Bombs: 0\n")
    assert client.get(f"/api/sessions/{name}/trace").json()["game"] == "sokoban"
    assert client.get(f"/api/sessions/{name}/trace?level=9").status_code == 400
    picture = client.get("/api/packs/sokoban/first-steps/1.svg?theme=dark")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert client.post("/api/pictures", json={"text": STRAIGHT}).text.startswith("<svg")
    known = client.post("/api/sessions/known", json={"ids": [name, "nobody"]}).json()["sessions"]
    assert [one["id"] for one in known] == [name]


def test_scores_are_limited_to_the_best_of_a_level(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.store.leaderboard.MOST", 2)
    session = gp.Session(gp.read(STRAIGHT))
    leaderboard = site.store.leaderboard
    for name, detours in (("Ann", 2), ("Bob", 1), ("Cem", 3), ("Dan", 0)):
        session.restart()
        for action in ["right", "left"] * detours + ["right"] * 3:
            session.act(action)
        key, reached = digest(session.levels[0]), leaderboard.add(session.trace(0), name)
        assert reached["pushes"] >= 1
    best = leaderboard.best(key)
    assert [one.player for one in best["moves"]] == ["Dan", "Bob"]
    with site.store._engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM ranks").scalar() == 6


def test_guest_of_one_actor_is_offered_only_what_works(site: Site) -> None:
    invitation = invite(site, site.begin(pack="robots/races"), actor="b", plays=True)
    with site.page(invitation) as page:
        state = page.state
        assert [command["word"] for command in state["commands"]] == ["help", "hint", "proof"]
        assert (state["bound"], state["owner"]) == (True, False)
        assert not {"undo", "restart", "solve", "watch", "new", "level"} & {*state["keys"].values()}
        for text in ("hint", "help", state["now"]["actions"][0]["text"]):
            assert page.do(text)["type"] == "answer"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("undo", "Only the owner of the game can use undo. You play b."),
        ("level 2", "Only the owner of the game can use level. You play b."),
        ("a:walk(1,0)", "You play b. Only a can do a:walk(1,0)."),
        ("b:jump(1)", "b has no action 'b:jump(1)'."),
    ],
)
def test_guest_refusals_are_sentences(site: Site, text: str, told: str) -> None:
    invitation = invite(site, site.begin(pack="robots/races"), actor="b", plays=True)
    with site.page(invitation) as page:
        for kind in ("do", "typed", "preview"):
            assert page.say(type=kind, text=text)["text"] == told


def test_guest_types_short_forms_of_own_actions(site: Site) -> None:
    invitation = invite(site, site.begin(pack="robots/races"), actor="b", plays=True)
    with site.page(invitation) as page:
        assert page.say(type="typed", text="right")["changes"][0]["steps"][0]["action"] == "b:rotate(90)"


def test_guest_gets_refusal_when_action_is_blocked(site: Site) -> None:
    invitation = invite(site, site.begin(pack="robots/races"), actor="b", plays=True)
    with site.page(invitation) as page:
        walks = [f"b:walk({cells},0)" for cells in (1, 2, 3)]
        possible = [action["text"] for action in page.state["now"]["actions"]]
        (blocked, *_) = [walk for walk in walks if walk not in possible]
        assert page.do(blocked)["told"][0]["blocked"] == blocked


LOST = "You have lost: the winner is a."
WON = "You have won! Fireworks!"


@pytest.mark.slow
@pytest.mark.parametrize(("plays", "owner", "told"), [("a", LOST, WON), ("b", WON, LOST)])
def test_win_message_names_winner_and_tells_each_own_result(
    site: Site, plays: str, owner: str, told: str
) -> None:
    name = site.begin(pack="robots/races")
    invitation = invite(site, name, actor=plays, plays=True)
    with site.page(name) as page, site.page(invitation) as other:
        solution = site.context.registry.sessions[name].session.levels[0].certificate
        assert solution is not None
        ends: dict[Page, dict[str, str]] = {}
        for action in solution.actions:
            own, its = (other, page) if str(action).startswith(plays) else (page, other)
            ends[own] = _end_line(own.do(str(action)))
        while not ends.get(its):
            ends[its] = _end_line(its.wait_for("news"))
        assert ends[page]["text"] == owner
        assert ends[other]["text"] == told
        assert ends[other]["kind"] == ("won" if plays == "a" else "lost")


def _end_line(message: dict[str, Any]) -> dict[str, str]:
    return next((line for line in message.get("told", []) if line["kind"] in ("won", "lost")), {})


SIDE_BY_SIDE = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . . A\nb . . . B\n"


def _actors(page: Page) -> set[str]:
    return {action["actor"] for action in page.now["actions"]} - {NATURE}


@pytest.mark.slow
def test_robot_of_joined_guest_is_the_guests_alone(site: Site) -> None:
    name = site.begin(text=SIDE_BY_SIDE)
    invitation = invite(site, name, actor="b", plays=True)
    with site.page(name) as page:
        assert _actors(page) == {"a", "b"}
        with site.page(invitation) as guest:
            offered = page.wait_for("news")["now"]
            assert (_actors(page), list(offered["each"]), offered["about"]["taken"]) == ({"a"}, ["a"], ["b"])
            for asked in (
                {"type": "do", "text": "b:walk(1,0)"}, {"type": "typed", "text": "b:walk(1,0)"},
                {"type": "do", "texts": ["b:walk(1,0)"]}, {"type": "point", "x": 0, "y": 1, "to": [1, 1]},
            ):  # fmt: skip
                (refusal,) = page.say(**asked)["told"]
                assert (refusal["kind"], refusal["text"]) == ("refusal", "Another person plays b.")
            assert page.say(type="view", actor="b")["type"] == "answer"
            assert _actors(page) == set()
            assert page.say(type="view", actor="a")["state"]["taken"] == ["b"]
            assert page.say(type="race")["text"] == "Another person plays b."
            assert page.say(type="state")["state"]["now"]["done"] == 0
            assert page.do("a:walk(1,0)")["now"]["done"] == 1
            assert guest.do("b:walk(1,0)")["now"]["done"] == 2
            assert (_actors(guest), guest.state["taken"]) == ({"b"}, [])
        while page.wait_for("news").get("now", {}).get("about", {}).get("taken") != []:
            pass
        assert page.say(type="view", actor=None)["type"] == "answer"
        assert page.do("b:walk(1,0)")["now"]["done"] == 3


def _notices(message: dict[str, Any]) -> list[str]:
    return [line["text"] for line in message.get("told", []) if line["kind"] == "notice"]


@pytest.mark.slow
def test_owners_command_is_announced_to_owner_and_guest(site: Site) -> None:
    name = site.begin(text=f"{SIDE_BY_SIDE}\n{SIDE_BY_SIDE}")
    with site.page(name) as page, site.page(invite(site, name, actor="b", plays=True)) as guest:
        page.do("a:walk(1,0)")
        for command, told in (
            ("undo", "a has taken the last move back."), ("redo", "a has done the last move again."),
            ("restart", "a has begun the level again."), ("level 2", "a has gone to level 2."),
        ):  # fmt: skip
            assert _notices(page.do(command)) == [told]
            while not (heard := _notices(guest.wait_for("news"))):
                pass
            assert heard == [told]
    with site.page(name) as page:
        page.do("a:walk(1,0)")
        assert _notices(page.do("undo")) == []


def test_undo_leaves_the_last_request_of_a_guest(site: Site) -> None:
    name = site.begin(text=SIDE_BY_SIDE)
    with site.page(name) as page, site.page(invite(site, name, actor="b", plays=True)) as guest:
        page.do("a:walk(1,0)")
        guest.do("b:walk(1,0)")
        refusal = "another person plays b, who has acted since"
        assert page.say(type="state")["state"]["now"]["undo_refusal"] == refusal
        for command in ("undo", "undo 2", "goto 0", "goto 1"):
            answer = page.do(command)
            assert refusal in str(answer["told"]).replace("Another", "another")
        assert page.do("a:walk(1,0)")["now"]["done"] == 3
        assert page.do("undo")["now"]["done"] == 2  # the own request, no more
        assert page.say(type="state")["state"]["now"]["undo_refusal"] == refusal


def test_others_hear_who_has_asked_for_an_exchange(site: Site) -> None:
    name = site.begin(text=SIDE_BY_SIDE)
    with site.page(name) as page, site.page(invite(site, name, actor="b", plays=True)) as guest:
        for who, asker, other in (("a", page, guest), ("b", guest, page)):
            told = [f"{who} has asked nature to exchange two tiles."]
            assert _notices(asker.do("exchange")) == told
            while not (heard := _notices(other.wait_for("news"))):
                pass
            assert heard == told
        assert _notices(guest.do("b:rotate(0)")) == []
    with site.page(name) as page:
        assert _notices(page.do("exchange")) == []


def test_others_hear_that_a_player_has_gone_on(site: Site) -> None:
    name = site.begin(text=f"{SIDE_BY_SIDE}\n{SIDE_BY_SIDE}")
    with site.page(name) as page, site.page(invite(site, name, actor="b", plays=True)) as guest:
        guest.do("b:walk(3,0)")
        guest.do("b:walk(1,0)")
        assert guest.say(type="onward").get("told", []) == []
        while not (heard := _notices(page.wait_for("news"))):
            pass
        assert heard == ["b has gone on to level 2."]


def test_game_that_goes_on_after_a_win_is_over_until_the_player_goes_on(site: Site) -> None:
    name = site.begin(text="2048 2x2 target=8\n4 4\n0 0\n", seed=1)

    def is_over() -> bool:
        (found,) = site.client.post("/api/sessions/known", json={"ids": [name]}).json()["sessions"]
        return bool(found["over"])

    with site.page(name) as page:
        assert not is_over()
        page.do("left")
        assert is_over()
        page.do(next(one["text"] for one in page.now["actions"]))
        assert not is_over()
