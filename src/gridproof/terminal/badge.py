"""Line of the game screen that shows the proof status of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, cast

from textual.app import SystemCommand
from textual.widgets import Static

from gridproof.core.look import Mark
from gridproof.core.text.display import printable
from gridproof.table.status import ALWAYS, MODES, WHEN_DEAD
from gridproof.table.table import Table
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.board import BoardView
from gridproof.terminal.cursor import PATH_PIECE

THINKING = "Thinking ..."


class TableScreen(Protocol):
    """The screen of a game, as the badge uses it."""

    table: Table

    @property
    def owner(self) -> BaseApp: ...

    @property
    def board(self) -> BoardView: ...

    def say(self, words: str) -> None: ...

    def action_run(self, text: str) -> None: ...


class BadgeLine(Static):
    """Proof status; a click asks for it, or shows where a dead position could be won for the last time."""

    def __init__(self) -> None:
        super().__init__(id="badge", markup=False)
        self.display = False

    def on_mount(self) -> None:
        """Start to prove the table's positions."""
        screen = self._table_screen
        status = screen.table.status
        owner = screen.owner  # which a screen that was left does not know any more
        status.serve(owner.prover, self.show, lambda callback: owner.call_soon(lambda: self._call(callback)))
        status.set_mode(screen.owner.settings.badge)

    def on_unmount(self) -> None:
        """Stop proofs."""
        self._table_screen.table.status.cancel()

    def on_click(self) -> None:
        """Ask for the proof status, or show the mistake."""
        badge = self._table_screen.table.status.badge
        self._table_screen.action_run("mistake" if badge is not None and badge.dead else "proof")

    def show(self) -> None:
        """Show the current proof status, and where boxes are stuck."""
        status = self._table_screen.table.status
        self.update(printable(status.text) or (THINKING if status.is_searching(status.mode) else ""))
        self.display = status.is_requested or status.mode in (ALWAYS, WHEN_DEAD)  # the board keeps its size
        self.set_class(status.badge is not None and status.badge.dead, "-dead")
        cells = [cell for note in status.badge.notes for cell in note.cells] if status.badge else []
        if cells and status.text:
            self._table_screen.board.mark(Mark(x, y, PATH_PIECE) for x, y in cells)

    @property
    def _table_screen(self) -> TableScreen:
        return cast("TableScreen", self.screen)  # it stands on no other

    def _call(self, callback: Callable[[], None]) -> None:
        if self.is_mounted:
            callback()


def list_commands(screen: TableScreen) -> Iterator[SystemCommand]:
    """List the commands that choose when the proof status is shown."""
    for mode, words in MODES.items():
        yield SystemCommand(
            f"Proofs: {mode}",
            f"when to show the proof status: {words}",
            lambda mode=mode: _choose(screen, mode),
        )


def _choose(screen: TableScreen, mode: str) -> None:
    screen.owner.save_settings(badge=mode)
    screen.table.status.set_mode(mode)
    screen.say(f"The proof status is shown {MODES[mode]}.")
