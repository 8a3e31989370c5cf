"""Shapes of pieces as colours at points of a cell, for block characters.

A cell goes from -1 to 1 in both directions, right and down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import atan2, cos, hypot, pi

from gridproof.core.look import Piece

Paint = Callable[[Piece, float, float], str | None]
"""Colour of a piece at a point, by name in the palette; None where the piece is transparent."""

INK = "ink"


def _one_colour(inside: Callable[[float, float], bool]) -> Paint:
    """Return a shape in the first colour of its piece."""
    return lambda piece, x, y: piece.colours[0] if inside(x, y) else None


def _square(x: float, y: float) -> bool:
    return max(abs(x), abs(y)) < 0.83  # leaves a gap between cells of two or three lines, too


def _disc(x: float, y: float) -> bool:
    return hypot(x, y) < 0.82


def _star(x: float, y: float) -> bool:
    angle = (atan2(x, -y) + pi / 5) % (2 * pi / 5) - pi / 5
    return hypot(x, y) * cos(angle) < 0.62 - 0.42 * abs(angle)


def _figure(x: float, y: float, wider: float) -> bool:
    return hypot(x, y + 0.5) < 0.4 + wider or (hypot(x / (0.68 + wider), (y - 0.95) / (0.95 + wider)) < 1)


def _person(piece: Piece, x: float, y: float) -> str | None:
    """Head and shoulders, with some floor around."""
    if _figure(x, y, 0) and y < 0.92:
        return piece.colours[0]
    return "floor" if _figure(x, y, 0.2) else None


def _box(piece: Piece, x: float, y: float) -> str | None:
    """A chest with a lid; the second colour, where it has one, is its middle."""
    if not _square(x, y):
        return None
    inside = abs(x) < 0.5 and abs(y) < 0.4
    middle = piece.colours[1] if len(piece.colours) > 1 else "edge"
    return middle if inside else piece.colours[0]


def _robot(piece: Piece, x: float, y: float) -> str | None:
    """A square body with a nose where it heads."""
    if x > 0.5 and abs(y) < 0.3:
        return INK
    return piece.colours[0] if max(abs(x), abs(y)) < 0.86 and hypot(x, y) < 1.05 else None


def _stepper(piece: Piece, x: float, y: float) -> str | None:
    """A body with a point to each side, and a nose where it heads."""
    if x > 0.5 and abs(y) < 0.3:
        return INK
    return piece.colours[0] if abs(x) + abs(y) < 1.15 and max(abs(x), abs(y)) < 0.95 else None


def _belt(piece: Piece, x: float, y: float) -> str | None:
    chevron = (x + abs(y) * 0.7 + 0.25) % 1.0 < 0.4 and abs(y) < 0.8
    return piece.colours[0] if chevron else "line" if abs(y) < 0.92 else None


def _bomb(piece: Piece, x: float, y: float) -> str | None:
    if hypot(x, y - 0.15) < 0.7:
        return piece.colours[0]
    return "orange" if abs(x - 0.45) < 0.25 and y < -0.5 else None


def _quarters(piece: Piece, x: float, y: float) -> str | None:
    """Four colours, up, right, down and left of the diagonals."""
    up, right, down, left = piece.colours
    if max(abs(x), abs(y)) > 0.89:  # tiles of one colour have a gap between them, too
        return None
    if abs(x) > abs(y):
        return right if x > 0 else left
    return down if y > 0 else up


PAINT: Mapping[str, Paint] = {
    "floor": lambda piece, x, y: piece.colours[0],
    "ground": lambda piece, x, y: None,
    "wall": lambda piece, x, y: piece.colours[0],
    "square": _one_colour(_square),
    "disc": _one_colour(_disc),
    "ring": _one_colour(lambda x, y: 0.5 < hypot(x, y) < 0.93),
    "circle": _one_colour(lambda x, y: 0.8 < hypot(x, y) < 1.05),
    "star": _one_colour(_star),
    "home": _one_colour(lambda x, y: abs(x) < min(y + 1.05, 0.95) if y < 0 else abs(x) < 0.72 and y < 0.9),
    "person": _person,
    "robot": _robot,
    "stepper": _stepper,
    "box": _box,
    "bomb": _bomb,
    "belt": _belt,
    "arrow": _one_colour(lambda x, y: abs(y) < 0.8 - x if x > 0 else abs(y) < 0.28 and x > -0.85),
    "question": _one_colour(_disc),
    "cross": _one_colour(lambda x, y: abs(abs(x) - abs(y)) < 0.3 and max(abs(x), abs(y)) < 0.8),
    "quarters": _quarters,
    "screws": _one_colour(lambda x, y: hypot(abs(x) - 0.68, abs(y) - 0.68) < 0.24),
    "light": _one_colour(_disc),
    "fireworks": _one_colour(
        lambda x, y: abs((atan2(y, x) * 8 / (2 * pi)) % 1 - 0.5) > 0.28 and 0.35 < hypot(x, y) < 0.98
    ),
    "explosion": _one_colour(lambda x, y: hypot(x, y) < 0.6 + 0.35 * cos(8 * atan2(y, x))),
    "dot": _one_colour(lambda x, y: hypot(x, y) < 0.34),  # on a planned path
    "frame": _one_colour(lambda x, y: max(abs(x), abs(y)) > 0.74),  # the keyboard's cursor
}
"""Paints by the names of `gridproof.core.look.SHAPES` and of `OWN`."""
OWN = ("dot", "frame")
"""Shapes of the terminal alone, which no look has."""

_TURNS: Mapping[int, Callable[[float, float], tuple[float, float]]] = {
    0: lambda x, y: (x, y),
    90: lambda x, y: (y, -x),
    180: lambda x, y: (-x, -y),
    270: lambda x, y: (-y, x),
}


def colour_at(piece: Piece, x: float, y: float) -> str | None:
    """Return the colour of a piece at a point, with its turn; None where the piece is transparent."""
    return PAINT[piece.shape](piece, *_TURNS[piece.turn % 360](x, y))
