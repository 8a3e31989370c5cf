"""Play records: the actions on each level of a session, and the same as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Measure
from gridproof.core.immutable import FrozenDict
from gridproof.core.look import Look
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.rng import Rng
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.core.trace import Step, Trace


def check_score(score: int) -> int:
    """Check that a value is a score, a whole number, 0 or more (T3), and return it."""
    if isinstance(score, bool) or not isinstance(score, int) or score < 0:
        raise GridproofError(f"a score is a whole number, 0 or more, not {score!r}")
    return score


def check_count(what: str, n: int, most: int) -> None:
    """Check a number of actions to undo or redo: a whole number from 0 to `most`."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise IllegalAction(f"{what} {short_repr(n)}", "the number must be 0 or more")
    if n > most:
        room = f"choose a number of actions from 0 to {most}" if most else f"nothing to {what}"
        raise IllegalAction(f"{what} {n}", room)


class SavedPlay(NamedTuple):
    """Play of one level as data, for `Session.resume`."""

    seed: int
    steps: tuple[tuple[str, str], ...]
    """Texts of actions and labels of their outcomes: those done, then those that can be redone."""
    done: int
    finished: bool
    """True if the level has been won in this session, now or before."""
    initial_score: int = 0
    """Points at the start (T12)."""
    skipped: int = 0
    """Number of first steps that `steps` leaves out."""
    helped: bool = False
    """True if hints were shown."""
    programs: Mapping[str, str] = FrozenDict()
    """Actor -> strategy of the programs that played when the last step was done."""

    @property
    def length(self) -> int:
        """Number of steps, with those left out."""
        return self.skipped + len(self.steps)


class Checkpoint(NamedTuple):
    """State of a play, and the one step that the next action would replace."""

    done: int
    length: int
    reward: int
    next_step: list[tuple[Action, Outcome[Any]]]
    helped: bool
    programs: Mapping[str, str]


