"""The line that says what is proved, in the full screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.play.terminal.apps import board, playing, said, table_of
from tests.play.test_lookout import EDGE, Proving
from textual.pilot import Pilot
from textual.widgets import Static

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.play.terminal.app import GridproofApp
from gridproof.play.terminal.settings import Settings
from gridproof.play.terminal.watching import WatchScreen


def app_with(mode: str) -> tuple[GridproofApp, Proving]:
    app, proving = playing(gp.read(EDGE)), Proving()
    stands_in: Any = proving
    app.settings.badge, app._prover = mode, stands_in
    proving.close = lambda: None  # type: ignore[attr-defined]
    return app, proving


async def shown(pilot: Pilot[None], proving: Proving) -> str:
    proving.answer()
    await pilot.pause()
    line = pilot.app.screen.query_one("#badge", Static)
    return str(line.content) if line.display else ""


@pytest.mark.slow
@pytest.mark.asyncio
async def test_always_with_the_mistake_one_key_away() -> None:
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        assert await shown(pilot, proving) == "still winnable, shortest: 5 actions"
        await pilot.press("down", "down")
        assert (await shown(pilot, proving)).startswith("dead since action 2, go down: ")
        assert set(board(pilot).marked) == {(3, 4)}
        await pilot.click("#badge")
        assert isinstance(pilot.app.screen, WatchScreen)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_on_request_and_then_always() -> None:
    app, proving = app_with("request")
    async with app.run_test() as pilot:
        assert await shown(pilot, proving) == ""
        await pilot.press("f7")
        assert (await shown(pilot, proving)).startswith("still winnable")
        await pilot.press("left")
        assert await shown(pilot, proving) == ""
        await pilot.press("f8")
        assert "not proved" in said(pilot)
        (choice,) = [one for one in app.get_system_commands(app.screen) if one.title == "Proofs: always"]
        choice.callback()
        assert (await shown(pilot, proving)).startswith("still winnable")
        assert app.settings.badge == "always"
        assert table_of(pilot).lookout.mode == "always"


def test_it_is_kept_in_settings(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    settings = Settings(path, badge="dead")
    settings.save()
    assert Settings.load(path).badge == "dead"
    path.write_text('{"badge": "loud"}')
    with pytest.raises(GridproofError, match="badge is one of always, dead, request, off"):
        Settings.load(path)
