"""What a table tells: small values, each with its words for people and its data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gridproof.core.look import Look, board_text
from gridproof.core.pack import Pack
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.core.viewer import Change
from gridproof.core.wording import counted
from gridproof.play.data import Data, outcome_data, position_data
from gridproof.play.library import Kept
from gridproof.play.menu import LevelEntry
from gridproof.play.text import printable

if TYPE_CHECKING:
    from gridproof.play.jobs import Job
    from gridproof.play.replay import Replay


def told(action: Action, outcome: Outcome[Any], look: Look) -> str:
    """An action in words, with the points that it has brought."""
    return look.words(action) + (f", {counted(outcome.reward, 'points')}" if outcome.reward else "")


@dataclass(frozen=True, slots=True)
class Message:
    """Something that a table tells."""

    kind: ClassVar[str] = "message"
    shared: ClassVar[bool] = False
    """Whether it concerns all who look at the table; other messages answer whoever asked."""

    def words(self) -> str:
        """What people are told; of several lines, items begin with spaces."""
        raise NotImplementedError

    def data(self) -> Data:
        """What programs are told, as JSON has it."""
        return {"kind": self.kind, "text": self.words(), **self.details()}

    def details(self) -> Data:
        """What programs are told besides."""
        return {}


@dataclass(frozen=True, slots=True)
class Words(Message):
    """Something in words alone."""

    text: str

    def words(self) -> str:
        return self.text


class Welcome(Words):
    """The first word."""

    kind = "welcome"


def left_out(levels: Pack) -> list[str]:
    """What is told of levels that are broken: which they are, and what is wrong with each."""
    return [
        printable(f"Level {number} is left out: {error.told.removeprefix(f'level {number} ')}")
        for number, error in levels.broken.items()
    ]


class Won(Words):
    """A level has been won."""

    kind, shared = "won", True


class Lost(Words):
    """Nothing can be done any more."""

    kind, shared = "lost", True


class AllDone(Words):
    """All of several levels are won."""

    shared = True


class Stopped(Words):
    """Long work has ended without an answer."""

    kind = "stopped"


class Proved(Words):
    """What is proved about the present position."""

    kind = "proved"


class Farewell(Words):
    """The last word."""

    kind = "farewell"


@dataclass(frozen=True, slots=True)
class SeedTold(Message):
    """The seed of a game of chance, for the game to be played again."""

    kind = "seed"
    seed: int

    def words(self) -> str:
        return f"The seed is {self.seed}: with --seed, this game can be played again."


@dataclass(frozen=True, slots=True)
class Best(Message):
    """The least of each measure that a level has been won with, where that is kept."""

    kind, shared = "best", True
    values: Mapping[str, int]

    def words(self) -> str:
        return f"The best here: {', '.join(f'{name} {self.values[name]}' for name in sorted(self.values))}."

    def details(self) -> Data:
        return {"values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Entered(Message):
    """A level has become the current one."""

    kind, shared = "level", True
    place: int
    """From 0."""
    levels: int
    title: str

    def words(self) -> str:
        if self.levels == 1:
            return self.title
        return f"Level {self.place + 1} of {self.levels}{': ' if self.title else ''}{self.title}"


@dataclass(frozen=True, slots=True)
class Moved(Message):
    """The session has changed: actions were done or taken back, a level begun or left."""

    kind, shared = "action", True
    change: Change
    news: bool
    """Whether its words say more than what was typed for it."""
    actor: str | None = None
    """Whose player is told; None for all."""

    def words(self) -> str:
        change = self.change
        if change.kind == "act":
            ((action, outcome),) = change.steps
            return told(action, outcome, change.before.level.game.look)
        number = counted(len(change.steps), "actions")
        ends = {"undo": f"{number} taken back", "redo": f"{number} done again", "new game": "a new game"}
        return ends.get(change.kind, "begun again" if change.kind == "restart" else "another level")

    def details(self) -> Data:
        change = self.change
        actions = [action for action, _ in change.steps]
        heard = change.before.level.game.look.heard([outcome for _, outcome in change.steps], self.actor)
        return {
            "change": change.kind,
            "place": change.place,
            "current": change.current,
            "before": change.before.text(),
            "after": change.after.text(),
            "steps": [*map(outcome_data, actions, heard)],
            "won": change.won,
        }


@dataclass(frozen=True, slots=True)
class Board(Message):
    """How a level stands: the current one, or one that has just been won."""

    kind, shared = "position", True
    position: Position[Any]
    tally: Any
    """What the game's look has counted of the way there, as far as the player learns of it."""
    place: int
    levels: int
    completed: int
    """How many of the levels have been won."""
    score: tuple[int, int] | None
    """Score and high score, where the game keeps them."""

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """What is told besides the board: (word, value)."""
        counts = self.position.level.game.look.counts(self.position, self.tally)
        if self.score is None:
            return counts
        score, best = self.score
        return (("score", str(score)), ("high score", str(best)), *counts)

    def words(self) -> str:
        return ", ".join(f"{word} {value}" for word, value in self.counts)

    @property
    def board(self) -> str:
        """The board as lines of text."""
        return board_text(self.position.level.game.look.board(self.position))

    def data(self) -> Data:
        level = {"level": self.place + 1, "levels": self.levels, "completed": self.completed}
        score = {} if self.score is None else {"score": self.score[0], "high_score": self.score[1]}
        return {"kind": self.kind, **position_data(self.position, self.tally), **level, **score}


