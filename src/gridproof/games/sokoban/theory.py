"""Sokoban for clingo: facts of a level, terms of a position, and propositions of the program `theory.lp`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import sort_cells
from gridproof.prove.theory import PlayTheory

_LARGEST = 100_000  # cells at all times and after all bombs
_PROPOSITIONS = {
    "won": "won(T)",
    "lost": "over(T), not won(T)",
    "ended": "over(T)",
    "home": "not away(T)",
    "valid": "not broken(T)",
}
"""The bodies of propositions at the time T."""
_OF_CELLS = {"at": "player", "box": "box"}


def facts(level: Level, horizon: int) -> Iterator[str]:
    """Yield the facts of a level and of some times; GridproofError when the program would be too large."""
    width, height = level.size
    if width * height * (horizon + 1 + level.bombs) > _LARGEST:
        raise GridproofError("the level is too large for clingo: use the engine explicit")
    yield f"time(0..{horizon})"
    yield "start(0)"
    yield f"next(T,T+1) :- T = 0..{horizon - 1}"
    yield f"size({width},{height})"
    yield f"boxes({len(level.boxes)})"
    yield from (f"depot(({x},{y}))" for x, y in sort_cells(level.depots))
    yield from (f"home({term})" for term in terms(level.start()))


def terms(position: Position) -> Iterator[str]:
    """Yield the terms of a position."""
    yield "player(({},{}))".format(*position.player)
    yield f"bombs({position.bombs})"
    yield from (f"box(({x},{y}))" for x, y in sort_cells(position.boxes))
    yield from (f"wall(({x},{y}))" for x, y in sort_cells(position.walls))


def position(level: Level, symbols: Iterable[Any]) -> Position:
    """Return the position with these terms."""
    cells: dict[str, list[tuple[int, int]]] = {"player": [], "box": [], "wall": []}
    bombs = 0
    for symbol in symbols:
        (value,) = symbol.arguments
        if symbol.name == "bombs":
            bombs = value.number
        else:
            x, y = (part.number for part in value.arguments)
            cells[symbol.name].append((x, y))
    (player,) = cells["player"]
    return Position(level, player, frozenset(cells["box"]), bombs, frozenset(cells["wall"]))


def proposition(name: str, arguments: Sequence[str]) -> str | None:
    """Return the body of a proposition at the time T."""
    if name in _OF_CELLS:
        return f"{_OF_CELLS[name]}(T,({','.join(arguments)}))"
    return _PROPOSITIONS.get(name)


def number(name: str, arguments: Sequence[str]) -> str | None:
    """Return a body that binds N to a number at the time T."""
    return f"{name}(T,N)" if name in ("bombs", "placed") else None


THEORY = PlayTheory(
    program=Path(__file__).with_name("theory.lp"),
    facts=facts,
    terms=terms,
    position=position,
    proposition=proposition,
    number=number,
    action=str,
)
