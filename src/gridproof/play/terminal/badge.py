"""The line that says what is proved of the position, on the screen of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.widgets import Static

from gridproof.core.look import Mark
from gridproof.play.lookout import ALWAYS, MODES, WHEN_DEAD
from gridproof.play.terminal.pointing import WAY
from gridproof.play.text import printable

if TYPE_CHECKING:
    from gridproof.play.terminal.playing import PlayScreen


class BadgeLine(Static):
    """What is proved; a click asks for it, or shows where a dead position could be won for the last time."""

    def __init__(self) -> None:
        super().__init__(id="badge", markup=False)
        self.display = False

    def on_mount(self) -> None:
        """Have the table's positions looked at."""
        screen = self._playing
        lookout = screen.table.lookout
        owner = screen.owner  # which a screen that was left does not know any more
        lookout.serve(owner.prover, self.show, lambda deed: owner.soon(lambda: self._do(deed)))
        lookout.choose(screen.owner.settings.badge)

    def on_unmount(self) -> None:
        """Nobody waits for a proof any more."""
        self._playing.table.lookout.leave()

    def on_click(self) -> None:
        """Ask, or show the mistake."""
        badge = self._playing.table.lookout.badge
        self._playing.action_run("mistake" if badge is not None and badge.dead else "proof")

    def show(self) -> None:
        """Show what is known now, and where boxes are stuck."""
        lookout = self._playing.table.lookout
        self.update(printable(lookout.text) or ("..." if lookout.asked else ""))
        self.display = lookout.asked or lookout.mode in (ALWAYS, WHEN_DEAD)  # the board keeps its size
        self.set_class(lookout.badge is not None and lookout.badge.dead, "-dead")
        cells = [cell for note in lookout.badge.notes for cell in note.cells] if lookout.badge else []
        if cells and lookout.text:
            self._playing.board.mark(Mark(x, y, WAY) for x, y in cells)

    @property
    def _playing(self) -> PlayScreen:
        screen: PlayScreen = self.screen  # type: ignore[assignment]  # it stands on no other
        return screen

    def _do(self, deed: Callable[[], None]) -> None:
        if self.is_mounted:
            deed()


def choices(screen: PlayScreen) -> Iterator[SystemCommand]:
    """When one may be told what is proved."""
    for mode, words in MODES.items():
        yield SystemCommand(
            f"Proofs: {mode}",
            f"when to be told what is proved: {words}",
            lambda mode=mode: _choose(screen, mode),
        )


def _choose(screen: PlayScreen, mode: str) -> None:
    screen.owner.keep(badge=mode)
    screen.table.lookout.choose(mode)
    screen.say(f"What is proved is told {MODES[mode]}.")
