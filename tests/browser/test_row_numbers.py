"""Tests of row and column numbers: at the board's edge, on buttons, and in announcements."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]

BOARD = "shiftit 2x3\nrrgb r\ng    b*\ny    o\n"


@pytest.mark.clause("S5")
def test_row_numbers_agree_at_edge_buttons_and_words(page: Any) -> None:
    driver.begin(page, text=BOARD)
    assert driver.numbered(page, "row") == ["1", "2", "3"]
    assert driver.numbered(page, "column") == ["1", "2"]
    words = page.locator(".board + p").inner_text()
    assert re.findall(r"Row (\d): (t\d)", words) == [("1", "t1"), ("2", "t3"), ("3", "t5")]
    assert "t4: blue, locked" in words
    action = "RM(0,left)"
    button = page.locator(f".actions [data-action='{action}']")
    assert button.inner_text().startswith("row 3 left")
    middles = page.locator(".board .numbers .row").evaluate_all(
        "all => all.map((one) => { const box = one.getBoundingClientRect(); return box.top + box.height / 2; })"
    )
    assert middles == pytest.approx([driver.cell(page, 0, y)[1] for y in range(3)], abs=3)
    button.click()
    driver.acted(page, 1, "actions")
    words = page.locator(".board + p").inner_text()
    assert "Row 3: t6" in words


def test_refusal_is_said_below_the_board(page: Any) -> None:
    driver.begin(page, text=BOARD)
    driver.drag(page, (0, 1), (1, 1))
    toast = page.locator(".toast", has_text="Row 2 right: the tile in column 2 is locked.")
    toast.wait_for()
    board = page.locator("svg.board").bounding_box()
    assert toast.bounding_box()["y"] >= board["y"] + board["height"]


def test_numbers_of_a_large_board_lie_beside_its_cells(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=20)
    for kind, start, size in (("row", "x", "width"), ("column", "y", "height")):
        texts = page.locator(f".coordinates .{kind}")
        assert texts.count() > 5
        if not texts.first.is_visible():  # phones leave them out
            continue
        boxes = texts.evaluate_all(
            f"all => all.map((one) => one.getBBox()).map((box) => [box.{start}, box.{size}])"
        )
        assert max(first + length / 2 for first, length in boxes) < 0
        assert max(first + length for first, length in boxes) < 6


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_numbers_beside_a_hint_cover_no_piece_and_leave_with_it(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=3)
    view = "document.querySelector('svg.board').getAttribute('viewBox')"
    before, height = page.evaluate(view), page.locator(".stage").bounding_box()["height"]
    page.click("[data-command=hint]")
    page.locator(".outlined rect").wait_for()
    left, top = driver.cell(page, -0.5, -0.5)
    for name, side, edge in (("row", "right", left), ("column", "bottom", top)):
        sides = page.locator(f".coordinates .{name}").evaluate_all(
            "(all, side) => all.map((one) => one.getBoundingClientRect()[side])", side
        )
        assert max(sides) <= edge + 4  # a line of text has some room below its digits
    assert page.locator(".stage").bounding_box()["height"] == height
    driver.swipe(page, (2, 3), (3, 3))
    page.locator(".outlined rect").wait_for(state="detached")
    driver.until(page, lambda: page.evaluate(view), before)


def test_row_numbers_are_announced_for_cursor_and_edge(page: Any) -> None:
    driver.begin(page, text=BOARD)
    live = page.locator(".live").first
    driver.keys(page, "ArrowDown")
    driver.keys(page, "ArrowDown")
    driver.until(page, lambda: "row 3, column 2" in live.inner_text())
    driver.keys(page, "ArrowRight")
    driver.until(page, lambda: "right of row 3" in live.inner_text())


def test_actions_and_keys_are_listed_by_the_numbers_on_the_board(page: Any) -> None:
    driver.begin(page, text=BOARD)
    buttons = page.locator(".actions button").evaluate_all("all => all.map((one) => one.title)")
    assert buttons[:4] == [f"row {row} {way}" for row in (1, 3) for way in ("left", "right")]
    page.keyboard.press("f")
    driver.acted(page, 1, "actions")
    page.locator(".move-list .move", has_text="1 row 1 left").wait_for()


def test_numbers_of_the_next_moves_fit_on_their_marks(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=15)
    driver.spoil(page, "The next three moves")
    numbers = page.locator(".preview .step text")
    driver.until(page, numbers.all_text_contents, ["1", "2", "3"])
    sizes = page.locator(".preview .step").evaluate_all(
        "all => all.map((one) => [...one.children].map((part) => part.getBoundingClientRect().width))"
    )
    assert all(text < mark for mark, text in sizes)


def test_arrows_stay_in_sight_with_a_hint(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=8)
    arrows = page.locator(".marks .piece")
    driver.until(page, arrows.count, 10)
    driver.spoil(page, "The next three moves")
    page.locator(".preview .step").nth(2).wait_for()
    middles = """all => all.map((one) => { const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2]; })"""
    places = arrows.evaluate_all(middles)
    for box in [number.bounding_box() for number in page.locator(".preview .step").all()]:
        for x, y in places:
            assert not (
                box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]
            )
    driver.hinted(page)
    page.locator(".marks.hinted").wait_for()
    assert arrows.count() == 10
