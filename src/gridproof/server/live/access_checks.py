"""Access checks for guests: they may use their actor's actions, nature's, and commands that give advice."""

from __future__ import annotations

import contextlib

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import NATURE, Action
from gridproof.core.text.phrases import short_repr
from gridproof.table.commands import COMMANDS_BY_NAME, GUEST_COMMANDS
from gridproof.table.table import Table


def check_own(table: Table, text: str) -> None:
    """Check that a guest may do an action by its text, or a command by its first word.

    An action of the guest's own that cannot be done now is left to the table: it refuses that as for everybody.

    Raises
    ------
    GridproofError
        With a sentence for the guest.
    """
    word = text.partition(" ")[0]
    if word in GUEST_COMMANDS:
        return
    action = _find_action(table, text)
    if action is None and word in COMMANDS_BY_NAME:
        raise GridproofError(f"Only the owner of the game can use {word}. You play {table.actor}.")
    if action is None:
        raise GridproofError(f"{table.actor} has no action {short_repr(text)}.")
    owner = table.level.owner(action)
    if owner not in (table.actor, NATURE):
        raise GridproofError(f"You play {table.actor}. Only {owner} can do {text}.")


def check_line(table: Table, line: str) -> None:
    """Check a line, which may name several actions or use short forms."""
    typed = " ".join(line.split())
    if typed.partition(" ")[0] in COMMANDS_BY_NAME:
        check_own(table, typed)
        return
    for text in table.parser.texts(typed):
        check_own(table, _expand(table, text))


def _expand(table: Table, typed: str) -> str:
    """Return the text of the action that a short form means; the form itself if it means none."""
    try:
        return str(table.parser.action(typed))
    except IllegalAction:
        return typed


def _find_action(table: Table, text: str) -> Action | None:
    """Return the action with this text, even if it is not possible now; None if the level has none."""
    position = table.session.position
    with contextlib.suppress(IllegalAction):
        action: Action = position.action(text)
        return action
    return next((action for action in table.level.all_actions() if str(action) == text), None)
