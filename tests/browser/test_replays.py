"""Tests of what surrounds a replay: the words of a solution, commands and moves of the game that waits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
FLOOR = "#######\n#@ $ .#\n#     #\n#######\n"


@DESKTOP
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1024, 700)])
def test_solution_is_shown_from_its_first_move(page: Any, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    driver.begin(page, pack="sokoban/bombs", level=2)
    driver.spoil(page, "The whole solution")
    page.wait_for_selector("output:text-is('0 of 47')")
    log = page.locator(".messages .log")
    log.locator(".solution").wait_for()
    above = (
        "log => log.querySelector('.solution').getBoundingClientRect().top - log.getBoundingClientRect().top"
    )
    assert log.evaluate(above) >= 0
    page.get_by_role("button", name="Back to the game").click()
    driver.counted(page, 0)
    assert log.evaluate(above) >= 0


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_solution_moves_no_button_of_a_phone_after_its_replay(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=2)
    names = (".tools [data-command=hint]", ".actions button")
    before = [page.locator(name).first.bounding_box() for name in names]
    driver.spoil(page, "The whole solution")
    page.wait_for_selector("output:text-is('0 of 2')")
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".act").wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.locator(".log .solution").wait_for()
    driver.until(page, lambda: [page.locator(name).first.bounding_box() for name in names], before)


@DESKTOP
def test_hint_is_about_the_game_and_not_said_beside_a_replay(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.hinted(page)
    page.locator(".log .hint").wait_for()
    driver.spoil(page, "Watch it")
    page.locator(".replay").wait_for()
    page.locator(".replay").get_by_text("The start").wait_for(state="detached")
    assert not page.locator(".log .hint").count()


@DESKTOP
def test_commands_wait_with_the_game_and_its_moves_are_hidden(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowRight", moves=1)
    driver.press(page, "undo", moves=0)
    driver.spoil(page, "The whole solution")
    page.wait_for_selector("output:text-is('0 of 3')")
    enabled = page.locator(".tools [data-command]:enabled")
    assert not enabled.count()
    assert page.locator(".moves").is_hidden()
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".moves").wait_for()
    driver.until(page, lambda: page.locator("[data-command=redo]").is_enabled())


def replay_won_level(page: Any) -> None:
    """Win a level in three moves, and replay it."""
    driver.begin(page, pack="sokoban/first-steps", level=1)
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").get_by_role("button", name="Replay").click()
    page.locator(".replay").wait_for()


@DESKTOP
def test_replay_of_the_own_game_marks_its_place_in_the_list_of_moves(page: Any) -> None:
    replay_won_level(page)
    page.get_by_role("button", name="To the start").click()
    assert page.locator(".move-list [aria-current]").inner_text() == "Start"


@DESKTOP
def test_list_of_moves_steps_a_replay_of_the_own_game(page: Any) -> None:
    replay_won_level(page)
    page.locator(".move-list .move").nth(2).click()
    page.locator(".replay output", has_text="2 of 3").wait_for()
    page.locator(".move-list [aria-current]").press("ArrowLeft")
    page.locator(".replay output", has_text="1 of 3").wait_for()
    assert page.locator(".move-list [aria-current] .number").inner_text() == "1"


@DESKTOP
def test_watch_dialog_offers_only_programs_that_can_play_the_board(page: Any) -> None:
    offered = page.locator(".players-list button b")
    for size, is_usual in (("3x3", False), ("4x4", True)):
        driver.begin(page, text=f"2048 {size} target=64\n")
        driver.spoil(page, "Watch a program play")
        names = {*offered.all_inner_texts()}
        assert ("network" in names, "endgame" in names, "snake" in names) == (is_usual, is_usual, True)


@DESKTOP
def test_replay_that_fails_at_once_has_nothing_to_step_through(page: Any) -> None:
    page.goto("/")
    page.evaluate("""async () => {
      const { ReplayPlayer } = await import("/static/replay.js");
      const board = { show() {}, mark() {} };
      const connection = { send: async () => ({ told: [] }) };
      const play = { board, connection, now: {}, sidebar: { update() {} } };
      document.body.append(new ReplayPlayer(play, { replay: 1, title: "A program", now: {}, speeds: [2] }).element);
    }""")
    replay = page.get_by_role("region", name="A program")
    replay.get_by_role("button", name="Back to the game").wait_for()
    replay.get_by_role("button", name="Play", exact=True).wait_for(state="hidden")
    assert replay.get_by_role("button").all_inner_texts() == ["Back to the game"]
    assert not replay.get_by_text("0 of 0").is_visible()


@DESKTOP
def test_watched_player_shows_the_values_of_its_moves(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", level=2)
    driver.spoil(page, "Watch a program play")
    page.get_by_role("button", name="what looks best at once").click()
    remark = page.locator(
        "p", has_text=re.compile(r"^Next, by its own measure: ((left|right|up|down) -?[\d,.]+(; )?)+$")
    )
    remark.wait_for()
    page.get_by_role("button", name="To the start").click()
    page.wait_for_selector("output:text-matches('^0 of ')")
    remark.wait_for()
    page.get_by_text("The start", exact=True).wait_for()
