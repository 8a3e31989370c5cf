"""The lines of a text format: numbered, without comments, one after the other; and errors that name their place."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from gridproof.core.errors import ParseError
from gridproof.core.wording import shown

T = TypeVar("T")

COMMENT = ";"
"""What a comment line begins with."""

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9 _-]*):(.*)")
_WORD = re.compile(r"\S+")
_NO_LINE = re.compile("[\r\n\0\ud800-\udfff]+")
"""What no line of a text can hold."""


class Word(NamedTuple):
    """A run of characters without white space."""

    text: str
    column: int
    """From 1."""


class Line(NamedTuple):
    """A line of a text, neither blank nor a comment."""

    number: int
    """From 1."""
    text: str
    """As it stands; "" for what `Lines` gives at the end of a block."""
    first: bool = False
    """Whether a blank line, or nothing, stands above it."""

    @property
    def key(self) -> tuple[str, str] | None:
        """The name and the value of a line `Key: value`; None for another line."""
        match = _KEY.fullmatch(self.text.strip()) if ":" in self.text else None
        return (match[1], match[2].strip()) if match else None

    def words(self) -> Iterator[Word]:
        """Its words, one after the other: a line may be enormous."""
        return (Word(match[0], match.start() + 1) for match in _WORD.finditer(self.text))

    def fault(self, reason: str, expected: str = "", column: int = 0) -> ParseError:
        """What is wrong here; columns count from 1, and 0 is the line as a whole."""
        return ParseError(reason, line=self.number, column=column, expected=expected)


class About(NamedTuple):
    """The title, author and keys of a level or a pack."""

    title: str
    author: str
    keys: Mapping[str, str]


class Lines:
    """Reads a text by lines and by blocks: runs of lines without a blank one. Comments are passed over.

    Parameters
    ----------
    text : str
        With newlines alone as line ends, as `gridproof.core.files.clean` leaves them.
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
            elif not (told := line.lstrip()).startswith(COMMENT):
                self._lines.append(Line(self._count, line, first))
                first = False
            elif not self._lines:
                notes.append(told.removeprefix(COMMENT).strip())
        self._open = True
        self.notes = tuple(notes)
        """The comments above the first line that says something: those of a pack."""

    def begin(self) -> bool:
        """Go to the next block, passing over what is left of this one; whether there is one."""
        if not self._open:
            self.leave()
        self._open = True
        return self._next < len(self._lines)

    def leave(self) -> None:
        """Pass over what is left of the block."""
        while self.take().text:
            pass

    def peek(self) -> Line:
        """The next line of the block; at its end an empty one."""
        if self._next < len(self._lines):
            line = self._lines[self._next]
            if self._open or not line.first:
                return line
        last = self._lines[self._next - 1].number if self._next else 0
        return Line(min(last + 1, self._count), "")

    def take(self) -> Line:
        """The next line of the block, which is read by that; at its end an empty one."""
        line = self.peek()
        if line.text:
            self._next += 1
            self._open = False
        return line

    def ahead(self) -> Iterator[Line]:
        """What is left of the block, which is not taken by that."""
        for number, line in enumerate(self._lines[self._next :]):
            if line.first and (number or not self._open):
                return
            yield line

    def about(self, below: str, *, title: str = "title", foreign: Container[str] = ()) -> About:
        """Take the lines `Key: value` that stand here; `title` and `author` in any letter case.

        Parameters
        ----------
        below : str
            What is expected below them, for errors.
        title : str
            The key that gives the title.
        foreign : container of str
            Keys, in small letters, that stand below the rows.

        Raises
        ------
        ParseError
            For a key that is given twice, or that stands below the rows.
        """
        found: dict[str, str] = {}
        while key := (line := self.peek()).key:
            name = key[0].lower() if key[0].lower() in (title, "author") else key[0]
            if name in found:
                raise line.fault(f"a second line {shown(name + ':')}", below)
            if name.lower() in foreign:
                raise line.fault(f"{name}: stands after the rows", below)
            found[name] = key[1]
            self.take()
        return About(found.pop(title, ""), found.pop("author", ""), found)


def one_line(text: str) -> str:
    """A text as one line can hold it: a space for line ends, and for what no text may have."""
    return _NO_LINE.sub(" ", text).strip()


def key_line(name: str, value: str) -> str:
    """The line `Key: value` that `Lines.about` reads back; "" when no line can be read so."""
    line = f"{name}: {one_line(value)}".rstrip()
    key = Line(0, line).key
    return f"{line}\n" if key and key[0] == name else ""


def about_text(title: str, author: str, keys: Mapping[str, str]) -> str:
    """The lines `Key: value` of a level or a pack; a title and an author only where there are any."""
    named = {name: value for name, value in (("title", title), ("author", author)) if one_line(value)}
    return "".join(key_line(*item) for item in (*named.items(), *keys.items()))


def notes_text(notes: Sequence[str]) -> str:
    """The comments of a pack, a line each."""
    return "".join(f"{COMMENT} {one_line(note)}".rstrip() + "\n" for note in notes)


def only(found: Sequence[T]) -> T:
    """The one level, or board, that a text has.

    Raises
    ------
    ParseError
        When it has none, or several.
    """
    if len(found) != 1:
        raise ParseError(f"one position is needed, the text has {len(found)} levels", line=1)
    return found[0]
