"""Tests of the first board: the page's own answer paints it, and the modules take it over where it is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
PACKS = ["sokoban/workshop", "shiftit/boards", "twenty48/standard", "robots/races"]
PLACES = """() => Object.fromEntries([".stage", "svg.board", ".proved", ".about .name"].map((name) => {
  const { x, y, width, height } = document.querySelector(name)?.getBoundingClientRect() ?? {};
  return [name, [x, y, width, height].map((value) => Math.round(value))];
}))"""
# Playwright evaluates a bare expression once for each frame, which the page's policy forbids; a function once.
PAINT = "() => performance.getEntriesByName('first-contentful-paint').length"


def paint_alone(page: Any, path: str) -> dict[str, list[int]]:
    """Load the page while the server answers nothing else; return where its parts are."""
    page.route(lambda address: not address.endswith(path), lambda route: route.abort())
    page.goto(path, wait_until="domcontentloaded")
    page.wait_for_function(PAINT)
    assert page.locator("svg.board use").count() > 4
    places: dict[str, list[int]] = page.evaluate(PLACES)
    page.unroute_all()
    return places


@pytest.mark.long
@pytest.mark.parametrize("pack", PACKS)
def test_first_board_of_game_is_painted_with_one_request_and_stays(page: Any, pack: str) -> None:
    session = driver.begin(page, pack=pack)
    places = paint_alone(page, f"/play/{session}")
    page.goto(f"/play/{session}")
    driver.shown(page)
    assert page.evaluate(PLACES) == places


def test_first_board_of_start_is_painted_with_one_request_and_stays(page: Any) -> None:
    places = paint_alone(page, "/")
    page.goto("/")
    driver.shown(page)
    assert page.evaluate(PLACES) == places


def test_style_and_script_of_page_are_allowed_by_its_policy(page: Any) -> None:
    page.add_init_script(
        "addEventListener('securitypolicyviolation', ({ blockedURI }) => console.error(blockedURI))"
    )
    page.goto("/")
    driver.shown(page)
    assert page.evaluate("document.documentElement.dataset.theme") == "auto"
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px"
