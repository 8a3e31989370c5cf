"""The menu, the levels, replays, and saved games."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.table.games import TWO_LEVELS
from tests.terminal.apps import (
    board,
    is_playing,
    make_app,
    make_menu,
    message_text,
    on_board,
    table_of,
    until,
)
from textual.pilot import Pilot
from textual.widgets import DataTable, OptionList
from textual.widgets._footer import FooterKey

import gridproof as gp
from gridproof.store import Store
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.help_screen import KeysScreen
from gridproof.terminal.level_screen import LevelScreen
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.result_screen import ResultScreen
from gridproof.terminal.start_screen import StartScreen

pytestmark = pytest.mark.asyncio


async def _wait_for_levels(pilot: Pilot[None], screen: LevelScreen) -> None:
    await until(pilot, lambda: screen.query_one(DataTable).row_count)


async def _wait_for_key(pilot: Pilot[None], key: str) -> None:
    """Wait until the line at the bottom names a key."""
    await until(pilot, lambda: key in {one.description for one in pilot.app.screen.query(FooterKey)})


@pytest.mark.long
async def test_menu_leads_to_level_and_back_to_saved_game(store: Store) -> None:
    app = GridproofApp(None, store)
    app.settings.motion = False
    async with app.run_test() as pilot:
        assert isinstance(app.screen, StartScreen)
        await _wait_for_key(pilot, "Play")
        choices = app.screen.query_one("#choices", OptionList)
        choices.highlighted = choices.get_option_index("game:sokoban")
        await pilot.press("enter")
        levels = app.screen
        assert isinstance(levels, LevelScreen)
        await _wait_for_levels(pilot, levels)
        await _wait_for_key(pilot, "Play")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert (is_playing(pilot), table_of(pilot).session.current) == (True, 1)
        await pilot.press("left")  # only games with an action are offered again
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, LevelScreen)
        titles = app.screen.query_one(DataTable).ordered_columns[2]
        assert not titles.auto_width  # which is wrong while the table is not seen
        assert titles.get_render_width(app.screen.query_one(DataTable)) >= len("Straight In")
        await pilot.press("escape", "escape")  # the second does nothing: only q quits
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        first = app.screen.query_one("#choices", OptionList).get_option_at_index(0)
        assert str(first.prompt).startswith("Continue")
        app.screen.query_one("#choices", OptionList).highlighted = 0
        await pilot.press("enter")
        await pilot.pause()
        assert (is_playing(pilot), table_of(pilot).session.current) == (True, 1)


@pytest.mark.slow
async def test_won_levels_show_best_counts(store: Store) -> None:
    session = gp.Session(gp.read(TWO_LEVELS), store=store)
    session.act("right")
    async with make_app(gp.read(TWO_LEVELS), store).run_test() as pilot:
        await pilot.press("f5")
        await pilot.pause()
        rows = pilot.app.screen.query_one(DataTable)
        cells = [[str(cell) for cell in rows.get_row_at(place)] for place in range(2)]
        assert cells == [["▸", "1", "first", "1", ""], [" ", "2", "second", "", ""]]
        assert message_text(pilot) == "Best results so far: moves 1, pushes 1."
        await pilot.press("slash", *"sec")
        assert rows.row_count == 1
        await pilot.press("escape")
        assert rows.row_count == 2


@pytest.mark.slow
async def test_actions_are_saved_before_they_are_shown(store: Store) -> None:
    """Another process, after a kill -9, finds what this one has shown."""
    async with make_app(gp.levels_at("null/first/2"), store, seed=1).run_test() as pilot:
        for done, key in enumerate(("right", "right", "left"), 1):
            await pilot.press(key)
            other = Store(store.url)
            name = other.latest()
            assert name
            assert other.resume(name).actions_done == done == table_of(pilot).session.actions_done


@pytest.mark.long
async def test_trace_replay_steps_forward_back_and_faster(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    session = gp.Session(gp.read(TWO_LEVELS)[1])
    session.act("right")
    session.act("right")
    session.trace().save(path)
    async with make_app(gp.read(TWO_LEVELS)).run_test() as pilot:
        await pilot.press("ctrl+o", *str(path), "enter")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        screen.is_playing = False
        await pilot.press("home")
        for key, at in (("right", 1), ("right", 2), ("left", 1), ("home", 0), ("end", 2)):
            await pilot.press(key)
            while screen.is_busy:
                await pilot.pause(0.005)
            assert screen.replay.at == at
        await pilot.press("plus")
        assert message_text(pilot) == "8 steps per second"
        await pilot.press("escape")
        assert is_playing(pilot)


@pytest.mark.slow
async def test_switched_robots_see_their_own_hints_only() -> None:
    text = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"
    async with make_app(gp.read(text)).run_test() as pilot:
        table = table_of(pilot)
        assert table.actor == "a"
        await pilot.press("right")
        assert "hints of a" in dict(table.board.counts)
        await pilot.press("tab")
        assert table.actor == "b"
        assert "hints of a" not in dict(table.board.counts)
        assert "hints of a" not in str(pilot.app.screen.query_one("#line").content)  # type: ignore[attr-defined]
        await pilot.press("right")
        assert "hints of b" in dict(table.board.counts)


@pytest.mark.slow
async def test_plug_in_is_played_by_mouse_and_cursor() -> None:
    async with make_app(gp.levels_at("lights_out/first/1")).run_test() as pilot:
        await pilot.press("up", "enter")  # the middle lamp
        assert isinstance(pilot.app.screen, ResultScreen)
        await pilot.press("escape", "u")
        await pilot.click("#board", offset=on_board(pilot, (0, 0)))
        assert table_of(pilot).session.actions_done == 1


@pytest.mark.slow
async def test_twenty48_is_swiped_and_continues_after_loss() -> None:
    async with make_app(gp.read("2048 2x2\n2 2\n4 2\n")).run_test() as pilot:
        view = board(pilot)
        await pilot.mouse_down("#board", offset=on_board(pilot, (0, 0)))
        await pilot.mouse_up("#board", offset=on_board(pilot, (1, 0)))
        assert table_of(pilot).session.actions_done == 1
        assert view.columns == 2


@pytest.mark.slow
async def test_help_of_the_menu_lists_its_own_keys() -> None:
    async with make_menu().run_test(size=(80, 24)) as pilot:
        await _wait_for_key(pilot, "Help")
        await pilot.press("question_mark")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        assert ("/", "find a level of any game") in screen.lines
        assert not any("undo" in words for _, words in screen.lines)
