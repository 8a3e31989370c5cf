"""The rules of lights out: frozen values and pure functions, with clause numbers beside the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel, Problem

CLAUSES = {
    "L1": "A level is a rectangle of 1 to 16 rows and columns of lamps, at least one of them lit.",
    "L2": "Every lamp can be pressed, whether it is lit or dark.",
    "L3": "A press switches the lamp and its neighbours above, below, to the left and to the right.",
    "L4": "The game is won when no lamp is lit; then none can be pressed.",
}
LARGEST = 16


class Press(NamedTuple):
    """Press of the lamp in column x and row y, both from 0."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"press({self.x},{self.y})"


@dataclass(frozen=True, slots=True)
class Switched:
    """Event: a press switched a lamp."""

    x: int
    y: int
    lit: bool


@dataclass(frozen=True)
class Level(core.Level):
    """Rectangle of lamps; bit `y * width + x` of `lamps` is the lamp in column x and row y.

    Raises
    ------
    InvalidLevel
        With every broken part of L1.
    """

    width: int
    height: int
    lamps: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if problems := tuple(self._problems()):
            raise InvalidLevel(problems)

    def _problems(self) -> Iterator[Problem]:
        if not (1 <= self.width <= LARGEST and 1 <= self.height <= LARGEST):
            yield Problem("L1-size", None, f"{self.width} times {self.height} lamps, not 1 to {LARGEST}")
        elif not 0 <= self.lamps < 1 << (self.width * self.height):
            yield Problem("L1-outside", None, "a lamp is outside the rectangle")
        if self.lamps == 0:
            yield Problem("L1-dark", None, "no lamp is lit")

    @cached_property
    def presses(self) -> Mapping[Press, int]:
        """Lamps that each press switches, as bits (L2, L3)."""
        return {
            Press(x, y): sum(1 << (b * self.width + a) for a, b in self._cross(x, y))
            for y in range(self.height)
            for x in range(self.width)
        }

    def _cross(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        for a, b in ((x, y), (x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if 0 <= a < self.width and 0 <= b < self.height:
                yield a, b

    def starts(self) -> Iterator[core.Outcome[Position]]:
        yield core.Outcome(Position(self, self.lamps))

    def all_actions(self) -> tuple[Press, ...]:
        return tuple(self.presses)


@dataclass(frozen=True, slots=True)
class Position(core.Position[Press]):
    """Position: the lamps that are lit, as bits."""

    level: Level
    lamps: int

    @property
    def won(self) -> bool:
        return self.lamps == 0  # L4

    def actions(self, actor: str | None = None) -> tuple[Press, ...]:
        if self.won or actor not in (None, "player"):
            return ()
        return tuple(self.level.presses)

    def outcomes(self, action: Press) -> tuple[core.Outcome[Position], ...]:
        if self.won or action not in self.level.presses:
            raise IllegalAction(action)
        lamps = self.level.presses[action]
        after = Position(self.level, self.lamps ^ lamps)
        return (core.Outcome(after, events=tuple(after.switch_events(lamps))),)

    def predecessors(self) -> Iterator[Position]:
        """Yield the positions from which one press leads here: pressing again undoes it."""
        for lamps in self.level.presses.values():
            before = Position(self.level, self.lamps ^ lamps)
            if not before.won:
                yield before

    def switch_events(self, lamps: int) -> Iterator[Switched]:
        """Yield the events of switched lamps."""
        for x, y in self.level.presses:
            if lamps >> (y * self.level.width + x) & 1:
                yield Switched(x, y, self.is_lit(x, y))

    def is_lit(self, x: int, y: int) -> bool:
        """Return whether the lamp in column x and row y is lit."""
        return bool(self.lamps >> (y * self.level.width + x) & 1)


def won(position: Position) -> bool:
    """Return whether all lamps are dark."""
    return position.won


def dark_positions(level: Level) -> tuple[Position, ...]:
    """Return the only position in which all lamps are dark."""
    return (Position(level, 0),)


def lit(position: Position) -> int:
    """Return the number of lamps that are lit."""
    return position.lamps.bit_count()


def on(position: Position, x: int | str, y: int | str) -> bool:
    """Return whether the lamp in column x and row y is lit."""
    level = position.level
    if not isinstance(x, int) or not isinstance(y, int) or (x, y) not in level.presses:
        raise GridproofError(f"on({x},{y}): columns are 0 to {level.width - 1}, rows 0 to {level.height - 1}")
    return position.is_lit(x, y)
