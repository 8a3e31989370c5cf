"""Lines of text for people: as wide as the terminal, in plain words, with nothing a terminal obeys."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO

NARROWEST = 20
LONGEST = 2000
"""Characters of an error; it ends with what is wrong, so its middle is left out."""


def columns_of(stream: TextIO) -> int:
    """How wide lines on a stream may be: as the terminal is; where it is none, nothing is wrapped."""
    return max(shutil.get_terminal_size().columns, NARROWEST) if stream.isatty() else sys.maxsize


def filled(text: str, indent: int = 0, hanging: int = 0, columns: int = sys.maxsize) -> str:
    """A paragraph of lines so wide; those but the first stand `hanging` columns further in.

    What other people's titles and names have in them that a terminal would obey becomes visible.
    """
    lines = textwrap.wrap(
        text,
        columns,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
        break_long_words=False,
    )
    return "\n".join(map(visible, lines))


def printable(text: str) -> str:
    """The text on one line, with nothing in it that a terminal would obey, and of bounded length."""
    shown = visible(" ".join(text.split()))
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 500]} ... {shown[-500:]}"


def shown(text: str) -> str:
    """Lines with marks for what cannot be seen."""
    return "\n".join(visible(line.expandtabs()) for line in text.split("\n"))


def visible(text: str) -> str:
    """The text with marks for what cannot be seen."""
    return "".join(character if character.isprintable() else "?" for character in text)
