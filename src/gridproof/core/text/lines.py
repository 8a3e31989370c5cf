"""The lines of a text format: numbered, without comments, one after the other; and errors that name their place."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from gridproof.core.errors import ParseError
from gridproof.core.text.phrases import short_repr

T = TypeVar("T")

COMMENT = ";"
"""Start of a comment line."""

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9 _-]*):(.*)")
_WORD = re.compile(r"\S+")
_NO_LINE = re.compile("[\r\n\0\ud800-\udfff]+")
"""Characters that no line of a text can hold."""


class Word(NamedTuple):
    """A run of characters without white space."""

    text: str
    column: int
    """Counted from 1."""


class Line(NamedTuple):
    """A line of a text, neither blank nor a comment."""

    number: int
    """Counted from 1."""
    text: str
    """Text as it stands; "" at the end of a block."""
    first: bool = False
    """True if a blank line, or nothing, stands above it."""

    @property
    def key(self) -> tuple[str, str] | None:
        """Name and value of a line `Key: value`; None for another line."""
        match = _KEY.fullmatch(self.text.strip()) if ":" in self.text else None
        return (match[1], match[2].strip()) if match else None

    def words(self) -> Iterator[Word]:
        """Yield its words, one after the other: a line may be enormous."""
        return (Word(match[0], match.start() + 1) for match in _WORD.finditer(self.text))

    def fault(self, reason: str, expected: str = "", column: int = 0) -> ParseError:
        """Return the error for this place; columns count from 1, and 0 is the line as a whole."""
        return ParseError(reason, line=self.number, column=column, expected=expected)


class LevelHeader(NamedTuple):
    """The title, author and keys of a level or a pack."""

    title: str
    author: str
    keys: Mapping[str, str]


class Lines:
    """Reads a text by lines and by blocks: runs of lines without a blank one. Comments are passed over.

    Parameters
    ----------
    text : str
        With newlines alone as line ends, as `gridproof.core.text.files.clean` leaves them.
    blocks : bool
        Whether blank lines part anything; without, the whole text is one block.
    """

    def __init__(self, text: str, *, blocks: bool = True) -> None:
        notes, first = [], True
        self._lines: list[Line] = []
        self._next = 0
        for self._count, line in enumerate(text.split("\n"), 1):
            if not line or line.isspace():
                first = blocks or not self._lines
            elif not (comment := line.lstrip()).startswith(COMMENT):
                self._lines.append(Line(self._count, line, first))
                first = False
            elif not self._lines:
                notes.append(comment.removeprefix(COMMENT).strip())
        self._open = True
        self.notes = tuple(notes)
        """The comments above the first other line: those of a pack."""

    def begin(self) -> bool:
        """Go to the next block, past the rest of this one; return whether there is one."""
        if not self._open:
            self.skip_block()
        self._open = True
        return self._next < len(self._lines)

    def skip_block(self) -> None:
        """Pass over the rest of the block."""
        while self.take().text:
            pass

    def peek(self) -> Line:
        """Return the next line of the block; at its end an empty one."""
        if self._next < len(self._lines):
            line = self._lines[self._next]
            if self._open or not line.first:
                return line
        last = self._lines[self._next - 1].number if self._next else 0
        return Line(min(last + 1, self._count), "")

    def take(self) -> Line:
        """Take and return the next line of the block; at its end an empty one."""
        line = self.peek()
        if line.text:
            self._next += 1
            self._open = False
        return line

    def peek_block(self) -> Iterator[Line]:
        """Yield the rest of the block without taking it."""
        for number, line in enumerate(self._lines[self._next :]):
            if line.first and (number or not self._open):
                return
            yield line

    def read_header(self, below: str, *, title: str = "title", foreign: Container[str] = ()) -> LevelHeader:
        """Take and return the lines `Key: value` here; `title` and `author` in any letter case.

        ParseError for a key that is given twice, or that stands below the rows.

        Parameters
        ----------
        below : str
            What is expected below them, for errors.
        title : str
            The key that gives the title.
        foreign : container of str
            Keys, in small letters, that stand below the rows.
        """
        found: dict[str, str] = {}
        while key := (line := self.peek()).key:
            name = key[0].lower() if key[0].lower() in (title, "author") else key[0]
            if name in found:
                raise line.fault(f"a second line {short_repr(name + ':')}", below)
            if name.lower() in foreign:
                raise line.fault(f"{name}: stands after the rows", below)
            found[name] = key[1]
            self.take()
        return LevelHeader(found.pop(title, ""), found.pop("author", ""), found)


def one_line(text: str) -> str:
    """Return a text on one line, with spaces for line ends and forbidden characters."""
    return _NO_LINE.sub(" ", text).strip()


def key_line(name: str, value: str) -> str:
    """Return the line `Key: value` that `Lines.read_header` reads back; "" when none would be."""
    line = f"{name}: {one_line(value)}".rstrip()
    key = Line(0, line).key
    return f"{line}\n" if key and key[0] == name else ""


def header_text(title: str, author: str, keys: Mapping[str, str]) -> str:
    """Return the lines `Key: value` of a level or a pack; title and author only where there are any."""
    named = {name: value for name, value in (("title", title), ("author", author)) if one_line(value)}
    return "".join(key_line(*item) for item in (*named.items(), *keys.items()))


def notes_text(notes: Sequence[str]) -> str:
    """Return the comments of a pack, a line each."""
    return "".join(f"{COMMENT} {one_line(note)}".rstrip() + "\n" for note in notes)


def single(found: Sequence[T]) -> T:
    """Return the only level, or board, of a text; ParseError when it has none, or several."""
    if len(found) != 1:
        raise ParseError(f"one position is needed, the text has {len(found)} levels", line=1)
    return found[0]
