"""Tests of the editor and of formulas, on a desktop and on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
by_touch = pytest.mark.parametrize("page", ["phone"], indirect=True)
by_mouse = pytest.mark.parametrize("page", ["desktop"], indirect=True)
ROOM = "#####\n#@$.#\n#####\n"


def draw(page: Any, game: str) -> None:
    page.goto(f"/edit/{game}")
    page.wait_for_selector(".palette button")


def formula(page: Any, text: str) -> None:
    page.fill("#formula", text)
    page.keyboard.press("Enter")


def written(page: Any, pattern: str) -> None:
    """Wait until the level's text has this."""
    from playwright.sync_api import expect

    expect(page.locator("#edit-text")).to_have_value(re.compile(pattern))


def text_of(page: Any) -> str:
    if not page.locator("details[open] #edit-text").count():
        page.get_by_text("Text: import and export").click()
    return str(page.input_value("#edit-text"))


def test_editor_works_by_keyboard(page: Any) -> None:
    draw(page, "sokoban")
    driver.keys(page, "ArrowDown", "ArrowRight", "3", "Space")
    page.wait_for_selector(".problems :text('2 boxes and 1 depot')")
    driver.until(page, page.get_by_role("button", name="Play from here").is_disabled)
    page.keyboard.press("Control+z")
    page.wait_for_selector("h2.good")
    page.keyboard.press("Control+y")
    page.wait_for_selector("h2.bad")
    page.keyboard.press("Delete")
    page.wait_for_selector("h2.good")


@by_mouse
def test_editor_paints_by_mouse_stroke(page: Any) -> None:
    draw(page, "sokoban")
    page.click("[data-tool=wall]")
    driver.drag(page, (1, 1), (5, 1))
    text_of(page)
    written(page, r"^#+\n#######\n")
    page.wait_for_selector(".verdict[data-verdict=yes]")
    page.mouse.click(*driver.cell(page, 1, 1), button="right")
    written(page, r"^#+\n#-#####\n")
    page.click("[data-edit=undo]")
    page.click("[data-edit=undo]")
    written(page, r"^#+\n#-----#\n")
    page.wait_for_selector("[data-edit=undo]:disabled")


@pytest.mark.parametrize("game", ["robots", "twenty48"])
def test_editor_palette_buttons_contain_their_parts(page: Any, game: str) -> None:
    draw(page, game)
    page.screenshot(full_page=True)  # laid out anew for it, rows were once too low
    beyond = """buttons => buttons.filter((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return [...button.children].some((part) => {
        const box = part.getBoundingClientRect();
        return box.top < top || box.bottom > bottom;
      });
    }).map((button) => button.innerText)"""
    assert page.locator(".palette button").evaluate_all(beyond) == []


@by_touch
def test_editor_works_by_touch(page: Any) -> None:
    draw(page, "twenty48")
    page.click("[data-tool='4']")
    driver.tap(page, 0, 0)
    written(page, r"\n4 0 0 0\n")


def test_editor_marks_problem_on_its_cell_and_goes_there(page: Any) -> None:
    draw(page, "robots")
    page.click("[data-tool='belt running left']")
    page.focus(".stage")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-fault='0,0'] text")
    assert "R9" in page.locator("[data-fault='0,0'] text").inner_html()
    page.keyboard.press("ArrowRight")
    page.locator(".problems button").first.click()
    page.locator("#live", has_text="R9-conveyor").wait_for(state="attached")


def test_editor_fields_sizes_and_sides(page: Any) -> None:
    draw(page, "shiftit")
    page.select_option("#edit-part", "right")
    page.click("[data-tool=yellow]")
    page.focus(".stage")
    page.keyboard.press("Space")
    page.wait_for_selector(
        "[data-edit=undo]:not(:disabled)"
    )  # or what comes of it falls between the next press and its end
    page.click("[data-grow=bottom]")
    page.wait_for_selector("h2:text-is('Size: 3 × 3')")
    page.fill("[data-about=title]", "Mine")
    page.keyboard.press("Tab")
    written(page, "title: Mine")
    assert text_of(page).splitlines()[0] == "shiftit 3x3"
    assert "ryrr" in text_of(page)


@by_mouse
def test_late_answer_does_not_overwrite_typed_field(page: Any) -> None:
    draw(page, "sokoban")
    late: list[Any] = []
    page.route("**/api/drafts", lambda route: late.append(route))  # noqa: PLW0108  # it takes no built-in
    page.click("[data-grow=right]")
    driver.until(page, lambda: len(late), 1)
    page.fill("[data-about=title]", "Mine")
    late.pop().continue_()
    page.wait_for_selector("h2:has-text('Size: 8')")  # what was done before is shown
    assert page.evaluate("document.activeElement.value") == "Mine"
    page.locator("[data-field=bombs]").focus()
    driver.until(page, lambda: len(late), 1)
    page.fill("[data-field=bombs]", "7")
    late.pop().continue_()
    written(page, "Mine")
    assert page.evaluate("document.activeElement.value") == "7"
    page.unroute("**/api/drafts")
    page.keyboard.press("Tab")
    written(page, "Bombs: 7")
    page.click("[data-edit=undo]")
    page.click("[data-edit=undo]")
    driver.until(page, lambda: page.input_value("[data-about=title]"), "")


