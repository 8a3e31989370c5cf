"""Conversion of boards and times to structures and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gridproof.core.errors import InvalidLevel, Problem
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, parse_name, spell
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import Row, Table
from gridproof.games.shiftit.rules import Level, Move, Position, Tile
from gridproof.games.shiftit.validity import LARGEST, size_problem


def level_of(structure: Structure) -> Level:
    """Return the board of a structure.

    Uncertain colours are read as undefined. GetPos at the start replaces Init_GetPos where it is left
    out, and Colouring replaces Init_Colouring.

    Raises
    ------
    InvalidLevel
        With every defect of the board, and every tile whose position or lock is unknown.
    """
    if len(structure.elements["Tile"]) > LARGEST:
        raise InvalidLevel([size_problem()])
    types = structure.types
    columns, rows = ([int(str(number)) for number in types[name]] for name in ("XCo", "YCo"))
    unknown = list(_find_unknowns(structure))
    if unknown:
        raise InvalidLevel(unknown)
    colouring = BoardColouring(structure)
    tiles = [_make_tile(structure, element, colouring) for element in types["Tile"]]
    title, author, keys = structure.title, structure.author, structure.keys
    return Level(tiles, columns, rows, title=title, author=author, keys=keys)


def _find_unknowns(structure: Structure) -> Iterable[Problem]:
    for tile in structure.types["Tile"]:
        if _place_of(structure, tile) is None:
            yield Problem("S1-unplaced", spell(tile), "Init_GetPos gives the tile no position")
        if structure.holds("IsLocked", (tile,)) is None:
            yield Problem("S4-unknown", spell(tile), "IsLocked does not say whether the tile is locked")


def _place_of(structure: Structure, tile: Element) -> Element | None:
    if "Init_GetPos" in structure.tables:
        return structure.values("Init_GetPos").get((tile,))
    return structure.values("GetPos").get((0, tile))


class BoardColouring:
    """The colours of tiles and sides in a structure; Colouring replaces Init_Colouring where it is left out."""

    def __init__(self, structure: Structure) -> None:
        own = "Init_Colouring" if "Init_Colouring" in structure.tables else "Colouring"
        self._of_sides = structure.values(own)
        self._of_tiles = structure.values("Init_Colouring_Full")

    def full(self, tile: Element) -> str | None:
        """Return Init_Colouring_Full: the colour of a tile; None where it is undefined."""
        return _colour_text(self._of_tiles.get((tile,)))

    def own(self, tile: Element, direction: str) -> str | None:
        """Return Init_Colouring: the colour of a side for itself; None where it is undefined."""
        return _colour_text(self._of_sides.get((side_element(tile, direction),)))

    def colours(self, tile: Element) -> list[str | None]:
        """Return the colours of the four sides: a side's own takes precedence over its tile's (S3)."""
        full = self.full(tile)
        if not self._of_sides:
            return [full] * 4
        own = [self.own(tile, direction) for direction in DIRECTIONS]
        return [full if colour is None else colour for colour in own]


def _colour_text(colour: Element | None) -> str | None:
    return None if colour is None else str(colour)


def _make_tile(structure: Structure, element: Element, colouring: BoardColouring) -> Tile:
    place = _place_of(structure, element)
    assert isinstance(place, Call)  # by its type, and since it is known
    x, y = (int(str(number)) for number in place.arguments)
    locked = structure.holds("IsLocked", (element,)) is True
    return Tile(spell(element), x, y, colouring.colours(element), locked)


def horizon_of(structure: Structure) -> int:
    """Return T, where Time = {0..T} (S16).

    Raises
    ------
    InvalidLevel
        When Time is empty or no such set.
    """
    times = structure.types["Time"]
    if not times or list(times) != list(range(len(times))):
        listed = ", ".join(map(spell, times[:8])) or "nothing"
        hint = "" if times else "; a horizon may be given beside the structure"
        reason = f"Time is {{0..T}} for some T, not {{{listed}}}{hint}"
        raise InvalidLevel([Problem("S16-time", None, reason)])
    return len(times) - 1


# -- to structures


def structure_of(level: Level, horizon: int | None = None, name: str = "S") -> Structure:
    """Return the structure of a board and, with a horizon, Time = {0..horizon}."""
    tables = board_tables(level, horizon)
    return Structure(tables, name, title=level.title, author=level.author, keys=level.keys)


def board_tables(level: Level, horizon: int | None = None) -> dict[str, Table]:
    """Return the input tables of a structure; with a horizon, Time = {0..T}, Start = 0 and Next, too (S16)."""
    tiles = {tile.name: parse_name(tile.name) for tile in level.tiles}
    own, full = {}, {}
    for tile in level.tiles:
        if len(set(tile.colours)) == 1:
            full[tiles[tile.name],] = str(tile.colours[0])
        else:
            for direction, colour in zip(DIRECTIONS, tile.colours, strict=True):
                own[side_element(tiles[tile.name], direction),] = str(colour)
    time: dict[str, Table] = {}
    if horizon is not None:
        time["Time"], time["Start"] = table_of(range(horizon + 1)), function_of({(): 0})
        time["Next"] = function_of({(before,): before + 1 for before in range(horizon)})
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


def table_of(elements: Iterable[Element]) -> Table:
    """Return the table of a type or of a predicate with one argument."""
    return relation_of((element,) for element in elements)


def relation_of(rows: Iterable[Row]) -> Table:
    """Return the table of a predicate."""
    return Table({"": frozenset(rows)}, function=False)


def function_of(values: Mapping[Any, Element]) -> Table:
    """Return the table of a function, from tuples of arguments to values."""
    return Table({"": frozenset((*arguments, value) for arguments, value in values.items())}, function=True)


def position_element(x: int, y: int) -> Call:
    """Return P(x,y)."""
    return Call("P", (x, y))


def side_element(tile: Element, direction: str) -> Call:
    """Return S(tile,direction)."""
    return Call("S", (tile, Call(direction)))


class Facts:
    """The rows of a level's symbols; all in reading order, then up, right, down, left.

    Parameters
    ----------
    level : Level
    colours : iterable of str
        The type Colour: colours that occur, and perhaps others.
    """

    def __init__(self, level: Level, colours: Iterable[str]) -> None:
        self.level = level
        self.colours = tuple(colours)
        self.tiles = [parse_name(tile.name) for tile in level.tiles]
        self._places = [position_element(*level.coordinates(place)) for place in range(len(level.tiles))]
        self.sides = [[side_element(tile, direction) for direction in DIRECTIONS] for tile in self.tiles]

    def colouring(self) -> Iterator[tuple[Row, Element]]:
        """Yield Colouring: the colour of each side (S3)."""
        for tile, sides in zip(self.level.tiles, self.sides, strict=True):
            for side, colour in zip(sides, tile.colours, strict=True):
                yield (side,), colour or ""

    def ref(self) -> Iterator[tuple[Row, Element | None]]:
        """Yield Ref of each colour; None where it is undefined (S11)."""
        for colour in self.colours:
            place = self.level.references.get(colour)
            yield (colour,), None if place is None else self.sides[place[0]][place[1]]

    def get_pos(self, time: int, position: Position) -> Iterator[tuple[Row, Element]]:
        """Yield GetPos: the position of each tile."""
        places = sorted(range(len(self.tiles)), key=position.tiles.__getitem__)
        for tile, place in zip(self.tiles, places, strict=True):
            yield (time, tile), self._places[place]

    def reach(self, time: int, position: Position) -> Iterator[tuple[Row, bool]]:
        """Yield Reach: whether a side is connected with Ref of a colour, for each side and colour (S12)."""
        reached = position.reachable_sides()
        for index, tile in enumerate(self.level.tiles):
            for side, own in enumerate(tile.colours):
                for colour in self.colours:
                    yield (time, self.sides[index][side], colour), colour == own and reached[index][side]

    def causes(
        self, time: int, position: Position, move: Move | None
    ) -> Iterator[tuple[Row, Element | None, Element | None]]:
        """Yield C_GetPos and CN_GetPos of each tile: None for a tile that the move does not move (S17)."""
        after = position if move is None else position.outcomes(move)[0].position
        moved = set() if move is None else {position.tiles[place] for place in self.level.line(move)}
        before, then = (list(self.get_pos(time, at)) for at in (position, after))
        for index, ((row, here), (_, there)) in enumerate(zip(before, then, strict=True)):
            yield (row, there, here) if index in moved else (row, None, None)


def move_element(move: Move) -> Call:
    """RM(y,direction) or CM(x,direction)."""
    return Call(move.kind, (move.line, Call(move.direction)))
