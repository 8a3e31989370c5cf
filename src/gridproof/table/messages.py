"""Messages of a table: small values with words for people and data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from gridproof.analysis.json_data import Data, outcome_data, position_data
from gridproof.core.look import OWN, Piece, board_text, top
from gridproof.core.observers import Change
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.session import Session
from gridproof.core.text.display import printable
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count, some
from gridproof.core.trace import Trace
from gridproof.prove.verdict_line import spoken_word
from gridproof.table.game_store import SavedGame
from gridproof.table.menu import LevelEntry


def describe_action(position: Position[Any], action: Action, outcome: Outcome[Any], frame: str = OWN) -> str:
    """Describe an action in a position, and the points gained."""
    points = f", {format_count(outcome.reward, 'points')}" if outcome.reward else ""
    return position.level.game.look.describe_in(position, action, frame) + points


def name_move(position: Position[Any], action: Action, frame: str = OWN) -> str:
    """Name a move for a list: an action that is one plain word, else its words."""
    text = str(action)
    return text if text.isalpha() else position.level.game.look.describe_in(position, action, frame)


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a table."""

    kind: ClassVar[str] = "message"
    shared: ClassVar[bool] = False
    """True for all viewers of the table; other messages answer one input."""

    def words(self) -> str:
        """Return the message for people; indented lines are items."""
        raise NotImplementedError

    def words_in(self, frame: str) -> str:
        """Return the message for people in directions of a frame, `ON_BOARD` or `OWN`; `words` has an actor's own."""
        return self.words()

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


@dataclass(frozen=True, slots=True)
class Ended(Words):
    """The end of a level."""

    because: str = ""
    """Which of several actors was first, in a sentence; "" where it is plain."""
    own: int | None = None
    """The player's own actions among those of all actors; None if nobody else has acted."""

    def details(self) -> Data:
        data: Data = {"text": self.text, **({"because": self.because} if self.because else {})}
        return data if self.own is None else {**data, "own": self.own}


class Won(Ended):
    """A level was won."""

    kind, shared = "won", True


class Lost(Ended):
    """No action is possible any more, or another actor has won."""

    kind, shared = "lost", True


class Over(Lost):
    """No action is possible any more, after a win."""


WON_ALREADY = "This level is won already, and nothing is left to do."


def loss_of(session: Session) -> Lost:
    """Return the message that no action is possible; who opens a won level has not lost it."""
    position, look = session.position, session.game.look
    if not position.won:
        return Lost(look.lost)
    if not session.actions_done:
        return Lost(WON_ALREADY)
    return Over(look.over(position))


class AllDone(Words):
    """All of several levels are won."""

    shared = True


class Stopped(Words):
    """A job ended without an answer."""

    kind = "stopped"


