"""ShiftItVoc: the symbols of the source document, their types and arities, unchanged (S17)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, Real, spell

NAME = "ShiftItVoc"

LISTED = ("Time", "Co", "XCo", "YCo", "Tile", "Colour")
"""The types that a structure lists; by default a type has the elements that occur."""

CONSTRUCTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Pos": {"P": ("XCo", "YCo")},
    "Dir": dict.fromkeys(DIRECTIONS, ()),
    "Move": {"RM": ("YCo", "Dir"), "CM": ("XCo", "Dir")},
    "Side": {"S": ("Tile", "Dir")},
}
"""The types with constructors for their elements; a structure does not list them."""

SUPERTYPE = "Co"
SUBTYPES = ("XCo", "YCo")
"""Co is their union; a structure that lists it lists this union."""

BUILT_IN = frozenset({"int", "nat", "float", "char", "string"})
"""Types of the language itself, for symbols that a structure adds."""


class Symbol(NamedTuple):
    """A predicate, a function or a constant."""

    name: str
    types: tuple[str, ...]
    """The types of the arguments."""
    result: str | None = None
    """The type of a function's value; None for a predicate."""
    partial: bool = False
    """True if the function may be undefined."""

    @property
    def row_types(self) -> tuple[str, ...]:
        """The types of the arguments and the value."""
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

LISTED_PARTS = {name: (name,) for name in LISTED} | {
    name: tuple(
        dict.fromkeys(inner for types in forms.values() for inner in types if inner not in CONSTRUCTED)
    )
    for name, forms in CONSTRUCTED.items()
}
"""The listed types of the parts of elements of each type."""


class Misfit(Exception):
    """An error: an element does not have the form of its type; `str` gives the message."""


def leaves(type_name: str, element: Element) -> list[tuple[str, Element]]:
    """Return the elements of listed types in an element of any type, with their types.

    Raises
    ------
    Misfit
        When the element has not the form of its type.
    """
    if type_name not in CONSTRUCTED:
        if type(element) not in KINDS[type_name]:
            raise Misfit(
                f"{spell(element)} is no {type_name}: {_DESCRIPTIONS.get(type_name, 'whole numbers')} are"
            )
        return [(type_name, element)]
    types = CONSTRUCTED[type_name].get(element.name) if isinstance(element, Call) else None
    if types is None or not isinstance(element, Call) or len(types) != len(element.arguments):
        raise Misfit(f"{spell(element)} is no {type_name}: {_forms(type_name)} are")
    parts = zip(types, element.arguments, strict=True)
    return [leaf for inner, argument in parts for leaf in leaves(inner, argument)]


KINDS: Mapping[str, frozenset[type]] = dict.fromkeys(LISTED, frozenset({int})) | {
    "Tile": frozenset({int, str, Real}),
    "Colour": frozenset({str}),
}
"""The Python types of elements of listed types."""
_DESCRIPTIONS = {"Tile": "identifiers, numbers and strings", "Colour": "strings"}


def _forms(type_name: str) -> str:
    forms = CONSTRUCTED[type_name].items()
    return ", ".join(f"{name}({','.join(types)})" if types else name for name, types in forms)


def count_tuples(type_names: tuple[str, ...], elements: Mapping[str, Collection[Element]]) -> int:
    """Count the tuples of elements of these types."""
    return math.prod(
        len(elements[name])
        if name in LISTED
        else sum(count_tuples(inner, elements) for inner in CONSTRUCTED[name].values())
        for name in type_names
    )


def universe(type_name: str, types: Mapping[str, tuple[Element, ...]]) -> Iterator[Element]:
    """Yield all elements of a type, given those of the listed types."""
    if type_name in LISTED:
        yield from types[type_name]
        return
    for name, inner in CONSTRUCTED[type_name].items():
        for arguments in product(inner, types):
            yield Call(name, arguments)


def product(
    type_names: tuple[str, ...], types: Mapping[str, tuple[Element, ...]]
) -> Iterator[tuple[Element, ...]]:
    """Yield all tuples of elements of these types, in order."""
    if not type_names:
        yield ()
        return
    for element in universe(type_names[0], types):
        for others in product(type_names[1:], types):
            yield (element, *others)
