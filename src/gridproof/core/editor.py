"""How levels of a game are made by hand: as drafts, which may be broken in any way, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from gridproof.core.errors import GridproofError, Problem
from gridproof.core.grid_text import Characters, GridText
from gridproof.core.lines import About
from gridproof.core.look import Board, Cell
from gridproof.core.position import Level
from gridproof.core.sketch import about_in, sketched
from gridproof.core.wording import shown

Place = tuple[int, int]
"""Column and row of a cell, both from 0."""

SIDES = ("left", "right", "top", "bottom")
LARGEST_SIDE = 60
"""Cells of a row or a column that can still be told apart on a screen."""


UNTITLED = About("", "", {})


@dataclass(frozen=True, slots=True)
class Draft:
    """A level that is being made: perhaps no valid one."""

    cells: tuple[tuple[str, ...], ...]
    """What stands for each cell in the game's text, row by row."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What the game asks besides, by the names of `Editor.fields`."""
    about: About = UNTITLED

    @property
    def size(self) -> Place:
        """Columns and rows."""
        return len(self.cells[0]), len(self.cells)

    def at(self, place: Place) -> str:
        """What stands for a cell."""
        return self.cells[place[1]][place[0]]

    def put(self, place: Place, symbol: str) -> Draft:
        """Another symbol on a cell."""
        x, y = place
        row = (*self.cells[y][:x], symbol, *self.cells[y][x + 1 :])
        return replace(self, cells=(*self.cells[:y], row, *self.cells[y + 1 :]))

    def places(self, holds: Callable[[str], bool]) -> list[Place]:
        """The cells whose symbols are so, in reading order."""
        return [(x, y) for y, row in enumerate(self.cells) for x, symbol in enumerate(row) if holds(symbol)]

    def named(self, name: str, value: str) -> Draft:
        """Another value of a field."""
        return replace(self, fields={**self.fields, name: value})

    def grown(self, side: str, blank: str) -> Draft:
        """A row or a column more."""
        if side in ("top", "bottom"):
            row = ((blank,) * self.size[0],)
            return replace(self, cells=row + self.cells if side == "top" else self.cells + row)
        rows = ((blank, *row) if side == "left" else (*row, blank) for row in self.cells)
        return replace(self, cells=tuple(rows))

    def shrunk(self, side: str) -> Draft:
        """A row or a column less."""
        part = slice(1, None) if side in ("left", "top") else slice(None, -1)
        if side in ("top", "bottom"):
            return replace(self, cells=self.cells[part])
        return replace(self, cells=tuple(row[part] for row in self.cells))


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that can be put on a cell."""

    name: str
    """In words: "wall"."""
    picture: Cell
    """What it looks like."""
    whole: bool = False
    """Whether it is for the cell as a whole, also where an editor has `parts`."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that is asked beside the board: a choice, or else a whole number."""

    name: str
    """In words: "bombs"."""
    usual: str
    """Its value in drafts that say none."""
    choices: tuple[str, ...] = ()
    least: int = 0
    """Of a number."""
    most: int = 0


def no_fields(draft: Draft) -> tuple[Field, ...]:
    """Of a game that asks nothing beside the board."""
    return ()


def no_sketch(text: str, line: int) -> None:
    """Of a game that draws valid levels alone."""


def own_cell(draft: Draft, problem: Problem) -> Iterable[Place]:
    """The cells of a problem whose place is one."""
    match problem.where:
        case (int(x), int(y)):
            return ((x, y),)
    return ()


@dataclass(frozen=True, kw_only=True)
class Editor:
    """How levels of one game are edited. Where a character stands for each cell, `character_editor` makes one."""

    first: Draft
    """What a new level begins as: a valid one."""
    blank: str
    """What stands for a cell that has been added."""
    draft: Callable[[Any], Draft]
    """That of a level; raises GridproofError for a level that drafts cannot show."""
    text: Callable[[Draft], str]
    """The text in the game's own format that a draft means; its reader says what is wrong."""
    tools: Callable[[Draft], tuple[Tool, ...]]
    """What can be put on cells; the first is what takes away."""
    paint: Callable[[Draft, Place, str, str], Draft]
    """A draft after a tool, by its name, was put on a cell, or on the part of it that is named."""
    board: Callable[[Draft], Board]
    """What a draft looks like; raises GridproofError for what stands for no cell."""
    fields: Callable[[Draft], tuple[Field, ...]] = no_fields
    concerned: Callable[[Draft, Problem], Iterable[Place]] = own_cell
    """The cells that a problem concerns."""
    sketch: Callable[[str, int], Draft | None] = no_sketch
    """What can be drawn of a text that is no level, of the one at a line from 1 (0: the only one); None for nothing."""
    parts: tuple[str, ...] = ()
    """Names of the parts of a cell at its upper, right, lower and left side, where they can be painted alone."""
    least: Place = (1, 1)
    largest: Place = (LARGEST_SIDE, LARGEST_SIDE)
    """Columns and rows."""

    def value(self, draft: Draft, name: str) -> str:
        """The value of a field."""
        usual = {item.name: item.usual for item in self.fields(draft)}
        return draft.fields.get(name, usual.get(name, ""))

    def check(self, draft: Draft) -> None:
        """Check that a draft can be shown.

        Raises
        ------
        GridproofError
            For a size that it cannot have, ragged rows, and symbols and values that no text can have.
        """
        widths = {len(row) for row in draft.cells}
        if len(widths) != 1:
            raise GridproofError("the rows of a draft are of one length")
        (width, height), least, most = draft.size, self.least, self.largest
        if not (least[0] <= width <= most[0] and least[1] <= height <= most[1]):
            raise GridproofError(
                f"boards of {least[0]}x{least[1]} to {most[0]}x{most[1]} cells can be edited, not of {width}x{height}"
            )
        for name, value in draft.fields.items():
            if set(name + value) & set("\r\n\0"):
                raise GridproofError(f"{shown(name)}: a value is one line")

    def edited(self, draft: Draft, tool: str, place: Place, part: str = "") -> Draft:
        """A draft after a tool was put on a cell.

        Raises
        ------
        GridproofError
            When there is no such tool, cell or part.
        """
        width, height = draft.size
        if not (0 <= place[0] < width and 0 <= place[1] < height):
            raise GridproofError(f"there is no cell {place} on a board of {width}x{height}")
        if tool not in [item.name for item in self.tools(draft)] or part not in ("", *self.parts):
            raise GridproofError(f"{shown(' '.join((tool, part)).strip())} cannot be put on a cell")
        return self.paint(draft, place, tool, part)


