"""Something is watched: a trace, a solution, a player or a race, at any speed, on and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from gridproof.play.jobs import Job
from gridproof.play.messages import Refused, told
from gridproof.play.replay import Replay
from gridproof.play.terminal.board import BoardView
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP
from gridproof.play.terminal.pointing import handles
from gridproof.play.terminal.settings import FASTEST, SLOWEST
from gridproof.play.text import printable, visible

if TYPE_CHECKING:
    from gridproof.play.terminal.app import GridproofApp


class WatchScreen(Screen[None]):
    """A replay with its controls."""

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause/play", tooltip="stand still, or go on"),
        HELP,
        Binding("escape,q", "dismiss", "Leave", tooltip="back to where you were"),
        Binding("right,l,d", "on", "On", tooltip="one action on"),
        Binding("left,h,a", "back", "Back", tooltip="one action back"),
        Binding("plus,up,k,w", "faster", "Faster", tooltip="twice as fast"),
        Binding("minus,down,j,s", "slower", "Slower", tooltip="half as fast"),
        Binding("home,0", "start", "Start", tooltip="to the start"),
        Binding("end", "end", "End", tooltip="to the end, or as far as it is known"),
    ]

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.playing = True
        self.busy = False
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        """The board, and below it how far it is."""
        with Horizontal(id="stage"), Vertical(id="place"):
            yield Static(visible(self.replay.title), id="headline", markup=False)
            yield BoardView(id="board")
            yield Static(id="counts", markup=False)
            yield Static(id="told", markup=False)
        yield KeysBelow()

    def on_mount(self) -> None:
        """Begin."""
        self._show("")
        self._tick()

    @property
    def _owner(self) -> GridproofApp:
        return cast("GridproofApp", self.app)

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return self._owner.settings.step

    def _tick(self) -> None:
        if self._clock is not None:
            self._clock.stop()
        self._clock = self.set_interval(self.step, self._play)

    def _play(self) -> None:
        if self.playing and not self.busy:
            self.go(1)

    def go(self, steps: int) -> None:
        """Go on by some steps, in a thread: a player may think about each."""
        if self.busy:
            return
        self.busy = True
        place, owner = self.replay.at + steps, self._owner
        job = Job(self.replay.title, lambda limit, progress: self.replay.go(place), lambda _: ())
        job.start(lambda done: owner.soon(lambda: self._gone(done)))

    def _gone(self, job: Job) -> None:
        self.busy = False
        fault = "".join(message.reason for message in job.messages() if isinstance(message, Refused))
        if fault or self.ended:
            self.playing = False
        self._show(fault)

    @property
    def ended(self) -> bool:
        """Whether nothing follows."""
        return self.replay.at == self.replay.length

    def _show(self, fault: str) -> None:
        if self not in self._owner.screen_stack:
            return
        replay, board = self.replay, self.replay.board
        look = board.position.level.game.look
        self.query_one(BoardView).show(look.board(board.position), handles(board.position))
        self.query_one("#counts", Static).update(visible(board.words()))
        done = replay.last
        words = fault or (told(*done, look) if done else look.welcome)
        if self.ended and board.position.won and not fault:
            words += f". {look.won}"
        known = f"{replay.seen} so far" if replay.length is None else replay.length
        pace = "" if self.playing else ", at its end" if self.ended else ", paused"
        line = self.query_one("#told", Static)
        line.update(f"{replay.at} of {known}{pace}: {printable(words)}")
        line.set_class(bool(fault), "-error")

    # -- controls

    def action_pause(self) -> None:
        """Stand still, or go on."""
        if self.ended and not self.playing:
            self.replay.go(0)
        self.playing = not self.playing
        self._show("")

    def action_on(self) -> None:
        """One step on."""
        self.playing = False
        self.go(1)

    def action_back(self) -> None:
        """One step back."""
        if not self.busy:
            self.playing = False
            self.replay.back()
            self._show("")

    def action_start(self) -> None:
        """To the start."""
        if not self.busy:
            self.playing = False
            self.replay.go(0)
            self._show("")

    def action_end(self) -> None:
        """As far as it is known."""
        replay = self.replay
        self.playing = False
        self.go((replay.seen if replay.length is None else replay.length) - replay.at)

    def action_faster(self) -> None:
        """Half the time for each step."""
        self._set_step(self.step / 2)

    def action_slower(self) -> None:
        """Twice the time."""
        self._set_step(self.step * 2)

    def _set_step(self, seconds: float) -> None:
        self._owner.keep(step=min(max(seconds, FASTEST), SLOWEST))
        self._tick()
        self._show("")
        self.query_one("#told", Static).update(f"{1 / self.step:g} steps a second")
