"""Look of Shift It: pieces, arrows, keys and words."""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Iterable

from gridproof.core.look import (
    Board,
    Cell,
    Look,
    Mark,
    Motion,
    Numbers,
    Piece,
    PointedCell,
    point_at_mark,
)
from gridproof.core.position import Outcome, cache_on_level
from gridproof.games.shiftit.colours import PALETTE
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.rules import Level, Move, Position
from gridproof.pictures import PICTURES

SCREWS = Piece("four screws", "", "screws", ("light",))
"""On a locked tile (S26), where they have its name for screen readers; in text the `*` of the tile."""

_ARROWS = {"right": (">", 0), "down": ("v", 90), "left": ("<", 180), "up": ("^", 270)}
_STEPS = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}

_GOLDEN = 0.618034


def paint(colour: str) -> str:
    """Return a colour of the palette as it is, for another name a shade that depends on the name alone."""
    if colour in PALETTE:
        return colour
    number = ord(colour) if len(colour) == 1 else zlib.crc32(colour.encode("utf-8", "surrogatepass"))
    hue = number * _GOLDEN % 1  # so letters are far apart
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, 0.6, 0.5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def tile_cell(name: str, colours: tuple[str, ...], *, locked: bool, word: str = "") -> Cell:
    """Return the cell of a tile with the colours of its four sides; `word` is its text."""
    one = len(set(colours)) == 1
    sides = colours[0] if one else ", ".join(map(" ".join, zip(DIRECTIONS, colours, strict=True)))
    words = f"{name}: {sides}" + ", locked" * locked
    letters = "".join(colour[0] for colour in colours)
    quarters = Piece(words, word, "quarters", tuple(map(paint, colours)), letters)
    return (quarters, SCREWS._replace(name=words)) if locked else (quarters,)


def _cell(level: Level, number: int) -> Cell:
    tile = level.tiles[number]
    colours = tuple(colour for colour in tile.colours if colour)
    return tile_cell(tile.name, colours, locked=tile.locked, word=level.words[number])


@cache_on_level
def _cells(level: Level) -> tuple[Cell, ...]:
    """Return the cell of each tile, the same in all positions."""
    return tuple(_cell(level, number) for number in range(len(level.tiles)))


def board(position: Position) -> Board:
    """Return the tiles in four colours, the locked ones with screws."""
    width, tiles = len(position.level.columns), _cells(position.level)
    cells = [tiles[tile] for tile in position.tiles]
    return tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))


def numbers(position: Position) -> Numbers:
    """Number the rows from 1 at the top, and the columns from 1 at the left, whatever their coordinates are."""
    return Numbers(range(1, len(position.level.rows) + 1), range(1, len(position.level.columns) + 1))


def marks(position: Position, move: Move) -> tuple[Mark, ...]:
    """Return an arrow beside the line of a move, at the end to which it moves (S26)."""
    return _arrows(position.level)[move]


@cache_on_level
def _arrows(level: Level) -> dict[Move, tuple[Mark, ...]]:
    """Return the arrow of each move, the same in all positions of a level."""
    return {move: _arrow(level, move) for move in level.moves}


def _arrow(level: Level, move: Move) -> tuple[Mark, ...]:
    glyph, turn = _ARROWS[move.direction]
    arrow = Piece(f"arrow {move.direction}", glyph, "arrow", ("dark",), turn=turn)
    if move.kind == "RM":
        x = len(level.columns) if move.direction == "right" else -1
        return (Mark(x, level.rows[-1] - move.line, arrow),)
    y = len(level.rows) if move.direction == "down" else -1
    return (Mark(move.line - level.columns[0], y, arrow),)


