"""A line of Shift It under a finger that pulls it over several cells: the pieces lie where the shifts would bring them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
LINE = "shiftit 4x3\nr g b y\ng r y b\nb y r g\n"

PLACES = """
(width) => [...document.querySelectorAll(".board g.piece")]
  .map((one) => [one.style.transform.match(/-?[\\d.]+/g).map((pixels) => Math.round(pixels / 100)), one.firstChild.getAttribute("href")])
  .filter(([[column, row]]) => row === 0 && column >= 0 && column < width)
  .sort(([[left]], [[right]]) => left - right)
  .map(([, piece]) => piece)
"""
"""The pieces of the first row, from the left."""


@DESKTOP
@pytest.mark.slow
def test_line_follows_a_pull_over_two_cells_and_back(page: Any) -> None:
    driver.begin(page, text=LINE)
    before = page.evaluate(PLACES, 4)
    page.mouse.move(*driver.cell(page, 0, 0))
    page.mouse.down()
    page.wait_for_timeout(400)  # longer than a swipe
    page.mouse.move(*driver.cell(page, 2, 0), steps=8)
    pulled = [*before[2:], *before[:2]]
    driver.until(page, lambda: nudge(page, 2), pulled)
    page.mouse.move(*driver.cell(page, 0, 0), steps=8)
    driver.until(page, lambda: nudge(page, 0), before)
    page.mouse.move(*driver.cell(page, 2, 0), steps=8)
    driver.until(page, lambda: nudge(page, 2), pulled)
    page.mouse.up()
    driver.counted(page, 2, "actions")
    driver.settled(page)
    assert page.evaluate(PLACES, 4) == pulled


@DESKTOP
@pytest.mark.slow
@pytest.mark.parametrize("where", ["lesson", "editor"])
def test_line_follows_a_pull_where_a_board_is_tried(page: Any, where: str) -> None:
    if where == "lesson":
        page.goto("/learn/shiftit/1")
        width = 3
    else:
        page.goto("/edit/shiftit")
        width = 4
        page.fill("#edit-text", LINE)
        page.wait_for_selector("h2:text-is('Size: 4 × 3')")
        page.get_by_role("button", name="Try it", exact=True).click()
    page.locator(":is(.learn, .trial) .actions button").first.wait_for()
    before = page.evaluate(PLACES, width)
    page.mouse.move(*driver.cell(page, 0, 0))
    page.mouse.down()
    page.wait_for_timeout(400)  # longer than a swipe
    page.mouse.move(*driver.cell(page, 1, 0), steps=8)
    driver.until(page, lambda: nudge(page, 1, width), [*before[-1:], *before[:-1]])
    page.mouse.move(*driver.cell(page, 0, 0), steps=8)
    driver.until(page, lambda: nudge(page, 0, width), before)
    page.mouse.up()
    driver.settled(page)
    assert page.evaluate(PLACES, width) == before


@pytest.mark.slow
@pytest.mark.parametrize("page", ["phone"], indirect=True)
@pytest.mark.parametrize(
    ("to", "text", "words"),
    [
        ((1, 2), LINE, "Drag along a row or a column."),
        ((1, 1), LINE.replace("g r y b", "g r* y b"), "Row 2 right: the tile in column 2 is locked."),
    ],
)
def test_drag_in_vain_is_explained_below_the_board(
    page: Any, to: tuple[int, int], text: str, words: str
) -> None:
    driver.begin(page, text=text)
    driver.swipe(page, (0, 1), to, hold=1)
    note = page.locator(".toast", has_text=words)
    note.wait_for()
    board, box = page.locator(".stage").bounding_box(), note.bounding_box()
    assert 0 <= box["y"] - (board["y"] + board["height"]) < 40


def nudge(page: Any, column: int, width: int = 4) -> Any:
    """Hold the pointer on a cell of the first row, and return the pieces."""
    page.mouse.move(*driver.cell(page, column, 0))
    return page.evaluate(PLACES, width)
