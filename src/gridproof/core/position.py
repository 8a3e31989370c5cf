"""Base classes of puzzles: Level, Position, Action, Outcome, Status.

A new puzzle is a folder with actions (small values with a text form), a `Level`, a `Position` and a
`Game` that ties them together. Everything else (sessions, traces, solvers, front ends) is written
against this page and that of `Game` alone.
"""

from __future__ import annotations

import enum
import functools
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, Protocol, Self, TypeVar

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Game
from gridproof.core.immutable import FrozenDict, ImmutableFields
from gridproof.core.look import board_text
from gridproof.core.outcome import Outcome, draw
from gridproof.core.representation import WIDTH, Representable, position_html
from gridproof.core.rng import Rng
from gridproof.core.text.phrases import short_repr, some, suggestion

__all__ = [
    "NATURE",
    "Action",
    "Level",
    "NamedEnum",
    "Outcome",
    "Position",
    "Status",
    "cache_on_level",
    "draw",
]

NATURE = "nature"
"""The actor whose acts are pure chance (robots: the exchange of tiles)."""


class NamedEnum(enum.Enum):
    """An enumeration that prints by name, and whose `repr` can be typed."""

    def __str__(self) -> str:
        return self._name_  # `name` takes ten times as long

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Status(NamedEnum):
    """Status of a position."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


class Action(Protocol):
    """A small value whose `str` is the text that `Position.action` reads back."""

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...


A = TypeVar("A", bound=Action)


@dataclass(frozen=True, kw_only=True)
class Level(Representable, ImmutableFields, ABC):
    """An immutable puzzle instance. Games make it a frozen dataclass.

    Levels are equal when their content is: title, author, keys and certificate do not count. A `__post_init__` of a
    game's own begins with `super().__post_init__()`.
    """

    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)
    keys: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)
    """Other `Key: value` lines of the level's text, unchanged."""
    certificate: Any = field(default=None, compare=False, repr=False)
    """A `gridproof.core.trace.Trace` that wins the level; None where none is known."""
    _name = ""
    """Name for `gridproof.level`, if it comes with the game; a changed copy has none."""

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

    def __str__(self) -> str:
        """The board that the level starts with; its text, where it starts by chance."""
        starts = [outcome.position for outcome in islice(self.starts(), 2)]
        return str(starts[0]) if len(starts) == 1 else self.text().removesuffix("\n")

    def _summary(self) -> str:
        if self._name:
            return f"gridproof.level({self._name!r})"
        typed = f"gridproof.read({self.text()!r}, {self.game.name!r})[0]"
        return typed if len(typed) <= WIDTH else f"<Level of {self.game.name}: {self.title or self.text()!r}>"

    def _html_parts(self) -> Iterator[str]:
        yield position_html(self.start())

    def text(self) -> str:
        """Return the level with its title and keys in the game's own format: `gp.read(text) == [level]`."""
        return self._text

    @functools.cached_property
    def _text(self) -> str:
        return self.game.own_format.write_level(self)

    @abstractmethod
    def starts(self) -> Iterator[Outcome[Any]]:
        """Return every possible start with its probability; only one, if chance has no part in it."""

    def position(self, text: str) -> Position[Any]:
        """Return the position of this level that `text` shows: `level.position(p.text()) == p`.

        Raises
        ------
        ParseError
            When the text has not the form of a position.
        GridproofError
            When it shows no position of this level.
        """
        found: Position[Any] = self.game.own_format.read_position(self, text)
        return found

    def all_actions(self) -> tuple[Any, ...]:
        """Return all actions, the players' and nature's, executable or not; () when the game does not list them."""
        return ()

    def owner(self, action: Any) -> str:
        """Return the actor of an action: the only actor, unless the level says more.

        Raises
        ------
        GridproofError
            When there are several actors, and the game does not say whose it is.
        """
        actors = self.game.actors(self)
        if len(actors) != 1:
            raise GridproofError(
                f"{self.game.name} does not define the owner of action {action}; override Level.owner"
            )
        return actors[0]

    def start(self, seed: int = 0) -> Position[Any]:
        """Return the start; if chance has a part in it, the one that `seed` draws (its stream 0)."""
        position: Position[Any] = draw(self.starts(), Rng(seed)).position
        return position


R = TypeVar("R")
L = TypeVar("L", bound=Level)


def cache_on_level(make: Callable[[L], R]) -> Callable[[L], R]:
    """Cache a function of a level on the level itself: a look-up by level would hash all of it each time."""
    name = f"{make.__module__}.{make.__qualname__}"

    @functools.wraps(make)
    def cached(level: L) -> R:
        cache = vars(level)
        if name not in cache:
            cache[name] = make(level)
        value: R = cache[name]
        return value

    return cached


