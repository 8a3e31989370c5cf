"""What a puzzle must meet: Game, Level, Position, Action, Outcome, Status.

A new puzzle is a folder with these four: actions (small values with a text form), a `Level`, a `Position` and
a `Game` that ties them together. Everything else (sessions, solvers, front ends) is written against this page.
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.look import Look, board_text
from gridproof.core.rng import Rng, check_rng
from gridproof.core.wording import join_actions, some, split_actions

if TYPE_CHECKING:
    from gridproof.core.pack import Pack
    from gridproof.core.trace import Trace

NATURE = "nature"
"""The actor whose acts are pure chance (robots: the exchange of tiles)."""

ONE = Fraction(1)


class NamedEnum(enum.Enum):
    """An enumeration that prints by name, and shows itself as it is typed."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Status(NamedEnum):
    """How a position stands."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


class Action(Protocol):
    """A small value whose `str` is the text that `Position.action` reads back."""

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...


A = TypeVar("A", bound=Action)
P = TypeVar("P", bound="Position[Any]")


class Outcome(NamedTuple, Generic[P]):
    """One of the things that can follow an action."""

    position: P
    """The position after it."""
    probability: Fraction = ONE
    """How likely it is; the outcomes of one action sum to 1."""
    reward: int = 0
    """The score gained."""
    events: tuple[object, ...] = ()
    """What happened, in order: small frozen dataclasses told apart by type."""
    label: str = ""
    """Tells the outcomes of one action apart; "" where there is no chance."""


class Level(ABC):
    """An immutable puzzle instance. Games make it a frozen dataclass.

    Levels are equal when their content is: title, author, keys and certificate do not count.
    """

    title: str
    author: str
    keys: Mapping[str, str]
    """Other `Key: value` lines of the level's text, kept as they stand."""
    certificate: Trace | None
    """A trace that wins the level, where one is known."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game it belongs to."""

    @abstractmethod
    def text(self) -> str:
        """The level with its title and keys in the game's own format: `gp.read(text) == [level]`."""

    @abstractmethod
    def starts(self) -> Iterator[Outcome[Any]]:
        """Every possible start with its probability; one, where chance has no part in it."""

    @abstractmethod
    def position(self, text: str) -> Position[Any]:
        """The position of this level that `text` shows: `level.position(p.text()) == p`.

        Raises
        ------
        ParseError
            When the text has not the form of a position.
        GridproofError
            When it shows no position of this level.
        """

    def all_actions(self) -> tuple[Any, ...]:
        """All actions, the players' and nature's, executable or not; () when the game does not list them."""
        return ()

    def owner(self, action: Any) -> str:
        """Whose action it is: the one actor's, unless the level says more.

        Raises
        ------
        GridproofError
            When there are several actors, and the game does not say whose it is.
        """
        actors = self.game.actors(self)
        if len(actors) != 1:
            raise GridproofError(f"{self.game.name} does not say whose action {action} is: Level.owner does")
        return actors[0]

    def start(self, seed: int = 0) -> Position[Any]:
        """The start; where chance has a part in it, the one that `seed` draws (its stream 0)."""
        position: Position[Any] = draw(self.starts(), Rng(seed)).position
        return position


