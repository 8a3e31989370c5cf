"""The full-screen terminal: a view of a table, made with Textual. It knows no game, only what looks say."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridproof.core.loading import ENDING

if TYPE_CHECKING:
    from textual.app import App

    from gridproof.play.library import Shelf
    from gridproof.play.table import Table

NARROWEST, LOWEST = 30, 12
"""The smallest terminal for it."""


def is_possible() -> bool:
    """Whether there is a terminal that can show it; else a game is played in lines of text."""
    streams = sys.stdin, sys.stdout, sys.stderr  # Textual draws on the last of them
    if not all(stream.isatty() for stream in streams) or os.environ.get("TERM", "") in ("dumb", ""):
        return False
    columns, lines = shutil.get_terminal_size()
    return columns >= NARROWEST and lines >= LOWEST


def run(table: Table | None, library: Shelf | None, notes: Iterable[str] = ()) -> Table | None:
    """Play in the full screen until the player leaves: at a table, or from the menu; notes are told at first.

    Returns
    -------
    Table or None
        The one that was played at last.
    """
    from gridproof.play.terminal.app import GridproofApp
    from gridproof.play.terminal.settings import settings_file

    app = GridproofApp(table, library, settings_file(), notes)
    if came := _run_until_signal(app):
        signal.raise_signal(came)
    return app.table


def _run_until_signal(app: App[None]) -> signal.Signals | None:
    """Show it until the player leaves, or until the program is to end: the signal that has come, if any.

    The event loop hears the signals itself, since an exception of a handler would be lost in the task it comes in.
    """
    came: list[signal.Signals] = []

    def end(number: signal.Signals) -> None:
        came.append(number)
        app.exit()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        for number in before:
            loop.add_signal_handler(number, end, number)
        await app.run_async()

    before = {number: signal.getsignal(number) for number in ENDING if number is not signal.SIGINT}
    try:
        asyncio.run(run())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return came[0] if came else None
