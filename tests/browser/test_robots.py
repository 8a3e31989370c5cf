"""Tests of robots on the page: requests, hints, and players."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
TWO = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"
ASKED = ".requests .request"


def _act(page: Any, action: str, requests: int) -> None:
    page.click(f".actions [data-action='{action}']")
    page.locator(ASKED).nth(requests - 1).wait_for()  # or more: strategies ask as soon as they can


@pytest.mark.clause("R19")
def test_request_log_shows_hints_of_own_robot_only(page: Any) -> None:
    driver.begin(page, text=TWO)
    assert page.locator(".requests").is_hidden()
    _act(page, "a:walk(1,0)", 1)
    _act(page, "b:walk(1,0)", 2)
    asked = page.locator(ASKED)
    both = [f"{robot} steps ahead\n\n{robot} is told: home is ahead" for robot in "ab"]
    driver.until(page, asked.all_inner_texts, both)
    page.locator(".viewpoint button", has_text="b").click()
    page.wait_for_selector(".viewpoint button[aria-pressed=true]:text-is('b')")
    driver.until(page, asked.all_inner_texts, ["a steps ahead", both[1]])
    page.reload()
    driver.shown(page)
    driver.press(page, "undo")
    driver.until(page, asked.count, 1)


def test_robot_is_given_to_strategy_and_taken_back(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.locator(".players summary").click()
    page.select_option(".players [data-actor=b]", "random")
    page.locator(".players summary", has_text="b is played at random").wait_for()
    _act(page, "a:walk(1,0)", 1)
    driver.until(page, page.locator(ASKED).count, 2)
    page.get_by_role("button", name="Race").click()
    page.get_by_text("You play a; the others ask after each of your actions.").wait_for()
    page.keyboard.press("Escape")
    page.select_option(".players [data-actor=b]", "hand")
    page.locator(".players summary", has_text="All are played by hand").wait_for()
    _act(page, "a:walk(1,0)", 3)


def test_robots_change_with_the_level(page: Any) -> None:
    driver.begin(page, pack="robots/duels", level=3)
    names = page.locator(".viewpoint button")
    driver.until(page, names.all_inner_texts, ["all", "a", "b"])
    page.get_by_role("button", name="Levels").click()
    page.locator("dialog button", has_text="2.").first.click()
    driver.until(page, names.all_inner_texts, ["all", "a", "b", "c"])
