"""A game in lines of text, after the manner of T15, for every game and every way of reading.

The view has no state of the game in it: a session holds that, the look says what is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from gridproof.core import files
from gridproof.core.errors import GridproofError
from gridproof.core.look import board_text
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.proposition import value_of
from gridproof.core.session import Session
from gridproof.core.viewer import KeptAfterAll
from gridproof.core.wording import counted
from gridproof.play.commands import command_meant
from gridproof.play.text import columns_of, filled, printable, visible
from gridproof.play.typed import Typed, arrows_named

_ITEM = re.compile(r"( *)((?:[0-9]+ +)?)")

AFTER_WIN = "Continue, new game or exit?"
AFTER_LOSS = "Try again or exit?"


class Best(Protocol):
    """The least of a measure that a level has been won with."""

    @property
    def value(self) -> int: ...


class PlainPlay:
    """A conversation about a session.

    Parameters
    ----------
    session : Session
    input, output : text streams
        Lines are read from one and written to the other; the end of input ends the game.
    save : Path, optional
        Where the trace of what was played is saved at the end; of several levels, as NAME-1, NAME-2, ...
    """

    def __init__(self, session: Session, input: TextIO, output: TextIO, save: Path | None = None) -> None:
        self.session = session
        self.look = session.game.look
        self._input = input
        self._output = output
        self._save_at_end = save
        self._lost = value_of(session.game, "lost", ())
        self.saved: set[Path] = set()
        self.just_won = False
        self.going = True
        self.seed_told = False
        """Whether the session's seed is told, for the game to be played again."""
        self.best: Callable[[Level], Mapping[str, Best]] | None = None
        """What a level has been won with at best, where that is kept."""

    def run(self) -> None:
        """Play until the player leaves, the input ends, Ctrl-C comes or all levels are done.

        Raises
        ------
        GridproofError
            When what was played cannot be saved at the end.
        """
        try:
            self.say(self.look.welcome, "welcome")
            if self.seed_told:
                self.say(
                    f"The seed is {self.session.seed}: with --seed, this game can be played again.", "seed"
                )
            self.enter_level()
            if self.session.position.won and not self.session.game.policy.act_after_win:
                self._level_won(self.session.current)
            while self.going:
                self._turn()
        except KeyboardInterrupt:
            self._end_line()
        try:
            self._keep_at_end()
        finally:
            self.say(self.look.farewell, "farewell")

    # -- what is written; a front end for programs writes it otherwise

    def say(self, text: str, kind: str = "message") -> None:
        """Write a message."""
        columns = columns_of(self._output)
        for line in text.split("\n"):
            self._write(filled(line, hanging=_hanging(line), columns=columns) + "\n")

    def show(self, position: Position[Any], done: Sequence[Outcome[Any]], place: int) -> None:
        """Write a board and the counts, those of the current level or of one just won at another place."""
        self._write("\n" + board_text(self.look.board(position)) + "\n")
        self.say(self._counts(position, done), "counts")

    def ask(self, question: str) -> str:
        """Ask for a line; "" at the end of input."""
        self._write(f"{question} ")
        line = self.read()
        if not line or not self._input.isatty():  # what a terminal echoes, a transcript shows too
            self._write(visible(line.rstrip("\n")) + "\n")
        return line

    def read(self) -> str:
        """The next line that is typed; "" at the end of input."""
        return arrows_named(self._input.readline())

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    def _end_line(self) -> None:
        self._write("\n")

    # -- what is asked

    def _question(self) -> str:
        if self.is_lost():
            return AFTER_LOSS
        if self.just_won:
            return AFTER_WIN
        prompt = self.look.prompt
        return prompt if prompt.endswith("?") else f"{prompt}?"

    def _turn(self) -> None:
        line = self.ask(self._question())
        if not line:
            self.going = False
            return
        typed = " ".join(line.split())
        if not typed:
            return
        try:
            self._do(typed)
        except GridproofError as error:
            self.say(f"{printable(str(error))}. Type ? for help.", "refusal")
            if isinstance(error, KeptAfterAll):
                self.show_current()

    def _do(self, typed: str) -> None:
        """An action before a command of the same name, a command before short forms."""
        named = typed in map(str, self.session.position.actions())
        command = None if named else command_meant(typed, self.session)
        if command:
            command.run(self, typed.partition(" ")[2])
        else:
            self._act(typed)

    # -- actions

    def _act(self, typed: str) -> None:
        """Do one action, or several until the level is won."""
        single = typed.isdigit() or self._is_action(typed)
        texts = [typed] if single else Typed(self.session.position).texts(typed)
        for number, text in enumerate(texts):
            try:
                won = self._act_once(text, alone=len(texts) == 1)
            except GridproofError:
                if number:
                    self.show_current()
                    self.say(f"{number} of {counted(len(texts), 'actions')} done", "refusal")
                raise
            if won:
                return
        self.show_current()

    def _act_once(self, text: str, alone: bool) -> bool:
        """Whether the action has won the level; then that has been told."""
        place, was_won = self.session.current, self.session.position.won
        action = Typed(self.session.position).action(text, numbers=alone)
        outcome = self.session.act(action)
        told = self._told(action, outcome)
        if alone and (text not in (told, str(action)) or outcome.reward):
            self.say(told, "action")
        return self.changed(place, was_won)

    def _is_action(self, typed: str) -> bool:
        try:
            Typed(self.session.position).action(typed)
        except GridproofError:
            return False
        return True

    def _told(self, action: object, outcome: Outcome[Any]) -> str:
        points = f", {counted(outcome.reward, 'points')}" if outcome.reward else ""
        return f"{self.look.words(action)}{points}"

    def changed(self, place: int, was_won: bool) -> bool:
        """Whether the level has just been won; then that has been told."""
        self.just_won = False
        left = place != self.session.current  # only a win leads on
        if was_won or not (left or self.session.position.won):
            return False
        done = self._outcomes(place)
        self.show(done[-1].position, done, place)
        self._level_won(place)
        return True

    def _outcomes(self, place: int) -> tuple[Outcome[Any], ...]:
        session = self.session
        return session.outcomes if place == session.current else tuple(session.trace(place).outcomes())

    # -- wins, losses and levels

    def is_lost(self) -> bool:
        return bool(self._lost(self.session.position))

    def _level_won(self, place: int) -> None:
        session = self.session
        self.say(self.look.won, "won")
        self._tell_best(session.levels[place])
        if session.game.policy.act_after_win:
            self.just_won = True
            if self.is_lost():
                self.say(self.look.lost, "lost")
        elif session.incomplete:
            if session.current == place:
                session.select(session.incomplete[0])
            self.enter_level()
        else:
            if len(session.levels) > 1:
                self.say("All levels are done.")
            self.going = False

    def _tell_best(self, level: Level) -> None:
        bests = self.best(level) if self.best else {}
        if bests:
            told = ", ".join(f"{name} {bests[name].value}" for name in sorted(bests))
            self.say(f"Your best here: {told}.", "best")

    def enter_level(self) -> None:
        session = self.session
        title = session.levels[session.current].title
        if len(session.levels) > 1:
            title = f"Level {session.current + 1} of {len(session.levels)}{': ' if title else ''}{title}"
        if title:
            self.say(title, "level")
        self.show_current()

    def show_current(self) -> None:
        session = self.session
        self.show(session.position, session.outcomes, session.current)
        if self.is_lost():
            self.say(self.look.lost, "lost")

    def _counts(self, position: Position[Any], done: Sequence[Outcome[Any]]) -> str:
        counts = [*self.look.counts(position, done)]
        if self.session.game.policy.keeps_score:
            score, best = self.session.score, self.session.high_score
            counts = [("score", str(score)), ("high score", str(best)), *counts]
        return ", ".join(f"{word} {value}" for word, value in counts)

    # -- what is kept

    def save(self, path: Path, place: int) -> None:
        """Save what was done on the level at a place."""
        trace = self.session.trace(place)
        trace.save(path)
        self.saved.add(path)
        self.say(f"{counted(len(trace.steps), 'actions')} saved in {path}", "saved")

    def _keep_at_end(self) -> None:
        if self._save_at_end is None:
            return
        path, played = self._save_at_end, self._played()
        for place in played:
            self.save(files.numbered(path, place + 1) if len(played) > 1 else path, place)

    def _played(self) -> list[int]:
        """The places of the levels on which something was done; else of the current one."""
        session = self.session
        places = range(len(session.levels))
        played = [place for place in places if (kept := session.saved(place)) and kept.done]
        return played or [session.current]


def _hanging(line: str) -> int:
    """How far in the further lines of an item stand: below its words, past its number."""
    spaces, number = _ITEM.match(line).groups()  # type: ignore[union-attr]  # it matches any line
    return len(spaces) + (len(number) or 2) if spaces else 0
