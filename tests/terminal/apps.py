"""What tests of the full-screen terminal share: an application with a table, and what is seen on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from gridproof.core.session import Session
from gridproof.play.library import Shelf
from gridproof.play.table import Table
from gridproof.play.terminal.app import GridproofApp
from gridproof.play.terminal.board import BoardView, Place
from gridproof.play.terminal.playing import PlayScreen


def playing(levels: Any, library: Shelf | None = None, seed: int = 0, **options: Any) -> GridproofApp:
    """An application in which levels are played, without what moves by itself."""
    store: Any = library
    app = GridproofApp(Table(Session(levels, seed, store), library, **options), library)
    app.settings.motion = False
    return app


def said(pilot: Pilot[None]) -> str:
    """The line below the board, or that of a dialog."""
    return str(pilot.app.screen.query("#told, .fault").first(Static).content)


def table_of(pilot: Pilot[None]) -> Table:
    """The table that is played at."""
    app = pilot.app
    assert isinstance(app, GridproofApp)
    assert app.table is not None
    return app.table


def board(pilot: Pilot[None]) -> BoardView:
    """The board of the screen on top."""
    return pilot.app.screen.query_one("#board", BoardView)


def on_board(pilot: Pilot[None], place: Place) -> tuple[int, int]:
    """Where a cell is, in characters from the board's corner."""
    view = board(pilot)
    return next(
        (x, y)
        for y in range(view.size.height)
        for x in range(view.size.width)
        if view.place_at(view.region.offset.__class__(x, y)) == place
    )


async def until(pilot: Pilot[None], there: Callable[[], object]) -> None:
    """Wait for a state, as long as a very slow machine may need."""
    for _ in range(12_000):
        if there():
            return
        await pilot.pause(0.01)
    assert there()


async def work_done(pilot: Pilot[None]) -> None:
    """Wait until long work is done, and what came of it is told."""
    job = table_of(pilot).job
    while job is not None and table_of(pilot).job is job:
        await pilot.pause(0.005)
    await pilot.pause()


def is_playing(pilot: Pilot[None]) -> bool:
    """Whether the board is in front."""
    return isinstance(pilot.app.screen, PlayScreen)