class Passed(Words):
    """A co-player did nothing in its turn."""

    kind = "pass"


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
        return self.words_in(OWN)

    def words_in(self, frame: str) -> str:
        change = self.change
        if change.kind == "act":
            return describe_action(change.before, *change.steps[0], frame)
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
        return self._with_score(self.position.level.game.look.counts(self.position, self.tally))

    def counts_in(self, frame: str) -> tuple[tuple[str, str], ...]:
        """Return the counts as players read them, in directions of a frame."""
        return self._with_score(self.position.level.game.look.counts_in(self.position, self.tally, frame))

    def _with_score(self, counts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        if self.score is None:
            return counts
        score, best = self.score
        return (("score", f"{score:,}"), ("high score", f"{best:,}"), *counts)

    def words(self) -> str:
        return _join_counts(self.counts)

    def words_in(self, frame: str) -> str:
        return _join_counts(self.counts_in(frame))

    @property
    def board(self) -> str:
        """Return the board as lines of text."""
        return board_text(self.position.level.game.look.board_with_numbers(self.position))

    def data(self) -> Data:
        level = {"level": self.place + 1, "levels": self.levels, "completed": self.completed}
        score = {} if self.score is None else {"score": self.score[0], "high_score": self.score[1]}
        return {"kind": self.kind, **position_data(self.position, self.tally), **level, **score}


def _join_counts(counts: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{word} {value}" for word, value in counts)


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


def _way_in_words(level: Level, number: int, luck: bool) -> str:
    """Return how far the win is: "5 moves to the win, with luck"."""
    return f"{format_count(number, spoken_word(level))} to the win{', with luck' if luck else ''}"


@dataclass(frozen=True, slots=True)
class Hint(Message):
    """The next action to do."""

    kind = "hint"
    position: Position[Any]
    action: Action
    left: int | None
    """Actions to the win, with this one; None if unknown."""
    luck: bool = False
    """True if they depend on chance."""
    chance: str = ""
    """The chance after it, as players see it: "chance to reach 512: about 30 %"; "" if unknown."""

    def words(self) -> str:
        return self.words_in(OWN)

    def words_in(self, frame: str) -> str:
        level = self.position.level
        reason = self.chance if self.left is None else _way_in_words(level, self.left, self.luck)
        after = f" ({reason})" if reason else ""
        return f"{level.game.look.describe_in(self.position, self.action, frame)}{after}"

    def details(self) -> Data:
        return {"action": str(self.action), "left": self.left}


@dataclass(frozen=True, slots=True)
class NextActions(Message):
    """The next actions to do, one after the other."""

    kind = "next"
    steps: tuple[tuple[Position[Any], Action], ...]
    """The actions, each with the position before it."""
    left: int
    """Actions to the win, with these."""
    luck: bool = False
    """True if they depend on chance."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions."""
        return tuple(action for _, action in self.steps)

    def words(self) -> str:
        return self.words_in(OWN)

    def words_in(self, frame: str) -> str:
        level = self.steps[0][0].level
        listed = ", then ".join(level.game.look.describe_in(*step, frame) for step in self.steps)
        return f"{listed} ({_way_in_words(level, self.left, self.luck)})"

    def details(self) -> Data:
        return {"actions": [*map(str, self.actions)], "left": self.left}


@dataclass(frozen=True, slots=True)
class Nudge(Message):
    """The pieces that move next in a solution."""

    kind = "nudge"
    position: Position[Any]
    cells: tuple[tuple[int, int], ...]
    """Cells of the board, in columns and rows from the upper left; () if nothing moves."""
    action: Action | None = None
    """The action that moves them, of which an actor's kind is told: it turns, steps or walks."""

    def words(self) -> str:
        if self.cells:
            return f"Look at {self._place()}{self._kind()}."
        beside = self.position.level.game.look.beside(self.position)
        if beside:  # an action that moves nothing uses what lies beside the board
            return f"Think of the {beside[0].shape}."
        return "No piece moves next: it takes another action."

    def _kind(self) -> str:
        """Return what an actor of several does next, without where to: ": it turns"; "" in games of one actor."""
        verb = "" if self.action is None else self._verb(self.action)
        return f": it {verb}" if verb else ""

    def _verb(self, action: Action) -> str:
        """Return what an actor of several does by an action, without where to: "turns"; "" in games of one actor."""
        level = self.position.level
        actor = level.owner(action)
        if level.game.look.place is None or actor not in level.game.actors(level):
            return ""
        own, _, words = level.game.look.describe(level, action).partition(" ")
        return words.split()[0].strip(",") if own == actor else ""

    def tells_nothing(self, own: Set[str]) -> bool:
        """Return whether the player knows it already: the piece is the only one of its kind, or the player's only actor, which can do nothing else.

        Parameters
        ----------
        own : set of str
            The player's actors if there are others.
        """
        level = self.position.level
        if len(level.game.actors(level)) > 1:
            return self._is_known_of(own)
        if len(self.cells) != 1:
            return False
        board = level.game.look.board(self.position)
        ((x, y),) = self.cells
        piece = top(board[y][x])
        return sum(one.shape == piece.shape for row in board for cell in row for one in cell) == 1

    def _is_known_of(self, own: Set[str]) -> bool:
        """Return whether the player's only actor acts next, in the only way in which it can act now."""
        level = self.position.level
        if self.action is None or {level.owner(self.action)} != own:
            return False
        (actor,) = own
        return len({self._verb(action) for action in self.position.actions(actor)}) == 1

    def _place(self) -> str:
        look, board = self.position.level.game.look, self.position.level.game.look.board(self.position)
        columns, rows = ({cell[part] for cell in self.cells} for part in (0, 1))
        (x, y), *others = self.cells
        row, column = (
            f"row {look.row_number(self.position, y)}",
            f"column {look.column_number(self.position, x)}",
        )
        if not others:
            return f"{self._name(top(board[y][x]), (x, y))} in {row}, {column}"
        if len(rows) == 1:
            return row
        return column if len(columns) == 1 else "the marked cells"

    def _name(self, piece: Piece, cell: tuple[int, int]) -> str:
        """Return "the box", or "robot a" for an actor's piece, however it is turned."""
        level = self.position.level
        place = level.game.look.place or (lambda position, name: None)
        actor = next((name for name in level.game.actors(level) if place(self.position, name) == cell), "")
        return f"{piece.name.partition(f' {actor}')[0]} {actor}" if actor else f"the {piece.name}"

    def details(self) -> Data:
        return {"cells": [*map(list, self.cells)]}


@dataclass(frozen=True, slots=True)
class Choice(Message):
    """Several actions that can be meant by a click on a cell."""

    kind = "choice"
    position: Position[Any]
    actions: tuple[Action, ...]

    def words(self) -> str:
        return self.words_in(OWN)

    def words_in(self, frame: str) -> str:
        describe = self.position.level.game.look.describe_in
        return f"Choose one: {some([describe(self.position, action, frame) for action in self.actions])}."

    def details(self) -> Data:
        return {"actions": [*map(str, self.actions)]}


@dataclass(frozen=True, slots=True)
class Solved(Message):
    """A solution from here."""

    kind = "solution"
    trace: Trace
    fewest: bool
    """True if no solution has fewer actions, by proof."""

    def summary(self) -> str:
        """Return the number of actions; a page shows the actions themselves on the board."""
        number = format_count(len(self.trace.steps), spoken_word(self.trace.level))
        least = ", the fewest possible" if self.fewest else ""
        if self.trace.needs_luck:
            return f"This game is random, so no list of actions is sure to win. With luck, {number}{least}"
        return f"{number}{least}"

    def words(self) -> str:
        if self.trace.needs_luck:
            return f"{self.summary()}: {some([str(action) for action in self.trace.actions], ' ')}"
        return f"{self.summary()}: {self.trace.level.game.own_format.join_actions(self.trace)}"

    def words_in(self, frame: str) -> str:
        """Return the moves as a person says them, those of a run once: "down, right 3 times"."""
        steps = zip(self.trace.positions(), self.trace.actions, strict=False)
        runs = [(name, len([*run])) for name, run in groupby(name_move(*step, frame) for step in steps)]
        named = [name if times == 1 else f"{name} {times} times" for name, times in runs]
        return f"{self.summary()}: {some(named) if self.trace.needs_luck else ', '.join(named)}"

    def details(self) -> Data:
        return {"trace": self.trace.to_json(), "fewest": self.fewest}


SPOILERS = (Nudge, Hint, NextActions, Solved)
"""Messages after which a win is one with hints."""
