"""Contents of the screens: the current level, keys, help everywhere."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from rich.segment import Segment
from rich.style import Style
from tests.table.games import TWO_LEVELS
from tests.terminal.apps import is_playing, make_app, message_text, table_of, until
from textual.events import Key
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import OptionList, RichLog, Static
from textual.widgets._footer import FooterKey

import gridproof as gp
from gridproof.store import Store
from gridproof.table.status import OFF
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.board import BoardView, replace_character
from gridproof.terminal.help_screen import KeysScreen
from gridproof.terminal.level_screen import LevelScreen
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.result_screen import ResultScreen
from gridproof.terminal.widgets import KeyFooter

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

RACE = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . . A\nb . . . B\n"


def _text_at(pilot: Pilot[None], place: str) -> str:
    return str(pilot.app.screen_stack[1].query_one(place, Static).content)


def _log(pilot: Pilot[None]) -> list[str]:
    return [line.text.strip() for line in pilot.app.screen.query_one(RichLog).lines]


def _footer_keys(pilot: Pilot[None]) -> dict[str, str]:
    return {key.description: key.key for key in pilot.app.screen.query(FooterKey)}


async def test_sidebar_shows_won_level_behind_result() -> None:
    async with make_app(gp.read(TWO_LEVELS)).run_test(size=(80, 24)) as pilot:
        await pilot.press("right")
        assert isinstance(pilot.app.screen, ResultScreen)
        assert _text_at(pilot, "#title").startswith("first")
        assert _text_at(pilot, "#line").startswith("moves 1, pushes 1")
        await pilot.press("enter")
        assert is_playing(pilot)
        assert _text_at(pilot, "#title").startswith("second")
        assert _text_at(pilot, "#line").startswith("moves 0, pushes 0")
        await until(pilot, lambda: _log(pilot)[:1] == ["Push every box onto a"])  # nothing of the first


async def test_last_win_leaves_the_board_visible() -> None:
    async with make_app(gp.read("#####\n#@$.#\n#####")).run_test() as pilot:
        await pilot.press("right")
        await until(pilot, lambda: "Look at the board" in _footer_keys(pilot))
        await pilot.press("escape")
        assert is_playing(pilot)
        assert table_of(pilot).session.position.won
        await pilot.press("left", "enter")
        assert isinstance(pilot.app.screen, ResultScreen)


async def test_result_returns_after_replay_of_won_level() -> None:
    async with make_app(gp.read(TWO_LEVELS)).run_test() as pilot:
        await pilot.press("right", "j", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, ResultScreen)
        assert _text_at(pilot, "#title").startswith("first")


async def test_replay_of_trace_shows_length_and_end() -> None:
    app = make_app(gp.read(TWO_LEVELS))
    app.settings.step = 60
    async with app.run_test() as pilot:
        await pilot.press("f4")
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        assert message_text(pilot).startswith("0 of 1: ")
        await pilot.press("right")
        await until(pilot, lambda: screen.is_at_end and not screen.is_playing)
        assert message_text(pilot) == (
            "1 of 1, at its end: go right. Every box stands on a depot: the level is completed."
        )
        await pilot.press("space")  # once more
        assert screen.is_playing
        await pilot.press("home", "end")
        await until(pilot, lambda: screen.is_at_end)


async def test_replay_of_player_shows_steps_so_far() -> None:
    async with make_app(gp.levels_at("null/first/3")).run_test() as pilot:
        table = table_of(pilot)
        await pilot.press("colon", *"watch random", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("right")
        await until(pilot, lambda: not screen.is_busy and screen.replay.at)
        assert message_text(pilot).partition(":")[0].endswith(" so far, paused")
        assert table.session.actions_done == 0


async def test_actor_change_is_announced() -> None:
    async with make_app(gp.read(RACE)).run_test() as pilot:
        await pilot.press("i")
        await until(pilot, lambda: message_text(pilot).startswith("Hint"))
        await pilot.press("tab")
        assert message_text(pilot) == "You play b."


async def test_requests_are_shown_without_sidebar() -> None:
    async with make_app(gp.read(RACE)).run_test(size=(40, 20)) as pilot:
        await pilot.press("right")
        assert message_text(pilot) == "a steps right"


@pytest.mark.long
async def test_narrow_counts_omit_best_counts_that_do_not_fit(url: str) -> None:
    session = gp.Session(gp.read(TWO_LEVELS), store=(store := Store(url)))
    session.act("right")
    async with make_app(gp.read(TWO_LEVELS), store).run_test(size=(22, 20)) as pilot:
        assert _text_at(pilot, "#line") == "moves 0, pushes 0"
        await pilot.resize_terminal(66, 20)
        await pilot.press("up")
        await pilot.pause()
        grid: Any = pilot.app.screen.query_one("#counts", Static).content
        assert grid.row_count == 4  # the best ones among them


async def test_long_solution_is_cut_with_a_mark() -> None:
    level = gp.read(f"{14 * '#'}\n#@{11 * ' '}#\n#{12 * '$'}#\n#{12 * '.'}#\n{14 * '#'}")
    async with make_app(level).run_test(size=(40, 20)) as pilot:
        await pilot.press("f3")
        await until(pilot, lambda: message_text(pilot).endswith(" …"))
        assert max(map(len, message_text(pilot).splitlines())) <= 38


async def test_job_progress_is_shown_below_the_board_while_it_runs() -> None:
    async with make_app(gp.read(TWO_LEVELS)).run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "enter", "i")
        await until(pilot, lambda: message_text(pilot).startswith("Hint: "))
        assert not [line for line in _log(pilot) if "Looking" in line]


async def test_fast_list_keys_are_handled_in_order() -> None:
    """A binding of the screen would run before arrows that were typed earlier."""
    app = GridproofApp()
    async with app.run_test() as pilot:
        listed = app.screen.query_one(OptionList)
        listed.highlighted = 0
        for key in ("down", "s", "k", "down", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: isinstance(app.screen, LevelScreen))
        assert listed.highlighted == 2


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("f5",), "n go to the next unsolved level"),
        (("f4",), "Space pause or resume"),
        (("p",), "→ l d next player for this actor"),
        (("ctrl+s",), "Enter confirm"),
    ],
)
async def test_help_key_works_on_every_screen(keys: tuple[str, ...], line: str) -> None:
    async with make_app([gp.read(RACE)[0], gp.read(RACE)[0]]).run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        before = pilot.app.screen
        await until(pilot, lambda: "Help" in _footer_keys(pilot))
        await pilot.press("f1")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        assert line in [f"{keys} {words}" for keys, words in screen.lines]
        await pilot.press("escape")
        assert pilot.app.screen is before


@pytest.mark.parametrize(("width", "is_below_board"), [(80, False), (40, True)])
async def test_welcome_is_below_board_of_narrow_terminal_alone(width: int, is_below_board: bool) -> None:
    """Beside the board of a wide one it stands in the log, once."""
    async with make_app(gp.levels_at("shiftit/boards/1")).run_test(size=(width, 24)) as pilot:
        assert message_text(pilot).startswith("Welcome to Shift It") == is_below_board
        assert "shifts 0" in str(pilot.app.screen.query_one("#line", Static).content)


async def test_menu_keeps_selection_and_shows_game_titles(url: str, close_stores: None) -> None:
    app = GridproofApp(None, Store(url))
    app.settings.motion, app.settings.badge = False, OFF
    async with app.run_test() as pilot:
        listed = app.screen.query_one(OptionList)
        listed.highlighted = listed.get_option_index("game:sokoban")
        await pilot.pause()
        assert (
            message_text(pilot)
            == "Push every box onto a depot; bombs delete the walls of a row and a column."
        )
        app.play(gp.levels_at("sokoban/first-steps"))
        await pilot.pause()
        await pilot.press("down", "escape")
        await pilot.pause()
        assert str(listed.options[0].prompt) == "Continue  Straight In  Extended Sokoban"
        assert listed.highlighted == listed.get_option_index("game:sokoban")


@pytest.mark.long
async def test_skipped_levels_are_reported_at_start() -> None:
    app = GridproofApp(make_app(gp.read(TWO_LEVELS)).table, notes=["Level 2 is skipped: [at] line 5"])
    async with app.run_test() as pilot:
        await pilot.pause()
        assert [one.message for one in app._notifications] == ["Level 2 is skipped: [at] line 5"]


async def test_spark_keeps_background_below_it() -> None:
    below = Strip([Segment("▌", Style(color="#111111", bgcolor="#222222"))])
    (spark,) = replace_character(below, Segment("*", Style(color="#333333")))
    assert (spark.text, str(spark.style)) == ("*", "#333333 on #222222")


async def test_action_redraws_changed_widgets_without_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The footer is laid out again only when its keys change; of a large board only what is in view is drawn."""
    made: list[str] = []
    hall = "\n".join(["#" * 60, "#@" + " " * 57 + "#", *["#" + " " * 58 + "#"] * 55, "#" * 58 + "$." + "#"])
    monkeypatch.setattr(KeyFooter, "compose", count_calls(made, KeyFooter.compose))
    monkeypatch.setattr(BoardView, "_draw_row", count_calls(made, BoardView._draw_row))
    async with make_app(gp.read(hall)).run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right")
        await pilot.pause()
        made.clear()
        await pilot.press("right")
        await pilot.pause()
        assert made
        assert {*made} == {"_draw_row"}
        assert len(made) <= 24


def count_calls(made: list[str], function: Any) -> Any:
    """Return the function with a note of each call."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        made.append(function.__name__)
        return function(*args)

    return call
