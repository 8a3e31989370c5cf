"""Tests of new puzzles on the page: a kind is chosen, an id is typed, the next one follows a win, the puzzle of the day."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser import driver

import gridproof as gp

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_new_puzzle_is_chosen_won_and_followed_by_another(page: Any) -> None:
    page.goto("/new")
    page.get_by_role("radio", name="Extended Sokoban").check(force=True)
    expect(page.get_by_text("Each is proved to be winnable before you see it.")).to_be_visible()
    page.get_by_role("radio", name="2048", exact=True).check(force=True)
    expect(page.get_by_text("Each is proved to be winnable, with luck, before you see it.")).to_be_visible()
    page.get_by_role("radio", name="Small").check(force=True)
    page.get_by_role("radio", name="very easy").check(force=True)
    page.get_by_role("button", name="New puzzle").click()
    page.wait_for_url("**/play/*")
    driver.shown(page)
    first = page.url
    again = page.get_by_role("button", name="New puzzle like this")
    for _ in range(30):
        if again.count():
            break
        page.locator(".actions button").first.click()
        page.wait_for_timeout(300)
        if not again.count() and not page.locator(".actions button").count():  # it is lost
            page.get_by_role("button", name="Restart").click()
    again.click()
    page.wait_for_url(lambda url: url != first)
    page.goto("/new")
    expect(page.get_by_role("radio", name="very easy")).to_be_checked()


def test_id_is_typed_and_opens_the_same_puzzle(page: Any) -> None:
    page.goto("/new")
    field = page.get_by_label("Id", exact=True)
    field.fill("sokoban-huge-easy-1")
    page.get_by_role("button", name="Play this one").click()
    expect(page.get_by_role("alert")).to_contain_text("choose from small, medium, large, bombs")
    expect(field).to_be_focused()
    field.fill("TWENTY48-small-easy-1f3k9")
    page.get_by_role("button", name="Play this one").click()
    page.wait_for_url("**/play/*")
    driver.shown(page)
    cells = driver.board_text(page, marked=False)
    page.goto("/new/twenty48-small-easy-1f3k9")
    page.wait_for_url("**/play/*")
    driver.shown(page)
    assert driver.board_text(page, marked=False) == cells


def test_puzzle_of_the_day_opens(page: Any) -> None:
    page.goto("/daily/twenty48")
    words = re.compile(r"Puzzle of the day · (very easy|easy|medium|hard|very hard) \?$")
    page.locator(".title p", has_text=words).wait_for()
    page.get_by_role("button", name="What the difficulty means").click()
    page.locator(".toast", has_text="The difficulty says how often random moves miss the tile.").wait_for()
    expect(page.get_by_role("button", name="Restart")).to_be_attached()
    assert not page.get_by_role("button", name="New game").count()  # the puzzle stays the same
    expect(page.get_by_role("button", name="Another")).to_be_visible()
    expect(page.get_by_role("link", name="Levels")).to_have_attribute("href", "/levels/twenty48")
    page.get_by_role("button", name="Share").click()
    page.get_by_text(re.compile("same puzzle, twenty48-(small|classic)-[a-z]+-[0-9a-z]+, from")).wait_for()
    page.keyboard.press("Escape")
    page.locator(".actions button").first.click()
    driver.counted(page, 1)
    page.goto("/")
    page.locator(".continue").get_by_role("link", name="Puzzle of the day").wait_for()
    page.goto("/levels/sokoban/first-steps")
    page.get_by_role("link", name="New puzzle").click()
    expect(page.get_by_role("radio", name="Extended Sokoban")).to_be_checked()


def test_win_of_the_day_leads_to_the_others(page: Any) -> None:
    page.goto("/daily/robots")
    driver.shown(page)
    session = page.url.rpartition("/")[2]
    text = page.request.get(f"/api/sessions/{session}/level").text()
    solution = gp.solve(gp.read(text)[0], minimise=None)
    assert solution.trace is not None
    page.keyboard.press(":")
    page.fill("dialog input", " ".join(str(step.action) for step in solution.trace.steps))
    page.keyboard.press("Enter")
    others = page.locator(".overlay .others a")
    others.first.wait_for()
    assert others.all_inner_texts() == ["2048", "Extended Sokoban", "Shift It"]
    assert others.first.get_attribute("href") == "/daily/twenty48"


def test_form_opened_from_a_pack_of_bombs_offers_bombs(page: Any) -> None:
    page.goto("/levels/sokoban/bombs")
    page.get_by_role("link", name="New puzzle").click()
    expect(page.locator("input[name=kind]:checked")).to_have_value("bombs")


def test_special_boards_stand_beside_the_sizes(page: Any) -> None:
    page.goto("/new")
    page.get_by_role("radio", name="Extended Sokoban").check(force=True)
    special = page.locator(".sizes .other + .tiles")
    assert page.locator(".sizes .other").inner_text() == "Or a special board"
    assert special.get_by_role("radio").count() == 1
    special.get_by_role("radio", name="With a bomb").check(force=True)
    expect(page.get_by_role("radio", name="Small")).not_to_be_checked()
    page.get_by_role("radio", name="2048", exact=True).check(force=True)
    expect(special).to_have_count(0)


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_focus_ring_of_the_difficulty_leaves_the_id_of_the_puzzle_free(page: Any) -> None:
    driver.begin(page, puzzle="twenty48-small-easy-wtvt3")
    why = page.locator(".title > p .why")
    why.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    free = why.evaluate("""one => {
      const words = document.createRange();
      words.selectNodeContents(one.parentElement.firstChild);
      const { outlineOffset, outlineWidth } = getComputedStyle(one);
      const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
      return one.getBoundingClientRect().left - reach - words.getBoundingClientRect().right;
    }""")
    assert why.evaluate("one => one.matches(':focus-visible')")
    assert free >= 0
