"""Another session that goes on where a page went on by itself, while others moved the one that it left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.play.web.sites import Site
from tests.play.web.test_away import LONG, TWO, acts, line_of, stands
from tests.play.web.test_guests import invited

from gridproof.core.progress import Play, SavedPlay
from gridproof.core.session import Session
from gridproof.play.web.limits import Limits


def test_a_copy_goes_on_where_the_page_went_on_by_itself(site: Site) -> None:
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


def test_a_copy_that_wins_moves_on(site: Site) -> None:
    name = site.begin(text=TWO)
    line = {"level": 1, "steps": [], "done": 0}
    copied = site.client.post(
        f"/api/sessions/{name}/copies", json={"line": line, "deeds": acts("right")}
    ).json()
    with site.page(copied["id"]) as page:
        assert stands(page) == (2, 0, 0)
        assert page.now["completed"] == 1


def test_a_copy_goes_on_over_several_levels(site: Site) -> None:
    name = site.begin(text=TWO)
    first, second = (
        {"line": {"level": level, "steps": [], "done": 0}, "deeds": acts("right")} for level in (1, 2)
    )
    copied = site.client.post(f"/api/sessions/{name}/copies", json={**first, "then": [second]})
    assert copied.status_code == 201, copied.text
    with site.page(copied.json()["id"]) as page:
        assert stands(page) == (2, 1, 0)
        assert page.now["completed"] == 1
    with site.page(name) as page:
        assert stands(page) == (1, 0, 0)
    bad = {**second, "line": {"level": 9, "steps": [], "done": 0}}
    answer = site.client.post(f"/api/sessions/{name}/copies", json={**first, "then": [bad]})
    assert answer.status_code == 400


def test_a_copy_is_no_way_to_try_luck_again(site: Site) -> None:
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


def test_what_a_copy_begins_with_is_read_while_nothing_else_is_done(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = site.begin(text=LONG)
    room, locked, saved = site.house.rooms.rooms[name], list[bool](), Session.saved

    def noted(session: Session, *asked: Any, **more: Any) -> Any:
        if session is room.session:
            locked.append(room.lock.locked())
        return saved(session, *asked, **more)

    monkeypatch.setattr(Session, "saved", noted)
    body = {"line": {"level": 1, "steps": [], "done": 0}, "deeds": []}
    assert site.client.post(f"/api/sessions/{name}/copies", json=body).status_code == 201
    assert locked == [True]


def test_only_who_owns_a_session_copies_it(site: Site) -> None:
    name = site.begin(text=LONG)
    guest = invited(site, name)
    body = {"line": {"level": 1, "steps": [], "done": 0}, "deeds": []}
    assert site.client.post(f"/api/sessions/{guest}/copies", json=body).status_code == 403
    bad = {**body, "line": {"level": 9, "steps": [], "done": 0}}
    assert site.client.post(f"/api/sessions/{name}/copies", json=bad).status_code == 400


def part(level: int, steps: int, deeds: int) -> dict[str, Any]:
    """What was done on a level, to and fro: so many actions, and so many deeds since."""
    to_and_fro = ["right", "left"] * (steps + deeds)
    line = {"level": level, "steps": [[text, ""] for text in to_and_fro[:steps]], "done": steps}
    return {"line": line, "deeds": acts(*to_and_fro[steps % 2 :][:deeds])}


def test_a_copy_of_all_levels_together_is_no_longer_than_a_trace(url: str) -> None:
    site = Site(url, replace(Limits(), steps=20))
    with site.client:
        name = site.begin(text=f"{TWO}\n; Three\n{LONG}")

        def copied(*parts: dict[str, Any]) -> Any:
            first, *then = parts
            return site.client.post(f"/api/sessions/{name}/copies", json={**first, "then": then})

        assert copied(part(3, 8, 4), part(2, 0, 0), part(3, 4, 4)).status_code == 201
        refused = copied(part(3, 8, 4), part(2, 0, 0), part(3, 4, 5))
        assert refused.status_code == 413
        assert (
            refused.json()["error"]["text"]
            == "a copy has at most 20 steps here, of all its levels together, with the deeds since"
        )


def test_what_a_copy_has_done_on_one_level_is_not_done_again_for_the_next(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = site.begin(text="\n".join(f"; {number}\n{LONG}" for number in range(6)))
    again, resumed = list[int](), Play.resumed

    def noted(start: Any, saved: SavedPlay) -> Play:
        again.append(len(saved.steps))
        return resumed(start, saved)

    monkeypatch.setattr(Play, "resumed", noted)
    first, *then = (part(level, 0, 10) for level in range(1, 7))
    answer = site.client.post(f"/api/sessions/{name}/copies", json={**first, "then": then})
    assert answer.status_code == 201, answer.text
    assert sum(again) == 60  # once, for the whole
    with site.page(answer.json()["id"]) as page:
        assert stands(page) == (6, 10, 0)
        page.do("level 2")
        assert stands(page) == (2, 10, 0)
