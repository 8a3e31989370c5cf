"""The rules of null: frozen values and pure functions, with clause numbers beside the code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gridproof.core import position as core
from gridproof.core.errors import IllegalAction, InvalidLevel, Problem


class Move(core.NamedEnum):
    """Action of the walker; the value is its text."""

    LEFT = "left"
    RIGHT = "right"
    HOP = "hop"

    def __str__(self) -> str:
        return self.value


DISTANCES = {Move.LEFT: (-1,), Move.RIGHT: (1,), Move.HOP: (1, 2)}
"""Cells by which each move may carry the walker, each as likely (N2, N3)."""


@dataclass(frozen=True, slots=True)
class Walked:
    """Event: the walker moved."""

    to: int


@dataclass(frozen=True)
class Level(core.Level):
    """Row of `width` cells with a walker and a flag.

    Raises
    ------
    InvalidLevel
        With every broken part of N1.
    """

    width: int
    walker: int
    flag: int

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            Problem("N1-outside", cell, f"the {name} is outside the row")
            for name, cell in (("walker", self.walker), ("flag", self.flag))
            if not 0 <= cell < self.width
        ]
        if self.walker == self.flag:
            problems.append(Problem("N1-same", self.flag, "the walker starts on the flag"))
        if problems:
            raise InvalidLevel(problems)

    def starts(self) -> Iterator[core.Outcome[Position]]:
        yield core.Outcome(Position(self, self.walker))

    def all_actions(self) -> tuple[Move, ...]:
        return tuple(Move)


@dataclass(frozen=True, slots=True)
class Position(core.Position[Move]):
    """Position: the walker's cell."""

    level: Level
    walker: int

    @property
    def won(self) -> bool:
        return self.walker == self.level.flag  # N4

    def actions(self, actor: str | None = None) -> tuple[Move, ...]:
        if self.won or actor not in (None, "player"):
            return ()
        cells = range(self.level.width)
        return tuple(move for move in Move if all(self.walker + by in cells for by in DISTANCES[move]))

    def outcomes(self, action: Move) -> tuple[core.Outcome[Position], ...]:
        if not isinstance(action, Move):
            raise self.no_action(action)
        if action not in self.actions():
            raise IllegalAction(action)
        distances = DISTANCES[action]
        return tuple(
            core.Outcome(
                Position(self.level, self.walker + distance),
                Fraction(1, len(distances)),
                events=(Walked(self.walker + distance),),
                label=f"by {distance}" if len(distances) > 1 else "",
            )
            for distance in distances
        )

    def predecessors(self) -> tuple[Position, ...]:
        """Return the positions from which one action can lead here (N2, N3, N4)."""
        places = (self.walker + 1, self.walker - 1, self.walker - 2)
        return tuple(
            Position(self.level, place)
            for place in places
            if 0 <= place < self.level.width and place != self.level.flag
        )
