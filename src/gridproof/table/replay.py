"""Something to be watched: a trace, a solution, a race. A view steps through it at its own speed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gridproof.core.position import Action, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.play.messages import Board

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Actions a second, of which pages offer a choice."""

Steps = Iterable[tuple[Action, Outcome[Any]]]


def steps_of(trace: Trace) -> Iterator[tuple[Action, Outcome[Any]]]:
    """The actions of a trace with their outcomes, each verified when it is asked for."""
    return zip(trace.actions, trace.outcomes(), strict=False)


class Replay:
    """A game with a place in it, which moves on and back; what has not been seen yet is found out on the way.

    Parameters
    ----------
    start : Position
    steps : iterable of (action, outcome)
        What happens; asked for its next step when that is first looked at.
    title : str
    length : int, optional
        How many actions there are, where that is known before.
    """

    def __init__(
        self, start: Position[Any], steps: Steps, title: str = "", length: int | None = None
    ) -> None:
        self.start = start
        self.title = title
        self.length = length
        """How many actions there are; None until it is known."""
        self._coming = iter(steps)
        self._seen: list[tuple[Action, Outcome[Any]]] = []
        self._tallies = [(start.level.game.look.tally.start, 0)]  # each with the score
        self._at = 0

    @classmethod
    def of(cls, trace: Trace, title: str = "") -> Replay:
        """What a trace has."""
        return cls(trace.start, steps_of(trace), title, len(trace.steps))

    @property
    def at(self) -> int:
        """How many actions have been done at the place that is shown."""
        return self._at

    @property
    def seen(self) -> int:
        """How many actions are known so far."""
        return len(self._seen)

    @property
    def position(self) -> Position[Any]:
        """The position that is shown."""
        return self._seen[self._at - 1][1].position if self._at else self.start

    @property
    def outcomes(self) -> tuple[Outcome[Any], ...]:
        """What came of the actions up to there."""
        return tuple(outcome for _, outcome in self._seen[: self._at])

    @property
    def last(self) -> tuple[Action, Outcome[Any]] | None:
        """The action that led to the place that is shown, with its outcome; None at the start."""
        return self._seen[self._at - 1] if self._at else None

    @property
    def board(self) -> Board:
        """What is shown, with its counts."""
        tally, score = self._tallies[self._at]
        keeps_score = self.start.level.game.policy.keeps_score
        return Board(self.position, tally, 0, 1, 0, (score, score) if keeps_score else None)

    def forward(self) -> tuple[Action, Outcome[Any]] | None:
        """Go on by one action, and give it; None at the end.

        Raises
        ------
        GridproofError
            When the player cannot go on, or a step of a trace cannot be done.
        """
        if self._at == len(self._seen):
            step = next(self._coming, None)
            if step is None:
                self.length = self._at
                return None
            self._seen.append(step)
            tally, score = self._tallies[-1]
            add, outcome = self.start.level.game.look.tally.add, step[1]
            self._tallies.append((add(tally, outcome), score + outcome.reward))
        self._at += 1
        return self._seen[self._at - 1]

    def back(self) -> bool:
        """Go back by one action; False at the start."""
        there = self._at > 0
        self._at -= there
        return there

    def go(self, place: int) -> None:
        """Go to the position after `place` actions, or to the last one; errors as of `forward`."""
        while self._at < place and self.forward():
            pass
        self._at = min(max(place, 0), self._at)
