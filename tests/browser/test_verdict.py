"""Tests of the verdict on the page: one line with the board, on by default, which never moves the layout."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

import gridproof as gp
from gridproof.prove.estimate import Estimate, Prospect
from gridproof.prove.position_status import Badge
from gridproof.prove.verdict_line import verdict_detail, verdict_line

pytestmark = [pytest.mark.slow, pytest.mark.long]
SLIDES = "2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n"
EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"
WINNABLE = ".verdict[data-standing=winnable][data-stale=no]"
SHOW_PROGRESS = """async () => {
  const { BadgeLine } = await import("/static/badge.js");
  const play = { now: { level: 1, done: 1 }, sidebar: { showWorth: () => {} }, board: { markDead: () => {} }, offers: () => false };
  const badge = new BadgeLine(play);
  badge.show({ line: "Chance of a win: 40 %", standing: "unknown", worth: { up: { text: "40 %" } }, complete: true });
  play.now = { level: 1, done: 2 };
  for (let searched = 1; searched < 100 && !badge.detail.textContent; searched += 1) {
    badge.show({ standing: "unknown", complete: false, searched });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [badge.text.textContent, badge.detail.textContent];
}"""


def line(page: Any) -> Any:
    return page.locator(".verdict .text")


def choices(page: Any) -> Any:
    """The buttons of a dead position: its reason, and the last position that could be won."""
    return page.locator(".verdict .choices button")


def choose(page: Any, mode: str) -> None:
    """Choose when the verdict is shown."""
    page.locator(".verdict summary").click()
    page.locator(f".verdict input[value={mode}]").check()
    page.locator(".verdict summary").press("Escape")


def die(page: Any) -> None:
    """Push the box to a place from which it reaches no depot."""
    page.locator(".stage").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    line(page).filter(has_text="Dead since move 2").wait_for()


def test_verdict_is_on_by_default_and_never_moves_the_layout(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    assert line(page).inner_text() == "Winnable in 5 moves at best (proved)"
    places = [page.locator(one).bounding_box() for one in (".verdict", ".stage", ".sidebar")]
    die(page)
    assert not page.locator(".dead-cells rect").count()
    choices(page).first.click()
    page.locator(
        ".verdict .explanation", has_text="The box in row 5, column 4 can reach no depot."
    ).wait_for()
    assert page.locator(".dead-cells rect").count() == 1
    assert places == [page.locator(one).bounding_box() for one in (".verdict", ".stage", ".sidebar")]
    assert not driver.violations(page)
    page.reload()
    driver.shown(page)
    line(page).filter(has_text="Dead since move 2").wait_for()


def test_game_continues_from_last_winnable_position(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    die(page)
    choices(page).last.click()
    page.wait_for_selector(WINNABLE)
    driver.counted(page, 1)
    driver.keys(page, "ArrowDown", moves=2)  # keys play on
    line(page).filter(has_text="Dead since move 2").wait_for()
    page.keyboard.press("F8")
    page.locator(".player output", has_text="1 of 2").wait_for()
    page.get_by_role("button", name="Continue from here").click()
    page.wait_for_selector(WINNABLE)
    driver.counted(page, 1)
    page.locator("[data-command=redo]:enabled").click()
    line(page).filter(has_text="Dead since move 2").wait_for()


def test_game_continues_from_a_place_of_the_solution(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    driver.spoil(page, "The whole solution")
    page.locator(".player output", has_text="of 5").wait_for()
    page.keyboard.press("Home")
    for number in (1, 2):
        page.keyboard.press("ArrowRight")
        page.locator(".player output", has_text=f"{number} of 5").wait_for()
    page.get_by_role("button", name="Continue from here").click()
    driver.counted(page, 2)
    line(page).filter(has_text="Winnable in 3 moves at best (proved)").wait_for()


def test_verdict_is_shown_when_the_player_wishes(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    choose(page, "request")
    asking = page.get_by_role("button", name="Can it still be won?")
    asking.click()
    page.wait_for_selector(WINNABLE)
    page.reload()
    driver.shown(page)
    asking.wait_for()
    choose(page, "dead")
    line(page).filter(has_text="No verdict while it may still be won").wait_for()
    die(page)
    choose(page, "off")
    page.wait_for_selector(".verdict[data-standing='']")
    assert line(page).inner_text() == ""
    page.locator(".stage").focus()
    page.keyboard.press("F7")
    line(page).filter(has_text="Dead since move 2").wait_for()


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_keys_play_on_when_the_menu_of_the_verdict_is_closed(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    menu, button = page.locator(".verdict details"), page.locator(".verdict summary")
    button.click()
    page.keyboard.press("ArrowDown")  # it chooses in the menu
    page.keyboard.press("Escape")
    assert driver.count(page, "moves") == "0"
    driver.keys(page, "ArrowDown", moves=1)
    for key, is_open in (("Enter", True), ("Enter", False), ("Space", True), ("Space", False)):
        button.press(key)
        assert menu.evaluate("one => one.open") == is_open
    driver.keys(page, "ArrowDown", moves=2)


def test_mode_chosen_before_is_kept(page: Any) -> None:
    page.goto("/")
    page.evaluate("localStorage.setItem('gridproof.settings', JSON.stringify({badge: 'off'}))")
    driver.begin(page, text=EDGE)
    page.wait_for_selector(".actions button")
    assert page.locator(".verdict input[value=off]").is_checked()
    assert line(page).inner_text() == ""


def test_verdict_sleeps_while_offline(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    page.context.set_offline(True)
    page.locator(".stage").focus()
    page.keyboard.press("F7")
    line(page).filter(has_text="The verdict sleeps while you are offline").wait_for()
    page.context.set_offline(False)
    page.wait_for_selector(WINNABLE)


def test_worth_of_each_direction_is_a_hint_on_request(page: Any) -> None:
    driver.begin(page, text=SLIDES)
    line(page).filter(has_text="to reach 64").wait_for()
    driver.judged(page)
    assert not page.locator(".actions .worth").count()
    assert "with hints" not in page.locator(".sidebar .title").inner_text()
    driver.spoil(page, "What each direction is worth")
    page.wait_for_selector(".actions .worth")
    assert page.locator(".actions .worth").count() == page.locator(".actions button").count()
    page.locator(".sidebar .title", has_text="with hints").wait_for()
    page.locator(".stage").focus()
    driver.keys(page, "ArrowLeft", moves=1)
    driver.judged(page)
    assert not page.locator(".actions .worth").count()


def test_worth_of_each_direction_is_shown_always_as_a_hint(page: Any) -> None:
    driver.begin(page, text=SLIDES)
    line(page).filter(has_text="to reach 64").wait_for()
    page.locator(".verdict summary").click()
    choice = page.locator(".verdict .worth-choice")
    assert "That is a hint. A game with hints does not count as a best." in choice.inner_text()
    assert not driver.violations(page)
    choice.locator("input").check()
    page.locator(".verdict summary").press("Escape")
    page.wait_for_selector(".actions .worth")
    page.locator(".sidebar .title", has_text="with hints").wait_for()
    page.locator(".stage").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".actions .worth")
    driver.begin(page, text=SLIDES)
    page.wait_for_selector(".actions .worth")
    page.locator(".sidebar .title", has_text="with hints").wait_for()


def test_worth_of_directions_is_asked_about_before_the_first_hint(page: Any) -> None:
    driver.begin(page, text=SLIDES)
    page.evaluate("localStorage.removeItem('gridproof.acceptedHints')")
    driver.judged(page)
    driver.spoil(page, "What each direction is worth")
    question = page.get_by_role("dialog", name="Show a hint?")
    question.get_by_text("A game with hints does not count as a best.").wait_for()
    assert not page.locator(".actions .worth").count()
    question.get_by_role("button", name="Show it").click()
    page.wait_for_selector(".actions .worth")


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
@pytest.mark.parametrize("width", [1024, 1440])
def test_verdict_of_a_small_board_is_shown_whole(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    driver.begin(page, text=SLIDES)
    driver.judged(page)
    likely = Prospect(0.93, 1200)
    estimate = Estimate("reach 1024", (("up", likely),) * 4, 300, "a simple program", is_first=True)
    badge = Badge(estimate=estimate)
    words = [verdict_line(badge, gp.level("twenty48/standard/1")), verdict_detail(badge)]
    write = "([text, detail]) => { for (const [name, words] of Object.entries({ text, detail })) document.querySelector(`.verdict .${name}`).textContent = words; }"
    page.evaluate(write, words)
    verdict = page.locator(".verdict .line")
    assert verdict.evaluate("one => one.scrollHeight <= one.clientHeight")
    board, box = page.locator(".stage").bounding_box(), verdict.bounding_box()
    assert board["y"] + board["height"] <= box["y"]
    assert box["y"] + box["height"] <= 900


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_gained_points_cover_the_label_of_the_score_alone(page: Any) -> None:
    driver.begin(page, text=SLIDES)
    gaps = page.locator("[data-count=score]").evaluate("""(score) => {
      score.append(Object.assign(document.createElement("span"), { className: "points", textContent: "+16" }));
      const [number, label, points] = ["dd", "dt", ".points"].map((one) => score.querySelector(one).getBoundingClientRect());
      return [points.top - number.bottom, points.top - label.top, points.bottom - label.bottom];
    }""")
    assert all(abs(gap) <= 2 for gap in gaps)


def test_graph_of_distances_goes_to_a_position(page: Any) -> None:
    driver.begin(page, text=EDGE)
    page.wait_for_selector(WINNABLE)
    page.locator(".stage").focus()
    for number, key in enumerate(("Down", "Right", "Down", "Left"), 1):
        driver.keys(page, f"Arrow{key}", moves=number)
    page.keyboard.press("ArrowLeft")
    page.locator(".distances .graph .fewest").nth(5).wait_for()
    assert not driver.violations(page)
    graph = page.locator(".graph")
    graph.press("Home")
    page.locator(
        ".distances p", has_text="At the start: the fewest to the win is 5 moves (proved)"
    ).wait_for()
    graph.press("ArrowRight")
    graph.press("Enter")
    page.locator(".player output", has_text="1 of 5").wait_for()
    assert driver.count(page, "moves") == "1"


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_chance_of_earlier_position_says_so_while_search_reports_progress(page: Any) -> None:
    page.goto("/")
    assert page.evaluate(SHOW_PROGRESS) == [
        "Chance of a win: 40 %",
        "Verdict before your last move; updating …",
    ]


def test_hint_in_a_dead_position_shows_the_reason_and_costs_nothing(page: Any) -> None:
    driver.begin(page, text=EDGE)
    die(page)
    page.click("[data-command=hint]")
    page.locator(
        ".verdict .explanation", has_text="The box in row 5, column 4 can reach no depot."
    ).wait_for()
    assert page.locator(".dead-cells rect").count() == 1
    assert not page.get_by_role("dialog").count()
    assert "with hints" not in page.locator(".sidebar .title").inner_text()


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_worth_of_directions_is_in_sight_on_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    driver.begin(page, text="2048 3x3 spawn=classic target=64\n8 8 32\n8 2 0\n0 0 0\n")
    driver.spoil(page, "What each direction is worth")
    page.locator(".actions .worth").first.wait_for()
    directions = page.locator(".actions button").evaluate_all("all => all.map(({ title }) => title)")
    worths = page.locator(".verdict .worths")
    driver.until(page, lambda: all(words in worths.inner_text().lower() for words in directions))
    box, verdict = worths.bounding_box(), page.locator(".verdict").bounding_box()
    assert box
    assert verdict
    assert verdict["y"] <= box["y"]
    assert box["y"] + box["height"] <= min(844, verdict["y"] + verdict["height"])
    page.locator(".actions button").first.click()
    driver.until(page, lambda: not worths.inner_text())


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_verdict_without_an_estimate_has_no_mark_of_one(page: Any) -> None:
    driver.begin(page, text="2048 5x5 target=2048\n")
    driver.judged(page)
    verdict = page.locator(".play > .verdict")
    assert verdict.locator(".text").text_content().startswith("No estimate: ")
    assert verdict.locator(".mark").text_content() == ""


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_sentence_beside_the_verdict_stays_whole(page: Any) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    driver.begin(page, pack="shiftit/boards", level=6)
    detail = page.locator(".verdict .detail", has_text="Not connected yet: green in 2 parts.")
    detail.wait_for()
    verdict, lines = (
        page.locator(f".verdict {name}").evaluate("one => [...one.getClientRects()].map(({ y }) => y)")
        for name in (".text", ".detail")
    )
    assert len(lines) == 1
    assert lines[0] > verdict[0]
