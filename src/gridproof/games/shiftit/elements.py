"""Elements of an IDP3 structure's domain, and their spelling.

Tiles are named by the text of their element: `a`, `7`, or `"my tile"` where the quotation marks are
needed. So names survive every format, and a name that is a number stays apart from a string of digits.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from gridproof.core.errors import GridproofError

DIRECTIONS = ("up", "right", "down", "left")
"""The sides of a tile and the directions of a move; tables of sides are in this order."""

IDENTIFIER = re.compile(r"_*[A-Za-z][A-Za-z0-9_']*")
BARE = re.compile(rf"(?!(?:{'|'.join(DIRECTIONS)}|true|false)\Z){IDENTIFIER.pattern}")
"""An identifier that is no keyword of the grammar: a string that needs no quotation marks."""
NUMBER = re.compile(r"0|-?[1-9][0-9]*")
DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]")
STRING = re.compile(r'"([^"\0\r\n]*)"')

MOST_DIGITS = 1000
"""Digits of the longest number that is read."""


class Real(NamedTuple):
    """A number with decimals, spelled without needless zeros."""

    text: str


class Call(NamedTuple):
    """A compound element: `P(0,1)`, `right()`."""

    name: str
    arguments: tuple[Element, ...] = ()


Element: TypeAlias = int | str | Real | Call


def parse_integer(text: str) -> int:
    """Return the number that digits spell.

    Raises
    ------
    GridproofError
        When there are too many of them.
    """
    if len(text) > MOST_DIGITS:
        raise GridproofError(f"a number of {len(text)} digits is too long")
    return int(text)


def parse_real(text: str) -> int | Real:
    """Return the number that a decimal fraction spells: an int when only zeros follow the point."""
    whole, _, rest = text.partition(".")
    sign = "-" if whole.startswith("-") else ""
    whole, rest = whole.removeprefix("-").lstrip("0") or "0", rest.rstrip("0")
    return Real(f"{sign}{whole}.{rest}") if rest else parse_integer(sign + whole)


def spell(element: Element) -> str:
    """Return the text of an element; a string without quotation marks where possible."""
    if isinstance(element, Real):
        return element.text
    if isinstance(element, Call):
        inside = ",".join(map(spell, element.arguments))
        return (
            f"{element.name}({inside})"
            if element.arguments or element.name not in DIRECTIONS
            else element.name
        )
    if isinstance(element, int):
        return str(element)
    return element if BARE.fullmatch(element) else f'"{element}"'


def quote(element: Element) -> str:
    """Return the text of an element, strings always in quotation marks."""
    return f'"{element}"' if isinstance(element, str) else spell(element)


def is_name(text: str) -> bool:
    """Return whether a text is the spelling of a tile's name."""
    if BARE.fullmatch(text):
        return True
    element = _parse_atom(text)
    return element is not None and spell(element) == text


def parse_name(text: str) -> Element:
    """Return the element that a tile's name spells.

    Raises
    ------
    GridproofError
        When it spells none.
    """
    element = _parse_atom(text)
    if element is None or spell(element) != text:
        raise GridproofError(f"{text!r} is no name of a tile: {NAME_RULE}")
    return element


NAME_RULE = "an identifier, a number, or a string in quotation marks where those are needed"
"""The rule for a tile's name."""


def _parse_atom(text: str) -> int | str | Real | None:
    if IDENTIFIER.fullmatch(text):
        return text
    if match := STRING.fullmatch(text):
        return match[1]
    if len(text) <= MOST_DIGITS and NUMBER.fullmatch(text):
        return int(text)
    return Real(text) if len(text) <= MOST_DIGITS and DECIMAL.fullmatch(text) else None
