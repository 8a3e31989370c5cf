"""Going on to the next levels while the server is away, and what becomes of moves that cannot be added afterwards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.browser import driving
from tests.browser.offline import LONG, actions, come_back, kept, leave, right, waits

pytestmark = [pytest.mark.slow, pytest.mark.long]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
AHEAD = """async ([name, levels]) => {
  const game = await (await caches.open("gridproof-away")).match(`/away/games/${name}`);
  return game && navigator.serviceWorker.controller ? (await game.json()).ahead.length >= levels : false;
}"""
ROOMS = """; One
######
#  ###
#  ###
#@$.##
######

; Two
######
#@ $.#
######

; Three
#######
#@  $.#
#######
"""


def looked_ahead(page: Any, session: str, levels: int) -> None:
    """Wait until it has so many of the levels that follow, too."""
    driving.until(page, lambda: page.evaluate(AHEAD, [session, levels]))


def test_a_win_leads_on_to_the_next_levels_without_the_server(page: Any) -> None:
    session = driving.begin(page, text=ROOMS)
    looked_ahead(page, session, 2)
    page.locator(".rail p", has_text="Level 1 of 3, 0 solved").wait_for()
    leave(page, session)
    page.keyboard.press("ArrowRight")
    page.locator(".veil", has_text="completed").wait_for()
    assert not driving.violations(page)
    page.get_by_role("button", name="Next level").click()
    page.locator(".rail p", has_text="Level 2 of 3, 1 solved").wait_for()
    driving.counted(page, 0)
    page.keyboard.press("ArrowRight")
    waits(page, "2 moves wait")
    driving.settled(page)
    before = driving.board_text(page)
    page.reload()
    driving.shown(page)
    waits(page, "2 moves wait")
    driving.until(page, lambda: driving.board_text(page), before)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next level").click()
    page.locator(".rail p", has_text="Level 3 of 3, 2 solved").wait_for()
    come_back(page)
    assert kept(page, session)["completed"] == [1, 2]
    page.locator(".rail p", has_text="Level 3 of 3, 2 solved").wait_for()


@DESKTOP
def test_a_game_that_does_not_move_on_by_itself_does_so_without_the_server(page: Any) -> None:
    session = driving.begin(page, pack="shiftit/boards")
    first = driving.hinted(page)
    looked_ahead(page, session, 1)
    leave(page, session)
    page.click(f".actions [data-action='{first}']")
    page.get_by_role("button", name="Next level").click()
    page.locator(".rail p", has_text="Level 2 of").wait_for()
    done = page.locator(".actions button").first.get_attribute("data-action")
    page.click(f".actions [data-action='{done}']")
    waits(page, "2 moves wait")
    come_back(page)
    assert kept(page, session)["completed"] == [1]
    assert actions(page, session) == [done]


@DESKTOP
def test_moves_on_two_levels_that_others_have_overtaken_go_on_in_a_copy(
    page: Any, another_browser: Any
) -> None:
    session = driving.begin(page, text=ROOMS)
    looked_ahead(page, session, 1)
    leave(page, session)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next level").click()
    page.keyboard.press("ArrowRight")
    waits(page, "2 moves wait")
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driving.shown(other)
    driving.keys(other, "ArrowUp", moves=1)
    page.context.set_offline(False)
    page.get_by_role("button", name="Go on with my moves in a copy").click()
    page.wait_for_url(lambda url: session not in url)
    page.locator(".rail p", has_text="Level 2 of 3, 1 solved").wait_for()
    assert actions(page, page.url.rpartition("/")[2]) == ["right"]
    assert actions(page, session) == ["up"]


def refuse_the(page: Any, number: int) -> None:
    """Let the server hear of another move than was made offline: one that the rules refuse."""

    def between(route: Any) -> None:
        server = route.connect_to_server()

        def said(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "away" and len(message["deeds"]) >= number:
                message["deeds"][number - 1] = ["act", "down"]
            server.send(json.dumps(message))

        route.on_message(said)

    page.route_web_socket("**/ws/*", between)


@DESKTOP
def test_moves_after_one_that_the_rules_refuse_are_kept_until_they_are_let_go(page: Any) -> None:
    refuse_the(page, 2)
    session = driving.begin(page, text=LONG)
    leave(page, session)
    right(page, 3)
    page.context.set_offline(False)
    dialog = page.get_by_role("dialog", name="A move that you made offline is refused")
    dialog.get_by_text("2 in all").wait_for()
    assert not driving.violations(page)
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.reload()
    dialog.wait_for()
    assert page.get_by_role("textbox", name="Your moves").input_value() == "right right"
    assert driving.copied(page, "Copy my moves as text") == "right right"
    page.get_by_role("button", name="Let my moves go").click()
    dialog.wait_for(state="hidden")
    assert actions(page, session) == ["right"]
    assert page.evaluate("Object.keys(localStorage).filter((key) => /deeds|apart/.test(key))") == []


@DESKTOP
def test_moves_on_the_next_level_go_on_in_a_copy_where_the_win_is_refused(page: Any) -> None:
    refuse_the(page, 1)
    session = driving.begin(page, text=ROOMS)
    looked_ahead(page, session, 1)
    leave(page, session)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next level").click()
    right(page, 1, "2 moves wait")
    page.context.set_offline(False)
    page.get_by_role("button", name="Go on in a copy, on the next level").click()
    page.wait_for_url(lambda url: session not in url)
    page.locator(".rail p", has_text="Level 2 of 3, 0 solved").wait_for()
    assert actions(page, page.url.rpartition("/")[2]) == ["right"]
    assert actions(page, session) == []


@DESKTOP
def test_after_a_win_the_next_level_waits_for_the_server(page: Any) -> None:
    page.route("**/api/surroundings/*ahead=true", lambda route: route.abort())
    session = driving.begin(page, pack="shiftit/boards")
    first = driving.hinted(page)
    leave(page, session)
    page.click(f".actions [data-action='{first}']")
    page.locator(".veil").wait_for()
    waits(page, "it counts when the server is back")
    page.locator(".veil button", has_text="See the board").click()
    driving.press(page, "undo")
    page.locator(".talk .refusal", has_text="it counts when the server is back").wait_for()
    come_back(page)
    assert kept(page, session)["completed"] == [1]
    page.locator(".rail p", has_text="Level 2 of").wait_for()
