"""Wording that many messages share, such as counts and names; texts of several actions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from gridproof.core.errors import ParseError

_OPENING_OF = {")": "(", "]": "[", "}": "{"}
_BETWEEN = ",;"


MOST_NAMED = 10
"""Most names in a message; more of them would hide the rest."""


def some(names: Sequence[str], between: str = ", ") -> str:
    """Join names for a message, cut short when there are many."""
    named = between.join(names[:MOST_NAMED])
    return f"{named}{between}..." if len(names) > MOST_NAMED else named


def join_names(names: Sequence[str], last: str = "and") -> str:
    """Join names as a person lists them: "a, b and c"; "" for none."""
    *first, end = names or ("",)
    return f"{', '.join(first)} {last} {end}" if first else end


def short_repr(value: object, most: int = 40) -> str:
    """Return a value as it is typed, for a message; a long one is cut."""
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[:most] + "...")
    text = repr(value)
    return text if len(text) <= most else text[:most] + "..."


def suggestion(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the known name that is like a misspelt one, as the end of a message; "" if none is."""
    import difflib

    by_small_letters = {one.lower(): one for one in known}
    close = difflib.get_close_matches(name.lower(), by_small_letters, 1, likeness)
    return f"; did you mean {by_small_letters[close[0]]}?" if close else ""


_PLURAL = re.compile("(?<=[cs]h|ss)es$|(?<=x)es$|s$")


def format_count(number: int, things: str, sign: str = "") -> str:
    """Return a number with its word: "1 level", "1 push", "1,200 levels"; "+1 point" with "+" for a sign."""
    return f"{number:{sign},} {_PLURAL.sub('', things) if abs(number) == 1 else things}"


def split_actions(text: str) -> list[str]:
    """Split a text into single actions at white space, commas and semicolons.

    Inside brackets they divide nothing, and white space there counts for nothing: `RM(0, left)`
    is one action. A game whose sequences are written otherwise gives its `Game` a function of its own.
    ParseError if brackets do not match.
    """
    parts: list[str] = []
    open_at: list[int] = []
    part = ""
    for place, character in enumerate(text):
        if character in _OPENING_OF and (not open_at or text[open_at.pop()] != _OPENING_OF[character]):
            raise _bracket_error(text, place)
        if character in _OPENING_OF.values():
            open_at.append(place)
        blank = character.isspace()
        if (blank or character in _BETWEEN) and not open_at:
            parts.append(part)
            part = ""
        elif not blank:
            part += character
    if open_at:
        raise _bracket_error(text, open_at[-1])
    return [part for part in (*parts, part) if part]


def _bracket_error(text: str, place: int) -> ParseError:
    return ParseError.at(text, place, f"{text[place]!r} without its other bracket")


def join_actions(trace: Any) -> str:
    """Join the actions of a trace by spaces, as `split_actions` reads them."""
    return " ".join(map(str, trace.actions))


def loop_text(steps: int) -> str:
    """Return the words at the start of a loop with this number of steps."""
    return f"from here on again and again, {'this step' if steps == 1 else f'these {steps} steps'}"


def describe_loop(loop: int | None, steps: int) -> dict[int, str]:
    """Return the notes of a lasso by number of steps: the start of its loop, and where the loop returns to."""
    if loop is None:
        return {}
    return {
        loop: f"{loop_text(steps - loop)}:",
        steps: f"back to the position after {format_count(loop, 'actions')}" if loop else "back to the start",
    }
