"""Requests of robots, responses of the board, and events: small values with a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from gridproof.core.errors import ParseError
from gridproof.core.position import NamedEnum
from gridproof.games.robots.board import ROTATIONS, Cell

Local = tuple[int, int]
"""Coordinates relative to a robot: x ahead of it, y to its right (R3)."""


class Response(NamedEnum):
    """Answer of the board to a request (R12)."""

    FAILED = "failed"
    SUCCESS = "success"
    WIN = "win"


class Rule(NamedEnum):
    """Rule of a robot's requests: A (R10) or B (R11)."""

    A = "A"
    B = "B"

    @property
    def moves(self) -> Mapping[Local, tuple[Local, ...]]:
        """Ends of walks in local coordinates, each with all cells of its path, the end included."""
        return _MOVES[self]

    @property
    def rotations(self) -> tuple[int, ...]:
        """Clockwise turns in degrees."""
        return _ROTATIONS[self]


_MOVES: Mapping[Rule, Mapping[Local, tuple[Local, ...]]] = {
    Rule.A: {step: (step,) for step in ((1, 0), (0, 1), (-1, 0), (0, -1))},  # R10: |x| + |y| = 1
    Rule.B: {(far, 0): tuple((x, 0) for x in range(1, far + 1)) for far in (1, 2, 3)},  # R11
}
_ROTATIONS: Mapping[Rule, tuple[int, ...]] = {Rule.A: (), Rule.B: ROTATIONS}  # R10, R11


class Robot(NamedTuple):
    """Robot of a level."""

    name: str
    """Lower-case letter, not v (R33)."""
    rule: Rule
    rotation: int = 0
    """Degrees clockwise from east (R3)."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """Requests that its rule lists, walks first (R10, R11)."""
        walks = (Walk(self.name, dx, dy) for dx, dy in self.rule.moves)
        return (*walks, *(Rotate(self.name, by) for by in self.rule.rotations))


def rotate_path(path: tuple[Local, ...], rotation: int) -> tuple[Local, ...]:
    """Turn a path from local coordinates to the board's, for a robot of that rotation.

    A quarter turn takes (x, y) to (-y, x), which is clockwise, y growing downwards (R3, R14).
    """
    for _ in range(rotation // 90):
        path = tuple((-y, x) for x, y in path)
    return path


@dataclass(frozen=True, slots=True)
class Walk:
    """Request of a robot to walk to local coordinates (R14)."""

    robot: str
    dx: int
    dy: int

    def __str__(self) -> str:
        return f"{self.robot}:walk({self.dx},{self.dy})"


@dataclass(frozen=True, slots=True)
class Rotate:
    """Request of a robot to turn clockwise, in degrees (R13)."""

    robot: str
    by: int

    def __str__(self) -> str:
        return f"{self.robot}:rotate({self.by})"


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchange of two tiles by nature (R21)."""

    def __str__(self) -> str:
        return "exchange"


Request: TypeAlias = Walk | Rotate
"""Request of a robot: exactly one of the two (R12)."""
Action: TypeAlias = Walk | Rotate | Exchange

EXCHANGE = Exchange()
_REQUEST = re.compile(r"([a-uw-z]):(?:walk\((-?\d{1,9}),(-?\d{1,9})\)|rotate\((-?\d{1,9})\))", re.ASCII)


def parse_request(text: str) -> Request:
    """Return the request with this text, whether or not any rule lists it.

    Raises
    ------
    ParseError
        For other texts: a robot asks for exactly one walk or one rotation (R12).

    Examples
    --------
    >>> parse_request("a:walk(1,0)")
    Walk(robot='a', dx=1, dy=0)
    """
    match = _REQUEST.fullmatch(text)
    if match is None:
        raise ParseError(f"no request: {text[:40]!r}", line=1, expected="such as a:walk(1,0) or b:rotate(90)")
    robot, dx, dy, by = match.groups()
    return Walk(robot, int(dx), int(dy)) if by is None else Rotate(robot, int(by))


@dataclass(frozen=True, slots=True)
class Walked:
    """Event: a robot walked."""

    robot: str
    to: Cell
    """End of the walk."""
    auto: bool
    """True if a belt carried it there: it was told, and forgot its hints (R18)."""
    response: Response
    """Answer to its request (R17)."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """Event: a robot turned."""

    robot: str
    by: int
    response: Response = Response.SUCCESS


@dataclass(frozen=True, slots=True)
class Carried:
    """Event: a belt carried a blocked robot on (R20); it was told, and forgot its hints."""

    robot: str
    origin: Cell
    to: Cell
    response: Response


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Event: two tiles changed places (R21)."""

    first: Cell
    second: Cell
    """Later cell in reading order."""
    rotations: tuple[int, ...]
    """New rotations of the conveyors among them: of the tile from `first`, then from `second`."""
    riders: tuple[str, ...] = field(default=(), compare=False)
    """Robots on the two tiles: they were told SUCCESS, and forgot their hints (R22)."""
