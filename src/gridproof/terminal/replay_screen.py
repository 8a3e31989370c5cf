"""Screen of a replay: a trace, a solution, a player or a race, at any speed, forth and back."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Static

from gridproof.core.text.display import mask_unprintable, printable
from gridproof.table.jobs import Job
from gridproof.table.messages import Refused
from gridproof.table.replay import Replay
from gridproof.terminal.base_app import AppScreen
from gridproof.terminal.board import BoardView
from gridproof.terminal.cursor import show_position
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.settings import FASTEST, SLOWEST
from gridproof.terminal.widgets import KeyFooter


class ReplayScreen(AppScreen[None]):
    """A replay with its controls."""

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause/play", tooltip="pause or resume"),
        HELP,
        Binding("escape,q", "dismiss", "Leave", tooltip="back to your game"),
        Binding("right,l,d", "on", "On", tooltip="one action forward"),
        Binding("left,h,a", "back", "Back", tooltip="one action back"),
        Binding("plus,up,k,w", "faster", "Faster", tooltip="twice as fast"),
        Binding("minus,down,j,s", "slower", "Slower", tooltip="half as fast"),
        Binding("home,0", "start", "Start", tooltip="to the start"),
        Binding("end", "end", "End", tooltip="to the end, or to the last known step"),
    ]

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.is_playing = True
        self.is_busy = False
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the board, and below it the progress."""
        with Horizontal(id="stage"), Vertical(id="place"):
            yield Static(mask_unprintable(self.replay.title), id="headline", markup=False)
            yield BoardView(id="board")
            yield Static(id="counts", markup=False)
            yield Static(id="message", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Start the clock."""
        self._show("")
        self._restart_clock()

    @property
    def step(self) -> float:
        """Seconds per step."""
        return self.owner.settings.step

    def _restart_clock(self) -> None:
        if self._clock is not None:
            self._clock.stop()
        self._clock = self.set_interval(self.step, self._play)

    def _play(self) -> None:
        if self.is_playing and not self.is_busy:
            self.go(1)

    def go(self, steps: int) -> None:
        """Go some steps forward, in a thread: a player may think about each."""
        if self.is_busy:
            return
        self.is_busy = True
        place, owner = self.replay.at + steps, self.owner
        job = Job(self.replay.title, lambda limit, progress: self.replay.go(place), lambda _: ())
        job.start(lambda done: owner.call_soon(lambda: self._finish_step(done)))

    def _finish_step(self, job: Job) -> None:
        self.is_busy = False
        fault = "".join(message.reason for message in job.messages() if isinstance(message, Refused))
        if fault or self.is_at_end:
            self.is_playing = False
        self._show(fault)

    @property
    def is_at_end(self) -> bool:
        """True if nothing follows."""
        return self.replay.at == self.replay.length

    def _show(self, fault: str) -> None:
        if self not in self.owner.screen_stack:
            return
        replay, board = self.replay, self.replay.board
        look = board.position.level.game.look
        show_position(self.query_one(BoardView), board.position)
        self.query_one("#counts", Static).update(mask_unprintable(board.words_in(self.owner.frame)))
        words = fault or replay.describe_last(self.owner.frame) or look.welcome
        if self.is_at_end and board.position.won and not fault:
            words += f". {look.win_text(board.position)}"
        length = f"{replay.computed_count} so far" if replay.length is None else replay.length
        pace = "" if self.is_playing else ", at its end" if self.is_at_end else ", paused"
        line = self.query_one("#message", Static)
        line.update(f"{replay.at} of {length}{pace}: {printable(words)}\n{replay.remark}".rstrip())
        line.set_class(bool(fault), "-error")

    # -- controls

    def action_pause(self) -> None:
        """Pause, or go on."""
        if self.is_at_end and not self.is_playing:
            self.replay.go(0)
        self.is_playing = not self.is_playing
        self._show("")

    def action_on(self) -> None:
        """Go one step forward."""
        self.is_playing = False
        self.go(1)

    def action_back(self) -> None:
        """Go one step back."""
        if not self.is_busy:
            self.is_playing = False
            self.replay.back()
            self._show("")

    def action_start(self) -> None:
        """Go to the start."""
        if not self.is_busy:
            self.is_playing = False
            self.replay.go(0)
            self._show("")

    def action_end(self) -> None:
        """Go to the last known step."""
        replay = self.replay
        self.is_playing = False
        self.go((replay.computed_count if replay.length is None else replay.length) - replay.at)

    def action_faster(self) -> None:
        """Halve the time of a step."""
        self._set_step(self.step / 2)

    def action_slower(self) -> None:
        """Double the time of a step."""
        self._set_step(self.step * 2)

    def _set_step(self, seconds: float) -> None:
        self.owner.save_settings(step=min(max(seconds, FASTEST), SLOWEST))
        self._restart_clock()
        self._show("")
        self.query_one("#message", Static).update(f"{1 / self.step:g} steps per second")
