"""A line of Shift It under a finger that pulls it over several cells: the pieces lie where the shifts would bring them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
LINE = "shiftit 4x3\nr g b y\ng r y b\nb y r g\n"

PLACES = """
() => [...document.querySelectorAll(".board g.piece")]
  .map((one) => [one.style.transform.match(/-?[\\d.]+/g).map((pixels) => Math.round(pixels / 100)), one.firstChild.getAttribute("href")])
  .filter(([[column, row]]) => row === 0 && column >= 0 && column < 4)
  .sort(([[left]], [[right]]) => left - right)
  .map(([, piece]) => piece)
"""
"""The pieces of the first row, from the left."""


@DESKTOP
@pytest.mark.slow
def test_line_follows_a_pull_over_two_cells_and_back(page: Any) -> None:
    driver.begin(page, text=LINE)
    before = page.evaluate(PLACES)
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
    assert page.evaluate(PLACES) == pulled


def nudge(page: Any, column: int) -> Any:
    """Hold the pointer on a cell of the first row, and return the pieces."""
    page.mouse.move(*driver.cell(page, column, 0))
    return page.evaluate(PLACES)
