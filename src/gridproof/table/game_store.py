"""Stores of games: the protocols for saved games and best counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.puzzle import Puzzle, PuzzleId
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.session import Session, SessionStore


class Record(Protocol):
    """Best count of a level by a measure."""

    @property
    def value(self) -> int: ...


class SavedGame(Protocol):
    """A saved game."""

    @property
    def id(self) -> str: ...

    @property
    def game(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def won(self) -> bool: ...

    @property
    def played(self) -> bool: ...

    @property
    def has_programs(self) -> bool: ...


class GameStore(SessionStore, Protocol):
    """Saved games and best counts, such as a `gridproof.store.Store`."""

    def best(self, level: Level) -> Mapping[str, Record]:
        """Return the best counts of a level, by measure."""

    def best_counts(self, levels: Sequence[Level]) -> Sequence[Mapping[str, int]]:
        """Return the best counts of many levels, in order, as numbers alone."""

    def won(self, levels: Sequence[Level]) -> Sequence[bool]:
        """Return whether each of many levels was won, also with hints, in order."""

    def saved(self, game: str | None = None) -> Sequence[SavedGame]:
        """Return the saved games, the latest first."""

    def resume(self, name: str) -> Session:
        """Open the game with an id."""

    def id_of(self, session: Session) -> str | None:
        """Return the id of a session."""


def unfinished_games(store: GameStore) -> Iterator[SavedGame]:
    """Return the saved games that can be continued, the latest first: with an action, and not over.

    A game is over if it is won, by the player or by programs. A game that goes on after a win is over when no action is left.
    """
    known = _KNOWN.setdefault(store, {})
    for item in store.saved():
        goes_on = is_game(item.game) and game_named(item.game).policy.act_after_win
        if item.played and (goes_on or not item.won) and not _is_over(store, item, goes_on, known):
            yield item


_KNOWN: WeakKeyDictionary[GameStore, dict[SavedGame, bool]] = WeakKeyDictionary()
"""True of saved games that are over, which takes all their moves to find out. A changed game is another value."""


def _is_over(store: GameStore, item: SavedGame, goes_on: bool, known: dict[SavedGame, bool]) -> bool:
    """Return whether the current level of a saved game is over; False if it cannot be opened."""
    if not (goes_on or item.has_programs):
        return False
    if item not in known:
        try:
            position = store.resume(item.id).position
            known[item] = not position.actions() if goes_on else position.won
        except GridproofError:
            known[item] = False
    return known[item]


class PuzzleStock(Protocol):
    """Puzzles that were made."""

    def get(self, puzzle_id: PuzzleId) -> Puzzle | None:
        """Return the puzzle of an id; None if it was not made."""

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle."""


class PlayerStore(GameStore, Protocol):
    """One player's own store, which knows the player's last game."""

    @property
    def puzzles(self) -> PuzzleStock: ...

    def latest(self, levels: Iterable[Level] | None = None) -> str | None:
        """Return the id of the last game, of these levels or of any."""
