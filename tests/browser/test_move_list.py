"""Tests of the list of moves: places to go to, variations, marks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver
from tests.table.test_status import FIFTY_PERCENT

pytestmark = [pytest.mark.slow, pytest.mark.long]

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
PHONE = pytest.mark.parametrize("page", ["phone"], indirect=True)
FLOOR = "#######\n#@ $ .#\n#     #\n#######\n"
FLOOR_OF_TWO = "#######\n#@ $ .#\n#    *#\n#######\n"


NAMES = """(within) => [...document.querySelectorAll(within)].map((one) => {
  const copy = one.cloneNode(true);
  for (const cost of copy.querySelectorAll(".cost")) cost.remove();
  return copy.textContent.trim();
})"""


def listed(page: Any) -> list[str]:
    """Return the moves of the game's own line, without their marks."""
    found: list[str] = page.evaluate(NAMES, ".move-list > .move")
    return found


def variation(page: Any) -> list[str]:
    """Return the moves of the only variation."""
    assert page.locator(".variation").count() == 1
    found: list[str] = page.evaluate(NAMES, ".variation > .move")
    return found


def current(page: Any) -> str:
    return " ".join(page.locator(".move-list [aria-current]").inner_text().split()[:2])


@DESKTOP
def test_click_goes_to_a_position_and_the_later_moves_can_be_redone(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowUp", moves=3)
    assert listed(page) == ["Start", "1 down", "2 right", "3 up"]
    page.locator(".move", has_text="1 down").click()
    driver.counted(page, 1)
    assert current(page) == "1 down"
    assert page.locator(".move.undone").count() == 2
    driver.press(page, "redo", moves=2)
    page.locator(".move", has_text="Start").click()
    driver.counted(page, 0)
    driver.keys(page, "ArrowRight", moves=1)  # after a click, keys play on


@DESKTOP
def test_viewer_can_read_the_current_move(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowRight", moves=1)

    def colour(one: Any) -> str:
        current = one.locator(".move-list [aria-current]", has_text="right")
        return str(current.evaluate("one => getComputedStyle(one).color"))

    driver.until(page, lambda: colour(page), "rgb(255, 255, 255)")
    page.get_by_role("button", name="Share").click()
    viewer = page.context.new_page()
    viewer.goto(driver.copied(page, "Invite viewers"))
    driver.until(viewer, lambda: colour(viewer), "rgb(255, 255, 255)")


@DESKTOP
def test_another_move_keeps_the_old_line_as_a_variation_also_after_a_reload(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowDown", "ArrowRight", moves=2)
    driver.press(page, "undo", moves=1)
    driver.press(page, "undo", moves=0)
    driver.keys(page, "ArrowRight", moves=1)
    assert (listed(page), variation(page)) == (["Start", "1 right"], ["1 down", "2 right"])
    page.reload()
    driver.shown(page)
    driver.until(page, lambda: (listed(page), variation(page)), (["Start", "1 right"], ["1 down", "2 right"]))
    driver.judged(page)  # a verdict draws the list again
    page.locator(".variation .move", has_text="2 right").click()
    driver.counted(page, 2)
    assert (listed(page), variation(page)) == (["Start", "1 down", "2 right"], ["1 right"])


@DESKTOP
def test_new_game_begins_with_an_empty_list(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", level=2)
    for place in ("first", "last"):
        getattr(page.locator(".actions button:enabled"), place).click()
        driver.counted(page, 1)
        driver.press(page, "undo", moves=0)
    page.locator(".variation").wait_for()
    page.get_by_role("button", name="New game").click()
    for _ in range(2):
        driver.until(page, lambda: listed(page), ["Start"])
        assert not page.locator(".variation").count()
        page.reload()
        driver.shown(page)


@DESKTOP
def test_another_device_forgets_the_variations_of_the_game_before(page: Any, another_browser: Any) -> None:
    driver.begin(page, pack="twenty48/standard", level=2)
    for place in ("first", "last"):
        getattr(page.locator(".actions button:enabled"), place).click()
        driver.counted(page, 1)
        driver.press(page, "undo", moves=0)
    page.locator(".variation").wait_for()
    driver.until(page, lambda: "gridproof.variations" in page.evaluate("Object.keys(localStorage)"))
    address = page.url
    page.goto("/")
    session = address.rpartition("/")[2]
    other = another_browser.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    other.get_by_role("button", name="New game").click()
    driver.until(other, lambda: listed(other), ["Start"])
    page.goto(address)
    driver.shown(page)
    driver.until(page, lambda: listed(page), ["Start"])
    assert not page.locator(".variation").count()


@DESKTOP
def test_won_level_chosen_anew_begins_with_an_empty_list(page: Any) -> None:
    driver.begin(page, text=f"{FLOOR}\n{FLOOR}")
    driver.keys(page, "ArrowDown", moves=1)
    driver.press(page, "undo", moves=0)
    driver.keys(page, *["ArrowRight"] * 3)
    page.get_by_role("button", name="Next level").click()
    driver.until(page, lambda: listed(page), ["Start"])
    page.get_by_role("button", name="Levels").click()
    page.get_by_role("dialog").locator("li button").first.click()
    page.locator(".place, .small.muted", has_text="Level 1 of 2").first.wait_for()
    driver.until(page, lambda: listed(page), ["Start"])
    assert not page.locator(".variation").count()


@DESKTOP
def test_keys_step_through_the_moves_where_the_game_has_no_use_for_them(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowDown", "ArrowRight", moves=2)
    driver.keys(page, ",", moves=1)
    driver.keys(page, ".", moves=2)
    page.locator(".move-list [aria-current]").focus()
    driver.keys(page, "ArrowLeft", moves=1)
    driver.keys(page, "Home", moves=0)
    driver.keys(page, "End", moves=2)
    assert current(page) == "2 right"


@DESKTOP
def test_moves_that_cost_something_are_marked_once_it_is_known(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.judged(page)
    driver.keys(page, "ArrowDown", moves=1)
    page.locator(".cost", has_text="+2").wait_for()
    driver.press(page, "undo", moves=0)
    driver.keys(page, "ArrowRight", moves=1)
    assert not page.locator(".move-list > .move .cost").count()


@DESKTOP
def test_mark_of_the_first_move_stays_after_a_reload_and_is_explained_where_it_stands(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=6)
    driver.judged(page)
    page.locator(".actions button").first.click()
    cost = page.locator(".move-list > .move .cost", has_text="+1")
    cost.wait_for()
    page.reload()
    cost.wait_for()
    move = page.locator(".move-list > .move", has=page.locator(".cost"))
    assert move.get_attribute("title") == "row 2 left. 1 shift more than the fewest"


@DESKTOP
def test_cost_of_several_moves_at_once_stands_at_the_last_one(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.judged(page)
    driver.click(page, 2, 2)
    driver.counted(page, 2)
    page.locator(".move-list > .move").nth(2).locator(".cost", has_text="+2").wait_for()
    assert page.locator(".cost").count() == 1


@DESKTOP
def test_current_move_is_in_sight_in_a_low_window(page: Any) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    driver.begin(page, pack="shiftit/boards", level=9)
    for number in range(1, 9):
        driver.keys(page, "f", actions=number)
    current, sidebar = (
        page.locator(name).bounding_box() for name in (".move-list [aria-current]", ".sidebar")
    )
    assert current["y"] + current["height"] <= sidebar["y"] + sidebar["height"]


@DESKTOP
def test_legend_of_costs_is_shown_with_the_first_cost(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.judged(page)
    legend = page.get_by_text("+1, +2: extra moves")
    assert not legend.is_visible()
    driver.keys(page, "ArrowDown", moves=1)
    legend.wait_for()


@DESKTOP
@pytest.mark.parametrize(("cause", "cost"), [("move", "move"), ("chance", "chance"), ("unknown", 0)])
def test_moves_of_a_game_of_chance_have_no_fixed_cost(page: Any, cause: str, cost: object) -> None:
    page.goto("/")
    costs = """async () => {
      const { MoveTree } = await import("/static/move_tree.js");
      const tree = new MoveTree({ first: 0, list: [["left", "left"], ["up", "up"]] }, ["", ""]);
      const way = { standing: "winnable", fewest: true, luck: true };
      [4, 5].forEach((left, number) => tree.judge(number, { ...way, left }));
      tree.judge(2, { standing: "dead", fatal: { move: 2, cause: "CAUSE" } });
      clearTimeout(tree.timer);
      return [1, 2].map((number) => MoveTree.cost(tree.at(number - 1), tree.at(number)));
    }"""
    assert page.evaluate(costs.replace("CAUSE", cause)) == [0, cost]


@DESKTOP
def test_bad_luck_after_the_best_move_is_marked_as_such_also_after_a_reload(page: Any) -> None:
    driver.begin(page, text=FIFTY_PERCENT, seed=0)
    driver.judged(page)
    driver.keys(page, "ArrowUp", moves=1)
    mark = page.locator(".move-list .cost", has_text="bad luck")
    mark.wait_for()
    assert not page.locator(".cost.lost").count()
    page.reload()
    mark.wait_for()


@DESKTOP
def test_names_of_moves_are_those_of_the_buttons(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=9)
    first = page.locator(".actions button").first
    words = first.evaluate("one => one.firstChild.textContent")
    first.click()
    driver.counted(page, 1, "actions")
    assert listed(page) == ["Start", f"1 {words}"]
    page.reload()
    driver.shown(page)
    driver.until(page, lambda: listed(page), ["Start", f"1 {words}"])


@DESKTOP
def test_list_of_the_won_level_stays_until_the_next_one_is_shown(page: Any) -> None:
    driver.begin(page, text=f"{FLOOR}\n{FLOOR}")
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    assert listed(page) == ["Start", "1 right", "2 right", "3 right"]
    page.get_by_role("button", name="Next level").click()
    driver.until(page, lambda: listed(page), ["Start"])


@DESKTOP
def test_spoilers_go_from_a_nudge_to_the_next_three_moves(page: Any) -> None:
    driver.begin(page, text=FLOOR_OF_TWO)
    driver.spoil(page, "Where to look")
    page.locator(".log", has_text="Look at the box in row 2, column 4.").wait_for()
    assert page.locator(".outlined rect").count() == 1
    assert not page.locator(".actions .hinted").count()
    driver.spoil(page, "The next three moves")
    page.locator(".log", has_text="go right, then go right, then go right").wait_for()
    page.locator(".preview .step").nth(2).wait_for()
    driver.keys(page, "ArrowRight", moves=1)
    assert not page.locator(".outlined rect, .preview .step, .log p").count()


@DESKTOP
def test_hint_in_a_game_with_a_score_says_what_it_costs(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", level=3)
    page.evaluate("localStorage.removeItem('gridproof.acceptedHints')")
    page.locator("[data-command=hint]").click()
    page.get_by_role("dialog", name="Show a hint?").get_by_text(
        "A game with hints does not count as a best."
    ).wait_for()


@DESKTOP
def test_hints_of_each_game_are_asked_about_until_one_is_accepted(page: Any) -> None:
    question = page.get_by_role("dialog", name="Show a hint?")
    driver.begin(page, text=FLOOR_OF_TWO)
    page.evaluate("localStorage['gridproof.acceptedHints'] = JSON.stringify(['twenty48'])")
    driver.spoil(page, "The next move")
    question.get_by_text("A win with hints gets no stars.").wait_for()
    question.get_by_role("button", name="Not now").click()
    page.locator("[data-command=hint]").click()
    question.get_by_role("button", name="Show it").click()
    page.locator(".log", has_text="Look at the box").wait_for()
    driver.spoil(page, "The next move")
    page.locator(".actions .hinted").wait_for()
    assert not question.count()


def test_toast_lies_above_the_board(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    page.evaluate("import('/static/dom.js').then(({ showToast }) => showToast('Seen.', 60))")
    toast: Any = page.locator(".toast").bounding_box()
    assert toast["y"] + toast["height"] <= page.locator(".stage").bounding_box()["y"]


@DESKTOP
@pytest.mark.parametrize("ask", ["key", "button"])
def test_hint_tells_more_when_it_is_pressed_again(page: Any, ask: str) -> None:
    driver.begin(page, text=FLOOR_OF_TWO)
    hint = page.locator("[data-command=hint]")
    press = hint.click if ask == "button" else lambda: page.keyboard.press("i")
    said = ["Look at the box in row 2, column 4.", "Go right (3 moves to the win)."]
    page.evaluate("localStorage.removeItem('gridproof.acceptedHints')")
    press()
    question = page.get_by_role("dialog", name="Show a hint?")
    question.get_by_text("A win with hints gets no stars.").wait_for()
    question.get_by_role("button", name="Not now").click()
    press()
    question.get_by_role("button", name="Show it").click()
    driver.until(page, page.locator(".log p").all_inner_texts, said[:1])
    assert not page.locator(".actions .hinted").count()
    press()
    page.locator(".actions .hinted[data-action=right]").wait_for()
    driver.until(page, page.locator(".log p").all_inner_texts, said[1:])
    press()
    page.locator(".log", has_text="go right, then go right, then go right").wait_for()
    press()
    page.locator(".toast", has_text="The next moves are shown.").wait_for()
    driver.keys(page, "ArrowRight", moves=1)
    press()
    driver.until(page, page.locator(".log p").all_inner_texts, said[:1])
    assert "with hints" in page.locator(".title").inner_text()


@DESKTOP
def test_hint_is_the_next_move_where_a_move_was_told(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    assert driver.hinted(page) == "right"
    page.click("[data-command=hint]")
    page.locator(".log", has_text="go right, then go right, then go right").wait_for()


@DESKTOP
def test_outline_of_a_hint_goes_with_the_winning_move(page: Any) -> None:
    driver.begin(page, text=f"{FLOOR_OF_TWO}\n{FLOOR_OF_TWO}")
    driver.keys(page, "ArrowRight", "ArrowRight", moves=2)
    page.click("[data-command=hint]")
    page.locator(".outlined rect").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".overlay").wait_for()
    assert not page.locator(".outlined rect").count()


def test_hint_moves_no_button(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=15)
    driver.judged(page)
    hint = page.locator("[data-command=hint]")
    hint.scroll_into_view_if_needed()
    before = hint.bounding_box()
    hint.click()
    page.locator(".title", has_text="with hints").wait_for()
    assert hint.bounding_box() == before


@DESKTOP
def test_directions_keep_their_places(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    words = [words.split()[1] for words in page.locator(".actions > *").all_inner_texts()]
    assert words == ["left", "right", "up", "down"]
    assert page.locator(".actions [aria-disabled=true]").count() == 2


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_phone_shows_hint_on_the_board_and_beside_it(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", level=2)
    page.locator("[data-command=hint]").tap()
    page.locator(".preview .arrow").wait_for()
    direction = page.locator(".actions .hinted").get_attribute("data-action")
    said = page.locator(".toast").inner_text()
    assert re.fullmatch(
        rf"{str(direction).capitalize()} \(chance to reach 2048: (about|over|under) \d+ %; .*\)\.", said
    ), said
    page.locator(".actions .hinted").click()
    driver.counted(page, 1)
    assert not page.locator(".preview .arrow, .toast").count()


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_refusal_on_a_phone_is_shown_once(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    driver.begin(page, pack="shiftit/boards")
    driver.tap(page, 0, 0)
    page.get_by_text("Drag a row or a column, or choose").first.wait_for()
    assert page.locator(".toast, .log .refusal").count() == 1


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_hint_on_a_phone_is_in_sight(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    driver.begin(page, pack="shiftit/boards", level=8)
    hint, said = page.locator("[data-command=hint]"), page.locator(".log .hint")
    hint.tap()
    nudge = said.inner_text()
    hint.tap()
    driver.until(page, lambda: said.inner_text() != nudge)
    toast, box = page.locator(".toast"), said.last.bounding_box()
    if toast.count():
        assert toast.inner_text() == said.last.inner_text()
    else:
        assert box["y"] + box["height"] <= 844
