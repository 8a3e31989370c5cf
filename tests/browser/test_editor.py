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
def test_editor_palette_shows_that_it_scrolls(page: Any) -> None:
    draw(page, "twenty48")
    page.wait_for_selector(".palette.more-below")
    page.locator(".palette button").last.scroll_into_view_if_needed()
    page.wait_for_selector(".palette.more-above:not(.more-below)")


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
    fault = page.locator("[data-fault='0,0'] title").text_content()
    page.keyboard.press("ArrowRight")
    page.locator(".problems button").first.click()
    page.locator("#live", has_text=fault).wait_for(state="attached")


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
    late = driver.held(page, "**/api/drafts")
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
    page.locator(".verdict[data-verdict=yes]", has_text="in 1 move.").wait_for()
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
    page.fill("#edit-text", "######\n#@ . #\n#$   #\n######\n")
    page.wait_for_selector(".verdict[data-verdict=no]")


def test_editor_text_formats_and_broken_texts(page: Any) -> None:
    draw(page, "sokoban")
    page.select_option("#edit-format", "slc")
    written(page, r"^<\?xml")
    page.fill("#edit-text", "#####\n#@@.#\n#####\n")
    page.wait_for_selector("[data-fault='2,1']")
    page.locator(".problems [title=K2-many-players]").wait_for()
    page.fill("#edit-text", "nothing at all")
    page.locator(".level-text .error", has_text="line 1").wait_for()


@by_mouse
def test_late_answer_does_not_overwrite_typed_text(page: Any) -> None:
    draw(page, "sokoban")
    late = driver.held(page, "**/api/texts")
    page.select_option("#edit-format", "slc")
    driver.until(page, lambda: len(late), 1)
    page.fill("#edit-text", "typed")
    driver.answer(page, late[0])
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
    page.locator(".verdict", has_text="Can it be won?").wait_for()
    assert page.input_value("#formula") == "EF won"  # the first example, which gives way to what is typed
    page.locator("#formula").blur()
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
    written(page, r"^#####\n#@\$\.#\n")


@by_mouse
def test_drawing_and_files_replace_refused_text(page: Any) -> None:
    draw(page, "sokoban")
    page.fill("#edit-text", "nothing at all")
    page.locator(".level-text .error", has_text="line 1").wait_for()
    page.click("[data-tool=wall]")
    assert text_of(page) == "nothing at all"
    page.mouse.click(*driver.cell(page, 1, 1))
    written(page, r"^#+\n##-")
    page.wait_for_selector(".level-text .error:empty", state="attached")
    page.fill("#edit-text", "nothing at all")
    page.locator(".level-text .error", has_text="line 1").wait_for()
    page.set_input_files("#edit-file", {"name": "a.xsb", "mimeType": "text/plain", "buffer": ROOM.encode()})
    written(page, r"^#####\n#@\$\.#\n")


@by_mouse
def test_text_that_cannot_be_read_is_back_after_leaving_the_page(page: Any) -> None:
    draw(page, "sokoban")
    error = page.locator(".level-text .error", has_text="line 1")
    page.fill("#edit-text", "nothing at all")
    error.wait_for()
    page.goto("/")
    draw(page, "sokoban")
    error.wait_for()
    assert text_of(page) == "nothing at all"
    page.fill("#edit-text", ROOM)
    written(page, r"^#####\n#@\$\.#\n")
    page.wait_for_selector(".level-text .error:empty", state="attached")
    page.goto("/")
    draw(page, "sokoban")
    written(page, r"^#####\n#@\$\.#\n")
    assert not page.locator(".level-text .error").inner_text()


@by_mouse
def test_answer_to_an_earlier_text_is_dropped(page: Any) -> None:
    draw(page, "sokoban")
    late = driver.held(page, "**/api/drafts")
    page.fill("#edit-text", ROOM)
    driver.until(page, lambda: len(late), 1)
    page.fill("#edit-text", "######\n#@$ .#\n######\n")
    driver.until(page, lambda: len(late), 2)
    driver.answer(page, late[1])
    driver.until(page, lambda: len(late), 3)
    driver.answer(page, late[2])
    page.wait_for_selector("h2:text-is('Size: 6 × 3')")
    driver.answer(page, late[0])
    page.evaluate("fetch('/api/health').then(answer => answer.json())")  # by then it would be asked for
    assert len(late) == 3


@by_mouse
def test_trial_goes_on_after_a_failed_request(page: Any) -> None:
    draw(page, "sokoban")
    page.route("**/api/trials", lambda route: route.abort())
    page.keyboard.press("t")
    page.wait_for_selector(".toast")
    assert not page.locator(".trial").count()
    page.unroute("**/api/trials")
    page.keyboard.press("t")
    page.wait_for_selector(".trial")
    page.route("**/api/trials", lambda route: route.abort())
    page.fill("#edit-text", "#######\n#@ $ .#\n#######\n")
    page.wait_for_selector("h2:text-is('Size: 7 × 3')")
    page.wait_for_selector(".toast")
    page.unroute("**/api/trials")
    page.focus(".stage")
    page.keyboard.press("ArrowRight")
    page.locator(".trial .answer", has_text="1 move.").wait_for()


