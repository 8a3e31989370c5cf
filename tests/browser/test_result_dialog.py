"""Tests of the result dialog at the end of a level."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
LOST = "2048 2x2 spawn=spec target=2048\n2 4\n8 16\n"
ROOM = "#####\n#@$.#\n#####\n"
PACK = "\n".join([ROOM] * 4)


def end_screen(page: Any) -> Any:
    return page.locator(".overlay")


@DESKTOP
def test_result_dialog_stays_when_game_keys_are_pressed(page: Any) -> None:
    driver.begin(page, text=LOST)
    end_screen(page).wait_for()
    for key in ("ArrowLeft", "a", "j", "u", "n", "ArrowUp"):
        page.keyboard.press(key)
    assert end_screen(page).is_visible()
    page.keyboard.press("Escape")
    end_screen(page).wait_for(state="detached")


@DESKTOP
def test_end_screen_says_whose_high_score_it_shows(page: Any) -> None:
    driver.begin(page, text=LOST)
    assert "high score on this server 0" in end_screen(page).inner_text()


@DESKTOP
def test_result_dialog_returns_after_reload_when_lost(page: Any) -> None:
    driver.begin(page, text=ROOM)
    driver.keys(page, "ArrowRight")
    end_screen(page).wait_for()
    words = end_screen(page).inner_text()
    page.reload()
    end_screen(page).wait_for()
    assert end_screen(page).inner_text() == words


@DESKTOP
def test_result_dialog_returns_after_reload_when_level_has_changed(page: Any) -> None:
    driver.begin(page, text=PACK, level=2)
    driver.keys(page, "ArrowRight")
    end_screen(page).wait_for()
    words = end_screen(page).inner_text()
    page.reload()
    end_screen(page).wait_for()
    assert end_screen(page).inner_text() == words
    page.get_by_role("button", name="Next level").click()
    page.locator(".sidebar p", has_text="Level 3 of 4, 1 solved").wait_for()
    page.reload()
    driver.shown(page)
    page.locator(".sidebar p", has_text="Level 3 of 4, 1 solved").wait_for()
    assert not end_screen(page).count()


@DESKTOP
@pytest.mark.parametrize(("first", "visited"), [(2, [3, 4, 1]), (4, [1, 2, 3])])
def test_next_level_wraps_around_to_unsolved_level(page: Any, first: int, visited: list[int]) -> None:
    driver.begin(page, text=PACK, level=first)
    for solved, number in enumerate(visited, 1):
        driver.keys(page, "ArrowRight")
        page.get_by_role("button", name="Next level").click()
        page.locator(".sidebar p", has_text=f"Level {number} of 4, {solved} solved").wait_for()


def test_blocked_direction_nudges_without_message_or_layout_shift(page: Any) -> None:
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
def test_result_dialog_of_guest_offers_allowed_actions_and_names_winner(
    page: Any, another_browser: Any
) -> None:
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
    winner = page.locator(".overlay h2").inner_text().removesuffix(".").rpartition(" ")[2]
    assert page.locator(".overlay h2").inner_text() == f"A robot is home: fireworks! The winner is {winner}."
    end_screen(guest).wait_for()
    told = guest.locator(".overlay h2").inner_text()
    expected = (
        "You have won! A robot is home: fireworks!"
        if winner == "b"
        else f"You have lost: the winner is {winner}."
    )
    assert told == expected
    assert [
        one
        for one in guest.locator(".overlay button").all_inner_texts()
        if one not in ("Next level", "Share", "Best on this server")
    ] == []