class Position(Representable, ABC, Generic[A]):
    """An immutable, hashable state of a level: what the future of the board depends on. `str` shows the board.

    Games make it a frozen dataclass with slots, equal when level and position are equal.
    """

    __slots__ = ()

    level: Level

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in _TAKES_ACTION & vars(cls).keys():
            setattr(cls, name, _accept_text(vars(cls)[name]))

    @abstractmethod
    def actions(self, actor: str | None = None) -> tuple[A, ...]:
        """Return the executable actions in a fixed order: of all players, or of one actor."""

    @abstractmethod
    def outcomes(self, action: A) -> Iterable[Outcome[Self]]:
        """Return the outcomes of an action, or of its text, with probabilities that sum to 1.

        Raises
        ------
        IllegalAction
            When the action is not executable here.
        """

    def successors(self, actor: str | None = None) -> Iterable[Hashable]:
        """Return all positions that an action of the actor can lead to, each as `at` takes it: quick to compare and to hash.

        A game that gives them in a shorter form than as positions can be explored and checked in less time.
        """
        return (outcome.position for action in self.actions(actor) for outcome in self.outcomes(action))

    def at(self, successor: Any) -> Self:
        """Return the position of the same level that one of the `successors` stands for."""
        position: Self = successor
        return position

    def text(self) -> str:
        """Return the canonical text: equal positions of a level have equal texts. Ends with a newline."""
        return self.level.game.own_format.write_position(self)

    def __str__(self) -> str:
        return board_text(self.level.game.look.board(self)).removesuffix("\n")

    def _summary(self) -> str:
        level = repr(self.level)
        if not level.startswith("<"):
            typed = f"{level}.start()" if self == self.level.start() else f"{level}.position({self.text()!r})"
            if len(typed) <= WIDTH:
                return typed
        return f"<Position of {self.level.game.name}: {self.text()!r}>"

    def _html_parts(self) -> Iterator[str]:
        yield position_html(self)

    @property
    @abstractmethod
    def won(self) -> bool:
        """True if the game is won here."""

    @property
    def status(self) -> Status:
        """WON, else LOST when no action is executable, else PLAYING."""
        if self.won:
            return Status.WON
        return Status.PLAYING if self.actions() else Status.LOST

    @property
    def ended(self) -> bool:
        """True if no action is possible any more."""
        return self.won or not self.actions()

    def action(self, text: str) -> A:
        """Return the executable action with this text, a player's or nature's.

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
        """Return the executable actions, the players' and nature's."""
        nature = self.actions(NATURE) if NATURE in self.level.game.actors(self.level) else ()
        return (*self.actions(), *nature)

    def refusal(self, text: str) -> IllegalAction:
        """Return the error for a text that no executable action has; it lists the actions, if it is none at all."""
        there_are = [str(action) for action in self.level.all_actions()]
        if not there_are or text in there_are:
            return IllegalAction(text)
        return IllegalAction(
            text, f"no such action; choose from {some(there_are)}{_suggestion(text, there_are)}"
        )

    def no_action(self, value: object) -> IllegalAction:
        """Return the error for a value that is no action of the game, whatever its text."""
        return IllegalAction(value, f"{short_repr(value)} is no action of {self.level.game.name}")

    def step(self, action: A, rng: Rng) -> Outcome[Self]:
        """Draw one outcome of the action.

        Raises
        ------
        IllegalAction
            When the action is not executable here.
        """
        return draw(self.outcomes(action), rng)

    def outcome(self, action: A, label: str) -> Outcome[Self]:
        """Return the outcome of the action with this label.

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
        """Return a picture for notebooks; None if the game's look has none."""
        pictures = self.level.game.look.pictures
        return pictures.svg(self) if pictures else None


def _suggestion(text: object, known: list[str]) -> str:
    """Return the action that is much like a misspelt word, as the end of a message."""
    if isinstance(text, str) and len(text) < 100 and text.isalpha():
        return suggestion(text, known, 0.75)
    return ""


_TAKES_ACTION = {"outcomes", "outcome", "step"}
"""The methods of a position that take an action or its text."""


def _accept_text(method: Callable[..., R]) -> Callable[..., R]:
    """Let a method of a position take the text of an action, too."""
    if "accepts_text" in vars(method):
        return method

    if method.__name__ == "outcomes":  # runs so often that a list of arguments would take time

        @functools.wraps(method)
        def wrapper(self: Position[Any], action: Any) -> R:
            return method(self, self.action(action) if type(action) is str else action)
    else:

        @functools.wraps(method)
        def wrapper(self: Position[Any], action: Any, *given: Any, **named: Any) -> R:
            return method(self, self.action(action) if type(action) is str else action, *given, **named)

    vars(wrapper)["accepts_text"] = True
    return wrapper
