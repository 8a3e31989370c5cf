"""Hints: the direction of home as a robot sees it, and what robots remember of them (R19)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gridproof.core.position import NamedEnum
from gridproof.games.robots.requests import Carried, Exchanged, Response, Walked


class Hint(NamedEnum):
    """A direction; given to a robot, EAST means straight ahead."""

    NORTH = "N"
    NORTH_EAST = "NE"
    EAST = "E"
    SOUTH_EAST = "SE"
    SOUTH = "S"
    SOUTH_WEST = "SW"
    WEST = "W"
    NORTH_WEST = "NW"


@dataclass(frozen=True, slots=True)
class HintGiven:
    """A robot has been given a hint (R19)."""

    robot: str
    hint: Hint

    def __str__(self) -> str:
        return f"{self.robot} is told: home is {_WAYS[self.hint]}"


_WAYS: Mapping[Hint, str] = {
    Hint.NORTH: "to its left",
    Hint.NORTH_EAST: "ahead, to its left",
    Hint.EAST: "ahead",
    Hint.SOUTH_EAST: "ahead, to its right",
    Hint.SOUTH: "to its right",
    Hint.SOUTH_WEST: "behind, to its right",
    Hint.WEST: "behind",
    Hint.NORTH_WEST: "behind, to its left",
}
"""As a robot sees it, which looks east on the map of its own."""

News: TypeAlias = Response | Hint
"""What a robot is told besides the answer to its request: auto movement with its answer, or a hint."""

HINT_MAPPING: Mapping[tuple[int, int], tuple[Hint, ...]] = {
    (-1, -1): (Hint.NORTH_WEST, Hint.NORTH, Hint.WEST),
    (-1, 0): (Hint.WEST,),
    (-1, 1): (Hint.SOUTH_WEST, Hint.SOUTH, Hint.WEST),
    (0, -1): (Hint.NORTH,),
    (0, 1): (Hint.SOUTH,),
    (1, -1): (Hint.NORTH_EAST, Hint.NORTH, Hint.EAST),
    (1, 0): (Hint.EAST,),
    (1, 1): (Hint.SOUTH_EAST, Hint.SOUTH, Hint.EAST),
}
"""By the signs of home minus robot: the hints that are true on the board (R19)."""

_CLOCKWISE = tuple(Hint)


def rotate_hint(hint: Hint, rotation: int) -> Hint:
    """The hint turned counter-clockwise: N to W to S to E, NE to NW to SW to SE (R19)."""
    return _CLOCKWISE[(_CLOCKWISE.index(hint) - rotation // 45) % 8]


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def possible_hints(dx: int, dy: int, rotation: int) -> tuple[Hint, ...]:
    """The hints, each as likely, for a robot of that rotation whose home lies (dx, dy) away (R19)."""
    return tuple(rotate_hint(hint, rotation) for hint in HINT_MAPPING[sign(dx), sign(dy)])


def told(events: Iterable[object]) -> Iterator[tuple[str, News]]:
    """What robots are told, in order: a hint, or by the answer that auto movement has moved them.

    Told are those whose walk a belt took over (R18), who were carried on (R20), and who stood on exchanged
    tiles (R22).
    """
    for event in events:
        match event:
            case HintGiven(robot, hint):
                yield robot, hint
            case Walked(robot, auto=True, response=response) | Carried(robot, response=response):
                yield robot, response
            case Exchanged(riders=riders):
                for robot in riders:
                    yield robot, Response.SUCCESS


def still_known(hints: frozenset[Hint], news: News) -> frozenset[Hint]:
    """The hints that a robot knows once it has been told something: auto movement makes it forget (R18)."""
    return hints | {news} if isinstance(news, Hint) else frozenset()


def remembered(
    events: Iterable[object], before: Mapping[str, frozenset[Hint]] | None = None
) -> dict[str, frozenset[Hint]]:
    """What the robots still know after these events and what they knew before: by robot, of those who know any.

    A rotation leaves the hints as they are (R13).
    """
    known = dict(before or {})
    for robot, news in told(events):
        known[robot] = still_known(known.get(robot, frozenset()), news)
    return {robot: hints for robot, hints in known.items() if hints}
