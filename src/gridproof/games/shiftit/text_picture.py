"""Pictures of text: a position, and a run with the line about to move at each time (S26).

         +-----+-----+-----+
         |  r  |     |* b *|
         |b   r|  g  |r   b|  >
         |  g  |     |* g *|
         +-----+-----+-----+

A tile shows the letters of its four sides, or one letter in the middle where they are equal; a
locked tile has a `*`, a screw, in each corner. An arrow beside a line points where it is about to move.
"""

from __future__ import annotations

from gridproof.core.look import Mark
from gridproof.games.shiftit.look import marks, words
from gridproof.games.shiftit.rules import Level, Move, Position, Tile
from gridproof.games.shiftit.runs import Run

_WIDE, _HIGH = 6, 4
"""Characters of a cell with one of its borders."""

_MARGIN = 3
"""Characters to the left of the board; above it is one line."""


def position_picture(position: Position, move: Move | None = None) -> str:
    """Draw a position, with an arrow for the next move; lines end with a newline."""
    level = position.level
    width, height = len(level.columns), len(level.rows)
    canvas = [[" "] * (2 * _MARGIN + _WIDE * width + 1) for _ in range(_HIGH * height + 3)]
    for place, tile in enumerate(position.tiles):
        row, column = divmod(place, width)
        _draw(canvas, _HIGH * row + 1, _WIDE * column + _MARGIN, _cell(level, level.tiles[tile]))
    for mark in marks(position, move) if move else ():
        line, column = _canvas_place(mark, width, height)
        canvas[line][column] = mark.piece.glyph
    return "".join("".join(line).rstrip() + "\n" for line in canvas).strip("\n") + "\n"


def run_picture(run: Run) -> str:
    """Draw a run: the position at each time with the next move."""
    parts = []
    for time in range(run.horizon + 1):
        move = run.move_at(time)
        end = "won" if run.is_won(time) else "ended" if run.has_ended(time) else ""
        label = f"{move}, {words(run.level, move)}" if move else end
        parts.append(f"time {time}{': ' * bool(label)}{label}\n{position_picture(run.position(time), move)}")
    return "\n".join(parts)


def _cell(level: Level, tile: Tile) -> list[str]:
    up, right, down, left = (level.letters[colour or ""] for colour in tile.colours)
    middle = " "
    if up == right == down == left:
        up, right, down, left, middle = " ", " ", " ", " ", up
    screw = "*" if tile.locked else " "
    border = "+" + "-" * (_WIDE - 1) + "+"
    edge = "|{0} {1} {0}|"
    return [border, edge.format(screw, up), f"|{left} {middle} {right}|", edge.format(screw, down), border]


def _draw(canvas: list[list[str]], top: int, left: int, lines: list[str]) -> None:
    for number, line in enumerate(lines):
        canvas[top + number][left : left + len(line)] = line


def _canvas_place(mark: Mark, width: int, height: int) -> tuple[int, int]:
    """Return the line and column of a mark beside, above or below the board."""
    line = 0 if mark.y < 0 else _HIGH * height + 2 if mark.y == height else _HIGH * mark.y + 3
    left = (
        0 if mark.x < 0 else _MARGIN * 2 + _WIDE * width if mark.x == width else _WIDE * mark.x + _MARGIN + 3
    )
    return line, left
