"""The board of Robots: tiles, layouts of tiles, and connection of free cells.

Inside the game a cell is one number, its *square*: `y * stride + x` with `stride = width + 1`. The
extra column and row are OUTSIDE, and negative indices of Python reach them too, so a step
of one cell in any direction is one addition and is never out of range. A set of squares is one
whole number with a bit for each, which lets a flood fill grow in all directions at once.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gridproof.core.immutable import ImmutableFields
from gridproof.core.position import NamedEnum

Cell = tuple[int, int]
"""(x, y): x grows to the right, y downwards, both from 0 (R1)."""

Path = tuple[int, ...]
"""Differences between the squares of a path and the robot's square."""

MAX_ROUTES = 1 << 14
"""Limit of cached routes on one board's layouts, a few hundred bytes each."""

ROTATIONS = (0, 90, 180, 270)  # R3
LARGEST_SIDE = 256
"""Largest width and height of a board in cells."""


class Kind(NamedEnum):
    """Kind of a tile (R2)."""

    NORMAL = "normal"
    HINT = "hint"
    BROKEN = "broken"
    HOME = "home"
    CONVEYOR = "conveyor"


class Tile(NamedTuple):
    """One tile of the board, with the robot on it (R2).

    A tile of another kind than HOME has no target, one of another kind than CONVEYOR the rotation 0.
    """

    kind: Kind = Kind.NORMAL
    occupier: str = ""
    """Letter of the robot on it; "" without one."""
    target: str = ""
    """Letter of the robot whose home it is."""
    rotation: int = 0
    """Direction of the conveyor: 0 west, 90 south, 180 east, 270 north (R3)."""


NORMAL, HINT, BROKEN, OUTSIDE = range(4)
CONVEYOR = 4
"""Code of a conveyor, to which its rotation in quarter turns is added."""
HOME = 8
"""Code of a home, to which its robot's number in the level is added."""

_CODES = {Kind.NORMAL: NORMAL, Kind.HINT: HINT, Kind.BROKEN: BROKEN}
_KINDS = (Kind.NORMAL, Kind.HINT, Kind.BROKEN)


def code_of(tile: Tile, numbers: dict[str, int]) -> int:
    """Return the code of a tile without its occupier; `numbers` are the robots' by name."""
    if tile.kind is Kind.CONVEYOR:
        return CONVEYOR + tile.rotation // 90
    return HOME + numbers[tile.target] if tile.kind is Kind.HOME else _CODES[tile.kind]


def tile_of(code: int, names: Sequence[str], occupier: str = "") -> Tile:
    """Return the tile with this code; `names` are the robots' by number."""
    if code >= HOME:
        return Tile(Kind.HOME, occupier, names[code - HOME])
    if code >= CONVEYOR:
        return Tile(Kind.CONVEYOR, occupier, rotation=(code - CONVEYOR) * 90)
    return Tile(_KINDS[code], occupier)


def is_conveyor(code: int) -> bool:
    """Return whether it is the code of a conveyor."""
    return CONVEYOR <= code < HOME


