"""Lines of text for people: as wide as the terminal, without control characters."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO

NARROWEST = 20
LONGEST = 2000
"""Characters of an error; it ends with what is wrong, so its middle is left out."""


def columns_of(stream: TextIO) -> int:
    """The width of a stream's terminal; lines for anything else are not wrapped."""
    return max(shutil.get_terminal_size().columns, NARROWEST) if stream.isatty() else sys.maxsize


def filled(text: str, indent: int = 0, hanging: int = 0, columns: int = sys.maxsize) -> str:
    """A paragraph wrapped to a width; all lines but the first are indented by `hanging` more columns.

    Control characters in other people's titles and names are made visible.
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
    """The text on one line, with control characters made visible, and of bounded length."""
    shown = visible(" ".join(text.split()))
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 500]} ... {shown[-500:]}"


def shown(text: str) -> str:
    """Lines with marks for what cannot be seen."""
    return "\n".join(visible(line.expandtabs()) for line in text.split("\n"))


def visible(text: str) -> str:
    """The text with marks for what cannot be seen."""
    return "".join(character if character.isprintable() else "?" for character in text)


def sentence(words: str) -> str:
    """Words with a capital letter and a full stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def shortened(text: str, columns: int, lines: int) -> str:
    """A paragraph as far as there is room for it, with a mark where it goes on; all of it where there is no room yet."""
    wrapped = textwrap.wrap(text, columns) if columns and lines else []
    if len(wrapped) <= lines:
        return text
    *first, last = wrapped[:lines]
    return "\n".join([*first, last[: columns - 2].rstrip() + " …"])
