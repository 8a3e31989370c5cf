"""Tests of updates on the page, by actions of the player and of others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.parametrize("page", ["desktop"], indirect=True),
]


@pytest.mark.parametrize(("pack", "action"), [("sokoban/first-steps", ""), ("shiftit/boards", "RM(0,left)")])
def test_sidebar_shows_won_level_behind_overlay(page: Any, pack: str, action: str) -> None:
    driver.begin(page, pack=pack)
    title = page.locator("h1").inner_text()
    for text in [action] if action else ["down", "right", "right"]:
        page.locator(f".actions [data-action='{text}']").click()
    page.locator(".overlay").wait_for()
    page.locator(".sidebar .title p", has_text="Level 1 of").wait_for()
    assert page.locator("h1").inner_text() == title
    assert page.locator(".sidebar p", has_text="1 solved").count() == 1
    assert not page.locator(".log p", has_text="Level 2 of").count()
    page.get_by_role("button", name="Next level").click()
    page.locator(".sidebar .title p", has_text="Level 2 of").wait_for()
    page.locator(".log p", has_text="Level 2 of").wait_for()
    assert page.locator("h1").inner_text() != title


def test_board_of_a_win_stays_while_others_play_on(page: Any) -> None:
    session = driver.begin(page, pack="sokoban/first-steps")
    other = page.context.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    page.get_by_text("2 people are playing.").wait_for()
    page.bring_to_front()
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    other.bring_to_front()
    other.get_by_role("button", name="Next level").click()
    other.locator(".actions button").first.click()
    driver.counted(other, 1)
    page.bring_to_front()
    driver.counted(page, 3)
    page.get_by_role("button", name="Next level").click()
    driver.counted(page, 1)
    driver.settled(other)
    theirs = driver.board_text(other, marked=False)
    driver.until(page, lambda: driver.board_text(page, marked=False), theirs)


@pytest.mark.parametrize("asked", ["The whole solution", "The next move"])
def test_job_without_solution_ends(page: Any, asked: str) -> None:
    driver.begin(page, text="#######\n#$  @.#\n#     #\n#######\n")
    driver.spoil(page, asked)
    page.locator(".log p").last.wait_for()
    page.locator(".job").wait_for(state="hidden")
    assert "no" in page.locator(".log p").last.inner_text().lower()


def test_log_scrolls_to_latest_message_unless_scrolled_up(page: Any) -> None:
    driver.begin(page, text="#######\n#$  @.#\n#     #\n#######\n")
    page.evaluate("localStorage.setItem('gridproof.settings', JSON.stringify({badge: 'off'}))")
    page.reload()  # without a verdict a hint is asked for, though the box is in a corner
    driver.shown(page)
    told = page.locator(".log[aria-label=Answers]")
    below = "list => list.querySelector('p:last-child').getBoundingClientRect().bottom - list.getBoundingClientRect().bottom"
    for number in range(12):
        _ask_in_vain(page, number)
        told.locator("p").nth(number).wait_for()
    assert told.evaluate(below) <= 0
    told.evaluate("list => { list.style.fontSize = '20px'; }")  # as a font that arrives late
    assert told.evaluate(below) <= 0
    told.evaluate("list => { list.style.maxHeight = '50px'; }")
    assert told.evaluate(below) <= 0
    told.evaluate("list => list.scrollBy(0, -160)")  # more than a message
    told.evaluate("list => { list.style.fontSize = '16px'; }")
    assert told.evaluate(below) > 0
    _ask_in_vain(page, 12)
    told.locator("p").nth(12).wait_for()
    assert told.evaluate(below) <= 0


def test_hint_takes_the_place_of_a_refusal(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    driver.click(page, 0, 0)
    refusal = "Drag a row or a column, or choose the arrow at its end."
    told = page.locator(".log[aria-label=Answers] p")
    driver.until(page, told.all_inner_texts, [refusal])
    page.click("[data-command=hint]")
    page.locator(".log[aria-label=Answers] .hint").wait_for()
    assert refusal not in told.all_inner_texts()


def _ask_in_vain(page: Any, number: int) -> None:
    """Click a wall or ask for a hint where there is none, in turn: the same answer is not listed twice."""
    if number % 2:
        page.click("[data-command=hint]")
    else:
        driver.click(page, 0, 0)


def test_board_is_accessible_to_screen_readers(page: Any) -> None:
    driver.begin(page, text="######\n#@ $.#\n######\n")
    words = page.locator(f"#{page.locator('.stage').get_attribute('aria-describedby')}")
    before = "Row 1: 6 times wall. Row 2: wall, player, floor, box, depot, wall. Row 3: 6 times wall."
    assert words.text_content() == before
    page.keyboard.press("ArrowRight")
    after = before.replace("player, floor", "floor, player")
    page.wait_for_function(
        "([id, text]) => document.getElementById(id).textContent === text",
        arg=[words.get_attribute("id"), after],
    )


def test_race_progress_is_seen_by_others(page: Any) -> None:
    session = driver.begin(page, pack="robots/races", level=8)  # of 25 requests at least: it goes on
    other = page.context.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    page.bring_to_front()
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=a]", "hints")
    page.select_option("#race-speed", "0.25")
    page.get_by_role("button", name="Start the race").click()
    speeds = [one.locator(".sidebar [aria-label='Steps a second']") for one in (page, other)]
    for speed in speeds:
        speed.wait_for()
        assert speed.input_value() == "0.25"
    speeds[0].select_option("0.5")
    driver.until(other, speeds[1].input_value, "0.5")
    for one in (page, other):
        words = one.locator(".players", has_text=re.compile("^Race: a .* (is|are) played by"))
        words.wait_for()
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Invite viewers")
    page.keyboard.press("Escape")
    other.goto(link)  # who only watches sees how quick it is, and changes nothing
    speeds[1].wait_for()
    assert (speeds[1].is_disabled(), other.get_by_role("button", name="Stop the race").count()) == (True, 0)
    page.get_by_role("button", name="Stop the race").click()
    for speed in speeds:
        speed.wait_for(state="detached")


def test_race_of_programs_is_watched_until_it_is_stopped(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=8)
    page.locator(".viewpoint button", has_text="a").last.click()
    page.locator(".verdict .text", has_text=re.compile("You|you")).wait_for()
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=a]", "hints")
    page.select_option("#race-speed", "0.25")
    page.get_by_role("button", name="Start the race").click()
    page.locator(".title", has_text="You watch").wait_for()
    page.locator(".viewpoint", has_text="View as").wait_for()
    assert page.locator(".act").is_hidden()
    assert not page.locator(".verdict .text").inner_text()
    commands = page.locator(".tools [data-command]")
    assert commands.count() > 3
    assert all(one.is_disabled() for one in commands.all())
    race = page.get_by_role("button", name="Race", exact=True)
    assert race.is_disabled()
    assert page.locator(".players select").first.is_disabled()
    assert page.locator(".stage").get_attribute("data-plays") == "no"
    page.get_by_role("button", name="Stop the race").click()
    page.locator(".viewpoint", has_text="Play as").wait_for()
    assert race.is_enabled()
    page.locator(".act").wait_for()
    page.locator(".verdict .text", has_text=re.compile("You|you")).wait_for()
    assert page.locator("[data-command=hint]:enabled").count()
    assert "You watch" not in page.locator(".title").inner_text()


def test_guest_who_has_a_robot_reads_only_that_it_watches_during_a_race(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=8)
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Invite someone to play b")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=a]", "hints")
    page.select_option("#race-speed", "0.25")
    page.get_by_role("button", name="Start the race").click()
    stop = page.get_by_role("button", name="Stop the race")
    stop.wait_for()
    guest = page.context.new_page()
    guest.goto(link)
    guest.locator(".title", has_text="You watch").wait_for()
    assert "You play" not in guest.locator(".sidebar").inner_text()
    page.bring_to_front()
    stop.click()
    guest.bring_to_front()
    guest.locator(".title", has_text="You play b").wait_for()
    assert "You watch" not in guest.locator(".sidebar").inner_text()
