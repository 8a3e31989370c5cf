"""Shared helpers of terminal tests: an application with a table, and parts of its screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from gridproof.core.session import Session
from gridproof.table.game_store import PlayerStore
from gridproof.table.status import OFF
from gridproof.table.table import Table
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.board import BoardView, Place
from gridproof.terminal.game_screen import GameScreen


def make_app(levels: Any, store: PlayerStore | None = None, seed: int = 0, **options: Any) -> GridproofApp:
    """Return an application with levels, without animation and without proofs."""
    sessions: Any = store
    return _make_calm(GridproofApp(Table(Session(levels, seed, sessions), store, **options), store))


def make_menu(store: PlayerStore | None = None) -> GridproofApp:
    """Return an application that begins with the menu, without animation and without proofs."""
    return _make_calm(GridproofApp(None, store))


def _make_calm(app: GridproofApp) -> GridproofApp:
    app.settings.motion, app.settings.badge = False, OFF
    return app


def message_text(pilot: Pilot[None]) -> str:
    """Return the text of the message line, or of a dialog's error."""
    return str(pilot.app.screen.query("#message, .fault").first(Static).content)


def table_of(pilot: Pilot[None]) -> Table:
    """Return the current table."""
    app = pilot.app
    assert isinstance(app, GridproofApp)
    assert app.table is not None
    return app.table


def board(pilot: Pilot[None]) -> BoardView:
    """Return the board of the current screen."""
    return pilot.app.screen.query_one("#board", BoardView)


def on_board(pilot: Pilot[None], place: Place) -> tuple[int, int]:
    """Return the offset of a cell from the board's corner."""
    view = board(pilot)
    return next(
        (x, y)
        for y in range(view.size.height)
        for x in range(view.size.width)
        if view.place_at(view.region.offset.__class__(x, y)) == place
    )


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait for a condition, as long as a very slow machine may need."""
    for _ in range(12_000):
        if condition():
            return
        await pilot.pause(0.01)
    assert condition()


async def wait_for_job(pilot: Pilot[None]) -> None:
    """Wait until the job is done, and its messages are shown."""
    job = table_of(pilot).job
    while job is not None and table_of(pilot).job is job:
        await pilot.pause(0.005)
    await pilot.pause()


def is_playing(pilot: Pilot[None]) -> bool:
    """Return whether the game screen is in front."""
    return isinstance(pilot.app.screen, GameScreen)
