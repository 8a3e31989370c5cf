"""Tests of the proof status on the page."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"


def test_badge_shows_status_and_mistake(page: Any) -> None:
    driver.begin(page, text=EDGE)
    line = page.locator(".status .line")
    assert line.inner_text() == "Can it still be won?"
    line.click()
    page.wait_for_selector(".status .line:text-is('still winnable, shortest: 5 actions')")
    page.select_option(".status select", "always")
    told, actions = (page.locator(one).bounding_box()["y"] for one in (".status", ".actions"))
    assert told < actions  # what is told unasked stands where it is seen
    page.locator(".stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".status .line[data-standing=dead]")
    page.wait_for_selector(".dead-cells rect")
    page.locator(".status .line", has_text="dead since action 2, go down: ").wait_for()
    line.click()
    page.wait_for_selector(".player")
    page.locator(".player output", has_text="1 of 2").wait_for()
    assert driver.count(page, "moves") == "1"
    page.reload()
    driver.shown(page)
    assert page.locator(".status select").input_value() == "always"
    page.wait_for_selector(".status .line[data-standing=dead]")


def test_game_continues_from_last_winnable_position(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.select_option(".status select", "always")
    page.locator(".stage").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.locator(".status .line", has_text="dead since action 2").wait_for()
    page.keyboard.press("F8")
    page.locator(".resume").click()
    page.wait_for_selector(".status .line:has-text('still winnable')")
    assert driver.count(page, "moves") == "1"


def test_status_requested_offline_is_shown_after_reconnect(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(".actions button")
    page.context.set_offline(True)
    line = page.locator(".status .line")
    line.click()
    page.locator(".status .line", has_text="reconnect to check this position").wait_for()
    page.context.set_offline(False)
    page.wait_for_selector(".status .line:has-text('still winnable')")


def test_badge_shows_running_search(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.evaluate("""() => {
      const line = document.querySelector(".status .line");
      window.said = [];
      new MutationObserver(() => window.said.push(line.textContent)).observe(line, { childList: true, characterData: true, subtree: true });
    }""")
    page.locator(".status .line").click()
    page.wait_for_selector(".status .line:has-text('still winnable')")
    assert page.evaluate("window.said")[0] == "Thinking …"
