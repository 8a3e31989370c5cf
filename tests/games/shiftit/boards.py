"""Helpers of Shift It's tests: boards from rows, random boards and placements, and a naive twin."""

from __future__ import annotations

import itertools

from hypothesis import strategies as st

from gridproof.core.text import recognition
from gridproof.games.shiftit import Level, Position, Tile
from gridproof.games.shiftit.elements import DIRECTIONS, spell
from gridproof.games.shiftit.idp.conversion import (
    Facts,
    board_tables,
    function_of,
    move_element,
    relation_of,
    table_of,
)
from gridproof.games.shiftit.idp.format import read_structures
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import Table
from gridproof.games.shiftit.runs import Run

LETTERS = st.sampled_from(["blue", "red", "green", "yellow", "a", "z"])
COLOURS = LETTERS | st.sampled_from(["turquoise", "b", "Tan", "dark blue", "'", "-- no /* comment"])
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12)
LINES = WORDS.map(str.strip)
NAMES = st.one_of(
    st.integers(-99, 99),
    st.from_regex(r"\A_?[A-Za-z][A-Za-z0-9_']{0,3}\Z"),
    WORDS.filter(lambda text: '"' not in text),
    st.sampled_from(["up", "left", "true", "false", "7", "t 1", "structure", "using vocabulary"]),
).map(spell)


NEVER_WON = "xrrr xggg xbbb\nxyyy xooo xppp\nnames: a b c d e f"
"""Sides up never face each other, so x stays apart."""


def level(text: str) -> Level:
    """Return the only level of a text, or of rows alone."""
    if not text.lstrip().startswith("shiftit"):
        rows = [row for row in text.strip().split("\n") if not row.startswith("names:")]
        text = f"shiftit {len(rows[0].split())}x{len(rows)}\n{text}"
    (found,) = recognition.read(text, "shiftit")
    assert isinstance(found, Level)
    return found


def read(body: str) -> Structure:
    """Return the structure with these interpretations."""
    (found,) = read_structures(f"structure S : ShiftItVoc {{ {body} }}")
    return found


def start(text: str) -> Position:
    """Return the start of the only level of a text."""
    return level(text).start()


def after(position: Position, *moves: str) -> Position:
    """Return the position after some moves."""
    for move in moves:
        (outcome,) = position.outcomes(position.action(move))
        position = outcome.position
    return position


def names(position: Position) -> list[str]:
    """Return the names of the tiles row by row, the highest first: "ab c" for a row of three."""
    found = [position.level.tiles[tile].name for tile in position.tiles]
    width = len(position.level.columns)
    return [" ".join(found[at : at + width]) for at in range(0, len(found), width)]


def unwinnable_board(width: int, height: int, locked: tuple[int, ...] = ()) -> Level:
    """Return a board where two sides of one colour can never touch: the up sides of two tiles."""
    tiles = [
        Tile(f"t{index}", index % width, index // width, ["red", *[f"c{index}"] * 3], index in locked)
        for index in range(width * height)
    ]
    return Level(tiles)


@st.composite
def levels(draw: st.DrawFn, colours: st.SearchStrategy[str] = COLOURS, most: int = 3) -> Level:
    """Boards of any coordinates, colours and names."""
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    x, y = draw(st.tuples(st.integers(-3, 3), st.integers(-3, 3)) | st.just((0, 0)))
    places = list(itertools.product(range(x, x + width), range(y, y + height)))
    palette = st.sampled_from(draw(st.lists(colours, min_size=1, max_size=4)))
    looks = st.tuples(palette | st.tuples(*[palette] * 4), st.sampled_from([False, False, False, True]))
    called = draw(st.lists(NAMES, min_size=len(places), max_size=len(places), unique=True))
    tiles = [Tile(name, *place, *draw(looks)) for name, place in zip(called, places, strict=True)]
    return Level(tiles, title=draw(LINES), author=draw(LINES))


@st.composite
def positions(draw: st.DrawFn, most: int = 3) -> Position:
    """Placements that moves can reach, also beyond a win."""
    board = draw(levels(LETTERS, most))
    tiles = tuple(range(len(board.tiles)))
    shifts = [shift for shift, _ in board.effects.values()]
    for shift in draw(st.lists(st.sampled_from(shifts), max_size=8)) if shifts else []:
        tiles = shift(tiles)
    return Position(board, tiles)


@st.composite
def runs(draw: st.DrawFn, most: int = 3, horizon: int = 4) -> Run:
    """Runs of small boards."""
    board = draw(levels(most=most))
    position, moves = Position(board, tuple(range(len(board.tiles)))), []
    last = draw(st.integers(0, horizon))
    for _ in range(last):
        if not position.actions():
            break
        moves.append(draw(st.sampled_from(position.actions())))
        position = position.outcomes(moves[-1])[0].position
    return Run(board, last, moves)


Side = tuple[int, str]


def naive_connection(position: Position) -> dict[Side, set[Side]]:
    """S9 and S10 read aloud: the least relation that is reflexive, has adjacent equals, and is transitive."""
    board = position.level
    at = {board.coordinates(place): tile for place, tile in enumerate(position.tiles)}
    colour = {
        (index, direction): tile.colours[number]
        for index, tile in enumerate(board.tiles)
        for number, direction in enumerate(DIRECTIONS)
    }
    round_the_centre = [("up", "left"), ("left", "down"), ("down", "right"), ("right", "up")]
    adjacent = [((tile, one), (tile, other)) for tile in at.values() for one, other in round_the_centre]
    for (x, y), tile in at.items():
        for out, into, neighbour in (("right", "left", (x + 1, y)), ("up", "down", (x, y + 1))):
            if neighbour in at:
                adjacent.append(((tile, out), (at[neighbour], into)))
    connected = {side: {side} for side in colour}
    changed = True
    while changed:
        changed = False
        for one, other in adjacent:
            if colour[one] == colour[other] and connected[one] != connected[other]:
                union = connected[one] | connected[other]
                for side in union:
                    connected[side] = union
                changed = True
    return connected


def naive_reference(board: Level, colour: str) -> Side | None:
    """S11 read aloud."""
    order = ["down", "left", "right", "up"]
    sides = [
        (tile.y, tile.x, order.index(direction), index)
        for index, tile in enumerate(board.tiles)
        for direction, own in zip(DIRECTIONS, tile.colours, strict=True)
        if own == colour
    ]
    return (max(sides)[3], order[max(sides)[2]]) if sides else None


def is_won_naively(position: Position) -> bool:
    """Return whether a position is won, by S13 word for word."""
    connected = naive_connection(position)
    for colour in position.level.colours:
        reference = naive_reference(position.level, colour)
        assert reference is not None
        for side in connected:
            own = position.level.tiles[side[0]].colours[DIRECTIONS.index(side[1])]
            if own == colour and side not in connected[reference]:
                return False
    return True


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
