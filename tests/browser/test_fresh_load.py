"""The board of a page after moves equals that of a fresh load: tiles, places, and words for screen readers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.browser import driver, offline
from tests.sizes import size
from tests.table.random_player import GAMES, starts

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
ALONE = {"lights_out", "robots", "shiftit", "sokoban"}
"""Games that go on without the server."""
SPELL = 6
"""Actions without it."""
OTHERS = 4
"""Of so many actions one is compared on another viewer's page, too."""
HINT = 500
"""Milliseconds that a hint is waited for."""
WHOLE = 10
"""Of so many loads one is of the whole page; the others are of all that the screen is made of, which is much quicker."""

_COUNTING = """() => {
  const waiting = (window.waiting = new Set());
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    const { ref } = JSON.parse(text);
    waiting.add(ref);
    this.addEventListener("message", ({ data }) => JSON.parse(data).ref === ref && setTimeout(() => waiting.delete(ref)));
    this.addEventListener("close", () => waiting.delete(ref));
    send.call(this, text);
  };
}"""
"""What the server has not answered yet."""

_SHOWN = """() => {
  const board = document.querySelector("svg.board");
  const drawn = (piece) => board.querySelector(piece.querySelector("use").getAttribute("href")).innerHTML;
  const layer = (piece) => piece.parentNode.getAttribute("class") ?? "";
  const pieces = [...board.querySelectorAll(".piece")].map((piece) => [piece.style.transform, layer(piece), drawn(piece)]);
  const text = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  return {
    view: board.getAttribute("viewBox"),
    pieces: pieces.sort(([place], [other]) => (place < other ? -1 : Number(place > other))),
    foreseen: board.querySelector(".preview").childElementCount,
    words: document.getElementById(document.querySelector(".stage").getAttribute("aria-describedby")).textContent,
    counts: text("[data-count]:not([data-count^=best]) :is(dt, dd)"),
    actions: [...document.querySelectorAll(".actions button")].map((one) => one.textContent.replace(one.querySelector(".worth")?.textContent ?? "", "")),
    worth: text(".actions .worth"),
    title: text(".sidebar .title > :is(h1, h1 + p)"),
    numbers: text(".board .numbers text"),
    requests: text(".requests .request"),
    disabled: text(".tools [data-command]:disabled"),
  };
}"""


def settled(page: Any) -> None:
    """Wait until all is answered, and nothing moves any more."""
    page.wait_for_function("() => !window.waiting?.size")
    driver.settled(page)


def shown(page: Any) -> dict[str, Any]:
    """The board, and what stands beside it."""
    settled(page)
    found: dict[str, Any] = page.evaluate(_SHOWN)
    return found


def press(page: Any, button: Any) -> None:
    """Press a button, and once more where the page asks before it does an action."""
    action = button.get_attribute("data-action")
    button.dispatch_event("click")
    settled(page)
    again = page.locator(f".actions [data-action='{action}']")
    if action and page.locator(".toast", has_text="Once more to confirm").count() and again.count():
        again.dispatch_event("click")


def do(page: Any, luck: random.Random) -> None:
    """Do something that the page offers, once no end screen is shown."""
    dismiss(page, luck)
    names = ["undo", "redo"] + ["restart"] * (luck.random() < 0.1)
    commands = page.locator(", ".join(f"[data-command={name}]:not(:disabled)" for name in names))
    actions = page.locator(".actions button")
    chosen = actions if actions.count() and luck.random() < 0.75 else commands
    if chosen.count():
        press(page, chosen.nth(luck.randrange(chosen.count())))
    elif page.locator("[data-command=restart]:not(:disabled)").count():
        page.locator("[data-command=restart]").dispatch_event("click")


def dismiss(page: Any, luck: random.Random | None = None) -> None:
    """Take the end screen away, if there is one: with Escape, or by luck with its first button."""
    settled(page)
    while page.locator(".overlay").count():
        if luck and luck.random() < 0.5:
            page.locator(".overlay button:not(.why)").first.dispatch_event("click")
        else:
            page.keyboard.press("Escape")
        settled(page)


def look(page: Any, luck: random.Random) -> None:
    """Have what a cell means shown before, at times."""
    if luck.random() < 0.2:
        page.mouse.move(*driver.cell(page, luck.randrange(6), luck.randrange(6)))
        page.wait_for_timeout(luck.randrange(200))


def hinted(page: Any) -> None:
    """Do what a hint says, if there is one soon."""
    page.locator(".menu button", has_text="The next move").dispatch_event("click")
    settled(page)
    page.wait_for_timeout(HINT)
    stop = page.locator(".job:not([hidden]) button")
    if stop.count():
        stop.dispatch_event("click")
    settled(page)
    if page.locator(".actions .hinted").count():
        press(page, page.locator(".actions .hinted"))


