"""Badge of the full screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.table.test_status import EDGE, Proving
from tests.terminal.apps import board, make_app, message_text, table_of
from textual.pilot import Pilot
from textual.widgets import Static

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.settings import Settings


def app_with(mode: str) -> tuple[GridproofApp, Proving]:
    app, proving = make_app(gp.read(EDGE)), Proving()
    stands_in: Any = proving
    app.settings.badge, app._prover = mode, stands_in
    proving.close = lambda: None  # type: ignore[attr-defined]
    return app, proving


async def badge_text(pilot: Pilot[None], proving: Proving) -> str:
    proving.answer()
    await pilot.pause()
    line = pilot.app.screen.query_one("#badge", Static)
    return str(line.content) if line.display else ""


@pytest.mark.slow
@pytest.mark.asyncio
async def test_badge_in_mode_always_offers_the_mistake() -> None:
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        assert await badge_text(pilot, proving) == "still winnable, shortest: 5 actions"
        await pilot.press("down", "down")
        assert (await badge_text(pilot, proving)).startswith("dead since action 2, go down: ")
        assert set(board(pilot).marked_places) == {(3, 4)}
        await pilot.click("#badge")
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert (pilot.app.screen.replay.at, pilot.app.screen.is_playing) == (1, False)
        await pilot.press("enter")
        await pilot.pause()
        assert table_of(pilot).session.actions_done == 1
        assert (await badge_text(pilot, proving)).startswith("still winnable")


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["always", "dead"])
async def test_badge_line_shows_running_search(mode: str) -> None:
    app, _ = app_with(mode)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert str(pilot.app.screen.query_one("#badge", Static).content) == "Thinking ..."


@pytest.mark.slow
@pytest.mark.asyncio
async def test_badge_switches_from_request_to_always() -> None:
    app, proving = app_with("request")
    async with app.run_test() as pilot:
        assert await badge_text(pilot, proving) == ""
        await pilot.press("f7")
        assert (await badge_text(pilot, proving)).startswith("still winnable")
        await pilot.press("left")
        assert await badge_text(pilot, proving) == ""
        await pilot.press("f8")
        assert "not proved" in message_text(pilot)
        (choice,) = [one for one in app.get_system_commands(app.screen) if one.title == "Proofs: always"]
        choice.callback()
        assert (await badge_text(pilot, proving)).startswith("still winnable")
        assert app.settings.badge == "always"
        assert table_of(pilot).status.mode == "always"


def test_badge_mode_is_saved_in_settings(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    settings = Settings(path, badge="dead")
    settings.save()
    assert Settings.load(path).badge == "dead"
    path.write_text('{"badge": "loud"}')
    with pytest.raises(
        GridproofError, match="invalid settings are ignored: badge must be one of always, dead, request, off"
    ):
        Settings.load(path)