@by_mouse
def test_trial_plays_the_latest_draft_and_leaves_the_focus(page: Any) -> None:
    draw(page, "sokoban")
    late = driver.held(page, "**/api/trials")
    page.keyboard.press("t")
    driver.until(page, lambda: len(late), 1)
    page.fill("#edit-text", ROOM)
    page.wait_for_selector("h2:text-is('Size: 5 × 3')")
    driver.answer(page, late[0])
    driver.until(page, lambda: len(late), 2)
    driver.answer(page, late[1])
    page.unroute("**/api/trials")
    page.wait_for_selector(".trial")
    page.focus(".stage")
    page.keyboard.press("ArrowRight")
    page.locator(".trial .answer", has_text="Won in 1 move.").wait_for()
    page.focus("#edit-text")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("#####\n#@@.#\n#####\n")
    page.wait_for_selector(".trial", state="detached")
    assert page.evaluate("document.activeElement.id") == "edit-text"


@by_mouse
def test_solution_is_watched_during_a_trial(page: Any) -> None:
    draw(page, "sokoban")
    page.get_by_role("button", name="Watch it").wait_for()
    page.keyboard.press("t")
    page.wait_for_selector(".trial")
    page.get_by_role("button", name="Watch it").click()
    page.wait_for_selector("output:has-text('of 1')")
    assert not page.locator(".trial").count()


@by_mouse
def test_proof_stands_when_its_explanation_fails(page: Any) -> None:
    draw(page, "sokoban")
    body = '{"error": {"code": "limit", "text": "Too many jobs."}}'
    refused = {"status": 429, "content_type": "application/json", "body": body}
    page.route("**/api/explanations", lambda route: route.fulfill(**refused))
    page.fill("#edit-text", "######\n#@ . #\n#$   #\n######\n")
    page.locator(".why-not", has_text="Too many jobs.").wait_for()
    page.locator(".verdict[data-verdict=no]", has_text="It cannot be won").wait_for()


@by_mouse
def test_levels_of_a_collection_are_not_called_broken_without_an_answer(page: Any) -> None:
    draw(page, "sokoban")
    page.route("**/api/collections", lambda route: route.abort())
    page.fill("#edit-text", f"{ROOM}\n{ROOM}")
    page.locator(".collection [data-level='2']", has_text=re.compile(r"^2\. Level 2$")).wait_for()


@by_mouse
def test_text_of_another_game_does_not_lead_back_to_the_editor(page: Any) -> None:
    draw(page, "sokoban")
    late = driver.held(page, "**/api/drafts")
    page.fill("#edit-text", "2048 2x2 target=8\n2 2\n4 0\n")
    driver.until(page, lambda: len(late), 1)
    page.get_by_role("link", name="Games").first.click()
    page.wait_for_selector(".cards.games")
    driver.answer(page, late[0])
    driver.until(page, lambda: len(late), 2)
    driver.answer(page, late[1])
    page.evaluate("fetch('/api/health').then(answer => answer.json())")  # by then it would be there
    assert page.evaluate("location.pathname") == "/"


@by_mouse
def test_click_on_a_cell_of_several_actions_asks_which_in_a_trial(page: Any) -> None:
    draw(page, "robots")
    page.fill(
        "#edit-text",
        "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\na . b ? .\nA . . . B\n",
    )
    page.wait_for_selector("h2:text-is('Size: 5 × 2')")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Try it", exact=True).click()
    page.wait_for_selector(".trial")
    driver.click(page, 1, 0)
    menu = page.get_by_role("menu", name="Which action?")
    menu.wait_for()
    assert menu.get_by_role("menuitem").all_inner_texts() == ["a steps right", "b steps left"]
    assert "Nothing" not in page.locator(".trial .answer").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".trial .answer", has_text="1 request.").wait_for()
    assert not menu.count()


@by_touch
def test_trial_is_played_by_swipes_and_drags(page: Any) -> None:
    draw(page, "sokoban")
    page.fill("#edit-text", "######\n#@$ .#\n######\n")
    page.wait_for_selector("h2:text-is('Size: 6 × 3')")
    page.get_by_role("button", name="Try it", exact=True).click()
    page.wait_for_selector(".trial")
    driver.swipe(page, (3, 1), (4, 1))
    page.locator(".trial .answer", has_text="1 move.").wait_for()
    driver.drag(page, (3, 1), (4, 1))
    page.locator(".trial .answer", has_text="Won in 2 moves.").wait_for()


