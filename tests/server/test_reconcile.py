"""Tests of play without the server, and of reconciliation."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.server.sites import Page, Site
from tests.server.test_access import invite

from gridproof.jobs.worker_pool import PoolTask, TaskResult
from gridproof.server import connection as sockets
from gridproof.server.offline.reconcile import MOST_ACTIONS, count_done
from gridproof.server.rate_limits import Limits

LONG = "#########\n#@ $   .#\n#########\n"
TWO = "; One\n#####\n#@$.#\n#####\n\n; Two\n######\n#@ $.#\n######\n"


def acts(*texts: str) -> list[list[str]]:
    """Deeds: actions by their texts, and commands."""
    return [[text, ""] if text in ("undo", "redo", "restart") else ["act", text] for text in texts]


def caught(page: Page, line: Any, deeds: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return the server's answer to offline actions."""
    answer = page.say(type="away", **line, deeds=list(deeds))
    assert answer["type"] == "answer", answer
    told: dict[str, Any] = answer["caught"]
    return told


def line_of(page: Page, near: bool = False) -> dict[str, Any]:
    line: dict[str, Any] = page.say(type="line", near=near)["line"]
    return line


def stands(page: Page) -> tuple[int, int, int]:
    return page.now["level"], page.now["done"], page.now["undone"]


# -- what is taken along


def test_transition_table_is_built_once_for_all_players_of_a_level(site: Site) -> None:
    names = set()
    for _ in range(2):
        with site.page(site.begin(text=LONG)) as page:
            told = page.say(type="line")
            assert told["line"] == {"level": 1, "steps": [], "done": 0}
            names.add(told["table"])
    (name,) = names
    first, second = (site.client.get(f"/api/surroundings/{name}") for _ in range(2))
    assert (first.status_code, first.headers["content-encoding"]) == (200, "gzip")
    assert "immutable" in first.headers["cache-control"]
    assert first.json() == second.json()
    assert first.json()["complete"]


def test_transition_table_includes_line_to_current_position(site: Site) -> None:
    with site.page(site.begin(text=LONG)) as page:
        for text in ("right", "right", "left", "undo", "undo"):
            page.do(text)
        told = page.say(type="line", near=True)
        assert told["line"] == {"level": 1, "steps": [["right", ""], ["right", ""], ["left", ""]], "done": 1}
        table = site.client.get(f"/api/surroundings/{told['table']}").json()
        assert (told["first"], len(table["line"]), table["at"]) == (0, 4, 1)
        assert table["line"][1] == 0


def test_transition_table_is_not_built_when_not_offered(site: Site) -> None:
    assert site.client.get("/api/surroundings/abc").status_code == 404


class Idle:
    """Processes that do nothing."""

    def __init__(self) -> None:
        self.tasks: list[PoolTask] = []

    def submit(self, task: PoolTask) -> None:
        self.tasks.append(task)


def test_table_request_can_be_retried_after_failure(url: str) -> None:
    class Broken(Idle):
        def submit(self, task: PoolTask) -> None:
            super().submit(task)
            task.finish(TaskResult(error="no memory"))

    broken = Broken()
    site = Site(url, workers=lambda: broken)
    with site.client, site.page(site.begin(text=LONG)) as page:
        name = page.say(type="line")["table"]
        for number in (1, 2):
            answer = site.client.get(f"/api/surroundings/{name}")
            assert (answer.status_code, answer.json()["error"]["text"]) == (400, "no memory")
            assert len(broken.tasks) == number


def test_table_requests_are_limited(url: str) -> None:
    site = Site(url, replace(Limits(), tables_waiting=0), workers=Idle)
    with site.client, site.page(site.begin(text=LONG)) as page:
        name = page.say(type="line")["table"]
        assert site.client.get(f"/api/surroundings/{name}").status_code == 429


def test_line_is_refused_to_guests_and_games_with_other_players(site: Site) -> None:
    name = site.begin(pack="robots/races")
    invitation = invite(site, name, actor="a", plays=True)
    with site.page(name) as page, site.page(invitation) as other:
        assert "Guests" in other.say(type="line")["why"]
        assert other.say(type="away", level=1, steps=[], done=0, deeds=[])["caught"] == {"apart": True}
        assert "table" in page.say(type="line")
    with site.page(name) as page:
        page.say(type="race", speed=1)
        assert "Other players" in page.say(type="line")["why"]
        page.say(type="stop")


# -- when the server is back


def test_reconcile_applies_offline_actions(site: Site) -> None:
    with site.page(site.begin(text=LONG)) as page:
        page.do("right")
        line = line_of(page)
        deeds = acts("right", "undo", "redo", "right", "undo")
        assert caught(page, line, deeds) == {"done": 5, "refused": ""}
        assert stands(page) == (1, 2, 1)
        assert line_of(page)["steps"] == [["right", ""]] * 3
        assert caught(page, line_of(page), acts("restart"))["done"] == 1
        assert stands(page) == (1, 0, 3)


