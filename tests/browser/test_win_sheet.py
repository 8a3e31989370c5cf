"""Tests of the sheet at the end of a level."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
NEARLY_LOST = "2048 2x2 spawn=spec target=2048\n2 2\n8 4\n"
ROOM = "#####\n#@$.#\n#####\n"
FLOOR = "#######\n#@ $ .#\n#     #\n#######\n"
TALL = "\n".join(["#####", "# @ #", "# $ #", "# . #", *["#   #"] * 8, "#####", ""])
PACK = "\n".join(f"{'#' * size}\n#@$.{'#' * (size - 4)}\n{'#' * size}\n" for size in range(5, 9))


def end_screen(page: Any) -> Any:
    return page.locator(".overlay")


@DESKTOP
def test_win_sheet_stays_when_game_keys_are_pressed(page: Any) -> None:
    driver.begin(page, text=NEARLY_LOST)
    driver.keys(page, "ArrowLeft")
    end_screen(page).wait_for()
    for key in ("ArrowLeft", "a", "j", "n", "ArrowUp"):  # those of Undo take the last move back
        page.keyboard.press(key)
    assert end_screen(page).is_visible()
    page.keyboard.press("Escape")
    end_screen(page).wait_for(state="detached")


@DESKTOP
def test_sheet_shows_own_best_score_and_not_the_server_s(page: Any, another_browser: Any) -> None:
    board = "2048 2x2 spawn=spec target=8\n4 4\n0 0\n"
    driver.begin(page, text=board)
    driver.keys(page, "ArrowLeft")
    end_screen(page).wait_for()
    assert "your best is 8" in end_screen(page).inner_text()
    other = another_browser.new_page()
    driver.begin(other, text=board)
    assert driver.count(other, "best") == "0"


@DESKTOP
def test_end_after_the_target_is_no_loss(page: Any) -> None:
    driver.begin(page, text="2048 2x2 spawn=spec target=16\n8 8\n0 0\n", seed=5)
    driver.keys(page, "ArrowLeft")
    end_screen(page).get_by_role("button", name="Continue").click()
    for _ in range(40):
        if end_screen(page).count():
            break
        driver.keys(page, "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
    words = end_screen(page).inner_text()
    assert "You made 16 and won; no move is left.\n" in words  # the next line has the score
    buttons = end_screen(page).get_by_role("button").all_inner_texts()
    assert (buttons[0], buttons[-1]) == ("New game", "×")  # what is most likely meant comes first
    assert "lost" not in words.lower()
    assert "lost" not in page.locator("main").inner_text().lower()
    assert page.locator(".act h2").inner_text() == "Nothing can be done"
    driver.judged(page)
    assert (
        page.locator(".play > .verdict .text").inner_text() == ""
    )  # no chance of a target that is beyond this game
    assert not page.locator(".moves .cost").count()


@DESKTOP
def test_sheet_compares_win_with_proved_fewest_and_with_own_best(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowDown", "ArrowUp", *["ArrowRight"] * 3)
    driver.proved(page)
    assert "5 moves; the fewest is 3 (proved)" in end_screen(page).inner_text()
    assert page.locator(".stars .won").count() == 1
    assert "Two stars: at most half more" in str(page.locator(".stars").get_attribute("title"))
    assert driver.count(page, "best") == "5"
    driver.begin(page, text=FLOOR)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    assert page.locator(".stars .won").count() == 3
    assert "your best, 2 fewer than before" in end_screen(page).inner_text()


@DESKTOP
def test_stars_of_win_are_explained_by_a_button(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    page.get_by_role("button", name="What the stars mean").click()
    page.locator(".toast", has_text="A win without hints gets stars. Three stars:").wait_for()


@DESKTOP
def test_win_with_hints_is_marked_and_is_no_best_also_after_reload(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.hinted(page)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    for _ in range(2):
        assert "with hints" in end_screen(page).inner_text()
        assert page.locator(".score .own").evaluate("(one) => getComputedStyle(one).filter") == "none"
        assert page.locator(".stars").is_hidden()
        assert page.locator(".score .why").is_hidden()
        assert not page.locator("[data-count=best]").count()
        page.reload()
        driver.proved(page)
    driver.begin(page, text=FLOOR)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    assert "with hints" not in end_screen(page).inner_text()
    assert driver.count(page, "best") == "3"


@DESKTOP
def test_win_with_hints_does_not_enter_the_high_scores(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.hinted(page)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    end_screen(page).get_by_role("button", name="High scores").click()
    page.get_by_text("A win with hints does not enter the high scores.").wait_for()
    assert not page.get_by_role("button", name="Add my score").count()


@DESKTOP
def test_score_with_hints_stands_beside_the_best_without(page: Any) -> None:
    driver.begin(page, text="2048 2x2 spawn=spec target=8\n4 4\n0 0\n")
    driver.hinted(page)
    driver.keys(page, "ArrowLeft")
    end_screen(page).wait_for()
    assert "with hints, it is no best" in end_screen(page).inner_text()


@DESKTOP
def test_score_with_hints_stays_out_of_the_high_scores_after_another_level(page: Any) -> None:
    driver.begin(page, text=f"{NEARLY_LOST}\n{NEARLY_LOST.replace('8 4', '16 4')}")
    driver.hinted(page)
    driver.keys(page, "ArrowLeft")
    words = end_screen(page).inner_text()
    assert "with hints" in words
    for number in (2, 1):
        select_level(page, number)
    assert end_screen(page).inner_text() == words
    end_screen(page).get_by_role("button", name="High scores").click()
    page.get_by_text("A win with hints does not enter the high scores.").wait_for()


@DESKTOP
def test_high_scores_list_a_score_of_a_level_that_was_chosen_again(page: Any) -> None:
    driver.begin(page, text=f"{NEARLY_LOST}\n{NEARLY_LOST.replace('8 4', '16 4')}")
    driver.keys(page, "ArrowLeft")
    for number in (2, 1):
        select_level(page, number)
    end_screen(page).get_by_role("button", name="High scores").click()
    page.fill("#score-name", "Ada")
    page.get_by_role("button", name="Add my score").click()
    page.locator("dialog th", has_text="Ada").first.wait_for()
    page.locator("dialog", has_text="Your rank: 1. by score.").wait_for()
    assert not page.get_by_role("button", name="Add my score").count()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert end_screen(page).is_visible()


@DESKTOP
def test_goal_beside_the_board_follows_the_target(page: Any) -> None:
    driver.begin(page, text="2048 2x2 spawn=spec target=8\n4 4\n0 0\n")
    goal = page.locator(".sidebar .goal")
    assert goal.inner_text() == "Merge equal tiles until you make an 8. Each move adds a 2."
    driver.keys(page, "ArrowLeft")
    end_screen(page).get_by_role("button", name="Continue").click()
    assert goal.inner_text() == "You have won; go on until you make a 16. Each move adds a 2."
    driver.press(page, "undo", moves=0)
    assert goal.inner_text() == "Merge equal tiles until you make an 8. Each move adds a 2."


@DESKTOP
def test_sheet_of_a_win_returns_with_a_level_that_has_moves_left(page: Any) -> None:
    board = "2048 2x2 spawn=spec target=8\n4 4\n0 0\n"
    driver.begin(page, text=f"{board}\n{board.replace('0 0', '2 0')}")
    driver.keys(page, "ArrowLeft")
    words = end_screen(page).inner_text()
    select_level(page, 2)
    end_screen(page).wait_for(state="detached")
    select_level(page, 1)
    assert end_screen(page).inner_text() == words
    assert {"Continue", "Next level", "High scores"} <= {*words.splitlines()}


@DESKTOP
def test_win_of_a_game_that_goes_on_leads_to_the_next_level(page: Any) -> None:
    board = "2048 2x2 spawn=spec target=8\n4 4\n0 0\n"
    driver.begin(page, text=f"{board}\n{board.replace('0 0', '2 0')}")
    driver.keys(page, "ArrowLeft")
    end_screen(page).get_by_role("button", name="Next level").click()
    page.get_by_text("Level 2 of 2").first.wait_for()


@pytest.mark.parametrize("page", ["desktop", "phone"], indirect=True)
def test_board_keeps_its_size_and_stays_in_sight_at_the_end(page: Any) -> None:
    driver.begin(page, text=f"{TALL}\n{ROOM}")
    before = page.locator(".board").bounding_box()
    page.evaluate("scrollTo(0, 30)")
    driver.keys(page, "ArrowDown")
    end_screen(page).wait_for()
    page.wait_for_function("() => !document.getAnimations().length")
    assert page.evaluate("scrollY") == 0  # the header is in sight again
    board, sheet = (page.locator(one).bounding_box() for one in (".board", ".overlay"))
    assert board == before
    below, beside = board["y"] + board["height"] - sheet["y"], board["x"] + board["width"] - sheet["x"]
    assert min(below, beside) <= 1
    assert sheet["y"] + sheet["height"] <= page.viewport_size["height"]


@DESKTOP
def test_verdict_is_in_sight_at_the_end_in_a_low_window(page: Any) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    driver.begin(page, text=TALL)
    driver.keys(page, "ArrowDown")
    end_screen(page).wait_for()
    page.locator(".play > .verdict .text:text-is('Won')").wait_for()
    assert page.evaluate("""() => {
      const { left, right, top, bottom } = document.querySelector(".play > .verdict .text").getBoundingClientRect();
      return [[left, top], [right - 1, bottom - 1]].every((place) => document.elementFromPoint(...place).closest(".verdict"));
    }""")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_win_of_a_single_level_is_played_again_or_closed_at_the_corner(page: Any) -> None:
    driver.begin(page, text=ROOM)
    for leave in ("Close", "Play it again"):
        driver.keys(page, "ArrowRight")
        end_screen(page).wait_for()
        driver.proved(page)
        for one in page.locator(".counts div").all():  # the sheet does not cut between a number and its label
            label, number = one.locator("dt").bounding_box(), one.locator("dd").bounding_box()
            assert number["y"] < label["y"] < number["y"] + number["height"]
        end_screen(page).get_by_role("button", name=leave).click()
        assert not end_screen(page).count()
        if leave == "Close":
            driver.counted(page, 1)
            driver.press(page, "restart", moves=0)
    driver.counted(page, 0)


@DESKTOP
def test_verdict_says_that_a_level_that_was_left_is_won(page: Any) -> None:
    driver.begin(page, text=f"{ROOM}\n{FLOOR}")
    driver.keys(page, "ArrowRight")
    won = page.locator(".play > .verdict[data-standing=winnable] .text:text-is('Won')")
    won.wait_for()
    end_screen(page).wait_for()
    driver.judged(page)  # nothing more is looked for
    page.reload()
    end_screen(page).wait_for()
    won.wait_for()
    page.get_by_role("button", name="Next level").click()
    page.locator(".play > .verdict .text", has_text="Winnable").wait_for()


@DESKTOP
def test_undo_takes_back_the_win_of_a_level_that_was_left(page: Any) -> None:
    driver.begin(page, text=f"{FLOOR}\n{ROOM}")
    driver.keys(page, "ArrowDown", "ArrowUp", *["ArrowRight"] * 3)
    driver.proved(page)
    driver.press(page, "undo", moves=4)
    end_screen(page).wait_for(state="detached")
    page.locator(".sidebar .title p", has_text="Level 1 of 2").wait_for()
    assert page.locator(".move-list > .move").count() == 5  # with the start
    driver.keys(page, "ArrowRight")
    driver.proved(page)
    assert "5 moves; the fewest is 3 (proved)" in end_screen(page).inner_text()
    page.keyboard.press("u")  # the focus is on the sheet
    end_screen(page).wait_for(state="detached")
    driver.keys(page, moves=4)


@DESKTOP
@pytest.mark.parametrize("hints", [False, True])
def test_win_that_was_taken_back_is_redone(page: Any, hints: bool) -> None:
    driver.begin(page, text=f"{FLOOR}\n{ROOM}")
    if hints:
        page.locator("[data-command=hint]").click()
        page.locator(".log .hint").wait_for()
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    driver.press(page, "undo", moves=2)
    page.locator("#live", has_text="undo: go right").wait_for(state="attached")
    assert "Level 2" not in page.locator("#live").inner_text()
    driver.press(page, "undo", moves=1)
    driver.press(page, "redo", moves=2)
    page.locator("[data-command=redo]").click()
    end_screen(page).wait_for()
    driver.proved(page)
    assert ("no stars for a win with hints" in end_screen(page).inner_text()) == hints


@DESKTOP
def test_other_move_after_a_win_was_taken_back_leaves_nothing_to_redo(page: Any) -> None:
    driver.begin(page, text=f"{FLOOR}\n{ROOM}")
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    driver.press(page, "undo", moves=2)
    driver.press(page, "undo", moves=1)
    driver.keys(page, "ArrowLeft", moves=2)
    assert page.locator("[data-command=redo]").is_disabled()


@DESKTOP
def test_win_is_replayed_from_the_sheet(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    page.get_by_role("button", name="Replay").click()
    page.locator("output", has_text="of 3").wait_for()
    current = page.locator(".move-list [aria-current]")
    page.get_by_role("button", name="To the start").click()
    driver.until(page, current.inner_text, "Start")
    page.get_by_role("button", name="One step on").click()
    driver.until(page, lambda: current.inner_text().split(), ["1", "right"])
    page.get_by_role("button", name="Back to the game").click()
    driver.proved(page)
    assert current.inner_text().split() == ["3", "right"]


@DESKTOP
def test_won_board_is_shown_again_after_its_replay(page: Any) -> None:
    driver.begin(page, text=PACK)
    driver.keys(page, "ArrowRight")
    end_screen(page).wait_for()
    driver.settled(page)
    won = driver.board_text(page)
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("button", name="To the start").click()
    driver.until(page, lambda: driver.board_text(page) != won)
    page.get_by_role("button", name="Back to the game").click()
    end_screen(page).wait_for()
    driver.until(page, lambda: driver.board_text(page), won)


def select_level(page: Any, number: int) -> None:
    """Select a level in the dialog."""
    page.get_by_role("button", name="Levels").click()
    page.locator(".level-list button").nth(number - 1).click()
    page.locator(".sidebar .title p", has_text=f"Level {number} of").wait_for()


def check_reload(page: Any) -> None:
    """Check that a reload brings the sheet back."""
    words = end_screen(page).inner_text()
    page.reload()
    driver.proved(page)
    assert end_screen(page).inner_text() == words


@DESKTOP
def test_win_sheet_returns_after_reload_when_lost(page: Any) -> None:
    driver.begin(page, text=ROOM)
    driver.keys(page, "ArrowRight")
    driver.proved(page)
    check_reload(page)


@DESKTOP
def test_win_sheet_returns_after_reload_when_level_has_changed(page: Any) -> None:
    driver.begin(page, text=PACK, level=2)
    driver.keys(page, "ArrowRight")
    driver.proved(page)
    check_reload(page)
    page.get_by_role("button", name="Next level").click()
    page.locator(".sidebar p", has_text="Level 3 of 4, 1 solved").wait_for()
    page.reload()
    driver.shown(page)
    page.locator(".sidebar p", has_text="Level 3 of 4, 1 solved").wait_for()
    assert not end_screen(page).count()


@DESKTOP
def test_win_sheet_after_reload_names_level_when_another_tab_has_begun_it_again(page: Any) -> None:
    session = driver.begin(page, pack="sokoban/first-steps")
    title = page.locator(".sidebar h1").first.inner_text()
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    driver.proved(page)
    other = page.context.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    select_level(other, 1)
    driver.keys(other, "ArrowDown")
    driver.counted(other, 1)
    select_level(other, 2)
    page.bring_to_front()
    page.reload()
    driver.shown(page)
    end_screen(page).locator("h2", has_text=f"{title}: ").wait_for()
    page.locator(".sidebar .title p", has_text="Level 2 of").wait_for()


@DESKTOP
def test_replay_is_shown_while_won_level_is_loaded(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    driver.proved(page)
    held = driver.held(page, "**/trace?level=1")
    page.evaluate("dispatchEvent(new Event('offline')), dispatchEvent(new Event('online'))")
    driver.until(page, lambda: len(held), 1)
    driver.spoil(page, "The whole solution")
    back = page.get_by_role("button", name="Back to the game")
    back.wait_for()
    driver.answer(page, held[0])
    back.click()
    driver.until(page, lambda: len(held), 2)
    driver.answer(page, held[1])
    end_screen(page).wait_for()
    page.locator(".sidebar .title p", has_text="Level 1 of").wait_for()


@DESKTOP
def test_solved_levels_are_counted_in_every_session(page: Any) -> None:
    driver.begin(page, text=PACK, level=2)
    driver.keys(page, "ArrowRight")
    end_screen(page).wait_for()
    driver.begin(page, text=PACK, level=3)
    page.locator(".sidebar p", has_text="Level 3 of 4, 1 solved").wait_for()
    page.get_by_role("button", name="Levels").click()
    assert page.locator(".level-list button", has_text="✓").count() == 1
    page.keyboard.press("Escape")
    select_level(page, 1)
    page.get_by_role("button", name="Levels").click()
    page.get_by_role("button", name="Next unsolved").click()
    page.locator(".sidebar p", has_text="Level 3 of 4, 1 solved").wait_for()
    driver.spoil(page, "The whole solution")
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".sidebar .title p", has_text="Level 3 of 4 · with hints").wait_for()
    page.get_by_role("button", name="Levels").click()
    assert page.locator(".level-list button", has_text="✓").count() == 1


@DESKTOP
@pytest.mark.parametrize(("first", "visited"), [(2, [3, 4, 1]), (4, [1, 2, 3])])
def test_next_level_wraps_around_to_unsolved_level(page: Any, first: int, visited: list[int]) -> None:
    driver.begin(page, text=PACK, level=first)
    for solved, number in enumerate(visited, 1):
        driver.keys(page, "ArrowRight")
        page.get_by_role("button", name="Next level").click()
        page.locator(".sidebar p", has_text=f"Level {number} of 4, {solved} solved").wait_for()


def test_blocked_direction_nudges_without_message_or_layout_shift(page: Any) -> None:
    page.goto("/")
    silent = "localStorage.setItem('gridproof.settings', JSON.stringify({badge: 'off'}))"
    page.evaluate(silent)  # a verdict would be said, too
    driver.begin(page, text="2048 4x4 spawn=spec target=2048\n2 4 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n")
    page.wait_for_selector(
        "#live:text-is('2048')", state="attached"
    )  # the title, said shortly after the board is shown
    page.evaluate("""() => {
      window.nudges = [];
      window.said = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        if (options.id === "nudge") window.nudges.push(frames[1].transform);
        return animate.call(this, frames, options);
      };
      const live = document.querySelector(".live");
      new MutationObserver(() => window.said.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
    }""")
    places = "() => [...document.querySelectorAll('.sidebar > *, .stage')].map((one) => JSON.stringify(one.getBoundingClientRect()))"
    before = page.evaluate(places)
    for _ in range(5):
        driver.keys(page, "ArrowLeft", "ArrowUp")
    driver.until(page, lambda: page.evaluate("window.nudges.length"), 10)
    assert page.evaluate("window.nudges.slice(0, 2)") == ["translate(-7px, 0px)", "translate(0px, -7px)"]
    assert page.evaluate(places) == before
    assert not page.locator(".log p, .toast").count()
    driver.keys(page, "ArrowRight", moves=1)  # said after anything before it
    driver.until(page, lambda: page.evaluate("window.said.length") > 0)
    assert page.evaluate("window.said.join()") == "right"


@DESKTOP
def test_win_sheet_of_guest_offers_allowed_actions_and_names_winner(page: Any, another_browser: Any) -> None:
    session = driver.begin(page, pack="robots/races")
    ask = (
        "([id, body]) => fetch(`/api/sessions/${id}/invitations`, {method: 'POST',"
        " headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}).then(answer => answer.json())"
    )
    invitation = page.evaluate(ask, [session, {"actor": "b", "plays": True}])["id"]
    guest = another_browser.new_page()
    guest.goto(f"/play/{invitation}")
    driver.shown(guest)
    offered = guest.locator(".tools button").all_inner_texts()
    assert offered == ["Hint", "Share", "Help"]
    assert all(text.startswith("b:") or text == "exchange" for text in driver.legal(guest))
    guest.keyboard.press("u")
    assert not guest.locator(".toast").count()
    for number in range(1, 40):
        action = driver.hinted(page)
        page.click(f".actions [data-action='{action}']")
        if driver.acted(page, number):
            break
    assert page.locator(".overlay h2").inner_text() == "You have won! Fireworks!"
    end_screen(guest).wait_for()
    assert guest.locator(".overlay h2").inner_text() == "You have lost: the winner is a."
    assert [
        one
        for one in guest.locator(".overlay button").all_inner_texts()
        if one not in ("×", "Next level", "Share", "High scores")
    ] == []


@DESKTOP
def test_won_board_shows_nothing_of_the_next_level(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    page.locator('[data-action="RM(0,left)"]').click()
    driver.proved(page)
    assert page.locator(".marks > *").count() == 0
    assert page.locator('[data-command="hint"]').is_disabled()
    assert page.locator("[data-study=edit]").get_attribute("href").endswith("&level=1")
    for _ in range(2):
        assert page.locator(".sidebar h1, .sidebar h2").first.inner_text() == "First shift"
        assert "the fewest is 1" in end_screen(page).inner_text()
        end_screen(page).get_by_role("button", name="Replay").click()
        end_screen(page).wait_for(state="detached")
        page.get_by_role("button", name="Back to the game").click()
        end_screen(page).wait_for()
    end_screen(page).get_by_role("button", name="Next level").click()
    end_screen(page).wait_for(state="detached")
    assert page.locator(".sidebar h1, .sidebar h2").first.inner_text() == "Two turns"
    assert page.locator('[data-command="hint"]').is_enabled()


def shared_steps(page: Any, button: Any) -> int:
    """Return the number of actions in the link to what was played."""
    page.evaluate("navigator.clipboard.writeText = (text) => Promise.resolve(window.copied = text)")
    button.click()
    page.get_by_role("button", name="Link to what was played").click()
    page.wait_for_function("() => window.copied")
    trace = page.evaluate(
        "import('/static/share.js').then(({ decodeFragment }) => decodeFragment(new URL(window.copied).hash.slice(1)))"
    )["trace"]
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    return len(json.loads(trace)["steps"])


@DESKTOP
def test_won_level_is_shown_and_shared_after_reload(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    page.locator('[data-action="RM(0,left)"]').click()
    driver.proved(page)
    panels = page.locator(":is(.title, .moves, .overlay)")
    words, board = panels.all_inner_texts(), page.locator(".board").inner_html()
    for reloaded in (False, True):
        if reloaded:
            page.reload()
            driver.proved(page)
        assert page.locator(".sidebar h1").first.inner_text() == "First shift"
        assert panels.all_inner_texts() == words
        assert len(page.locator(".board").inner_html()) == len(board)
        assert shared_steps(page, end_screen(page).get_by_role("button", name="Share")) == 1
        assert shared_steps(page, page.locator(".tools").get_by_role("button", name="Share")) == 1
    end_screen(page).get_by_role("button", name="Next level").click()
    page.locator(".sidebar h1", has_text="Two turns").wait_for()
    assert page.locator(".move-list .move").count() == 1


@DESKTOP
def test_restart_of_the_same_level_after_a_hint_stays_with_hints(page: Any) -> None:
    driver.begin(page, text=f"{FLOOR}\n{ROOM}")
    driver.keys(page, "ArrowRight", moves=1)
    page.locator("[data-command=hint]").click()
    page.locator(".sidebar .title", has_text="with hints").wait_for()
    driver.press(page, "restart", moves=0)
    for _ in range(2):  # the second time from the win
        driver.keys(page, *["ArrowRight"] * 3)
        driver.proved(page)
        assert "no stars for a win with hints" in end_screen(page).inner_text()
        driver.press(page, "restart", moves=0)
        page.locator(".sidebar .title:has-text('Level 1 of 2'):has-text('with hints')").wait_for()


@DESKTOP
def test_restart_begins_the_won_level_again(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    end_screen(page).wait_for()
    driver.press(page, "restart", moves=0)
    driver.until(page, page.locator("h1").inner_text, "Straight In")
    assert not end_screen(page).count()


def test_best_of_one_move_is_no_number_of_a_move_and_help_explains_the_stars(page: Any) -> None:
    driver.begin(page, text="#####\n#@$.#\n#####\n")
    driver.keys(page, "ArrowRight")
    page.locator(".overlay .score").wait_for()
    best = page.locator("[data-count=best]")
    driver.until(page, lambda: best.locator("dt").text_content(), "your best")
    assert best.locator("dd").text_content() == "1"
    page.get_by_role("button", name="Help").click()
    page.get_by_role("dialog").get_by_text("A win without hints gets stars. Three stars:").wait_for()
