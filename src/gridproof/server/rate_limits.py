"""What one client, and all together, may ask of a server."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken from clients; a client is an address of the network."""

    connections: int = 4000
    """WebSockets at once, of all."""
    connections_each: int = 60
    """Of one client."""
    sessions_each: int = 240
    """That one client may make in an hour."""
    messages_each_second: float = 40.0
    """From one WebSocket, over some time."""
    messages_at_once: int = 120
    """From one WebSocket, in a burst."""
    requests_each_second: float = 40.0
    """Of one client, over some time."""
    requests_at_once: int = 240
    """Of one client, in a burst."""
    text: int = 256 * 1024
    """Characters of a text with levels."""
    trace: int = 1024 * 1024
    """Characters of a trace."""
    steps: int = 20_000
    """Of a trace."""
    levels: int = 2000
    """In one session."""
    jobs: int = 2
    """Long work at once, of all; more waits."""
    jobs_each: int = 2
    """Under way or waiting, of one client."""
    jobs_waiting: int = 60
    """Under way or waiting, of all."""
    job_seconds: float = 20.0
    """How long a job may take."""
    pack_seconds: float = 180.0
    """How long a pack may be analysed."""
    job_memory: int = 1 << 30
    """Bytes that the process of a job may hold."""
    table_seconds: float = 5.0
    """How long a table may take that a page takes along."""
    tables_waiting: int = 40
    """Being made or waiting, of all."""
    provers: int = 1
    """Processes that find out what is proved of positions."""
    proof_seconds: float = 5.0
    """How long one looks at a position, unless the next action ends it."""
    idle: float = 60.0
    """Seconds after which a session that nobody looks at leaves the memory."""

    def for_each(self, count: int) -> Limits:
        """Those of each client, for a server whose clients are so many behind one address."""
        return replace(
            self,
            connections_each=count,
            connections=max(count, self.connections),
            sessions_each=count,
            jobs_each=max(count, self.jobs_each),
            jobs_waiting=max(count, self.jobs_waiting),
            requests_each_second=max(count, self.requests_each_second),
            requests_at_once=max(2 * count, self.requests_at_once),
        )

    def beside(self) -> Limits:
        """Those of a process beside the first one, which alone does long work for programs: one job at once."""
        return replace(self, jobs=1)


class Bucket:
    """So many a second over some time, and so many in a burst."""

    __slots__ = ("_at_once", "_clock", "_each_second", "_left", "_since")

    def __init__(
        self, each_second: float, at_once: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each_second, self._at_once, self._clock = each_second, at_once, clock
        self._left, self._since = float(at_once), clock()

    def take(self) -> bool:
        """Take one; False when none is left."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._since) * self._each_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One bucket for each client; of the many that were seen, the latest."""

    MOST = 10_000

    def __init__(
        self, each_second: float, at_once: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._new = partial(Bucket, each_second, at_once, clock)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str) -> bool:
        """Take one for a client; False when none is left."""
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = self._new()
            if len(self._buckets) > self.MOST:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return bucket.take()
