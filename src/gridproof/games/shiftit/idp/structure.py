"""IDP3 structures of ShiftItVoc: what they hold, and the text of it.

    structure S : ShiftItVoc {
      Time = { 0..6 }   Start = 0   XCo = { 0; 1 }   YCo = { 0 }   Tile = { a; b }
      IsLocked = { a }
      Init_GetPos = { a->P(0,0); b->P(1,0) }
      Init_Colouring_Full = { a->"red" }
      ...
    }

Comments `// title: ...`, `// author: ...` and `// key NAME: ...` before a structure are its level's, those with
three slashes (`/// title: ...`, also `/// note: ...`) the pack's. A file may hold several structures, and then is a
pack; blocks of other kinds (`vocabulary`, `theory`, ...) are passed over.
"""

from __future__ import annotations

import functools
import heapq
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from gridproof.core import loading
from gridproof.core.errors import InvalidLevel, Problem
from gridproof.core.frozen import FrozenDict
from gridproof.core.game import Claim, Format
from gridproof.core.pack import Gathered, Pack
from gridproof.games.shiftit.elements import Call, Element, Real, quoted, spelled
from gridproof.games.shiftit.idp import vocabulary
from gridproof.games.shiftit.idp.tokens import BLANK
from gridproof.games.shiftit.idp.vocabulary import LISTED, SUBTYPES, SUPERTYPE, SYMBOLS

if TYPE_CHECKING:
    from gridproof.games.shiftit.rules import Level

Row: TypeAlias = tuple[Element, ...]
"""The arguments of a predicate; of a function, the arguments and the value."""

TRUTHS = ("", "ct", "cf", "u")
"""How rows are given: exactly these (`=`), certainly true, certainly false, unknown."""


_NO_ROWS = frozenset[Row]()


@dataclass(frozen=True)
class Table:
    """What a structure gives of one symbol.

    Parameters
    ----------
    given : mapping from one of TRUTHS to rows
        "" excludes the others. With `ct` and `cf`, rows that are not listed are unknown. With `u`, which lists all
        unknown rows, they are false, or true when only `cf` stands beside it.
    function : bool
        Whether the last element of a row is a value.
    """

    given: Mapping[str, frozenset[Row]]
    function: bool
    certain: frozenset[Row] = field(init=False, compare=False, repr=False)
    """The rows that are listed as true."""
    values: Mapping[Row, Element] = field(init=False, compare=False, repr=False)
    """Of a function, the values that are certain."""

    def __post_init__(self) -> None:
        rows = {truth: frozenset(self.given[truth]) for truth in TRUTHS if truth in self.given}
        certain = rows.get("", _NO_ROWS)
        if "ct" in rows:
            certain |= rows["ct"]
        values = {row[:-1]: row[-1] for row in certain if row} if self.function else {}
        for name, value in (("given", FrozenDict(rows)), ("certain", certain), ("values", values)):
            object.__setattr__(self, name, value)

    @property
    def _others(self) -> bool | None:
        """The truth of rows that are not listed."""
        if "" in self.given:
            return False
        if "u" not in self.given:
            return None
        return "cf" in self.given and "ct" not in self.given

    def holds(self, row: Row) -> bool | None:
        """Whether a row is true, false, or unknown (None)."""
        for truth, answer in (("", True), ("ct", True), ("cf", False), ("u", None)):
            if row in self.given.get(truth, ()):
                return answer
        return self._others

    def leaves(self, place: int, type_name: str) -> Iterator[tuple[str, set[Element]]]:
        """The elements of listed types in one place of all rows, whose type is named, with their types."""
        column = {row[place] for rows in self.given.values() for row in rows}
        if type_name in LISTED:
            yield type_name, column
            return
        for element in column:
            for name, leaf in vocabulary.leaves(type_name, element):
                yield name, {leaf}

    def rows(self) -> Iterator[tuple[str, Row]]:
        """All listed rows in their fixed order, with how they are given."""
        for truth, rows in self.given.items():
            for row in in_order(rows):
                yield truth, row


