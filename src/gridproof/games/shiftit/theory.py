"""Shift It for clingo: the theory of the claims, with terms of positions and propositions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gridproof.core.lazy_import import load
from gridproof.games.shiftit.claims.answer_set import THEORY as PROGRAM
from gridproof.games.shiftit.claims.answer_set import check_size, facts, term_of
from gridproof.games.shiftit.elements import parse_name
from gridproof.games.shiftit.rules import Level, Position
from gridproof.prove.theory import PlayTheory

_PROPOSITIONS = {
    "won": "won(T)",
    "lost": "over(T), not won(T)",
    "ended": "over(T)",
    "home": "time(T), not away(T)",
    "near": "time(T), not far(T)",
    "valid": "time(T), not broken(T)",
}
"""The bodies of propositions at the time T."""


def checked_facts(level: Level, horizon: int) -> Iterator[str]:
    """Return the facts of a board and of some times; GridproofError when the program would be too large."""
    check_size(level, horizon)
    return facts(level, horizon)


def _tile(name: str) -> str:
    return term_of(parse_name(name))


def terms(position: Position) -> Iterator[str]:
    """Yield the terms of a position: where each tile is."""
    for place, number in enumerate(position.tiles):
        x, y = position.level.coordinates(place)
        yield f"lies({_tile(position.level.names[number])},p({x},{y}))"


def position(level: Level, symbols: Iterable[Any]) -> Position:
    """Return the position with these terms."""
    parse = load("clingo").parse_term
    numbers = {parse(_tile(name)): number for number, name in enumerate(level.names)}
    tiles = [0] * len(numbers)
    for symbol in symbols:
        tile, place = symbol.arguments
        x, y = (part.number for part in place.arguments)
        tiles[level.place(x, y)] = numbers[tile]
    return Position(level, tuple(tiles))


def proposition(name: str, arguments: Sequence[str]) -> str | None:
    """Return the body of a proposition at the time T."""
    if name == "at":
        tile, x, y = arguments
        return f"getPos(T,{_tile(tile)},p({x},{y}))"
    return _PROPOSITIONS.get(name)


def number(name: str, arguments: Sequence[str]) -> None:
    """Return None: there are no numbers."""


THEORY = PlayTheory(
    program=PROGRAM,
    facts=checked_facts,
    terms=terms,
    position=position,
    proposition=proposition,
    number=number,
    action=str.lower,
)
