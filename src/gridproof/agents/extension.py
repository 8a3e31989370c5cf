"""Parts of a game's extension `agents`: `AGENTS` has any of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import Action, Level, Outcome, Position

T = TypeVar("T")


class Player(Protocol):
    """Plays a game."""

    def __call__(self, position: Position[Any]) -> Action:
        """Choose one of the position's actions; there must be at least one."""

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        """Return a value for each action; only comparisons are meaningful."""


Demo = Callable[[Level, int], Iterator[tuple[Action, Outcome[Any]]]]
"""Plays a level with a seed: yields each action with its outcome."""


class CoPlayer(Protocol):
    """A co-player: plays one actor while people play others."""

    def act(self, position: Position[Any], done: Sequence[Outcome[Any]], /) -> Action | None:
        """Choose the next action, given the outcomes of all actions since the last call; None to pass."""


@runtime_checkable
class PassWords(Protocol):
    """Reason of a co-player that passes."""

    @property
    def pass_words(self) -> str:
        """Return why it has passed its latest turn: "b waits"."""


@runtime_checkable
class Players(Protocol):
    """Players that only this game has."""

    @property
    def players(self) -> Mapping[str, Callable[[Game], Any]]:
        """Makers of a `Player` of the game by name; their further parameters are options."""


@runtime_checkable
class Meanings(Protocol):
    """Phrases about players of the game, for those who watch them."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """A phrase for players and demos by name."""


@runtime_checkable
class Demos(Protocol):
    """Demos of a game."""

    @property
    def demos(self) -> Mapping[str, Callable[[Level, int], Iterator[tuple[Any, Outcome[Any]]]]]:
        """Each `Demo` by name, the most suitable first."""


@runtime_checkable
class BoardLimits(Protocol):
    """Boards that some players of the game cannot play."""

    def unsuited_players(self, level: Any, /) -> Collection[str]:
        """Return the names of the players that cannot play a level."""


@runtime_checkable
class CoPlayers(Protocol):
    """Players for one of several actors while people play others."""

    @property
    def co_players(self) -> Mapping[str, Callable[[Level, str, int], Any]]:
        """Makers of a `CoPlayer` on a level, for an actor, with a seed, by name."""


@runtime_checkable
class Adviser(Protocol):
    """Adviser of a game that is too long to solve."""

    @property
    def adviser(self) -> Player:
        """Player for hints."""


@runtime_checkable
class WinChances(Protocol):
    """Chances of a win, in a game with an adviser."""

    def win_chances(self, position: Any, /) -> Mapping[Any, float] | None:
        """Return the chance of a win after each action; None if unknown."""


@runtime_checkable
class Heuristic(Protocol):
    """Heuristic value of positions for greedy players."""

    def heuristic(self, position: Any, /) -> float:
        """Return the value of a position; more is better."""


PARTS = (Players, Demos, CoPlayers, Adviser, WinChances, Heuristic)
"""All parts of `AGENTS`."""


def part_of(game: Game, part: type[T]) -> T | None:
    """Return the agents of a game if they have a part, else None."""
    agents = find_extension(game, "agents", object)
    return agents if isinstance(agents, part) else None
