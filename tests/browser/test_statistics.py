"""Tests of the statistics, and of the link that takes a profile along."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
FLOOR = "#######\n#@ $ .#\n#     #\n#######\n"
STREAKS = "async days => (await import('/static/statistics.js')).streaks(days, '2026-03-01')"


def figures(page: Any) -> dict[str, str]:
    """Return the figures on top, by their words."""
    page.locator(".figures").wait_for()
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.figures div')].map((one) => [one.querySelector('dt').textContent, one.querySelector('dd').textContent]))"
    )
    return found


@DESKTOP
def test_profile_is_taken_along_by_a_link_and_added_only_when_wanted(page: Any, another_browser: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    driver.begin(page, text=FLOOR)
    driver.keys(page, "ArrowDown", "ArrowUp", *["ArrowRight"] * 3)
    driver.proved(page)
    page.get_by_role("link", name="Statistics").click()
    page.locator(".figures").wait_for()
    assert figures(page)["solved without hints"] == "1"
    assert figures(page)["day in a row"] == "1"
    assert figures(page)["above the fewest, on average"] == "+2.0"
    link = driver.copied(page, "Copy the link to your profile")
    assert "#profile=" in link
    other = another_browser.new_page()
    other.goto(link)
    other.get_by_role("button", name="Leave them out").click()
    other.goto("/statistics")
    assert figures(other)["solved without hints"] == "0"
    for _ in range(2):
        other.goto("/")
        other.goto(link)
        other.get_by_role("button", name="Add them").click()
        assert figures(other)["solved without hints"] == "1"
    assert figures(other)["above the fewest, on average"] == "+2.0"


@DESKTOP
def test_damaged_profile_is_refused_in_a_sentence(page: Any) -> None:
    page.goto("/#profile=nonsense")
    page.locator(".toast", has_text="This link is damaged").wait_for()


@DESKTOP
@pytest.mark.parametrize(
    ("days", "streak"),
    [
        ([], (0, 0)),
        (["2026-03-01"], (1, 1)),
        (["2026-02-26", "2026-02-27", "2026-02-28"], (3, 3)),
        (["2026-02-20", "2026-02-21", "2026-02-28", "2026-03-01", "2026-03-01"], (2, 2)),
        (["2026-02-20", "2026-02-21", "2026-02-22"], (0, 3)),
    ],
)
def test_streak_counts_days_up_to_today_or_yesterday(
    page: Any, days: list[str], streak: tuple[int, int]
) -> None:
    page.goto("/")
    found = page.evaluate(STREAKS, days)
    assert (found["current"], found["longest"]) == streak


@DESKTOP
def test_average_of_the_fewest_moves_has_no_sign(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    page.get_by_role("link", name="Statistics").click()
    assert figures(page)["above the fewest, on average"] == "0"


@DESKTOP
def test_stars_are_shown_with_the_level_and_counted(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    driver.proved(page)
    page.locator(".tools").get_by_role("button", name="Levels").click()
    assert page.locator(".level-list li").first.locator(".stars .won").count() == 3
    page.goto("/levels/sokoban/first-steps")
    card = page.locator(".card").first
    card.wait_for()
    assert card.locator(".stars .won").count() == 3
    assert card.locator(".best").inner_text().split("\n")[-1].endswith("your best 3 moves")
    page.goto("/statistics")
    assert figures(page)["stars"] == "3 of 3"


@DESKTOP
def test_level_solved_with_hints_alone_is_named_so_on_each_page(page: Any) -> None:
    page.goto("/")
    levels = page.evaluate("fetch('/api/packs/sokoban/first-steps').then((answer) => answer.json())")[
        "levels"
    ]
    solved: dict[str, dict[str, int]] = {
        levels[0]["key"]: {},
        "none": {},
    }  # on the fixed day, the level's key is "none"
    page.add_init_script(f"localStorage['gridproof.solved'] = JSON.stringify({json.dumps(solved)})")
    page.goto("/levels/sokoban/first-steps")
    assert page.locator(".card [role=img]").first.get_attribute("aria-label") == "solved with hints"
    assert "1 of 13 solved, 1 only with hints." in page.locator(".head p").inner_text()
    driver.begin(page, pack="sokoban/first-steps", level=2)
    page.locator(".tools").get_by_role("button", name="Levels").click()
    assert page.locator(".level-list li").first.inner_text().endswith("✓ with hints")
    driver.start_on_fixed_day(page)
    assert page.locator(".featured .solved").inner_text() == "✓ solved with hints"


@DESKTOP
def test_best_score_of_a_game_is_a_figure_and_part_of_the_profile(page: Any, another_browser: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for text in ("2048 4x4 target=2048\n512 512 0 0\n" + "0 0 0 0\n" * 3, "2048 2x2 target=64\n4 4\n0 0\n"):
        driver.begin(page, text=text)
        driver.keys(page, "ArrowLeft", moves=1)
    page.get_by_role("link", name="Statistics").click()
    assert figures(page)["best score in 2048"] == "1,024"
    link = driver.copied(page, "Copy the link to your profile")
    other = another_browser.new_page()
    other.goto(link)
    other.get_by_role("button", name="Add them").click()
    assert figures(other)["best score in 2048"] == "1,024"


@DESKTOP
def test_score_of_a_game_with_hints_is_no_best(page: Any) -> None:
    driver.begin(page, text="2048 2x2 target=64\n4 4\n0 0\n")
    page.locator("[data-command=hint]").click()
    page.locator(".sidebar .title", has_text="with hints").wait_for()
    driver.keys(page, "ArrowLeft", moves=1)
    page.get_by_role("link", name="Statistics").click()
    assert "best score in 2048" not in figures(page)


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_names_of_games_stand_apart_from_their_numbers(page: Any) -> None:
    driver.begin(page, text=FLOOR)
    driver.keys(page, *["ArrowRight"] * 3)
    driver.proved(page)
    page.goto("/statistics")
    name = page.locator("tbody th", has_text="Sokoban")
    name.wait_for()
    assert name.evaluate("(one) => getComputedStyle(one).paddingRight") == "16px"
    assert page.evaluate(
        "document.querySelector('.scroll-x').scrollWidth <= document.querySelector('.scroll-x').clientWidth"
    )
