"""Playing on while the server is away, by what it has said before; and coming back."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser import driving
from tests.browser.conftest import profile, serving

pytestmark = [pytest.mark.slow, pytest.mark.long]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
KEPT = """async (name) => {
  const game = await (await caches.open("gridproof-away")).match(`/away/games/${name}`);
  return Boolean(game && navigator.serviceWorker.controller);
}"""
LONG = "; Long\n#########\n#@ $   .#\n#########\n"


def ready(page: Any, session: str) -> None:
    """Wait until the page has all that it needs to go on without the server."""
    driving.until(page, lambda: page.evaluate(KEPT, session))


def forget(page: Any) -> None:
    """What was taken along is gone, so that `ready` waits for it anew."""
    page.evaluate("caches.delete('gridproof-away')")


def waits(page: Any, text: str) -> None:
    page.locator(".state", has_text=text).wait_for()


def kept(page: Any, session: str) -> dict[str, Any]:
    """How the server says that a session stands."""
    found: dict[str, Any] = page.evaluate(f"fetch('/api/sessions/{session}').then(answer => answer.json())")
    return found


def actions(page: Any, session: str) -> list[str]:
    """What the server has kept of the current level."""
    steps = page.evaluate(f"fetch('/api/sessions/{session}/trace').then(answer => answer.json())")["steps"]
    return [step["action"] for step in steps]


def at_the_server(page: Any) -> None:
    """Wait until nothing waits for the server any more."""
    page.locator(".rail .state").wait_for(state="hidden")


def test_a_level_is_played_to_its_end_without_the_server(page: Any) -> None:
    session = driving.begin(page, pack="sokoban/first-steps")
    ready(page, session)
    page.context.set_offline(True)
    waits(page, "you can go on")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("[data-count=moves] dd:text-is('1')")
    waits(page, "1 move waits")
    page.keyboard.press("ArrowRight")
    driving.press(page, "undo")
    waits(page, "3 moves wait")
    driving.settled(page)
    before = driving.board_text(page)
    page.reload()
    driving.shown(page)
    waits(page, "3 moves wait")
    driving.until(page, lambda: driving.board_text(page), before)
    driving.press(page, "redo")
    page.keyboard.press("ArrowRight")
    page.locator(".veil", has_text="completed").wait_for()
    assert not driving.violations(page)
    page.context.set_offline(False)
    at_the_server(page)
    assert kept(page, session)["completed"] == [1]
    page.locator(".veil button").first.click()
    page.locator(".rail p", has_text="Level 2 of").wait_for()


def test_a_server_that_has_ended_is_told_when_there_is_one_again(chromium: Any, tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        with serving(tmp_path) as address:
            page = stack.enter_context(profile(chromium, address)).new_page()
            session = driving.begin(page, text=LONG)
            page.keyboard.press("ArrowRight")
            page.wait_for_selector("[data-count=moves] dd:text-is('1')")
            ready(page, session)
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("u")
        waits(page, "3 moves wait")
        page.goto("/")
        page.get_by_role("heading", name="Go on").wait_for()
        page.get_by_role("link", name="Long").click()
        driving.shown(page)
        waits(page, "3 moves wait")
        driving.click(page, 2, 1)
        page.wait_for_selector("[data-count=moves] dd:text-is('3')")
        waits(page, "4 moves wait")
        with serving(tmp_path, address):
            at_the_server(page)
            assert actions(page, session) == ["right", "right", "left"]
            assert page.locator("[data-count=moves] dd").inner_text() == "3"


@DESKTOP
def test_moves_that_others_have_overtaken_go_on_in_a_copy(page: Any, another_browser: Any) -> None:
    session = driving.begin(page, text=LONG)
    ready(page, session)
    page.context.set_offline(True)
    waits(page, "you can go on")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    waits(page, "2 moves wait")
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driving.shown(other)
    other.keyboard.press("ArrowRight")
    other.keyboard.press("u")
    other.wait_for_selector("[data-count=moves] dd:text-is('0')")
    page.context.set_offline(False)
    page.get_by_role("dialog", name="This game went on elsewhere").wait_for()
    assert not driving.violations(page)
    page.keyboard.press("Escape")
    page.reload()  # they are asked again
    page.get_by_role("button", name="Go on with my moves in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    page.wait_for_selector("[data-count=moves] dd:text-is('2')")
    assert actions(page, page.url.rpartition("/")[2]) == ["right", "right"]
    assert actions(page, session) == []


@DESKTOP
def test_at_the_edge_of_what_is_known_it_says_so(page: Any) -> None:
    def cut(route: Any) -> None:
        answer = route.fetch()
        table = answer.json()
        table |= {"degrees": table["degrees"][:1], "complete": False}
        route.fulfill(response=answer, json=table, headers={"content-type": "application/json"})

    page.route("**/api/surroundings/*", cut)
    session = driving.begin(page, text=LONG)
    ready(page, session)
    page.context.set_offline(True)
    waits(page, "you can go on")
    page.keyboard.press("ArrowRight")
    waits(page, "beyond this position it must be reached")
    page.keyboard.press("ArrowRight")
    page.locator(".talk .refusal", has_text="The rules are on the server").wait_for()
    driving.press(page, "undo")
    waits(page, "2 moves wait for the server.")
    page.context.set_offline(False)
    at_the_server(page)
    assert actions(page, session) == []


@pytest.mark.parametrize(
    ("pack", "said"), [("twenty48/standard", "Chance has a part in it"), ("robots/races", "you can go on")]
)
@DESKTOP
def test_what_chance_decides_is_left_to_the_server(page: Any, pack: str, said: str) -> None:
    session = driving.begin(page, pack=pack)
    ready(page, session)
    page.context.set_offline(True)
    waits(page, said)
    assert not driving.violations(page)
    before = page.locator(".actions button").count()
    page.locator(".actions button").last.click()  # of robots, the exchange
    page.locator(".talk .refusal", has_text="Chance has a part in it").wait_for()
    assert page.locator(".actions button").count() == before


def test_fingers_play_on_without_the_server(page: Any) -> None:
    session = driving.begin(page, text=LONG)
    ready(page, session)
    page.context.set_offline(True)
    waits(page, "you can go on")
    point = driving.tap if page.viewport_size["width"] < 400 else driving.click
    point(page, 2, 1)
    page.wait_for_selector("[data-count=moves] dd:text-is('1')")
    driving.settled(page)
    driving.drag(page, (3, 1), (7, 1))
    page.wait_for_selector("[data-count=pushes] dd:text-is('4')")
    page.locator(".veil").wait_for()
    page.context.set_offline(False)
    at_the_server(page)
    assert kept(page, session)["completed"] == [1]


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
    page.context.set_offline(False)
    at_the_server(page)
    assert actions(page, session) == ["right", "right"]


@DESKTOP
def test_where_a_table_ends_another_begins_at_the_present_position(page: Any) -> None:
    session = driving.begin(page, text=LONG)
    for moves in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"[data-count=moves] dd:text-is('{moves}')")
    page.keyboard.press("u")
    names = []

    def cut(route: Any) -> None:
        names.append(route.request.url)
        answer = route.fetch()
        table = answer.json()
        if len(names) == 1:  # of the level's start, as if it had no room for more
            table |= {"degrees": table["degrees"][:1], "complete": False}
        route.fulfill(response=answer, json=table, headers={"content-type": "application/json"})

    forget(page)
    page.route("**/api/surroundings/*", cut)
    page.reload()
    driving.shown(page)
    ready(page, session)
    assert len(set(names)) == 2
    page.context.set_offline(True)
    waits(page, "you can go on")
    driving.press(page, "redo")
    for _ in range(3):
        driving.press(page, "undo")
    page.wait_for_selector("[data-count=moves] dd:text-is('0')")
    page.reload()
    driving.shown(page)
    waits(page, "4 moves wait")
    driving.press(page, "redo")
    page.wait_for_selector("[data-count=moves] dd:text-is('1')")
    page.context.set_offline(False)
    at_the_server(page)
    assert actions(page, session) == ["right"]


@DESKTOP
def test_robots_go_on_by_hand(page: Any) -> None:
    session = driving.begin(page, pack="robots/races")
    ready(page, session)
    page.context.set_offline(True)
    waits(page, "you can go on")
    done = ["b:rotate(90)", "a:walk(1,0)"]
    for action in done:
        page.locator(f".actions [data-action='{action}']").click()
    waits(page, "2 moves wait")
    driving.settled(page)
    before = driving.board_text(page, marked=False)
    page.context.set_offline(False)
    at_the_server(page)
    driving.settled(page)
    assert driving.board_text(page, marked=False) == before
    assert actions(page, session) == done


def right(page: Any, times: int, said: str = "") -> None:
    for _ in range(times):
        page.keyboard.press("ArrowRight")
    waits(page, said or ("1 move waits" if times == 1 else f"{times} moves wait"))


@DESKTOP
def test_tabs_that_are_closed_leave_each_its_own_moves(page: Any) -> None:
    session = driving.begin(page, text=LONG)
    ready(page, session)
    page.context.set_offline(True)
    waits(page, "you can go on")
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
        ready(page, session)
        page.context.set_offline(True)
        waits(page, "you can go on")
        forget(page)
        right(page, count)
        for _ in range(count):
            other.keyboard.press("ArrowRight")
        other.wait_for_selector(f"[data-count=moves] dd:text-is('{count}')")
        other.keyboard.press("u")
        other.wait_for_selector(f"[data-count=moves] dd:text-is('{count - 1}')")
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
    page.context.set_offline(False)
    at_the_server(page)
    assert refused == ["do", "away"]
    assert actions(page, session) == ["right", "right"]