@pytest.mark.slow
def test_reconcile_applies_actions_once_when_repeated(site: Site) -> None:
    deeds = acts("right", "right", "undo", "left")
    for already in range(len(deeds) + 1):
        with site.page(site.begin(text=LONG)) as page:
            line = line_of(page)
            for kind, text in deeds[:already]:
                page.do(text or kind)
            assert caught(page, line, deeds)["done"] == 4
            assert caught(page, line, deeds)["done"] == 4
            assert stands(page) == (1, 2, 0)


@pytest.mark.slow
def test_reconciled_actions_survive_server_end(site: Site, url: str) -> None:
    name = site.begin(text=LONG)
    with site.page(name) as page:
        line = line_of(page)
        caught(page, line, acts("right", "right"))
    again = Site(url)
    with again.client, again.page(name) as page:
        assert caught(page, line, acts("right", "right", "right"))["done"] == 3
        assert stands(page) == (1, 3, 0)


@pytest.mark.slow
def test_reconcile_changes_nothing_when_others_have_acted(site: Site) -> None:
    name = site.begin(text=LONG)
    with site.page(name) as page, site.page(name) as other:
        line = line_of(page)
        other.do("right")
        assert caught(page, line, acts("left")) == {"apart": True}
        assert stands(page) == (1, 1, 0)
        other.do("undo")
        assert caught(page, line, acts("right")) == {"apart": True}  # there is something to do again


def test_reconcile_notifies_other_tabs(site: Site) -> None:
    name = site.begin(text=LONG)
    with site.page(name) as page, site.page(name) as other:
        caught(page, line_of(page), acts("right", "right"))
        news = other.wait_for("news")
        assert [step["action"] for change in news["changes"] for step in change["steps"]] == [
            "right",
            "right",
        ]
        assert news["now"]["done"] == 2


def test_reconcile_stops_at_refused_action(site: Site) -> None:
    with site.page(site.begin(text=LONG)) as page:
        told = caught(page, line_of(page), acts("right", "up", "right"))
        assert told["done"] == 1
        assert "up" in told["refused"]
        assert stands(page) == (1, 1, 0)


def test_reconciled_win_moves_on_once(site: Site) -> None:
    with site.page(site.begin(text=TWO)) as page:
        line = line_of(page)
        for _ in range(2):
            assert caught(page, line, acts("right"))["done"] == 1
            assert stands(page) == (2, 0, 0)
            assert page.now["completed"] == 1
        page.do("right")
        assert caught(page, line, acts("right"))["done"] == 1
        assert caught(page, line, acts("right", "undo")) == {"apart": True}  # that is no way of Sokoban


def test_reconcile_drops_actions_after_win(site: Site) -> None:
    with site.page(site.begin(text=TWO)) as page:
        told = caught(page, line_of(page), acts("right", "right", "right"))
        assert told["done"] == 1
        assert "another one has begun" in told["refused"]
        assert stands(page) == (2, 0, 0)


def test_reconcile_refuses_invalid_line(site: Site) -> None:
    with site.page(site.begin(text=LONG)) as page:
        good = line_of(page)
        for part in ({"level": "1"}, {"steps": 1}, {"steps": [["right"]]}, {"done": 1}, {"done": None}):
            assert page.say(type="away", **{**good, **part}, deeds=[])["type"] == "error"
        for deeds in (None, [["act"]], [["jump", ""]], [["act", 1]], [["undo", ""]], acts("right") * 201):
            assert page.say(type="away", **good, deeds=deeds)["type"] == "error"
        assert caught(page, {**good, "level": 7}, []) == {"apart": True}
        assert stands(page) == (1, 0, 0)


def test_reconcile_refuses_command_as_action(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        for text in ("as b", "quit", "let b random", "undo", "level 2", "1"):
            told = caught(page, line_of(page), [["act", text]])
            assert (told["done"], bool(told["refused"])) == (0, True)
        assert stands(page) == (1, 0, 0)
        assert page.now["partners"] == {}
        assert page.say(type="state")["state"]["actor"] is None


def test_reconcile_limits_steps_of_line(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    site, threads = Site(url, replace(Limits(), steps=MOST_ACTIONS + 3)), list[int]()

    def record(*asked: Any) -> Any:
        threads.append(threading.get_ident())
        return count_done(*asked)

    monkeypatch.setattr(sockets, "count_done", record)
    with site.client:
        name = site.begin(text=LONG)
        with site.page(name) as page:
            assert site.client.portal is not None
            loop = site.client.portal.call(threading.get_ident)
            for _ in range(3):
                assert caught(page, line_of(page), acts("right"))["done"] == 1
            assert len(threads) == 3
            assert loop not in threads  # the others need not wait for it
            long = {"level": 1, "steps": [["right", ""]] * MOST_ACTIONS, "done": 3}
            assert "at most" in page.say(type="away", **long, deeds=acts("undo") * 4)["text"]
            assert caught(page, long, acts("undo") * 3) == {"apart": True}
            page.do("left")
            assert "without the server" in page.say(type="line")["why"]
        for line, deeds in (
            (long, acts("undo") * 4),
            ({**long, "steps": [], "done": 0}, acts("right") * 204),
        ):
            answer = site.client.post(f"/api/sessions/{name}/copies", json={"line": line, "deeds": deeds})
            assert answer.json()["error"]["code"] == "large"
