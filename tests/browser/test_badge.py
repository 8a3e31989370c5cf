"""What is proved, on the page."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driving

pytestmark = [pytest.mark.slow, pytest.mark.long]
EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"


def test_a_line_says_what_is_proved_and_shows_the_mistake(page: Any) -> None:
    driving.begin(page, text=EDGE)
    line = page.locator(".proved .line")
    assert line.inner_text() == "Can it still be won?"
    line.click()
    page.wait_for_selector(".proved .line:text-is('still winnable, shortest: 5 actions')")
    page.select_option(".proved select", "always")
    told, actions = (page.locator(one).bounding_box()["y"] for one in (".proved", ".actions"))
    assert told < actions  # what is told unasked stands where it is seen
    page.locator(".stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".proved .line[data-standing=dead]")
    page.wait_for_selector(".blamed rect")
    page.locator(".proved .line", has_text="dead since action 2, go down: ").wait_for()
    line.click()
    page.wait_for_selector(".player")
    page.reload()
    driving.shown(page)
    assert page.locator(".proved select").input_value() == "always"
    page.wait_for_selector(".proved .line[data-standing=dead]")
