"""Actions and commands that are typed by name on the page."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)


def test_text_input_does_actions_and_shows_refusals(page: Any) -> None:
    driver.begin(page, text="; Long\n#########\n#@ $   .#\n#########\n")
    page.keyboard.type(":")
    field = page.get_by_role("combobox", name="By name")
    assert field.evaluate("field => field === document.activeElement")
    offered = field.evaluate("field => [...field.list.options].map((option) => option.value)")
    assert offered[: len(driver.legal(page))] == driver.legal(page)
    assert {"undo", "hint", "restart"} < set(offered)
    page.keyboard.type("right right up")
    page.keyboard.press("Enter")
    page.locator("dialog .error", has_text="2 of 3 actions done").wait_for()
    fault = page.locator("dialog .error").inner_text()
    assert fault == "2 of 3 actions done; up: a wall is in row 1, column 4"
    assert not driver.violations(page)
    field.fill("right right")
    assert page.locator("dialog .error").inner_text() == ""
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for(state="hidden")
    page.wait_for_selector("[data-count=moves] dd:text-is('4')")
    driver.press(page, "undo")
    page.wait_for_selector("[data-count=moves] dd:text-is('3')")


@DESKTOP
def test_text_input_opens_from_help(page: Any) -> None:
    driver.begin(page, pack="robots/races")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Type an action").click()
    page.get_by_role("combobox", name="By name").fill("b:rotate(90)")
    page.get_by_role("button", name="Do it").click()
    page.locator("dialog").wait_for(state="hidden")
    page.locator(".requests .request").wait_for()
