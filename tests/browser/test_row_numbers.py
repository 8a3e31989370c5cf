"""Tests of row and column numbers: at the board's edge, on buttons, and in announcements."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

BOARD = "shiftit 2x3\nrrgb r\ng    b*\ny    o\n"


@pytest.mark.clause("S5")
def test_row_numbers_agree_at_edge_buttons_and_words(page: Any) -> None:
    driver.begin(page, text=BOARD)
    assert driver.numbered(page, "row") == ["2", "1", "0"]
    assert driver.numbered(page, "column") == ["0", "1"]
    words = page.locator(".board + p").inner_text()
    assert re.findall(r"Row (\d): (t\d)", words) == [("2", "t1"), ("1", "t3"), ("0", "t5")]
    action = "RM(0,left)"
    button = page.locator(f".actions [data-action='{action}']")
    assert button.inner_text().startswith("row 0 to the left")
    middles = page.locator(".board .numbers .row").evaluate_all(
        "all => all.map((one) => { const box = one.getBoundingClientRect(); return box.top + box.height / 2; })"
    )
    assert middles == pytest.approx([driver.cell(page, 0, y)[1] for y in range(3)], abs=3)
    button.click()
    driver.acted(page, 1, "actions")
    words = page.locator(".board + p").inner_text()
    assert "Row 0: t6" in words


def test_row_numbers_are_announced_for_cursor_and_edge(page: Any) -> None:
    driver.begin(page, text=BOARD)
    live = page.locator(".live").first
    driver.keys(page, "ArrowDown")
    driver.keys(page, "ArrowDown")
    driver.until(page, lambda: "row 0, column 1" in live.inner_text())
    driver.keys(page, "ArrowRight")
    driver.until(page, lambda: "right of row 0" in live.inner_text())
