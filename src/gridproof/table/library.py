"""Where games and best counts are kept, as a table needs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from gridproof.core.position import Level
from gridproof.core.session import Session
from gridproof.core.viewer import Keeper


class Record(Protocol):
    """The least of a measure that a level has been won with."""

    @property
    def value(self) -> int: ...


class Kept(Protocol):
    """A game that can be gone on with."""

    @property
    def id(self) -> str: ...

    @property
    def game(self) -> str: ...

    @property
    def title(self) -> str: ...


class Library(Keeper, Protocol):
    """Where games and best counts are kept: a `gridproof.store.Store`."""

    def best(self, level: Level) -> Mapping[str, Record]:
        """What a level has been won with, by measure."""

    def best_counts(self, levels: Sequence[Level]) -> Sequence[Mapping[str, int]]:
        """The same of many levels, in their order, as numbers alone."""

    def saved(self, game: str | None = None) -> Sequence[Kept]:
        """The games that are kept, the latest first."""

    def resume(self, name: str) -> Session:
        """The game with that id."""

    def id_of(self, session: Session) -> str | None:
        """The id that a session is kept under."""


class Shelf(Library, Protocol):
    """A library of one player's own, which also knows what that one played last."""

    def latest(self, levels: Iterable[Level] | None = None) -> str | None:
        """The id of the game that was played last, of these levels or of any."""
