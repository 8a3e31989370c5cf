"""Every page and state, light and dark: no violation of accessibility, nothing beyond the window, small and without strangers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]


ROOM = "########\n#@$  .##\n#     ##\n########\n"
TWO_ROBOTS = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"


def _to_the_start(page: Any) -> None:
    """Stop a replay at its start, when its steps have come."""
    page.locator("output", has_text=re.compile(r"of \d+$")).wait_for()
    page.get_by_role("button", name="To the start", exact=True).click()


def _start(page: Any) -> None:
    driver.start_on_fixed_day(page)
    page.locator(".daily p", has_text="easy").first.wait_for()


def _gone_on(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", moves=1)
    _start(page)
    page.locator(".continue h2 a").first.wait_for()


def _levels(page: Any) -> None:
    page.goto("/levels/shiftit/boards")
    page.wait_for_selector(".levels .card")


def _open(page: Any) -> None:
    page.goto("/open")
    page.wait_for_selector("#level-text")


def _rules(page: Any) -> None:
    page.goto("/rules/sokoban")
    page.wait_for_selector(".rule .piece")
    page.get_by_role("button", name=re.compile("(Pause|Play) the pictures")).wait_for()


def _learning(page: Any) -> None:
    page.goto("/learn/shiftit/2")
    page.wait_for_selector(".learn .stage .piece")


def _nothing(page: Any) -> None:
    page.goto("/nowhere")
    page.wait_for_selector(".empty h1")


def _playing(pack: str) -> Callable[[Any], None]:
    def begin(page: Any) -> None:
        driver.begin(page, pack=pack, seed=5)

    return begin


def _hinted(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    driver.hinted(page)


def _won(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    page.locator(".sparks").wait_for(state="detached")
    driver.proved(page)
    page.get_by_text("After 3: won").wait_for()  # the distances are measured


def _listed(page: Any) -> None:
    driver.begin(page, text="#######\n#@ $ .#\n#     #\n#######\n")
    driver.keys(page, "ArrowDown", moves=1)
    driver.press(page, "undo", moves=0)
    driver.keys(page, "ArrowRight", moves=1)
    page.locator(".variation").wait_for()
    page.get_by_role("button", name="More hints").click()
    page.locator(".menu button:focus").wait_for()


def _statistics(page: Any) -> None:
    page.goto("/statistics")
    page.locator(".figures").wait_for()


def _conversing(page: Any) -> None:
    driver.begin(page, text=TWO_ROBOTS)
    page.locator(".players summary").click()
    for number, robot in enumerate("ab"):
        driver.judged(page)  # the list of moves marks what they cost
        page.click(f".actions [data-action='{robot}:walk(1,0)']")
        page.locator(".requests .request").nth(number).wait_for()


def _racing(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=8)  # of 25 requests at least: it goes on
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=a]", "hints")
    page.select_option("#race-speed", "0.25")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("button", name="Stop the race").wait_for()
    page.locator("dialog").wait_for(state="detached")


def _lost(page: Any) -> None:
    driver.begin(page, text="2048 2x2\n16 8\n0 32\n", seed=5)
    page.keyboard.press("ArrowLeft")
    page.locator(".overlay").wait_for()
    page.get_by_text("The target is out of reach from the start").first.wait_for()


def _watching(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    driver.judged(page)  # its solution is known to have the fewest actions
    driver.spoil(page, "The whole solution")
    _to_the_start(page)
    toggle = page.get_by_role("button", name="Play", exact=True)
    toggle.hover()
    toggle.focus()


def _dialog(name: str) -> Callable[[Any], None]:
    def open_it(page: Any) -> None:
        driver.begin(page, pack="robots/races")
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector("dialog[open]")

    return open_it


_CUT_OFF = """(window) => [...document.querySelectorAll("button, input, select, textarea, h1, h2, p")].filter((element) => {
  const { left, right, width, height } = element.getBoundingClientRect();
  const around = element.closest("dialog form, dialog .inside, main")?.getBoundingClientRect() ?? { left: 0, right: window };
  const outside = left < Math.max(0, around.left) - 1 || right > Math.min(window, around.right) + 1;
  return width && height && outside && !element.closest(".skip, .visually-hidden, svg");
}).map((element) => element.outerHTML.slice(0, 120))"""
"""What sticks out of the sides of its dialog or the window, also where that hides it."""


def _drawing(page: Any) -> None:
    page.goto("/edit/robots")
    page.wait_for_selector(".palette button")
    page.click("[data-tool='belt running left']")
    page.focus(".stage")
    page.keyboard.press("Space")
    page.wait_for_selector("h2.bad")


def _choosing_what_to_make(page: Any) -> None:
    page.goto("/edit")
    page.wait_for_selector(".card")


def _choosing_a_puzzle(page: Any) -> None:
    page.goto("/new")
    page.wait_for_selector(".tile")
    page.fill("#puzzle-id", "x")
    page.get_by_role("button", name="Play this one").click()
    page.locator(".error", has_text="no id").wait_for()


def _trying(page: Any) -> None:
    page.goto("/edit/sokoban")
    page.wait_for_selector(".palette button")
    page.set_input_files(
        "#edit-file", {"name": "two.xsb", "mimeType": "text/plain", "buffer": (ROOM + "\n" + ROOM).encode()}
    )
    page.locator(".collection button[data-level]").nth(1).wait_for()
    page.focus(".stage")
    page.keyboard.press("t")
    page.wait_for_selector(".trial .answer:not(:empty)")


def _studying(page: Any) -> None:
    driver.begin(page, text=ROOM)
    page.click("[data-study=formulas]")
    page.get_by_text("can the win be lost?").click()
    page.wait_for_selector("[data-verdict]")
    _to_the_start(page)


def _asking(page: Any) -> None:
    page.goto("/formulas")
    page.wait_for_selector(".examples button")
    page.focus("#formula")
    page.keyboard.type("AG (EF w")
    page.locator(".formula .error", has_text="at").wait_for()


def _asked(page: Any) -> None:
    page.goto("/formulas")
    page.get_by_text("can the win be lost?").click()
    page.wait_for_selector("[data-verdict=yes]")
    _to_the_start(page)


def _analysed(page: Any) -> None:
    page.goto("/analyse/sokoban/first-steps/2")
    driver.analysed(page)


def _showing(page: Any) -> None:
    _analysed(page)
    page.locator(".claim").get_by_role("button", name="Show it").last.click()
    _to_the_start(page)


def _pack_analysed(page: Any) -> None:
    page.goto("/analyse/robots/duels")
    driver.pack_analysed(page)


STATES: dict[str, Callable[[Any], None]] = {
    "start": _start,
    "go on": _gone_on,
    "levels": _levels,
    "new puzzle": _choosing_a_puzzle,
    "open": _open,
    "rules": _rules,
    "learning": _learning,
    "nothing there": _nothing,
    **{
        f"playing {pack}": _playing(pack)
        for pack in ("robots/races", "shiftit/boards", "twenty48/standard", "lights_out/first")
    },
    "making a level": _choosing_what_to_make,
    "drawing": _drawing,
    "trying a draft": _trying,
    "studying a position": _studying,
    "asking": _asking,
    "asked": _asked,
    "analysed": _analysed,
    "a claim is shown": _showing,
    "a pack is analysed": _pack_analysed,
    "a hint": _hinted,
    "won": _won,
    "moves and hints": _listed,
    "statistics": _statistics,
    "watching": _watching,
    "conversing": _conversing,
    "racing": _racing,
    "lost": _lost,
    **{name: _dialog(name) for name in ("Help", "Share", "Levels", "Race", "Settings")},
}


@pytest.mark.parametrize("state", list(STATES))
def test_page_has_no_violation_and_fits_the_window(page: Any, state: str) -> None:
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        STATES[state](page)
        assert not driver.violations(page), theme
        window = page.viewport_size["width"]  # the window's own grows on phones with what it has to show
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= window, (theme, wide, window)
        assert not page.evaluate(_CUT_OFF, window), theme


def test_first_load_is_small_and_has_no_other_hosts(page: Any, address: str) -> None:
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108  # it takes no built-in
    page.goto("/")
    driver.shown(page)
    page.wait_for_load_state("networkidle")
    assert all(answer.url.startswith(address) for answer in answers)
    assert sum(len(answer.body()) for answer in answers) < 300_000


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_board_fits_the_window(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    assert page.evaluate("document.documentElement.scrollHeight") == page.viewport_size["height"]


def test_page_has_no_animation_with_reduced_motion(page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", moves=1)
    assert page.evaluate("document.getAnimations().length") == 0


def test_changes_are_announced(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.keyboard.press("ArrowDown")
    page.locator("#live", has_text="go down").wait_for(state="attached")
    page.keyboard.press("ArrowLeft")
    page.locator("#live", has_text="a wall is in").wait_for(state="attached")
