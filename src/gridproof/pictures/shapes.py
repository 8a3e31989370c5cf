"""Shapes of pieces, each an SVG fragment in a cell of 100 by 100 units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from itertools import pairwise
from math import cos, pi, sin

from gridproof.core.look import Piece
from gridproof.pictures.palette import MARKS, ink_on, shade

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"


class Brush:
    """Writes elements in one theme; with `auto`, classes let a style sheet swap to the dark one."""

    def __init__(self, theme: str) -> None:
        self.theme = "light" if theme == "auto" else theme
        self._auto = theme == "auto"
        self.names: set[str] = set()
        """Colours in use, for the style sheet."""

    def colour(self, name: str, what: str = "fill") -> str:
        """Return the attributes that colour the fill or the stroke."""
        attributes = f' {what}="{shade(name, self.theme)}"'
        if self._auto and not name.startswith("#"):
            self.names.add(name)
            attributes += f' class="gp-{what[0]}-{name}"'
        return attributes

    def ink(self, surface: str) -> str:
        """Return the attributes of black or white, whichever is readable on a surface of that colour."""
        attributes = f' fill="{ink_on(shade(surface, self.theme))}"'
        if self._auto and not surface.startswith("#"):
            self.names.add(surface)
            attributes += f' class="gp-i-{surface}"'
        return attributes

    def path(self, d: str, name: str) -> str:
        """A filled path."""
        return f'<path d="{d}"{self.colour(name)}/>'

    def circle(self, x: float, y: float, r: float, name: str) -> str:
        """A filled circle."""
        return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"{self.colour(name)}/>'

    def rect(self, x: float, y: float, width: float, height: float, name: str, round_: float = 0) -> str:
        """A filled rectangle."""
        corner = f' rx="{round_:g}"' if round_ else ""
        return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner}{self.colour(name)}/>'

    def stroke(self, d: str, name: str, width: float) -> str:
        """A line."""
        caps = 'stroke-linecap="round" stroke-linejoin="round"'
        return f'<path d="{d}" fill="none" stroke-width="{width:g}" {caps}{self.colour(name, "stroke")}/>'

    def write(self, text: str, paint: str, y: float = 50, most: float = 52, x: float = 50) -> str:
        """A text centred on a point, as large as it fits; `paint` is from `colour` or `ink`."""
        size = min(most, 78 / (0.66 * max(len(text), 1)))
        return (
            f'<text x="{x:g}" y="{y + 0.36 * size:.1f}" font-family="{FONT}" font-weight="bold" font-size="{size:.1f}"'
            f' text-anchor="middle"{paint}>{escape(text)}</text>'
        )

    def write_on(self, text: str, surface: str, y: float = 50, most: float = 52, x: float = 50) -> str:
        """A text readable on a surface of that colour."""
        return self.write(text, self.ink(surface), y, most, x) if text else ""


def _rotate(body: str, turn: int) -> str:
    return f'<g transform="rotate({turn} 50 50)">{body}</g>' if turn else body


def _polygon(x: float, y: float, r: float, corners: int, inner: float = 1.0) -> str:
    points = []
    for i in range(corners):
        angle, far = 2 * pi * i / corners - pi / 2, r if i % 2 == 0 else r * inner
        points.append(f"{x + far * cos(angle):.1f} {y + far * sin(angle):.1f}")
    return "M" + "L".join(points) + "Z"


def floor(piece: Piece, brush: Brush) -> str:
    """The empty square, with a thin border."""
    return brush.rect(0, 0, 100, 100, "line") + brush.rect(1.5, 1.5, 97, 97, piece.colours[0])


def ground(piece: Piece, brush: Brush) -> str:
    """Nothing, in a whole cell: the page is seen."""
    return '<path d="M0 0H100V100H0Z" fill="none"/>'


def square(piece: Piece, brush: Brush) -> str:
    """A tile with round corners."""
    colour = piece.colours[0]
    return brush.rect(5, 5, 90, 90, colour, 10) + brush.write_on(piece.text, colour)


def disc(piece: Piece, brush: Brush) -> str:
    """A disc."""
    return brush.circle(50, 50, 38, piece.colours[0]) + brush.write_on(piece.text, piece.colours[0], most=44)


def ring(piece: Piece, brush: Brush) -> str:
    """A ring around a dot."""
    d = "M50 14A36 36 0 1 1 49.9 14Z"
    return brush.stroke(d, piece.colours[0], 8) + brush.circle(50, 50, 10, piece.colours[0])


def circle(piece: Piece, brush: Brush) -> str:
    """A thin circle around the place."""
    return brush.stroke("M50 6A44 44 0 1 1 49.9 6Z", piece.colours[0], 6)


def star(piece: Piece, brush: Brush) -> str:
    """A five-pointed star."""
    return brush.path(_polygon(50, 52, 40, 10, 0.45), piece.colours[0])


def home(piece: Piece, brush: Brush) -> str:
    """A house with a letter on it."""
    colour = piece.colours[0]
    house = "M50 8L94 46H82V90H18V46H6Z"
    return brush.path(house, colour) + brush.write_on(piece.text, colour, y=64, most=44)


def person(piece: Piece, brush: Brush) -> str:
    """Head and shoulders."""
    colour = piece.colours[0]
    shoulders = "M16 86C16 58 34 52 50 52S84 58 84 86Z"
    return brush.path(shoulders, colour) + brush.circle(50, 31, 18, colour)


def robot(piece: Piece, brush: Brush) -> str:
    """A robot on tracks seen from above: a nose and two eyes at its front, its letter upright behind them."""
    colour = piece.colours[0]
    tracks = brush.rect(8, 10, 68, 18, "dark", 7) + brush.rect(8, 72, 68, 18, "dark", 7)
    body = brush.rect(14, 20, 66, 60, colour, 12)
    return _rotate(tracks + _nose(brush, colour) + body + _eyes(brush), piece.turn) + _letter(piece, brush)


def stepper(piece: Piece, brush: Brush) -> str:
    """A round robot with a point to each side, the largest at its front with two eyes, and its letter."""
    colour = piece.colours[0]
    points = brush.path("M40 22L50 4L60 22ZM40 78L50 96L60 78ZM22 40L4 50L22 60Z", colour)
    body = brush.circle(48, 50, 35, colour)
    return _rotate(points + _nose(brush, colour) + body + _eyes(brush), piece.turn) + _letter(piece, brush)


def _nose(brush: Brush, colour: str) -> str:
    return brush.path("M76 32L98 50L76 68Z", colour)


def _eyes(brush: Brush) -> str:
    return brush.circle(71, 38, 6, "light") + brush.circle(71, 62, 6, "light")


def _letter(piece: Piece, brush: Brush) -> str:
    x, y = {0: (40, 50), 90: (50, 40), 180: (60, 50), 270: (50, 60)}[piece.turn]
    return brush.write_on(piece.text, piece.colours[0], y, 42, x)


def box(piece: Piece, brush: Brush) -> str:
    """A crate; a second colour marks it as placed."""
    planks = brush.stroke("M24 24L76 76M76 24L24 76M16 16H84V84H16Z", "#5b3a1a", 6)
    crate = brush.rect(10, 10, 80, 80, piece.colours[0], 8) + planks
    if len(piece.colours) == 1:
        return crate
    tick = brush.circle(50, 50, 24, piece.colours[1]) + brush.stroke("M39 51L47 59L62 42", "light", 8)
    return crate + tick


def bomb(piece: Piece, brush: Brush) -> str:
    """A round bomb with a fuse."""
    fuse = brush.stroke("M62 32C68 18 80 18 82 26", "brown", 6) + brush.circle(83, 28, 6, "orange")
    return (
        brush.circle(46, 58, 30, piece.colours[0])
        + fuse
        + brush.write_on(piece.text, piece.colours[0], y=58, most=34)
    )


def belt(piece: Piece, brush: Brush) -> str:
    """A conveyor belt with two chevrons in its direction."""
    body = (
        brush.rect(0, 14, 100, 72, piece.colours[0])
        + brush.rect(0, 14, 100, 6, "dark")
        + brush.rect(0, 80, 100, 6, "dark")
    )
    return _rotate(body + brush.stroke("M24 34L42 50L24 66M58 34L76 50L58 66", "light", 9), piece.turn)


def arrow(piece: Piece, brush: Brush) -> str:
    """A thick arrow."""
    return _rotate(brush.path("M8 38H52V16L94 50L52 84V62H8Z", piece.colours[0]), piece.turn)


def question(piece: Piece, brush: Brush) -> str:
    """A question mark."""
    return brush.circle(50, 50, 34, piece.colours[0]) + brush.write_on(
        piece.text or "?", piece.colours[0], most=50
    )


def cross(piece: Piece, brush: Brush) -> str:
    """A place that is never free."""
    back = brush.rect(4, 4, 92, 92, piece.colours[0], 8)
    return back + brush.stroke(
        "M28 28L72 72M72 28L28 72", piece.colours[-1] if len(piece.colours) > 1 else "floor", 12
    )


def _mark(colour: str, letter: str, x: float, y: float, brush: Brush) -> str:
    ink = brush.ink(colour)
    figures = {
        "disc": f'<circle cx="{x}" cy="{y}" r="8"{ink}/>',
        "triangle": f'<path d="M{x - 9} {y + 7}L{x} {y - 9}L{x + 9} {y + 7}Z"{ink}/>',
        "square": f'<path d="M{x - 7} {y - 7}h14v14h-14Z"{ink}/>',
        "ring": f'<path d="M{x} {y - 9}a9 9 0 1 1 -.1 0ZM{x} {y - 4}a4 4 0 1 0 .1 0Z"{ink}/>',
        "diamond": f'<path d="M{x} {y - 10}l10 10l-10 10l-10 -10Z"{ink}/>',
        "plus": f'<path d="M{x - 3} {y - 9}h6v6h6v6h-6v6h-6v-6h-6v-6h6Z"{ink}/>',
    }
    if colour in MARKS:
        return figures[MARKS[colour]]
    return brush.write_on(letter, colour, y, 22, x)


def quarters(piece: Piece, brush: Brush) -> str:
    """A tile cut by its diagonals: up, right, down, left, each with the mark of its colour or its letter."""
    corners = ("M4 4H96L50 50Z", "M96 4V96L50 50Z", "M96 96H4L50 50Z", "M4 96V4L50 50Z")
    centres = ((50, 20), (80, 50), (50, 80), (20, 50))
    sides = [brush.path(d, colour) for d, colour in zip(corners, piece.colours, strict=True)]
    letters = piece.text.ljust(4)
    marks = [
        _mark(colour, letter, x, y, brush)
        for (x, y), colour, letter in zip(centres, piece.colours, letters, strict=True)
    ]
    return "".join(sides) + brush.stroke("M4 4L96 96M96 4L4 96M4 4H96V96H4Z", "page", 2) + "".join(marks)


def screws(piece: Piece, brush: Brush) -> str:
    """Four screws in the corners."""
    parts = []
    for x, y in ((16, 16), (84, 16), (16, 84), (84, 84)):
        parts.append(brush.circle(x, y, 9.5, "dark") + brush.circle(x, y, 7.5, piece.colours[0]))
        parts.append(brush.stroke(f"M{x - 4} {y - 4}L{x + 4} {y + 4}", "dark", 3))
    return "".join(parts)


def light(piece: Piece, brush: Brush) -> str:
    """A lamp in a square."""
    return brush.rect(6, 6, 88, 88, "dark", 10) + brush.circle(50, 50, 30, piece.colours[0])


def fireworks(piece: Piece, brush: Brush) -> str:
    """Rays in several colours."""
    colours = piece.colours if len(piece.colours) > 1 else ("orange", "blue", "purple")
    parts = []
    for i in range(12):
        angle, near, far = 2 * pi * i / 12, 32, 48 if i % 2 else 42
        line = f"M{50 + near * cos(angle):.1f} {50 + near * sin(angle):.1f}L{50 + far * cos(angle):.1f} {50 + far * sin(angle):.1f}"
        parts.append(brush.stroke(line, colours[i % len(colours)], 5))
    return "".join(parts)


def explosion(piece: Piece, brush: Brush) -> str:
    """A jagged blast."""
    blast = brush.path(_polygon(50, 50, 46, 20, 0.62), piece.colours[0])
    return (
        blast
        + brush.path(_polygon(50, 50, 28, 16, 0.6), "yellow")
        + brush.write_on(piece.text, "yellow", most=26)
    )


def block(piece: Piece, brush: Brush) -> str:
    """A wall without neighbours."""
    return wall(brush, piece.colours[0], (False, False, False, False))


_SHAPES = (
    floor, ground, square, disc, ring, circle, star, home, person, robot, stepper, box, bomb, belt, arrow, question, cross, quarters,
    screws, light, fireworks, explosion,
)  # fmt: skip
DRAW: Mapping[str, Callable[[Piece, Brush], str]] = {
    "wall": block,
    **{draw.__name__: draw for draw in _SHAPES},
}
"""Every shape; "wall" without its neighbours, which `wall` joins."""


def wall(brush: Brush, colour: str, joined: tuple[bool, bool, bool, bool], below_left: bool = False) -> str:
    """A block that joins with the walls up, right, down and left of it; it shows its front if none is below.

    With `below_left` there is a wall below to the left, so that the wall to the left has no front.
    """
    up, right, down, left = joined
    a, b, c, d = (0 if one or other else 20 for one, other in pairwise((left, up, right, down, left)))
    top = f"M0 {a}{_arc(a, a, 0)}H{100 - b}{_arc(b, 100, b)}"
    bottom = f"V{100 - c}{_arc(c, 100 - c, 100)}H{d}{_arc(d, 0, 100 - d)}"
    # Cover the border of walls drawn before, so that no seam shows in small pictures either, except for a front that ends
    # here. The cover ends before an outer edge, whose half-covered pixels would otherwise be painted twice.
    alike = 100 if below_left or not down else 80
    first, last = (0 if up else 1), (100 if down else 99)
    seams = f"M-8 {first}H1V{last}H-1V{min(alike, last)}H-8Z" * left
    seams += f"M{0 if left else 1} -8H{100 if right else 99}V1H{0 if left else 1}Z" * up
    lead = "V99H-8V80" if left and not below_left else ""  # shades the cover, and nothing twice
    front = "" if down else f'<path d="M0 80H100{bottom}{lead}Z" fill="#000" opacity=".3"/>'
    return brush.path(f"{top}{bottom}Z{seams}", colour) + front


def _arc(radius: int, x: int, y: int) -> str:
    return f"A{radius} {radius} 0 0 1 {x} {y}" if radius else ""
