"""Packs: lists of levels of one game, with title, author, keys and notes."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from collections.abc import Callable, Iterable, Mapping

from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel, ParseError
from gridproof.core.extension import function_table
from gridproof.core.game import Format, Game
from gridproof.core.immutable import FrozenDict
from gridproof.core.limit import check_stop
from gridproof.core.position import Level
from gridproof.core.representation import Representable, one_line
from gridproof.core.text.lines import notes_text
from gridproof.core.text.phrases import format_count


class Pack(Representable, list[Level]):
    """A list of levels of one game, which may be changed; equal to any list of equal levels.

    Parameters
    ----------
    levels : iterable of Level
    title, author : str
        Of the collection.
    keys : mapping of str to str
        Other `Key: value` lines of the collection.
    notes : tuple of str
        Comment lines that belong to the collection.
    broken : mapping of int to ParseError or InvalidLevel
        The levels of its text that are broken, by their numbers from 1: they are not in the list.
        Only `gp.read(..., lenient=True)` leaves levels out.
    notices : mapping of int to str
        False claims of the text about a level, such as a solution that does not win, by the level's number.
    """

    def __init__(
        self,
        levels: Iterable[Level] = (),
        *,
        title: str = "",
        author: str = "",
        keys: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
        broken: Mapping[int, BrokenLevel] | None = None,
        notices: Mapping[int, str] | None = None,
    ) -> None:
        super().__init__(levels)
        self.title = title
        self.author = author
        self.keys: Mapping[str, str] = FrozenDict(keys)
        self.notes = notes
        self.broken: Mapping[int, BrokenLevel] = FrozenDict(broken)
        self.notices: Mapping[int, str] = FrozenDict(notices)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of its levels in their text, from 1; broken ones count, too."""
        numbers = range(1, len(self) + len(self.broken) + 1)
        return tuple(number for number in numbers if number not in self.broken)

    def find_level(self, number: int) -> Level:
        """Return the level with this number in its text, from 1.

        Its own error when it is broken, GridproofError if there is none.
        """
        if number in self.broken:
            raise self.broken[number]
        numbers = self.numbers
        if number not in numbers:
            raise GridproofError(f"choose a level from 1 to {len(self) + len(self.broken)}")
        return self[numbers.index(number)]

    @property
    def game(self) -> Game:
        """The game of its levels; GridproofError when it has no levels, or levels of several games."""
        games = {level.game.name for level in self}
        if len(games) != 1:
            raise GridproofError(
                f"levels of one game are needed, not of {', '.join(sorted(games)) or 'none'}"
            )
        return self[0].game

    def text(self, format: str | None = None) -> str:
        """Return the pack in the named format; else in its game's own, or the first one that can write it.

        Raises
        ------
        GridproofError
            When its levels are not of one game, there is no such format, or it cannot write them.
        """
        if format:
            return writer_of(find_format(self.game, format))(self)
        own, *others = self.game.formats
        try:
            return writer_of(own)(self)
        except GridproofError:
            for other in others:
                with contextlib.suppress(GridproofError):
                    return writer_of(other)(self)
            raise

    def __repr__(self) -> str:
        title = f"{self.title!r} " if self.title else ""
        return one_line(f"<Pack {title}of {format_count(len(self), 'levels')}>")

    def __str__(self) -> str:
        """The title and how many levels there are, then a line with the number and the title of each."""
        head = f"{self.title}: {format_count(len(self), 'levels')}".removeprefix(": ")
        titles = zip(self.numbers, self, strict=False)
        return "\n".join([head, *(f"{number:4} {level.title}".rstrip() for number, level in titles)])


MOST_LEVELS = 10_000
"""Most levels of any text; a long one may have one more for each 64 characters."""


class PackBuilder:
    """Collects the levels of a text while it is read; a broken level does not hide the others.

    Parameters
    ----------
    text : str
        Its length limits how many levels there may be.
    """

    def __init__(self, text: str) -> None:
        self._most = MOST_LEVELS + len(text) // 64
        self._levels: list[Level] = []
        self._broken: dict[int, BrokenLevel] = {}
        self._notices: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._levels) + len(self._broken)

    def add(self, make: Callable[[], Level], line: int) -> None:
        """Make and collect the next level; it begins at `line`, from 1. ParseError when there are too many.

        After a level without the form of its format, the reader passes over its rest.
        """
        check_stop()
        if len(self) == self._most:
            raise ParseError(f"more than {self._most} levels in a text of this length", line=line)
        try:
            self._levels.append(make())
        except BrokenLevel as error:
            if isinstance(error, InvalidLevel):
                error.line = line
            bare = error.with_traceback(None)  # a traceback would keep all local variables in memory
            self._broken[len(self) + 1] = bare

    def notice(self, text: str) -> None:
        """Record a false claim of the text about the next level."""
        self._notices[len(self) + 1] = text

    def pack(
        self,
        *,
        title: str = "",
        author: str = "",
        keys: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
    ) -> Pack:
        """Return the pack of these levels.

        Raises
        ------
        ParseError, InvalidLevel
            When some are broken: all of them are listed, and the others are in its `pack`. It is the first
            ParseError, where there is one.
        """
        pack = Pack(self._levels, title=title, author=author, keys=keys, notes=notes)
        pack.broken, pack.notices = FrozenDict(self._broken), FrozenDict(self._notices)
        if not self._broken:
            return pack
        if len(self) == 1:
            raise self._broken[1]
        for number, error in self._broken.items():
            error.number = number
        formless = (error for error in self._broken.values() if isinstance(error, ParseError))
        every = copy.copy(next(formless, None)) or InvalidLevel(
            dataclasses.replace(problem, message=f"level {number}: {problem.message}")
            for number, error in self._broken.items()
            if isinstance(error, InvalidLevel)
            for problem in error.problems
        )
        every.line = every.line or next(iter(self._broken.values())).line
        every.pack = pack
        raise every


def to_levels(levels: Level | Iterable[Level]) -> tuple[Level, ...]:
    """Return one level or several as a tuple; GridproofError for any other value."""
    if isinstance(levels, Level):
        return (levels,)
    if not isinstance(levels, Iterable):
        raise GridproofError(f"a level or several are needed, not {type(levels).__name__}")
    found = tuple(levels)
    for item in found:
        if not isinstance(item, Level):
            raise GridproofError(f"a level or several are needed, not {type(item).__name__}")
    return found


def write_levels(pack: Pack) -> str:
    """Return the notes of a pack and the texts of its levels, with blank lines between them."""
    return "\n".join(filter(None, [notes_text(pack.notes), *(level.text() for level in pack)]))


def writer_of(form: Format) -> Callable[[Pack], str]:
    """Return the function that writes packs in a format; GridproofError if it is only read."""
    if form.write is None:
        raise GridproofError(f"the format {form.name} is only read, not written")
    return form.write


def find_format(game: Game, name: str) -> Format:
    """Return the format of a game with this name; GridproofError if it has none."""
    for item in game.formats:
        if item.name == name:
            return item
    known = ", ".join(item.name for item in game.formats)
    raise GridproofError(f"{game.name} has no format {name!r}: it has {known}{describe_exports(game)}")


def describe_exports(game: Game) -> str:
    """Describe a game's exports for other programs, for the end of a message about its formats."""
    exports = ", ".join(function_table(game, "exports"))
    return f"; gridproof convert writes {exports}, too" if exports else ""
