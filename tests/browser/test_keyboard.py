"""Tests of keys on the page: the cursor, replays, and keys of the browser."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.parametrize("page", ["desktop"], indirect=True),
]


def _rebind(page: Any, what: str, key: str) -> None:
    page.keyboard.press("?")
    page.get_by_role("button", name=f"Another key for {what}").click()
    page.keyboard.press(key)
    page.keyboard.press("Escape")


def test_cursor_points_when_arrows_have_no_other_meaning(page: Any) -> None:
    driver.begin(page, pack="lights_out/first")
    page.keyboard.press("ArrowLeft")
    page.locator("#live", has_text="row 2, column 2").wait_for(state="attached")
    page.locator(".preview rect").first.wait_for()
    page.keyboard.press("Enter")
    page.locator(".overlay").wait_for()


def test_arrows_scroll_the_log_without_moving_the_cursor(page: Any) -> None:
    driver.begin(page, pack="lights_out/first")
    left = "where => !document.querySelector(where).dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true}))"
    assert [page.evaluate(left, where) for where in (".log", ".stage")] == [False, True]


def test_cursor_drags_and_moves_beside_the_board(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=9)
    driver.keys(page, "Shift+ArrowRight", actions=1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.locator("#live", has_text="above column 2").wait_for(state="attached")
    driver.keys(page, "Space", actions=2)
    page.keyboard.press("Escape")
    page.locator(".cursor rect").wait_for(state="detached")


def test_cursor_beside_the_board_shifts_the_line_of_the_nearest_tile(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=3)
    driver.keys(page, "ArrowRight", "ArrowRight")
    page.locator("#live", has_text="right of row 2").wait_for(state="attached")
    driver.keys(page, "Shift+ArrowRight", actions=1)
    assert page.locator(".move-list [aria-current]").get_attribute("title").startswith("row 2 right")


def test_board_has_a_ring_once_keys_are_used(page: Any) -> None:
    driver.begin(page, text="######\n#@ $.#\n######\n")
    ring = "getComputedStyle(document.querySelector('.stage')).outlineStyle"
    assert page.evaluate("document.activeElement.className") == "stage"
    assert page.evaluate(ring) == "none"
    driver.keys(page, "ArrowRight", moves=1)
    assert page.evaluate(ring) == "solid"


def test_own_keys_are_stored_per_game(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    _rebind(page, "go down", "x")
    _rebind(page, "undo", "p")
    driver.keys(page, "x", moves=1)
    driver.begin(page, pack="twenty48/standard", seed=5)
    page.keyboard.press("x")
    driver.keys(page, "ArrowLeft", moves=1)
    page.keyboard.press("p")  # a command is one of all games
    driver.counted(page, 0)


def test_key_has_its_latest_meaning(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    _rebind(page, "go down", "x")
    _rebind(page, "undo", "x")
    driver.keys(page, "ArrowDown", moves=1)
    driver.keys(page, "x", moves=0)


def test_browser_reload_keys_work(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", moves=1)
    left = "key => document.dispatchEvent(new KeyboardEvent('keydown', {...key, bubbles: true, cancelable: true}))"
    assert page.evaluate(left, {"key": "r", "ctrlKey": True})
    assert page.evaluate(left, {"key": "F5"})
    page.keyboard.press("PageUp")
    page.locator("dialog h2", has_text="Levels").wait_for()
    page.keyboard.press("Escape")
    driver.keys(page, "Home", moves=0)


def test_replay_is_controlled_by_keys(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    driver.spoil(page, "The whole solution")
    page.locator("output", has_text="of 15").wait_for()
    page.keyboard.press("End")
    page.locator("output:text-is('15 of 15')").wait_for()
    page.keyboard.press("Home")
    page.locator("output:text-is('0 of 15')").wait_for()
    speed = page.locator(".player select")
    before = speed.input_value()
    page.keyboard.press("+")
    assert float(speed.input_value()) > float(before)
    page.keyboard.press("-")
    assert speed.input_value() == before


def test_skip_link_keeps_typed_text_and_game(page: Any) -> None:
    page.goto("/formulas")
    page.wait_for_selector(".examples button")
    page.fill("#formula", "EF won")
    page.locator(".skip").press("Enter")
    assert page.evaluate("document.activeElement.className") == "stage"
    assert page.input_value("#formula") == "EF won"
    driver.begin(page, pack="sokoban/first-steps")
    address = page.url
    page.locator(".skip").press("Enter")
    driver.keys(page, "ArrowDown", moves=1)
    assert page.url == address
