"""Commands of a player besides actions: one list for every view."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gridproof.agents.demos import co_players
from gridproof.core.errors import IllegalAction
from gridproof.core.text.phrases import some
from gridproof.core.trace import find_trace
from gridproof.table import hints
from gridproof.table.co_players import BY_HAND
from gridproof.table.keys import VI_KEYS, WASD
from gridproof.table.messages import Games, Help, Levels
from gridproof.table.replay import Replay, Watching

if TYPE_CHECKING:
    from gridproof.table.table import Table


class Command(NamedTuple):
    """A command of a player."""

    words: tuple[str, ...]
    """Typed words; the first two are shown."""
    argument: str
    meaning: str
    run: Callable[[Table, str], None]
    keys: tuple[str, ...] = ()
    """Keys of the command, if the game does not use them."""
    is_available: Callable[[Table], bool] = lambda table: True
    """Tells if the command is available at a table; others are neither listed nor run."""

    @property
    def short_meaning(self) -> str:
        """Return the meaning without an argument, as of its key."""
        return self.meaning.partition(", or ")[0]


def show_help(table: Table, argument: str) -> None:
    """List the actions and commands."""
    typed, words = table.parser, table.look.words
    actions = []
    for action in table.session.position.actions():
        name = (str(action),) if str(action) != words(action) else ()
        actions.append((words(action), (*name, *typed.short_forms(str(action)))))
    commands = tuple(
        (f"{' or '.join(command.words[:2])} {command.argument}".strip(), command.meaning)
        for command in table.commands
    )
    table.tell(Help(tuple(actions), commands))


def undo(table: Table, argument: str) -> None:
    """Undo actions."""
    table.session.undo(_number("undo", argument or "1"))


def redo(table: Table, argument: str) -> None:
    """Redo actions."""
    table.session.redo(_number("redo", argument or "1"))
    table.advance()


def restart(table: Table, argument: str) -> None:
    """Restart the level."""
    table.session.restart()


def new_game(table: Table, argument: str) -> None:
    """Restart the level with a new seed."""
    table.session.new_game()


def continue_game(table: Table, argument: str) -> None:
    """Continue after a win."""
    table.just_won = False
    table.request_board()


def list_levels(table: Table, argument: str) -> None:
    """List the levels."""
    table.tell(Levels(table.entries()))


def select(table: Table, argument: str) -> None:
    """Go to another level."""
    number, last = _number("level", argument), len(table.session.levels)
    if not 1 <= number <= last:
        raise IllegalAction(f"level {argument}", f"choose a level from 1 to {last}")
    table.session.select(number - 1)


def skip(table: Table, argument: str) -> None:
    """Go to the next unsolved level."""
    session = table.session
    if not session.following:
        raise IllegalAction("next", "all other levels are solved")
    session.select(session.following[0])


def switch(table: Table, argument: str) -> None:
    """Play as another actor."""
    names = table.actors
    if argument and argument not in names:
        raise IllegalAction(f"as {argument}", f"choose from {some(names)}")
    after = names.index(table.actor) + 1 if table.actor in names else 0
    table.actor = argument or names[after % len(names)]
    table.request_board()


def let(table: Table, argument: str) -> None:
    """Let a strategy play an actor."""
    actor, _, name = argument.partition(" ")
    table.co_players.let(actor, name.strip() or BY_HAND)


def watch(table: Table, argument: str) -> None:
    """Watch the solution from here, or a player."""
    if argument:
        from gridproof.agents.demos import find_demo

        session = table.session
        level = session.levels[session.current]
        steps = find_demo(session.game, argument)(level, session.seed)
        table.tell(Watching(Replay(level.start(session.seed), steps, f"{argument} plays")))
    else:
        hints.watch(table)


def proof(table: Table, argument: str) -> None:
    """Prove the status of the position."""
    table.status.ask()


def mistake(table: Table, argument: str) -> None:
    """Show the last winnable position and the mistake there."""
    table.tell(Watching(table.status.mistake()))


def open_file(table: Table, argument: str) -> None:
    """Open other levels, or watch the trace in a file."""
    if not argument or argument.startswith("-"):
        raise IllegalAction(f"open {argument}".strip(), "give a file, a pack or a game")
    name = os.path.expanduser(argument)  # unlike pathlib, it keeps an unknown ~user
    trace = find_trace(name)
    if trace is None:
        table.open(name)
    else:
        table.tell(Watching(Replay.of(trace, argument)))


def list_games(table: Table, argument: str) -> None:
    """List saved games."""
    table.tell(Games(table.saved_games()))


def resume(table: Table, argument: str) -> None:
    """Continue a saved game."""
    number, games = _number("resume", argument or "1"), table.saved_games()
    if not 1 <= number <= len(games):
        reason = f"choose a game from 1 to {len(games)}" if games else "no other saved game"
        raise IllegalAction(f"resume {argument}".strip(), reason)
    table.resume(games[number - 1].id)


def save(table: Table, argument: str) -> None:
    """Save the trace of the current level, but never over a foreign file."""
    if not argument:
        raise IllegalAction("save", "give a file")
    path = Path(os.path.expanduser(argument))
    if path not in table.saved_files and os.path.lexists(path):
        raise IllegalAction(f"save {argument}", "the file exists; choose another name")
    table.save(path, table.session.current)


def leave(table: Table, argument: str) -> None:
    """Leave the game."""
    table.going, table.left = False, True


def _number(what: str, argument: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4000}", argument):  # the limit of `int`
        raise IllegalAction(f"{what} {argument}".strip(), "must be a whole number")
    return int(argument)


def _continues_after_win(table: Table) -> bool:
    return table.session.game.policy.act_after_win


def _has_levels(table: Table) -> bool:
    return len(table.session.levels) > 1


def _has_actors(table: Table) -> bool:
    return len(table.actors) > 1


def _has_co_players(table: Table) -> bool:
    return _has_actors(table) and bool(co_players(table.session.game))


def _has_files(table: Table) -> bool:
    return table.files


def _has_library(table: Table) -> bool:
    return table.library is not None


COMMANDS = (
    Command(("help", "?"), "", "list actions and commands", show_help, ("?", "f1")),
    Command(("undo",), "[N]", "undo the last action, or N actions", undo, ("backspace", "u", "ctrl+z")),
    Command(("redo",), "[N]", "redo the last action, or N actions", redo, ("y", "ctrl+y")),
    Command(("restart",), "", "restart the level", restart, ("ctrl+r",)),
    Command(
        ("new", "again", "new game", "try again"), "", "start a new game with a new seed", new_game, ("n",)
    ),
    Command(("continue",), "", "continue after a win", continue_game, ("enter",), _continues_after_win),
    Command(("hint",), "", "suggest the next action", hints.hint, ("i", "f2")),
    Command(("solve",), "", "find a solution from here", hints.solve, ("f3",)),
    Command(("watch",), "[PLAYER]", "watch the solution, or a player", watch, ("f4",)),
    Command(("proof",), "", "show what is proved about this position", proof, ("f7",)),
    Command(("mistake",), "", "find the last winnable position", mistake, ("f8",)),
    Command(("as",), "[NAME]", "play as the next actor, or as NAME", switch, ("tab",), _has_actors),
    Command(
        ("let",),
        "NAME [PLAYER]",
        "let PLAYER act for NAME after you, or by hand",
        let,
        (),
        _has_co_players,
    ),
    Command(("levels",), "", "list the levels", list_levels, ("f5",), _has_levels),
    Command(("level",), "N", "go to level N", select, (), _has_levels),
    Command(("next",), "", "go to the next unsolved level", skip, ("pagedown",), _has_levels),
    Command(
        ("open",), "FILE|PACK", "open other levels, or watch a trace", open_file, ("ctrl+o",), _has_files
    ),
    Command(("save",), "FILE", "save your actions as a trace", save, ("ctrl+s",), _has_files),
    Command(("games",), "", "list saved games", list_games, (), _has_library),
    Command(("resume",), "[N]", "continue a saved game", resume, (), _has_library),
    Command(("quit", "exit", "q", "bye"), "", "leave", leave, ("q", "ctrl+q")),
)


COMMANDS_BY_NAME = {command.words[0]: command for command in COMMANDS}
"""First word -> command."""

GUEST_COMMANDS = ("help", "hint", "proof", "quit")
"""Commands of guests; none changes the game for others."""


def find_command(typed: str, table: Table) -> Command | None:
    """Return the command that a line means, by its words or by an unambiguous prefix.

    W, A, S and D never abbreviate a command, even in a game without arrows.
    """
    line = typed.lower()
    word = line.partition(" ")[0]
    arrows = table.parser.are_arrows(line)
    for command in COMMANDS:
        if arrows and not command.is_available(table):
            continue
        if line in command.words or (command.argument and word in command.words):
            return command
    if arrows or word in WASD:
        return None
    matches = [
        one
        for one in COMMANDS
        if one.is_available(table) and any(name.startswith(word) for name in one.words)
    ]
    if len(matches) != 1 or (word != line and not matches[0].argument):
        return None
    return None if table.parser.meanings(word) else matches[0]


def letter_meaning(typed: str, table: Table) -> str | None:
    """Return the meaning of a letter as a key, if the player set it or nothing else uses it in lines."""
    if len(typed) != 1 or not typed.isalpha():
        return None
    if typed in table.own_keys:
        return table.own_keys[typed]
    if typed in VI_KEYS or table.parser.meanings(typed.lower()) or find_command(typed, table):
        return None
    return table.keys.get(typed)
