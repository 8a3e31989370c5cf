"""Rate limits of one client, and of all clients together."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server's clients; a client is a network address."""

    connections: int = 4000
    """WebSockets of all clients."""
    connections_each: int = 60
    """WebSockets of one client."""
    sessions_each: int = 240
    """New sessions of one client in an hour."""
    messages_each_second: float = 40.0
    """Messages from one WebSocket, on average."""
    messages_at_once: int = 120
    """Messages from one WebSocket, in a burst."""
    requests_each_second: float = 40.0
    """Requests of one client, on average."""
    requests_at_once: int = 240
    """Requests of one client, in a burst."""
    bytes_each_second: float = 512 * 1024
    """Bytes of bodies and messages of one client, on average."""
    bytes_at_once: int = 8 * 1024 * 1024
    """Bytes of bodies and messages of one client, in a burst."""
    processor_each: float = 0.1
    """Share of a processor above which the work of one client waits for others."""
    processor_all: float = 0.4
    """Total share of a processor above which clients wait that use much more than the mean."""
    cells: int = 10_000
    """Cells of a client's board."""
    pieces: int = 30_000
    """Pieces on a client's board."""
    memory: int = 1 << 30
    """Estimated bytes of all sessions in memory."""
    memory_each: int = 1 << 28
    """Estimated bytes of one client's sessions."""
    text: int = 256 * 1024
    """Characters of a text with levels."""
    trace: int = 1024 * 1024
    """Characters of a trace."""
    steps: int = 20_000
    """Steps of a trace."""
    levels: int = 2000
    """Levels of a session."""
    jobs: int = 2
    """Jobs that run at once; more wait."""
    jobs_each: int = 2
    """Running and waiting jobs of one client."""
    jobs_waiting: int = 60
    """Running and waiting jobs of all clients."""
    job_seconds: float = 20.0
    """Time limit of a job."""
    pack_seconds: float = 180.0
    """Time limit of the analysis of a pack."""
    job_memory: int = 1 << 30
    """Memory limit of a job's process."""
    table_seconds: float = 5.0
    """Time limit of a transition table."""
    tables_waiting: int = 40
    """Running and waiting transition tables of all clients."""
    provers: int = 1
    """Processes that prove the status of positions."""
    proof_seconds: float = 5.0
    """Time limit of the status of a position."""
    puzzles_ahead: int = 2
    """Puzzles of each kind and difficulty that are made ahead; 0 makes none ahead."""
    idle: float = 60.0
    """Seconds after which a session without viewers is evicted."""

    def for_each(self, count: int) -> Limits:
        """Return the limits of a server with `count` clients behind each address."""
        return replace(
            self,
            connections_each=count,
            connections=max(count, self.connections),
            sessions_each=count,
            jobs_each=max(count, self.jobs_each),
            jobs_waiting=max(count, self.jobs_waiting),
            requests_each_second=max(count, self.requests_each_second),
            requests_at_once=max(2 * count, self.requests_at_once),
            bytes_each_second=max(8192.0 * count, self.bytes_each_second),
            bytes_at_once=max(131_072 * count, self.bytes_at_once),
            processor_each=max(0.01 * count, self.processor_each),
            processor_all=math.inf,
            memory_each=self.memory,
        )

    def for_secondary_process(self) -> Limits:
        """Return the limits of a process besides the first one: one job at once."""
        return replace(self, jobs=1)


class Bucket:
    """Token bucket: a rate per second on average, and a larger number in a burst."""

    __slots__ = ("_at_once", "_clock", "_each_second", "_left", "_since")

    def __init__(
        self, each_second: float, at_once: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each_second, self._at_once, self._clock = each_second, at_once, clock
        self._left, self._since = float(at_once), clock()

    def take(self, number: int = 1) -> bool:
        """Take `number` tokens, even if fewer are left; False if none is left."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._since) * self._each_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= number
        return True


class Buckets:
    """One bucket for each of the latest clients."""

    MOST = 10_000

    def __init__(self, each_second: float, at_once: float) -> None:
        self._new = partial(Bucket, each_second, at_once)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, number: int = 1) -> bool:
        """Take `number` tokens for a client; False if none is left."""
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = self._new()
            if len(self._buckets) > self.MOST:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return bucket.take(number)
