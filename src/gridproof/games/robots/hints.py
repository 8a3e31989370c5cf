"""Hints: the direction of home as a robot sees it, and robots' memory of them (R19)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gridproof.core.position import NamedEnum
from gridproof.games.robots.requests import Carried, Exchanged, Response, Walked


class Hint(NamedEnum):
    """Direction of home; to a robot, EAST means straight ahead."""

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
    """Event: a robot got a hint (R19)."""

    robot: str
    hint: Hint

    def __str__(self) -> str:
        return f"{self.robot} is told: home is {OWN_WORDS[self.hint]}"


OWN_WORDS: Mapping[Hint, str] = {
    Hint.NORTH: "to its left",
    Hint.NORTH_EAST: "ahead, to its left",
    Hint.EAST: "ahead",
    Hint.SOUTH_EAST: "ahead, to its right",
    Hint.SOUTH: "to its right",
    Hint.SOUTH_WEST: "behind, to its right",
    Hint.WEST: "behind",
    Hint.NORTH_WEST: "behind, to its left",
}
"""Directions in words, as a robot sees them that looks east on its own map."""

BOARD_WORDS: Mapping[Hint, str] = {
    Hint.NORTH: "above",
    Hint.NORTH_EAST: "above, to the right",
    Hint.EAST: "to the right",
    Hint.SOUTH_EAST: "below, to the right",
    Hint.SOUTH: "below",
    Hint.SOUTH_WEST: "below, to the left",
    Hint.WEST: "to the left",
    Hint.NORTH_WEST: "above, to the left",
}
"""Directions of the board in words, of hints that are turned by `hint_on_board`."""

News: TypeAlias = Response | Hint
"""News for a robot besides the answer to its request: the response of an auto movement, or a hint."""

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
"""Hints that are true on the board, by the signs of home minus robot (R19)."""

_CLOCKWISE = tuple(Hint)


def rotate_hint(hint: Hint, rotation: int) -> Hint:
    """Turn a hint counter-clockwise: N to W to S to E, NE to NW to SW to SE (R19)."""
    return _CLOCKWISE[(_CLOCKWISE.index(hint) - rotation // 45) % 8]


def hint_on_board(hint: Hint, rotation: int) -> Hint:
    """Turn the hint of a robot of that rotation back, so that EAST means to the right on the board."""
    return rotate_hint(hint, -rotation)


def sign(number: int) -> int:
    """Return the sign of a number: -1, 0 or 1."""
    return (number > 0) - (number < 0)


def possible_hints(dx: int, dy: int, rotation: int) -> tuple[Hint, ...]:
    """Return the equally likely hints for a robot of that rotation whose home lies (dx, dy) away (R19)."""
    return tuple(rotate_hint(hint, rotation) for hint in HINT_MAPPING[sign(dx), sign(dy)])


def iterate_news(events: Iterable[object]) -> Iterator[tuple[str, News]]:
    """Yield robots with their news, in order: a hint, or the response of an auto movement.

    Auto movement happens to robots whose walk a belt took over (R18), whom a belt carried on (R20), and whose
    tile was exchanged (R22).
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


def update_hints(hints: frozenset[Hint], news: News) -> frozenset[Hint]:
    """Return a robot's hints after news: auto movement makes it forget them (R18)."""
    return hints | {news} if isinstance(news, Hint) else frozenset()


def collect_hints(
    events: Iterable[object], before: Mapping[str, frozenset[Hint]] | None = None
) -> dict[str, frozenset[Hint]]:
    """Return the hints that robots still know after these events, by robot, without robots that know none.

    A rotation leaves the hints as they are (R13).
    """
    hints_by_robot = dict(before or {})
    for robot, news in iterate_news(events):
        hints_by_robot[robot] = update_hints(hints_by_robot.get(robot, frozenset()), news)
    return {robot: hints for robot, hints in hints_by_robot.items() if hints}
