"""Editor, analysis and formulas are one click from the board, and the board is one click from them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
by_mouse = pytest.mark.parametrize("page", ["desktop"], indirect=True)
ROOM = "########\n#@$  .##\n#     ##\n########\n"
DEAD = "######\n#@ . #\n#$   #\n######\n"
WON_AT_ONCE = "#####\n#@$.#\n#####\n"
TWO = "#####\n#@$.#\n#####\ntitle: One\n\n######\n#@$ .#\n######\ntitle: Two\n"
LAST_STATE = "async trace => new (await import('/static/formula/trace_table.js')).TraceTable({ steps: [], pieces: new Map(), ...trace }, new Map(), () => {}).element.lastElementChild.textContent"


def study(page: Any, name: str, ready: str) -> None:
    page.click(f"[data-study={name}]")
    page.wait_for_selector(ready)


def back(page: Any, session: str) -> None:
    page.click(".back-to-game")
    page.wait_for_url(f"**/play/{session}")
    driver.shown(page)
    driver.counted(page, 1)


def words(page: Any) -> str:
    """What a screen reader reads of the board."""
    return str(
        page.locator(".stage svg .piece").evaluate_all(
            "all => all.map((one) => one.style.transform).sort().join()"
        )
    )


def drawn(page: Any, pattern: str) -> None:
    from playwright.sync_api import expect

    expect(page.locator("#edit-text")).to_have_value(re.compile(pattern))


def test_board_leads_to_its_studies_and_they_lead_back(page: Any) -> None:
    session = driver.begin(page, text=ROOM)
    driver.keys(page, "ArrowRight", moves=1)
    driver.settled(page)
    board = words(page)
    study(page, "analyse", ".here b")
    driver.until(page, lambda: words(page), board)
    page.locator(".here", has_text="The fewest to the win is 2 moves (proved)").wait_for()
    page.locator(".difficulty:not([hidden])").wait_for()
    back(page, session)
    study(page, "formulas", ".examples button")
    driver.until(page, lambda: words(page), board)
    page.locator(".examples button", has_text="can it be won?").click()
    page.locator(".verdict b", has_text="Holds in your position; holds in").wait_for()
    page.click("[data-from=start]")
    page.locator(".examples button", has_text="can it be won?").click()
    page.locator(".verdict b", has_text="Holds at the start; holds in").wait_for()
    back(page, session)
    study(page, "edit", ".palette button")
    drawn(page, r"\n#@\$--\.##\n")
    page.get_by_role("button", name="Your position").click()
    drawn(page, r"\n#-@\$-\.##\n")
    page.reload()
    page.wait_for_selector(".palette button")
    drawn(page, r"\n#-@\$-\.##\n")
    back(page, session)


@by_mouse
def test_formula_asked_while_a_place_opens_is_about_that_place(page: Any) -> None:
    driver.begin(page, text=DEAD)
    driver.keys(page, "ArrowRight", moves=1)
    study(page, "formulas", ".examples button")
    late = driver.held(page, "**/api/vocabularies")
    page.click("[data-from=start]")
    page.locator(".examples button", has_text="can it be won?").click()
    driver.until(page, lambda: len(late), 1)
    late[0].continue_()
    page.locator(".verdict b", has_text="at the start").wait_for()


@by_mouse
def test_place_that_was_chosen_last_stays_open(page: Any) -> None:
    driver.begin(page, text=ROOM)
    driver.keys(page, "ArrowRight", moves=1)
    study(page, "formulas", ".examples button")
    late = driver.held(page, "**/api/vocabularies")
    page.click("[data-from=start]")
    page.click("[data-from=position]")
    driver.until(page, lambda: len(late), 2)
    for route in reversed(late):
        driver.answer(page, route)
    page.evaluate("fetch('/api/health').then(answer => answer.json())")  # by then it would be there
    assert page.get_attribute("[data-from=position]", "aria-pressed") == "true"
    assert page.get_attribute("[data-from=start]", "aria-pressed") == "false"


def draw_room(page: Any) -> None:
    """Open the editor, and type a level into its text."""
    page.goto("/edit/sokoban")
    page.wait_for_selector(".palette button")
    page.fill("#edit-text", ROOM)
    page.wait_for_selector("h2:text-is('Size: 8 × 4')")


@by_mouse
def test_text_and_board_follow_each_other(page: Any) -> None:
    draw_room(page)
    assert page.input_value("#edit-text") == ROOM  # what is typed stays while it is typed
    page.click("[data-tool=wall]")
    drawn(page, r"\n#@\$--\.##\n")
    page.mouse.click(*driver.cell(page, 1, 2))
    drawn(page, r"\n##----##\n")
    page.fill("#edit-text", "nothing at all")
    page.locator(".level-text .error", has_text="line 1").wait_for()
    assert page.locator("h2:text-is('Size: 8 × 4')").count()


@by_mouse
def test_draft_is_tried_and_stays(page: Any) -> None:
    draw_room(page)
    page.focus(".stage")
    drawn(page, r"Bombs")
    page.keyboard.press("t")
    page.wait_for_selector(".trial")
    driver.keys(page, "ArrowRight", "ArrowRight")
    page.locator(".trial .answer", has_text="2 moves.").wait_for()
    page.fill("#edit-text", ROOM.replace("  .##", " .###"))  # the same moves are done on what is drawn now
    page.locator(".trial .answer", has_text="Won in 2 moves.").wait_for()
    page.get_by_role("button", name="Back to drawing").click()
    page.wait_for_selector(".trial", state="detached")
    drawn(page, r"\n#@\$-\.###\n")
    page.click("[data-edit=undo]")
    drawn(page, r"\n#@\$--\.##\n")


@by_mouse
def test_editor_says_why_a_level_cannot_be_won(page: Any) -> None:
    page.goto("/edit/sokoban")
    page.wait_for_selector(".palette button")
    page.fill("#edit-text", DEAD)
    page.wait_for_selector(".verdict[data-verdict=no]")
    page.locator(".why-not", has_text="box").wait_for()
    page.wait_for_selector(".dead-cells rect", state="attached")
    assert driver.violations(page) == ""


def test_collection_offers_each_of_its_levels(page: Any) -> None:
    page.goto("/edit/sokoban")
    page.wait_for_selector(".palette button")
    page.set_input_files("#edit-file", {"name": "two.xsb", "mimeType": "text/plain", "buffer": TWO.encode()})
    page.locator(".collection button[data-level]").nth(1).wait_for()
    drawn(page, r"title: One")
    page.locator(".collection img[src]").nth(1).wait_for(state="attached")
    page.locator(".collection button", has_text="2. Two").click()
    drawn(page, r"title: Two")
    page.wait_for_selector(".collection [data-level='2'][aria-pressed=true]")
    page.get_by_role("button", name="Keep it in your packs").click()
    page.locator(".toast", has_text="is one of your packs now").wait_for()  # a new page would stop it
    page.goto("/levels")
    page.wait_for_selector("[aria-label='Your packs'] .card")
    page.locator("[aria-label='Your packs'] .card").scroll_into_view_if_needed()
    page.wait_for_selector("[aria-label='Your packs'] img[src^=data]")


@by_mouse
def test_states_of_a_trace_say_what_changed_and_lead_there(page: Any) -> None:
    page.goto("/formulas")
    page.locator(".examples button", has_text="can it be won?").click()
    page.locator(".question", has_text="Can it be won? Yes.").wait_for()
    states = page.locator(".trace-table button")
    states.first.wait_for()
    assert "The start" in states.first.inner_text()
    states.last.click()
    page.wait_for_selector(".trace-table li:last-child [aria-current=step]")
    assert "won no → yes" in states.last.inner_text()
    assert driver.violations(page) == ""
    page.get_by_role("button", name="Back to the level").click()
    states.first.wait_for(state="detached")


@by_mouse
@pytest.mark.parametrize(
    ("actions", "loop", "words"),
    [
        (1, None, "1."),
        (1, 0, "From here it goes on as after state 0, again and again."),
        (1, 1, "From here nothing changes any more."),
        (9, None, "And 8 more."),
        (9, 5, "And 8 more. From there it goes on as after state 5, again and again."),
    ],
)
def test_states_of_a_long_trace_are_counted(page: Any, actions: int, loop: int | None, words: str) -> None:
    page.goto("/formulas")
    text = page.evaluate(LAST_STATE, {"states": [[], []], "actions": actions, "loop": loop})
    assert text.startswith(words)


@by_mouse
def test_actions_are_not_offered_after_the_win(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.locator("[aria-label=Actions]").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".overlay")
    assert page.locator("[aria-label=Actions]").is_hidden()
    page.get_by_role("button", name="Next level").click()
    page.locator("[aria-label=Actions]").wait_for()
    page.goto("/")
    driver.begin(page, text=WON_AT_ONCE)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".overlay")
    page.keyboard.press("Escape")
    page.wait_for_selector(".overlay", state="detached")
    assert page.locator("[aria-label=Actions]").is_hidden()
    page.reload()
    driver.shown(page)
    assert page.locator("[aria-label=Actions]").is_hidden()


@by_mouse
def test_stage_of_a_small_board_is_not_taller_than_it_needs(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    driver.begin(page, pack="shiftit/boards", level=3)
    stage, board, verdict = (
        page.locator(one).bounding_box() for one in (".stage", "svg.board", ".play > .verdict")
    )
    assert stage["height"] <= board["height"] + 40
    assert verdict["y"] <= stage["y"] + stage["height"] + 16
    assert page.locator("[data-count=actions] dt").inner_text() == "shifts"


def test_analysis_of_a_won_level_begins_with_its_moves(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").get_by_role("button", name="Close").click()  # else it would cover the links
    assert page.locator(".overlay button:visible").all_inner_texts() == ["Next level"]
    study(page, "analyse", ".trace .move")
    moves = page.locator(".trace .move")
    driver.until(page, moves.all_text_contents, ["Start", "1 go down", "2 go right", "3 go right"])
    moves.nth(2).click()
    page.locator(".trace output", has_text="2 of 3").wait_for()
    assert page.locator(".trace [aria-current]").text_content() == "2 go right"


def test_level_of_a_game_is_not_called_a_pack(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=6)
    study(page, "formulas", ".examples button")
    chosen = page.locator("#formula-pack option:checked")
    driver.until(page, chosen.inner_text, "This level: Side by Side")


def test_studies_of_a_game_of_chance_speak_of_luck(page: Any) -> None:
    driver.begin(page, text="2048 2x2 spawn=spec target=8\n2 2\n4 0\n")
    address = page.url
    study(page, "analyse", ".here b")
    page.locator(".here", has_text="The fewest to the win is 2 moves, with luck (proved)").wait_for()
    page.goto(address)
    study(page, "formulas", ".examples button")
    page.locator(".examples button", has_text="can it be won?").click()
    page.locator(".question b", has_text="Yes, with luck.").wait_for()
    page.goto("/edit/twenty48")
    page.fill("#edit-text", "2048 2x2 spawn=spec target=8\n2 2\n4 0\n")
    page.locator(".verdict", has_text="It can be won with luck").first.wait_for()


def test_analysis_of_a_position_shows_the_start_that_it_is_about(page: Any) -> None:
    driver.begin(page, text=ROOM)
    driver.keys(page, "ArrowRight", moves=1)
    study(page, "analyse", ".level-start .difficulty:not([hidden])")
    start = page.get_by_role("region", name="The level, from its start")
    start.locator("img").scroll_into_view_if_needed()
    start.locator("img[src^='data:']").wait_for()
    assert "fewest: 3 pushes" in start.inner_text()
    page.click("[data-from=start]")
    page.locator("section[aria-label='The level'] .difficulty:not([hidden])").wait_for()
    assert start.is_hidden()


@by_mouse
def test_solution_in_the_analysis_of_a_game_counts_as_a_hint(page: Any) -> None:
    session = driver.begin(page, text="########\n# *@$ .#\n########\n")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog").get_by_role("button", name="Analyse").click()
    driver.analysed(page)
    assert not page.get_by_text("go right").count()
    assert not page.get_by_text("Dots: on no shortest solution").count()
    page.get_by_role("button", name="Show it: squares").wait_for()
    page.get_by_text("Which squares are never used, and which on no shortest solution:").wait_for()
    page.get_by_role("button", name="Show it: The shortest way to lose the win").click()
    page.locator(".trace h2", has_text="The shortest way to lose the win").wait_for()
    page.get_by_role("button", name="Show them: decisive positions").click()
    question = page.get_by_role("dialog", name="Show a solution?")
    question.get_by_text("A win with hints gets no stars.").wait_for()
    question.get_by_role("button", name="Not now").click()
    assert not page.get_by_text("go right").count()
    page.get_by_role("button", name="Show it: 2 pushes").click()
    question.get_by_role("button", name="Show it").click()
    page.locator(".trace h2", has_text="2 pushes").wait_for()
    page.get_by_role("button", name="Show them: decisive positions").click()
    page.locator(".claim h3", has_text="After 0 moves: go right").wait_for()
    page.get_by_role("button", name="Show it: squares").click()
    page.get_by_text("Dots: on no shortest solution").wait_for()
    page.click(".back-to-game")
    page.wait_for_url(f"**/play/{session}")
    driver.shown(page)
    driver.keys(page, "ArrowRight", "ArrowRight")
    page.locator(".overlay", has_text="with hints").wait_for()


@by_mouse
def test_stored_draft_of_a_game_is_opened_without_the_text_of_its_level(page: Any) -> None:
    session = driver.begin(page, text="#######\n#@$ .#\n#######\n")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/position"):
        page.goto(f"/edit/sokoban?play={session}")
    assert not any(f"/{session}/level" in address for address in asked)


@by_mouse
def test_solution_in_the_editor_of_a_game_counts_as_a_hint(page: Any) -> None:
    session = driver.begin(page, text="#######\n#@$ .#\n#######\nTitle: Long way\n")
    driver.keys(page, "ArrowRight", moves=1)
    page.goto(f"/edit/sokoban?play={session}")
    page.get_by_role("button", name="Your position").click()
    page.locator("[data-about=title]").wait_for()
    driver.until(page, lambda: page.locator("[data-about=title]").input_value(), "Position of Long way")
    page.get_by_role("button", name="Watch it").click()
    question = page.get_by_role("dialog", name="Show a solution?")
    question.get_by_role("button", name="Not now").click()
    assert not page.get_by_text("A way to the win").count()
    page.get_by_role("button", name="Level's start").click()
    page.get_by_role("button", name="Watch it").click()
    question.get_by_text("A win with hints gets no stars.").wait_for()
    question.get_by_role("button", name="Show it").click()
    page.get_by_text("A way to the win").wait_for()
    page.click(".back-to-game")
    driver.shown(page)
    assert "with hints" in page.locator(".sidebar .title").inner_text()


@by_mouse
def test_witness_of_a_win_in_a_game_counts_as_a_hint(page: Any) -> None:
    session = driver.begin(page, text="#######\n#@$ .#\n#######\n")
    page.goto(f"/formulas?play={session}")
    page.locator(".examples button", has_text="can it be won?").first.click()
    page.get_by_role("button", name="Show it: a solution").click()
    assert not page.locator(".trace-table, .trace h2").count()
    question = page.get_by_role("dialog", name="Show a solution?")
    question.get_by_role("button", name="Show it").click()
    page.get_by_role("heading", name="State by state").wait_for()
    page.click(".back-to-game")
    driver.shown(page)
    assert "with hints" in page.locator(".sidebar .title").inner_text()


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_page_of_claims_has_the_word_of_its_button(page: Any) -> None:
    driver.begin(page, text="#######\n#@ $ .#\n#     #\n#######\n")
    page.get_by_role("link", name="Prove").click()
    page.get_by_role("heading", name="Prove a claim").wait_for()
    assert page.locator(".breadcrumbs").inner_text().endswith("› Prove")
    assert page.title().startswith("Prove a claim")
    question = page.locator(".examples button").first
    question.wait_for()
    gap = "(one) => one.querySelector('code').getBoundingClientRect().left - one.getBoundingClientRect().left"
    assert question.evaluate(gap) > 6  # the frame under the mouse does not touch the words
