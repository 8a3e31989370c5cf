"""What a text says of its collection and of each level, gathered while it is read in any format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.pack import Gathered, Pack
from gridproof.core.position import Level as AnyLevel
from gridproof.games.sokoban.formats.rows import board_of
from gridproof.games.sokoban.formats.solutions import SOLUTION
from gridproof.games.sokoban.rules import Level

TITLE, AUTHOR, BOMBS, COMMENT = "Title", "Author", "Bombs", "Comment"
"""The keys with a meaning of their own; those of a level or pack that are no attribute stay in its `keys`."""
END = "Comment-End"
"""The key that ends a comment of several lines."""

_SPELLING = {name.lower(): name for name in (TITLE, AUTHOR, BOMBS, COMMENT, END, SOLUTION)}
KEY = re.compile(r"\s*([^\W\d_][^:\r\n]{0,59}):(?!//)(.*)")
"""A line of the form `Key: value`; no address of a page is one."""
_NUMBER = re.compile(r"-?[0-9]{1,9}")


def spelled(name: str) -> str:
    """A key as it is kept: those with a meaning are known in any letter case."""
    return _SPELLING.get(name.lower(), name)


@dataclass(slots=True)
class Part:
    """The collection, or one level."""

    line: int = 0
    """Where the level begins in the text."""
    rows: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)
    """The values of each key, one a line of the text."""
    fault: ParseError | None = None
    """The first thing of a level that has not the form of its format."""

    def add(self, name: str, value: str, line: int, column: int = 0) -> None:
        """Take a key; one that is given again adds a line to its value.

        Raises
        ------
        ParseError
            For bombs that are no whole number, or are given again.
        """
        name = spelled(name)
        if name == BOMBS:
            if name in self.keys:
                raise ParseError("the bombs are given twice", line=line, column=column)
            number_of_bombs(value, line, column)
        self.keys.setdefault(name, []).append(value)

    def _values(self) -> dict[str, str]:
        return {name: "\n".join(values) for name, values in self.keys.items()}

    def level(self, collection: Part) -> Level:
        """The level; its bombs are by default those that the collection gives.

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
        return Level.of(
            board_of(self.rows, bombs),
            title=keys.pop(TITLE, "") or title_above(self.above),
            author=keys.pop(AUTHOR, ""),
            keys=keys,
            notes_above=tuple(self.above),
            notes_below=tuple(self.below),
            certificate=None,
        )

    def pack(self, levels: Gathered) -> Pack:
        """The pack of levels that this, their collection, speaks of; InvalidLevel when some are broken."""
        keys = self._values()
        title, author = keys.pop(TITLE, ""), keys.pop(AUTHOR, "")
        return levels.pack(title=title, author=author, keys=keys, notes=tuple(self.below))


def title_above(notes: Sequence[str]) -> str:
    """The title that comment lines directly above a board give it (K21)."""
    return notes[-1].strip() if notes else ""


def number_of_bombs(value: str, line: int = 0, column: int = 0) -> int:
    """The number that the value of the key `Bombs` is; ParseError when it is none."""
    if not _NUMBER.fullmatch(value):
        raise ParseError(
            f"{value!r} is no number of bombs",
            line=line,
            column=column,
            expected="a whole number of at most 9 digits",
        )
    return int(value)


def default_bombs(pack: Pack) -> int:
    """The bombs of the levels of a pack that say nothing else."""
    return number_of_bombs(pack.keys.get(BOMBS, "0"))


def levels_of(pack: Iterable[AnyLevel]) -> list[Level]:
    """The levels of a pack; GridproofError when one is of another game."""
    levels = [level for level in pack if isinstance(level, Level)]
    if len(levels) != len(list(pack)):
        raise GridproofError("levels of sokoban are needed")
    return levels


def is_key(name: str) -> bool:
    """Whether a name can stand before the colon of a line `Key: value`, and is spelled as it is kept."""
    form = KEY.fullmatch(f"{name}:")
    return form is not None and form[1].rstrip() == name == spelled(name) != END


def checked_keys(keys: Mapping[str, str], taken: Iterable[str]) -> Mapping[str, str]:
    """The keys of a level or pack, when they can be written as they are.

    Raises
    ------
    GridproofError
        For a name that is no key, or that is written otherwise: among `taken`.
    """
    for name in keys:
        if not is_key(name) or name in taken:
            raise GridproofError(f"the key {name!r} cannot be written")
    return keys
