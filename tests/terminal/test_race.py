"""Races in the full screen: who plays each robot, and what each is told."""

from __future__ import annotations

import pytest
from tests.play.terminal.apps import is_playing, playing, said, table_of, work_done
from textual.pilot import Pilot
from textual.widgets import RichLog

import gridproof as gp
from gridproof.play.terminal.app import GridproofApp
from gridproof.play.terminal.playing import PlayScreen
from gridproof.play.terminal.race import RaceDialog
from gridproof.play.terminal.watching import WatchScreen

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

TWO = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"


def _race() -> GridproofApp:
    return playing(gp.read(TWO))


def _log(pilot: Pilot[None]) -> str:
    log = pilot.app.screen.query_one("#log", RichLog)
    return " ".join(line.text.strip() for line in log.lines)


async def test_one_robot_is_played_by_hand_and_the_other_by_a_strategy() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("f6", "down", "right", "right")
        assert said(pilot) == "You play a; the others ask after each of your actions."
        await pilot.press("end", "enter")
        assert is_playing(pilot)
        assert table_of(pilot).partners.chosen.keys() == {"b"}
        await pilot.press("right")
        await work_done(pilot)
        assert table_of(pilot).session.actions_done == 2


async def test_the_player_plays_a_robot_that_is_left_to_hands() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("f6", "right", "end", "enter")
        await pilot.pause()
        assert table_of(pilot).actor == "b"
        assert table_of(pilot).partners.chosen.keys() == {"a"}


async def test_a_race_of_strategies_is_watched() -> None:
    async with _race().run_test() as pilot:
        await pilot.press("f6", "left", "down", "left")
        assert said(pilot) == "A race from the start, to be watched."
        await pilot.press("end", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, WatchScreen)


async def test_what_was_asked_and_told_stands_on_the_rail_for_its_own_robot_alone() -> None:
    async with _race().run_test(size=(120, 30)) as pilot:
        await pilot.press("right")  # a goes on a question
        assert _log(pilot).endswith("a steps ahead a is told: home is ahead")
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen.answer(table_of(pilot).do("b:walk(1,0)"))  # so does b, while the player plays a
        await pilot.pause()
        assert _log(pilot).endswith("b steps ahead")


async def test_where_one_plays_alone_there_are_no_races() -> None:
    async with playing(gp.levels_at("null/first/2")).run_test() as pilot:
        await pilot.press("f6")
        assert not isinstance(pilot.app.screen, RaceDialog)
