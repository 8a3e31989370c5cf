"""Full-screen terminal: a view of a table, made with Textual. It knows no game, only looks."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridproof.table.game_store import PlayerStore
    from gridproof.table.table import Table
    from gridproof.terminal.app import GridproofApp

MIN_COLUMNS, MIN_LINES = 30, 12
"""Columns and lines of the smallest terminal for it."""


def is_possible() -> bool:
    """Return whether the terminal can show the full screen; else a game is played in lines of text."""
    streams = sys.stdin, sys.stdout, sys.stderr  # Textual draws on the last of them
    if not all(stream.isatty() for stream in streams) or os.environ.get("TERM", "") in ("dumb", ""):
        return False
    columns, lines = shutil.get_terminal_size()
    return columns >= MIN_COLUMNS and lines >= MIN_LINES


def run(table: Table | None, store: PlayerStore | None, notes: Iterable[str] = ()) -> Table | None:
    """Play at a table, or from the menu, until the player leaves; show the notes first.

    Returns
    -------
    Table or None
        The table played last.

    Raises
    ------
    GridproofError
        When a board cannot be drawn. Other errors, such as those of plug-ins, pass through.
    """
    from gridproof.terminal.app import GridproofApp
    from gridproof.terminal.settings import settings_file

    app = GridproofApp(table, store, settings_file(), notes)
    if received := asyncio.run(_run(app)):
        signal.raise_signal(received)
    if app.error is not None:
        raise app.error
    return app.table


async def _run(app: GridproofApp) -> signal.Signals | None:
    """Run the application; return the signal that ended it, if any."""
    from gridproof.terminal.signals import Signals

    loop = asyncio.get_running_loop()
    with Signals(lambda: loop.call_soon_threadsafe(app.exit)) as signals:
        await app.run_async()
    return signals.received