@dataclass(frozen=True)
class Structure:
    """A structure, partial or whole, whose elements fit the types of the vocabulary (S17).

    Parameters
    ----------
    tables : mapping of str to Table
        What is given, by symbol: of listed types (a row holds one element), of the vocabulary's
        symbols, and of symbols that were added, which have their types behind their names, as in
        `Depth[Time,Tile:int]`. A symbol that is left out is unknown.
    name, vocabulary : str
        As in the structure's first line; the vocabulary is ShiftItVoc, perhaps in a namespace.
    using : tuple of str
        Its `using` lines.

    Raises
    ------
    InvalidLevel
        With every table and row that does not fit the vocabulary.
    """

    tables: Mapping[str, Table]
    name: str = "S"
    vocabulary: str = vocabulary.NAME
    using: tuple[str, ...] = ()
    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)
    keys: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)

    def __post_init__(self) -> None:
        from gridproof.games.shiftit.idp.wellformed import faults

        object.__setattr__(self, "tables", FrozenDict(self.tables))
        object.__setattr__(self, "keys", FrozenDict(self.keys))
        problems = [Problem("S17-type", fault.spot, fault.message) for fault in faults(self)]
        if problems:
            raise InvalidLevel(problems)

    @cached_property
    def elements(self) -> Mapping[str, frozenset[Element]]:
        """The elements of each listed type: as listed, else collected from those used."""
        tables = self.tables
        found = {
            name: frozenset([row[0] for row in tables[name].certain]) for name in LISTED if name in tables
        }
        collected: dict[str, set[Element]] = {name: set() for name in LISTED if name not in found}
        for symbol, table in tables.items():
            for place, type_name in enumerate(vocabulary.ROW_TYPES.get(symbol, ())):
                if not collected.keys().isdisjoint(vocabulary.MADE_OF[type_name]):
                    for name, elements in table.leaves(place, type_name):
                        if name in collected:
                            collected[name] |= elements
        found |= {name: frozenset(elements) for name, elements in collected.items()}
        if SUPERTYPE in collected:
            found[SUPERTYPE] = frozenset[Element]().union(*(found[name] for name in SUBTYPES))
        return found

    @cached_property
    def types(self) -> Mapping[str, tuple[Element, ...]]:
        """The same in order."""
        return _InOrder(self.elements)

    def first(self, most: int) -> Mapping[str, tuple[Element, ...]]:
        """The first elements of each listed type in order, at most `most`."""
        return _InOrder(self.elements, most)

    def values(self, symbol: str) -> Mapping[Row, Element]:
        """The certain values of a function, by its arguments; none when it is left out."""
        return self.tables[symbol].values if symbol in self.tables else {}

    def holds(self, symbol: str, row: Row) -> bool | None:
        """Whether a row of a symbol is true, false or unknown (None)."""
        return self.tables[symbol].holds(row) if symbol in self.tables else None

    @property
    def level(self) -> Level:
        """The board that the structure gives; InvalidLevel with every defect."""
        from gridproof.games.shiftit.idp.conversion import level_of

        return level_of(self)

    @property
    def horizon(self) -> int:
        """T, where Time = {0..T} (S16); InvalidLevel when Time is no such set."""
        from gridproof.games.shiftit.idp.conversion import horizon_of

        return horizon_of(self)

    def text(self) -> str:
        """The structure in IDP3's syntax: `read_structures(text) == [structure]`."""
        return _written(self)


