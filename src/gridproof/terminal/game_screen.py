"""The screen on which a game is played: the board, what is told beside it, and keys that can be pressed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Position
from gridproof.play.jobs import Job
from gridproof.play.messages import (
    Board,
    Entered,
    Games,
    Hint,
    Levels,
    Message,
    Moved,
    Watching,
    Working,
)
from gridproof.play.partners import BY_HAND
from gridproof.play.replay import Replay
from gridproof.play.table import Table
from gridproof.play.terminal import pointing
from gridproof.play.terminal.badge import BadgeLine
from gridproof.play.terminal.board import BoardView, Place
from gridproof.play.terminal.dialogs import Deed, LineDialog, OpenDialog, PasteDialog, Taken
from gridproof.play.terminal.ending import MENU, SHOW_AGAIN, EndScreen
from gridproof.play.terminal.fireworks import Fireworks
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP_KEYS, HelpScreen
from gridproof.play.terminal.keys import command_bindings
from gridproof.play.terminal.levels import LevelsScreen
from gridproof.play.terminal.palette import palette
from gridproof.play.terminal.race import Players, RaceDialog, commands, has_races, strategies
from gridproof.play.terminal.rail import Rail
from gridproof.play.terminal.telling import MOST_SLID, End, Scene, Shown, Sliding, refused, scenes, slid
from gridproof.play.terminal.watching import WatchScreen
from gridproof.play.text import printable, shortened

if TYPE_CHECKING:
    from gridproof.play.terminal.app import GridproofApp

FRAME = 0.04
"""Seconds for which something that moves, or a step of several, is seen."""
SAID = ("welcome", "solution", "seed", "message", "stopped", "saved")
"""Kinds of messages that are said in words and no more."""


class PlayScreen(Screen[None]):
    """A table, shown."""

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(HELP_KEYS, "help", "Help", id="help"),
        *command_bindings("undo", "hint"),
        Binding("escape", "back", "Menu"),
        Binding("f6", "race", "Race", id="race"),
        *command_bindings(),
        Binding("q", "app.quit", "Quit", id="quit"),
        Binding("colon,slash", "type", "Type", id="type"),
        Binding("ctrl+o", "open", "Open", id="open"),
        Binding("ctrl+s", "save", "Save", id="save"),
        Binding("ctrl+c", "copy", "Copy", False, id="copy"),
        Binding("ctrl+v", "paste", "Paste", id="paste"),
        Binding("ctrl+p", "app.command_palette", "All"),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self._scenes: deque[Scene] = deque()
        self._clock: Timer | None = None
        self._actor = table.actor

    @property
    def owner(self) -> GridproofApp:
        """The application, of its own type."""
        return cast("GridproofApp", self.app)

    def compose(self) -> ComposeResult:
        """The board is the largest thing."""
        with Horizontal(id="stage"):
            with Vertical(id="place"):
                yield BoardView(id="board")
                yield BadgeLine()
                yield Static(id="told", markup=False)
            yield Rail(id="rail")
        yield KeysBelow()

    def on_mount(self) -> None:
        """The first words."""
        self._clock = self.set_interval(FRAME, self._next_scene, pause=True)
        self.set_interval(0.2, self._tell_progress)
        self.answer(self.table.begin())
        self._play_first_actor()

    def on_unmount(self) -> None:
        """Nobody waits for long work any more."""
        self.table.cancel()

    # -- what is typed and clicked

    def on_key(self, event: events.Key) -> None:
        """A key of the game, of the cursor, or none of ours."""
        text = self.owner.keys.action(self.table, event.key, event.character)
        if text is not None:
            event.stop()
            event.prevent_default()
            self.do(lambda: self.table.do(text))
        elif pointing.moves_cursor(self.board, event.key) or self._at_cursor(event.key):
            event.stop()
            event.prevent_default()

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """A click, or something that was dragged."""
        self.board.cursor = None
        self.point(event.at, event.to)

    def on_board_view_looked(self, event: BoardView.Looked) -> None:
        """Show what a click there would do."""
        if not self._scenes:
            self.board.mark(pointing.preview(self.table, event.at, event.to))

    def on_paste(self, event: events.Paste) -> None:
        """Levels from the terminal's clipboard."""
        event.stop()
        self.do(lambda: self.table.paste(event.text))

    def _at_cursor(self, key: str) -> bool:
        at = self.board.cursor
        if at is None or key not in ("enter", "space", *pointing.DRAGS):
            return False
        way = pointing.DRAGS.get(key)
        self.point(at, None if way is None else (at[0] + way[0], at[1] + way[1]))
        return True

    def point(self, at: Place, to: Place | None = None) -> None:
        """Do what is meant by a cell."""
        self.do(lambda: self.table.point(*at, to))

    def do(self, deed: Callable[[], tuple[Message, ...]]) -> None:
        """Do something at the table, after all that was still to be seen."""
        self._finish_scenes()
        self.answer(deed())

    # -- commands

    def action_run(self, name: str) -> None:
        """A command of the table."""
        self.do(lambda: self.table.do(name))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys stand in the footer: those of no use here do not, those of no use now are grey."""
        if action == "race":
            return has_races(self.table)
        if action != "run":
            return True
        name = str(parameters[0])
        if not any(command.words[0] == name for command in self.table.commands):
            return False
        session = self.table.session
        idle = (name == "undo" and not session.actions_done) or (
            name == "redo" and not session.actions_undone
        )
        return None if idle else True

    def action_help(self) -> None:
        """What can be done here."""
        self.app.push_screen(HelpScreen(self.table, self.owner.keys))

    def action_back(self) -> None:
        """End long work, or leave for the menu; the game is kept."""
        if self.table.job is not None:
            self.answer(self.table.cancel())
        elif self.board.cursor is not None:
            self.board.cursor = None
        else:
            self.dismiss()

    def action_race(self) -> None:
        """Who plays each actor."""
        self.owner.ask(RaceDialog(self.table), self._race)

    def _race(self, players: Players | None) -> None:
        if players and BY_HAND not in players.values():
            self.do(lambda: self.table.race(strategies=strategies(players)))
            return
        for command in commands(self.table, players or {}):
            self.action_run(command)

    def action_open(self) -> None:
        """Other levels, or a trace to be watched."""
        self.owner.take(OpenDialog(self._taking(lambda name: self.table.do(f"open {name}"))))

    def action_save(self) -> None:
        """What was done on this level, as a trace."""
        taken = self._taking(lambda name: self.table.do(f"save {name}"))
        self.owner.take(LineDialog("Save what was done here as", "trace.json", taken))

    def action_type(self) -> None:
        """Any action or command by its name."""
        self.owner.take(LineDialog(self.table.question.text, "undo 3", self._taking(self.table.typed)))

    def action_copy(self) -> None:
        """The level as text, for others."""
        self.app.copy_to_clipboard(self.table.level.text())
        self.say("The level is in the clipboard.")

    def action_paste(self) -> None:
        """Levels that were copied elsewhere."""
        self.owner.take(PasteDialog(self._taking(self.table.paste)))

    def _taking(self, deed: Callable[[str], tuple[Message, ...]]) -> Taken:
        """What a dialog does with what is typed in it: what is told stands on this screen, when the dialog has gone."""

        def taken(text: str) -> Deed:
            self._finish_scenes()
            told = deed(text)
            wrong = refused(told)
            if wrong and not any(isinstance(message, Moved) for message in told):
                raise GridproofError(wrong)
            return lambda: self.answer(told)

        return taken

    def palette(self) -> Iterator[SystemCommand]:
        """What the command palette lists."""
        return palette(self)

    def switch_motion(self) -> None:
        """Have things move, or the board change at once."""
        self.owner.keep(motion=not self.owner.settings.motion)
        self.say("Things move." if self.owner.settings.motion else "The board changes at once.")

    # -- what is told

    @property
    def board(self) -> BoardView:
        """The widget of the board."""
        return self.query_one("#board", BoardView)

    def say(self, words: str, error: bool = False) -> None:
        """Words below the board, and among all that was told."""
        self._say_below(words, error)
        if not error:
            self.query_one(Rail).tell(printable(words))

    def _say_below(self, words: str, error: bool = False) -> None:
        line = self.query_one("#told", Static)
        line.update(shortened(printable(words), line.size.width, line.size.height), layout=False)
        line.set_class(error, "-error")

    def _tell_actor(self) -> None:
        """Whom the player acts for, where that has become another."""
        before, self._actor = self._actor, self.table.actor
        if before is not None and before != self._actor:
            self._say_below(f"You play {self._actor}.")

    def answer(self, told: Iterable[Message]) -> None:
        """Show what the table answers."""
        messages = tuple(told)
        for message in messages:
            self._tell(message)
        if wrong := refused(messages):
            self.say(wrong, error=True)
        coming = scenes(messages)
        acted = sum(isinstance(scene, Shown) for scene in coming)
        slides = self.owner.moves and 0 < acted <= MOST_SLID
        self._scenes.extend(slid(messages, coming) if slides else coming)
        if acted and self.owner.moves and self._clock is not None:
            self._clock.resume()
        else:
            self._finish_scenes()
            if not self._scenes:
                self.query_one(Rail).count(self.table, self.table.board)
        self._tell_actor()
        self.table.lookout.changed()
        self.refresh_bindings()
        if self.table.left:
            self.app.exit()

    def _tell(self, message: Message) -> None:
        if message.kind in SAID or (isinstance(message, Moved) and message.news):
            self.say(message.words())
        elif isinstance(message, Moved):
            self._say_below("; ".join(self.query_one(Rail).hear(self.table, message)))
        else:
            self._follow(message)

    def _follow(self, message: Message) -> None:
        """Do what a message asks of a view."""
        match message:
            case Hint():
                self.say(f"Hint: {message.words()}")
                self.call_after_refresh(self.mark, message.position, message.action)
            case Working():
                self._work(message.job)
            case Watching():
                self.app.push_screen(WatchScreen(message.replay))
            case Levels():
                self.owner.ask(LevelsScreen(self.table.session.game, table=self.table), self._select)
            case Games():
                self.dismiss()

    def mark(self, position: Position[Any], action: Action) -> None:
        """Show an action that is about to be done."""
        if position == self.table.session.position:
            self.board.mark(pointing.marks(position, [action]))

    def _select(self, place: int | None) -> None:
        if place is not None:
            self.do(lambda: self.table.do(f"level {place + 1}"))

    # -- long work

    def _work(self, job: Job) -> None:
        self._say_below(f"{job.what} ... Esc ends it.")
        owner = self.owner  # which a screen that was left does not know any more
        job.start(lambda done: owner.soon(lambda: self._finished(done)))

    def _finished(self, job: Job) -> None:
        if job is self.table.job:
            self._say_below("")
            self.answer(self.table.finish(job))

    def _tell_progress(self) -> None:
        job = self.table.job
        if job is not None and not job.done and job.positions:
            self._say_below(f"{job.what} ... {job.positions:,} positions. Esc ends it.")

    # -- what is seen

    def _next_scene(self) -> None:
        if self._scenes:
            self._show(self._scenes.popleft())
        elif self._clock is not None:
            self._clock.pause()

    def _finish_scenes(self) -> None:
        while self._scenes and not isinstance(self.app.screen, EndScreen):
            scene = self._scenes.popleft()
            if not isinstance(scene, Shown | Sliding):
                self._show(scene)

    def _show(self, scene: Scene) -> None:
        match scene:
            case Shown():
                self.board.show(
                    scene.position.level.game.look.board(scene.position), pointing.handles(scene.position)
                )
            case Sliding():
                board = scene.before.level.game.look.board(scene.before)
                self.board.slide(board, scene.motions, scene.part)
            case Board():
                position = scene.position
                self.board.show(position.level.game.look.board(position), pointing.handles(position))
                self.query_one(Rail).count(self.table, scene)
            case Entered():
                self.query_one(Rail).enter(self.table)
            case End():
                self._end(scene)

    def _end(self, end: End) -> None:
        if self._clock is not None:
            self._clock.pause()
        fireworks = Fireworks(self.board) if end.won and self.owner.moves else None
        if fireworks is not None:
            fireworks.start()
        self._ask_what_next(end)

    def _ask_what_next(self, end: End) -> None:
        self.owner.ask(EndScreen(self.table, end), lambda chosen: self._ended(chosen, end))

    def _ended(self, chosen: str | None, end: End) -> None:
        if chosen == MENU:
            self.dismiss()
        elif chosen == SHOW_AGAIN:
            replay = Replay.of(self.table.session.trace(end.board.place), "What you did")
            self.owner.ask(WatchScreen(replay), lambda _: self._ask_what_next(end))
        elif chosen:
            self.do(lambda: self.table.do(chosen))
        else:
            self._finish_scenes()

    def _play_first_actor(self) -> None:
        """With several actors, a player acts for one of them at a time, and learns what that one learns."""
        if len(self.table.actors) > 1:
            self.answer(self.table.do("as"))
