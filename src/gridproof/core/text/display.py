"""Lines of text for people: as wide as the terminal, without control characters."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO

from gridproof.core.errors import GridproofError

NARROWEST = 20
LONGEST = 2000
"""Most characters of an error; its end matters, so its middle is cut."""


def terminal_width(stream: TextIO) -> int:
    """Return the width of a stream's terminal; lines for anything else are not wrapped."""
    return max(shutil.get_terminal_size().columns, NARROWEST) if stream.isatty() else sys.maxsize


def wrap_text(text: str, indent: int = 0, hanging: int = 0, columns: int = sys.maxsize) -> str:
    """Wrap a paragraph to a width; all lines but the first are indented by `hanging` more columns.

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
    return "\n".join(map(mask_unprintable, lines))


def printable(text: str) -> str:
    """Return the text on one line of bounded length, with marks for unprintable characters."""
    line = mask_unprintable(" ".join(text.split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 500]} ... {line[-500:]}"


def mask_lines(text: str) -> str:
    """Return lines with marks for unprintable characters."""
    return "\n".join(mask_unprintable(line.expandtabs()) for line in text.split("\n"))


def mask_unprintable(text: str) -> str:
    """Return the text with marks for unprintable characters."""
    return "".join(character if character.isprintable() else "?" for character in text)


def sentence(words: str) -> str:
    """Return words with a capital letter and a full stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def shorten(text: str, columns: int, lines: int) -> str:
    """Cut a paragraph to so many lines, with a mark at the end; without any room yet, return all of it."""
    wrapped = textwrap.wrap(text, columns) if columns and lines else []
    if len(wrapped) <= lines:
        return text
    *first, last = wrapped[:lines]
    return "\n".join([*first, last[: columns - 2].rstrip() + " …"])


def error_text(error: Exception) -> str:
    """Return the message of any error, for people."""
    if isinstance(error, GridproofError):
        return str(error)
    if isinstance(error, MemoryError):
        return "not enough memory"
    return printable(f"internal error; please report it ({type(error).__name__}: {error})")
