"""The meaning of null: frozen values and pure functions, with clause numbers beside the code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gridproof.core import position as core
from gridproof.core.errors import IllegalAction, InvalidLevel, Problem


class Move(core.NamedEnum):
    """What the walker can do; the value is the text of the action."""

    LEFT = "left"
    RIGHT = "right"
    HOP = "hop"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Walked:
    """The walker has moved."""

    to: int


@dataclass(frozen=True)
class Level(core.Level):
    """A row of `width` cells.

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
    """The walker's cell."""

    level: Level
    walker: int

    @property
    def won(self) -> bool:
        return self.walker == self.level.flag  # N4

    def actions(self, actor: str | None = None) -> tuple[Move, ...]:
        if self.won or actor not in (None, "player"):
            return ()
        return tuple(
            move for move in Move if self._fits(max(_targets(move))) and self._fits(min(_targets(move)))
        )

    def outcomes(self, action: Move) -> tuple[core.Outcome[Position], ...]:
        if not isinstance(action, Move):
            raise self.no_action(action)
        if action not in self.actions():
            raise IllegalAction(action)
        ways = _targets(action)
        return tuple(
            core.Outcome(
                Position(self.level, self.walker + way),
                Fraction(1, len(ways)),
                events=(Walked(self.walker + way),),
                label=f"by {way}" if len(ways) > 1 else "",
            )
            for way in ways
        )

    def predecessors(self) -> tuple[Position, ...]:
        """The positions from which one action can lead here (N2, N3, N4)."""
        places = (self.walker + 1, self.walker - 1, self.walker - 2)
        return tuple(
            Position(self.level, place)
            for place in places
            if 0 <= place < self.level.width and place != self.level.flag
        )

    def _fits(self, way: int) -> bool:
        return 0 <= self.walker + way < self.level.width


def _targets(move: Move) -> tuple[int, ...]:
    """How far a move may carry the walker (N2, N3)."""
    return {Move.LEFT: (-1,), Move.RIGHT: (1,), Move.HOP: (1, 2)}[move]
