"""The conversation with a player, without a word of printing: every front end is a view of it.

A table takes inputs as data and answers with messages; it never waits, and raises nothing at what a player does.
Whoever shows it may also attach itself, and is told what concerns all: also what others have done.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.core import files as disk
from gridproof.core import reading
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.look import Pointed
from gridproof.core.pack import Pack
from gridproof.core.position import NATURE, Action
from gridproof.core.registry import game as game_named
from gridproof.core.session import Session
from gridproof.core.shelf import levels_at, pack_meant, shipped
from gridproof.core.wording import counted
from gridproof.play import advice, messages
from gridproof.play.commands import COMMANDS, NAMED, Command, command_meant, letter_meant
from gridproof.play.data import Data
from gridproof.play.inputs import cell, check_text, check_whole
from gridproof.play.jobs import Job
from gridproof.play.keys import keys_on
from gridproof.play.library import Kept, Library
from gridproof.play.lookout import Lookout
from gridproof.play.messages import Message, Refused
from gridproof.play.partners import Partners
from gridproof.play.telling import Teller, has_chance
from gridproof.play.text import printable
from gridproof.play.typed import Typed

AFTER_WIN = "Continue, new game or exit?"
AFTER_LOSS = "Try again or exit?"
ADVICE = "Type ? for help."


@dataclass(frozen=True, slots=True)
class Question:
    """What a player is asked."""

    text: str
    commands: tuple[str, ...] = ()
    """The first words of those commands that answer it, where it is not an action that is asked for."""


class Table(Teller):
    """A player's place at a session. It is used by one thread at a time.

    Parameters
    ----------
    session : Session
    library : Library, optional
        Where games and best counts are kept.
    save : Path, optional
        Where `keep` saves the trace of what was played; of several levels, as NAME-1, NAME-2, ...
    files : bool
        Whether the player may open and save files: for one who plays on another machine, say no.
    tells_seed : bool
        Whether the seed was drawn, and is told when chance has a part in the game.
    keys : mapping, optional
        Keys of the player's own: each means the text of an action, or the first word of a command.
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
        super().__init__(session, library)
        self.files = files
        self.own_keys = dict(keys or {})
        self.partners = Partners(self)
        """Who plays for which actors after each of the player's actions."""
        self.lookout = Lookout(self)
        """Knows what is proved about positions."""
        self.saved: set[Path] = set()
        """The files that were saved here."""
        self._forms: Typed | None = None
        self._save_at_end = save
        self._tells_seed = tells_seed

    # -- what can be seen

    @property
    def question(self) -> Question:
        """What the player is asked now."""
        if self.is_lost:
            return Question(AFTER_LOSS, ("new", "quit"))
        if self.just_won:
            return Question(AFTER_WIN, ("continue", "new", "quit"))
        prompt = self.look.prompt
        return Question(prompt if prompt.endswith("?") else f"{prompt}?")

    @property
    def actors(self) -> tuple[str, ...]:
        """Whom a player can act for."""
        return tuple(name for name in self.session.game.actors(self.level) if name != NATURE)

    @property
    def commands(self) -> tuple[Command, ...]:
        """What can be done here besides acting."""
        return tuple(command for command in COMMANDS if command.serves(self))

    @property
    def keys(self) -> Mapping[str, str]:
        """What each key means here: the text of an action, or the first word of a command."""
        commands = {key: command.words[0] for command in self.commands for key in command.keys}
        return {**commands, **keys_on(self.level, self.actor), **self.own_keys}

    @property
    def forms(self) -> Typed:
        """What may be typed for actions now."""
        known, position = self._forms, self.session.position
        if known is None or known.position is not position or known.actor != self.actor:
            known = self._forms = Typed(position, self.actor)
        return known

    @property
    def farewell(self) -> Message:
        """The last word."""
        return messages.Farewell(self.look.farewell)

    def state(self) -> Data:
        """All that a view needs to begin with, as JSON has it."""
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
            "partners": dict(self.partners.chosen),
            "keys": dict(self.keys),
            "commands": [command.words[0] for command in self.commands],
            "question": {"text": question.text, "commands": list(question.commands)},
            "working": self.job is not None and not self.job.done,
            "going": self.going,
        }

    # -- what can be done

    def begin(self) -> tuple[Message, ...]:
        """The first words, and the level."""
        return self._answering(lambda: self._begin(True, self._tells_seed))

    def typed(self, line: str) -> tuple[Message, ...]:
        """Do what a line says: an action before a command of the same name, a command before short forms."""
        return self._answering(lambda: self._do(line))

    def key(self, name: str) -> tuple[Message, ...]:
        """Do what a key means; () for one that means nothing."""
        meant = self.keys.get(name) if isinstance(name, str) else None
        return () if meant is None else self.do(meant)

    def do(self, text: str) -> tuple[Message, ...]:
        """Do an action by its exact text, or a command by its first word and what follows it."""
        return self._answering(lambda: self._do_exactly(text))

    def point(self, x: int, y: int, to: tuple[int, int] | None = None) -> tuple[Message, ...]:
        """Do what is meant by pointing at a cell of the board, or by dragging something from there."""
        return self._answering(lambda: self._point(x, y, to))

    def choose(self, pack: str, number: int = 1) -> tuple[Message, ...]:
        """Play a pack that comes with a game ("sokoban/first-steps"), from a level on; no file is read for it."""
        return self._answering(lambda: self._choose(pack, number))

    def paste(self, text: str, game: str | None = None) -> tuple[Message, ...]:
        """Play the levels of a text, without the broken ones, of which each is told."""
        return self._answering(lambda: self._paste(text, game))

    def race(self, **options: Any) -> tuple[Message, ...]:
        """Let actors play the level against each other, to be watched, with the options of the game's races."""
        return self._answering(lambda: advice.race(self, options))

    def cancel(self) -> tuple[Message, ...]:
        """End the long work that is under way."""
        if self.job is None:
            return ()
        self.job.cancel()
        return self.finish(self.job)

    def finish(self, job: Job) -> tuple[Message, ...]:
        """What has come of long work that is done; nothing, where it is not waited for any more."""
        if job is not self.job:
            return ()
        self.job = None
        return self._answering(lambda: [*map(self.tell, job.messages())])

    def keep(self) -> Iterator[Message]:
        """Save what was played, at the end, where that was wished for; what is saved is told one by one.

        Raises
        ------
        GridproofError
            When it cannot be written.
        """
        path = self._save_at_end
        if path is None:
            return
        played = self._played()
        for place in played:
            yield self._saved(disk.numbered(path, place + 1) if len(played) > 1 else path, place)

    # -- what commands use

    def begin_job(self, job: Job) -> None:
        """Have long work done by the view, instead of what was under way."""
        self._leave_job()
        self.job = job
        self.tell(messages.Working(job))

    def go_on(self) -> None:
        """Go on to the next level that is not won yet, when this one is, where the session has not done so."""
        session = self.session
        if session.position.won and not session.game.policy.act_after_win and session.incomplete:
            session.go_on()
            if session.position.won:  # all others were won at their start
                self._tell_end(session.current)

    def act_for_another(self, action: Action) -> None:
        """Do what one of the partners has answered."""
        self._typed = ""
        self.session.act(action)
        self.go_on()

    def open(self, reference: str) -> None:
        """Play the levels that a reference means."""
        self._play(levels_at(pack_meant(reference), lenient=True))

    def kept(self) -> tuple[Kept, ...]:
        """The other games that can be gone on with, the latest first."""
        if self.library is None:
            return ()
        here = self.library.id_of(self.session)
        return tuple(game for game in self.library.saved() if game.id != here)

    def resume(self, name: str) -> None:
        """Go on with a game that is kept."""
        if self.library is not None:
            self._move_to(self.library.resume(name))

    def save(self, path: Path, place: int) -> None:
        """Save what was done on the level at a place."""
        self.tell(self._saved(path, place))

    # -- inside

    def _answering(self, deed: Callable[[], object]) -> tuple[Message, ...]:
        """What is told while something is done; what is refused, too."""
        outer, self._answer = self._answer, []
        try:
            try:
                deed()
            except GridproofError as error:
                self.tell(Refused(printable(str(error)), ADVICE))
            self._show_changed()
            return self._told()
        finally:
            self._answer, self._typed = outer, None

    def _begin(self, welcome: bool, seed: bool) -> None:
        session = self.session
        if welcome:
            self.tell(messages.Welcome(self.look.welcome))
        if seed and has_chance(session):
            self.tell(messages.SeedTold(session.seed))
        self._tell_entered()
        self._stale = True
        if session.position.won and not session.game.policy.act_after_win:
            self._show_changed()
            self._tell_end(session.current)
            self.go_on()

    def _play(self, levels: Pack, place: int = 0) -> None:
        for words in messages.left_out(levels):
            self.tell(messages.Words(words))
        session = Session(levels, secrets.randbits(32), self.library)
        if place:
            session.select(place)
        self._move_to(session, seed=True)

    def _point(self, x: int, y: int, to: tuple[int, int] | None) -> None:
        x, y = cell((x, y), "a cell")
        end = None if to is None else cell(to, "a cell")
        found = self.look.pointed(self.session.position, Pointed(x, y, end, self.actor))
        self._act(found) if found else self.tell(Refused("Nothing can be done there"))

    def _paste(self, text: str, game: str | None) -> None:
        check_text(text, "what is pasted")
        self._play(reading.read(text, game, lenient=True))

    def _choose(self, pack: str, number: int) -> None:
        check_text(pack, "the name of a pack")
        check_whole(number, "the number of a level")
        name, _, title = pack.partition("/")
        levels = shipped(game_named(name), title)
        if not 1 <= number <= len(levels):
            raise IllegalAction(f"level {number}", f"the levels are numbered from 1 to {len(levels)}")
        self._play(levels, number - 1)

    def _move_to(self, session: Session, seed: bool = False) -> None:
        before = self.session.game
        self.close()
        self._sit(session)
        self._begin(session.game is not before, seed)

    # -- what is typed

    def _do(self, line: str) -> None:
        check_text(line, "what is typed")
        typed = " ".join(line.split())
        if not typed:
            return
        named = typed in map(str, self.session.position.actions())
        if not named and (meant := letter_meant(typed, self)):
            self._do_exactly(meant)
            return
        command = None if named else command_meant(typed, self)
        if command:
            self._run(command, typed.partition(" ")[2])
            return
        single = typed.isdigit() or self.forms.is_action(typed)
        self._act([typed] if single else self.forms.texts(typed))

    def _do_exactly(self, text: str) -> None:
        check_text(text, "an action or a command")
        word, _, argument = text.partition(" ")
        command = NAMED.get(word)
        if command is None or self.forms.is_action(text):
            self._act([text])
        else:
            self._run(command, argument)

    def _run(self, command: Command, argument: str) -> None:
        self._check_there(command.words[0])
        if not command.serves(self):
            raise IllegalAction(command.words[0], "it is of no use here")
        command.run(self, argument)

    def _act(self, texts: Sequence[str]) -> None:
        """Do one action, or several until the level is won."""
        self._check_there(texts[0] if texts else "act")
        for number, text in enumerate(texts):
            try:
                won = self._act_once(text, alone=len(texts) == 1)
            except GridproofError:
                if number:
                    self._show_changed()
                    self.tell(Refused(f"{number} of {counted(len(texts), 'actions')} done"))
                raise
            if won:
                break
        self.partners.go_round()

    def _check_there(self, what: str) -> None:
        if self.left:
            raise IllegalAction(what, "the game has been left")

    def _act_once(self, text: str, alone: bool) -> bool:
        """Whether the action has won the level."""
        session = self.session
        place, was_won = session.current, session.position.won
        action = self.forms.action(text, numbers=alone)
        self._typed = text if alone else None
        session.act(action)
        won = place != session.current or (session.position.won and not was_won)
        self.go_on()
        return won

    # -- what is kept

    def _saved(self, path: Path, place: int) -> messages.Saved:
        trace = self.session.trace(place)
        trace.save(path)
        self.saved.add(path)
        return messages.Saved(path, len(trace.steps))

    def _played(self) -> list[int]:
        """The places of the levels on which something was done; else of the current one."""
        session = self.session
        entered = enumerate(map(session.saved, range(len(session.levels))))
        return [place for place, kept in entered if kept and kept.done] or [session.current]