@by_mouse
def test_undo_of_the_drawing_waits_while_a_trial_runs(page: Any) -> None:
    draw(page, "sokoban")
    page.click("[data-grow=right]")
    page.wait_for_selector("[data-edit=undo]:not(:disabled)")
    drawn = text_of(page)
    page.focus(".stage")
    page.keyboard.press("t")
    page.wait_for_selector(".trial")
    page.keyboard.press("ArrowRight")
    page.locator(".trial .answer", has_text="1 move.").wait_for()
    undo = page.locator(".tools").get_by_role("button", name="Undo")  # in the place of that of the drawing
    assert undo.count() == 1
    assert not page.locator("[data-edit=undo]").count()
    undo.click()
    page.locator(".trial .answer", has_text="0 moves.").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".trial .answer", has_text="1 move.").wait_for()
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+z")
    page.locator(".trial .answer", has_text="0 moves.").wait_for()
    assert text_of(page) == drawn
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-edit=undo]:not(:disabled)")
    page.click("[data-edit=undo]")
    page.wait_for_selector("[data-edit=redo]:not(:disabled)")


@by_mouse
def test_editor_keeps_game_and_history_on_the_way_to_the_analysis_and_back(page: Any) -> None:
    driver.begin(page, text=ROOM)
    page.locator("[data-study=edit]").click()
    written(page, r"^#####\n#@\$\.#\n")
    page.wait_for_selector("[data-edit=undo]:disabled")
    page.click("[data-grow=right]")
    written(page, r"^#####-\n")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Edit it").click()
    page.wait_for_selector(".palette button")
    page.locator(".back-to-game").wait_for()
    page.click("[data-edit=undo]")
    written(page, r"^#####\n")
    page.wait_for_selector("[data-edit=undo]:disabled")


@by_mouse
def test_undo_is_unlit_when_a_link_opens_the_stored_draft(page: Any) -> None:
    draw(page, "sokoban")
    page.click("[data-grow=right]")
    page.wait_for_selector("[data-edit=undo]:not(:disabled)")
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Link to draw on")
    page.goto("/")
    page.goto(link)
    page.wait_for_selector(".palette button")
    assert page.locator("[data-edit=undo]").is_disabled()


@by_mouse
def test_formula_of_two_examples_is_answered_in_the_words_of_the_chosen_one(page: Any) -> None:
    page.goto("/formulas")
    page.select_option("#formula-pack", "robots/races")
    for words in ("can a robot always still reach its home?", "can it always still be won?"):
        page.locator(".examples .meaning", has_text=words).click()
        page.locator(".verdict .question", has_text=words.capitalize()).wait_for()


@by_mouse
def test_trace_of_no_steps_has_no_player(page: Any) -> None:
    page.goto("/formulas")
    page.wait_for_selector(".examples button")
    formula(page, "AG won")
    page.locator(".verdict", has_text="the position itself").wait_for()
    page.locator("h2", has_text="State by state").wait_for()
    assert not page.locator(".trace").is_visible()


@by_mouse
def test_solution_says_at_its_end_that_it_wins(page: Any) -> None:
    draw(page, "sokoban")
    page.fill("#edit-text", "######\n#@ $.#\n######\n")
    page.locator(".verdict[data-verdict=yes]", has_text="in 2 moves,").wait_for()
    page.get_by_role("button", name="Watch it").click()
    player = page.locator(".panel", has=page.locator("output"))
    player.get_by_role("button", name="To the start").click()
    assert "Won." not in player.inner_text()
    for place in ("1 of 2", "2 of 2"):
        player.get_by_role("button", name="One step on").click()
        player.locator("output", has_text=place).wait_for()
        assert ("Won." in player.inner_text()) == (place == "2 of 2")


@by_mouse
def test_draft_of_a_game_is_back_when_its_editor_opens_again(page: Any) -> None:
    driver.begin(page, text=ROOM)
    page.locator("[data-study=edit]").click()
    written(page, r"^#####\n#@\$\.#\n")
    page.click("[data-grow=right]")
    written(page, r"^#####-\n")
    page.locator(".back-to-game").click()
    page.locator("[data-study=edit]").click()
    page.locator(".toast", has_text="Your draft of this level is back.").wait_for()
    written(page, r"^#####-\n")
    page.click("[data-edit=undo]")
    written(page, r"^#####\n")


@by_touch
def test_editor_says_beside_grey_buttons_what_to_fix_first(page: Any) -> None:
    draw(page, "sokoban")
    page.click("[data-tool=wall]")
    driver.tap(page, 2, 2)
    reason = page.locator(".tools .reason", has_text=re.compile("^Fix first: "))
    reason.wait_for()
    box = reason.bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_editor_on_a_phone_says_how_to_tap(page: Any) -> None:
    page.goto("/edit/sokoban")
    page.get_by_text("To take away, choose “floor” and tap.").wait_for()
    assert not page.get_by_text("The right mouse button").is_visible()
