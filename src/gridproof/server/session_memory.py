"""Memory of sessions: the size of their boards, and an estimate of their bytes."""

from __future__ import annotations

import dataclasses
import functools
import math
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.observers import Change
from gridproof.core.position import Level, Position
from gridproof.core.session import Session
from gridproof.server.rate_limits import Limits

SESSION = 50_000
"""Bytes of a session on a small board."""
CELL = 1_000
"""Bytes of a cell of a board, with the data of rules and picture."""
STEP = 600
"""Bytes of a step, without the new parts of its position."""


class TooLarge(GridproofError):
    """An input is larger than the server accepts."""


class ServerOverloaded(GridproofError):
    """The server has no memory or time left for a request."""

    def __init__(
        self,
        message: str = "The server is out of memory. Close other games, or try again in a minute.",
    ) -> None:
        super().__init__(message)


def check_boards(levels: Iterable[Level], limits: Limits) -> None:
    """Check that the boards of levels are within the limits.

    Raises
    ------
    TooLarge
        If a board is too large.
    """
    for level in levels:
        check_board(level.start(), limits)


def check_board(position: Position[Any], limits: Limits) -> None:
    """Check the board of a position; errors as of `check_boards`."""
    cells = _count_cells(position)
    if cells <= limits.cells:
        cells, pieces = _board_size(position)
        if pieces > limits.pieces:
            raise TooLarge(
                f"This board has {cells:,} cells and {pieces:,} pieces. "
                f"In a browser a board has at most {limits.pieces:,} pieces."
            )
    if cells > limits.cells:
        raise TooLarge(
            f"This board has {cells:,} cells. In a browser a board has at most {limits.cells:,} cells. "
            "Play larger ones with gridproof play."
        )


def check_steps(start: Position[Any], count: int, limits: Limits) -> None:
    """Check that `count` steps from a position fit into the memory of one client; errors as of `check_boards`."""
    largest = max((sys.getsizeof(getattr(start, name)) for name in _fields(type(start))), default=0)
    if count * (STEP + largest) > limits.memory_each:
        raise TooLarge(f"On a board of this size the server cannot hold {count:,} steps.")


def board_memory(session: Session) -> int:
    """Estimate the bytes of a session, without its steps."""
    return SESSION + CELL * _board_size(session.position)[0]


class MemoryUse:
    """Bytes of the sessions in memory by client, also while threads play them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_client: Counter[str] = Counter()

    def add(self, client: str, size: int) -> None:
        """Add bytes, or subtract them."""
        with self._lock:
            self._by_client[client] += size
            if not self._by_client[client]:
                del self._by_client[client]

    def by_client(self) -> Counter[str]:
        """Return the bytes of each client."""
        with self._lock:
            return self._by_client.copy()


class SessionMemory:
    """Observer of a session that estimates its memory."""

    def __init__(self, session: Session) -> None:
        self._current = -1
        self._size = 0
        self._lock = threading.Lock()
        """The size changes in the thread that plays, and the client in the event loop."""
        self._use: tuple[MemoryUse, str] | None = None
        self.cells = 0
        """Cells of the current board."""
        self._count(session)
        session.attach(self)

    @property
    def size(self) -> int:
        """Bytes."""
        return self._size

    @size.setter
    def size(self, size: int) -> None:
        with self._lock:
            more, self._size = size - self._size, size
            if self._use is not None:
                use, client = self._use
                use.add(client, more)

    def join(self, use: MemoryUse, client: str) -> None:
        """Count this memory as a client's from now on."""
        with self._lock:
            self._use = use, client
            use.add(client, self._size)

    def leave(self) -> None:
        """Count it no longer."""
        with self._lock:
            if self._use is not None:
                (use, client), self._use = self._use, None
                use.add(client, -self._size)

    def changed(self, session: Session, change: Change) -> None:
        """Add the memory of a change."""
        if session.current != self._current or change.kind in ("new game", "reload"):
            self._count(session)
        elif change.kind == "act":
            self.size += _step_memory(change.before, change.after)

    def _count(self, session: Session) -> None:
        self._current, self.cells = session.current, _board_size(session.position)[0]
        positions = session.history[::-1]
        self.size = board_memory(session) + sum(map(_step_memory, positions, positions[1:]))


def _board_size(position: Position[Any]) -> tuple[int, int]:
    """Count the cells of a position's board, and the pieces on them."""
    rows = position.level.game.look.board(position)
    return sum(map(len, rows)), sum(len(cell) for row in rows for cell in row)


def _count_cells(position: Position[Any]) -> int:
    """Count the cells of a board without drawing it; 0 if the game cannot."""
    size = position.level.game.look.size
    return 0 if size is None else math.prod(size(position))


def _step_memory(before: Position[Any], after: Position[Any]) -> int:
    size = STEP
    for name in _fields(type(after)):
        new = getattr(after, name, None)
        if new is not getattr(before, name, None):
            size += sys.getsizeof(new)
    return size


@functools.cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()
