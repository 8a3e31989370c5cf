"""Puzzles in the full screen: the puzzle of the day, and new ones by game, size and difficulty."""

from __future__ import annotations

import textwrap
import threading
from typing import Any

import pytest
from tests.terminal.apps import is_playing, make_app, make_menu, message_text, table_of, until
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from gridproof.core.difficulty import puzzles_of
from gridproof.core.game import Game
from gridproof.core.puzzle import PuzzleId, daily_id, make_puzzle, parse_id, puzzle_of, today
from gridproof.store import Store
from gridproof.terminal import puzzle_dialog
from gridproof.terminal.help_screen import KeysScreen
from gridproof.terminal.puzzle_dialog import DailyDialog, NewPuzzleDialog, games_with_puzzles
from gridproof.terminal.result_screen import ResultScreen
from gridproof.terminal.start_screen import StartScreen

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]

QUICK = parse_id("twenty48-small-easy-1f3k9")


async def _open(pilot: Pilot[None], name: str) -> OptionList:
    """Open an entry of the menu; return the list of its dialog."""
    menu = pilot.app.screen.query_one("#choices", OptionList)
    menu.highlighted = menu.get_option_index(name)
    await pilot.press("enter")
    await pilot.pause()
    return pilot.app.screen.query_one(OptionList)


async def _begin(pilot: Pilot[None], text: str) -> None:
    """Choose an option of the dialog."""
    choices = pilot.app.screen.query_one(OptionList)
    choices.highlighted = choices.get_option_index(text)
    await pilot.press("enter")


async def test_puzzle_of_the_day_is_that_of_all_players(store: Store) -> None:
    wanted = daily_id("twenty48", today())
    async with make_menu(store).run_test(size=(80, 24)) as pilot:
        await _open(pilot, "daily")
        assert isinstance(pilot.app.screen, DailyDialog)
        await _begin(pilot, str(wanted))
        await until(pilot, lambda: is_playing(pilot))
        level = table_of(pilot).level
        puzzle = puzzle_of(level)
        assert puzzle is not None
        assert puzzle.id == wanted
        assert level == make_puzzle(wanted).level
        assert store.puzzles.get(wanted) == puzzle
        title = str(pilot.app.screen.query_one("#title", Static).content)
        assert str(wanted) in title.replace("\n", "")  # a long one is on two lines


async def test_new_puzzle_has_the_chosen_game_size_and_difficulty() -> None:
    async with make_menu().run_test(size=(80, 24)) as pilot:
        rows = await _open(pilot, "new")
        dialog = pilot.app.screen
        assert isinstance(dialog, NewPuzzleDialog)
        rows.highlighted = 0
        while "2048" not in str(rows.get_option("game").prompt):
            await pilot.press("right")
        await pilot.press("down", "right", "down", "left")
        series = dialog._chosen.series
        await pilot.press("down", "enter")
        await until(pilot, lambda: is_playing(pilot))
        puzzle = puzzle_of(table_of(pilot).level)
        assert puzzle is not None
        assert puzzle.id.series == series


async def test_escape_cancels_the_making_then_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def make(puzzle_id: Any, stop: Any, progress: Any) -> None:
        progress(3)
        stop.wait()
        stopped.set()

    monkeypatch.setattr(puzzle_dialog, "make_puzzle", make)
    async with make_menu().run_test() as pilot:
        await _open(pilot, "new")
        await _begin(pilot, "make")
        await until(pilot, lambda: message_text(pilot).endswith("... 3 boards. Press Esc to cancel."))
        await pilot.press("escape")
        await until(pilot, stopped.is_set)
        assert isinstance(pilot.app.screen, NewPuzzleDialog)
        assert "before you see it" in message_text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen)


async def test_puzzle_made_behind_the_help_opens_when_the_help_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_asked, made = threading.Event(), make_puzzle(QUICK)

    def make(puzzle_id: Any, stop: Any, progress: Any) -> Any:
        is_asked.wait()
        return made

    monkeypatch.setattr(puzzle_dialog, "make_puzzle", make)
    async with make_menu().run_test() as pilot:
        await _open(pilot, "new")
        await _begin(pilot, "make")
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, KeysScreen))
        dialog = pilot.app.screen_stack[-2]
        assert isinstance(dialog, NewPuzzleDialog)
        job = dialog._job
        is_asked.set()
        await until(pilot, lambda: job is not None and job.is_done)
        await pilot.pause()
        assert isinstance(pilot.app.screen, KeysScreen)
        await pilot.press("escape")
        await until(pilot, lambda: is_playing(pilot))
        assert table_of(pilot).level == made.level


@pytest.mark.parametrize("game", games_with_puzzles(), ids=str)
async def test_sizes_are_explained_in_full(game: Game) -> None:
    puzzles = puzzles_of(game)
    assert puzzles is not None
    async with make_menu().run_test(size=(80, 24)) as pilot:
        for kind in puzzles.kinds:
            pilot.app.push_screen(NewPuzzleDialog(PuzzleId(game.name, kind.name, kind.difficulties[0], 0)))
            await pilot.pause()
            message = pilot.app.screen.query_one("#message", Static)
            lines = textwrap.wrap(message_text(pilot), message.size.width)
            assert 0 < len(lines) <= message.size.height, lines


@pytest.mark.long
async def test_typed_id_opens_its_puzzle_and_a_wrong_one_says_why() -> None:
    async with make_menu().run_test() as pilot:
        await _open(pilot, "new")
        await _begin(pilot, "id")
        await pilot.pause()
        await pilot.press(*"no", "enter")
        assert "is no id of a puzzle" in message_text(pilot)
        await pilot.press("backspace", "backspace", *str(QUICK), "enter")
        await until(pilot, lambda: is_playing(pilot))
        assert table_of(pilot).level == make_puzzle(QUICK).level


@pytest.mark.long
async def test_win_offers_another_puzzle_like_it() -> None:
    wanted = parse_id("sokoban-small-beginner-1f3k9")
    app = make_menu()
    async with app.run_test() as pilot:
        certificate = make_puzzle(wanted).level.certificate
        assert certificate is not None
        app.choose_puzzle(NewPuzzleDialog(wanted, begin=True))
        await until(pilot, lambda: is_playing(pilot))
        for action in certificate.actions:
            await pilot.press(str(action))
        await pilot.pause()
        assert isinstance(pilot.app.screen, ResultScreen)
        assert pilot.app.screen.query_one(OptionList).get_option_at_index(0).id == "another"
        await pilot.press("enter")
        await until(pilot, lambda: is_playing(pilot) and table_of(pilot).session.actions_done == 0)
        puzzle = puzzle_of(table_of(pilot).level)
        assert puzzle is not None
        assert (puzzle.id.series, puzzle.id == wanted) == (wanted.series, False)


async def test_long_id_is_broken_at_a_hyphen() -> None:
    puzzle_id = parse_id("twenty48-classic-beginner-1f3k9")
    async with make_app([make_puzzle(puzzle_id).level]).run_test(size=(80, 24)) as pilot:
        title = pilot.app.screen.query_one("#title", Static)
        assert str(title.content).splitlines()[-2:] == ["twenty48-classic-", "beginner-1f3k9"]
        assert max(map(len, str(title.content).splitlines()[-2:])) <= title.content_size.width
