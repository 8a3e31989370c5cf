"""Facts of a run as rows of elements of a structure, to write and to check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, parse_name
from gridproof.games.shiftit.idp.conversion import (
    board_tables,
    function_of,
    position_element,
    relation_of,
    side_element,
    table_of,
)
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.table import Row, Table
from gridproof.games.shiftit.rules import Level, Move, Position
from gridproof.games.shiftit.runs import Run


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


def structure_of_run(run: Run, name: str = "S") -> Structure:
    """Return the model of a run: a structure with every symbol of the vocabulary."""
    level, horizon = run.level, run.horizon
    facts = Facts(level, level.colours)
    times = range(horizon + 1)
    caused = [row for time in times for row in facts.causes(time, run.position(time), run.move_at(time))]
    tables: dict[str, Table] = {
        "Co": table_of(sorted({*level.columns, *level.rows})),
        "MoveAt": function_of({(time,): move_element(move) for time, move in enumerate(run.moves)}),
        "GetPos": function_of(dict(row for time in times for row in facts.get_pos(time, run.position(time)))),
        "C_GetPos": function_of({row: to for row, to, _ in caused if to is not None}),
        "CN_GetPos": function_of({row: here for row, _, here in caused if here is not None}),
        "Colouring": function_of(dict(facts.colouring())),
        "Ref": function_of({row: side for row, side in facts.ref() if side is not None}),
        "Reach": relation_of(
            row for time in times for row, reached in facts.reach(time, run.position(time)) if reached
        ),
        "GameEnded": table_of(time for time in times if run.has_ended(time)),
        "Won": table_of(time for time in times if run.is_won(time)),
    }
    return Structure(board_tables(level, horizon) | tables, name, title=level.title, author=level.author)
