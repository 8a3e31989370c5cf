"""Commands of a player besides actions: one list for every view. Tables run them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from gridproof.agents.demos import co_players
from gridproof.agents.players import adviser
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import NATURE, Position
from gridproof.core.session import Session
from gridproof.core.text.display import printable
from gridproof.table.action_parser import ActionParser
from gridproof.table.game_store import GameStore
from gridproof.table.keys import VI_KEYS, WASD
from gridproof.table.messages import Help


class TableState(NamedTuple):
    """State of a table on which the available commands depend."""

    session: Session
    store: GameStore | None
    files: bool
    """True if files may be opened and saved."""


class Command(NamedTuple):
    """A command of a player; the table's method `do_WORD` runs it, with its first word."""

    words: tuple[str, ...]
    """Typed words; the first two are shown."""
    argument: str
    meaning: str
    keys: tuple[str, ...] = ()
    """Keys of the command, if the game does not use them."""
    is_available: Callable[[TableState], bool] = lambda state: True
    """Tells if the command is available at a table; others are neither listed nor run."""

    @property
    def short_meaning(self) -> str:
        """Return the meaning without an argument, as of its key."""
        return self.meaning.partition(", or ")[0]


def _continues_after_win(state: TableState) -> bool:
    return state.session.game.policy.act_after_win


def _has_levels(state: TableState) -> bool:
    return len(state.session.levels) > 1


def _has_actors(state: TableState) -> bool:
    session = state.session
    actors = session.game.actors(session.levels[session.current])
    return sum(actor != NATURE for actor in actors) > 1


def _has_co_players(state: TableState) -> bool:
    return _has_actors(state) and bool(co_players(state.session.game))


def _has_solutions(state: TableState) -> bool:
    return adviser(state.session.game) is None


def _has_files(state: TableState) -> bool:
    return state.files


def _has_library(state: TableState) -> bool:
    return state.store is not None


COMMANDS = (
    Command(("help", "?"), "", "list actions and commands", ("?", "f1")),
    Command(("undo",), "[N]", "undo the last action, or N actions", ("backspace", "u", "ctrl+z")),
    Command(("redo",), "[N]", "redo the last action, or N actions", ("y", "ctrl+y")),
    Command(("goto",), "N", "go to the position after N actions"),
    Command(("restart",), "", "restart the level", ("ctrl+r",)),
    Command(("new", "again", "new game", "try again"), "", "start a new game", ("n",)),
    Command(("continue",), "", "continue after a win", ("enter",), _continues_after_win),
    Command(("nudge",), "", "say which piece to move, but not how", (), _has_solutions),
    Command(("hint",), "[N]", "suggest the next action, or N actions", ("i", "f2")),
    Command(("solve",), "", "find a solution from here", ("f3",)),
    Command(("watch",), "[PLAYER]", "watch the solution, or a player", ("f4",)),
    Command(("proof",), "", "show what is proved about this position", ("f7",)),
    Command(("mistake",), "", "find the last winnable position", ("f8",)),
    Command(("as",), "[NAME]", "play as the next actor, or as NAME", ("tab",), _has_actors),
    Command(
        ("let",),
        "NAME [PLAYER]",
        "let PLAYER act for NAME after you, or by hand",
        (),
        _has_co_players,
    ),
    Command(("levels",), "", "list the levels", ("f5",), _has_levels),
    Command(("level",), "N", "go to level N", (), _has_levels),
    Command(("next",), "", "go to the next unsolved level", ("pagedown",), _has_levels),
    Command(("open",), "FILE|PACK", "open other levels, or watch a trace", ("ctrl+o",), _has_files),
    Command(("save",), "FILE", "save your actions as a trace", ("ctrl+s",), _has_files),
    Command(("games",), "", "list saved games", (), _has_library),
    Command(("resume",), "[N]", "continue a saved game", (), _has_library),
    Command(("quit", "exit", "q", "bye"), "", "leave", ("q", "ctrl+q")),
)


COMMANDS_BY_NAME = {command.words[0]: command for command in COMMANDS}
"""First word -> command."""

GUEST_COMMANDS = ("help", "hint", "proof", "quit")
"""Commands of guests; none changes the game for others."""


def find_command(typed: str, parser: ActionParser, state: TableState) -> Command | None:
    """Return the command that a line means, by its words or by an unambiguous prefix.

    W, A, S and D never abbreviate a command, even in a game without arrows.
    """
    line = typed.lower()
    word = line.partition(" ")[0]
    arrows = parser.are_arrows(line)
    for command in COMMANDS:
        if arrows and not command.is_available(state):
            continue
        if line in command.words or (command.argument and word in command.words):
            return command
    if arrows or word in WASD:
        return None
    matches = [
        one
        for one in COMMANDS
        if one.is_available(state)
        and any(name.startswith(word) for name in one.words)
        and (one.argument != "N" or word in one.words or line[len(word) :].strip().isdigit())
    ]
    if len(matches) != 1 or (word != line and not matches[0].argument):
        return None
    return None if parser.meanings(word) else matches[0]


def is_free_letter(letter: str, parser: ActionParser, state: TableState) -> bool:
    """Return whether nothing else than a key uses a letter in lines."""
    return not (letter in VI_KEYS or parser.meanings(letter.lower()) or find_command(letter, parser, state))


def help_message(position: Position[Any], parser: ActionParser, commands: Sequence[Command]) -> Help:
    """Return the list of the actions and commands."""
    words = partial(position.level.game.look.describe, position.level)
    actions = []
    for action in position.actions():
        name = (str(action),) if str(action) != words(action) else ()
        actions.append((words(action), (*name, *parser.short_forms(str(action)))))
    meanings = tuple(
        (f"{' or '.join(command.words[:2])} {command.argument}".strip(), command.meaning)
        for command in commands
    )
    return Help(tuple(actions), meanings)


def parse_number(word: str, argument: str) -> int:
    """Parse the argument of a command; raise an IllegalAction if it is no whole number."""
    if not re.fullmatch("-?[0-9]{1,4000}", argument):  # the limit of `int`
        raise IllegalAction(f"{word} {argument}".strip(), "must be a whole number")
    return int(argument)


def go_to(session: Session, argument: str) -> bool:
    """Go back or on to the position after a number of actions; return whether actions were redone."""
    number, done = parse_number("goto", argument), session.actions_done
    last = done + session.actions_undone
    if not 0 <= number <= last:
        raise IllegalAction(f"goto {argument}", f"choose a number of actions from 0 to {last}")
    if number < done:
        session.undo(done - number)
    elif number > done:
        session.redo(number - done)
    return number > done


def refusal_sentence(error: GridproofError) -> str:
    """Return why a command is refused, as a sentence; "" if the error refuses something else."""
    if not isinstance(error, IllegalAction) or error.action.partition(" ")[0] not in COMMANDS_BY_NAME:
        return ""
    return printable(f"{error.reason[:1].upper()}{error.reason[1:]}.")
