"""Tests of offline moves that cannot be added afterwards, and of offline wins."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.browser import driver
from tests.browser.offline import LONG, actions, come_back, kept, leave, right, waits

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.service_worker]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)


def refuse_the(page: Any, number: int) -> None:
    """Let the server hear of another move than was made offline: one that the rules refuse."""

    def between(route: Any) -> None:
        server = route.connect_to_server()

        def said(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "away" and 0 <= number - 1 - message["done"] < len(message["deeds"]):
                message["deeds"][number - 1 - message["done"]] = ["act", "down"]
            server.send(json.dumps(message))

        route.on_message(said)

    page.route_web_socket("**/ws/*", between)


@DESKTOP
def test_moves_after_a_refused_one_are_stored_until_they_are_discarded(page: Any) -> None:
    refuse_the(page, 2)
    session = driver.begin(page, text=LONG)
    leave(page, session)
    right(page, 3)
    page.context.set_offline(False)
    dialog = page.get_by_role("dialog", name="A move was refused")
    dialog.get_by_text("Your 2 offline moves could not be added").wait_for()
    assert not driver.violations(page)
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.reload()
    dialog.wait_for()
    assert page.get_by_role("textbox", name="Your moves").input_value() == "right right"
    assert driver.copied(page, "Copy my moves") == "right right"
    page.get_by_role("button", name="Discard my moves").click()
    dialog.wait_for(state="hidden")
    assert actions(page, session) == ["right"]
    assert page.evaluate("Object.keys(localStorage).filter((key) => /moves/.test(key))") == []


@DESKTOP
def test_next_level_waits_for_the_server_after_a_win_offline(page: Any) -> None:
    session = driver.begin(page, pack="shiftit/boards")
    first = driver.hinted(page)
    leave(page, session)
    page.click(f".actions [data-action='{first}']")
    page.locator(".overlay").wait_for()
    waits(page, "The level is won: reconnect to continue")
    page.locator(".overlay").get_by_role("button", name="Close").click()
    driver.press(page, "undo")
    page.locator(".log .refusal", has_text="The level is won: reconnect to continue").wait_for()
    come_back(page)
    assert kept(page, session)["completed"] == [1]
    page.locator(".sidebar p", has_text="Level 2 of").wait_for()
