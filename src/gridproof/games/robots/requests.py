"""What robots ask for, what the board answers, and what happens: small values with a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gridproof.core.errors import ParseError
from gridproof.core.position import NamedEnum
from gridproof.games.robots.board import ROTATIONS, Cell

Local = tuple[int, int]
"""Relative to a robot: x ahead of it, y to its right (R3)."""


class Response(NamedEnum):
    """The board's answer to a request (R12)."""

    FAILED = "failed"
    SUCCESS = "success"
    WIN = "win"


class Rule(NamedEnum):
    """What a robot can do: rule A (R10) or rule B (R11)."""

    A = "A"
    B = "B"

    @property
    def moves(self) -> Mapping[Local, tuple[Local, ...]]:
        """Where it can walk to, in local coordinates, and the path there: every cell, the last one too."""
        return _MOVES[self]

    @property
    def rotations(self) -> tuple[int, ...]:
        """By how much it can turn, clockwise."""
        return _ROTATIONS[self]


_MOVES: Mapping[Rule, Mapping[Local, tuple[Local, ...]]] = {
    Rule.A: {step: (step,) for step in ((1, 0), (0, 1), (-1, 0), (0, -1))},  # R10: |x| + |y| = 1
    Rule.B: {(far, 0): tuple((x, 0) for x in range(1, far + 1)) for far in (1, 2, 3)},  # R11
}
_ROTATIONS: Mapping[Rule, tuple[int, ...]] = {Rule.A: (), Rule.B: ROTATIONS}  # R10, R11


def rotate_path(path: tuple[Local, ...], rotation: int) -> tuple[Local, ...]:
    """A path in local coordinates as a robot of that rotation walks it on the board.

    A quarter turn takes (x, y) to (-y, x), which is clockwise, y growing downwards (R3, R14).
    """
    for _ in range(rotation // 90):
        path = tuple((-y, x) for x, y in path)
    return path


@dataclass(frozen=True, slots=True)
class Walk:
    """A robot asks to walk to local coordinates (R14)."""

    robot: str
    dx: int
    dy: int

    def __str__(self) -> str:
        return f"{self.robot}:walk({self.dx},{self.dy})"


@dataclass(frozen=True, slots=True)
class Rotate:
    """A robot asks to turn clockwise, in degrees (R13)."""

    robot: str
    by: int

    def __str__(self) -> str:
        return f"{self.robot}:rotate({self.by})"


@dataclass(frozen=True, slots=True)
class Exchange:
    """Nature exchanges two tiles (R21)."""

    def __str__(self) -> str:
        return "exchange"


Request: TypeAlias = Walk | Rotate
"""Exactly one of the two is asked for (R12)."""
Action: TypeAlias = Walk | Rotate | Exchange

EXCHANGE = Exchange()
_REQUEST = re.compile(r"([a-uw-z]):(?:walk\((-?\d{1,9}),(-?\d{1,9})\)|rotate\((-?\d{1,9})\))", re.ASCII)


def parse_request(text: str) -> Request:
    """The request with this text, whether or not any rule lists it.

    Raises
    ------
    ParseError
        When it is no request: a robot asks for exactly one walk or one rotation (R12).
    """
    match = _REQUEST.fullmatch(text)
    if match is None:
        raise ParseError(f"no request: {text[:40]!r}", line=1, expected="such as a:walk(1,0) or b:rotate(90)")
    robot, dx, dy, by = match.groups()
    return Walk(robot, int(dx), int(dy)) if by is None else Rotate(robot, int(by))


@dataclass(frozen=True, slots=True)
class Walked:
    """A robot has walked."""

    robot: str
    to: Cell
    """Where it was put down."""
    auto: bool
    """Whether a belt carried it there: it was told, and forgot its hints (R18)."""
    response: Response
    """The answer to its request (R17)."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """A robot has turned."""

    robot: str
    by: int
    response: Response = Response.SUCCESS


@dataclass(frozen=True, slots=True)
class Carried:
    """A belt has carried a robot that stood on it (R20); it was told, and forgot its hints."""

    robot: str
    origin: Cell
    to: Cell
    response: Response


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Two tiles have been exchanged (R21)."""

    first: Cell
    second: Cell
    """The later cell in reading order."""
    rotations: tuple[int, ...]
    """The new rotations of the conveyors among them: of the tile from `first`, then from `second`."""
    riders: tuple[str, ...] = field(default=(), compare=False)
    """The robots on the two tiles: they were told SUCCESS, and forgot their hints (R22)."""
