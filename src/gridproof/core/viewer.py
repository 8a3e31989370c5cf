"""Who is told of a session's changes: viewers, and the keeper that holds them beyond the process."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.wording import shown

if TYPE_CHECKING:
    from gridproof.core.session import Session

KINDS = ("act", "undo", "redo", "restart", "new game", "select", "reload")
"""What changes a session; "reload" means that it took over what another session had kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """What has changed in a session."""

    kind: str
    """One of `KINDS`."""
    place: int
    """Of the level that was acted on, begun again or selected."""
    before: Position[Any]
    """Where the session stood."""
    after: Position[Any]
    """Where the level at `place` stands: won positions too, when the session has moved on from there."""
    steps: tuple[tuple[Action, Outcome[Any]], ...] = ()
    """The actions done or taken back, the oldest first, each with what came of it."""
    won: bool = False
    """Whether the level at `place` has been won by it."""
    passed: tuple[int, ...] = ()
    """The places of the levels that are completed by it."""
    current: int = 0
    """The place of the level that is current now."""


Source = TypeVar("Source")
News = TypeVar("News")
Source_contra = TypeVar("Source_contra", contravariant=True)
News_contra = TypeVar("News_contra", contravariant=True)


class Viewer(Protocol[Source_contra, News_contra]):
    """Whoever wants to know of what changes: of a session, a `Change` each time."""

    def changed(self, source: Source_contra, news: News_contra, /) -> None:
        """Something has changed; the viewer may ask the source for what it shows."""


class Viewers(Generic[Source, News]):
    """Those who are told, in the order in which they came; all hear the same in the same order."""

    def __init__(self) -> None:
        self._viewers: list[Viewer[Source, News]] = []
        self._news: deque[tuple[Source, News]] = deque()

    def attach(self, viewer: Viewer[Source, News]) -> None:
        """Tell a viewer of everything from now on; once is enough.

        Raises
        ------
        TypeError
            When it has no function `changed`.
        """
        if not callable(getattr(viewer, "changed", None)):
            raise TypeError(f"a viewer has a function changed(source, news), which {shown(viewer)} has not")
        if viewer not in self._viewers:
            self._viewers.append(viewer)

    def detach(self, viewer: Viewer[Source, News]) -> None:
        """Tell a viewer no more; one that is not attached is no error."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)

    def tell(self, source: Source, news: News) -> None:
        """Tell all of them. What a viewer brings about while it is told, all are told after this.

        When a viewer raises an exception, the others are told all the same, and the first one is raised after all.
        """
        self._news.append((source, news))
        if len(self._news) > 1:
            return
        faults: list[Exception] = []
        try:
            while self._news:
                for viewer in tuple(self._viewers):
                    try:
                        viewer.changed(*self._news[0])
                    except Exception as fault:  # noqa: BLE001  # raised below
                        faults.append(fault)
                self._news.popleft()
        finally:
            self._news.clear()
        if faults:
            raise faults[0]


@runtime_checkable
class Keeper(Protocol):
    """Where sessions are kept beyond the process: the store."""

    def high_score(self, key: str) -> int:
        """The best score kept under a key; 0 when there is none."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Keep the latest change of the level at a place; `won` says whether the change has won it.

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
