"""What a puzzle's levels and positions must meet: Level, Position, Action, Outcome, Status.

A new puzzle is a folder with actions (small values with a text form), a `Level`, a `Position` and a
`Game` that ties them together. Everything else (sessions, traces, solvers, front ends) is written
against this page and that of `Game` alone.
"""

from __future__ import annotations

import enum
import functools
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.frozen import FieldsAlone, FrozenDict
from gridproof.core.look import board_text
from gridproof.core.rng import Rng, check_rng
from gridproof.core.wording import shown, some

if TYPE_CHECKING:
    from gridproof.core.game import Game
    from gridproof.core.trace import Trace

NATURE = "nature"
"""The actor whose acts are pure chance (robots: the exchange of tiles)."""

ONE = Fraction(1)


class NamedEnum(enum.Enum):
    """An enumeration that prints by name, and shows itself as it is typed."""

    def __str__(self) -> str:
        return self._name_  # `name` takes ten times as long

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


@dataclass(frozen=True, kw_only=True)
class Level(FieldsAlone, ABC):
    """An immutable puzzle instance. Games make it a frozen dataclass.

    Levels are equal when their content is: title, author, keys and certificate do not count. A `__post_init__` of a
    game's own begins with `super().__post_init__()`.
    """

    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)
    keys: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)
    """Other `Key: value` lines of the level's text, kept as they stand."""
    certificate: Trace | None = field(default=None, compare=False, repr=False)
    """A trace that wins the level, where one is known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", FrozenDict(self.keys))

    @functools.cached_property
    def game(self) -> Game:
        """The game it belongs to: the value `GAME` of the module of its class, or of the nearest package around it.

        Raises
        ------
        GridproofError
            When none of these has a `GAME`.
        """
        from gridproof.core.game import Game  # which imports this module

        name = module = type(self).__module__
        while name:
            game = getattr(sys.modules.get(name), "GAME", None)
            if isinstance(game, Game):
                return game
            name = name.rpartition(".")[0]
        raise GridproofError(
            f"the game of {module}.{type(self).__qualname__} is not known: that module, or a package around it, "
            "needs a value GAME, its gridproof.core.game.Game"
        )

    def text(self) -> str:
        """The level with its title and keys in the game's own format: `gp.read(text) == [level]`."""
        return self.game.formats[0].write_level(self)

    @abstractmethod
    def starts(self) -> Iterator[Outcome[Any]]:
        """Every possible start with its probability; one, where chance has no part in it."""

    def position(self, text: str) -> Position[Any]:
        """The position of this level that `text` shows: `level.position(p.text()) == p`.

        Raises
        ------
        ParseError
            When the text has not the form of a position.
        GridproofError
            When it shows no position of this level.
        """
        return self.game.formats[0].read_position(self, text)

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


Made = TypeVar("Made")
L = TypeVar("L", bound=Level)


def once_a_level(make: Callable[[L], Made]) -> Callable[[L], Made]:
    """Make something once a level, and keep it there: to find a level in a cache, all of it would be hashed each time."""
    name = f"{make.__module__}.{make.__qualname__}"

    @functools.wraps(make)
    def made(level: L) -> Made:
        kept = vars(level)
        if name not in kept:
            kept[name] = make(level)
        found: Made = kept[name]
        return found

    return made


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

    def successors(self, actor: str | None = None) -> Iterable[Hashable]:
        """All positions that an action of the actor can lead to, each as what `at` takes: quick to compare and to hash.

        A game that gives them in a shorter form than as positions can be explored and checked in less time.
        """
        return (outcome.position for action in self.actions(actor) for outcome in self.outcomes(action))

    def at(self, successor: Any) -> Self:
        """The position of the same level that one of the `successors` stands for."""
        position: Self = successor
        return position

    def text(self) -> str:
        """The canonical text: equal positions of a level have equal texts. Ends with a newline."""
        return self.level.game.formats[0].write_position(self)

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

    def no_action(self, value: object) -> IllegalAction:
        """The error for a value that is no action of the game, whatever its text."""
        return IllegalAction(value, f"{shown(value)} is no action of {self.level.game.name}")

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
