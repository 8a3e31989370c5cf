"""What has been done on one level of a session, and the same as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Measure
from gridproof.core.look import Look
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.core.wording import counted, shown


def check_score(score: int) -> int:
    """The score, when it is one: a whole number, 0 or more (T3)."""
    if isinstance(score, bool) or not isinstance(score, int) or score < 0:
        raise GridproofError(f"a score is a whole number, 0 or more, not {score!r}")
    return score


def check_count(what: str, n: int, most: int) -> None:
    """Check how many actions are to be taken back, or done again: a whole number from 0 to `most`."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise IllegalAction(f"{what} {shown(n)}", "how many is a whole number, 0 or more")
    if n > most:
        room = f"from 0 to {most} can be" if most else f"there is nothing to {what}"
        raise IllegalAction(f"{what} {n}", room)


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
    skipped: int = 0
    """How many of the first steps are left out of `steps`."""

    @property
    def length(self) -> int:
        """The number of steps, with those left out."""
        return self.skipped + len(self.steps)


class Mark(NamedTuple):
    """Where a play stands, and the one step that the next action would replace."""

    done: int
    length: int
    gained: int
    next_step: list[tuple[Action, Outcome[Any]]]


@dataclass(slots=True)
class Play:
    """One level being played. An action, undoing one, `mark` and `return_to` take constant time."""

    start: Position[Any]
    seed: int
    brought: int = 0
    """The points that it began with (T12)."""
    steps: list[tuple[Action, Outcome[Any]]] = field(default_factory=list)
    """The steps done, then those that can be redone; what stands beyond `length` was discarded by an action after an undo."""
    done: int = 0
    length: int = 0
    gained: int = 0
    _tallies: dict[str | None, list[Any]] = field(default_factory=dict, repr=False)
    """By whose player is told: the tallies after 0, 1, 2, ... of the steps, as far as they were asked for."""

    @property
    def position(self) -> Position[Any]:
        return self.steps[self.done - 1][1].position if self.done else self.start

    @property
    def score(self) -> int:
        return self.brought + self.gained

    def steps_done(self) -> list[tuple[Action, Outcome[Any]]]:
        return self.steps[: self.done]

    def last_steps(self, n: int) -> list[tuple[Action, Outcome[Any]]]:
        """The last n of those done."""
        return self.steps[self.done - n : self.done]

    def tally(self, look: Look, actor: str | None) -> Any:
        """What the look has counted, as the actor's player learns of it; it goes on from what it was last time."""
        known = self._tallies.setdefault(actor, [look.tally.start])
        for _, outcome in self.steps[len(known) - 1 : self.done]:
            (heard,) = look.heard((outcome,), actor)
            known.append(look.tally.add(known[-1], heard))
        return known[self.done]

    def _replace_next(self, steps: list[tuple[Action, Outcome[Any]]]) -> None:
        self.steps[self.done : self.done + 1] = steps
        for known in self._tallies.values():
            del known[self.done + 1 :]

    def copy(self) -> Play:
        return replace(self, steps=self.steps[: self.length], _tallies={})

    def costs(self, by: Iterable[Measure]) -> dict[str, int]:
        """What has been done costs so much by each measure."""
        ends = [outcome.position for _, outcome in self.steps_done()]
        done = [*zip((self.start, *ends), self.steps_done(), strict=False)]
        return {measure.name: sum(measure.cost(position, *step) for position, step in done) for measure in by}

    def trace(self) -> Trace:
        steps = tuple(Step(action, outcome.label) for action, outcome in self.steps_done())
        return Trace(self.start, steps, seed=self.seed)

    def action(self, text: str, after_win: bool) -> Action | None:
        """The action with this text; None when the game is over, which is looked at only where there is no such action.

        Raises
        ------
        IllegalAction
            When it is not executable.
        """
        position = self.position
        if position.won and not after_win:
            return None
        try:
            found: Action = position.action(text)
        except IllegalAction:
            if position.ended:
                return None
            raise
        return found

    def act(self, action: Action, outcome: Outcome[Any]) -> None:
        self._replace_next([(action, outcome)])
        self.done += 1
        self.length = self.done
        self.gained += outcome.reward

    def undo(self, n: int) -> None:
        self.done -= n
        self.gained -= self._points(n)

    def redo(self, n: int) -> None:
        self.gained += self._points(n)
        self.done += n

    def _points(self, n: int) -> int:
        """What the next n steps gain."""
        return sum(outcome.reward for _, outcome in self.steps[self.done : self.done + n])

    def mark(self) -> Mark:
        return Mark(self.done, self.length, self.gained, self.steps[self.done : self.done + 1])

    def return_to(self, mark: Mark) -> None:
        """Restore the state that was marked one change ago; no other step than the marked one can have been replaced."""
        self.done, self.length, self.gained = mark.done, mark.length, mark.gained
        self._replace_next(mark.next_step)

    def saved(self, finished: bool, skipped: int = 0) -> SavedPlay:
        """It as data, without the first `skipped` steps."""
        steps = self.steps[skipped : self.length]
        texts = tuple((str(action), outcome.label) for action, outcome in steps)
        return SavedPlay(self.seed, texts, self.done, finished, self.brought, skipped)

    @classmethod
    def resumed(cls, start: Position[Any], saved: SavedPlay) -> Play:
        if saved.skipped:
            raise GridproofError(f"the first {counted(saved.skipped, 'steps')} are missing")
        if not 0 <= saved.done <= len(saved.steps):
            raise GridproofError(f"{counted(saved.done, 'actions')} said to be done, of {len(saved.steps)}")
        play = cls(start, saved.seed, check_score(saved.brought))
        for text, label in saved.steps:
            action = play.position.action(text)
            outcome = play.position.step(action, Rng(saved.seed, play.done + 1))
            if outcome.label != label:
                raise IllegalAction(text, f"the seed {saved.seed} draws {outcome.label!r}, not {label!r}")
            play.act(action, outcome)
        play.undo(play.done - saved.done)
        return play


@dataclass(slots=True)
class Pending:
    """A change of a session while it is made: what is told of it, and how it is taken back."""

    place: int
    won: bool = False
    steps: Sequence[tuple[Action, Outcome[Any]]] = ()
    passed: list[int] = field(default_factory=list)
    back: list[Callable[[], object]] = field(default_factory=list)
    """What is to be done to take it back, besides what was done on the level that was current."""

    def complete(self, place: int, finished: set[int]) -> None:
        """Count a level as completed."""
        self.passed.append(place)
        if place not in finished:
            self.back.append(partial(finished.discard, place))
            finished.add(place)

    def take_back(self) -> None:
        """Do all of that, the last first."""
        for undo in reversed(self.back):
            undo()
