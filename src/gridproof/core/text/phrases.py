"""Wording that many messages share, such as counts and names; and texts of several actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gridproof.core.errors import ParseError

if TYPE_CHECKING:
    from gridproof.core.trace import Trace

_OPENING = "([{"
_CLOSING = ")]}"
_BETWEEN = ",;"


MOST_NAMED = 10
"""Names in a message; more of them would hide what it says."""


def some(names: Sequence[str], between: str = ", ") -> str:
    """A list of names in a message, cut short when there are many."""
    named = between.join(names[:MOST_NAMED])
    return f"{named}{between}..." if len(names) > MOST_NAMED else named


def shown(value: object, most: int = 40) -> str:
    """A value in a message, as it is typed; what is long is cut."""
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[:most] + "...")
    text = repr(value)
    return text if len(text) <= most else text[:most] + "..."


_PLURAL = re.compile("(?<=[cs]h|ss)es$|(?<=x)es$|s$")


def counted(number: int, things: str, sign: str = "") -> str:
    """A number with its word: "1 level", "1 push", "1,200 levels"; "+1 point" with "+" for a sign."""
    return f"{number:{sign},} {_PLURAL.sub('', things) if abs(number) == 1 else things}"


def split_actions(text: str) -> list[str]:
    """The texts of single actions, which white space, commas or semicolons divide.

    Inside brackets they divide nothing, and white space there counts for nothing: `RM(0, left)`
    is one action. A game whose sequences are written otherwise gives its `Game` a function of its own.

    Raises
    ------
    ParseError
        When brackets do not match.
    """
    parts: list[str] = []
    open_at: list[int] = []
    part = ""
    for place, character in enumerate(text):
        if character in _CLOSING and not _closes(text, open_at, character):
            raise _unmatched(text, place)
        if character in _OPENING:
            open_at.append(place)
        blank = character.isspace()
        if (blank or character in _BETWEEN) and not open_at:
            parts.append(part)
            part = ""
        elif not blank:
            part += character
    if open_at:
        raise _unmatched(text, open_at[-1])
    return [part for part in (*parts, part) if part]


def _closes(text: str, open_at: list[int], character: str) -> bool:
    return bool(open_at) and _OPENING.index(text[open_at.pop()]) == _CLOSING.index(character)


def _unmatched(text: str, place: int) -> ParseError:
    line = text.count("\n", 0, place) + 1
    return ParseError(
        f"{text[place]!r} without its other bracket", line=line, column=place - text.rfind("\n", 0, place)
    )


def join_actions(trace: Trace) -> str:
    """The actions of a trace in one text, a space between them: `split_actions` cuts it again."""
    return " ".join(map(str, trace.actions))


def again_and_again(steps: int) -> str:
    """Where a loop of so many steps begins."""
    return f"from here on again and again, {'this step' if steps == 1 else f'these {steps} steps'}"


def loop_told(loop: int | None, steps: int) -> dict[int, str]:
    """What a lasso of so many steps says after which of them: where its loop begins, and where it returns to."""
    if loop is None:
        return {}
    return {
        loop: f"{again_and_again(steps - loop)}:",
        steps: f"back to the position after {counted(loop, 'actions')}" if loop else "back to the start",
    }
