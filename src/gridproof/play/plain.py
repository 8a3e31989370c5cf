"""A game in lines of text, after the manner of T15, for every game and every way of reading.

The view has no state of the game in it: a session holds that, the look says what is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Outcome, Position
from gridproof.core.look import board_text
from gridproof.core.proposition import value_of
from gridproof.core.session import Session
from gridproof.play.text import counted, filled, printable
from gridproof.play.typed import Typed

AFTER_WIN = "Continue, new game or exit?"
AFTER_LOSS = "Try again or exit?"


class Command(NamedTuple):
    """What a player can do besides acting."""

    words: tuple[str, ...]
    """What is typed; the first is shown."""
    argument: str
    meaning: str
    run: Callable[[PlainPlay, str], None]


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
        self._typed = Typed(session.game)
        self._lost = value_of(session.game, "lost", ())
        self._saved: set[Path] = set()
        self._just_won = False
        self._going = True

    def run(self) -> None:
        """Play until the player leaves, the input ends, Ctrl-C comes or all levels are done.

        Raises
        ------
        GridproofError
            When what was played cannot be saved at the end.
        """
        try:
            self.say(self.look.welcome, "welcome")
            self._enter_level()
            if self.session.position.won and not self.session.game.policy.act_after_win:
                self._level_won(self.session.current)
            while self._going:
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
        for line in text.split("\n"):
            self._write(filled(line) + "\n")

    def show(self, position: Position[Any], done: Sequence[Outcome[Any]]) -> None:
        """Write a board and the counts, the current level's or one just won."""
        self._write("\n" + board_text(self.look.board(position)) + "\n")
        self.say(self._counts(position, done), "counts")

    def ask(self, question: str) -> str:
        """Ask for a line; "" at the end of input."""
        self._write(f"{question} ")
        line = self._input.readline()
        if not line or not self._input.isatty():  # what a terminal echoes, a transcript shows too
            self._write(line.rstrip("\n") + "\n")
        return line

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    def _end_line(self) -> None:
        self._write("\n")

    # -- what is asked

    def _question(self) -> str:
        if self._is_lost():
            return AFTER_LOSS
        if self._just_won:
            return AFTER_WIN
        prompt = self.look.prompt
        return prompt if prompt.endswith("?") else f"{prompt}?"

    def _turn(self) -> None:
        line = self.ask(self._question())
        if not line:
            self._going = False
            return
        typed = " ".join(line.split())
        if not typed:
            return
        try:
            self._do(typed)
        except GridproofError as error:
            self.say(f"{printable(str(error))}. Type ? for help.", "refusal")

    def _do(self, typed: str) -> None:
        """An action before a command of the same name, a command before short forms."""
        if typed not in map(str, self.session.position.actions()):
            word, _, argument = typed.partition(" ")
            for command in COMMANDS:
                if typed.lower() in command.words or (command.argument and word.lower() in command.words):
                    command.run(self, argument)
                    return
        self._act(typed)

    # -- actions

    def _act(self, typed: str) -> None:
        """Do one action, or several until the level is won."""
        single = typed.isdigit() or self._is_action(typed)
        texts = [typed] if single else self.session.game.split_actions(typed)
        for number, text in enumerate(texts):
            try:
                won = self._act_once(text, alone=len(texts) == 1)
            except GridproofError:
                if number:
                    self._show_current()
                    self.say(f"{number} of {len(texts)} actions done", "refusal")
                raise
            if won:
                return
        self._show_current()

    def _act_once(self, text: str, alone: bool) -> bool:
        """Whether the action has won the level; then that has been told."""
        place, was_won = self.session.current, self.session.position.won
        action = self._typed.action(self.session.position, text, numbers=alone)
        outcome = self.session.act(action)
        told = self._told(action, outcome)
        if alone and (text not in (told, str(action)) or outcome.reward):
            self.say(told, "action")
        return self._changed(place, was_won)

    def _is_action(self, typed: str) -> bool:
        try:
            self._typed.action(self.session.position, typed)
        except GridproofError:
            return False
        return True

    def _told(self, action: object, outcome: Outcome[Any]) -> str:
        points = f", {outcome.reward} points" if outcome.reward else ""
        return f"{self.look.words(action)}{points}"

    def _changed(self, place: int, was_won: bool) -> bool:
        """Whether the level has just been won; then that has been told."""
        self._just_won = False
        done = self._outcomes(place)
        if was_won or not (done and done[-1].position.won):
            return False
        self.show(done[-1].position, done)
        self._level_won(place)
        return True

    def _outcomes(self, place: int) -> tuple[Outcome[Any], ...]:
        session = self.session
        return session.outcomes if place == session.current else tuple(session.trace(place).outcomes())

    # -- wins, losses and levels

    def _is_lost(self) -> bool:
        return bool(self._lost(self.session.position))

    def _level_won(self, place: int) -> None:
        session = self.session
        self.say(self.look.won, "won")
        if session.game.policy.act_after_win:
            self._just_won = True
            if self._is_lost():
                self.say(self.look.lost, "lost")
        elif session.incomplete:
            if session.current == place:
                session.select(session.incomplete[0])
            self._enter_level()
        else:
            if len(session.levels) > 1:
                self.say("All levels are done.")
            self._going = False

    def _enter_level(self) -> None:
        session = self.session
        title = session.levels[session.current].title
        if len(session.levels) > 1:
            title = f"Level {session.current + 1} of {len(session.levels)}{': ' if title else ''}{title}"
        if title:
            self.say(title, "level")
        self._show_current()

    def _show_current(self) -> None:
        session = self.session
        self.show(session.position, session.outcomes)
        if self._is_lost():
            self.say(self.look.lost, "lost")

    def _counts(self, position: Position[Any], done: Sequence[Outcome[Any]]) -> str:
        counts = [*self.look.counts(position, done)]
        if self.session.game.policy.keeps_score:
            score, best = self.session.score, self.session.high_score
            counts = [("score", str(score)), ("high score", str(best)), *counts]
        return ", ".join(f"{word} {value}" for word, value in counts)

    # -- commands

    def help(self, argument: str) -> None:
        """Say what can be done, in words."""
        actions = self.session.position.actions()
        lines = ["Actions; type a name, a number, or several names:" if actions else "No action can be done."]
        for number, action in enumerate(actions, 1):
            words, name = self.look.words(action), str(action)
            forms = (*((name,) if name != words else ()), *self._typed.short_forms(name))
            lines.append(f"{number:4}  {words}" + (f" ({', '.join(forms)})" if forms else ""))
        lines.append("Commands:")
        for command in COMMANDS:
            shown = f"{' or '.join(command.words[:2])} {command.argument}".strip()
            lines.append(f"  {shown}: {command.meaning}")
        self.say("\n".join(lines), "help")

    def undo(self, argument: str) -> None:
        """Take actions back."""
        self.session.undo(_number("undo", argument or "1"))
        self._just_won = False
        self._show_current()

    def redo(self, argument: str) -> None:
        """Do undone actions again."""
        place, was_won = self.session.current, self.session.position.won
        self.session.redo(_number("redo", argument or "1"))
        if not self._changed(place, was_won):
            self._show_current()

    def restart(self, argument: str) -> None:
        """Begin the level again."""
        self.session.restart()
        self._just_won = False
        self._show_current()

    def new_game(self, argument: str) -> None:
        """Begin the level with new chance."""
        self.session.new_game()
        self._just_won = False
        self._show_current()

    def go_on(self, argument: str) -> None:
        """Go on after a win."""
        self._just_won = False
        self._show_current()

    def levels(self, argument: str) -> None:
        """List the levels."""
        session = self.session
        for place, level in enumerate(session.levels):
            state = (
                "current" if place == session.current else "done" if place in session.completed else "to do"
            )
            title = f" {level.title}," if level.title else ""
            self.say(f"{place + 1:4} {title} {state}", "levels")

    def select(self, argument: str) -> None:
        """Go to another level."""
        place = _number("level", argument) - 1
        if not 0 <= place < len(self.session.levels):
            raise IllegalAction(
                f"level {argument}", f"the levels are numbered from 1 to {len(self.session.levels)}"
            )
        self.session.select(place)
        self._just_won = False
        self._enter_level()

    def save(self, argument: str) -> None:
        """Save the trace of the current level, but never over a file of something else."""
        if not argument:
            raise IllegalAction("save", "name a file")
        path = Path(argument).expanduser()
        if path not in self._saved and path.exists():
            raise IllegalAction(f"save {argument}", "there is such a file already, name another")
        self._save(path, self.session.current)
        self._saved.add(path)

    def leave(self, argument: str) -> None:
        """End the game."""
        self._going = False

    def _save(self, path: Path, place: int) -> None:
        trace = self.session.trace(place)
        trace.save(path)
        self.say(f"{counted(len(trace.steps), 'actions')} saved in {path}", "saved")

    def _keep_at_end(self) -> None:
        if self._save_at_end is None:
            return
        path, played = self._save_at_end, self._played()
        for place in played:
            numbered = path.with_name(f"{path.stem}-{place + 1}{path.suffix}")
            self._save(numbered if len(played) > 1 else path, place)

    def _played(self) -> list[int]:
        """The places of the levels on which something was done; else of the current one."""
        session = self.session
        places = range(len(session.levels))
        played = [place for place in places if (kept := session.saved(place)) and kept.done]
        return played or [session.current]


def _number(what: str, argument: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", argument):
        raise IllegalAction(f"{what} {argument}", "a number is needed")
    return int(argument)


COMMANDS = (
    Command(("help", "?"), "", "what can be done here", PlainPlay.help),
    Command(("undo",), "[N]", "take the last action back, or N", PlainPlay.undo),
    Command(("redo",), "[N]", "do it again", PlainPlay.redo),
    Command(("restart",), "", "begin the level again", PlainPlay.restart),
    Command(("new", "again", "new game", "try again"), "", "begin it with new chance", PlainPlay.new_game),
    Command(("continue",), "", "go on after a win", PlainPlay.go_on),
    Command(("levels",), "", "the levels of this game", PlainPlay.levels),
    Command(("level",), "N", "go to level N", PlainPlay.select),
    Command(("save",), "FILE", "save what was done as a trace", PlainPlay.save),
    Command(("quit", "exit", "q", "bye"), "", "leave", PlainPlay.leave),
)