@dataclass(slots=True)
class PlayRecord:
    """Play of one level. An action, its undoing, `checkpoint` and `restore` take constant time."""

    start: Position[Any]
    seed: int
    initial_score: int = 0
    """Points at the start (T12)."""
    steps: list[tuple[Action, Outcome[Any]]] = field(default_factory=list)
    """The steps done, then those that can be redone; those beyond `length` are discarded."""
    done: int = 0
    length: int = 0
    reward: int = 0
    helped: bool = False
    programs: Mapping[str, str] = FrozenDict()
    """Actor -> strategy of the programs that played when the last of the steps was done."""
    _tallies: dict[str | None, list[Any]] = field(default_factory=dict, repr=False)
    """Tallies after 0, 1, 2, ... of the steps, as far as needed, by the actor who sees them."""

    @property
    def position(self) -> Position[Any]:
        return self.steps[self.done - 1][1].position if self.done else self.start

    @property
    def score(self) -> int:
        return self.initial_score + self.reward

    def past_steps(self) -> list[tuple[Action, Outcome[Any]]]:
        return self.steps[: self.done]

    def last_steps(self, n: int) -> list[tuple[Action, Outcome[Any]]]:
        """Return the last n steps done."""
        return self.steps[self.done - n : self.done]

    def tally(self, look: Look, actor: str | None) -> Any:
        """Return the look's tally as the actor's player sees it, continued from the last one."""
        known = self._tallies.setdefault(actor, [look.tally.start])
        for _, outcome in self.steps[len(known) - 1 : self.done]:
            (visible,) = look.filter_outcomes((outcome,), actor)
            known.append(look.tally.add(known[-1], visible))
        return known[self.done]

    def _replace_next(self, steps: list[tuple[Action, Outcome[Any]]]) -> None:
        self.steps[self.done : self.done + 1] = steps
        for known in self._tallies.values():
            del known[self.done + 1 :]

    def copy(self) -> PlayRecord:
        return replace(self, steps=self.steps[: self.length], _tallies={})

    def costs(self, by: Iterable[Measure]) -> dict[str, int]:
        """Return the cost of the steps done by each measure."""
        ends = [outcome.position for _, outcome in self.past_steps()]
        done = [*zip((self.start, *ends), self.past_steps(), strict=False)]
        return {measure.name: sum(measure.cost(position, *step) for position, step in done) for measure in by}

    def trace(self) -> Trace:
        steps = tuple(Step(action, outcome.label) for action, outcome in self.past_steps())
        return Trace(self.start, steps, seed=self.seed)

    def action(self, text: str, after_win: bool) -> Action | None:
        """Return the action with this text; None when the game is over, IllegalAction when it is not executable."""
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

    def act(self, action: Action, outcome: Outcome[Any], programs: Mapping[str, str] = FrozenDict()) -> None:
        self._replace_next([(action, outcome)])
        self.programs = programs
        self.done += 1
        self.length = self.done
        self.reward += outcome.reward

    def undo(self, n: int) -> None:
        self.done -= n
        self.reward -= self._points(n)

    def redo(self, n: int) -> None:
        self.reward += self._points(n)
        self.done += n

    def _points(self, n: int) -> int:
        """Return the points of the next n steps."""
        return sum(outcome.reward for _, outcome in self.steps[self.done : self.done + n])

    def checkpoint(self) -> Checkpoint:
        next_step = self.steps[self.done : self.done + 1]
        return Checkpoint(self.done, self.length, self.reward, next_step, self.helped, self.programs)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restore the state of a checkpoint from one change ago; no other step can have been replaced."""
        self.done, self.length, self.reward = checkpoint.done, checkpoint.length, checkpoint.reward
        self._replace_next(checkpoint.next_step)
        self.helped, self.programs = checkpoint.helped, checkpoint.programs

    def to_data(self, finished: bool, skipped: int = 0) -> SavedPlay:
        """Return the play as data, without the first `skipped` steps."""
        steps = self.steps[skipped : self.length]
        texts = tuple((str(action), outcome.label) for action, outcome in steps)
        score = self.initial_score
        return SavedPlay(self.seed, texts, self.done, finished, score, skipped, self.helped, self.programs)

    @classmethod
    def from_data(cls, start: Position[Any], saved: SavedPlay) -> PlayRecord:
        if saved.skipped:
            raise GridproofError(f"the first {format_count(saved.skipped, 'steps')} are missing")
        if not 0 <= saved.done <= len(saved.steps):
            raise GridproofError(
                f"{format_count(saved.done, 'actions')} said to be done, of {len(saved.steps)}"
            )
        play = cls(start, saved.seed, check_score(saved.initial_score))
        for text, label in saved.steps:
            action = play.position.action(text)
            outcome = play.position.step(action, Rng(saved.seed, play.done + 1))
            if outcome.label != label:
                raise IllegalAction(text, f"the seed {saved.seed} draws {outcome.label!r}, not {label!r}")
            play.act(action, outcome)
        play.undo(play.done - saved.done)
        play.helped, play.programs = saved.helped, saved.programs
        return play


Packed = tuple[Position[Any], SavedPlay]
"""The start of a level, and its play as data."""


class PlayRecords(dict[int, PlayRecord]):
    """Play records by place; a packed one is played again when it is needed."""

    def __init__(self, used: Mapping[int, PlayRecord], packed: Mapping[int, Packed] = FrozenDict()) -> None:
        super().__init__(used)
        self._packed = {**packed}

    def __missing__(self, place: int) -> PlayRecord:
        play = self[place] = PlayRecord.from_data(*self._packed[place])
        return play

    def __setitem__(self, place: int, play: PlayRecord) -> None:
        super().__setitem__(place, play)
        self._packed.pop(place, None)

    def __contains__(self, place: object) -> bool:
        return super().__contains__(place) or place in self._packed

    def find(self, place: int) -> PlayRecord | None:
        """Return the record of a level; None when it has not been played."""
        return self[place] if place in self else None  # noqa: SIM401  # `get` would not see what is packed

    def forget(self, place: int) -> None:
        """Delete the record of a level, if there is one."""
        super().pop(place, None)
        self._packed.pop(place, None)

    def pack(self, but: int) -> None:
        """Pack the records of all levels but one as texts: positions take ten times as much memory."""
        for place in [place for place in self if place != but]:
            play = self.pop(place)
            saved = play.to_data(finished=False)
            alike = {step: step for step in saved.steps}  # each step once, however often it was done
            self._packed[place] = play.start, saved._replace(steps=tuple(map(alike.__getitem__, saved.steps)))

    def copy(self) -> PlayRecords:
        """Return an independent copy."""
        return PlayRecords({place: play.copy() for place, play in self.items()}, self._packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayRecords, (dict(self), self._packed)


@dataclass(slots=True)
class PendingChange:
    """A change of a session in the making, and its rollback."""

    place: int
    won: bool = False
    steps: Sequence[tuple[Action, Outcome[Any]]] = ()
    passed: list[int] = field(default_factory=list)
    rollback: list[Callable[[], object]] = field(default_factory=list)
    """Functions that roll it back, apart from the record of the current level."""

    def complete(self, place: int, finished: set[int]) -> None:
        """Count a level as completed."""
        self.passed.append(place)
        if place not in finished:
            self.rollback.append(partial(finished.discard, place))
            finished.add(place)

    def roll_back(self) -> None:
        """Roll the change back, the last part first."""
        for undo in reversed(self.rollback):
            undo()