# -- a character for each cell


def character_editor(
    characters: Mapping[str, str],
    pile: Callable[[frozenset[str]], Cell],
    *,
    first: str,
    text: Callable[[About, str, Draft], str],
    rows: Callable[[Any], Iterable[str]],
    once: Iterable[str] = (),
    empty: str = "nothing",
    fields: Callable[[Draft], tuple[Field, ...]] = no_fields,
    values: Callable[[Any], Mapping[str, str]] = lambda level: {},
) -> Editor:
    """An editor of boards in characters.

    Parameters
    ----------
    characters : mapping of str to str
        As for `Characters`; one of them stands for no piece at all.
    pile : function
        What a cell with pieces of these names looks like.
    first : str
        The rows of a new level.
    text : function
        The level's text, of its title, author and keys, its rows and the draft.
    rows : function
        The rows of a level.
    once : iterable of str
        Pieces of which there is one: put on another cell, they leave their own.
    empty : str
        The name of what takes pieces away.
    fields : function
        As of `Editor`.
    values : function
        The values of the fields of a level.
    """
    table = _Table(characters)
    alone = frozenset(once)

    def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
        if tool == empty:
            return draft.put(place, table.blank)
        if tool in alone:
            for other in draft.places(lambda symbol: tool in table.names(symbol)):
                draft = draft.put(other, table.without(draft.at(other), tool))
        return draft.put(place, table.with_piece(draft.at(place), tool))

    def sketch(text: str, line: int) -> Draft | None:
        found = sketched(text, tuple, table.is_known, table.blank, line)
        return found and Draft(found[0], {}, about_in(found[1]))

    tools = (Tool(empty, pile(frozenset())), *(Tool(name, pile(frozenset({name}))) for name in table.single))
    return Editor(
        first=Draft(tuple(map(tuple, first.split()))),
        blank=table.blank,
        draft=lambda level: Draft(tuple(map(tuple, rows(level))), values(level), about_of(level)),
        text=lambda draft: text(draft.about, "".join("".join(row) + "\n" for row in draft.cells), draft),
        tools=lambda draft: tools,
        paint=paint,
        board=lambda draft: tuple(tuple(pile(table.names(symbol)) for symbol in row) for row in draft.cells),
        fields=fields,
        sketch=sketch,
    )


def grid_editor(
    text: GridText[Any], pile: Callable[[frozenset[str]], Cell], first: str, empty: str = "nothing"
) -> Editor:
    """The editor of a game whose own format is a `GridText`; parameters as of `character_editor`."""
    one_row = (LARGEST_SIDE, text.height or LARGEST_SIDE)
    made = character_editor(
        text.characters,
        pile,
        first=first,
        text=lambda about, rows, draft: text.about_text(*about) + rows,
        rows=lambda level: text.rows(level.start()),
        once=text.once,
        empty=empty,
    )
    return replace(made, least=(1, text.height or 1), largest=one_row)


def about_of(level: Level) -> About:
    """What a level's text says of it besides."""
    return About(level.title, level.author, level.keys)


class _Table:
    """Which pieces each character stands for, and what stands for others."""

    def __init__(self, characters: Mapping[str, str]) -> None:
        Characters(characters)  # which refuses what is no table
        self._names = {symbol: frozenset(names.split()) for symbol, names in characters.items()}
        self._of_names = {names: symbol for symbol, names in reversed(self._names.items())}
        self.blank = self._of_names[frozenset()]
        self.single = [
            name
            for name in dict.fromkeys(name for names in characters.values() for name in names.split())
            if frozenset({name}) in self._of_names
        ]
        """Pieces that can lie alone on a cell."""

    def is_known(self, symbol: str) -> bool:
        """Whether a character stands for anything."""
        return symbol in self._names

    def names(self, symbol: str) -> frozenset[str]:
        """The pieces that a character stands for."""
        if symbol not in self._names:
            raise GridproofError(f"{shown(symbol)} stands for nothing: there are {' '.join(self._names)}")
        return self._names[symbol]

    def with_piece(self, symbol: str, piece: str) -> str:
        """What stands for a piece with as many of the others as can lie with it."""
        others = sorted(self.names(symbol) - {piece})
        for number in range(len(others), -1, -1):
            for kept in combinations(others, number):
                found = self._of_names.get(frozenset({piece, *kept}))
                if found is not None:
                    return found
        raise GridproofError(f"no character stands for {piece}")

    def without(self, symbol: str, piece: str) -> str:
        """What stands for the others."""
        return self._of_names.get(self.names(symbol) - {piece}, self.blank)
