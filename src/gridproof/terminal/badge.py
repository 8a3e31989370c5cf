"""Line of the game screen with the verdict: what is proved about the position. It never moves the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, cast

from rich.text import Text
from textual.app import SystemCommand
from textual.timer import Timer
from textual.widgets import Static

from gridproof.core.look import Mark
from gridproof.core.text.display import printable
from gridproof.prove.estimate import estimator
from gridproof.prove.position_status import Standing
from gridproof.prove.verdict_line import explain_death
from gridproof.table.status import MODES, OFF, ON_REQUEST, WHEN_DEAD, StatusObserver
from gridproof.table.table import Table
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.board import BoardView
from gridproof.terminal.cursor import PATH_PIECE
from gridproof.terminal.help_screen import key_label

ASK = "Can it still be won?"
ALL_PROVED = "The line above says all that is proved about this position."
SILENCE = "No verdict while it may still be won"
THINKING = "Thinking ..."
MARKS = {Standing.WINNABLE: "✓", Standing.DEAD: "✕", Standing.UNKNOWN: "≈"}
CHANCE = "•"
"""The mark of a chance, which is neither good nor bad news."""
PATIENCE = 0.3
"""Seconds in which the last verdict stays, dimmed, while the next one is found."""


class TableScreen(Protocol):
    """The screen of a game, as the badge uses it."""

    table: Table

    @property
    def owner(self) -> BaseApp: ...

    @property
    def board(self) -> BoardView: ...

    @property
    def has_moved_on(self) -> bool: ...

    def say(self, words: str) -> None: ...

    def action_run(self, text: str) -> None: ...

    def show_moves(self) -> None: ...


class BadgeLine(Static):
    """The verdict; a click asks for it, or shows where a dead position could be won for the last time."""

    def __init__(self) -> None:
        super().__init__(id="badge", markup=False)
        self._patience: Timer | None = None
        self._is_explained = False
        """True if what was asked for has been explained."""

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
        """Ask for the verdict, or show the mistake."""
        badge = self._status.badge
        self._table_screen.action_run("mistake" if badge is not None and badge.dead else "proof")

    def show(self) -> None:
        """Show the current verdict, and where boxes are stuck; the last one stays for a moment while the next is searched for."""
        status = self._status
        if self._table_screen.has_moved_on:  # what is proved is about the next level
            self._write("")
            return
        self.display = status.mode != OFF or status.is_requested
        line = printable(status.verdict_for(status.mode))
        if self._patience is not None:
            self._patience.stop()
        is_thinking = not line and status.is_searching(status.mode)
        self.set_class(is_thinking, "-old")
        if is_thinking and self.content and not (status.badge and status.badge.searched):
            self._patience = self.set_timer(PATIENCE, self._show_thinking)
        elif is_thinking:
            self._show_thinking()
        else:
            self._show_verdict(line)
        self._table_screen.show_moves()
        self._explain()

    def _show_thinking(self) -> None:
        badge, bound = self._status.badge, self._status.bound
        searched = badge.searched if badge else 0
        line = f"{THINKING} {searched:,} positions" if searched else THINKING
        fits = bound and len(line) + len(bound) + 3 <= self.size.width
        self._write(line if fits else bound or line, after=bound if fits else "")

    def _show_verdict(self, line: str) -> None:
        badge = self._status.badge
        if not line or badge is None:
            self._write(self._silence)
            return
        standing = Standing.UNKNOWN if self._status.is_rival else badge.standing
        standing = Standing.DEAD if self._status.is_won_by_others else standing
        if len(CHANCE) + 1 + len(line) > self.size.width:
            line = printable(self._status.verdict_for(self._status.mode, short=True))
        if badge.estimate is not None and not badge.dead:
            self._write(f"{CHANCE} {line}")
        else:
            is_chance = estimator(self._status.game) is not None  # "≈" would promise an estimate
            mark = "" if is_chance and standing is Standing.UNKNOWN else MARKS[standing]
            self._write(f"{mark} {line}".strip(), standing, self._ways_on)
        cells = [cell for note in badge.notes for cell in note.cells]
        if cells:
            self._table_screen.board.mark(Mark(x, y, PATH_PIECE) for x, y in cells)

    def _write(self, line: str, standing: Standing = Standing.UNKNOWN, after: str = "") -> None:
        for one in (Standing.WINNABLE, Standing.DEAD):
            self.set_class(one is standing, f"-{one.value}")
        room = self.size.width - len(line)
        text = Text(line, no_wrap=True, overflow="ellipsis")
        if after and len(after) + 3 <= room:
            text.append(f"   {after}", "dim")
        self.update(text, layout=False)

    @property
    def _silence(self) -> str:
        """Words in place of a verdict."""
        mode = self._status.mode
        if mode == ON_REQUEST:
            return f"{ASK} {self._key('proof')}"
        return SILENCE if mode == WHEN_DEAD else ""

    @property
    def _ways_on(self) -> str:
        """The keys that lead on from a dead position."""
        badge = self._status.badge
        if badge is None or not badge.dead:
            return ""
        why = f"{self._key('proof')} Why?"
        is_mendable = badge.since is not None and badge.since.winnable >= 0
        return f"{why}  {self._key('mistake')} Go back" if is_mendable else why

    def _explain(self) -> None:
        """Say in full what was asked for, once."""
        status, badge = self._status, self._status.badge
        if badge is None or not (status.is_requested and badge.complete):
            self._is_explained = False
        elif not self._is_explained:
            self._is_explained = True
            self._table_screen.say(explain_death(badge, status.game) or status.detail or ALL_PROVED)

    def _key(self, command: str) -> str:
        rows = self._table_screen.owner.keys.rows(None)
        keys = next((row.keys for row in rows if row.name == command), ())
        return key_label(keys[0]) if keys else ""

    @property
    def _status(self) -> StatusObserver:
        return self._table_screen.table.status

    @property
    def _table_screen(self) -> TableScreen:
        return cast("TableScreen", self.screen)  # it stands on no other

    def _call(self, callback: Callable[[], None]) -> None:
        if self.is_mounted:
            callback()


def list_commands(screen: TableScreen) -> Iterator[SystemCommand]:
    """List the commands that choose when the verdict is shown."""
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
