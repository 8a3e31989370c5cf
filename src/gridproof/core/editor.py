"""Editor of levels: drafts, which may be broken in any way, change cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from gridproof.core.errors import GridproofError, Problem
from gridproof.core.look import Board, Cell
from gridproof.core.position import Level
from gridproof.core.text.draft_recovery import find_header, recover_rows
from gridproof.core.text.grid_text import GridText
from gridproof.core.text.lines import LevelHeader
from gridproof.core.text.phrases import short_repr

Place = tuple[int, int]
"""Column and row of a cell, both from 0."""

SIDES = ("left", "right", "top", "bottom")
LARGEST_SIDE = 60
"""Most cells of a row or a column that a screen can show."""


UNTITLED = LevelHeader("", "", {})


@dataclass(frozen=True, slots=True)
class Draft:
    """A level in the making, perhaps not a valid one."""

    cells: tuple[tuple[str, ...], ...]
    """Symbol of each cell in the game's text, row by row."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Values of `Editor.fields` by name."""
    about: LevelHeader = UNTITLED

    @property
    def size(self) -> Place:
        """Columns and rows."""
        return len(self.cells[0]), len(self.cells)

    def at(self, place: Place) -> str:
        """Return the symbol of a cell."""
        return self.cells[place[1]][place[0]]

    def with_symbol(self, place: Place, symbol: str) -> Draft:
        """Return the draft with another symbol on a cell."""
        x, y = place
        row = (*self.cells[y][:x], symbol, *self.cells[y][x + 1 :])
        return replace(self, cells=(*self.cells[:y], row, *self.cells[y + 1 :]))

    def places(self, holds: Callable[[str], bool]) -> list[Place]:
        """Return the cells whose symbols meet a condition, in reading order."""
        return [(x, y) for y, row in enumerate(self.cells) for x, symbol in enumerate(row) if holds(symbol)]

    def with_field(self, name: str, value: str) -> Draft:
        """Return the draft with another value of a field."""
        return replace(self, fields={**self.fields, name: value})

    def add_line(self, side: str, blank: str) -> Draft:
        """Return the draft with one more row or column at a side."""
        if side in ("top", "bottom"):
            row = ((blank,) * self.size[0],)
            return replace(self, cells=row + self.cells if side == "top" else self.cells + row)
        rows = ((blank, *row) if side == "left" else (*row, blank) for row in self.cells)
        return replace(self, cells=tuple(rows))

    def remove_line(self, side: str) -> Draft:
        """Return the draft without the row or column at a side."""
        part = slice(1, None) if side in ("left", "top") else slice(None, -1)
        if side in ("top", "bottom"):
            return replace(self, cells=self.cells[part])
        return replace(self, cells=tuple(row[part] for row in self.cells))


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that can be put on a cell."""

    name: str
    """Name for people: "wall"."""
    picture: Cell
    """Its picture."""
    whole: bool = False
    """True if it is for the cell as a whole, also where an editor has `parts`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value beside the board: a choice, or else a whole number."""

    name: str
    """Name for people: "bombs"."""
    usual: str
    """Its value in drafts without one."""
    choices: tuple[str, ...] = ()
    least: int = 0
    """Least value of a number."""
    most: int = 0
    label: str = ""
    """Name on the page, if it is another one."""
    words: tuple[str, ...] = ()
    """Choices in words, as the page shows them."""


def own_cell(draft: Draft, problem: Problem) -> Iterable[Place]:
    """Return the cell of a problem whose place is one."""
    match problem.where:
        case (int(x), int(y)):
            return ((x, y),)
    return ()


@dataclass(frozen=True, kw_only=True)
class Editor:
    """Editor of one game's levels. If a character stands for each cell, `character_editor` makes one."""

    first: Draft
    """First draft of a new level, a valid one."""
    blank: str
    """Symbol of a new cell."""
    draft: Callable[[Any], Draft]
    """Draft of a level; raises GridproofError for a level that drafts cannot show."""
    text: Callable[[Draft], str]
    """Text of a draft in the game's own format; its reader finds the faults."""
    tools: Callable[[Draft], tuple[Tool, ...]]
    """Tools for cells; the first is the eraser."""
    paint: Callable[[Draft, Place, str, str], Draft]
    """Draft after the tool of a name was applied to a cell, or to a part of it."""
    board: Callable[[Draft], Board]
    """Board of a draft; raises GridproofError for unknown symbols."""
    fields: Callable[[Draft], tuple[Field, ...]] = lambda draft: ()
    problem_cells: Callable[[Draft, Problem], Iterable[Place]] = own_cell
    """Cells that a problem concerns."""
    symbols: Callable[[str], Sequence[str]] = tuple
    """Symbols of a line of a broken text, one for each cell."""
    is_symbol: Callable[[str], object] = lambda symbol: None
    """True of symbols that stand for a cell; without it, nothing is recovered from broken texts."""
    found_fields: Callable[[str], Mapping[str, str]] = lambda lines: {}
    """Values of fields in the lines around the board of a broken text."""
    parts: tuple[str, ...] = ()
    """Names of the parts of a cell at its upper, right, lower and left side, where they can be painted alone."""
    least: Place = (1, 1)
    largest: Place = (LARGEST_SIDE, LARGEST_SIDE)
    """Columns and rows."""

    def value(self, draft: Draft, name: str) -> str:
        """Return the value of a field."""
        usual = {item.name: item.usual for item in self.fields(draft)}
        return draft.fields.get(name, usual.get(name, ""))

    def check(self, draft: Draft) -> None:
        """Check the form of a draft.

        GridproofError for a size that it cannot have, ragged rows, and symbols and values that no text can have.
        """
        widths = {len(row) for row in draft.cells}
        if len(widths) != 1:
            raise GridproofError("the rows of a draft must have equal length")
        (width, height), least, most = draft.size, self.least, self.largest
        if not (least[0] <= width <= most[0] and least[1] <= height <= most[1]):
            raise GridproofError(
                f"boards of {least[0]}x{least[1]} to {most[0]}x{most[1]} cells can be edited, not of {width}x{height}"
            )
        for name, value in draft.fields.items():
            if set(name + value) & set("\r\n\0"):
                raise GridproofError(f"{short_repr(name)}: a value must be one line")

    def sketch(self, text: str, line: int) -> Draft | None:
        """Recover a draft from a broken text, of the level at a line from 1 (0: the only one); None if there is none."""
        found = recover_rows(text, self.symbols, self.is_symbol, self.blank, line)
        return found and Draft(found[0], self.found_fields(found[1]), find_header(found[1]))

    def apply_tool(self, draft: Draft, tool: str, place: Place, part: str = "") -> Draft:
        """Return a draft after a tool was applied to a cell; GridproofError without such a tool, cell or part."""
        width, height = draft.size
        if not (0 <= place[0] < width and 0 <= place[1] < height):
            raise GridproofError(f"there is no cell {place} on a board of {width}x{height}")
        if tool not in [item.name for item in self.tools(draft)] or part not in ("", *self.parts):
            raise GridproofError(f"{short_repr(' '.join((tool, part)).strip())} cannot be put on a cell")
        return self.paint(draft, place, tool, part)


