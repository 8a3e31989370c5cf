"""Messages of a table: small values with words for people and data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from gridproof.analysis.json_data import Data, outcome_data, position_data
from gridproof.core.look import Look, board_text
from gridproof.core.observers import Change
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.text.display import printable
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count, some
from gridproof.core.trace import Trace
from gridproof.table.library import SavedGame
from gridproof.table.menu import LevelEntry


def describe_action(action: Action, outcome: Outcome[Any], look: Look) -> str:
    """Describe an action and the points gained."""
    return look.words(action) + (f", {format_count(outcome.reward, 'points')}" if outcome.reward else "")


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a table."""

    kind: ClassVar[str] = "message"
    shared: ClassVar[bool] = False
    """True for all viewers of the table; other messages answer one input."""

    def words(self) -> str:
        """Return the message for people; indented lines are items."""
        raise NotImplementedError

    def data(self) -> Data:
        """Return the message for programs, as JSON."""
        return {"kind": self.kind, "text": self.words(), **self.details()}

    def details(self) -> Data:
        """Return additional data for programs."""
        return {}


@dataclass(frozen=True, slots=True)
class Words(Message):
    """A message in words alone."""

    text: str

    def words(self) -> str:
        return self.text


class Welcome(Words):
    """The welcome."""

    kind = "welcome"


def broken_level_notes(levels: Pack) -> list[str]:
    """Report the broken levels and the faults of each."""
    return [
        printable(f"Level {number} is skipped: {error.description.removeprefix(f'level {number} ')}")
        for number, error in levels.broken.items()
    ]


class Won(Words):
    """A level was won."""

    kind, shared = "won", True


class Lost(Words):
    """No action is possible any more."""

    kind, shared = "lost", True


class AllDone(Words):
    """All of several levels are won."""

    shared = True


class Stopped(Words):
    """A job ended without an answer."""

    kind = "stopped"


class Proved(Words):
    """The proof status of the current position."""

    kind = "proved"


class Farewell(Words):
    """The farewell."""

    kind = "farewell"


@dataclass(frozen=True, slots=True)
class SeedMessage(Message):
    """The seed of a random game, for playing it again."""

    kind = "seed"
    seed: int

    def words(self) -> str:
        return f"Seed: {self.seed}. Use --seed to play this game again."


