"""Observers of a session's changes."""

from __future__ import annotations

from collections import deque
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from gridproof.core.position import Action, Outcome, Position
from gridproof.core.text.phrases import short_repr

KINDS = ("act", "undo", "redo", "restart", "new game", "select", "reload")
"""Kinds of changes; "reload" takes over the state that another session saved."""


class Change(NamedTuple):
    """A change of a session."""

    kind: str
    """One of `KINDS`."""
    place: int
    """Place of the level that was acted on, restarted or selected."""
    before: Position[Any]
    """Position of the session before the change."""
    after: Position[Any]
    """Position of the level at `place`: the won one, too, when the session has moved on."""
    steps: tuple[tuple[Action, Outcome[Any]], ...] = ()
    """Actions done or undone with their outcomes, the oldest first."""
    won: bool = False
    """True if it won the level at `place`."""
    passed: tuple[int, ...] = ()
    """Places of the levels that it completed."""
    current: int = 0
    """Place of the current level now."""


Source = TypeVar("Source")
News = TypeVar("News")
Source_contra = TypeVar("Source_contra", contravariant=True)
News_contra = TypeVar("News_contra", contravariant=True)


class Observer(Protocol[Source_contra, News_contra]):
    """An observer of changes: of a session, a `Change` each time."""

    def changed(self, source: Source_contra, news: News_contra, /) -> None:
        """Handle a change; the viewer may read the source."""


class Observers(Generic[Source, News]):
    """Observers in the order in which they came; all receive the same news in the same order."""

    def __init__(self) -> None:
        self._viewers: list[Observer[Source, News]] = []
        self._news: deque[tuple[Source, News]] = deque()

    def attach(self, viewer: Observer[Source, News]) -> None:
        """Attach a viewer, once; it receives all news from now on. TypeError when it has no function `changed`."""
        if not callable(getattr(viewer, "changed", None)):
            raise TypeError(
                f"a viewer has a function changed(source, news), which {short_repr(viewer)} has not"
            )
        if viewer not in self._viewers:
            self._viewers.append(viewer)

    def detach(self, viewer: Observer[Source, News]) -> None:
        """Detach a viewer; one that is not attached is no error."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)

    def tell(self, source: Source, news: News) -> None:
        """Tell all observers. News that one of them causes meanwhile follow after this.

        When a viewer raises an exception, the others are told all the same; the first exception is raised at the end.
        """
        if not self._viewers and not self._news:
            return
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