# -- a character for each cell


def character_editor(
    characters: Mapping[str, str],
    pile: Callable[[frozenset[str]], Cell],
    *,
    first: str,
    text: Callable[[LevelHeader, str, Draft], str],
    rows: Callable[[Any], Iterable[str]],
    once: Iterable[str] = (),
    empty: str = "nothing",
) -> Editor:
    """Make an editor of boards in characters, without fields.

    Parameters
    ----------
    characters : mapping of str to str
        Table of `Characters`; one of them stands for no piece at all.
    pile : function
        The picture of a cell with pieces of these names.
    first : str
        The rows of a new level.
    text : function
        The level's text, of its title, author and keys, its rows and the draft.
    rows : function
        The rows of a level.
    once : iterable of str
        Pieces of which there is one: they leave their cell for another.
    empty : str
        The name of the eraser.
    """
    table = _Table(characters)
    alone = frozenset(once)

    def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
        if tool == empty:
            return draft.with_symbol(place, table.blank)
        if tool in alone:
            for other in draft.places(lambda symbol: tool in table.names(symbol)):
                draft = draft.with_symbol(other, table.without(draft.at(other), tool))
        return draft.with_symbol(place, table.with_piece(draft.at(place), tool))

    tools = (Tool(empty, pile(frozenset())), *(Tool(name, pile(frozenset({name}))) for name in table.single))
    return Editor(
        first=Draft(tuple(map(tuple, first.split()))),
        blank=table.blank,
        draft=lambda level: Draft(tuple(map(tuple, rows(level))), {}, level_header(level)),
        text=lambda draft: text(draft.about, "".join("".join(row) + "\n" for row in draft.cells), draft),
        tools=lambda draft: tools,
        paint=paint,
        board=lambda draft: tuple(tuple(pile(table.names(symbol)) for symbol in row) for row in draft.cells),
        is_symbol=table.is_known,
    )


def grid_editor(
    text: GridText[Any], pile: Callable[[frozenset[str]], Cell], first: str, empty: str = "nothing"
) -> Editor:
    """Make the editor of a game whose own format is a `GridText`; parameters as of `character_editor`."""
    one_row = (LARGEST_SIDE, text.height or LARGEST_SIDE)
    made = character_editor(
        text.characters,
        pile,
        first=first,
        text=lambda about, rows, draft: text.header_text(*about) + rows,
        rows=lambda level: text.rows(level.start()),
        once=text.once,
        empty=empty,
    )
    return replace(made, least=(1, text.height or 1), largest=one_row)


def level_header(level: Level) -> LevelHeader:
    """Return the header of a level."""
    return LevelHeader(level.title, level.author, level.keys)


class _Table:
    """Table of characters and the pieces that each stands for."""

    def __init__(self, characters: Mapping[str, str]) -> None:
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
        """Return whether a character stands for anything."""
        return symbol in self._names

    def names(self, symbol: str) -> frozenset[str]:
        """Return the pieces that a character stands for."""
        if symbol not in self._names:
            raise GridproofError(f"{short_repr(symbol)} is not a symbol; choose from {' '.join(self._names)}")
        return self._names[symbol]

    def with_piece(self, symbol: str, piece: str) -> str:
        """Return the character of a piece with as many of the others as can lie with it."""
        others = sorted(self.names(symbol) - {piece})
        for number in range(len(others), -1, -1):
            for rest in combinations(others, number):
                found = self._of_names.get(frozenset({piece, *rest}))
                if found is not None:
                    return found
        raise GridproofError(f"no character stands for {piece}")

    def without(self, symbol: str, piece: str) -> str:
        """Return the character of the others."""
        return self._of_names.get(self.names(symbol) - {piece}, self.blank)
