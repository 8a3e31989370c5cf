"""User journeys: back to a pack, to all sessions, to a new game; pasted levels; forbidden storage."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.service_worker]
on_desktop = pytest.mark.parametrize("page", ["desktop"], indirect=True)
by_touch = pytest.mark.parametrize("page", ["phone"], indirect=True)
_DROP = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], "level.txt"));
  for (const kind of ["dragover", "drop"]) document.querySelector("main > *").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
_FORBID = """for (const name of ["localStorage", "sessionStorage", "caches"]) Object.defineProperty(window, name, {
  get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
});"""


def test_game_links_to_pack_and_card_to_analysis(page: Any) -> None:
    page.goto("/levels/sokoban/first-steps")
    page.locator(".levels .card h2 a").nth(1).click()
    driver.shown(page)
    page.get_by_role("button", name="Levels").click()
    page.get_by_role("link", name="The levels with pictures").click()
    page.locator(".levels .card").first.wait_for()
    page.go_back()
    driver.shown(page)
    page.locator(".breadcrumbs").get_by_role("link", name="Extended Sokoban").click()
    page.get_by_role("link", name="Analyse 2. Back Door").click()
    page.wait_for_url("**/analyse/sokoban/first-steps/2")
    driver.analysed(page)


@on_desktop
def test_last_unsolved_level_offers_no_next_level(page: Any) -> None:
    driver.begin(page, text="; One\n#####\n#@$.#\n#####\n\n; Two\n######\n#@ $.#\n######\n")
    onward = page.get_by_role("button", name="Next unsolved")
    page.get_by_role("button", name="Levels").click()
    onward.click()
    driver.until(page, page.locator("h1").inner_text, "Two")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next level").click()
    driver.until(page, page.locator("h1").inner_text, "One")
    page.get_by_role("button", name="Levels").click()
    page.locator("dialog h2", has_text="Levels").wait_for()
    assert onward.count() == 0


@on_desktop
def test_start_screen_lists_all_sessions(page: Any) -> None:
    begun = []
    for level in range(1, 7):
        begun.append(driver.begin(page, pack="sokoban/first-steps", level=level))
        page.locator(".actions button").first.press("Enter")
        driver.counted(page, 1)
    driver.begin(page, pack="sokoban/bombs")  # untouched
    page.goto("/")
    page.get_by_role("button", name="All 6 saved games").click()
    found = page.locator(".levels .card a").evaluate_all("all => all.map(one => one.pathname)")
    assert found == [f"/play/{one}" for one in reversed(begun)]
    assert "Extended Sokoban · level 6 of 13" in page.locator(".levels .card").first.inner_text()


@by_touch
def test_new_game_needs_confirmation(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", seed=5)
    page.locator(".actions button").first.tap()
    driver.counted(page, 1)
    driver.settled(page)
    before = driver.board_text(page)
    page.get_by_role("button", name="New game").tap()
    page.locator("dialog").get_by_role("button", name="New game").tap()
    driver.counted(page, 0)
    driver.settled(page)
    assert driver.board_text(page) != before


@by_touch
def test_new_game_needs_no_confirmation_when_the_game_is_over(page: Any) -> None:
    driver.begin(page, text="2048 2x2 target=2048\n2 2\n8 4\n", seed=5)
    page.locator(".actions button").first.tap()
    page.locator(".overlay").wait_for()
    page.get_by_role("button", name="Close").tap()
    page.locator(".tools").get_by_role("button", name="New game").tap()
    driver.counted(page, 0)
    assert not page.locator("dialog").count()


@by_touch
def test_page_behind_a_dialog_stays_where_it_is(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", seed=5)
    overflow = "getComputedStyle(document.documentElement).overflow"
    assert page.evaluate(overflow) == "visible"
    page.get_by_role("button", name="Help").tap()
    page.locator("dialog").wait_for()
    assert page.evaluate(overflow) == "hidden"
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert page.evaluate(overflow) == "visible"


@on_desktop
def test_level_is_pasted_onto_a_game(page: Any) -> None:
    before = driver.begin(page, pack="sokoban/first-steps")
    page.evaluate("navigator.clipboard.writeText('#####\\n#@$.#\\n#####\\n')")
    page.keyboard.press("Control+v")
    page.wait_for_url(lambda url: "/play/" in url and before not in url)
    page.locator(".actions button[data-action=right]").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".overlay").wait_for()


@on_desktop
def test_file_is_dropped_on_any_page(page: Any) -> None:
    page.goto("/levels/sokoban/first-steps")
    page.wait_for_selector(".levels .card")
    page.evaluate(_DROP, "####\n#@@#\n####\n")
    note = page.locator(".toast", has_text="Another player")
    note.wait_for()
    assert note.inner_text().count("At (2, 1): another player") == 1
    page.evaluate(_DROP, "; Dropped\n######\n#@ $.#\n######\n")
    page.wait_for_url("**/play/*")
    driver.shown(page)
    assert page.locator("h1").inner_text() == "Dropped"


@on_desktop
def test_dropped_level_of_another_game_opens_in_its_editor(page: Any) -> None:
    page.goto("/edit/sokoban")
    page.wait_for_selector(".palette button")
    page.evaluate(_DROP, "2048 2x2\n16 8\n0 32\n")
    page.wait_for_selector(".palette [data-tool='1024']")
    assert page.url.endswith("/edit/twenty48")
    assert "16 8\n0 32" in page.input_value("#edit-text")
    page.evaluate(_DROP, "neither of these")
    page.locator(".toast", has_text="line 1").wait_for()


@on_desktop
def test_hint_is_scrolled_into_view(page: Any) -> None:
    driver.begin(page, pack="sokoban/bombs", level=2)
    driver.hinted(page)
    told = page.locator(".log .hint").bounding_box()
    assert told["y"] + told["height"] <= page.viewport_size["height"]
    page.locator(".preview circle").wait_for()  # the game has no marks of its own: where it leads


@by_touch
def test_formula_trace_stays_in_view(page: Any) -> None:
    page.goto("/formulas")
    page.get_by_text("can the win be lost?").tap()
    page.get_by_role("button", name="To the start", exact=True).wait_for()
    places = [page.locator(one).bounding_box() for one in ("svg.board", ".verdict", ".player button.main")]
    assert all(one["y"] >= 0 and one["y"] + one["height"] <= 740 for one in places)
    assert places[1]["y"] >= places[0]["y"] + places[0]["height"]


@on_desktop
def test_page_works_without_storage(page: Any) -> None:
    page.add_init_script(_FORBID)
    page.goto("/levels/sokoban/first-steps")
    page.locator(".levels .card h2 a").first.click()
    driver.shown(page)
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.get_by_role("button", name="Next level").click()
    page.get_by_role("link", name="Games").click()
    page.locator(".levels .card", has_text="Back Door").wait_for()
    page.get_by_role("button", name="Settings").click()
    page.select_option("dialog select >> nth=0", "dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