class Position(ABC, Generic[A]):
    """An immutable, hashable moment of a level: what the future of the board depends on. `str` shows the board.

    Games make it a frozen dataclass with slots, equal when level and position are equal.
    """

    __slots__ = ()

    level: Level

    @abstractmethod
    def actions(self, actor: str | None = None) -> tuple[A, ...]:
        """The executable actions in a fixed order: of all players, or of one actor."""

    @abstractmethod
    def outcomes(self, action: A) -> Iterable[Outcome[Self]]:
        """What can follow the action, with probabilities that sum to 1.

        Raises
        ------
        IllegalAction
            When the action is not executable here.
        """

    @abstractmethod
    def text(self) -> str:
        """The canonical text: equal positions of a level have equal texts. Ends with a newline."""

    def __str__(self) -> str:
        return board_text(self.level.game.look.board(self)).removesuffix("\n")

    @property
    @abstractmethod
    def won(self) -> bool:
        """Whether the game is won here."""

    @property
    def status(self) -> Status:
        """WON, else LOST when no action is executable, else PLAYING."""
        if self.won:
            return Status.WON
        return Status.PLAYING if self.actions() else Status.LOST

    @property
    def ended(self) -> bool:
        """Whether nothing can be done any more."""
        return self.won or not self.actions()

    def action(self, text: str) -> A:
        """The executable action with this text, a player's or nature's.

        Raises
        ------
        IllegalAction
            When no executable action has it.
        """
        for action in self.all_actions():
            if str(action) == text:
                return action
        raise self.refusal(text)

    def all_actions(self) -> tuple[A, ...]:
        """The executable actions, the players' and nature's."""
        nature = self.actions(NATURE) if NATURE in self.level.game.actors(self.level) else ()
        return (*self.actions(), *nature)

    def refusal(self, text: str) -> IllegalAction:
        """The error for a text that no executable action has: it says what there is, if it is no action at all."""
        there_are = [str(action) for action in self.level.all_actions()]
        if not there_are or text in there_are:
            return IllegalAction(text)
        return IllegalAction(text, f"no action: there are {some(there_are)}")

    def step(self, action: A, rng: Rng) -> Outcome[Self]:
        """One outcome of the action, drawn.

        Raises
        ------
        IllegalAction
            When the action is not executable here.
        """
        return draw(self.outcomes(action), rng)

    def outcome(self, action: A, label: str) -> Outcome[Self]:
        """The outcome of the action that carries this label.

        Raises
        ------
        IllegalAction
            When the action is not executable here, or has no such outcome.
        """
        for outcome in self.outcomes(action):
            if outcome.label == label:
                return outcome
        raise IllegalAction(action, f"it has no outcome {label!r} here")

    def _repr_svg_(self) -> str | None:
        """A picture, as notebooks ask for it; None where the game's look has none."""
        pictures = self.level.game.look.pictures
        return pictures.svg(self) if pictures else None


def draw(outcomes: Iterable[Outcome[P]], rng: Rng) -> Outcome[P]:
    """One of the outcomes, by their exact probabilities; a single one draws no number."""
    listed = tuple(outcomes)
    if len(listed) == 1:
        return listed[0]
    whole = math.lcm(*(outcome.probability.denominator for outcome in listed))
    number = check_rng(rng).below(whole)
    for outcome in listed:
        number -= int(outcome.probability * whole)
        if number < 0:
            return outcome
    raise GridproofError("the probabilities of the outcomes do not sum to 1")


@dataclass(frozen=True, slots=True)
class Policy:
    """The law of sessions: where games differ, a session asks here."""

    act_after_win: bool = False
    """Whether one may act in a won position (2048 goes on; T11)."""
    next_level_after_win: bool = False
    """Whether a win moves on to the next level (sokoban; K16)."""
    undo_after_win: bool = True
    """Whether a won game may be undone (not in sokoban; K17)."""
    keeps_score: bool = False
    """Whether rewards add up to a score worth a high score."""


class Claim(enum.IntEnum):
    """How surely a text is of a format; of several claims the strictest counts."""

    NONE = 0
    PART = 1
    """Some of its lines are: heard only where no other format claims the text."""
    FORM = 2
    """All of it has the form."""
    MARK = 3
    """It begins with a mark that no other format has, such as a first line with the game's name."""


@dataclass(frozen=True, slots=True)
class Format:
    """A text format of a game, recognised by content."""

    name: str
    """A short name without spaces: "xsb"."""
    extensions: tuple[str, ...]
    """Endings of file names, with the dot; the first is the usual one."""
    meaning: str
    """One line about it."""
    recognises: Callable[[str], bool | Claim]
    """Whether a text is meant to be of this format, though it may be broken; True is Claim.FORM."""
    read: Callable[[str], Pack]
    """The levels of a text; raises ParseError or InvalidLevel. With `gridproof.core.pack.Gathered` it
    lists all broken levels, and those that are valid can be used."""
    write: Callable[[Pack], str] | None = None
    """The text of a pack, such that reading it gives the pack back."""

    def claim(self, text: str) -> Claim:
        """How surely a text is of this format."""
        answer = self.recognises(text)
        return Claim.FORM if answer is True else Claim(answer)


