"""Tests of what a phone shows without scrolling."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
PHONE = pytest.mark.parametrize("page", ["phone"], indirect=True)
DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)


@PHONE
@pytest.mark.parametrize("start", [{"pack": "twenty48/standard"}, {"pack": "sokoban/first-steps"}])
def test_counts_and_verdict_are_above_the_fold(page: Any, start: dict[str, str]) -> None:
    driver.begin(page, **start)
    height = page.viewport_size["height"]
    for name in (".counts", ".verdict"):
        box = page.locator(name).first.bounding_box()
        assert box["y"] + box["height"] <= height


@PHONE
def test_hint_of_a_large_race_is_above_the_fold(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    driver.begin(page, pack="robots/races", level=20)
    box = page.get_by_role("button", name="Hint", exact=True).bounding_box()
    assert page.locator("h1").bounding_box()["y"] < box["y"] <= 740 - box["height"]


@PHONE
@pytest.mark.parametrize("level", [3, 10])
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_solution_and_its_replay_are_in_sight_below_the_board(page: Any, level: int, motion: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion=motion)
    driver.begin(page, pack="sokoban/first-steps", level=level)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    driver.spoil(page, "The whole solution")
    page.locator(".log .solution").wait_for()
    for name in (".log:has(.solution)", ".replay button.main"):
        driver.until(page, functools.partial(page.evaluate, _ENDS_IN_SIGHT, name))
    driver.until(page, lambda: page.locator(".stage").bounding_box()["y"] >= -1)


@PHONE
def test_solution_leaves_a_board_in_sight_where_it_is(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    driver.begin(page, pack="sokoban/first-steps", level=3)
    driver.judged(page)
    page.evaluate("addEventListener('scroll', () => { window.hasScrolled = true; })")
    driver.spoil(page, "The whole solution")
    page.locator(".replay output", has_text="0 of 31").wait_for()
    page.locator(".replay button.main", has_text="Play").click()
    page.locator(".replay output:text-is('1 of 31')").wait_for()
    assert not page.evaluate("Boolean(window.hasScrolled)")


@DESKTOP
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
def test_actions_and_moves_of_a_race_are_in_sight_on_a_wide_screen(
    page: Any, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    driver.begin(page, pack="robots/races", level=20)
    for name in (".actions button", ".move-list"):
        box = page.locator(name).last.bounding_box()
        assert box["y"] + box["height"] <= height
    assert page.evaluate(
        "[...document.querySelectorAll('.actions, .about, .course')].every((one) => one.scrollHeight <= one.clientHeight + 1)"
    )


@DESKTOP
def test_all_actions_of_three_robots_are_in_sight_after_some_requests(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    rows = ". . . . . . .\n. a . . c . .\n. . . . . . .\n. . . . . . .\nb . . . A B C\n"
    rules = "".join(f"{name}: rule={rule} rotation=0\n" for name, rule in zip("abc", "ABA", strict=True))
    driver.begin(page, text=f"robots 7x5\n{rules}board:\n{rows}")
    for words in ("c steps down", "a steps down", "b steps right"):
        driver.settled(page)
        page.get_by_role("button", name=words).click()
    page.locator(".move-list .move").nth(3).wait_for()
    assert page.locator(".actions button").count() in (14, 15, 16)
    assert (
        page.evaluate(
            "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.actions'))"
        )
        <= 1
    )


_ENDS_IN_SIGHT = """(name) => {
  const { height, bottom } = document.querySelector(name)?.getBoundingClientRect() ?? {};
  return height > 0 && bottom <= innerHeight;
}"""


@DESKTOP
@pytest.mark.parametrize(
    ("pack", "level", "last"),
    [
        ("robots/races", 8, ".actions button:nth-child(6)"),
        ("robots/races", 3, ".move-list .move"),
        ("shiftit/boards", 13, ".move-list .move"),
        ("sokoban/bombs", 2, ".move-list .move"),
    ],
)
def test_actions_are_in_sight_in_a_low_window(page: Any, pack: str, level: int, last: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    driver.begin(page, pack=pack, level=level)
    for name in (".actions button:nth-child(4)", last):
        page.wait_for_function(_ENDS_IN_SIGHT, arg=name)


@DESKTOP
@pytest.mark.parametrize("level", [3, 8, 20])
def test_hint_and_moves_of_a_race_are_in_sight_in_a_low_window(page: Any, level: int) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    driver.begin(page, pack="robots/races", level=level)
    driver.hinted(page)
    for name in (".messages .hint", ".move-list .move"):
        page.wait_for_function(_ENDS_IN_SIGHT, arg=name)


@DESKTOP
def test_actions_are_in_sight_on_an_upright_tablet(page: Any) -> None:
    page.set_viewport_size({"width": 768, "height": 1024})
    driver.begin(page, pack="robots/races", level=20)
    page.wait_for_function(_ENDS_IN_SIGHT, arg=".actions button:nth-child(8)")


@PHONE
@pytest.mark.parametrize("pack", ["twenty48/standard", "sokoban/bombs", "shiftit/boards"])
def test_undo_and_hint_are_above_the_fold(page: Any, pack: str) -> None:
    driver.begin(page, pack=pack)
    for command in ("undo", "hint"):
        box = page.locator(f".tools [data-command={command}]").bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"]


@pytest.mark.parametrize("page", ["phone", "desktop"], indirect=True)
def test_goal_is_on_the_screen(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.set_viewport_size({"width": page.viewport_size["width"], "height": 700})
    page.locator(".goal", has_text="Push every box onto a depot.").wait_for()


@pytest.mark.parametrize("page", ["phone", "desktop"], indirect=True)
def test_commands_of_a_puzzle_of_robots_stand_in_two_rows(page: Any) -> None:
    if page.viewport_size["width"] > 1024:
        page.set_viewport_size({"width": 1024, "height": 700})
    page.goto("/daily/robots")
    driver.shown(page)
    boxes = [one.bounding_box() for one in page.locator(".panel.tools > *").all()]
    assert len(boxes) == 10
    assert len({box["y"] for box in boxes}) == 2


@PHONE
def test_lists_show_that_they_scroll(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    driver.begin(page, pack="robots/races", level=3)
    page.get_by_role("button", name="Levels").click()
    page.locator("dialog.more-below").wait_for()
    page.locator("dialog").evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    page.locator("dialog:not(.more-below)").wait_for()
    page.goto("/learn/shiftit")
    page.locator(".actions.more-below").wait_for()
    cut = page.locator(".actions").evaluate("""(list) => {
      const { bottom } = list.getBoundingClientRect();
      return [...list.children].some((one) => one.getBoundingClientRect().top < bottom - 12 && one.getBoundingClientRect().bottom > bottom + 4);
    }""")
    assert cut


def test_focus_ring_of_hint_lies_above_its_menu(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.keyboard.press("Tab")
    hint = page.locator("[data-command=hint]")
    hint.focus()
    layers = (
        "(one) => [one, one.nextElementSibling].map((half) => Number(getComputedStyle(half).zIndex) || 0)"
    )
    front, behind = hint.evaluate(layers)
    assert front > behind
