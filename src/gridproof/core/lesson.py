"""Lessons of games: examples of the rules, and steps that a beginner plays; a game's extension `lesson`.

Everything here is texts: a front end replays the examples and plays the steps by the game's own rules.
"""

from __future__ import annotations

import importlib.resources
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.proposition import parse_goal
from gridproof.core.session import Session
from gridproof.core.text import recognition

T = TypeVar("T")

MOST_POSITIONS = 2000
"""Positions that are looked at to find out whether a step can still be fulfilled."""
LOST = "From here you cannot do it any more. Take the move back."


@dataclass(frozen=True, kw_only=True)
class Example:
    """A rule in a few sentences, and actions on a small board that show it."""

    name: str
    """A word for links to this rule."""
    title: str
    text: str
    level: str
    """Text of the board."""
    actions: tuple[str, ...]
    """Actions that show it."""
    counts: tuple[str, ...] = ()
    """Counts of the game's look that this rule explains, or how they begin: "bombs left", "hints of"."""
    seed: int = 0
    """Determines what chance draws."""


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """A task on a small board, which the player fulfils by the real rules."""

    task: str
    """The task, in a sentence."""
    level: str
    """Text of the board."""
    solution: tuple[str, ...]
    """Actions that fulfil the task."""
    praise: str
    """Said afterwards, in a sentence."""
    goal: str = "won"
    """Fulfilled as soon as this goal holds (`gridproof.core.proposition.parse_goal`)."""
    action: str = ""
    """Fulfilled as soon as this action is done; then the goal does not matter."""
    within: int = 0
    """Most actions that may be used; 0: any number."""
    lost: str = LOST
    """Said, in a sentence, when the task cannot be fulfilled any more."""
    actors: tuple[str, ...] = ()
    """The actors that the player moves; (): all."""
    seed: int = 0
    """Determines what chance draws."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The value of `LESSON`."""

    examples: tuple[Example, ...]
    """The rules, in the order in which a beginner reads them."""
    steps: tuple[LessonStep, ...]
    play: tuple[str, ...] = ()
    """Paragraphs about who acts when, and who can play, for games of several actors."""


def load_lesson(package: str) -> Lesson:
    """Load the lesson in the file `lesson.toml` of a game's package."""
    text = (importlib.resources.files(package) / "lesson.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    examples, steps = _parts(Example, data["examples"]), _parts(LessonStep, data["steps"])
    return Lesson(examples=examples, steps=steps, play=tuple(data.get("play", ())))


def _parts(kind: Callable[..., T], tables: Iterable[Mapping[str, Any]]) -> tuple[T, ...]:
    """Make a value of each table; its lists become tuples."""
    values = (
        {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
        for table in tables
    )
    return tuple(kind(**fields) for fields in values)


def lesson_of(game: Game) -> Lesson | None:
    """Return the lesson of a game; None when it has none."""
    return find_extension(game, "lesson", Lesson)


def explained_counts(game: Game) -> dict[str, str]:
    """Return the counts that the lesson of a game explains, with the names of the examples."""
    lesson = lesson_of(game)
    return {count: item.name for item in lesson.examples for count in item.counts} if lesson else {}


def read_level(game: Game, text: str) -> Level:
    """Return the level of a text; GridproofError unless it is one."""
    (level,) = recognition.read(text, game)
    return level


class StepPlay:
    """Play of one step, from its start: actions by the rules, each of which can be taken back."""

    def __init__(self, game: Game, step: LessonStep) -> None:
        self.step = step
        self.session = Session(read_level(game, step.level), step.seed)
        self._goal = parse_goal(game, step.goal)
        self._start = self.session.position

    @property
    def level(self) -> Level:
        """Return the level of the step."""
        return self._start.level

    @property
    def positions(self) -> tuple[Position[object], ...]:
        """Return the positions since the start."""
        return (self._start, *(outcome.position for outcome in self.outcomes))

    @property
    def outcomes(self) -> tuple[Outcome[Position[object]], ...]:
        """Return the outcomes of the actions done."""
        return self.session.outcomes

    @property
    def is_done(self) -> bool:
        """Return whether the task is fulfilled."""
        done = self.session.trace().actions
        return bool(done) and self._fulfils(str(done[-1]), self.outcomes[-1].position)

    @property
    def is_lost(self) -> bool:
        """Return whether the task cannot be fulfilled any more; False also when that is not found out."""
        if self.is_done:
            return False
        left = self.step.within - len(self.outcomes) if self.step.within else MOST_POSITIONS
        seen, front = {self.positions[-1]}, [self.positions[-1]]
        while front and left > 0:
            left -= 1
            found = []
            for text, position in (pair for one in front for pair in self._next(one)):
                if self._fulfils(text, position):
                    return False
                if position not in seen:
                    seen.add(position)
                    found.append(position)
                if len(seen) >= MOST_POSITIONS:
                    return False
            front = found
        return True

    def actions(self) -> tuple[Action, ...]:
        """Return the actions that the player can do now."""
        return () if self.is_done else self._actions(self.positions[-1])

    def act(self, text: str) -> None:
        """Do an action.

        Raises
        ------
        IllegalAction
            If the player cannot do it now.
        """
        if self.is_done:
            raise IllegalAction(text, "the task is done")
        mine = {*map(str, self.actions())}
        if text not in mine and text in map(str, self.session.position.all_actions()):
            raise IllegalAction(text, f"in this step you move {' and '.join(self.step.actors)} only")
        self.session.act(text)

    def undo(self) -> None:
        """Take the last action back."""
        self.session.undo()

    def _actions(self, position: Position[object]) -> tuple[Action, ...]:
        owner, actors = position.level.owner, self.step.actors
        return tuple(action for action in position.all_actions() if not actors or owner(action) in actors)

    def _next(self, position: Position[object]) -> Iterator[tuple[str, Position[object]]]:
        for action in self._actions(position):
            for outcome in position.outcomes(action):
                yield str(action), outcome.position

    def _fulfils(self, action: str, position: Position[object]) -> bool:
        return action == self.step.action if self.step.action else self._goal(position)


def play_solution(game: Game, step: LessonStep) -> StepPlay:
    """Play the solution of a step.

    Raises
    ------
    GridproofError
        Unless it fulfils the task with its last action, within the limit.
    """
    play = StepPlay(game, step)
    for number, text in enumerate(step.solution, 1):
        if play.is_done:
            raise GridproofError(f"the task is fulfilled before action {number} of its solution")
        if play.is_lost:
            raise GridproofError(f"the task counts as lost before action {number} of its solution")
        play.act(text)
    if not play.is_done:
        raise GridproofError("the solution does not fulfil the task")
    return play