@dataclass(frozen=True, slots=True)
class Proposition:
    """A statement or a number about a position, usable in goals and formulas."""

    name: str
    parameters: tuple[str, ...]
    """The names of its arguments, for people: ("x", "y")."""
    meaning: str
    """One line."""
    value: Callable[..., bool | int]
    """A function of the position and the arguments (whole numbers, or names as str).

    It raises GridproofError for arguments that mean nothing on the level.
    """
    number: bool = False
    """Whether its value is a number."""
    optional: int = 0
    """How many of the last arguments may be left out: `won` and `won(a)`."""
    bound: Callable[..., int] | None = None
    """A lower bound of how many actions are left until it holds, luck helping: a function like `value`.
    At least 0, and 0 where it holds. With one, A* finds fewest actions."""
    where: Callable[..., Iterable[Position[Any]]] | None = None
    """All positions of a level in which it holds, when they are few: a function of the level and the
    arguments. With it and `Game.predecessors`, fewest actions are searched for from both ends."""
    never: Callable[..., str] | None = None
    """Why the players can never come from a position to one in which it holds, in a few words without a full
    stop; "" where that is not seen. A function like `value`, asked once it has been proved that they cannot."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a solution can have little of."""

    name: str
    """"pushes"."""
    meaning: str
    cost: Callable[[Position[Any], Any, Outcome[Any]], int]
    """What doing an action in a position, with that outcome, costs: a whole number of at least 0."""


def _own_score(level: Level) -> str:
    return level.text()


def one_player(level: Level) -> tuple[str, ...]:
    """The actors of a game that one person plays."""
    return ("player",)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A puzzle: its name, its texts, and what others may ask about its levels."""

    name: str
    """As used in commands and files: "sokoban"."""
    title: str
    """As shown to people: "Extended Sokoban"."""
    meaning: str
    """One line about the puzzle."""
    package: str
    """The Python package it lives in; its level packs are the files in its folder `levels`."""
    formats: tuple[Format, ...]
    """The first is its own, in which `Level.text` writes."""
    look: Look
    """How it looks and is handled: data that every front end reads."""
    first_pack: str = ""
    """The pack to begin with, which the game's name alone means; by default the first by the alphabet."""
    policy: Policy = Policy()
    actors: Callable[[Any], tuple[str, ...]] = one_player
    """Who acts on a level; NATURE among them where chance is an act of its own."""
    acting: str = "one player"
    """The same for all levels, in a few words."""
    propositions: tuple[Proposition, ...] = ()
    """Its own; every game also has those of `gridproof.core.proposition`."""
    measures: tuple[Measure, ...] = ()
    """Its own, the one that is the easiest to minimise last; every game also has "actions"."""
    position: Callable[[str], Position[Any]] | None = None
    """Reads a mid-game position on a level that starts there; without it, a level is read."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """The clauses of its rules, number -> one line; for its documentation and tests."""
    planned: frozenset[str] = frozenset()
    """Those of its clauses that are not realised yet; all others have tests."""
    split_actions: Callable[[str], list[str]] = split_actions
    """Cuts a text of several actions into texts of single ones; raises ParseError."""
    join_actions: Callable[[Trace], str] = join_actions
    """The actions of a trace in one text, which `split_actions` cuts again (sokoban: LURD)."""
    predecessors: Callable[[Any], Iterable[Any]] | None = None
    """All positions that an action of a player can lead from to a position; they need not be reachable."""
    score_key: Callable[[Any], str] = _own_score
    """Levels with the same key share a high score."""
    shows: str = ""
    """The module with `SHOWS`: name -> function of a level and a seed that plays a game to be watched, and gives
    each action with its outcome. Imported when it is watched; without one, general players play. Where actors
    race, it also has `RACE`, which makes a `gridproof.play.shows.Race` of a level and keywords."""
    kernel: str = ""
    """The module with its rules on packed words; imported when an engine needs it."""
    solver: str = ""
    """The module with a solver of its own, `solve(position, measure, meter, progress)`, which gives a
    `gridproof.search.solution.Solution`, or None where it cannot; imported when a win is asked for."""
    generator: str = ""
    """The module with `generate(seed, **parameters)`; imported when it is asked for."""
    models: str = ""
    """The module with `check_models(text, limit, horizon)`, which gives a `gridproof.core.model.Checked` of each structure
    in a text; imported when it is asked whether one is a model."""

    def __repr__(self) -> str:
        return f"gridproof.game({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        from gridproof.core.registry import game  # which imports this module

        return game, (self.name,)

    def __deepcopy__(self, memo: object) -> Self:
        return self
