"""What a player can do in lines of text besides acting."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gridproof.core.errors import IllegalAction
from gridproof.core.session import Session
from gridproof.play.typed import Typed

if TYPE_CHECKING:
    from gridproof.play.plain import PlainPlay


class Command(NamedTuple):
    """One of the things a player can do."""

    words: tuple[str, ...]
    """What is typed; the first two are shown."""
    argument: str
    meaning: str
    run: Callable[[PlainPlay, str], None]
    serves: Callable[[Session], bool] = lambda session: True
    """Whether it is of use in a session; others are not listed."""


def show_help(talk: PlainPlay, argument: str) -> None:
    """Say what can be done, in words."""
    actions, typed = talk.session.position.actions(), Typed(talk.session.position)
    lines = ["Actions; type a name, a number, or several names:" if actions else "No action can be done."]
    for number, action in enumerate(actions, 1):
        words, name = talk.look.words(action), str(action)
        forms = (*((name,) if name != words else ()), *typed.short_forms(name))
        lines.append(f"{number:4}  {words}" + (f" ({', '.join(forms)})" if forms else ""))
    lines.append("Commands:")
    for command in COMMANDS:
        if command.serves(talk.session):
            shown = f"{' or '.join(command.words[:2])} {command.argument}".strip()
            lines.append(f"  {shown}: {command.meaning}")
    talk.say("\n".join(lines), "help")


def undo(talk: PlainPlay, argument: str) -> None:
    """Take actions back."""
    talk.session.undo(_number("undo", argument or "1"))
    _again(talk)


def redo(talk: PlainPlay, argument: str) -> None:
    """Do undone actions again."""
    place, was_won = talk.session.current, talk.session.position.won
    talk.session.redo(_number("redo", argument or "1"))
    if not talk.changed(place, was_won):
        talk.show_current()


def restart(talk: PlainPlay, argument: str) -> None:
    """Begin the level again."""
    talk.session.restart()
    _again(talk)


def new_game(talk: PlainPlay, argument: str) -> None:
    """Begin the level with new chance."""
    talk.session.new_game()
    _again(talk)


def go_on(talk: PlainPlay, argument: str) -> None:
    """Go on after a win."""
    _again(talk)


def list_levels(talk: PlainPlay, argument: str) -> None:
    """Say which levels there are."""
    session = talk.session
    lines = []
    for place, level in enumerate(session.levels):
        state = "current" if place == session.current else "done" if place in session.completed else "to do"
        title = f"{level.title}, " if level.title else ""
        lines.append(f"{place + 1:4}  {title}{state}")
    talk.say("\n".join(lines), "levels")


def select(talk: PlainPlay, argument: str) -> None:
    """Go to another level."""
    number, last = _number("level", argument), len(talk.session.levels)
    if not 1 <= number <= last:
        raise IllegalAction(f"level {argument}", f"the levels are numbered from 1 to {last}")
    talk.session.select(number - 1)
    talk.just_won = False
    talk.enter_level()


def save(talk: PlainPlay, argument: str) -> None:
    """Save the trace of the current level, but never over a file that was not saved here."""
    if not argument:
        raise IllegalAction("save", "name a file")
    path = Path(os.path.expanduser(argument))  # unlike pathlib's, it takes an unknown ~user as it stands
    if path not in talk.saved and os.path.lexists(path):
        raise IllegalAction(f"save {argument}", "there is such a file already, name another")
    talk.save(path, talk.session.current)


def leave(talk: PlainPlay, argument: str) -> None:
    """End the game."""
    talk.going = False


def _again(talk: PlainPlay) -> None:
    talk.just_won = False
    talk.show_current()


def _number(what: str, argument: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", argument):
        raise IllegalAction(f"{what} {argument}".strip(), "a number is needed")
    return int(argument)


def _goes_on(session: Session) -> bool:
    return session.game.policy.act_after_win


def _has_levels(session: Session) -> bool:
    return len(session.levels) > 1


COMMANDS = (
    Command(("help", "?"), "", "what can be done here", show_help),
    Command(("undo",), "[N]", "take the last action back, or N", undo),
    Command(("redo",), "[N]", "do it again", redo),
    Command(("restart",), "", "begin the level again", restart),
    Command(("new", "again", "new game", "try again"), "", "begin it with new chance", new_game),
    Command(("continue",), "", "go on after a win", go_on, _goes_on),
    Command(("levels",), "", "the levels of this game", list_levels, _has_levels),
    Command(("level",), "N", "go to level N", select, _has_levels),
    Command(("save",), "FILE", "save what was done as a trace", save),
    Command(("quit", "exit", "q", "bye"), "", "leave", leave),
)


def command_meant(typed: str, session: Session) -> Command | None:
    """The command that a line means, by its words or by a beginning that no action and no other one has."""
    line = typed.lower()
    word = line.partition(" ")[0]
    for command in COMMANDS:
        if line in command.words or (command.argument and word in command.words):
            return command
    begun = [
        one for one in COMMANDS if one.serves(session) and any(name.startswith(word) for name in one.words)
    ]
    if len(begun) != 1 or (word != line and not begun[0].argument):
        return None
    return None if Typed(session.position).meanings(word) else begun[0]