class _InOrder(Mapping[str, tuple[Element, ...]]):
    """The elements of types in order; a type is sorted when it is asked for."""

    def __init__(self, elements: Mapping[str, frozenset[Element]], most: int | None = None) -> None:
        self._elements = elements
        self._most = most
        self._sorted: dict[str, tuple[Element, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Element, ...]:
        if name not in self._sorted:
            elements, most = self._elements[name], self._most
            few = most is not None and most < len(elements)
            if few:
                ordered = heapq.nsmallest(most or 0, elements, _rank)
            else:
                ordered = sorted(elements, key=_rank) if len(elements) > 1 else list(elements)
            self._sorted[name] = tuple(ordered)
        return self._sorted[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)


_DIGITS = re.compile("([0-9]+)")


def first_in_order(rows: Collection[Row], most: int) -> list[Row]:
    """The first of some rows in their fixed order."""
    return heapq.nsmallest(most, rows, key=_row_rank)


def in_order(rows: frozenset[Row]) -> list[Row]:
    """Rows in a fixed order: numbers by size, names with their numbers by size."""
    return sorted(rows, key=_row_rank)


def _row_rank(row: Row) -> list[tuple[object, ...]]:
    return [_rank(element) for element in row]


def _rank(element: Element) -> tuple[object, ...]:
    if isinstance(element, Real):
        return (0, float(element.text), element.text)
    if isinstance(element, Call):
        return (2, element.name, *map(_rank, element.arguments))
    if isinstance(element, int):
        return (0, element, "")
    parts: list[object] = _DIGITS.split(element)
    parts[1::2] = [(len(str(part)), part) for part in parts[1::2]]
    return (1, tuple(parts), element)


# -- texts


_BEGINNING = re.compile(
    rf"{BLANK}(?:[sS]tructure\b[^\n]*[:{{]|(?:(?:LTC)?vocabulary|namespace)\b{BLANK}\w++{BLANK}\{{"
    rf"|(?:theory|query|term|fobdd|factlist|aspstructure)\b{BLANK}\w++{BLANK}:{BLANK}[\w:]++{BLANK}\{{"
    rf"|procedure\b{BLANK}\w++{BLANK}\([^(){{}}]*+\){BLANK}\{{"
    r"|include[ \t]*+[<\"]|using[ \t]++(?:vocabulary|namespace)\b)"
)


def recognises(text: str) -> Claim:
    """Whether a text begins, after comments, like a structure or a block that may stand with one."""
    return Claim.MARK if _BEGINNING.match(text) else Claim.NONE


def read_structures(text: str) -> list[Structure]:
    """All structures of a text.

    Raises
    ------
    ParseError
        With line and column, for what is not of the syntax or does not fit the vocabulary.
    """
    from gridproof.games.shiftit.idp.blocks import structures

    return [make() for make, _ in structures(text)]


@loading.uncollected()
def read(text: str) -> Pack:
    """The levels of the structures of a text; ParseError or InvalidLevel for a broken one."""
    from gridproof.games.shiftit.idp.blocks import structures
    from gridproof.games.shiftit.idp.remarks import of_pack

    levels = Gathered(text)
    for make, line in structures(text):
        levels.add(functools.partial(_level, make), line)
    title, author, keys, notes = of_pack(text)
    return levels.pack(title=title, author=author, keys=keys, notes=notes)


def _level(make: Callable[[], Structure]) -> Level:
    return make().level


def write(pack: Pack) -> str:
    """A structure for each level of a pack: the boards alone, with what is said of them."""
    from gridproof.games.shiftit.idp.conversion import structure_of
    from gridproof.games.shiftit.idp.remarks import pack_lines
    from gridproof.games.shiftit.rules import Level

    levels = [level for level in pack if isinstance(level, Level)]
    names = ["S"] if len(levels) == 1 else [f"S{number}" for number in range(1, len(levels) + 1)]
    texts = [structure_of(level, name=name).text() for level, name in zip(levels, names, strict=True)]
    preamble = "".join(pack_lines(pack))
    return "\n".join([preamble, *texts] if preamble else texts)


_WIDEST = 100
_LONGEST_RANGE = 2_000
"""The longest range that is written, so that the structure can be read again."""


def _written(structure: Structure) -> str:
    from gridproof.games.shiftit.idp.remarks import remark_lines

    comments = remark_lines("//", structure.title, structure.author, structure.keys)
    using = [f"  {line}\n" for line in structure.using]
    order = {symbol: place for place, symbol in enumerate((*LISTED, *SYMBOLS))}
    symbols = sorted(structure.tables, key=lambda symbol: order.get(symbol, len(order)))
    lines = [line for symbol in symbols for line in _table_lines(symbol, structure.tables[symbol])]
    return "".join(
        [*comments, f"structure {structure.name} : {structure.vocabulary} {{\n", *using, *lines, "}\n"]
    )


def _table_lines(symbol: str, table: Table) -> Iterator[str]:
    known = SYMBOLS.get(symbol)
    types = known.row_types if known else (symbol,) if symbol in LISTED else ()
    for truth, rows in table.given.items():
        head = f"  {symbol}{f'<{truth}>' if truth else ''} ="
        ordered = in_order(rows)
        if table.function and [len(row) for row in ordered] == [1]:
            yield f"{head} {_element(ordered[0][0], types[-1:])}\n"
        elif not table.function and ordered == [()]:
            yield f"{head} true\n"
        else:
            ranged = _range(ordered) if symbol in LISTED else []
            yield from _braces(head, ranged or [_row(row, table.function, types) for row in ordered])


def _braces(head: str, pieces: Sequence[str]) -> Iterator[str]:
    """Pieces in braces, in as many lines as they need."""
    line = f"{head} {{"
    for piece in [*(f"{piece};" for piece in pieces[:-1]), *pieces[-1:]]:
        if len(line) + len(piece) > _WIDEST and line.strip():
            yield line + "\n"
            line = "   "
        line += f" {piece}"
    yield f"{line} }}\n"


def _range(rows: Sequence[Row]) -> list[str]:
    """Whole numbers without gaps, as a range when they are not too many; none for other rows."""
    numbers = [row[0] for row in rows if len(row) == 1 and isinstance(row[0], int)]
    if not 3 <= len(numbers) == len(rows) <= _LONGEST_RANGE:
        return []
    first, last = numbers[0], numbers[-1]
    return [f"{first}..{last}"] if int(str(last)) - int(str(first)) == len(numbers) - 1 else []


def _row(row: Row, function: bool, types: tuple[str, ...]) -> str:
    texts = [_element(element, types[place : place + 1]) for place, element in enumerate(row)]
    if function:
        return f"{','.join(texts[:-1])}->{texts[-1]}"
    return ",".join(texts) if texts else "()"


def _element(element: Element, types: tuple[str, ...]) -> str:
    """An element; colours always in quotation marks."""
    return quoted(element) if types == ("Colour",) else spelled(element)


FORMAT = Format("structure", (".idp",), "IDP3 structures of ShiftItVoc", recognises, read, write)
