"""The board of Robots: tiles, layouts of tiles, and which free cells are connected.

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

from gridproof.core.frozen import FieldsAlone
from gridproof.core.position import NamedEnum

Cell = tuple[int, int]
"""(x, y): x grows to the right, y downwards, both from 0 (R1)."""

Path = tuple[int, ...]
"""A path: what each of its steps adds to the robot's square."""

MOST_WAYS = 1 << 14
"""Walks on one board's layouts that are remembered, each with a few hundred bytes."""

ROTATIONS = (0, 90, 180, 270)  # R3
LARGEST_SIDE = 256
"""Cells of the longest side of a board."""


class Kind(NamedEnum):
    """The kinds of tiles (R2)."""

    NORMAL = "normal"
    HINT = "hint"
    BROKEN = "broken"
    HOME = "home"
    CONVEYOR = "conveyor"


class Tile(NamedTuple):
    """One tile of the board, with who stands on it (R2).

    A tile of another kind than HOME has no target, one of another kind than CONVEYOR the rotation 0.
    """

    kind: Kind = Kind.NORMAL
    occupier: str = ""
    """The robot on it, by its letter; "" when there is none."""
    target: str = ""
    """The robot whose home it is."""
    rotation: int = 0
    """Where the conveyor runs: 0 west, 90 south, 180 east, 270 north (R3)."""


NORMAL, HINT, BROKEN, OUTSIDE = range(4)
CONVEYOR = 4
"""The code of a conveyor is this and its rotation in quarter turns."""
HOME = 8
"""The code of a home is this and its robot's number in the level."""

_CODES = {Kind.NORMAL: NORMAL, Kind.HINT: HINT, Kind.BROKEN: BROKEN}
_KINDS = (Kind.NORMAL, Kind.HINT, Kind.BROKEN)


def code_of(tile: Tile, numbers: dict[str, int]) -> int:
    """The code of a tile, its occupier left out; `numbers` are the robots' by name."""
    if tile.kind is Kind.CONVEYOR:
        return CONVEYOR + tile.rotation // 90
    return HOME + numbers[tile.target] if tile.kind is Kind.HOME else _CODES[tile.kind]


def tile_of(code: int, names: Sequence[str], occupier: str = "") -> Tile:
    """The tile with this code; `names` are the robots' by number."""
    if code >= HOME:
        return Tile(Kind.HOME, occupier, names[code - HOME])
    if code >= CONVEYOR:
        return Tile(Kind.CONVEYOR, occupier, rotation=(code - CONVEYOR) * 90)
    return Tile(_KINDS[code], occupier)


def is_conveyor(code: int) -> bool:
    """Whether it is the code of a conveyor."""
    return CONVEYOR <= code < HOME


