"""Tests of offline play by transition tables."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver
from tests.browser.offline import LONG, actions, come_back, forget, kept, leave, ready, waits

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.service_worker]
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)


def test_level_is_played_to_its_end_offline(page: Any) -> None:
    session = driver.begin(page, pack="sokoban/first-steps")
    leave(page, session)
    driver.keys(page, "ArrowDown", moves=1)
    waits(page, "1 move waits")
    page.keyboard.press("ArrowRight")
    driver.press(page, "undo")
    waits(page, "3 moves wait")
    driver.settled(page)
    before = driver.board_text(page)
    page.reload()
    driver.shown(page)
    waits(page, "3 moves wait")
    driver.until(page, lambda: driver.board_text(page), before)
    driver.press(page, "redo")
    page.keyboard.press("ArrowRight")
    page.locator(".overlay", has_text="completed").wait_for()
    assert not driver.violations(page)
    come_back(page)
    assert kept(page, session)["completed"] == [1]
    page.locator(".overlay .main").click()
    page.locator(".sidebar p", has_text="Level 2 of").wait_for()


@DESKTOP
def test_edge_of_transition_table_is_reported(page: Any) -> None:
    def cut(route: Any) -> None:
        answer = route.fetch()
        table = answer.json()
        table |= {"degrees": table["degrees"][:1], "complete": False}
        route.fulfill(response=answer, json=table, headers={"content-type": "application/json"})

    page.route("**/api/surroundings/*", cut)
    session = driver.begin(page, text=LONG)
    leave(page, session)
    page.keyboard.press("ArrowRight")
    waits(page, "Reconnect to continue from here")
    page.keyboard.press("ArrowRight")
    page.locator(".log .refusal", has_text="Reconnect to continue from here").wait_for()
    driver.press(page, "undo")
    waits(page, "2 moves wait to be sent.")
    come_back(page)
    assert actions(page, session) == []


@pytest.mark.parametrize(
    ("pack", "said"), [("twenty48/standard", "This move is random"), ("robots/races", "you can play on")]
)
@DESKTOP
def test_random_move_needs_server(page: Any, pack: str, said: str) -> None:
    session = driver.begin(page, pack=pack)
    leave(page, session, said)
    assert not driver.violations(page)
    before = page.locator(".actions button").count()
    page.locator(".actions button").last.click()  # of robots, the exchange
    page.locator(".log .refusal", has_text="This move is random").wait_for()
    assert page.locator(".actions button").count() == before


def test_touch_works_offline(page: Any) -> None:
    session = driver.begin(page, text=LONG)
    leave(page, session)
    point = driver.tap if page.viewport_size["width"] < 400 else driver.click
    point(page, 3, 1)
    page.locator(".log .refusal, .toast", has_text="Drag the box to where it should go").first.wait_for()
    point(page, 2, 1)
    driver.counted(page, 1)
    driver.settled(page)
    driver.drag(page, (3, 1), (7, 1))
    driver.counted(page, 4, "pushes")
    page.locator(".overlay").wait_for()
    come_back(page)
    assert kept(page, session)["completed"] == [1]


@DESKTOP
def test_new_table_is_fetched_at_the_edge_of_the_old_one(page: Any) -> None:
    session = driver.begin(page, text=LONG)
    driver.keys(page, *["ArrowRight"] * 3, moves=3)
    driver.keys(page, "u", moves=2)
    ready(page, session)  # or it would be kept after it was forgotten
    names = []

    def cut(route: Any) -> None:
        names.append(route.request.url)
        answer = route.fetch()
        table = answer.json()
        if len(names) == 1:  # of the level's start, as if it had no room for more
            table |= {"degrees": table["degrees"][:1], "complete": False}
        route.fulfill(response=answer, json=table, headers={"content-type": "application/json"})

    forget(page)
    page.route("**/api/surroundings/*", cut)
    page.reload()
    driver.shown(page)
    ready(page, session)
    assert len(set(names)) == 2
    page.context.set_offline(True)
    waits(page, "you can play on")
    driver.press(page, "redo", moves=3)
    for moves in (2, 1, 0):
        driver.press(page, "undo", moves=moves)
    page.reload()
    driver.shown(page)
    waits(page, "4 moves wait")
    driver.press(page, "redo", moves=1)
    come_back(page)
    assert actions(page, session) == ["right"]


@DESKTOP
def test_table_request_is_retried_after_failure(page: Any) -> None:
    asked = []

    def busy_at_first(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503) if len(asked) == 1 else route.continue_()

    page.clock.install()
    page.route("**/api/surroundings/*", busy_at_first)
    session = driver.begin(page, text=LONG)
    driver.until(page, lambda: len(asked), 1)

    def asked_later() -> int:
        page.clock.fast_forward(5000)
        return len(asked)

    driver.until(page, asked_later, 2)
    ready(page, session)


@DESKTOP
def test_robots_are_played_by_hand_offline(page: Any) -> None:
    session = driver.begin(page, pack="robots/races")
    leave(page, session)
    done = ["b:rotate(90)", "a:walk(1,0)"]
    for action in done:
        page.locator(f".actions [data-action='{action}']").click()
    waits(page, "2 moves wait")
    driver.settled(page)
    before = driver.board_text(page, marked=False)
    come_back(page)
    driver.settled(page)
    assert driver.board_text(page, marked=False) == before
    assert actions(page, session) == done
