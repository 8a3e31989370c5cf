"""Who is told of a session's changes: viewers, and the keeper that holds them beyond the process."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gridproof.core.errors import GridproofError
from gridproof.core.wording import shown

if TYPE_CHECKING:
    from gridproof.core.session import Session


class Viewer(Protocol):
    """Whoever wants to know that a session has changed; it then asks for what it shows."""

    def changed(self, session: Session) -> None:
        """Something has changed."""


@runtime_checkable
class Keeper(Protocol):
    """Where sessions are kept beyond the process: the store."""

    def high_score(self, key: str) -> int:
        """The best score kept under a key; 0 when there is none."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Keep what has just changed on the level at a place, which has been `won` by it or not.

        It is called before the change is answered: all of the change is kept or, when this raises, none,
        and then the session takes it back. The levels at the places `passed` are completed by it too.
        On each of these levels and the current one, no step but the last of all has changed.

        Raises
        ------
        KeptAfterAll
            When the change before was kept, though this had raised: the answer to a commit is lost when a
            server is restarted. Nothing more is kept then, and the session is as that change left it.
        """


def check_keeper(store: Keeper | None) -> Keeper | None:
    """The store, or none, when it is one.

    Raises
    ------
    GridproofError
        When it cannot keep sessions and high scores.
    """
    if store is not None and not isinstance(store, Keeper):
        raise GridproofError(f"a store that keeps sessions and high scores is needed, not {shown(store)}")
    return store


class KeptAfterAll(GridproofError):
    """A change has been kept though it seemed not to be; `session` is as it was kept."""

    def __init__(self, session: Session) -> None:
        super().__init__("what was done last has been kept after all, so nothing more is done now")
        self.session = session