@dataclass(frozen=True)
class Grid(FieldsAlone):
    """The squares of a board of `width` x `height` cells (R1)."""

    width: int
    height: int
    stride: int = field(init=False, compare=False, repr=False)
    """The difference between a square and the one below it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stride", self.width + 1)

    @functools.cached_property
    def squares(self) -> tuple[int, ...]:
        """All squares on the board in reading order."""
        return tuple(y * self.stride + x for y in range(self.height) for x in range(self.width))

    @functools.cached_property
    def ways(self) -> dict[tuple[bytes, int, tuple[Path, ...]], tuple[Way | None, ...]]:
        """What `Layout.ways` remembers of all layouts on it: exchanges make many of them."""
        return {}

    @functools.cached_property
    def arrows(self) -> tuple[int, ...]:
        """By the code of a conveyor, the difference between the square it points at and its own (R3: W, S, E, N)."""
        return (0, 0, 0, 0, -1, self.stride, 1, -self.stride)

    def square(self, cell: Cell) -> int:
        """The square of a cell on the board."""
        return cell[1] * self.stride + cell[0]

    def cell(self, square: int) -> Cell:
        """The cell of a square."""
        return square % self.stride, square // self.stride

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is on the board (R1)."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height


class Way(NamedTuple):
    """What the tiles say of a walk, whoever stands on them (R14, R15)."""

    squares: tuple[int, ...]
    """Those that have to be free: to the end of its path, or to the first belt that is no loop."""
    auto: bool
    """Whether the last of them is such a belt."""


@dataclass(frozen=True)
class Layout(FieldsAlone):
    """Which tile lies on which square, without the robots; exchanges make new ones.

    Parameters
    ----------
    grid : Grid
    codes : bytes
        The code of each square, OUTSIDE for those off the board: (height + 1) * stride of them.
    """

    grid: Grid = field(hash=False)
    codes: bytes

    @classmethod
    def of(cls, grid: Grid, codes: Iterable[int]) -> Layout:
        """The layout with these codes of the cells in reading order."""
        padded = bytearray([OUTSIDE]) * (grid.stride * (grid.height + 1))
        for square, code in zip(grid.squares, codes, strict=True):
            padded[square] = code
        return cls(grid, bytes(padded))

    @functools.cached_property
    def open(self) -> int:
        """The squares where a robot may stand at all: those on the board that are not broken."""
        return bits(square for square in self.grid.squares if self.codes[square] != BROKEN)

    @functools.cached_property
    def conveyors(self) -> int:
        """The squares of conveyors."""
        return bits(square for square in self.grid.squares if is_conveyor(self.codes[square]))

    @functools.cached_property
    def normal(self) -> int:
        """The squares of normal tiles."""
        return bits(square for square in self.grid.squares if self.codes[square] == NORMAL)

    @functools.cached_property
    def broken(self) -> int:
        """The squares of broken tiles."""
        return bits(square for square in self.grid.squares if self.codes[square] == BROKEN)

    @functools.cached_property
    def loops(self) -> frozenset[int]:
        """The conveyors whose arrows close into a loop or lead into one (R7)."""
        return frozenset(
            square for square in self.grid.squares if is_conveyor(self.codes[square]) and self._loops(square)
        )

    def ways(self, here: int, paths: tuple[Path, ...]) -> tuple[Way | None, ...]:
        """Walks from here on these paths; None for each that the tiles bar."""
        known, key = self.grid.ways, (self.codes, here, paths)
        found = known.get(key)
        if found is None:
            if len(known) >= MOST_WAYS:
                known.clear()
            found = known[key] = tuple(self._way(here, path) for path in paths)
        return found

    def way(self, here: int, path: Path) -> Way | None:
        """A walk from here, as far as the tiles decide it (R14, R15); None when they bar it."""
        return self.ways(here, (path,))[0]

    def _way(self, here: int, path: Path) -> Way | None:
        squares, codes = tuple([here + step for step in path]), self.codes
        if OUTSIDE in map(codes.__getitem__, squares):
            return None  # R14: also beyond a conveyor
        for place, square in enumerate(squares, 1):
            if codes[square] == BROKEN:
                return None  # R15
            if is_conveyor(codes[square]) and square not in self.loops:
                return Way(squares[:place], True)
        return Way(squares, False)  # a looping belt is looked at as a normal tile (R7)

    def _loops(self, square: int) -> bool:
        seen = set()
        while is_conveyor(code := self.codes[square]):
            if square in seen:
                return True
            seen.add(square)
            square += self.grid.arrows[code]
        return False


def bits(squares: Iterable[int]) -> int:
    """A set of squares as one number."""
    total = 0
    for square in squares:
        total |= 1 << square
    return total


def around(squares: int, stride: int) -> int:
    """The squares next to those of a set, some of them OUTSIDE (R5, before it is asked what is free)."""
    return squares << 1 | squares >> 1 | squares << stride | squares >> stride


@functools.lru_cache(maxsize=4096)
def component(squares: int, free: int, stride: int) -> int:
    """The squares of `free` that are connected with those of `squares`, themselves free."""
    while True:
        grown = (squares | squares << 1 | squares >> 1) & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown == squares:
            return squares
        squares = grown


def cut_off(cells: Sequence[int], homes: Sequence[int], free: int, stride: int) -> Iterator[int]:
    """The places in `cells` of the robots whose home cannot be reached (R8d).

    The closure of `adjacent` and `conveyorDest` is plain connection by free squares, as a belt only
    leads to free squares next to each other. Usually one flood fill serves all robots.

    Parameters
    ----------
    cells, homes : sequence of int
        Each robot's square and that of its home.
    free : int
        The squares that are not occupied (R4), as bits.
    """
    reached = 0
    for place, (cell, home) in enumerate(zip(cells, homes, strict=True)):
        if cell == home:
            continue  # the closure is reflexive
        target = 1 << home
        if not reached & target:
            reached = component(target, free, stride) if free & target else 0
        if not around(1 << cell, stride) & reached:
            yield place


@functools.lru_cache(maxsize=4096)
def connected(layout: Layout, cells: tuple[int, ...], homes: tuple[int, ...]) -> bool:
    """Whether every robot can reach its home (R8d), all robots standing as `cells` says.

    Each walk needs it twice, for whether it can be executed and for what follows, so answers are cached.
    """
    free = layout.open & ~bits(cells)
    return next(cut_off(cells, homes, free, layout.grid.stride), None) is None
