"""Badge of the full screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.table.test_status import EDGE, Proving
from tests.terminal.apps import board, is_playing, make_app, message_text, table_of, until
from textual.pilot import Pilot
from textual.widgets import Static

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.text.pack import Pack
from gridproof.table.game_store import PlayerStore
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.settings import Settings


def app_with(
    mode: str, store: PlayerStore | None = None, levels: Pack | None = None
) -> tuple[GridproofApp, Proving]:
    app, proving = make_app(levels or gp.read(EDGE), store), Proving()
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
async def test_badge_in_mode_always_offers_to_go_back() -> None:
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        assert await badge_text(pilot, proving) == "✓ Winnable in 5 moves at best (proved)"
        await pilot.press("down", "down")
        assert await badge_text(pilot, proving) == "✕ Dead since move 2   F7 Why?  F8 Go back"
        assert set(board(pilot).marked_places) == {(3, 4)}
        await pilot.click("#badge")
        await pilot.pause()
        assert is_playing(pilot)
        session = table_of(pilot).session
        assert (session.actions_done, session.actions_undone) == (1, 1)
        assert message_text(pilot).startswith("The last winnable position, after 1 move.")
        assert (await badge_text(pilot, proving)).startswith("✓ Winnable")


@pytest.mark.slow
@pytest.mark.asyncio
async def test_badge_says_when_the_line_is_all_that_is_proved() -> None:
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        await badge_text(pilot, proving)
        await pilot.press("f7")
        await badge_text(pilot, proving)
        assert message_text(pilot) == "The line above says all that is proved about this position."


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("width", [80, 120])
async def test_badge_line_with_a_chance_fits_its_width(width: int) -> None:
    level = gp.read("2048 3x3 spawn=spec target=512\n2 0 0\n0 2 0\n0 0 0\n")
    app, proving = app_with("always", levels=level)
    async with app.run_test(size=(width, 24)) as pilot:
        text = await badge_text(pilot, proving)
        assert text.startswith("• Chance to reach ")
        assert len(text) <= app.screen.query_one("#badge").size.width


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
        assert await badge_text(pilot, proving) == "Can it still be won? F7"
        await pilot.press("f7")
        assert (await badge_text(pilot, proving)).startswith("✓ Winnable")
        await pilot.press("left")
        assert await badge_text(pilot, proving) == "Can it still be won? F7"
        await pilot.press("f8")
        assert message_text(pilot) == "Ask first whether this position can still be won."
        (choice,) = [one for one in app.get_system_commands(app.screen) if one.title == "Proofs: always"]
        choice.callback()
        assert (await badge_text(pilot, proving)).startswith("✓ Winnable")
        assert app.settings.badge == "always"
        assert table_of(pilot).status.mode == "always"


@pytest.mark.slow
@pytest.mark.asyncio
async def test_verdict_is_on_by_default_and_never_moves_the_board() -> None:
    assert Settings().badge == "always"
    app, proving = app_with("always")
    async with app.run_test(size=(80, 24)) as pilot:
        region = board(pilot).region
        for key in ("down", "down", "f7", "u"):
            await pilot.press(key)
            assert board(pilot).region == region
            await badge_text(pilot, proving)
            assert board(pilot).region == region


@pytest.mark.long
@pytest.mark.asyncio
async def test_last_verdict_stays_dimmed_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.terminal.badge.PATIENCE", 2.0)  # a slow machine takes a while for a key
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        shown = await badge_text(pilot, proving)
        app._prover.cancel(table_of(pilot).status)  # type: ignore[union-attr]  # it is there
        await pilot.press("left")
        line = pilot.app.screen.query_one("#badge", Static)
        assert (str(line.content), line.has_class("-old")) == (shown, True)
        await until(pilot, lambda: str(line.content) == "No win in fewer than 4 moves so far")


@pytest.mark.slow
@pytest.mark.asyncio
async def test_reason_of_death_is_said_on_request() -> None:
    app, proving = app_with("always")
    async with app.run_test() as pilot:
        await pilot.press("down", "down")
        await badge_text(pilot, proving)
        assert message_text(pilot) == ""
        await pilot.press("f7")
        assert message_text(pilot) == "The box in row 5, column 4 can reach no depot."


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
