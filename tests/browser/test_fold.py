"""Tests of what a phone shows without scrolling."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
PHONE = pytest.mark.parametrize("page", ["phone"], indirect=True)


@PHONE
@pytest.mark.parametrize("start", [{"pack": "twenty48/standard"}, {"pack": "sokoban/first-steps"}])
def test_counts_and_verdict_are_above_the_fold(page: Any, start: dict[str, str]) -> None:
    driver.begin(page, **start)
    height = page.viewport_size["height"]
    for name in (".counts", ".verdict"):
        box = page.locator(name).first.bounding_box()
        assert box["y"] + box["height"] <= height


@pytest.mark.parametrize("page", ["phone", "desktop"], indirect=True)
def test_goal_is_on_the_screen(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.set_viewport_size({"width": page.viewport_size["width"], "height": 700})
    page.locator(".goal", has_text="Push every box onto a depot.").wait_for()
