"""The full-screen terminal: a view of a table, made with Textual. It knows no game, only what looks say."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def run(table: Table | None, library: Shelf | None) -> Table | None:
    """Play in the full screen until the player leaves: at a table, or from the menu.

    Returns
    -------
    Table or None
        The one that was played at last.
    """
    from gridproof.play.terminal.app import GridproofApp
    from gridproof.play.terminal.settings import settings_file

    app = GridproofApp(table, library, settings_file())
    app.run()
    return app.table
