"""Table: the conversation with a player, without printing; every front end is a view of it.

A table takes inputs as data and answers with messages; it never waits, and never raises an error for an input.
A front end may also attach itself as a viewer, which receives all shared messages, also of others' actions.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.agents.solution_cache import SolutionCache
from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError, IllegalAction, NoEffect
from gridproof.core.look import Pointed
from gridproof.core.observers import Change, Observer, Observers
from gridproof.core.position import NATURE, Action, Level, Position
from gridproof.core.proposition import value_of
from gridproof.core.registry import game as game_named
from gridproof.core.session import Session
from gridproof.core.text import files as disk
from gridproof.core.text import recognition
from gridproof.core.text.display import printable
from gridproof.core.text.level_lookup import builtin_pack, levels_at, resolve_pack
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count
from gridproof.core.validation import check_text, check_whole, to_cell
from gridproof.table import hints, messages
from gridproof.table.action_parser import ActionParser
from gridproof.table.co_players import CoPlayers
from gridproof.table.commands import (
    COMMANDS,
    COMMANDS_BY_NAME,
    GUEST_COMMANDS,
    Command,
    find_command,
    letter_meaning,
)
from gridproof.table.jobs import Job, Working
from gridproof.table.keys import keys_on
from gridproof.table.library import Library, SavedGame, filter_unfinished
from gridproof.table.menu import LevelEntry, entries
from gridproof.table.messages import Board, Entered, Message, Refused
from gridproof.table.status import StatusObserver

AFTER_WIN = "Continue, new game or exit?"
AFTER_LOSS = "Try again or exit?"
ADVICE = "Type ? for help."


@dataclass(frozen=True, slots=True)
class Prompt:
    """The question for the player."""

    text: str
    commands: tuple[str, ...] = ()
    """First words of the commands that answer it, if it does not ask for an action."""


class Table:
    """A player's conversation with a session; used by one thread at a time.

    An input collects its messages for the answer; viewers receive all shared messages.

    Parameters
    ----------
    session : Session
    library : Library, optional
        Library of saved games and best counts.
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
        library: Library | None = None,
        save: Path | None = None,
        files: bool = True,
        tells_seed: bool = False,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        self.library = library
        self.files = files
        self.bound = False
        """True if the player acts for one actor on all levels, even without this actor."""
        self.is_guest = False
        """True if the player was invited to play that actor only."""
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
        self.saved_files: set[Path] = set()
        """Files saved at this table."""
        self._parser: ActionParser | None = None
        self._save_at_end = save
        self._targets = _save_targets(save, len(session.levels))
        self._tells_seed = tells_seed

    def _bind(self, session: Session) -> None:
        self.session = session
        self.look = session.game.look
        self.going = True
        """False once the player has left, or all levels are done."""
        self.left = False
        """True if the player has left: then only another game can start."""
        self.just_won = session.game.policy.act_after_win and _has_just_won(session)
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
        position, place = self.session.position, self.session.current
        if self.just_won or (position.won and not self.session.game.policy.act_after_win):
            return self._win_message(place)
        return messages.Lost(self.look.lost) if self.is_lost else None

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
        return self._board(self.session.current)

    def entries(self) -> tuple[LevelEntry, ...]:
        """Return the levels with the player's results; errors as of `best`."""
        session = self.session
        return entries(session.levels, self.library, session.completed, session.current)

    @property
    def best(self) -> dict[str, int]:
        """Return the best counts of the current level, by measure.

        Raises
        ------
        GridproofError
            If the library cannot be read.
        """
        return self._best(self.level)

    @property
    def question(self) -> Prompt:
        """Return the current question."""
        if self.is_lost:
            return Prompt(AFTER_LOSS, ("new", "quit"))
        if self.just_won:
            return Prompt(AFTER_WIN, ("continue", "new", "quit"))
        prompt = self.look.prompt
        return Prompt(prompt if prompt.endswith("?") else f"{prompt}?")

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
        return (not self.is_guest or command.words[0] in GUEST_COMMANDS) and command.is_available(self)

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
            "partners": dict(self.co_players.chosen),
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
        """Run the action of a click on a cell, or of a drag from it."""
        with self._collect_answer() as answer:
            self._point(x, y, to)
        return tuple(answer)

    def choose(self, pack: str, number: int = 1) -> tuple[Message, ...]:
        """Open a built-in pack ("sokoban/first-steps") at a level, without reading a file."""
        with self._collect_answer() as answer:
            self._choose(pack, number)
        return tuple(answer)

    def paste(self, text: str, game: str | None = None) -> tuple[Message, ...]:
        """Open the levels of a text, skipping and reporting broken ones."""
        with self._collect_answer() as answer:
            self._paste(text, game)
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
        """Save the played levels at the end, if wanted, and report each file.

        Existing files of levels that were opened later are not overwritten: the caller has checked only the others.

        Raises
        ------
        GridproofError
            If a file cannot be written.
        """
        path = self._save_at_end
        if path is None:
            return
        places = self._played_places()
        for place in places:
            target = disk.add_number(path, place + 1) if len(places) > 1 else path
            if os.path.lexists(target) and target not in self._targets | self.saved_files:
                yield Refused(f"{target} exists already; your actions are not saved in it")
            else:
                yield self._save_trace(target, place)

    # -- actions of commands

    def begin_job(self, job: Job) -> None:
        """Start a job, which replaces the running one."""
        self._leave_job()
        self.job = job
        self.tell(Working(job))

    def advance(self) -> None:
        """Go to the next unsolved level after a win, unless the session did."""
        session = self.session
        if session.position.won and not session.game.policy.act_after_win and session.incomplete:
            session.go_on()
            if session.position.won:  # all other levels are won at their start
                self._tell_end(session.current)

    def act_for_co_player(self, action: Action) -> None:
        """Do the action that a co-player chose."""
        self._input = ""
        self.session.act(action)
        self.advance()

    def open(self, reference: str) -> None:
        """Open the levels of a reference."""
        self._play(levels_at(resolve_pack(reference), lenient=True))

    def saved_games(self) -> tuple[SavedGame, ...]:
        """Return the other saved games, the latest first."""
        if self.library is None:
            return ()
        here = self.library.id_of(self.session)
        return tuple(game for game in filter_unfinished(self.library.saved()) if game.id != here)

    def resume(self, name: str) -> None:
        """Continue a saved game."""
        if self.library is not None:
            self._move_to(self.library.resume(name))

    def save(self, path: Path, place: int) -> None:
        """Save the trace of the level at a place."""
        self.tell(self._save_trace(path, place))

    # -- output

    def tell(self, message: Message) -> None:
        """Add a message to the answer, and send it to all viewers if it is shared."""
        if isinstance(message, Board) and message.place == self.session.current:
            self._stale = False
        if self._answer is not None:
            self._answer.append(message)
        if message.shared:
            try:
                self._viewers.tell(self, message)
            except Exception as fault:  # noqa: BLE001  # raised by `_raise_fault`
                self._faults.append(fault)

    def _raise_fault(self) -> None:
        """Raise the first exception of a viewer, if there was one."""
        faults, self._faults = self._faults, []
        if faults:
            raise faults[0]

    def request_board(self) -> None:
        """Request that the board is shown again, although it is unchanged."""
        self._stale = True

    def changed(self, session: Session, change: Change) -> None:
        """Report a change, also one made by others in the session."""
        self._stale, self.just_won = True, False
        actors = session.game.actors(self.level)
        if (
            self.actor is not None and self.actor not in actors and not self.bound
        ):  # another level has other actors
            self.actor = actors[0]
        self._leave_job()
        self.tell(messages.Moved(change, self._is_news(change), self.actor))
        if change.won:
            self.tell(self._board(change.place))
            self._tell_end(change.place)
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
        return bool(outcome.reward) or self._input not in (self.look.words(action), str(action))

    def _tell_end(self, place: int) -> None:
        """Report a win and what follows."""
        session = self.session
        self.tell(self._win_message(place))
        self._tell_best(session.levels[place])
        if session.game.policy.act_after_win:
            self.just_won = True
            self._tell_loss()
        elif not session.incomplete:
            if len(session.levels) > 1:
                self.tell(messages.AllDone("All levels are done."))
            self.going = False

    def _win_message(self, place: int) -> Message:
        """Return the message of a win: which actor won, and whether a guest's own actor did."""
        look, session = self.look, self.session
        if len(session.game.actors(session.levels[place])) < 2:
            return messages.Won(look.won)
        position = self._board(place).position
        winners = look.winners(position)
        if not self.is_guest or not winners or self.actor not in session.game.actors(position.level):
            return messages.Won(look.win_text(position))
        if self.actor in winners:
            return messages.Won(f"You have won! {look.won}")
        return messages.Lost(f"You have lost: the winner is {' and '.join(winners)}.")

    def _tell_best(self, level: Level) -> None:
        try:
            if best := self._best(level):
                self.tell(messages.Best(best))
        except GridproofError as error:
            self.tell(Refused(printable(str(error))))

    def _best(self, level: Level) -> dict[str, int]:
        records = self.library.best(level) if self.library else {}
        return {name: record.value for name, record in records.items()}

    def _tell_level(self) -> None:
        self.tell(Entered(self.session.current, len(self.session.levels), self.level.title))

    def _tell_loss(self) -> None:
        if self.is_lost:
            self.tell(messages.Lost(self.look.lost))

    def _show_board(self) -> None:
        if self._stale:
            self.tell(self.board)
            self._tell_loss()

    def _board(self, place: int) -> Board:
        """Return the state of a level: the current one, or the one that was just won and left."""
        session = self.session
        position = session.position if place == session.current else session.trace(place).replay()
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
        sentence = "" if blocked else _command_refusal(error)
        return Refused(printable(str(error)), ADVICE, blocked, isinstance(error, NoEffect), sentence)

    def _begin(self, welcome: bool, seed: bool) -> None:
        session = self.session
        if welcome:
            self.tell(messages.Welcome(self.look.welcome))
        if seed and has_chance(session):
            self.tell(messages.SeedMessage(session.seed))
        self._tell_level()
        self._stale = True
        if session.position.won and not session.game.policy.act_after_win:
            self._show_board()
            self._tell_end(session.current)
            self.advance()

    def _play(self, levels: Pack, place: int = 0) -> None:
        for words in messages.broken_level_notes(levels):
            self.tell(messages.Words(words))
        session = Session(levels, secrets.randbits(32), self.library)
        if place:
            session.select(place)
        self._move_to(session, seed=True)

    def _point(self, x: int, y: int, to: tuple[int, int] | None) -> None:
        x, y = to_cell((x, y), "a cell")
        end = None if to is None else to_cell(to, "a cell")
        actions = self.look.pointed(self.session.position, Pointed(x, y, end, self.actor))
        self._act(actions) if actions else self.tell(Refused("Nothing can be done there"))

    def _paste(self, text: str, game: str | None) -> None:
        check_text(text, "what is pasted")
        self._play(recognition.read(text, game, lenient=True))

    def _choose(self, pack: str, number: int) -> None:
        check_text(pack, "the name of a pack")
        check_whole(number, "the number of a level")
        name, _, title = pack.partition("/")
        levels = builtin_pack(game_named(name), title)
        if not 1 <= number <= len(levels):
            raise IllegalAction(f"level {number}", f"choose a level from 1 to {len(levels)}")
        self._play(levels, number - 1)

    def _move_to(self, session: Session, seed: bool = False) -> None:
        before = self.session.game
        self.close()
        self._bind(session)
        self._begin(session.game is not before, seed)

    # -- typed lines

    def _letter(self, line: object) -> str | None:
        """Return the meaning of a line with one letter as a key, unless an action has this name."""
        letter = line.strip() if isinstance(line, str) else ""
        if len(letter) != 1 or letter in map(str, self.session.position.actions()):
            return None
        return letter_meaning(letter, self)

    def _do_line(self, line: str) -> None:
        check_text(line, "what is typed")
        typed = " ".join(line.split())
        if not typed:
            return
        is_action = typed in map(str, self.session.position.actions())
        command = None if is_action else find_command(typed, self)
        if command:
            self._run(command, typed.partition(" ")[2])
            return
        is_single = typed.isdigit() or self.parser.is_action(typed)
        self._act([typed] if is_single else self.parser.texts(typed))

    def _run(self, command: Command, argument: str) -> None:
        self._check_not_left(command.words[0])
        if not self.offers(command):
            raise IllegalAction(command.words[0], "not available here")
        command.run(self, argument)

    def _act(self, texts: Sequence[str]) -> None:
        """Do an action, or several until the level is won."""
        self._check_not_left(texts[0] if texts else "act")
        session, alone = self.session, len(texts) == 1
        for number, text in enumerate(texts):
            place, was_won = session.current, session.position.won
            try:
                action = self.parser.action(text, numbers=alone)
                self._input = text if alone else None
                session.act(action)
                won = place != session.current or (session.position.won and not was_won)
                self.advance()
            except GridproofError:
                if number:
                    self._show_board()
                    self.tell(Refused(f"{number} of {format_count(len(texts), 'actions')} done"))
                raise
            if won:
                break
        self.co_players.start_round()

    def _check_not_left(self, what: str) -> None:
        if self.left:
            raise IllegalAction(what, "you left the game")

    # -- files

    def _save_trace(self, path: Path, place: int) -> messages.Saved:
        trace = self.session.trace(place)
        trace.save(path)
        self.saved_files.add(path)
        return messages.Saved(path, len(trace.steps))

    def _played_places(self) -> list[int]:
        """Return the places of the levels with actions; else the current one."""
        session = self.session
        entered = enumerate(map(session.to_data, range(len(session.levels))))
        return [place for place, play in entered if play and play.done] or [session.current]


def _save_targets(path: Path | None, levels: int) -> set[Path]:
    """Return the files of traces of a session, which its front end has checked."""
    return {path, *(disk.add_number(path, place + 1) for place in range(levels))} if path else set()


def _has_just_won(session: Session) -> bool:
    return session.position.won and session.actions_done > 0 and not session.history[1].won


def _command_refusal(error: GridproofError) -> str:
    """Return why a command is refused, as a sentence; "" if the error refuses something else."""
    if not isinstance(error, IllegalAction) or error.action.partition(" ")[0] not in COMMANDS_BY_NAME:
        return ""
    return printable(f"{error.reason[:1].upper()}{error.reason[1:]}.")


def has_chance(session: Session) -> bool:
    """Return whether the game is random, judged by its first level."""
    level, position = session.levels[0], session.position
    chances = (level.starts(), *map(position.outcomes, position.actions()))
    return NATURE in session.game.actors(level) or any(
        len([*itertools.islice(one, 2)]) > 1 for one in chances
    )
