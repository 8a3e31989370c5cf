"""Who is told of a session's changes: viewers, and the keeper that holds them beyond the process."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gridproof.core.session import Session


class Viewer(Protocol):
    """Whoever wants to know that a session has changed; it then asks for what it shows."""

    def changed(self, session: Session) -> None:
        """Something has changed."""


class Keeper(Protocol):
    """Where sessions are kept beyond the process: the store."""

    def high_score(self, key: str) -> int:
        """The best score kept under a key; 0 when there is none."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Keep what has just changed on the level at a place, which has been `won` by it or not.

        It is called before the change is answered: all of the change is kept or, when this raises, none,
        and then the session takes it back. The levels at the places `passed` are completed by it too.
        On each of these levels and the current one, no step but the last of all has changed.
        """

    def kept_after_all(self, session: Session) -> Session | None:
        """The session as it was kept, where `keep` has raised after all of a change was kept; else None.

        It is asked before the next change: the answer to a commit is lost when a server is restarted.
        """
