"""Prompt: the question for the player."""

from __future__ import annotations

from typing import NamedTuple

from gridproof.core.look import Look

AFTER_WIN = "Continue, new game or exit?"
AFTER_LOSS = "Try again or exit?"


class Prompt(NamedTuple):
    """The question for the player."""

    text: str
    commands: tuple[str, ...] = ()
    """First words of the commands that answer it, if it does not ask for an action."""


def prompt_of(look: Look, is_lost: bool, just_won: bool) -> Prompt:
    """Return the question in a position that is lost, was just won, or can be played."""
    if is_lost:
        return Prompt(AFTER_LOSS, ("new", "quit"))
    if just_won:
        return Prompt(AFTER_WIN, ("continue", "new", "quit"))
    return Prompt(look.prompt if look.prompt.endswith("?") else f"{look.prompt}?")