def watch(page: Any) -> None:
    """Watch a random player for a moment, and go back to the game."""
    page.keyboard.press("F4")
    page.locator("dialog button", has_text="a random player").click()
    page.locator(".player output").wait_for()
    page.keyboard.press("ArrowRight")
    settled(page)
    page.keyboard.press("Escape")
    page.locator(".player output").wait_for(state="detached")


def act(page: Any, luck: random.Random) -> None:
    """Do something: at times what a hint says, or after a replay was watched."""
    chance, possible = luck.random(), page.locator(".actions button").count()
    if possible and chance < 0.05:
        hinted(page)
    elif chance < 0.1:
        watch(page)
    else:
        look(page, luck)
        do(page, luck)


def alone(page: Any, session: str, luck: random.Random) -> dict[str, Any] | None:
    """Play a while without the server: what is shown then, before it is back; None where a level is won and only the server knows what follows."""
    offline.ready(page, session)
    page.context.set_offline(True)
    page.locator(".connection", has_text="Offline").wait_for()
    for _ in range(SPELL):
        do(page, luck)
    dismiss(page)
    over = page.locator(".connection", has_text="The level is won").count()
    found: dict[str, Any] | None = None if over else shown(page)
    offline.come_back(page)
    return found


@pytest.fixture
def fresh(page: Any) -> Any:
    """Another page of the same browser; what each direction of 2048 is worth is always shown."""
    page.context.add_init_script(f"({_COUNTING})()")
    settings = "localStorage.setItem('gridproof.settings', JSON.stringify({worth: 'always'}))"
    page.context.add_init_script(settings)
    return page.context.new_page()


@DESKTOP
@pytest.mark.long
@pytest.mark.service_worker
@pytest.mark.parametrize("game", GAMES)
def test_board_equals_that_of_a_fresh_load(page: Any, fresh: Any, game: str) -> None:
    luck, done, found = random.Random(game), 0, starts(game)
    other = page.context.new_page()
    driver.begin(fresh, **found[0])
    for number, start in enumerate(found):
        session = driver.begin(page, **start, seed=number)
        load(other, session, True)
        for _ in range(-(-size("actions", 50) // len(found))):
            act(page, luck)
            if done % OTHERS == 0:
                check_other(other, page)
            check(page, fresh, session, done % WHOLE == 0)
            done += 1
            if game in ALONE and done % 30 == 0:
                before = alone(page, session, luck)
                after = check(page, fresh, session, True)
                names = ("pieces", "words")
                assert before is None or [before[name] for name in names] == [after[name] for name in names]


def load(page: Any, session: str, whole: bool) -> None:
    """Load a session anew: the whole page, or its screen."""
    address = f"/play/{session}"
    if whole:
        page.goto(address)
    else:
        go = "address => document.dispatchEvent(new CustomEvent('gridproof:go', {detail: {address, replace: true}}))"
        page.evaluate(go, address)
    driver.shown(page)


def check_other(other: Any, page: Any) -> None:
    """Compare the page of another viewer of the session with one that is played on, once the server's news are there."""

    def at_rest(one: Any) -> dict[str, Any]:
        one.bring_to_front()  # Chromium gives a page behind another few frames
        one.mouse.move(1, 1)
        dismiss(one)
        found = shown(one)
        del found["worth"]
        return found

    driver.until(other, lambda: at_rest(other), at_rest(page))
    page.bring_to_front()


def check(page: Any, fresh: Any, session: str, whole: bool) -> dict[str, Any]:
    """Compare a page with one that is loaded anew, and give what both show, both without an end screen."""
    load(fresh, session, whole)
    page.bring_to_front()  # Chromium gives a page behind another few frames
    page.mouse.move(1, 1)
    dismiss(fresh)
    dismiss(page)
    if whole:
        driver.judged(fresh)
        driver.judged(page)
    if not whole:  # what actions are worth takes a while, and is a hint: the page that shows it first tells the other one
        driver.until(page, lambda: shown(fresh)["title"] == shown(page)["title"])
    expected, here = shown(fresh), shown(page)
    if not whole:
        for one in (expected, here):
            del one["worth"], one["title"]
    assert {name: (here[name], expected[name]) for name in here if here[name] != expected[name]} == {}
    return expected


@DESKTOP
@pytest.mark.long
def test_replay_shows_its_place_when_keys_come_fast(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    page.locator("[data-command=solve]").dispatch_event("click")
    page.locator("output:text-is('0 of 15')").wait_for()
    for keys in ("right left", "end left left right", "home right right left right"):
        for key in keys.split():
            page.keyboard.press(driver.ARROWS.get(key, key.capitalize()))
        driver.settled(page)
        page.evaluate("new Promise(requestAnimationFrame)")  # the words follow the pieces
        played = page.evaluate(_SHOWN)
        slider = page.get_by_label("Step", exact=True)
        slider.evaluate("(one) => one.dispatchEvent(new Event('input'))")  # go there at once
        driver.until(page, lambda: page.evaluate(_SHOWN), played)
