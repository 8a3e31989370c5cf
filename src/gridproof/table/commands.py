"""What a player can do besides acting: one list, for every view of a table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gridproof.core.errors import IllegalAction
from gridproof.core.trace import trace_in
from gridproof.core.wording import some
from gridproof.play import advice
from gridproof.play.keys import VI_KEYS, WASD
from gridproof.play.messages import Games, Help, Levels, Watching
from gridproof.play.partners import BY_HAND
from gridproof.play.replay import Replay
from gridproof.play.shows import partners

if TYPE_CHECKING:
    from gridproof.play.table import Table


class Command(NamedTuple):
    """One of the things a player can do."""

    words: tuple[str, ...]
    """What is typed; the first two are shown."""
    argument: str
    meaning: str
    run: Callable[[Table, str], None]
    keys: tuple[str, ...] = ()
    """Keys that mean it, where the game has no other use for them."""
    serves: Callable[[Table], bool] = lambda table: True
    """Whether it is of use at a table; others are neither listed nor done."""

    @property
    def by_key(self) -> str:
        """What it does without an argument, as by a key."""
        return self.meaning.partition(", or ")[0]


def show_help(table: Table, argument: str) -> None:
    """Say what can be done, in words."""
    typed, words = table.forms, table.look.words
    actions = []
    for action in table.session.position.actions():
        name = (str(action),) if str(action) != words(action) else ()
        actions.append((words(action), (*name, *typed.short_forms(str(action)))))
    commands = tuple(
        (f"{' or '.join(command.words[:2])} {command.argument}".strip(), command.meaning)
        for command in COMMANDS
        if command.serves(table)
    )
    table.tell(Help(tuple(actions), commands))


def undo(table: Table, argument: str) -> None:
    """Take actions back."""
    table.session.undo(_number("undo", argument or "1"))


def redo(table: Table, argument: str) -> None:
    """Do undone actions again."""
    table.session.redo(_number("redo", argument or "1"))
    table.go_on()


def restart(table: Table, argument: str) -> None:
    """Begin the level again."""
    table.session.restart()


def new_game(table: Table, argument: str) -> None:
    """Begin the level with new chance."""
    table.session.new_game()


def go_on(table: Table, argument: str) -> None:
    """Go on after a win."""
    table.just_won = False
    table.show_again()


def list_levels(table: Table, argument: str) -> None:
    """Say which levels there are."""
    table.tell(Levels(table.entries()))


def select(table: Table, argument: str) -> None:
    """Go to another level."""
    number, last = _number("level", argument), len(table.session.levels)
    if not 1 <= number <= last:
        raise IllegalAction(f"level {argument}", f"the levels are numbered from 1 to {last}")
    table.session.select(number - 1)


def skip(table: Table, argument: str) -> None:
    """Go to the next level that is to be done."""
    session = table.session
    others = [place for place in session.incomplete if place != session.current]
    if not others:
        raise IllegalAction("next", "no other level is left to do")
    session.select(next((place for place in others if place > session.current), others[0]))


def switch(table: Table, argument: str) -> None:
    """Play for another of several actors."""
    names = table.actors
    if argument and argument not in names:
        raise IllegalAction(f"as {argument}", f"there are {some(names)}")
    after = names.index(table.actor) + 1 if table.actor in names else 0
    table.actor = argument or names[after % len(names)]
    table.show_again()


def let(table: Table, argument: str) -> None:
    """Have another play for an actor."""
    actor, _, name = argument.partition(" ")
    table.partners.let(actor, name.strip() or BY_HAND)


def watch(table: Table, argument: str) -> None:
    """Watch the level being won from here, or played by somebody."""
    if argument:
        from gridproof.play.shows import show_named

        session = table.session
        level = session.levels[session.current]
        steps = show_named(session.game, argument)(level, session.seed)
        table.tell(Watching(Replay(level.start(session.seed), steps, f"{argument} plays")))
    else:
        advice.watch(table)


def proof(table: Table, argument: str) -> None:
    """Find out what can be proved about the position."""
    table.lookout.ask()


def mistake(table: Table, argument: str) -> None:
    """Show the last position that could be won, and what was done there."""
    table.tell(Watching(table.lookout.mistake()))


def open_file(table: Table, argument: str) -> None:
    """Play other levels, or watch the trace in a file."""
    if not argument or argument.startswith("-"):
        raise IllegalAction(f"open {argument}".strip(), "name a file, a pack or a game")
    name = os.path.expanduser(argument)  # unlike pathlib's, it takes an unknown ~user as it stands
    trace = trace_in(name)
    if trace is None:
        table.open(name)
    else:
        table.tell(Watching(Replay.of(trace, argument)))


def list_games(table: Table, argument: str) -> None:
    """Say which games can be gone on with."""
    table.tell(Games(table.kept()))


def resume(table: Table, argument: str) -> None:
    """Go on with a game that is kept."""
    number, games = _number("resume", argument or "1"), table.kept()
    if not 1 <= number <= len(games):
        room = f"the games are numbered from 1 to {len(games)}" if games else "no other game is kept"
        raise IllegalAction(f"resume {argument}".strip(), room)
    table.resume(games[number - 1].id)


def save(table: Table, argument: str) -> None:
    """Save the trace of the current level, but never over a file that was not saved here."""
    if not argument:
        raise IllegalAction("save", "name a file")
    path = Path(os.path.expanduser(argument))
    if path not in table.saved and os.path.lexists(path):
        raise IllegalAction(f"save {argument}", "there is such a file already, name another")
    table.save(path, table.session.current)


def leave(table: Table, argument: str) -> None:
    """End the game."""
    table.going, table.left = False, True


def _number(what: str, argument: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4000}", argument):  # int reads no more digits
        raise IllegalAction(f"{what} {argument}".strip(), "a whole number is needed")
    return int(argument)


def _goes_on(table: Table) -> bool:
    return table.session.game.policy.act_after_win


def _has_levels(table: Table) -> bool:
    return len(table.session.levels) > 1


def _has_actors(table: Table) -> bool:
    return len(table.actors) > 1


def _has_partners(table: Table) -> bool:
    return _has_actors(table) and bool(partners(table.session.game))


def _has_files(table: Table) -> bool:
    return table.files


def _has_library(table: Table) -> bool:
    return table.library is not None


COMMANDS = (
    Command(("help", "?"), "", "what can be done here", show_help, ("?", "f1")),
    Command(("undo",), "[N]", "take the last action back, or N", undo, ("backspace", "u", "ctrl+z")),
    Command(("redo",), "[N]", "do it again", redo, ("y", "ctrl+y")),
    Command(("restart",), "", "begin the level again", restart, ("ctrl+r",)),
    Command(("new", "again", "new game", "try again"), "", "begin it with new chance", new_game, ("n",)),
    Command(("continue",), "", "go on after a win", go_on, ("enter",), _goes_on),
    Command(("hint",), "", "what to do next", advice.hint, ("i", "f2")),
    Command(("solve",), "", "a way to win from here", advice.solve, ("f3",)),
    Command(("watch",), "[PLAYER]", "see it played out, or somebody play", watch, ("f4",)),
    Command(("proof",), "", "what is proved of this position", proof, ("f7",)),
    Command(("mistake",), "", "where it could be won for the last time", mistake, ("f8",)),
    Command(("as",), "[NAME]", "play for the next actor, or that one", switch, ("tab",), _has_actors),
    Command(
        ("let",),
        "NAME [PLAYER]",
        "have it played by PLAYER after you act, or by hand",
        let,
        (),
        _has_partners,
    ),
    Command(("levels",), "", "the levels of this game", list_levels, ("f5",), _has_levels),
    Command(("level",), "N", "go to level N", select, (), _has_levels),
    Command(("next",), "", "go to the next level to be done", skip, ("pagedown",), _has_levels),
    Command(
        ("open",), "FILE|PACK", "play other levels, or watch a trace", open_file, ("ctrl+o",), _has_files
    ),
    Command(("save",), "FILE", "save what was done as a trace", save, ("ctrl+s",), _has_files),
    Command(("games",), "", "the other games that are kept", list_games, (), _has_library),
    Command(("resume",), "[N]", "go on with one of them", resume, (), _has_library),
    Command(("quit", "exit", "q", "bye"), "", "leave", leave, ("q", "ctrl+q")),
)


NAMED = {command.words[0]: command for command in COMMANDS}
"""By their first words."""


def command_meant(typed: str, table: Table) -> Command | None:
    """The command that a line means, by its words or by a beginning that no action and no other one has.

    W, A, S and D are never the beginning of a command: in a game without arrows they mean nothing.
    """
    line = typed.lower()
    word = line.partition(" ")[0]
    arrows = table.forms.are_arrows(line)
    for command in COMMANDS:
        if arrows and not command.serves(table):
            continue
        if line in command.words or (command.argument and word in command.words):
            return command
    if arrows or word in WASD:
        return None
    begun = [
        one for one in COMMANDS if one.serves(table) and any(name.startswith(word) for name in one.words)
    ]
    if len(begun) != 1 or (word != line and not begun[0].argument):
        return None
    return None if table.forms.meanings(word) else begun[0]


def letter_meant(typed: str, table: Table) -> str | None:
    """What a letter means as a key: one of the player's own, or one that means nothing else in lines."""
    if len(typed) != 1 or not typed.isalpha():
        return None
    if typed in table.own_keys:
        return table.own_keys[typed]
    if typed in VI_KEYS or table.forms.meanings(typed.lower()) or command_meant(typed, table):
        return None
    return table.keys.get(typed)