@dataclass(frozen=True, slots=True)
class Best(Message):
    """The best counts of a level, if they are saved."""

    kind, shared = "best", True
    values: Mapping[str, int]
    where: str = "so far"
    """Whose results they are."""

    def words(self) -> str:
        counts = ", ".join(f"{name} {self.values[name]}" for name in sorted(self.values))
        return f"Best results {self.where}: {counts}."

    def details(self) -> Data:
        return {"values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Entered(Message):
    """A level became the current one."""

    kind, shared = "level", True
    place: int
    """Number from 0."""
    levels: int
    title: str

    def words(self) -> str:
        if self.levels == 1:
            return self.title
        return f"Level {self.place + 1} of {self.levels}{': ' if self.title else ''}{self.title}"


@dataclass(frozen=True, slots=True)
class Moved(Message):
    """The session changed: actions were done or undone, a level started or left."""

    kind, shared = "action", True
    change: Change
    news: bool
    """True if the words say more than the typed text."""
    actor: str | None = None
    """Actor whose player reads it; None for all."""

    def words(self) -> str:
        change = self.change
        if change.kind == "act":
            ((action, outcome),) = change.steps
            return describe_action(action, outcome, change.before.level.game.look)
        number = format_count(len(change.steps), "actions")
        ends = {"undo": f"{number} undone", "redo": f"{number} redone", "new game": "a new game"}
        return ends.get(change.kind, "restarted" if change.kind == "restart" else "another level")

    def details(self) -> Data:
        change = self.change
        actions = [action for action, _ in change.steps]
        heard = change.before.level.game.look.filter_outcomes(
            [outcome for _, outcome in change.steps], self.actor
        )
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
    """The state of a level: the current one, or one that was just won."""

    kind, shared = "position", True
    position: Position[Any]
    tally: Any
    """Tally of the path by the game's look, as far as the player may know it."""
    place: int
    levels: int
    completed: int
    """Number of won levels."""
    score: tuple[int, int] | None
    """Score and high score, if the game keeps them."""

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """Return the counts of the board: (word, value)."""
        counts = self.position.level.game.look.counts(self.position, self.tally)
        if self.score is None:
            return counts
        score, best = self.score
        return (("score", str(score)), ("high score", str(best)), *counts)

    def words(self) -> str:
        return ", ".join(f"{word} {value}" for word, value in self.counts)

    @property
    def board(self) -> str:
        """Return the board as lines of text."""
        return board_text(self.position.level.game.look.board_with_numbers(self.position))

    def data(self) -> Data:
        level = {"level": self.place + 1, "levels": self.levels, "completed": self.completed}
        score = {} if self.score is None else {"score": self.score[0], "high_score": self.score[1]}
        return {"kind": self.kind, **position_data(self.position, self.tally), **level, **score}


@dataclass(frozen=True, slots=True)
class Refused(Message):
    """A refused input, which changed nothing."""

    kind = "refusal"
    reason: str
    """Reason, with the refused input."""
    advice: str = ""
    """Advice for people."""
    blocked: str = ""
    """Text of the action that the rules refuse here; front ends with keys need no words."""
    silent: bool = False
    """True if the action would change nothing: a page shows it without words."""
    sentence: str = ""
    """Reason as a sentence, if a command is refused."""

    def words(self) -> str:
        return f"{self.reason}. {self.advice}" if self.advice else self.reason

    def details(self) -> Data:
        blocked = {"blocked": self.blocked} if self.blocked else {}
        silent = {"silent": True} if self.silent else {}
        return {
            "text": self.reason,
            **blocked,
            **silent,
        }  # the advice is for lines of text only


@dataclass(frozen=True, slots=True)
class Help(Message):
    """The list of actions and commands."""

    kind = "help"
    actions: tuple[tuple[str, tuple[str, ...]], ...]
    """Executable actions in words, each with its typed forms."""
    commands: tuple[tuple[str, str], ...]
    """Commands with their meanings."""

    def words(self) -> str:
        first = "Actions; type a name, a number, or several names:"
        lines = [first if self.actions else "No action is possible."]
        for number, (words, forms) in enumerate(self.actions, 1):
            lines.append(f"{number:4}  {words}" + (f" ({', '.join(forms)})" if forms else ""))
        lines.append("Commands:")
        lines += [f"  {typed}: {meaning}" for typed, meaning in self.commands]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Levels(Message):
    """The list of levels."""

    kind = "levels"
    entries: tuple[LevelEntry, ...]

    def words(self) -> str:
        return _number_lines(entry.words() for entry in self.entries)

    def details(self) -> Data:
        return {"levels": [asdict(entry) for entry in self.entries]}


@dataclass(frozen=True, slots=True)
class Games(Message):
    """The list of other saved games."""

    kind = "games"
    games: tuple[SavedGame, ...]
    """The latest first."""

    def words(self) -> str:
        return _number_lines(f"{game.game}: {game.title}" for game in self.games) or "No other saved games."

    def details(self) -> Data:
        games = [{"id": game.id, "game": game.game, "title": game.title} for game in self.games]
        return {"games": games}


def _number_lines(items: Iterable[str]) -> str:
    return "\n".join(f"{number:4}  {item}" for number, item in enumerate(items, 1))


@dataclass(frozen=True, slots=True)
class Saved(Message):
    """A trace was saved to a file."""

    kind = "saved"
    path: Path
    actions: int

    def words(self) -> str:
        return f"{format_count(self.actions, 'actions')} saved in {self.path}"


@dataclass(frozen=True, slots=True)
class Hint(Message):
    """The next action to do."""

    kind = "hint"
    position: Position[Any]
    action: Action
    left: int | None
    """Actions to the win, with this one; None if unknown."""

    def words(self) -> str:
        after = "" if self.left is None else f" ({format_count(self.left, 'actions')} to the win)"
        return f"{self.position.level.game.look.words(self.action)}{after}"

    def details(self) -> Data:
        return {"action": str(self.action), "left": self.left}


@dataclass(frozen=True, slots=True)
class Solved(Message):
    """A solution from here."""

    kind = "solution"
    trace: Trace
    fewest: bool
    """True if no solution has fewer actions, by proof."""

    def words(self) -> str:
        number = format_count(len(self.trace.steps), "actions")
        least = ", the fewest possible" if self.fewest else ""
        if any(step.label for step in self.trace.steps):
            begin = some([str(action) for action in self.trace.actions], " ")
            return f"This game is random, so no list of actions is sure to win. With luck, {number}{least}: {begin}"
        return f"{number}{least}: {self.trace.level.game.own_format.join_actions(self.trace)}"

    def details(self) -> Data:
        return {"trace": self.trace.to_json(), "fewest": self.fewest}
