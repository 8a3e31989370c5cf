"""Tests of the reconnect: offline moves are sent to the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser import driver
from tests.browser.conftest import profile, reserved, serving
from tests.browser.offline import LONG, actions, at_the_server, come_back, forget, leave, ready, right, waits

pytestmark = [pytest.mark.slow, pytest.mark.long]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)


@DESKTOP
def test_conflicting_offline_moves_continue_in_a_copy(page: Any, another_browser: Any) -> None:
    session = driver.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    driver.keys(other, "ArrowRight", moves=1)
    driver.keys(other, "u", moves=0)
    page.context.set_offline(False)
    page.get_by_role("dialog", name="This game went on elsewhere").wait_for()
    assert not driver.violations(page)
    page.keyboard.press("Escape")
    page.reload()  # they are asked again
    page.get_by_role("button", name="Continue in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    driver.counted(page, 2)
    assert actions(page, page.url.rpartition("/")[2]) == ["right", "right"]
    assert actions(page, session) == []


@DESKTOP
def test_unanswered_move_is_done_once(page: Any) -> None:
    """The server does it, and the answer is lost."""
    page.add_init_script("""
      window.deaf = false;
      window.WebSocket = class extends WebSocket {
        set onmessage(heard) { super.onmessage = heard && ((event) => window.deaf || heard(event)); }
        get onmessage() { return super.onmessage; }
      };
    """)
    session = driver.begin(page, text=LONG)
    ready(page, session)
    page.evaluate("window.deaf = true")
    page.keyboard.press("ArrowRight")
    driver.until(page, lambda: actions(page, session), ["right"])
    page.context.set_offline(True)
    waits(page, "1 move waits")
    page.keyboard.press("ArrowRight")
    waits(page, "2 moves wait")
    page.evaluate("window.deaf = false")
    come_back(page)
    assert actions(page, session) == ["right", "right"]


@DESKTOP
def test_game_is_played_offline_by_one_tab_at_a_time(page: Any) -> None:
    session = driver.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    other = page.context.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    waits(other, "open in another tab")
    other.keyboard.press("ArrowRight")
    other.locator(".toast", has_text="Offline").wait_for()
    page.reload()  # so the other one takes its moves over
    waits(other, "2 moves wait")
    waits(page, "open in another tab")
    page.close()
    right(other, 1, "3 moves wait")
    come_back(other)
    assert actions(other, session) == ["right"] * 3
    assert other.evaluate("Object.keys(localStorage).filter((key) => /deeds|apart/.test(key))") == []


@DESKTOP
def test_moves_that_earlier_versions_stored_are_sent(page: Any) -> None:
    """They stored them for each tab by itself, also on several levels."""
    session = driver.begin(page, text=LONG)
    line = {"level": 1, "steps": [], "done": 0}
    page.goto("/")
    for tab, count in (("first", 1), ("second", 2)):
        parts = json.dumps([{"line": line, "deeds": [["act", "right"]] * count}])
        page.evaluate(
            "([key, parts]) => localStorage.setItem(key, parts)", [f"gridproof.deeds.{session}.{tab}", parts]
        )
    page.goto(f"/play/{session}")
    driver.shown(page)
    page.get_by_role("dialog", name="This game went on elsewhere").wait_for()
    first = actions(page, session)
    page.get_by_role("button", name="Continue in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    driver.shown(page)
    done = [first, actions(page, page.url.rpartition("/")[2])]
    assert sorted(done) == [["right"], ["right"] * 2]
    assert page.evaluate("Object.keys(localStorage).filter((key) => /deeds|apart/.test(key))") == []


@DESKTOP
def test_conflicts_work_without_storage_and_in_order(page: Any, another_browser: Any) -> None:
    page.add_init_script("""
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (/deeds|apart/.test(key)) throw new DOMException("full", "QuotaExceededError");
        set.call(this, key, value);
      };
    """)
    session = driver.begin(page, text=LONG)
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    dialog = page.get_by_role("dialog", name="This game went on elsewhere")
    page.locator(".sidebar .connection").wait_for(state="hidden")
    for count in (1, 2):
        leave(page, session)
        forget(page)
        right(page, count)
        driver.keys(other, *["ArrowRight"] * count, moves=count)
        driver.keys(other, "u", moves=count - 1)
        page.context.set_offline(False)
        dialog.get_by_text("Your offline move could not be added").wait_for()  # the first of them
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
    page.context.set_offline(True)
    page.locator(".sidebar .connection").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Discard my moves").click()
    dialog.get_by_text("Your 2 offline moves could not be added").wait_for()
    page.get_by_role("button", name="Continue in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    driver.shown(page)
    assert actions(page, page.url.rpartition("/")[2]) == ["right"] * 2


@DESKTOP
def test_moves_over_rate_limit_are_retried_or_dropped(page: Any) -> None:
    """Moves that wait are told again after a pause; a move that was refused for that is not done later."""
    refused = []

    def between(route: Any) -> None:
        server = route.connect_to_server()

        def said(text: str) -> None:
            message = json.loads(text)
            kind = message["type"]
            if kind not in ("do", "away") or kind in refused:
                server.send(text)
                return
            refused.append(kind)
            fault = {"type": "error", "code": "rate", "text": "too many messages; wait a moment"}
            route.send(json.dumps({**fault, "ref": message["ref"]}))

        route.on_message(said)

    page.route_web_socket("**/ws/*", between)
    session = driver.begin(page, text=LONG)
    ready(page, session)
    page.keyboard.press("ArrowRight")
    page.locator("#live", has_text="too many messages").wait_for(state="attached")
    page.context.set_offline(True)
    waits(page, "you can play on")
    assert "wait" not in page.locator(".sidebar .connection").inner_text()
    right(page, 2)
    come_back(page)
    assert refused == ["do", "away"]
    assert actions(page, session) == ["right", "right"]


def test_moves_are_sent_after_server_restart(chromium: Any, tmp_path: Path) -> None:
    with reserved() as address, profile(chromium, address) as context:
        page = context.new_page()
        with serving(tmp_path, address):
            session = driver.begin(page, text=LONG)
            driver.keys(page, "ArrowRight", moves=1)
            ready(page, session)
        driver.keys(page, "ArrowRight", "ArrowRight", "u")
        waits(page, "3 moves wait")
        page.goto("/")
        page.get_by_role("heading", name="Continue").wait_for()
        page.get_by_role("link", name="Long").click()
        driver.shown(page)
        waits(page, "3 moves wait")
        driver.click(page, 2, 1)
        driver.counted(page, 3)
        waits(page, "4 moves wait")
        with serving(tmp_path, address):
            at_the_server(page)
            assert actions(page, session) == ["right", "right", "left"]
            assert page.locator("[data-count=moves] dd").inner_text() == "3"
