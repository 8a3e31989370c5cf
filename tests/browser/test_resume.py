"""The server is there again, and is told what was done without it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser import driving
from tests.browser.conftest import profile, reserved, serving
from tests.browser.offline import LONG, actions, at_the_server, come_back, forget, leave, ready, right, waits

pytestmark = [pytest.mark.slow, pytest.mark.long]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)


@DESKTOP
def test_moves_that_others_have_overtaken_go_on_in_a_copy(page: Any, another_browser: Any) -> None:
    session = driving.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driving.shown(other)
    driving.keys(other, "ArrowRight", moves=1)
    driving.keys(other, "u", moves=0)
    page.context.set_offline(False)
    page.get_by_role("dialog", name="This game went on elsewhere").wait_for()
    assert not driving.violations(page)
    page.keyboard.press("Escape")
    page.reload()  # they are asked again
    page.get_by_role("button", name="Go on with my moves in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    driving.counted(page, 2)
    assert actions(page, page.url.rpartition("/")[2]) == ["right", "right"]
    assert actions(page, session) == []


@DESKTOP
def test_a_move_that_was_not_answered_is_done_once(page: Any) -> None:
    """The server does it, and the answer is lost."""
    page.add_init_script("""
      window.deaf = false;
      window.WebSocket = class extends WebSocket {
        set onmessage(heard) { super.onmessage = heard && ((event) => window.deaf || heard(event)); }
        get onmessage() { return super.onmessage; }
      };
    """)
    session = driving.begin(page, text=LONG)
    ready(page, session)
    page.evaluate("window.deaf = true")
    page.keyboard.press("ArrowRight")
    driving.until(page, lambda: actions(page, session), ["right"])
    page.context.set_offline(True)
    waits(page, "1 move waits")
    page.keyboard.press("ArrowRight")
    waits(page, "2 moves wait")
    page.evaluate("window.deaf = false")
    come_back(page)
    assert actions(page, session) == ["right", "right"]


@DESKTOP
def test_tabs_that_are_closed_leave_each_its_own_moves(page: Any) -> None:
    session = driving.begin(page, text=LONG)
    leave(page, session)
    right(page, 3)
    second, third = page.context.new_page(), page.context.new_page()
    second.goto(f"/play/{session}")
    driving.shown(second)
    waits(second, "you can go on")
    right(second, 2)
    page.reload()
    driving.shown(page)
    waits(page, "3 moves wait")
    page.close()
    second.close()
    third.context.set_offline(False)
    third.goto(f"/play/{session}")
    third.get_by_role("button", name="Go on with my moves in a copy").click()
    third.wait_for_url(lambda url: session not in url)
    driving.shown(third)
    done = [actions(third, name) for name in (session, third.url.rpartition("/")[2])]
    assert sorted(done) == [["right"] * 2, ["right"] * 3]
    assert third.evaluate("Object.keys(localStorage).filter((key) => /deeds|apart/.test(key))") == []


@DESKTOP
def test_a_tab_that_was_duplicated_has_moves_of_its_own(page: Any) -> None:
    session = driving.begin(page, text=LONG)
    leave(page, session)
    right(page, 2)
    with page.expect_popup() as opened:
        page.evaluate("() => void open(location.href)")
    other = opened.value
    driving.shown(other)
    waits(other, "you can go on")
    right(other, 1)
    page.reload()
    driving.shown(page)
    waits(page, "2 moves wait")


@DESKTOP
def test_moves_apart_need_no_storage_and_wait_for_each_other(page: Any, another_browser: Any) -> None:
    page.add_init_script("""
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (/deeds|apart/.test(key)) throw new DOMException("full", "QuotaExceededError");
        set.call(this, key, value);
      };
    """)
    session = driving.begin(page, text=LONG)
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driving.shown(other)
    dialog = page.get_by_role("dialog", name="This game went on elsewhere")
    page.locator(".rail .state").wait_for(state="hidden")
    for count in (1, 2):
        leave(page, session)
        forget(page)
        right(page, count)
        driving.keys(other, *["ArrowRight"] * count, moves=count)
        driving.keys(other, "u", moves=count - 1)
        page.context.set_offline(False)
        dialog.get_by_text("So the move that").wait_for()  # the first of them
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
    page.context.set_offline(True)
    page.locator(".rail .state").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Let my moves go").click()
    dialog.get_by_text("So the 2 moves that").wait_for()
    page.get_by_role("button", name="Go on with my moves in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    driving.shown(page)
    assert actions(page, page.url.rpartition("/")[2]) == ["right"] * 2


@DESKTOP
def test_what_is_too_much_at_once_is_told_again_or_left(page: Any) -> None:
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
            fault = {"type": "error", "code": "rate", "text": "too many messages: wait a moment"}
            route.send(json.dumps({**fault, "ref": message["ref"]}))

        route.on_message(said)

    page.route_web_socket("**/ws/*", between)
    session = driving.begin(page, text=LONG)
    ready(page, session)
    page.keyboard.press("ArrowRight")
    page.locator("#live", has_text="too many messages").wait_for(state="attached")
    page.context.set_offline(True)
    waits(page, "you can go on")
    assert "wait for" not in page.locator(".rail .state").inner_text()
    right(page, 2)
    come_back(page)
    assert refused == ["do", "away"]
    assert actions(page, session) == ["right", "right"]


def test_a_server_that_has_ended_is_told_when_there_is_one_again(chromium: Any, tmp_path: Path) -> None:
    with reserved() as address, profile(chromium, address) as context:
        page = context.new_page()
        with serving(tmp_path, address):
            session = driving.begin(page, text=LONG)
            driving.keys(page, "ArrowRight", moves=1)
            ready(page, session)
        driving.keys(page, "ArrowRight", "ArrowRight", "u")
        waits(page, "3 moves wait")
        page.goto("/")
        page.get_by_role("heading", name="Go on").wait_for()
        page.get_by_role("link", name="Long").click()
        driving.shown(page)
        waits(page, "3 moves wait")
        driving.click(page, 2, 1)
        driving.counted(page, 3)
        waits(page, "4 moves wait")
        with serving(tmp_path, address):
            at_the_server(page)
            assert actions(page, session) == ["right", "right", "left"]
            assert page.locator("[data-count=moves] dd").inner_text() == "3"
