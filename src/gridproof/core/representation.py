"""Representation of values: one short line at a prompt, HTML in a notebook.

Positions and traces are `Any` here: their classes are `Representable`, and a module does not import its users.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Any

from gridproof.core.text.phrases import format_count

WIDTH = 99
"""Characters of the longest `repr`."""
_MOST_ACTIONS = 1_000
"""Actions of a trace that a notebook shows."""
_BREAK = re.compile(r"\s*\n\s*")
_NO_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Representable:
    """A value with a `repr` of one short line, a `str` for people and a view for notebooks.

    A class defines its `repr` by `_summary`, and its view for notebooks by `_html_parts`: by default its `str`.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # else a dataclass writes one

    def __repr__(self) -> str:
        with contextlib.suppress(Exception):  # a value that is not valid, or not finished, has a repr, too
            return one_line(self._summary())
        return object.__repr__(self)

    def _summary(self) -> str:
        """Return one line about the value: an expression that makes it, where that is possible."""
        return object.__repr__(self)

    def _repr_html_(self) -> str:
        """Return the HTML fragment that notebooks show."""
        return f"<div>{''.join(self._html_parts())}</div>"

    def _html_parts(self) -> Iterator[str]:
        """Yield the parts of the HTML fragment."""
        yield text_html(str(self), "pre")


def facts_of(result: object, *names: str) -> dict[str, Any]:
    """Return attributes of a result as JSON data: None for an empty text, and few digits of seconds."""
    values = ((name, getattr(result, name)) for name in names)
    return {
        name: round(value, 6) if name == "seconds" else None if value == "" else value
        for name, value in values
    }


def one_line(text: str) -> str:
    """Return a text on one line of at most WIDTH characters; a mark shows where it is cut."""
    line = _BREAK.sub(" ", text)
    if len(line) <= WIDTH:
        return line
    return f"{line[: WIDTH - 4]}...{'>' if line.startswith('<') else ''}"


def text_html(text: str, tag: str = "p") -> str:
    """Return an HTML element that holds a text."""
    return f"<{tag}>{escape(_NO_HTML.sub(chr(0xFFFD), text))}</{tag}>"


def position_html(position: Any) -> str:
    """Return the picture of a position as SVG, or its board where the game has no pictures."""
    pictures = position.level.game.look.pictures
    return pictures.svg(position) if pictures else text_html(str(position), "pre")


def trace_html(trace: Any) -> str:
    """Return the picture that a trace starts with, the number of its actions, and the actions."""
    return position_html(trace.start) + text_html(actions_line(trace, _MOST_ACTIONS))


def actions_line(trace: Any, most: int) -> str:
    """Return the number of actions of a trace, and the first of them: "2 actions: right right"."""
    actions = " ".join(str(step.action) for step in islice(trace.steps, most))
    more = " ..." if len(trace.steps) > most else ""
    return f"{format_count(len(trace.steps), 'actions')}: {actions}{more}".removesuffix(": ")