@dataclass(frozen=True, slots=True)
class Refused(Message):
    """What was asked cannot be done; nothing has changed by it."""

    kind = "refusal"
    reason: str
    """In words, with what was asked."""
    advice: str = ""
    """What to do now."""

    def words(self) -> str:
        return f"{self.reason}. {self.advice}" if self.advice else self.reason

    def details(self) -> Data:
        return {"text": self.reason}  # the advice is for lines of text: pages have a way of their own to help


@dataclass(frozen=True, slots=True)
class Help(Message):
    """What can be done."""

    kind = "help"
    actions: tuple[tuple[str, tuple[str, ...]], ...]
    """The actions that can be done here, in words, each with what may be typed for it."""
    commands: tuple[tuple[str, str], ...]
    """The commands as they are typed, each with what it does."""

    def words(self) -> str:
        first = "Actions; type a name, a number, or several names:"
        lines = [first if self.actions else "No action can be done."]
        for number, (words, forms) in enumerate(self.actions, 1):
            lines.append(f"{number:4}  {words}" + (f" ({', '.join(forms)})" if forms else ""))
        lines.append("Commands:")
        lines += [f"  {typed}: {meaning}" for typed, meaning in self.commands]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Levels(Message):
    """The levels that are played."""

    kind = "levels"
    entries: tuple[LevelEntry, ...]

    def words(self) -> str:
        return _numbered(entry.words() for entry in self.entries)

    def details(self) -> Data:
        return {"levels": [asdict(entry) for entry in self.entries]}


@dataclass(frozen=True, slots=True)
class Games(Message):
    """Other games that are kept."""

    kind = "games"
    games: tuple[Kept, ...]
    """The latest first."""

    def words(self) -> str:
        return _numbered(f"{kept.game}: {kept.title}" for kept in self.games) or "No other game is kept."

    def details(self) -> Data:
        games = [{"id": kept.id, "game": kept.game, "title": kept.title} for kept in self.games]
        return {"games": games}


def _numbered(items: Iterable[str]) -> str:
    return "\n".join(f"{number:4}  {item}" for number, item in enumerate(items, 1))


@dataclass(frozen=True, slots=True)
class Saved(Message):
    """A trace is in a file."""

    kind = "saved"
    path: Path
    actions: int

    def words(self) -> str:
        return f"{counted(self.actions, 'actions')} saved in {self.path}"


@dataclass(frozen=True, slots=True)
class Working(Message):
    """Long work is to be done: run or start the job, and give it to `Table.finish` when it is done."""

    kind = "working"
    job: Job

    def words(self) -> str:
        return f"{self.job.what} ..."


@dataclass(frozen=True, slots=True)
class Hint(Message):
    """What to do next."""

    kind = "hint"
    position: Position[Any]
    action: Action
    left: int | None
    """How many actions it is to the win, this one among them; None where nobody knows."""

    def words(self) -> str:
        after = "" if self.left is None else f" ({counted(self.left, 'actions')} to the win)"
        return f"{self.position.level.game.look.words(self.action)}{after}"

    def details(self) -> Data:
        return {"action": str(self.action), "left": self.left}


@dataclass(frozen=True, slots=True)
class Solved(Message):
    """A way to win from here."""

    kind = "solution"
    trace: Trace
    fewest: bool
    """Whether it is proved that no way has fewer actions."""

    def words(self) -> str:
        number = counted(len(self.trace.steps), "actions")
        least = ", the fewest there are" if self.fewest else ""
        luck = ", when luck helps" if any(step.label for step in self.trace.steps) else ""
        return f"{number}{least}{luck}: {self.trace.level.game.join_actions(self.trace)}"

    def details(self) -> Data:
        return {"trace": self.trace.to_json(), "fewest": self.fewest}


@dataclass(frozen=True, slots=True)
class Watching(Message):
    """A game to be watched; the view steps through it at its own speed."""

    kind = "replay"
    replay: Replay

    def words(self) -> str:
        return self.replay.title
