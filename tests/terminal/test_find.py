"""The filter of the list of levels: it searches all packs of all games."""

from __future__ import annotations

import threading

import pytest
from tests.terminal.apps import is_playing, make_app, make_menu, message_text, table_of, until
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, OptionList, Tab

import gridproof as gp
from gridproof.store import Store
from gridproof.terminal.level_preview import Preview
from gridproof.terminal.level_screen import LevelScreen
from gridproof.terminal.start_screen import StartScreen

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]


def _rows(pilot: Pilot[None]) -> list[list[str]]:
    table = pilot.app.screen.query_one(DataTable)
    return [[str(cell) for cell in table.get_row_at(row)] for row in range(table.row_count)]


async def _find(pilot: Pilot[None], text: str) -> None:
    """Type into the filter of the menu's list of levels."""
    await pilot.press("slash")
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))
    await until(pilot, lambda: len(_rows(pilot)) > 100)
    for letter in text:
        await pilot.press("space" if letter == " " else letter)


@pytest.mark.long
async def test_level_of_another_game_is_found_and_played(store: Store) -> None:
    async with make_menu(store).run_test(size=(120, 40)) as pilot:
        await _find(pilot, "soko straight")
        await until(pilot, lambda: len(_rows(pilot)) == 1)
        assert _rows(pilot)[0][1:3] == ["Straight In", "First steps 1"]
        assert message_text(pilot).startswith("Extended Sokoban.")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: is_playing(pilot))
        assert table_of(pilot).level.title == "Straight In"
        await pilot.press("down", "right", "right", "escape", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LevelScreen))
        await until(pilot, lambda: _rows(pilot)[0][0] == "✓")


async def test_packs_have_their_own_titles() -> None:
    async with make_menu().run_test(size=(80, 24)) as pilot:
        pilot.app.push_screen(LevelScreen(gp.game("sokoban"), ["sokoban/drawn-lots", "sokoban/workshop"]))
        await until(pilot, lambda: len(pilot.app.screen.query(Tab)) == 2)
        assert [str(tab.label) for tab in pilot.app.screen.query(Tab)] == ["Random levels", "Workshop"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("first boards", "Boards"),
        ("with bombs", "Random levels with bombs"),
        ("duels", "Duels"),
    ],
)
async def test_titles_of_packs_and_their_names_are_found(text: str, title: str) -> None:
    async with make_menu().run_test(size=(80, 24)) as pilot:
        await _find(pilot, text)
        assert pilot.app.screen.query_one(DataTable).max_scroll_x == 0
        assert {row[2].rpartition(" ")[0] for row in _rows(pilot)} == {title}


@pytest.mark.long
async def test_empty_result_is_said_and_escape_leaves() -> None:
    async with make_menu().run_test() as pilot:
        await _find(pilot, "zzz")
        assert (_rows(pilot), message_text(pilot)) == ([], "No level matches.")
        assert pilot.app.screen.query_one(Preview).board == ()
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen)


@pytest.mark.long
async def test_filter_of_a_game_finds_levels_of_others_and_closes() -> None:
    async with make_menu().run_test() as pilot:
        menu = pilot.app.screen.query_one("#choices", OptionList)
        menu.highlighted = menu.get_option_index("game:robots")
        await pilot.press("enter")
        await until(pilot, lambda: len(_rows(pilot)) == 20)
        await pilot.press("slash", *"bombs")
        await until(pilot, lambda: any(row[2].startswith("Bombs") for row in _rows(pilot)))
        await pilot.press("escape")
        await until(pilot, lambda: len(_rows(pilot)) == 20)


async def test_filter_at_a_table_stays_with_its_levels() -> None:
    async with make_app(gp.levels_at("sokoban/bombs")).run_test() as pilot:
        await pilot.press("f5")
        await pilot.pause()
        await pilot.press("slash", *"straight")
        assert _rows(pilot) == []


async def test_list_that_is_left_while_levels_are_read_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    is_left, read = threading.Event(), threading.Event()

    def read_all(store: object) -> tuple[()]:
        is_left.wait()
        read.set()
        return ()

    monkeypatch.setattr("gridproof.terminal.level_screen.all_levels", read_all)
    async with make_menu().run_test() as pilot:
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))
        screen = pilot.app.screen
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))
        is_left.set()
        await until(pilot, read.is_set)
        await pilot.pause()
        assert isinstance(screen, LevelScreen)
        assert isinstance(pilot.app.screen, StartScreen)
