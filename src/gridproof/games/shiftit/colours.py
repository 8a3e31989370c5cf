"""Letters of colours: what the text format writes and pictures of text show."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping

PALETTE = ("blue", "red", "green", "yellow", "orange", "purple")
"""The colours that have a name of their own; their initials are their letters."""

_INITIALS = {colour[0]: colour for colour in PALETTE}


def colour_of(letter: str) -> str:
    """The colour that a lower-case letter means: a name of PALETTE, or the letter itself."""
    return _INITIALS.get(letter, letter)


def letter_of(colour: str) -> str | None:
    """The letter that means a colour; None for a colour that no letter means."""
    if colour in PALETTE:
        return colour[0]
    own = len(colour) == 1 and colour in string.ascii_lowercase and colour not in _INITIALS
    return colour if own else None


def assign_letters(colours: Iterable[str]) -> Mapping[str, str]:
    """A character for each colour: its letter, else a capital of its own, else `?`."""
    colours = tuple(colours)
    found = {colour: letter for colour in colours if (letter := letter_of(colour))}
    free = dict.fromkeys(string.ascii_uppercase)
    for colour in colours:
        if colour not in found:
            initial = colour[0].upper()
            found[colour] = initial if initial in free else next(iter(free), "?")
            free.pop(found[colour], None)
    return found
