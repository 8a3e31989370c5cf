"""Boards and runs to structures and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gridproof.core.errors import InvalidLevel, Problem
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, named, spelled
from gridproof.games.shiftit.idp.structure import Row, Structure, Table
from gridproof.games.shiftit.rules import Level, Tile
from gridproof.games.shiftit.validity import LARGEST, too_large


def level_of(structure: Structure) -> Level:
    """The board that a structure gives.

    Of the colouring, what is not certain is read as undefined. Where Init_GetPos is left out, GetPos
    at the start is taken; where Init_Colouring is, Colouring.

    Raises
    ------
    InvalidLevel
        With every defect of the board, and every tile without a position or a lock that is known.
    """
    if len(structure.elements["Tile"]) > LARGEST:
        raise InvalidLevel([too_large()])
    types = structure.types
    columns, rows = ([int(str(number)) for number in types[name]] for name in ("XCo", "YCo"))
    unknown = list(_unknown(structure))
    if unknown:
        raise InvalidLevel(unknown)
    colouring = GivenColouring(structure)
    tiles = [_tile(structure, element, colouring) for element in types["Tile"]]
    title, author, keys = structure.title, structure.author, structure.keys
    return Level(tiles, columns, rows, title=title, author=author, keys=keys)


def _unknown(structure: Structure) -> Iterable[Problem]:
    for tile in structure.types["Tile"]:
        if _place(structure, tile) is None:
            yield Problem("S1-unplaced", spelled(tile), "Init_GetPos gives the tile no position")
        if structure.holds("IsLocked", (tile,)) is None:
            yield Problem("S4-unknown", spelled(tile), "IsLocked does not say whether the tile is locked")


def _place(structure: Structure, tile: Element) -> Element | None:
    if "Init_GetPos" in structure.tables:
        return structure.values("Init_GetPos").get((tile,))
    return structure.values("GetPos").get((0, tile))


class GivenColouring:
    """The colours that a structure gives tiles and sides; where Init_Colouring is left out, Colouring is taken."""

    def __init__(self, structure: Structure) -> None:
        own = "Init_Colouring" if "Init_Colouring" in structure.tables else "Colouring"
        self._of_sides = structure.values(own)
        self._of_tiles = structure.values("Init_Colouring_Full")

    def full(self, tile: Element) -> str | None:
        """Init_Colouring_Full: the colour given to a tile; None where it is undefined."""
        return _text(self._of_tiles.get((tile,)))

    def own(self, tile: Element, direction: str) -> str | None:
        """Init_Colouring: the colour given to a side for itself; None where it is undefined."""
        return _text(self._of_sides.get((side_element(tile, direction),)))

    def colours(self, tile: Element) -> list[str | None]:
        """The colours of the four sides: a side's own takes precedence over its tile's (S3)."""
        full = self.full(tile)
        if not self._of_sides:
            return [full] * 4
        own = [self.own(tile, direction) for direction in DIRECTIONS]
        return [full if colour is None else colour for colour in own]


def _text(colour: Element | None) -> str | None:
    return None if colour is None else str(colour)


def _tile(structure: Structure, element: Element, colouring: GivenColouring) -> Tile:
    place = _place(structure, element)
    assert isinstance(place, Call)  # by its type, and since it is known
    x, y = (int(str(number)) for number in place.arguments)
    locked = structure.holds("IsLocked", (element,)) is True
    return Tile(spelled(element), x, y, colouring.colours(element), locked)


def horizon_of(structure: Structure) -> int:
    """T, where Time = {0..T} (S16).

    Raises
    ------
    InvalidLevel
        When Time is empty or no such set.
    """
    times = structure.types["Time"]
    if not times or list(times) != list(range(len(times))):
        listed = ", ".join(map(spelled, times[:8])) or "nothing"
        hint = "" if times else "; a horizon may be given beside the structure"
        reason = f"Time is {{0..T}} for some T, not {{{listed}}}{hint}"
        raise InvalidLevel([Problem("S16-time", None, reason)])
    return len(times) - 1


# -- to structures


def structure_of(level: Level, horizon: int | None = None, name: str = "S") -> Structure:
    """The structure that gives a board and, where a horizon is given, Time = {0..horizon}."""
    tables = board_tables(level, horizon)
    return Structure(tables, name, title=level.title, author=level.author, keys=level.keys)


def board_tables(level: Level, horizon: int | None = None) -> dict[str, Table]:
    """The input of a structure."""
    tiles = {tile.name: named(tile.name) for tile in level.tiles}
    own, full = {}, {}
    for tile in level.tiles:
        if len(set(tile.colours)) == 1:
            full[tiles[tile.name],] = str(tile.colours[0])
        else:
            for direction, colour in zip(DIRECTIONS, tile.colours, strict=True):
                own[side_element(tiles[tile.name], direction),] = str(colour)
    time = {} if horizon is None else time_tables(horizon)
    return time | {
        "XCo": table_of(level.columns),
        "YCo": table_of(level.rows),
        "Tile": table_of(tiles.values()),
        "Colour": table_of(level.colours),
        "Init_GetPos": function_of(
            {(tiles[tile.name],): position_element(tile.x, tile.y) for tile in level.tiles}
        ),
        "IsLocked": table_of(tiles[tile.name] for tile in level.tiles if tile.locked),
        "Init_Colouring_Full": function_of(full),
        "Init_Colouring": function_of(own),
    }


def time_tables(horizon: int) -> dict[str, Table]:
    """Time = {0..T}, Start = 0, and Next (S16)."""
    return {
        "Time": table_of(range(horizon + 1)),
        "Start": function_of({(): 0}),
        "Next": function_of({(time,): time + 1 for time in range(horizon)}),
    }


def table_of(elements: Iterable[Element]) -> Table:
    """The table of a type or of a predicate with one argument."""
    return Table({"": frozenset((element,) for element in elements)}, function=False)


def relation_of(rows: Iterable[Row]) -> Table:
    """The table of a predicate."""
    return Table({"": frozenset(rows)}, function=False)


def function_of(values: Mapping[Any, Element]) -> Table:
    """The table of a function: from tuples of arguments to values."""
    return Table({"": frozenset((*arguments, value) for arguments, value in values.items())}, function=True)


def position_element(x: int, y: int) -> Call:
    """P(x,y)."""
    return Call("P", (x, y))


def side_element(tile: Element, direction: str) -> Call:
    """S(tile,direction)."""
    return Call("S", (tile, Call(direction)))
