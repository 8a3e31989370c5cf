"""Runs: correct plays over Time = {0..T}, each a model of the theory (S16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.games.shiftit.rules import Level, Move, Position

LONGEST = 100_000
"""The largest horizon up to which runs are counted, written and completed."""


@dataclass(frozen=True)
class Run:
    """A correct play.

    Parameters
    ----------
    level : Level
    horizon : int
        T, the last time, at least 0.
    moves : iterable of Move
        The moves at times 0, 1, ...: one at every t < T at which the game has not ended (S7), none
        after (S15, S16).

    Raises
    ------
    IllegalAction
        For a move that is not valid when its time comes, or comes after the end.
    GridproofError
        For a horizon below 0, or when the moves stop before T though the game has not ended.
    """

    level: Level
    horizon: int
    moves: tuple[Move, ...]

    def __init__(self, level: Level, horizon: int, moves: Iterable[Move] = ()) -> None:
        object.__setattr__(self, "level", level)
        object.__setattr__(self, "horizon", check_horizon(horizon))
        object.__setattr__(self, "moves", tuple(Move(*move) for move in moves))
        if len(self.moves) > horizon:
            raise IllegalAction(
                self.moves[horizon], f"time {horizon}: no move is made at the last time (S16)"
            )
        if not self._positions[-1].ended and len(self.moves) < horizon:
            raise GridproofError(f"time {len(self.moves)}: a move must be made, the game has not ended (S7)")

    @cached_property
    def _positions(self) -> tuple[Position, ...]:
        """The start and the position after each move."""
        positions = [self.level.start()]
        for time, move in enumerate(self.moves):
            try:
                positions.append(positions[-1].outcomes(move)[0].position)
            except IllegalAction as error:
                raise IllegalAction(error.action, f"time {time}: {error.reason}") from None
        return tuple(positions)

    def position(self, time: int) -> Position:
        """Return the position at a time; it stays the same after the end (S15)."""
        return self._positions[min(time, len(self.moves))]

    def move_at(self, time: int) -> Move | None:
        """Return the move at a time; None from the end of the game on, and at the last time (S16)."""
        return self.moves[time] if time < len(self.moves) else None

    def is_won(self, time: int) -> bool:
        """Return whether the game is won at a time, or was before (S13, S15)."""
        return self.position(time).won

    def has_ended(self, time: int) -> bool:
        """Return whether the game has ended at a time, or had before (S14)."""
        return self.position(time).ended

    def trace(self) -> Trace:
        """Return the moves as a trace."""
        return Trace(self._positions[0], tuple(map(Step, self.moves)))


def check_horizon(horizon: object) -> int:
    """Return a horizon as it is; GridproofError when it is invalid."""
    if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 0:
        raise GridproofError(f"a horizon is a whole number of at least 0, not {horizon!r}")
    return horizon


def run_of(trace: Trace, horizon: int | None = None) -> Run:
    """Return the run of a trace from its level's start, up to its end or to a later horizon.

    Raises
    ------
    GridproofError
        When the trace is of another game, begins elsewhere, or is no run up to the horizon.
    """
    level = trace.level
    if not isinstance(level, Level) or trace.start != level.start():
        raise GridproofError("a run begins at the start of a level of Shift It")
    moves = cast("tuple[Move, ...]", trace.actions)  # those of such a level
    return Run(level, len(moves) if horizon is None else horizon, moves)


def random_run(level: Level, horizon: int, seed: int = 0) -> Run:
    """Draw a run from a seed; each valid move is as likely."""
    rng, position, moves = Rng(seed), level.start(), []
    for _ in range(check_horizon(horizon)):
        if position.ended:
            break
        choices = position.actions()
        moves.append(choices[rng.below(len(choices))])
        position = position.outcomes(moves[-1])[0].position
    return Run(level, horizon, moves)


def all_runs(level: Level, horizon: int) -> Iterator[Run]:
    """Yield every run up to a horizon, in the order of their moves; there may be very many."""
    check_horizon(horizon)
    waiting: list[tuple[Position, tuple[Move, ...]]] = [(level.start(), ())]
    while waiting:
        position, moves = waiting.pop()
        choices = position.actions() if len(moves) < horizon else ()
        if not choices:
            yield Run(level, horizon, moves)
        waiting += [(position.outcomes(move)[0].position, (*moves, move)) for move in reversed(choices)]
