"""Tests of announcements to screen readers, and of toasts above dialogs."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
by_mouse = pytest.mark.parametrize("page", ["desktop"], indirect=True)
LISTEN = """() => {
  window.said = [];
  const live = document.getElementById("live");
  new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
}"""


def _listen(page: Any) -> None:
    """Note what is said from now on, when the page has said where one is, and its verdict."""
    driver.judged(page)
    page.locator("#live:not(:empty)").wait_for(state="attached")
    page.evaluate(LISTEN)


def _said(page: Any) -> str:
    return " | ".join(page.evaluate("said"))


@by_mouse
def test_announcements_are_made_once_in_fast_play(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    _listen(page)
    driver.keys(page, "ArrowDown", "ArrowRight", moves=2)
    driver.press(page, "undo", moves=1)
    driver.press(page, "restart", moves=0)
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    page.wait_for_function("() => said.join().includes('The fewest is 3, proved')")
    told = _said(page)
    assert told.count("undo: go right") == 1
    assert told.count("The level is restarted") == 1
    assert told.count("go down") == 2
    assert told.count("go right") == 1 + 1 + 2
    assert told.count("Every box stands on a depot") == 1
    assert ".." not in told


@by_mouse
def test_reason_of_a_dead_position_is_announced_once(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowRight", "ArrowDown", moves=2)
    page.locator(".verdict[data-standing=dead][data-complete=yes]").wait_for()
    page.wait_for_timeout(300)  # the verdict is announced
    _listen(page)
    page.keyboard.press("F7")
    reason = page.locator(".explanation:not(:empty)").inner_text()
    page.wait_for_function("(reason) => said.join().includes(reason)", arg=reason)
    assert _said(page).count(reason) == 1


@by_mouse
def test_equal_announcements_are_repeated(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.judged(page)
    page.wait_for_timeout(300)  # the verdict is announced
    _listen(page)
    for number in (1, 2):
        driver.click(page, 0, 0)
        page.wait_for_function(f"() => said.length === {number}")
    first, second = page.evaluate("said")
    assert first == "Nothing can be done there."
    assert (second.strip(), second) == (first, first + "\N{NO-BREAK SPACE}")


def test_copy_is_announced_above_the_dialog(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy the level").click()
    note = page.locator("dialog[open] .toast")
    note.wait_for()
    box = note.bounding_box()
    size = page.viewport_size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]
    told = note.inner_text()
    page.locator("dialog[open] .live", has_text=told).wait_for(state="attached")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


@by_mouse
def test_job_progress_is_shown_and_not_announced(page: Any) -> None:
    page.goto("/analyse/shiftit/boards/29")
    page.locator(".job p", has_text="positions").wait_for()
    assert page.locator(".job[role=status], .job [role=status]").count() == 0
    page.locator("#live", has_text="Analysing").wait_for(state="attached")
    _listen(page)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_function("() => said.join() === 'Stopped.'")