def motions(position: Position, move: Move, outcome: Outcome[Position]) -> tuple[Motion, ...]:
    """Return the motion of each tile of the line; the last one leaves the board and enters at the other end (S5)."""
    level, tiles = position.level, board(position)
    across, along = _STEPS[move.direction]
    if move.kind == "RM":
        cells = [(x, level.rows[-1] - move.line) for x in range(len(level.columns))]
    else:
        cells = [(move.line - level.columns[0], y) for y in range(len(level.rows))]
    first, last = (cells[0], cells[-1]) if across + along > 0 else (cells[-1], cells[0])
    shifted = [Motion(tiles[y][x], (x, y), (x + across, y + along)) for x, y in cells]
    return (*shifted, Motion(tiles[last[1]][last[0]], (first[0] - across, first[1] - along), first))


def gesture_moves(position: Position, at: PointedCell) -> tuple[str, ...]:
    """Return the moves of a click on an arrow, or of a drag of a tile with its line."""
    if at.to is None:
        return point_at_mark(position, at)
    level, right, down = position.level, at.to[0] - at.x, at.to[1] - at.y
    if right and not down and 0 <= at.y < len(level.rows):
        return (f"RM({level.rows[-1] - at.y},{'right' if right > 0 else 'left'})",) * abs(right)
    if down and not right and 0 <= at.x < len(level.columns):
        return (f"CM({level.columns[0] + at.x},{'down' if down > 0 else 'up'})",) * abs(down)
    return ()


def words(level: Level, move: Move) -> str:
    """Return a move in words, with the number of its line as of `numbers`."""
    if move.kind == "RM":
        return f"row {level.rows[-1] - move.line + 1} {move.direction}"
    return f"column {move.line - level.columns[0] + 1} {move.direction}"


_LEFT, _RIGHT, _UP, _DOWN = "fghj", "FGHJ", "1234", "zxcv"


def _keys(rows: Iterable[int], columns: Iterable[int]) -> dict[str, str]:
    """Return the keys of the first four rows and columns, which are given as they are numbered.

    From the top, f g h j shift rows to the left, and F G H J to the right; from the left, 1 to 4 shift columns up,
    and z x c v down. W, A, S and D stay free: players use them as arrows.
    """
    keys: dict[str, str] = {}
    for left, right, line in zip(_LEFT, _RIGHT, rows, strict=False):
        keys |= {left: f"RM({line},left)", right: f"RM({line},right)"}
    for up, down, line in zip(_UP, _DOWN, columns, strict=False):
        keys |= {up: f"CM({line},up)", down: f"CM({line},down)"}
    return keys


@cache_on_level
def level_keys(level: Level) -> dict[str, str]:
    """Return the keys of a level's first rows and columns, as of `numbers`."""
    return _keys(reversed(level.rows), level.columns)


def goal(level: Level) -> str:
    """Return the task of a level with locked tiles; other levels have the meaning of the game."""
    return _WITH_SCREWS if any(tile.locked for tile in level.tiles) else ""


_WITH_SCREWS = (
    "Shift rows and columns until every colour is connected. A tile with screws holds its row and its column."
)


def pointed_in_vain(position: Position, at: PointedCell) -> str:
    """Say how a line is shifted, since a pointed cell means no action."""
    return (
        "Drag along a row or a column" if at.to else "Drag a row or a column, or choose the arrow at its end"
    )


LOOK = Look(
    invitation="Shift rows and columns until every colour holds together. Small boards, and wins that hide well.",
    order=3,
    board=board,
    numbers=numbers,
    pictures=PICTURES,
    keys=_keys(range(3, -1, -1), range(4)),
    keys_on=level_keys,
    words_on=words,
    marks=marks,
    pointed=gesture_moves,
    pointed_in_vain=pointed_in_vain,
    motions=motions,
    gestures="Drag a row or a column, or click the arrow at its end.",
    goal=goal,
    welcome="Welcome to Shift It: bring each colour together in one region.",
    prompt="RM(y,left), RM(y,right), CM(x,up) or CM(x,down)",
    won="Each colour is one region: you have won!",
    lost="No line can move: the game has ended.",
)