@dataclass(frozen=True)
class Grid(ImmutableFields):
    """Squares of a board of `width` x `height` cells (R1)."""

    width: int
    height: int
    stride: int = field(init=False, compare=False, repr=False)
    """Difference between a square and the one below it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stride", self.width + 1)

    @functools.cached_property
    def squares(self) -> tuple[int, ...]:
        """Squares on the board in reading order."""
        return tuple(y * self.stride + x for y in range(self.height) for x in range(self.width))

    @functools.cached_property
    def route_cache(self) -> dict[tuple[bytes, int, tuple[Path, ...]], tuple[Route | None, ...]]:
        """Cache of `Layout.routes` for all layouts on it: exchanges make many of them."""
        return {}

    @functools.cached_property
    def arrows(self) -> tuple[int, ...]:
        """Difference between a conveyor's target and its own square, by its code (R3: W, S, E, N)."""
        return (0, 0, 0, 0, -1, self.stride, 1, -self.stride)

    def square(self, cell: Cell) -> int:
        """Return the square of a cell on the board."""
        return cell[1] * self.stride + cell[0]

    def cell(self, square: int) -> Cell:
        """Return the cell of a square."""
        return square % self.stride, square // self.stride

    def __contains__(self, cell: Cell) -> bool:
        """Return whether the cell is on the board (R1)."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height


class Route(NamedTuple):
    """Course of a walk by the tiles alone, whoever stands on them (R14, R15)."""

    squares: tuple[int, ...]
    """Squares that have to be free: to the end of its path, or to the first belt that is no loop."""
    auto: bool
    """True if the last of them is such a belt."""


@dataclass(frozen=True)
class Layout(ImmutableFields):
    """Tiles on their squares, without the robots; exchanges make new layouts.

    Parameters
    ----------
    grid : Grid
    codes : bytes
        Code of each square, OUTSIDE for those off the board: (height + 1) * stride of them.
    """

    grid: Grid = field(hash=False)
    codes: bytes

    @classmethod
    def from_codes(cls, grid: Grid, codes: Iterable[int]) -> Layout:
        """Make the layout with these codes of the cells in reading order."""
        padded = bytearray([OUTSIDE]) * (grid.stride * (grid.height + 1))
        for square, code in zip(grid.squares, codes, strict=True):
            padded[square] = code
        return cls(grid, bytes(padded))

    @functools.cached_property
    def open(self) -> int:
        """Squares on the board that are not broken, as bits."""
        return to_bits(square for square in self.grid.squares if self.codes[square] != BROKEN)

    @functools.cached_property
    def conveyors(self) -> int:
        """Squares of conveyors, as bits."""
        return to_bits(square for square in self.grid.squares if is_conveyor(self.codes[square]))

    @functools.cached_property
    def normal(self) -> int:
        """Squares of normal tiles, as bits."""
        return to_bits(square for square in self.grid.squares if self.codes[square] == NORMAL)

    @functools.cached_property
    def broken(self) -> int:
        """Squares of broken tiles, as bits."""
        return to_bits(square for square in self.grid.squares if self.codes[square] == BROKEN)

    @functools.cached_property
    def loops(self) -> frozenset[int]:
        """Squares of conveyors whose arrows close into a loop or lead into one (R7)."""
        return frozenset(
            square
            for square in self.grid.squares
            if is_conveyor(self.codes[square]) and self._is_in_loop(square)
        )

    def routes(self, here: int, paths: tuple[Path, ...]) -> tuple[Route | None, ...]:
        """Return the routes from here along these paths; None for each that the tiles bar."""
        cache, key = self.grid.route_cache, (self.codes, here, paths)
        found = cache.get(key)
        if found is None:
            if len(cache) >= MAX_ROUTES:
                cache.clear()
            found = cache[key] = tuple(self._find_route(here, path) for path in paths)
        return found

    def route(self, here: int, path: Path) -> Route | None:
        """Return the route from here along a path (R14, R15); None if the tiles bar it."""
        return self.routes(here, (path,))[0]

    def _find_route(self, here: int, path: Path) -> Route | None:
        squares, codes = tuple([here + step for step in path]), self.codes
        if OUTSIDE in map(codes.__getitem__, squares):
            return None  # R14: also beyond a conveyor
        for place, square in enumerate(squares, 1):
            if codes[square] == BROKEN:
                return None  # R15
            if is_conveyor(codes[square]) and square not in self.loops:
                return Route(squares[:place], True)
        return Route(squares, False)  # a looping belt is looked at as a normal tile (R7)

    def _is_in_loop(self, square: int) -> bool:
        seen = set()
        while is_conveyor(code := self.codes[square]):
            if square in seen:
                return True
            seen.add(square)
            square += self.grid.arrows[code]
        return False


def to_bits(squares: Iterable[int]) -> int:
    """Return a set of squares as one number."""
    total = 0
    for square in squares:
        total |= 1 << square
    return total


def neighbours(squares: int, stride: int) -> int:
    """Return the squares next to those of a set, some of them OUTSIDE or occupied (R5)."""
    return squares << 1 | squares >> 1 | squares << stride | squares >> stride


@functools.lru_cache(maxsize=4096)
def component(squares: int, free: int, stride: int) -> int:
    """Return the squares of `free` that are connected with those of `squares`, themselves free."""
    while True:
        grown = (squares | squares << 1 | squares >> 1) & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown == squares:
            return squares
        squares = grown


def find_cut_off_robots(cells: Sequence[int], homes: Sequence[int], free: int, stride: int) -> Iterator[int]:
    """Yield the places in `cells` of robots that cannot reach their homes (R8d).

    The closure of `adjacent` and `conveyorDest` is plain connection by free squares, as a belt only
    leads to free squares next to each other. Usually one flood fill serves all robots.

    Parameters
    ----------
    cells, homes : sequence of int
        Each robot's square and that of its home.
    free : int
        Squares that are not occupied (R4), as bits.
    """
    reached = 0
    for place, (cell, home) in enumerate(zip(cells, homes, strict=True)):
        if cell == home:
            continue  # the closure is reflexive
        target = 1 << home
        if not reached & target:
            reached = component(target, free, stride) if free & target else 0
        if not neighbours(1 << cell, stride) & reached:
            yield place


@functools.lru_cache(maxsize=4096)
def is_connected(layout: Layout, cells: tuple[int, ...], homes: tuple[int, ...]) -> bool:
    """Return whether each robot on its square of `cells` can reach its home (R8d).

    Answers are cached: each walk asks twice, as a legal action and for its outcome.
    """
    return next(cut_off_robots(layout, cells, homes), None) is None


def cut_off_robots(layout: Layout, cells: Sequence[int], homes: Sequence[int]) -> Iterator[int]:
    """Yield the places of robots on their squares of `cells` that cannot reach their homes (R8d)."""
    return find_cut_off_robots(cells, homes, layout.open & ~to_bits(cells), layout.grid.stride)
