"""Another session that goes on where a page went on by itself, while others moved the one that it left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.server.sites import Site
from tests.server.test_access import invite
from tests.server.test_reconcile import LONG, TWO, acts, line_of, stands

from gridproof.core.session import Session
from gridproof.server.rate_limits import Limits


def test_copy_continues_from_offline_actions(site: Site) -> None:
    name = site.begin(text=TWO)
    with site.page(name) as page:
        page.do("right")
        page.do("right")
        line = line_of(page)
        page.do("undo")
    answer = site.client.post(
        f"/api/sessions/{name}/copies", json={"line": line, "deeds": acts("undo", "redo", "undo")}
    )
    assert answer.status_code == 201, answer.text
    with site.page(answer.json()["id"]) as copied:
        assert stands(copied) == (2, 0, 1)
        assert copied.do("redo")["now"]["done"] == 1
    with site.page(name) as page:
        assert stands(page) == (2, 0, 1)


def test_copy_moves_on_after_win(site: Site) -> None:
    name = site.begin(text=TWO)
    line = {"level": 1, "steps": [], "done": 0}
    copied = site.client.post(
        f"/api/sessions/{name}/copies", json={"line": line, "deeds": acts("right")}
    ).json()
    with site.page(copied["id"]) as page:
        assert stands(page) == (2, 0, 0)
        assert page.now["completed"] == 1


def test_copy_of_random_game_does_not_count_for_scores(site: Site) -> None:
    name = site.begin(pack="twenty48/standard")
    with site.page(name) as page:
        text = page.now["actions"][0]["text"]
        page.do(text)
        line = line_of(page)
    copied = site.client.post(f"/api/sessions/{name}/copies", json={"line": line, "deeds": []}).json()["id"]
    with site.page(copied) as page:
        assert stands(page) == (1, 1, 0)
    first, second = (site.client.get(f"/api/sessions/{one}/position").text for one in (name, copied))
    assert first == second
    answer = site.client.post("/api/scores", json={"name": "Ann", "session": copied})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "action")


def test_copy_reads_session_under_its_lock(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    name = site.begin(text=LONG)
    live, locked, saved = site.context.registry.sessions[name], list[bool](), Session.to_data

    def record(session: Session, *asked: Any, **more: Any) -> Any:
        if session is live.session:
            locked.append(live.lock.locked())
        return saved(session, *asked, **more)

    monkeypatch.setattr(Session, "to_data", record)
    body = {"line": {"level": 1, "steps": [], "done": 0}, "deeds": []}
    assert site.client.post(f"/api/sessions/{name}/copies", json=body).status_code == 201
    assert locked == [True]


def test_copy_is_refused_to_guests(site: Site) -> None:
    name = site.begin(text=LONG)
    invitation = invite(site, name)
    body = {"line": {"level": 1, "steps": [], "done": 0}, "deeds": []}
    assert site.client.post(f"/api/sessions/{invitation}/copies", json=body).status_code == 403
    bad = {**body, "line": {"level": 9, "steps": [], "done": 0}}
    assert site.client.post(f"/api/sessions/{name}/copies", json=bad).status_code == 400


def test_copy_is_limited_to_trace_length(url: str) -> None:
    site = Site(url, replace(Limits(), steps=20))
    with site.client:
        name = site.begin(text=LONG)
        line = {"level": 1, "steps": [["right", ""], ["left", ""]] * 4, "done": 8}

        def copied(actions: int) -> Any:
            deeds = acts(*["right", "left"] * 10)[:actions]
            return site.client.post(f"/api/sessions/{name}/copies", json={"line": line, "deeds": deeds})

        assert copied(12).status_code == 201
        refused = copied(13)
        assert refused.status_code == 413
        assert refused.json()["error"]["text"] == "a line has at most 20 steps, including later actions"
