"""ShiftItVoc: the symbols of the source document, their types and arities, unchanged (S17)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, Real, spelled

NAME = "ShiftItVoc"

LISTED = ("Time", "Co", "XCo", "YCo", "Tile", "Colour")
"""The types that a structure lists; one that it leaves out is collected from the elements used."""

CONSTRUCTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Pos": {"P": ("XCo", "YCo")},
    "Dir": dict.fromkeys(DIRECTIONS, ()),
    "Move": {"RM": ("YCo", "Dir"), "CM": ("XCo", "Dir")},
    "Side": {"S": ("Tile", "Dir")},
}
"""The types whose elements are made by constructors; a structure does not list them."""

SUPERTYPE = "Co"
SUBTYPES = ("XCo", "YCo")
"""Co is their union; a structure that lists it lists this union."""

BUILT_IN = frozenset({"int", "nat", "float", "char", "string"})
"""Types of the language itself, which symbols that are added may use."""


class Symbol(NamedTuple):
    """A predicate, a function or a constant."""

    name: str
    types: tuple[str, ...]
    """Of the arguments."""
    result: str | None = None
    """The type of a function's value; None for a predicate."""
    partial: bool = False
    """Whether the function may be undefined."""

    @property
    def row_types(self) -> tuple[str, ...]:
        """Of the arguments and the value."""
        return self.types if self.result is None else (*self.types, self.result)


SYMBOLS: Mapping[str, Symbol] = {
    symbol.name: symbol
    for symbol in (
        Symbol("Start", (), "Time"),
        Symbol("Next", ("Time",), "Time", partial=True),
        Symbol("MoveAt", ("Time",), "Move", partial=True),
        Symbol("GetPos", ("Time", "Tile"), "Pos"),
        Symbol("Init_GetPos", ("Tile",), "Pos"),
        Symbol("C_GetPos", ("Time", "Tile"), "Pos", partial=True),
        Symbol("CN_GetPos", ("Time", "Tile"), "Pos", partial=True),
        Symbol("IsLocked", ("Tile",)),
        Symbol("Colouring", ("Side",), "Colour"),
        Symbol("Init_Colouring_Full", ("Tile",), "Colour", partial=True),
        Symbol("Init_Colouring", ("Side",), "Colour", partial=True),
        Symbol("Reach", ("Time", "Side", "Colour")),
        Symbol("Ref", ("Colour",), "Side", partial=True),
        Symbol("GameEnded", ("Time",)),
        Symbol("Won", ("Time",)),
    )
}


ROW_TYPES = {name: symbol.row_types for name, symbol in SYMBOLS.items()}
"""The types of each symbol's rows."""

MADE_OF = {name: (name,) for name in LISTED} | {
    name: tuple(
        dict.fromkeys(inner for types in forms.values() for inner in types if inner not in CONSTRUCTED)
    )
    for name, forms in CONSTRUCTED.items()
}
"""The listed types of what an element of a type is made of."""


class Misfit(Exception):
    """An element that does not have the form of its type; `str` gives the message."""


def leaves(type_name: str, element: Element) -> list[tuple[str, Element]]:
    """The elements of listed types in an element of any type, with their types.

    Raises
    ------
    Misfit
        When the element has not the form of its type.
    """
    if type_name not in CONSTRUCTED:
        if type(element) not in KINDS[type_name]:
            raise Misfit(f"{spelled(element)} is no {type_name}: {_TOLD.get(type_name, 'whole numbers')} are")
        return [(type_name, element)]
    types = CONSTRUCTED[type_name].get(element.name) if isinstance(element, Call) else None
    if types is None or not isinstance(element, Call) or len(types) != len(element.arguments):
        raise Misfit(f"{spelled(element)} is no {type_name}: {_forms(type_name)} are")
    parts = zip(types, element.arguments, strict=True)
    return [leaf for inner, argument in parts for leaf in leaves(inner, argument)]


KINDS: Mapping[str, frozenset[type]] = dict.fromkeys(LISTED, frozenset({int})) | {
    "Tile": frozenset({int, str, Real}),
    "Colour": frozenset({str}),
}
"""What the elements of listed types are."""
_TOLD = {"Tile": "identifiers, numbers and strings", "Colour": "strings"}


def _forms(type_name: str) -> str:
    made = CONSTRUCTED[type_name].items()
    return ", ".join(f"{name}({','.join(types)})" if types else name for name, types in made)


def size(type_names: tuple[str, ...], elements: Mapping[str, Collection[Element]]) -> int:
    """How many tuples of elements of these types there are."""
    return math.prod(
        len(elements[name])
        if name in LISTED
        else sum(size(inner, elements) for inner in CONSTRUCTED[name].values())
        for name in type_names
    )


def universe(type_name: str, types: Mapping[str, tuple[Element, ...]]) -> Iterator[Element]:
    """All elements of a type, when these are those of the listed types."""
    if type_name in LISTED:
        yield from types[type_name]
        return
    for name, inner in CONSTRUCTED[type_name].items():
        for arguments in product(inner, types):
            yield Call(name, arguments)


def product(
    type_names: tuple[str, ...], types: Mapping[str, tuple[Element, ...]]
) -> Iterator[tuple[Element, ...]]:
    """All tuples of elements of these types, in the order of the types; one after the other."""
    if not type_names:
        yield ()
        return
    for element in universe(type_names[0], types):
        for others in product(type_names[1:], types):
            yield (element, *others)
