"""Stores of games: the protocols for saved games and best counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

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


def filter_unfinished(games: Iterable[SavedGame]) -> Iterator[SavedGame]:
    """Return the games that can be continued: with an action, and not won if their game ends with a win."""
    for item in games:
        if not item.played:
            continue
        if not item.won or (is_game(item.game) and game_named(item.game).policy.act_after_win):
            yield item


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