def test_latest_typed_text_is_played(page: Any) -> None:
    draw(page, "sokoban")
    page.fill("[data-about=title]", "Mine")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/play/*")
    driver.shown(page)
    assert page.locator("h1").inner_text() == "Mine"


def test_draft_is_proved_watched_saved_and_played(page: Any) -> None:
    draw(page, "sokoban")
    page.locator(".verdict[data-verdict=yes]", has_text="in 1 action,").wait_for()
    page.get_by_role("button", name="Watch it").click()
    page.wait_for_selector("output:has-text('of 1')")
    page.get_by_role("button", name="Back to drawing").click()
    page.fill("[data-field=bombs]", "2")
    page.keyboard.press("Tab")
    page.wait_for_selector("[data-edit=undo]:not(:disabled)")
    page.reload()
    page.wait_for_selector(".palette button")
    driver.until(page, lambda: page.input_value("[data-field=bombs]"), "2")
    page.get_by_role("button", name="Play from here").click()
    driver.shown(page)
    assert driver.count(page, "bombs left") == "2"


def test_impossible_draft_is_proved(page: Any) -> None:
    draw(page, "sokoban")
    text_of(page)
    page.fill("#edit-text", "######\n#@ . #\n#$   #\n######\n")
    page.get_by_role("button", name="Draw this text").click()
    page.wait_for_selector(".verdict[data-verdict=no]")


def test_editor_text_formats_and_broken_texts(page: Any) -> None:
    draw(page, "sokoban")
    text_of(page)
    page.select_option("#edit-format", "slc")
    written(page, r"^<\?xml")
    page.fill("#edit-text", "#####\n#@@.#\n#####\n")
    page.get_by_role("button", name="Draw this text").click()
    page.wait_for_selector("[data-fault='2,1']")
    page.locator(".problems b", has_text="K2-many-players").wait_for()
    page.fill("#edit-text", "nothing at all")
    page.get_by_role("button", name="Draw this text").click()
    page.locator("details .error", has_text="line 1").wait_for()


@by_mouse
def test_late_answer_does_not_overwrite_typed_text(page: Any) -> None:
    draw(page, "sokoban")
    text_of(page)
    late: list[Any] = []
    page.route("**/api/texts", lambda route: late.append(route))  # noqa: PLW0108  # it takes no built-in
    page.select_option("#edit-format", "slc")
    driver.until(page, lambda: len(late), 1)
    page.fill("#edit-text", "typed")
    with page.expect_event("requestfinished", lambda request: request == late[0].request):
        late[0].continue_()
    page.evaluate("fetch('/api/health').then(answer => answer.json())")  # by then it would be there
    assert page.input_value("#edit-text") == "typed"


def test_link_contains_broken_draft(page: Any) -> None:
    draw(page, "sokoban")
    page.keyboard.press("Delete")
    page.wait_for_selector("[data-edit=undo]:not(:disabled)")
    page.click("[data-tool=depot]")
    page.focus(".stage")
    page.keyboard.press("Space")
    page.wait_for_selector(".problems :text('1 box and 2 depots')")
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Link to draw on")
    page.goto("/")
    page.goto(link)
    page.wait_for_selector(".problems :text('1 box and 2 depots')")


def test_formula_is_completed_checked_and_shown(page: Any) -> None:
    page.goto("/formulas")
    page.wait_for_selector(".examples button")
    page.focus("#formula")
    page.keyboard.type("EF (w")
    page.wait_for_selector(".suggestions [role=option]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.input_value("#formula") == "EF (won"
    page.locator(".formula .error", has_text="ends too early").wait_for()
    page.keyboard.press("Backspace")
    page.locator(".suggestions").wait_for()
    page.locator(".formula .error:not(:empty)").wait_for()
    fault, offers = (page.locator(one).bounding_box() for one in (".formula .error", ".suggestions"))
    assert fault["y"] + fault["height"] <= offers["y"]
    page.keyboard.type("n")
    page.locator(".suggestions").wait_for(state="hidden")
    driver.until(page, lambda: page.locator(".error-mark").inner_text().splitlines()[1:], [" " * 7 + "^"])
    page.keyboard.type(")")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict=yes]")
    page.wait_for_selector("output:has-text('of 3')")


def test_counterexample_is_played_as_loop(page: Any) -> None:
    page.goto("/formulas")
    page.wait_for_selector(".examples button")
    formula(page, "F won")
    page.wait_for_selector("[data-verdict=no]")
    page.locator(".small", has_text="again and again").wait_for()


def test_formula_examples_of_other_packs_and_links(page: Any) -> None:
    page.goto("/formulas")
    page.select_option("#formula-pack", "robots/races")
    page.locator(".examples code", has_text="<<a>> F won(a)").click()
    page.wait_for_selector(".verdict [data-verdict]")
    link = driver.copied(page, "Share")
    page.goto("/")
    page.goto(link)
    page.wait_for_selector(".verdict [data-verdict]")
    assert page.input_value("#formula") == "<<a>> F won(a)"


def test_played_level_opens_in_editor(page: Any) -> None:
    driver.begin(page, text=ROOM)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Edit the level").click()
    page.wait_for_selector(".palette button")
    text_of(page)
    written(page, r"^#####\n#@\$\.#\n")
