"""Screen of a game: the board, the messages beside it, and its keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Static

from gridproof.agents.demos import co_players, demo_meanings, demos, unsuited_demos
from gridproof.core.errors import GridproofError
from gridproof.core.look import ON_BOARD, OWN, Mark
from gridproof.core.position import Action, Position
from gridproof.core.puzzle import puzzle_of
from gridproof.core.text.display import printable, shorten
from gridproof.table.co_players import BY_HAND
from gridproof.table.jobs import Job, JobMessage
from gridproof.table.messages import (
    Board,
    Entered,
    Games,
    Hint,
    Levels,
    Message,
    Moved,
    NextActions,
    Nudge,
    Welcome,
)
from gridproof.table.replay import Replay, ReplayMessage
from gridproof.table.table import Table
from gridproof.terminal import animation, badge, cursor
from gridproof.terminal.animation import (
    MAX_SLIDES,
    End,
    PositionFrame,
    Scene,
    SlideFrame,
    refusal_reasons,
    request_lines,
)
from gridproof.terminal.badge import BadgeLine
from gridproof.terminal.base_app import WIDE, AppScreen
from gridproof.terminal.board import BoardView, Place
from gridproof.terminal.dialogs import Callback, LineDialog, OpenDialog, PasteDialog, TextHandler
from gridproof.terminal.fireworks import Fireworks
from gridproof.terminal.help_screen import HELP_KEYS, HelpScreen
from gridproof.terminal.keys import LABELS, command_bindings, screen_binding
from gridproof.terminal.level_screen import LevelScreen
from gridproof.terminal.puzzle_dialog import NewPuzzleDialog, draw_id
from gridproof.terminal.race_dialog import (
    Players,
    PlayersDialog,
    RaceDialog,
    has_races,
    strategies_text,
    table_commands,
)
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.result_screen import ANOTHER, GO_ON, MENU, SHOW_AGAIN, ResultScreen
from gridproof.terminal.sidebar import Sidebar
from gridproof.terminal.spoiler_dialog import SEVERAL, SpoilerDialog
from gridproof.terminal.widgets import KeyFooter

CURSOR_HELP = "Enter clicks in the frame, Shift+arrow drags from it, Esc hides it."
FRAME = 0.04
"""Seconds of a frame of animation."""
NEXT_HINTS = {"nudge": "hint", "hint": SEVERAL, "next": SEVERAL}
"""The command of the next hint after the kind of the last one, on the same position."""
TEXT_KINDS = ("solution", "message", "stopped", "saved")
"""Kinds of messages that are only text."""


class GameScreen(AppScreen[None]):
    """A view of a table."""

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(HELP_KEYS, "help", "Help", id="help"),
        *command_bindings("undo", "hint"),
        Binding("escape", "back", "Menu"),
        screen_binding("spoilers", "spoilers", "More hints"),
        screen_binding("players", "players", "Players"),
        screen_binding("race", "race", "Race"),
        *command_bindings(),
        Binding("q", "app.quit", "Quit", id="quit"),
        screen_binding("type", "type", "Type"),
        Binding("ctrl+o", "open", "Open", id="open"),
        Binding("ctrl+s", "save", "Save", id="save"),
        screen_binding("copy", "copy", "Copy"),
        screen_binding("paste", "paste", "Paste"),
        screen_binding("palette", "app.command_palette", "All"),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self._scenes: deque[Scene] = deque()
        self._clock: Timer | None = None
        self._fireworks: Fireworks | None = None
        self._actor = table.actor
        self._level = table.level
        self._unlogged: tuple[str, ...] = ()
        """Lines of the message below the board, which the log gets when another message follows."""
        self._spoiler: tuple[tuple[Position[Any], int], str] | None = None
        """Place and kind of the last spoiler."""
        self._asked: tuple[tuple[Position[Any], int], str] | None = None
        """Place of the last question whether to use up a piece beside the board."""
        self._end: End | None = None
        """The end whose dialog the player has closed, to look at the board."""

    def compose(self) -> ComposeResult:
        """Lay out the board, the badge, the message line, the sidebar and the footer."""
        with Horizontal(id="stage"):
            with Vertical(id="place"):
                yield BoardView(id="board")
                yield BadgeLine()
                yield Static(id="message", markup=False)
            yield Sidebar(id="sidebar")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin the game."""
        self._clock = self.set_interval(FRAME, self._next_scene, pause=True)
        self.set_interval(0.2, self._show_progress)
        self.show_messages(self.table.begin())
        self._play_first_actor()

    def on_unmount(self) -> None:
        """Cancel the job that runs."""
        self.table.cancel()

    # -- keys and clicks

    def on_key(self, event: events.Key) -> None:
        """Handle keys of the game and of the cursor; Enter opens the dialog of the end again."""
        if event.key == "enter" and self._end is not None:
            event.stop()
            self._show_result(self._end)
            return
        text = self.owner.keys.action(self.table, event.key, event.character)
        if text is not None:
            event.stop()
            event.prevent_default()
            self._act_or_ask((text,), lambda: self.table.do(text))
        elif self._move_cursor(event.key) or self._press_at_cursor(event.key):
            event.stop()
            event.prevent_default()

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Act by a click or a drag."""
        self.board.cursor = None
        self.point(event.at, event.to)

    def on_board_view_hovered(self, event: BoardView.Hovered) -> None:
        """Mark the effect of a click."""
        if not self._scenes:
            self.board.mark(cursor.preview(self.table, event.at, event.to))

    def on_paste(self, event: events.Paste) -> None:
        """Play levels from the terminal's clipboard."""
        event.stop()
        self.do(lambda: self.table.paste(event.text))

    def _move_cursor(self, key: str) -> bool:
        """Move the cursor by an arrow; say what it is for when it appears."""
        is_new = self.board.cursor is None
        is_moved = cursor.move_cursor(self.board, key)
        if is_new and is_moved:
            self._show_message(CURSOR_HELP)
        return is_moved

    def _press_at_cursor(self, key: str) -> bool:
        direction = cursor.DRAGS.get(key)
        if direction and self.board.cursor is None:
            self.board.cursor = self.board.middle
        at = self.board.cursor
        if at is None or not (direction or key in ("enter", "space")):
            return False
        self.point(at, (at[0] + direction[0], at[1] + direction[1]) if direction else None)
        return True

    def point(self, at: Place, to: Place | None = None) -> None:
        """Act by a click on a cell, or a drag to another."""
        self._act_or_ask(cursor.pointed_texts(self.table, at, to), lambda: self.table.point(*at, to))

    def _act_or_ask(self, texts: Sequence[str], request: Callable[[], tuple[Message, ...]]) -> None:
        """Send a request that acts; one that uses up a piece beside the board at the second time, the first shows its effect."""
        action, position = cursor.action_to_confirm(self.table, texts), self.table.session.position
        if action is None or self._end is not None:
            self.do(request)
            return
        if self._is_confirmed(self.table.look.describe_in(position, action, self.owner.frame)):
            self.do(request)
        else:
            self.mark(position, action)

    def _is_confirmed(self, words: str) -> bool:
        """Return whether the player asks for the same a second time; the first time, say what it does."""
        asked = self.table.status.place, words
        if self._asked == asked:
            return True
        self._finish_scenes()
        self._asked = asked
        self._show_message(f"Once more to confirm: {words}.")
        return False

    def do(self, request: Callable[[], tuple[Message, ...]]) -> None:
        """Send a request to the table, after the scenes that are still to come; none while the board is of a level that was left."""
        if self._end is not None and self.has_moved_on:
            self._show_result(self._end)
            return
        self._finish_scenes()
        if self._asked is not None:
            self._asked = None
            self.board.mark(())
        self.show_messages(request())

    # -- commands

    def action_run(self, name: str) -> None:
        """Run a command of the table; a hint tells more the second time, and a new game ends another only then."""
        if name != "new" or not self._is_in_game or self._is_confirmed("start a new game; this one ends"):
            self.do(lambda: self.table.do(self._next_hint if name == "hint" else name))

    @property
    def _is_in_game(self) -> bool:
        """True if the player has acted, and still can."""
        session = self.table.session
        return self._end is None and bool(session.actions_done) and bool(session.position.actions())

    @property
    def _next_hint(self) -> str:
        """The command of the next rung of the ladder; hints that are advice have one rung."""
        if not any(command.words[0] == "nudge" for command in self.table.commands):
            return "hint"
        place, kind = self._spoiler or (None, "")
        return NEXT_HINTS.get(kind, "nudge") if place == self.table.status.place else "nudge"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide keys of no use on this level; grey out keys of no use now."""
        if action in ("race", "players"):
            return has_races(self.table)
        if action != "run":
            return True
        name = str(parameters[0])
        if name == "continue" and self._end is not None:
            return False  # its key opens the dialog of the end
        if not any(command.words[0] == name for command in self.table.commands):
            return False
        session = self.table.session
        idle = (name == "undo" and not session.actions_done) or (
            name == "redo" and not session.actions_undone
        )
        return None if idle else True

    def action_help(self) -> None:
        """Show and set keys."""
        self.app.push_screen(HelpScreen(self.table, self.owner.keys))

    def action_back(self) -> None:
        """Stop the job, or leave for the menu; the game is saved."""
        if self.table.job is not None:
            self.show_messages(self.table.cancel())
        elif self.board.cursor is not None:
            self.board.cursor = None
        else:
            self.dismiss()

    def action_race(self) -> None:
        """Choose programs, and watch their race."""

        def watch(players: Players | None) -> None:
            if players is not None:
                self.do(lambda: self.table.race(strategies=strategies_text(players)))

        self.owner.push_for_result(RaceDialog(self.table), watch)

    def action_players(self) -> None:
        """Choose who plays each actor."""

        def let(players: Players | None) -> None:
            for command in table_commands(self.table, players or {}):
                self.action_run(command)

        self.owner.push_for_result(PlayersDialog(self.table), let)

    def action_spoilers(self) -> None:
        """Choose how much of a solution to tell."""

        def tell(command: str | None) -> None:
            if command is not None:
                self.do(lambda: self.table.do(command))

        self.owner.push_for_result(SpoilerDialog(self.table), tell)

    def action_open(self) -> None:
        """Open other levels, or a trace to watch."""
        self.owner.run_dialog(OpenDialog(self._text_handler(lambda name: self.table.do(f"open {name}"))))

    def action_save(self) -> None:
        """Save the actions on this level as a trace."""
        handler = self._text_handler(lambda name: self.table.do(f"save {name}"))
        self.owner.run_dialog(LineDialog("Save your actions as", "trace.json", handler))

    def action_type(self) -> None:
        """Type an action or a command."""
        self.owner.run_dialog(
            LineDialog(self.table.question.text, "undo 3", self._text_handler(self.table.typed))
        )

    def action_copy(self) -> None:
        """Copy the level as text."""
        self.app.copy_to_clipboard(self.table.level.text())
        self.say("Level copied to the clipboard.")

    def action_paste(self) -> None:
        """Paste levels as text."""
        self.owner.run_dialog(PasteDialog(self._text_handler(self.table.paste)))

    def _text_handler(self, request: Callable[[str], tuple[Message, ...]]) -> TextHandler:
        """Return a handler that sends the text of a dialog to the table, and shows the messages on this screen."""

        def handle(text: str) -> Callback:
            self._finish_scenes()
            messages = request(text)
            reasons = self._refusal_reasons(messages)
            if reasons and not any(isinstance(message, Moved) for message in messages):
                raise GridproofError(reasons)
            return lambda: self.show_messages(messages)

        return handle

    def list_commands(self) -> Iterator[SystemCommand]:
        """List commands, players to watch, and players for actors."""
        return _list_commands(self)

    def toggle_motion(self) -> None:
        """Turn animation on or off."""
        self.owner.save_settings(motion=not self.owner.settings.motion)
        self.say("Animation is on." if self.owner.settings.motion else "Animation is off.")

    def toggle_directions(self) -> None:
        """Let arrows and words mean directions of the board, or of the actor that is played."""
        self.owner.save_settings(directions=ON_BOARD if self.owner.settings.directions == OWN else OWN)
        self._finish_scenes()
        self.query_one(Sidebar).show_counts(self.table, self.table.board)
        own = self.owner.frame == OWN
        self.say(
            f"Directions are those of {'your piece: ahead, to its left' if own else 'the board: up, left'}."
        )

    # -- messages

    @property
    def board(self) -> BoardView:
        """The widget of the board."""
        return self.query_one("#board", BoardView)

    def say(self, words: str, error: bool = False) -> None:
        """Show words below the board; the log has them from the next message on."""
        self._show_message(words, error, () if error else (words,))

    def _show_message(self, words: str, error: bool = False, lines: tuple[str, ...] = ()) -> None:
        """Show words below the board, `lines` of which are for the log: at once if they do not fit, else when others follow."""
        line, full = self.query_one("#message", Static), printable(words)
        short = shorten(full, line.size.width, line.size.height)
        replaced = self._unlogged if self._unlogged != lines else ()
        for text in (*replaced, *(lines if short != full else ())):
            self.query_one(Sidebar).write_once(printable(text))
        self._unlogged = lines if short == full else ()
        line.update(short, layout=False)
        line.set_class(error, "-error")

    def _show_actor(self) -> None:
        """Show whom the player acts for, if that changed."""
        before, self._actor = self._actor, self.table.actor
        if before is not None and before != self._actor:
            self._show_message(f"You play {self._actor}.")

    def show_messages(self, answer: Iterable[Message]) -> None:
        """Show messages of the table."""
        messages = tuple(answer)
        if any(isinstance(message, Board) for message in messages):
            self._end = None
            self._show_message("")  # words about the board before
        if self._level != self.table.level:  # messages of another level are of no use on this one
            self._level = self.table.level
            self._show_message("")
            self.query_one(Sidebar).clear()
        for message in messages:
            self._handle_message(message)
        if reasons := self._refusal_reasons(messages):
            self._show_message(reasons, error=animation.is_wrong_input(messages))
        scenes = animation.scenes_of(messages)
        acted = sum(isinstance(scene, PositionFrame) for scene in scenes)
        slides = self.owner.is_animated and 0 < acted <= MAX_SLIDES
        self._scenes.extend(animation.add_slides(messages, scenes) if slides else scenes)
        if acted and self.owner.is_animated and self._clock is not None:
            self._clock.resume()
        else:
            self._finish_scenes()
            if not self._scenes:
                self.query_one(Sidebar).show_counts(self.table, self.table.board)
        self._show_actor()
        self.table.status.update()
        self.refresh_bindings()
        if self.table.left:
            self.app.exit()

    def _refusal_reasons(self, messages: Iterable[Message]) -> str:
        return refusal_reasons(messages, self.table.session.position, self.owner.frame)

    def _handle_message(self, message: Message) -> None:
        if isinstance(message, Welcome):
            self._welcome(message.words())
        elif message.kind in TEXT_KINDS or (isinstance(message, Moved) and message.news):
            self.say(message.words_in(self.owner.frame))
        elif isinstance(message, Moved):
            lines = request_lines(message, self.owner.frame) if len(self.table.actors) > 1 else ()
            self._show_message("; ".join(lines), lines=lines)
        else:
            self._handle_request(message)

    def _welcome(self, words: str) -> None:
        """Show what the game or the level is about, once: in the log, or below the board of a narrow terminal, which has none."""
        words = self.table.look.goal(self.table.level) or words
        self.query_one(Sidebar).write(printable(words))
        self._show_message(words if self.app.size.width < WIDE else "")

    def _watch(self, replay: Replay) -> None:
        """Watch a replay; if it is of the current game, go back to its place instead."""
        if not replay.resumable:
            self.app.push_screen(ReplayScreen(replay))
            return
        self.show_messages(self.table.do(f"goto {replay.at}"))
        self.say(f"{replay.title}. The moves after it can be redone.")

    def _handle_request(self, message: Message) -> None:
        """Handle a message that is a request to the view: show, start or leave something."""
        if isinstance(message, Hint | NextActions | Nudge):
            self._spoiler = self.table.status.place, message.kind
        match message:
            case Hint():
                self.say(f"Hint: {message.words_in(self.owner.frame)}")
                self.call_after_refresh(self.mark, message.position, message.action)
            case NextActions():
                self.say(f"Next: {message.words_in(self.owner.frame)}")
                self.call_after_refresh(self.mark, *message.steps[0])
            case Nudge():
                self.say(message.words())
                self.call_after_refresh(self._point_at, message)
            case JobMessage():
                self._start_job(message.job)
            case ReplayMessage():
                self._watch(message.replay)
            case Levels():
                self.owner.push_for_result(
                    LevelScreen(self.table.session.game, table=self.table), self._select
                )
            case Games():
                self.dismiss()

    def mark(self, position: Position[Any], action: Action) -> None:
        """Mark a planned action."""
        if position == self.table.session.position:
            self.board.mark(cursor.marks_of(position, [action]))

    def _point_at(self, nudge: Nudge) -> None:
        if nudge.position == self.table.session.position:
            self.board.mark(Mark(x, y, cursor.PATH_PIECE) for x, y in nudge.cells)

    def show_moves(self) -> None:
        """Show the list of moves, whose verdicts may have changed."""
        self.query_one(Sidebar).show_moves(self.table)

    def _select(self, place: int | None) -> None:
        if place is not None:
            self.do(lambda: self.table.do(f"level {place + 1}"))

    # -- jobs

    def _start_job(self, job: Job) -> None:
        self._show_message(f"{job.what} ... Press Esc to stop.")
        owner = self.owner  # a closed screen has none
        job.start(lambda done: owner.call_soon(lambda: self._finish_job(done)))

    def _finish_job(self, job: Job) -> None:
        if job is self.table.job:
            self._show_message("")
            self.show_messages(self.table.finish(job))

    def _show_progress(self) -> None:
        job = self.table.job
        if job is not None and not job.is_done and job.positions:
            self._show_message(f"{job.what} ... {job.positions:,} positions. Press Esc to stop.")

    # -- scenes

    @property
    def has_moved_on(self) -> bool:
        """True while the board shows the end of a level that the session has left."""
        return any(isinstance(scene, Entered) for scene in self._scenes)

    def _next_scene(self) -> None:
        if self._scenes:
            self._show(self._scenes.popleft())
        elif self._clock is not None:
            self._clock.pause()

    def _finish_scenes(self) -> None:
        while self._scenes and not isinstance(self.app.screen, ResultScreen):
            scene = self._scenes.popleft()
            if not isinstance(scene, PositionFrame | SlideFrame):
                self._show(scene)

    def _show(self, scene: Scene) -> None:
        match scene:
            case PositionFrame():
                cursor.show_position(self.board, scene.position)
            case SlideFrame():
                board = scene.before.level.game.look.board(scene.before)
                self.board.slide(board, scene.motions, scene.part)
            case Board():
                cursor.show_position(self.board, scene.position)
                self.query_one(Sidebar).show_counts(self.table, scene)
            case Entered():
                self.query_one(Sidebar).show_level(self.table)
                self.query_one(BadgeLine).show()
            case End():
                self._show_end(scene)

    def _show_end(self, end: End) -> None:
        if self._clock is not None:
            self._clock.pause()
        if end.won and self.owner.is_animated:
            self._fireworks = Fireworks(self.board)
            self._fireworks.start()
        self._show_result(end)

    def _show_result(self, end: End) -> None:
        self._end = None
        self.owner.push_for_result(
            ResultScreen(self.table, end), lambda chosen: self._handle_result(chosen, end)
        )

    def _handle_result(self, chosen: str | None, end: End) -> None:
        if self._fireworks is not None:  # they are for the won position alone
            self._fireworks.stop()
        if chosen == MENU:
            self.dismiss()
        elif chosen == ANOTHER:
            self._make_another_puzzle()
        elif chosen == SHOW_AGAIN:
            replay = Replay.of(self.table.session.trace(end.board.place), "What you did")
            self.owner.push_for_result(ReplayScreen(replay), lambda _: self._show_result(end))
        elif chosen == GO_ON:
            self._finish_scenes()
        elif chosen:
            self.do(lambda: self.table.do(chosen))
        else:
            self._end = end
            self._show_message("Press Enter to go on.")
            self.refresh_bindings()

    def _make_another_puzzle(self) -> None:
        puzzle, owner = puzzle_of(self.table.level), self.owner
        self.dismiss()
        if puzzle is not None:
            owner.call_later(owner.choose_puzzle, NewPuzzleDialog(draw_id(puzzle.id), begin=True))

    def _play_first_actor(self) -> None:
        """Act for the first of several actors: a player acts for one at a time, and learns what that one learns."""
        if len(self.table.actors) > 1:
            self.show_messages(self.table.do("as"))


def _list_commands(screen: GameScreen) -> Iterator[SystemCommand]:
    own = {"help": screen.action_help, "open": screen.action_open, "save": screen.action_save}
    own |= {"quit": screen.app.exit, "level": screen.action_type, "let": screen.action_type}
    for command in screen.table.commands:
        name, meaning = command.words[0], command.short_meaning
        title = LABELS.get(name, name.capitalize())
        yield SystemCommand(title, meaning, own.get(name) or _command(screen, name).callback)
    if "nudge" in {command.words[0] for command in screen.table.commands}:
        yield _command(screen, SEVERAL, "suggest the next three actions")
    if has_races(screen.table):
        yield SystemCommand("Players", "choose who plays each actor", screen.action_players)
        yield SystemCommand("Race", "watch a race of programs", screen.action_race)
    yield from _player_commands(screen)
    yield SystemCommand("Copy", "copy the level as text", screen.action_copy)
    yield SystemCommand("Paste", "play levels as text", screen.action_paste)
    yield SystemCommand("Type", "type an action or a command", screen.action_type)
    yield from badge.list_commands(screen)
    if screen.table.look.seen is not None:
        about = "let arrows and words mean directions of the board, or of whom you play"
        yield SystemCommand("Directions", about, screen.toggle_directions)
    yield SystemCommand("Motion", "turn animation on or off", screen.toggle_motion)


def _player_commands(screen: GameScreen) -> Iterator[SystemCommand]:
    table = screen.table
    game, meanings = table.session.game, demo_meanings(table.session.game)
    unsuited = unsuited_demos(table.level)
    for name in (name for name in demos(game) if name not in unsuited):
        yield _command(screen, f"watch {name}", meanings.get(name, "watch this player"))
    for actor in table.actors if len(table.actors) > 1 else ():
        for name in (*co_players(game), BY_HAND):
            yield _command(screen, f"let {actor} {name}", f"{actor} is played by {meanings.get(name, name)}")


def _command(screen: GameScreen, command: str, meaning: str = "") -> SystemCommand:
    return SystemCommand(command.capitalize(), meaning, lambda: screen.action_run(command))
