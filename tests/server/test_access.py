"""Guests, scores, and what is asked over REST."""

from __future__ import annotations

import pytest
from tests.play.web.sites import Site

import gridproof as gp
from gridproof.store import digest

STRAIGHT = "#######\n#@ $ .#\n#######\n"


def invited(site: Site, name: str, **asked: object) -> str:
    answer = site.client.post(f"/api/sessions/{name}/invitations", json=asked)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.clause("R27")
def test_a_viewer_sees_all_and_changes_nothing(site: Site) -> None:
    name = site.begin(pack="robots/races")
    guest = invited(site, name)
    with site.page(name) as page, site.page(guest) as viewer:
        assert (viewer.state["plays"], viewer.state["id"]) == (False, guest)
        text = page.state["now"]["actions"][0]["text"]
        assert viewer.do(text)["told"][0]["kind"] == "refusal"
        assert viewer.say(type="race")["type"] == "error"
        page.do(text)
        assert viewer.hear("news")["now"]["done"] == 1
    assert name not in str(viewer.state)


def test_a_guest_who_plays_one_robot_plays_no_other(site: Site) -> None:
    name = site.begin(pack="robots/races")
    guest = invited(site, name, actor="b", plays=True)
    with site.page(name) as page, site.page(guest, "?view=a") as other:
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


def test_invitations_go_no_further(site: Site, url: str) -> None:
    name = site.begin(pack="robots/races")
    guest = invited(site, name, plays=True)
    client = site.client
    assert client.delete(f"/api/sessions/{guest}").status_code == 403
    assert client.get(f"/api/sessions/{guest}/trace").status_code == 403
    assert client.post(f"/api/sessions/{guest}/invitations", json={}).status_code == 403
    assert client.get(f"/api/sessions/{guest}").json()["id"] == guest
    assert client.post(f"/api/sessions/{name}/invitations", json={"actor": "z"}).status_code == 400
    again = Site(url)
    assert again.client.get(f"/api/sessions/{guest}").json()["title"]
    assert client.delete(f"/api/sessions/{name}").status_code == 204
    assert client.get(f"/api/sessions/{name}").status_code == 404
    assert client.get(f"/api/sessions/{guest}").status_code == 404


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


def test_a_trace_that_does_not_replay_is_no_score(site: Site) -> None:
    forged = (
        gp.Session(gp.read(STRAIGHT)).trace().to_json().replace('"steps": []', '"steps": [{"action": "up"}]')
    )
    answer = site.client.post("/api/scores", json={"name": "Eve", "trace": forged})
    assert answer.status_code == 409
    assert "step 1" in answer.json()["error"]["text"]


def test_of_games_of_chance_only_what_was_played_here_counts(site: Site) -> None:
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


def test_of_games_of_chance_only_seeds_that_the_server_has_drawn_count(site: Site) -> None:
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


def test_the_servers_seeds_are_numbers_of_javascript(site: Site) -> None:
    name = site.begin(pack="twenty48/standard")
    assert 1 << 52 <= site.client.get(f"/api/sessions/{name}/trace").json()["seed"] < 1 << 53


def test_a_trace_is_gone_on_with_at_its_end(site: Site) -> None:
    session = gp.Session(gp.read("2048 3x3\n"), seed=5)
    for _ in range(4):
        session.act(session.position.actions()[0])
    with site.page(site.begin(trace=session.trace().to_json())) as page:
        assert page.state["now"]["done"] == 4
        assert page.do("undo")["now"]["done"] == 3


def test_texts_pictures_and_traces_come_back(site: Site) -> None:
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


def test_only_the_best_scores_of_a_level_are_kept(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.store.ranks.MOST", 2)
    session = gp.Session(gp.read(STRAIGHT))
    ranks = site.store.ranks
    for name, detours in (("Ann", 2), ("Bob", 1), ("Cem", 3), ("Dan", 0)):
        session.restart()
        for action in ["right", "left"] * detours + ["right"] * 3:
            session.act(action)
        key, reached = digest(session.levels[0]), ranks.add(session.trace(0), name)
        assert reached["pushes"] >= 1
    best = ranks.best(key)
    assert [one.player for one in best["moves"]] == ["Dan", "Bob"]
    with site.store._engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM ranks").scalar() == 6
