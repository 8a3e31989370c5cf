"""Replay of a trace, a solution or a race; the view steps through it at its own speed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gridproof.core.look import OWN
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.table.messages import Board, Message, describe_action

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Speeds of a replay, in actions per second."""

Steps = Iterable[tuple[Action, Outcome[Any]]]


def steps_of(trace: Trace) -> Iterator[tuple[Action, Outcome[Any]]]:
    """Yield the actions of a trace with their outcomes, each verified when it is reached."""
    return zip(trace.actions, trace.outcomes(), strict=False)


class Replay:
    """A game with a current place, which moves forward and back; new steps are computed on demand.

    Parameters
    ----------
    start : Position
    steps : iterable of (action, outcome)
        Read one by one, on demand.
    title : str
    length : int, optional
        Number of actions, if known.
    remark : function of a position, optional
        Says something about each position, such as what its actions are worth; asked for by `forward`.
    """

    def __init__(
        self,
        start: Position[Any],
        steps: Steps,
        title: str = "",
        length: int | None = None,
        remark: Callable[[Position[Any]], str] | None = None,
    ) -> None:
        self.start = start
        self.title = title
        self.length = length
        """Number of actions; None until it is known."""
        self.resumable = False
        """True for the current game, which can continue from any place."""
        self._rest = iter(steps)
        self._steps: list[tuple[Action, Outcome[Any]]] = []
        self._tallies = [(start.level.game.look.tally.start, 0)]  # each with the score
        self._at = 0
        self._remark = remark
        self._remarks: list[str] = []

    @classmethod
    def of(cls, trace: Trace, title: str = "") -> Replay:
        """Create the replay of a trace."""
        return cls(trace.start, steps_of(trace), title, len(trace.steps))

    @property
    def at(self) -> int:
        """Return the number of actions before the current place."""
        return self._at

    @property
    def computed_count(self) -> int:
        """Return the number of known actions."""
        return len(self._steps)

    @property
    def position(self) -> Position[Any]:
        """Return the current position."""
        return self._steps[self._at - 1][1].position if self._at else self.start

    @property
    def remark(self) -> str:
        """Return what is said about the current position; at the start "" before the first step."""
        return self._remarks[self._at] if self._at < len(self._remarks) else ""

    @property
    def start_remark(self) -> str:
        """Return what is said about the start; "" before the first step."""
        return self._remarks[0] if self._remarks else ""

    @property
    def outcomes(self) -> tuple[Outcome[Any], ...]:
        """Return the outcomes up to the current place."""
        return tuple(outcome for _, outcome in self._steps[: self._at])

    @property
    def last(self) -> tuple[Action, Outcome[Any]] | None:
        """Return the action that led to the current place, with its outcome; None at the start."""
        return self._steps[self._at - 1] if self._at else None

    def describe_last(self, frame: str = OWN) -> str:
        """Describe the action that led to the current place, in directions of a frame; "" at the start."""
        if not self._at:
            return ""
        before = self._steps[self._at - 2][1].position if self._at > 1 else self.start
        return describe_action(before, *self._steps[self._at - 1], frame)

    @property
    def board(self) -> Board:
        """Return the current board with its counts."""
        tally, score = self._tallies[self._at]
        keeps_score = self.start.level.game.policy.keeps_score
        return Board(self.position, tally, 0, 1, 0, (score, score) if keeps_score else None)

    def count_from(self, board: Board) -> None:
        """Count on from the board of a game that stands at the start of this replay; call it before the first step."""
        self._tallies = [(board.tally, board.score[0] if board.score else 0)]

    def forward(self) -> tuple[Action, Outcome[Any]] | None:
        """Step forward and return the action; None at the end.

        Raises
        ------
        GridproofError
            If the player fails, or a step of a trace is not possible.
        """
        if self._remark is not None and not self._remarks:
            self._remarks.append(self._remark(self.start))
        if self._at == len(self._steps):
            step = next(self._rest, None)
            if step is None:
                self.length = self._at
                return None
            self._steps.append(step)
            if self._remark is not None:
                self._remarks.append(self._remark(step[1].position))
            tally, score = self._tallies[-1]
            add, outcome = self.start.level.game.look.tally.add, step[1]
            self._tallies.append((add(tally, outcome), score + outcome.reward))
        self._at += 1
        return self._steps[self._at - 1]

    def back(self) -> bool:
        """Step back; False at the start."""
        moved = self._at > 0
        self._at -= moved
        return moved

    def go(self, place: int) -> None:
        """Go to the position after `place` actions, or to the last one; errors as of `forward`."""
        while self._at < place and self.forward():
            pass
        self._at = min(max(place, 0), self._at)


@dataclass(frozen=True, slots=True)
class ReplayMessage(Message):
    """A replay to watch; the view steps through it at its own speed."""

    kind = "replay"
    replay: Replay

    def words(self) -> str:
        return self.replay.title
