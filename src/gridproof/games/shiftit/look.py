"""How Shift It looks and is handled."""

from __future__ import annotations

import colorsys
import zlib

from gridproof.core.look import Board, Cell, Look, Mark, Motion, Piece, Pointed, pointed_marks
from gridproof.core.position import Outcome, once_a_level
from gridproof.games.shiftit.colours import PALETTE
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.rules import Level, Move, Position
from gridproof.pictures import PICTURES

SCREWS = Piece("four screws", "", "screws", ("light",))
"""On a locked tile (S26); in text the `*` of its tile."""

_ARROWS = {"right": (">", 0), "down": ("v", 90), "left": ("<", 180), "up": ("^", 270)}
_STEPS = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}
_WAYS = {"left": "to the left", "right": "to the right", "up": "up", "down": "down"}


_GOLDEN = 0.618034


def paint(colour: str) -> str:
    """A colour of the palette; for one that is no name there, a shade that depends on its text alone."""
    if colour in PALETTE:
        return colour
    number = ord(colour) if len(colour) == 1 else zlib.crc32(colour.encode("utf-8", "surrogatepass"))
    hue = number * _GOLDEN % 1  # so letters are far apart
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, 0.6, 0.5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def tile_cell(name: str, colours: tuple[str, ...], *, locked: bool, word: str = "") -> Cell:
    """A tile of a name in the colours of its four sides; in text the word."""
    one = len(set(colours)) == 1
    sides = colours[0] if one else ", ".join(map(" ".join, zip(DIRECTIONS, colours, strict=True)))
    words = f"{name}: {sides}" + ", locked" * locked
    letters = "".join(colour[0] for colour in colours)
    quarters = Piece(words, word, "quarters", tuple(map(paint, colours)), letters)
    return (quarters, SCREWS) if locked else (quarters,)


def _cell(level: Level, number: int) -> Cell:
    tile = level.tiles[number]
    colours = tuple(colour for colour in tile.colours if colour)
    return tile_cell(tile.name, colours, locked=tile.locked, word=level.words[number])


@once_a_level
def _cells(level: Level) -> tuple[Cell, ...]:
    """Each tile's cell: they stay as they are while they move."""
    return tuple(_cell(level, number) for number in range(len(level.tiles)))


def board(position: Position) -> Board:
    """Tiles in four colours, the locked ones with screws."""
    width, drawn = len(position.level.columns), _cells(position.level)
    cells = [drawn[tile] for tile in position.tiles]
    return tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))


def row(position: Position, below: int) -> int:
    """The y of a row so many below the top one: y grows upwards (S1)."""
    return position.level.rows[-1] - below


def marks(position: Position, move: Move) -> tuple[Mark, ...]:
    """An arrow beside the line about to move, at the end where it moves to, pointing there (S26)."""
    return _arrows(position.level)[move]


@once_a_level
def _arrows(level: Level) -> dict[Move, tuple[Mark, ...]]:
    """They are the same in all positions of a level."""
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
    """Each tile of the line, one cell on; the last one leaves the board and comes in at the other end (S5)."""
    level, tiles = position.level, board(position)
    across, along = _STEPS[move.direction]
    if move.kind == "RM":
        cells = [(x, level.rows[-1] - move.line) for x in range(len(level.columns))]
    else:
        cells = [(move.line - level.columns[0], y) for y in range(len(level.rows))]
    first, last = (cells[0], cells[-1]) if across + along > 0 else (cells[-1], cells[0])
    shifted = [Motion(tiles[y][x], (x, y), (x + across, y + along)) for x, y in cells]
    return (*shifted, Motion(tiles[last[1]][last[0]], (first[0] - across, first[1] - along), first))


def pointed(position: Position, at: Pointed) -> tuple[str, ...]:
    """The move of the arrow beside a line; a dragged tile takes its line along."""
    if at.to is None:
        return pointed_marks(position, at)
    level, right, down = position.level, at.to[0] - at.x, at.to[1] - at.y
    if right and not down and 0 <= at.y < len(level.rows):
        return (f"RM({level.rows[-1] - at.y},{'right' if right > 0 else 'left'})",) * abs(right)
    if down and not right and 0 <= at.x < len(level.columns):
        return (f"CM({level.columns[0] + at.x},{'down' if down > 0 else 'up'})",) * abs(down)
    return ()


def words(move: Move) -> str:
    """A move in words."""
    return f"{'row' if move.kind == 'RM' else 'column'} {move.line} {_WAYS[move.direction]}"


def _keys() -> dict[str, str]:
    """For lines 0 to 3: f g h j shift rows to the left, F G H J to the right, 1 to 4 columns up, z x c v down.

    W, A, S and D are left alone: they are arrows to whoever plays.
    """
    keys: dict[str, str] = {}
    for directed, letters in (
        ("RM({},left)", "fghj"),
        ("RM({},right)", "FGHJ"),
        ("CM({},up)", "1234"),
        ("CM({},down)", "zxcv"),
    ):
        keys |= {letter: directed.format(line) for line, letter in enumerate(letters)}
    return keys


LOOK = Look(
    board=board,
    row=row,
    pictures=PICTURES,
    keys=_keys(),
    words=words,
    marks=marks,
    pointed=pointed,
    motions=motions,
    welcome="Welcome to Shift It: bring each colour together in one region.",
    prompt="RM(y,left), RM(y,right), CM(x,up) or CM(x,down)",
    won="Each colour is one region: you have won!",
    lost="No line can move: the game has ended.",
)
