"""What has been done on one level of a session, and the same as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Action, Outcome, Position
from gridproof.core.trace import Step, Trace
from gridproof.core.wording import counted


def check_score(score: int) -> int:
    """The score, when it is one: a whole number, 0 or more (T3)."""
    if isinstance(score, bool) or not isinstance(score, int) or score < 0:
        raise GridproofError(f"a score is a whole number, 0 or more, not {score!r}")
    return score


@dataclass(frozen=True, slots=True)
class SavedPlay:
    """What has been done on one level, as data that `Session.resume` takes back."""

    seed: int
    steps: tuple[tuple[str, str], ...]
    """Texts of actions and labels of their outcomes: those done, then those that can be redone."""
    done: int
    finished: bool
    """Whether the level has been won in this session, now or before."""
    brought: int = 0
    """The points that it began with (T12)."""


@dataclass(slots=True)
class Play:
    """One level being played: what has been done on it, and what can be redone."""

    start: Position[Any]
    seed: int
    done: list[tuple[Action, Outcome[Any]]] = field(default_factory=list)
    undone: list[tuple[Action, Outcome[Any]]] = field(default_factory=list)
    score: int = 0

    @property
    def position(self) -> Position[Any]:
        return self.done[-1][1].position if self.done else self.start

    def copy(self) -> Play:
        return Play(self.start, self.seed, [*self.done], [*self.undone], self.score)

    def trace(self) -> Trace:
        steps = tuple(Step(action, outcome.label) for action, outcome in self.done)
        return Trace(self.start, steps, seed=self.seed)

    def go_on(self, action: Action, outcome: Outcome[Any]) -> None:
        self.done.append((action, outcome))
        self.score += outcome.reward

    def go_back(self) -> None:
        self.undone.append(self.done.pop())
        self.score -= self.undone[-1][1].reward

    @property
    def brought(self) -> int:
        """The points that it began with."""
        return self.score - sum(outcome.reward for _, outcome in self.done)

    def replay(self, saved: SavedPlay) -> None:
        if not 0 <= saved.done <= len(saved.steps):
            raise GridproofError(f"{counted(saved.done, 'actions')} said to be done, of {len(saved.steps)}")
        position, self.score = self.start, check_score(saved.brought)
        for text, label in saved.steps:
            action = position.action(text)
            outcome = position.outcome(action, label)
            self.go_on(action, outcome)
            position = outcome.position
        while len(self.done) > saved.done:
            self.go_back()
