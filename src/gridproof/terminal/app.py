"""The application with its screens."""

from __future__ import annotations

from gridproof.table.table import Table
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.game_screen import GameScreen
from gridproof.terminal.help_screen import KeysScreen
from gridproof.terminal.start_screen import StartScreen


class GridproofApp(BaseApp):
    """Games in the full screen of a terminal.

    Parameters
    ----------
    table : Table, optional
        Table to play at first; without one, the menu opens.
    store : PlayerStore, optional
        Store of games and best counts.
    settings : Path, optional
        File of the player's settings.
    notes : words
        Warnings to show at first, such as which levels are left out.
    """

    def action_keys_here(self) -> None:
        """Show the keys of the current screen."""
        self.push_screen(KeysScreen(self.screen))

    def _show_table(self, table: Table) -> None:
        self.push_for_result(GameScreen(table), lambda _: self._show_menu())

    def _show_menu(self) -> None:
        if len(self.screen_stack) == 1:
            self.push_screen(StartScreen())
