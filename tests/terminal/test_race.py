"""Races in the full screen: players of robots, and messages for each."""

from __future__ import annotations

import pytest
from tests.terminal.apps import is_playing, make_app, message_text, table_of, until, wait_for_job
from textual.pilot import Pilot
from textual.widgets import OptionList, RichLog

import gridproof as gp
from gridproof.table.game_store import PlayerStore
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.game_screen import GameScreen
from gridproof.terminal.race_dialog import PlayersDialog
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.result_screen import ResultScreen

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

TWO = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"


def _race() -> GridproofApp:
    return make_app(gp.read(TWO))


def _log(pilot: Pilot[None]) -> str:
    log = pilot.app.screen.query_one("#log", RichLog)
    return " ".join(line.text.strip() for line in log.lines)


async def test_race_mixes_hand_and_strategy() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("p")  # a program plays the other robot
        assert (
            message_text(pilot) == "You play a; the others ask after each request that the board grants you."
        )
        await pilot.press("end", "enter")
        assert is_playing(pilot)
        assert table_of(pilot).co_players.chosen.keys() == {"b"}
        await pilot.press("right")
        await wait_for_job(pilot)
        assert table_of(pilot).session.actions_done == 2


async def test_player_acts_for_robot_played_by_hand() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("p", "right", "down", "left", "end", "enter")
        await pilot.pause()
        assert table_of(pilot).actor == "b"
        assert table_of(pilot).co_players.chosen.keys() == {"a"}


async def test_race_of_strategies_is_replayed() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("f6")
        lines = pilot.app.screen.query_one(OptionList).options
        assert not any("hand" in str(line.prompt) for line in lines)
        await pilot.press("right", "end", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReplayScreen)


async def test_game_has_at_least_one_robot_played_by_hand() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("p", "right", "end", "enter")
        assert isinstance(pilot.app.screen, PlayersDialog)
        assert message_text(pilot).startswith("Play at least one of them by hand.")
        assert not table_of(pilot).co_players.chosen


LOST = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . . A\nb B . . .\n"


async def test_loser_of_race_is_offered_another_one_first(store: PlayerStore) -> None:
    async with make_app(gp.read(LOST), store).run_test() as pilot:
        await pilot.press("p", "down", "right", "end", "enter", "right")
        await until(pilot, lambda: isinstance(pilot.app.screen, ResultScreen))
        choices = pilot.app.screen.query_one(OptionList)
        prompts = [str(choice.prompt) for choice in choices.options]
        assert prompts == ["Play it again ⏎", "Undo the last action", "Watch it again", "A new game", "Menu"]
        assert table_of(pilot).status.is_won_by_others
        assert table_of(pilot).best == {}  # the other's win is not the player's best
        await pilot.press("enter")
        await until(pilot, lambda: is_playing(pilot))
        assert table_of(pilot).session.actions_done == 0


async def test_sidebar_shows_requests_and_hints_of_own_robot_only() -> None:
    async with _race().run_test(size=(120, 30)) as pilot:
        await pilot.press("right")  # a goes on a question
        assert message_text(pilot) == "a steps right; a is told: home is to the right"
        assert "a steps right" not in _log(pilot)  # what is said is in one place
        screen = pilot.app.screen
        assert isinstance(screen, GameScreen)
        screen.show_messages(table_of(pilot).do("b:walk(1,0)"))  # so does b, while the player plays a
        await pilot.pause()
        assert _log(pilot).endswith("a steps right a is told: home is to the right")
        assert message_text(pilot) == "b steps right"


async def test_race_is_not_offered_with_one_actor() -> None:
    async with make_app(gp.levels_at("null/first/2")).run_test() as pilot:
        await pilot.press("f6", "p")
        assert is_playing(pilot)
