"""The dialog at the end of a level: the player's actions beside the fewest."""

from __future__ import annotations

import pytest
from tests.terminal.apps import make_app, message_text, table_of, until
from tests.terminal.test_badge import app_with
from textual.pilot import Pilot
from textual.widgets import Label, OptionList, Static

import gridproof as gp
from gridproof.store import Store
from gridproof.table.fewest_actions import count_stars
from gridproof.terminal.board import BoardView
from gridproof.terminal.result_screen import ResultScreen, star_text

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]


DETOUR = ("right", "left")
WIN = ("down", "right", "down", "left", "left")


def _score(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app.screen, ResultScreen)
    return str(pilot.app.screen.query_one("#score", Static).content)


async def test_fewest_actions_of_the_verdict_are_shown_at_once() -> None:
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        proving.answer()
        await pilot.press(*DETOUR, *WIN)
        assert _score(pilot) == "★★☆ 7 moves; the fewest is 5 (proved)\n"


async def test_fewest_actions_are_looked_for_if_nothing_is_proved() -> None:
    app, _ = app_with("request")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*WIN)
        regions = [widget.region for widget in pilot.app.screen.query("*")]
        await until(pilot, lambda: _score(pilot) == "★★★ 5 moves; the fewest is 5 (proved)\n")
        assert pilot.app.screen.query_one("#score").has_class("-best")
        await pilot.pause()
        assert regions == [widget.region for widget in pilot.app.screen.query("*")]


async def test_fewest_actions_are_not_looked_for_if_proofs_are_off() -> None:
    app, _ = app_with("off")
    async with app.run_test() as pilot:
        await pilot.press(*WIN)
        await pilot.pause(0.1)
        assert _score(pilot) == "5 moves\n"


@pytest.mark.long
async def test_own_best_is_shown_beside_the_fewest(store: Store) -> None:
    app, proving = app_with("always", store)
    async with app.run_test() as pilot:
        proving.answer()
        await pilot.press(*WIN)
        assert _score(pilot) == "★★★ 5 moves; the fewest is 5 (proved)\nThis is your best."
        await pilot.press("escape", "n", *DETOUR, *WIN)
        assert _score(pilot) == "★★☆ 7 moves; the fewest is 5 (proved)\nYour best is 5."


async def test_win_with_hints_is_marked_and_is_no_best(store: Store) -> None:
    app, proving = app_with("always", store)
    async with app.run_test() as pilot:
        proving.answer()
        await pilot.press("i", *WIN)
        assert _score(pilot) == "5 moves; the fewest is 5 (proved)\nWith hints."
        assert not pilot.app.screen.query_one("#score").has_class("-best")
        assert table_of(pilot).best == {}


@pytest.mark.long
async def test_won_board_stays_in_sight_without_the_verdict_of_the_next_level() -> None:
    app, proving = app_with("always", levels=gp.levels_at("sokoban/first-steps"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await pilot.press("down", "right", "right")
        proving.answer()
        await pilot.pause()
        assert isinstance(app.screen, ResultScreen)
        assert app.screen.query_one(".dialog").region.x >= screen.query_one("#board").region.right - 1
        assert str(screen.query_one("#badge", Static).content) == ""
        won = screen.query_one("#board", BoardView).board
        await pilot.press("escape")
        assert (app.screen, message_text(pilot)) == (screen, "Press Enter to go on.")
        assert screen.query_one("#board", BoardView).board == won
        await pilot.press("left")  # no action on a level that is not in sight
        assert isinstance(app.screen, ResultScreen)
        await pilot.press("escape", "enter", "enter")
        await pilot.pause()
        assert str(screen.query_one("#badge", Static).content).startswith("✓ Winnable")


@pytest.mark.parametrize(("done", "stars"), [(10, 3), (11, 3), (12, 2), (15, 2), (16, 1), (999, 1)])
async def test_stars_say_how_near_the_fewest_a_win_is(done: int, stars: int) -> None:
    assert count_stars(done, 10) == stars
    assert star_text(stars).count("★") == stars


async def test_next_level_comes_first_and_points_are_not_compared() -> None:
    async with make_app(gp.read("#####\n#@$.#\n#####\n\n#####\n#@$.#\n#####")).run_test() as pilot:
        await pilot.press("right")
        choices = pilot.app.screen.query_one(OptionList)
        assert (choices.highlighted, str(choices.get_option_at_index(0).prompt)) == (0, "Next level ⏎")
    async with make_app(gp.read("2048 2x2 target=8\n4 4\n0 0\n")).run_test() as pilot:
        await pilot.press("left")
        assert isinstance(pilot.app.screen, ResultScreen)
        assert not pilot.app.screen.query("#score")
        assert "made 8, the target" in str(pilot.app.screen.query_one("#headline", Label).content)
        assert "go on until you make a 16" in str(pilot.app.screen.query_one(".counts", Static).content)
