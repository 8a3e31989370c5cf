"""Sections of a text, its collection and its levels, which the readers of all formats fill."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.position import Level as AnyLevel
from gridproof.core.text.pack import Pack, PackBuilder
from gridproof.games.sokoban.formats.rows import parse_board
from gridproof.games.sokoban.formats.solutions import SOLUTION, Solutions
from gridproof.games.sokoban.rules import Level

TITLE, AUTHOR, BOMBS, COMMENT = "Title", "Author", "Bombs", "Comment"
"""The keys with a meaning of their own; those of a level or pack that are no attribute stay in its `keys`."""
END = "Comment-End"
"""The key that ends a comment of several lines."""

ELEMENTS = {"Title": TITLE, "Description": COMMENT, "Email": "Email", "Url": "Url"}
"""Elements of a collection in XML, and the keys that they are."""

_SPELLING = {name.lower(): name for name in (TITLE, AUTHOR, BOMBS, COMMENT, END, SOLUTION)}
KEY = re.compile(r"\s*([^\W\d_][^:\r\n]{0,59}):(?!//)(.*)")
"""A line of the form `Key: value`; no address of a page is one."""
_NUMBER = re.compile(r"-?[0-9]{1,9}")


def canonical_key(name: str) -> str:
    """Return the stored form of a key: keys with a meaning have any letter case in texts."""
    return _SPELLING.get(name.lower(), name)


@dataclass(slots=True)
class Section:
    """The collection, or one level."""

    line: int = 0
    """The line of the text where the level begins."""
    rows: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)
    """The values of each key, one a line of the text."""
    fault: ParseError | None = None
    """The first fault of form of a level."""

    def add(self, name: str, value: str, line: int, column: int = 0) -> None:
        """Add a key; a repeated key adds a line to its value.

        Raises
        ------
        ParseError
            For bombs that are no whole number, or are given again.
        """
        name = canonical_key(name)
        if name == BOMBS:
            if name in self.keys:
                raise ParseError("the bombs are given twice", line=line, column=column)
            parse_bombs(value, line, column)
        self.keys.setdefault(name, []).append(value)

    def _values(self) -> dict[str, str]:
        return {name: "\n".join(values) for name, values in self.keys.items()}

    def level(self, collection: Section) -> Level:
        """Return the level; its bombs are by default those of the collection.

        Raises
        ------
        ParseError
            Its fault.
        InvalidLevel
            With every broken condition of K2, K3 and K4.
        """
        if self.fault:
            raise self.fault
        keys = self._values()
        bombs = int(keys.pop(BOMBS, "") or collection.keys.get(BOMBS, ["0"])[0])
        return Level.from_parts(
            parse_board(self.rows, bombs),
            title=keys.pop(TITLE, "") or title_above(self.above),
            author=keys.pop(AUTHOR, ""),
            keys=keys,
            notes_above=tuple(self.above),
            notes_below=tuple(self.below),
            certificate=None,
        )

    def pack(self, text: str, sections: Iterable[Section]) -> Pack:
        """Return the pack of the collection's levels, each added as soon as it is read; InvalidLevel when some are broken."""
        levels, solutions = PackBuilder(text), Solutions(len(text))

        def certify(section: Section) -> Level:
            return solutions.certify(section.level(self), levels.notice)

        for section in sections:
            levels.add(functools.partial(certify, section), section.line)
        keys = self._values()
        title, author = keys.pop(TITLE, ""), keys.pop(AUTHOR, "")
        return levels.pack(title=title, author=author, keys=keys, notes=tuple(self.below))


def title_above(notes: Sequence[str]) -> str:
    """Return the title in the comment lines directly above a board (K21)."""
    return notes[-1].strip() if notes else ""


def parse_bombs(value: str, line: int = 0, column: int = 0) -> int:
    """Return the value of the key `Bombs` as a number; ParseError when it is none."""
    if not _NUMBER.fullmatch(value):
        expected = "a whole number of at most 9 digits"
        raise ParseError(f"{value!r} is no number of bombs", line=line, column=column, expected=expected)
    return int(value)


def default_bombs(pack: Pack) -> int:
    """Return the default number of bombs of a pack's levels."""
    return parse_bombs(pack.keys.get(BOMBS, "0"))


def levels_of(pack: Iterable[AnyLevel]) -> list[Level]:
    """Return the levels of a pack; GridproofError when one is of another game."""
    levels = [level for level in pack if isinstance(level, Level)]
    if len(levels) != len(list(pack)):
        raise GridproofError("levels of sokoban are needed")
    return levels


def is_key(name: str) -> bool:
    """Return whether a name can stand before the colon of a line `Key: value`, and has its stored form."""
    form = KEY.fullmatch(f"{name}:")
    return form is not None and form[1].rstrip() == name == canonical_key(name) != END


def check_keys(keys: Mapping[str, str], taken: Iterable[str]) -> Mapping[str, str]:
    """Return the keys of a level or pack if all can be written as they are.

    Raises
    ------
    GridproofError
        For a name that is no key, or that is written otherwise: among `taken`.
    """
    for name in keys:
        if not is_key(name) or name in taken:
            raise GridproofError(f"the key {name!r} cannot be written")
    return keys
