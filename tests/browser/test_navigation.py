"""Tests of navigation: links, the back button, cached pages, and reconnects."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.service_worker,
    pytest.mark.parametrize("page", ["desktop"], indirect=True),
]
KEEP_SOCKETS = """
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...all) { super(...all); sockets.push(this); }
  };
"""


def test_back_button_returns_to_game(page: Any) -> None:
    with page.expect_websocket() as socket:
        driver.begin(page, pack="sokoban/first-steps")
    page.get_by_role("link", name="Games", exact=True).click()
    page.get_by_role("heading", name="Games").wait_for()
    assert page.locator(".play").count() == 0
    driver.until(page, socket.value.is_closed)
    page.go_back()
    driver.shown(page)
    driver.keys(page, "ArrowDown", moves=1)
    page.go_forward()
    page.get_by_role("heading", name="Continue").wait_for()


def test_table_request_ends_when_game_is_left(page: Any) -> None:
    page.route("**/api/surroundings/*", lambda route: None)
    with page.expect_request("**/api/surroundings/*") as asked:
        driver.begin(page, pack="sokoban/first-steps")
    with page.expect_event("requestfailed", lambda request: request == asked.value):
        page.get_by_role("link", name="Games", exact=True).click()


def test_back_button_leaves_shared_link(page: Any) -> None:
    driver.begin(page, text="; Mine\n######\n#@ $.#\n######\n")
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Link to this level")
    page.goto("/open")
    page.goto(link)
    page.wait_for_url("**/play/*")
    driver.shown(page)
    page.go_back()
    page.locator("#level-text").wait_for()
    assert page.url.endswith("/open")


def test_page_loaded_before_service_worker_is_cached(page: Any) -> None:
    page.goto("/")
    _kept(page)
    with page.expect_event("load"):  # of the page that comes, not of the one that goes
        page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    page.wait_for_selector(".card")
    _kept(page)
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".card")


def _kept(page: Any) -> None:
    """Wait until the page opens without the server, too."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_error_page_is_not_cached(page: Any) -> None:
    page.goto("/")
    _kept(page)
    for address in ("/api/openapi.json", "/manifest.webmanifest"):
        page.goto(address)
    page.context.set_offline(True)
    page.goto("/")
    page.wait_for_selector(".card")


def test_reconnect_keeps_the_chosen_actor(page: Any) -> None:
    page.add_init_script(KEEP_SOCKETS)
    driver.begin(page, pack="robots/races")
    page.locator(".viewpoint button", has_text="b").click()
    page.wait_for_selector(".viewpoint button[aria-pressed=true]:text-is('b')")
    page.evaluate("sockets[0].close()")
    page.wait_for_function("() => sockets.length === 2 && sockets[1].readyState === WebSocket.OPEN")
    assert page.evaluate("sockets[1].url").endswith("?view=b")


def test_going_back_closes_a_dialog_and_keeps_the_game(page: Any) -> None:
    page.goto("/levels/sokoban/first-steps")
    page.locator(".cards a").first.click()
    page.wait_for_url("**/play/*")
    driver.shown(page)
    game = page.url
    page.get_by_role("button", name="Share").click()
    page.go_back()
    page.locator("dialog").wait_for(state="detached")
    assert page.url == game
    driver.keys(page, "ArrowDown", moves=1)
    page.go_back()
    page.wait_for_url("**/levels/sokoban/first-steps")
