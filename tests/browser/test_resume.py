"""Tests of the reconnect: offline moves are sent to the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser import driver
from tests.browser.conftest import profile, reserved, serving
from tests.browser.offline import LONG, actions, at_the_server, come_back, leave, ready, right, waits

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.service_worker]
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
    page.get_by_role("button", name="Keep them as a copy").click()
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
def test_tabs_share_the_offline_moves_of_a_game(page: Any) -> None:
    session = driver.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    other = page.context.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    waits(other, "2 moves wait")
    right(other, 1, "3 moves wait")
    page.keyboard.press("ArrowRight")
    page.locator(".toast", has_text="You played on in another tab").wait_for()
    waits(page, "3 moves wait")
    right(page, 1, "4 moves wait")
    page.context.set_offline(False)
    for tab in (page, other):
        at_the_server(tab)
        driver.counted(tab, 4)
    assert actions(page, session) == ["right"] * 4
    assert page.evaluate("Object.keys(localStorage).filter((key) => /moves/.test(key))") == []


@DESKTOP
def test_conflict_is_asked_again_without_storage(page: Any, another_browser: Any) -> None:
    page.add_init_script("""
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (/moves/.test(key)) throw new DOMException("full", "QuotaExceededError");
        set.call(this, key, value);
      };
    """)
    session = driver.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    driver.keys(other, "ArrowRight", moves=1)
    driver.keys(other, "u", moves=0)
    page.context.set_offline(False)
    dialog = page.get_by_role("dialog", name="This game went on elsewhere")
    dialog.get_by_text("Your 2 offline moves could not be added").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.context.set_offline(True)
    page.locator(".sidebar .connection").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Keep them as a copy").click()
    page.wait_for_url(lambda url: session not in url)
    driver.shown(page)
    assert actions(page, page.url.rpartition("/")[2]) == ["right"] * 2
    assert actions(page, session) == []


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


@DESKTOP
def test_moves_made_while_others_are_sent_are_kept(page: Any) -> None:
    swallowed: list[str] = []

    def between(route: Any) -> None:
        server = route.connect_to_server()
        route.on_message(
            lambda text: swallowed.append(text) if '"away"' in text and not swallowed else server.send(text)
        )

    page.route_web_socket("**/ws/*", between)
    session = driver.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    page.context.set_offline(False)
    driver.until(page, lambda: len(swallowed), 1)
    right(page, 1, "3 moves wait")
    page.context.set_offline(True)
    page.reload()
    driver.shown(page)
    waits(page, "3 moves wait")
    come_back(page)
    assert actions(page, session) == ["right"] * 3


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
