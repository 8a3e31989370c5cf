"""Table: the conversation with a player, without printing; every front end is a view of it.

A table takes inputs as data and answers with messages; it never waits, and never raises an error for an input.
A front end may also attach itself as a viewer, which receives all shared messages, also of others' actions.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gridproof.agents.solution_cache import SolutionCache
from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError, IllegalAction, NoEffect
from gridproof.core.look import PointedCell, actions_at_mark
from gridproof.core.observers import Change, Observer, Observers
from gridproof.core.position import NATURE, Action, Level, Position
from gridproof.core.proposition import value_of
from gridproof.core.registry import game as game_named
from gridproof.core.session import Session
from gridproof.core.text import recognition
from gridproof.core.text.display import printable
from gridproof.core.text.level_lookup import builtin_pack, levels_at, resolve_pack
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count, some
from gridproof.core.trace import find_trace
from gridproof.core.validation import check_text, check_whole, to_cell
from gridproof.table import hints, messages
from gridproof.table.action_parser import ActionParser
from gridproof.table.co_players import BY_HAND, CoPlayers
from gridproof.table.commands import (
    COMMANDS,
    COMMANDS_BY_NAME,
    GUEST_COMMANDS,
    Command,
    TableState,
    find_command,
    go_to,
    help_message,
    is_free_letter,
    parse_number,
    refusal_sentence,
)
from gridproof.table.game_store import GameStore, SavedGame, unfinished_games
from gridproof.table.jobs import Job, JobMessage
from gridproof.table.keys import keys_on
from gridproof.table.menu import LevelEntry, entries
from gridproof.table.messages import Board, Entered, Message, Refused
from gridproof.table.prompt import Prompt, prompt_of
from gridproof.table.replay import Replay, ReplayMessage
from gridproof.table.status import StatusObserver
from gridproof.table.trace_files import TraceFiles
from gridproof.table.win_message import shows_win, win_message

ADVICE = "Type ? for help."


class Table:
    """A player's conversation with a session; used by one thread at a time.

    An input collects its messages for the answer; viewers receive all shared messages.

    Parameters
    ----------
    session : Session
    store : GameStore, optional
        Store of saved games and best counts.
    save : Path, optional
        File for the trace that `save_played` saves; for several levels, NAME-1, NAME-2, ...
    files : bool
        Allow opening and saving files; False for players on another machine.
    tells_seed : bool
        Report the seed of a random game.
    keys : mapping, optional
        The player's own keys, each with the text of an action or the first word of a command.
    """

    def __init__(
        self,
        session: Session,
        store: GameStore | None = None,
        save: Path | None = None,
        files: bool = True,
        tells_seed: bool = False,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        self.store = store
        self.files = files
        self.bound = False
        """True if the player acts for one actor on all levels, even without this actor."""
        self.is_guest = False
        """True if the player was invited to play that actor only."""
        self.others: frozenset[str] = frozenset()
        """Actors that other people play."""
        self.taken: frozenset[str] = frozenset()
        """Actors that guests play: nobody else acts for them."""
        self._viewers: Observers[Table, Message] = Observers()
        self._answer: list[Message] | None = None
        self._faults: list[Exception] = []
        """Exceptions of viewers; the first is raised after all messages are sent."""
        self._input: str | None = None
        self._bind(session)
        self.own_keys = dict(keys or {})
        self.co_players = CoPlayers(self)
        """Strategies that play other actors after each of the player's actions."""
        self.status = StatusObserver(self)
        """Proof status of the position."""
        self._parser: ActionParser | None = None
        self._trace_files = TraceFiles(save, len(session.levels))
        self._tells_seed = tells_seed

    def _bind(self, session: Session) -> None:
        self.session = session
        self.look = session.game.look
        self.going = True
        """False once the player has left, or all levels are done."""
        self.left = False
        """True if the player has left: then only another game can start."""
        self.just_won = shows_win(session)
        """True right after a win in a game that continues."""
        self.actor: str | None = None
        """Actor of the player, for keys and hints; None for all."""
        self.job: Job | None = None
        """Running job."""
        self._stale = False
        self._plans: dict[tuple[int, str | None], SolutionCache] = {}
        self._is_lost = value_of(session.game, "lost", ())
        self._lost_known: tuple[Position[Any] | None, bool] = None, False
        """Latest judged position, and if it is lost."""
        session.attach(self)

    # -- viewers

    def attach(self, viewer: Observer[Any, Message]) -> None:
        """Attach a viewer, which receives every shared message."""
        self._viewers.attach(viewer)

    def detach(self, viewer: Observer[Any, Message]) -> None:
        """Detach a viewer."""
        self._viewers.detach(viewer)

    def close(self) -> None:
        """Close: stop observing the session, and stop long work."""
        self._leave_job()
        self.session.detach(self)

    # -- state

    @property
    def level(self) -> Level:
        """Return the current level."""
        return self.session.levels[self.session.current]

    @property
    def is_lost(self) -> bool:
        """True if the current position is lost."""
        position = self.session.position
        if self._lost_known[0] is not position:
            self._lost_known = position, bool(self._is_lost(position))
        return self._lost_known[1]

    @property
    def end(self) -> Message | None:
        """Return the message that ends the current level; None while it can be played."""
        position = self.session.position
        if self.just_won or (not self.session.game.policy.act_after_win and position.won):
            return win_message(self, self.session.current, position, self.co_players.player_actors)
        return messages.loss_of(self.session) if self.is_lost else None

    @property
    def plan(self) -> SolutionCache:
        """Return the known solution of the current level."""
        place = self.session.current, self.actor
        if place not in self._plans:
            self._plans[place] = SolutionCache(None if self.actor else self.level.certificate)
        return self._plans[place]

    @property
    def board(self) -> Board:
        """Return the state of the current level."""
        return self._board(self.session.current, self.session.position)

    def entries(self) -> tuple[LevelEntry, ...]:
        """Return the levels with the player's results; errors as of `best`."""
        session = self.session
        return entries(session.levels, self.store, session.completed, session.current)

    @property
    def best(self) -> dict[str, int]:
        """Return the best counts of the current level, by measure; GridproofError if the store cannot be read."""
        return self.best_of(self.level)

    def best_of(self, level: Level) -> dict[str, int]:
        """Return the best counts of a level, by measure; errors as of `best`."""
        records = self.store.best(level) if self.store else {}
        return {name: record.value for name, record in records.items()}

    @property
    def question(self) -> Prompt:
        """Return the current question."""
        return prompt_of(self.look, self.is_lost, self.just_won)

    @property
    def actors(self) -> tuple[str, ...]:
        """Return the actors that the player can control."""
        return tuple(name for name in self.session.game.actors(self.level) if name != NATURE)

    @property
    def commands(self) -> tuple[Command, ...]:
        """Return the available commands."""
        return tuple(command for command in COMMANDS if self.offers(command))

    def offers(self, command: Command) -> bool:
        """Return whether a command is available here."""
        if self.is_guest and command.words[0] not in GUEST_COMMANDS:
            return False
        return command.is_available(self._state)

    @property
    def _state(self) -> TableState:
        return TableState(self.session, self.store, self.files)

    @property
    def keys(self) -> Mapping[str, str]:
        """Return the meaning of each key: the text of an action, or the first word of a command."""
        commands = {key: command.words[0] for command in self.commands for key in command.keys}
        return {**commands, **keys_on(self.level, self.actor), **self.own_keys}

    @property
    def parser(self) -> ActionParser:
        """Return the forms in which actions can be typed now."""
        parser, position = self._parser, self.session.position
        if parser is None or parser.position is not position or parser.actor != self.actor:
            parser = self._parser = ActionParser(position, self.actor)
        return parser

    @property
    def farewell(self) -> Message:
        """Return the farewell."""
        return messages.Farewell(self.look.farewell)

    def state(self) -> Data:
        """Return everything that a new view needs, as JSON."""
        session, question = self.session, self.question
        return {
            **self.board.data(),
            "kind": "state",
            "game": session.game.name,
            "title": self.level.title,
            "titles": [level.title for level in session.levels],
            "done": session.actions_done,
            "undone": session.actions_undone,
            "won_levels": [place + 1 for place in session.completed],
            "best": self.best,
            "actor": self.actor,
            "actors": list(self.actors),
            "partners": self.co_players.playing,
            "keys": dict(self.keys),
            "commands": [command.words[0] for command in self.commands],
            "question": {"text": question.text, "commands": list(question.commands)},
            "working": self.job is not None and not self.job.is_done,
            "going": self.going,
        }

    # -- inputs

    def begin(self) -> tuple[Message, ...]:
        """Return the welcome and the level."""
        with self._collect_answer() as answer:
            self._begin(True, self._tells_seed)
        return tuple(answer)

    def typed(self, line: str) -> tuple[Message, ...]:
        """Run a typed line: exact actions first, then commands, then short forms."""
        letter = self._letter(line)
        if letter is not None:
            return self.do(letter)
        with self._collect_answer() as answer:
            self._do_line(line)
        return tuple(answer)

    def key(self, name: str) -> tuple[Message, ...]:
        """Run the action or command of a key; return () if it has none."""
        meaning = self.keys.get(name) if isinstance(name, str) else None
        return () if meaning is None else self.do(meaning)

    def do(self, text: str) -> tuple[Message, ...]:
        """Run an action by its exact text, or a command by its first word and argument."""
        with self._collect_answer() as answer:
            check_text(text, "an action or a command")
            word, _, argument = text.partition(" ")
            command = COMMANDS_BY_NAME.get(word)
            if command is None or self.parser.is_action(text):
                self._act([text])
            else:
                self._run(command, argument)
        return tuple(answer)

    def point(self, x: int, y: int, to: tuple[int, int] | None = None) -> tuple[Message, ...]:
        """Run the action of a click on a cell, or of a drag from it; of several actions, the player chooses."""
        with self._collect_answer() as answer:
            cell, end = to_cell((x, y)), None if to is None else to_cell(to)
            position, at = self.session.position, PointedCell(*cell, end, self.actor)
            if actions := self.look.pointed(position, at):
                self._act(actions)
            elif choice := self._free(map(position.action, actions_at_mark(position, at))):
                self.tell(messages.Choice(position, choice))
            else:
                self.tell(Refused(self.look.pointed_in_vain(position, at)))
        return tuple(answer)

    def choose(self, pack: str, number: int = 1) -> tuple[Message, ...]:
        """Open a built-in pack ("sokoban/first-steps") at a level, without reading a file."""
        with self._collect_answer() as answer:
            check_text(pack, "the name of a pack")
            check_whole(number, "the number of a level")
            name, _, title = pack.partition("/")
            levels = builtin_pack(game_named(name), title)
            if not 1 <= number <= len(levels):
                raise IllegalAction(f"level {number}", f"choose a level from 1 to {len(levels)}")
            self._play(levels, number - 1)
        return tuple(answer)

    def paste(self, text: str, game: str | None = None) -> tuple[Message, ...]:
        """Open the levels of a text, skipping and reporting broken ones."""
        with self._collect_answer() as answer:
            check_text(text, "what is pasted")
            self._play(recognition.read(text, game, lenient=True))
        return tuple(answer)

    def race(self, **options: Any) -> tuple[Message, ...]:
        """Show a race of the actors on the level, with the options of the game's races."""
        with self._collect_answer() as answer:
            hints.race(self, options)
        return tuple(answer)

    def cancel(self) -> tuple[Message, ...]:
        """Cancel the running job."""
        if self.job is None:
            return ()
        self.job.cancel()
        return self.finish(self.job)

    def finish(self, job: Job) -> tuple[Message, ...]:
        """Return the messages of a finished job; none if nobody waits for it any more."""
        if job is not self.job:
            return ()
        self.job = None
        with self._collect_answer() as answer:
            for message in job.messages():
                self.tell(message)
        return tuple(answer)

    def save_played(self) -> Iterator[Message]:
        """Save the played levels at the end, if wanted, and report each file; errors as of `TraceFiles`."""
        return self._trace_files.save_played(self.session)

    # -- commands: `COMMANDS` says what each does

    def do_help(self, argument: str) -> None:
        self.tell(help_message(self.session.position, self.parser, self.commands))

    def do_undo(self, argument: str) -> None:
        count = parse_number("undo", argument) if argument else self.co_players.undo_count
        self.co_players.check_undo("undo", count)
        self.session.undo(count)

    def do_redo(self, argument: str) -> None:
        self.session.redo(parse_number("redo", argument) if argument else self.co_players.redo_count)
        self._advance()

    def do_goto(self, argument: str) -> None:
        self.co_players.check_undo("goto", self.session.actions_done - parse_number("goto", argument))
        if go_to(self.session, argument):
            self._advance()

    def do_restart(self, argument: str) -> None:
        self.session.restart()

    def do_new(self, argument: str) -> None:
        self.session.new_game()

    def do_continue(self, argument: str) -> None:
        self.just_won, self._stale = False, True

    def do_nudge(self, argument: str) -> None:
        hints.nudge(self)

    def do_hint(self, argument: str) -> None:
        hints.hint(self, hints.parse_count(argument))

    def do_solve(self, argument: str) -> None:
        hints.solve(self)

    def do_watch(self, argument: str) -> None:
        hints.watch(self, argument)

    def do_proof(self, argument: str) -> None:
        self.status.ask()

    def do_mistake(self, argument: str) -> None:
        self.tell(ReplayMessage(self.status.mistake()))

    def do_as(self, argument: str) -> None:
        names = self.actors
        if argument and argument not in names:
            raise IllegalAction(f"as {argument}", f"choose from {some(names)}")
        after = names.index(self.actor) + 1 if self.actor in names else 0
        self.actor = argument or names[after % len(names)]
        self._stale = True

    def do_let(self, argument: str) -> None:
        actor, _, name = argument.partition(" ")
        self.co_players.let(actor, name.strip() or BY_HAND)

    def do_levels(self, argument: str) -> None:
        self.tell(messages.Levels(self.entries()))

    def do_level(self, argument: str) -> None:
        number, last = parse_number("level", argument), len(self.session.levels)
        if not 1 <= number <= last:
            raise IllegalAction(f"level {argument}", f"choose a level from 1 to {last}")
        self.session.select(number - 1)

    def do_next(self, argument: str) -> None:
        if not self.session.following:
            raise IllegalAction("next", "all other levels are solved")
        self.session.select(self.session.following[0])

    def do_open(self, argument: str) -> None:
        if not argument or argument.startswith("-"):
            raise IllegalAction(f"open {argument}".strip(), "give a file, a pack or a game")
        name = os.path.expanduser(argument)  # unlike pathlib, it keeps an unknown ~user
        if (trace := find_trace(name)) is None:
            self._play(levels_at(resolve_pack(name), lenient=True))
        else:
            self.tell(ReplayMessage(Replay.of(trace, argument)))

    def do_save(self, argument: str) -> None:
        self.tell(self._trace_files.save(self.session, argument))

    def do_games(self, argument: str) -> None:
        self.tell(messages.Games(self.saved_games()))

    def do_resume(self, argument: str) -> None:
        number, games = parse_number("resume", argument or "1"), self.saved_games()
        if self.store is None or not 1 <= number <= len(games):
            reason = f"choose a game from 1 to {len(games)}" if games else "no other saved game"
            raise IllegalAction(f"resume {argument}".strip(), reason)
        self._move_to(self.store.resume(games[number - 1].id))

    def do_quit(self, argument: str) -> None:
        self.going, self.left = False, True

    # -- jobs and co-players

    def begin_job(self, job: Job) -> None:
        """Start a job, which replaces the running one."""
        self._leave_job()
        self.job = job
        self.tell(JobMessage(job))

    def _advance(self) -> None:
        """Go to the next unsolved level after a win of the player, unless the session did."""
        session = self.session
        if session.game.policy.act_after_win or not session.following:
            return
        if session.position.won and not session.is_won_by_programs():
            session.go_on()
            if session.position.won:  # all other levels are won at their start
                self._tell_end(session.current, session.position)

    def act_for_co_player(self, action: Action) -> bool:
        """Do the action that a co-player chose, and return whether it has won the level."""
        self._input, place = "", self.session.current
        self.session.act(action, self.co_players.playing)
        self._advance()
        return place != self.session.current or self.session.position.won

    def saved_games(self) -> tuple[SavedGame, ...]:
        """Return the other saved games, the latest first."""
        if self.store is None:
            return ()
        here = self.store.id_of(self.session)
        return tuple(game for game in unfinished_games(self.store) if game.id != here)

    # -- output

    def tell(self, message: Message) -> None:
        """Add a message to the answer, and send it to all viewers if it is shared."""
        if isinstance(message, Board) and message.place == self.session.current:
            self._stale = False
        if isinstance(message, messages.SPOILERS):
            self.note_help()
        if self._answer is not None:
            self._answer.append(message)
        if message.shared:
            try:
                self._viewers.tell(self, message)
            except Exception as fault:  # noqa: BLE001  # raised by `_raise_fault`
                self._faults.append(fault)

    def note_help(self) -> None:
        """Note that a win of the current level will be one with hints."""
        self.session.note_help()

    def _raise_fault(self) -> None:
        """Raise the first exception of a viewer, if there was one."""
        faults, self._faults = self._faults, []
        if faults:
            raise faults[0]

    def changed(self, session: Session, change: Change) -> None:
        """Report a change, also one made by others in the session."""
        self._stale, self.just_won = True, change.kind == "select" and shows_win(session)
        actors = session.game.actors(self.level)
        if self.actor is not None and self.actor not in actors and not self.bound:
            self.actor = actors[0]  # another level has other actors
        self._leave_job()
        self.tell(messages.Moved(change, self._is_news(change), self.actor))
        if change.won:
            self.tell(self._board(change.place, change.after))
            self._tell_end(change.place, change.after)
        if change.kind == "select" or change.current != change.place:
            self._tell_level()
        if self._answer is None:
            self._show_board()
            self._raise_fault()

    def _is_news(self, change: Change) -> bool:
        """Return whether the change is a typed action whose words say more than the text."""
        if self._input is None or change.kind != "act":
            return False
        ((action, outcome),) = change.steps
        texts = self.look.describe(self.level, action), str(action)
        return bool(outcome.reward) or self._input not in texts

    def _tell_end(self, place: int, position: Position[Any]) -> None:
        """Report a win of the level at a place, in this position, and what follows."""
        session = self.session
        self.tell(end := win_message(self, place, position, self.co_players.player_actors))
        if isinstance(end, messages.Won):
            self._tell_best(session.levels[place])
        if session.game.policy.act_after_win:
            self.just_won = True
            self._tell_loss()
        elif not session.incomplete:
            if len(session.levels) > 1:
                self.tell(messages.AllDone("All levels are done."))
            self.going = False

    def _tell_best(self, level: Level) -> None:
        try:
            if best := self.best_of(level):
                self.tell(messages.Best(best))
        except GridproofError as error:
            self.tell(Refused(printable(str(error))))

    def _tell_level(self) -> None:
        self.tell(Entered(self.session.current, len(self.session.levels), self.level.title))

    def _tell_loss(self) -> None:
        if self.is_lost:
            self.tell(messages.loss_of(self.session))

    def _show_board(self) -> None:
        if self._stale:
            self.tell(self.board)
            self._tell_loss()

    def _board(self, place: int, position: Position[Any]) -> Board:
        """Return the state of a level in this position: the current one, or the one that was just won and left."""
        session = self.session
        score = (session.score, session.high_score) if session.game.policy.keeps_score else None
        tally = session.tally(place, self.actor)
        return Board(position, tally, place, len(session.levels), len(session.completed), score)

    def _leave_job(self) -> None:
        if self.job is not None:
            self.job.cancel()
            self.job = None

    # -- answers

    @contextlib.contextmanager
    def _collect_answer(self) -> Iterator[list[Message]]:
        """Collect the messages of an input, with its refusal and a changed board."""
        answer: list[Message] = []
        outer, self._answer = self._answer, answer
        try:
            try:
                yield answer
            except GridproofError as error:
                self.tell(self._refusal(error))
            self._show_board()
            self._raise_fault()
        finally:
            self._answer, self._input = outer, None

    def _refusal(self, error: GridproofError) -> Refused:
        blocked = self.parser.illegal_action(error)
        sentence = "" if blocked else refusal_sentence(error)
        return Refused(printable(str(error)), ADVICE, blocked, isinstance(error, NoEffect), sentence)

    def _begin(self, welcome: bool, seed: bool) -> None:
        session = self.session
        if welcome:
            self.tell(messages.Welcome(self.look.welcome))
        if seed and session.has_chance:
            self.tell(messages.SeedMessage(session.seed))
        self._tell_level()
        self._stale = True
        if session.position.won and not session.game.policy.act_after_win:
            self._show_board()
            self._tell_end(session.current, session.position)
            self._advance()

    def _play(self, levels: Pack, place: int = 0) -> None:
        for words in messages.broken_level_notes(levels):
            self.tell(messages.Words(words))
        session = Session(levels, secrets.randbits(32), self.store)
        if place:
            session.select(place)
        self._move_to(session, seed=True)

    def _move_to(self, session: Session, seed: bool = False) -> None:
        before = self.session.game
        self.close()
        self._bind(session)
        self._begin(session.game is not before, seed)

    # -- typed lines

    def _letter(self, line: object) -> str | None:
        """Return the meaning of a line with one letter as a key, unless an action has this name."""
        letter = line.strip() if isinstance(line, str) else ""
        if len(letter) != 1 or not letter.isalpha() or letter in map(str, self.session.position.actions()):
            return None
        if letter in self.own_keys:
            return self.own_keys[letter]
        return self.keys.get(letter) if is_free_letter(letter, self.parser, self._state) else None

    def _do_line(self, line: str) -> None:
        check_text(line, "what is typed")
        typed = " ".join(line.split())
        if not typed:
            return
        is_action = typed in map(str, self.session.position.actions())
        command = None if is_action else find_command(typed, self.parser, self._state)
        if command:
            self._run(command, typed.partition(" ")[2])
            return
        is_single = typed.isdigit() or self.parser.is_action(typed)
        self._act([typed] if is_single else self.parser.texts(typed))

    def _run(self, command: Command, argument: str) -> None:
        self._check_not_left(command.words[0])
        if not self.offers(command):
            raise IllegalAction(command.words[0], "not available here")
        getattr(self, f"do_{command.words[0]}")(argument)

    def _act(self, texts: Sequence[str]) -> None:
        """Do an action, or several until the level is won."""
        self._check_not_left(texts[0] if texts else "act")
        session, alone = self.session, len(texts) == 1
        for number, text in enumerate(texts):
            place, was_won = session.current, session.position.won
            try:
                action = self.parser.action(text, numbers=alone)
                self._check_free(action)
                self._input = text if alone else None
                session.act(action, self.co_players.playing)
                won = place != session.current or (session.position.won and not was_won)
                self._advance()
            except GridproofError:
                if number:
                    self._show_board()
                    self.tell(Refused(f"{number} of {format_count(len(texts), 'actions')} done"))
                raise
            if won:
                return
        self.co_players.start_round()

    def _free(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        """Return the actions whose actor no guest plays."""
        return tuple(action for action in actions if self.level.owner(action) not in self.taken)

    def _check_free(self, action: Action) -> None:
        if not self._free([action]):
            raise GridproofError(f"Another person plays {self.level.owner(action)}.")

    def _check_not_left(self, what: str) -> None:
        if self.left:
            raise IllegalAction(what, "you left the game")
