"""Server context: state that the parts of a server share."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from starlette.requests import HTTPConnection

from gridproof.analysis.json_data import Data
from gridproof.core.limit import Limit
from gridproof.core.registry import game_names
from gridproof.server.errors import RequestError
from gridproof.server.fair_executor import FairExecutor, HeavyClientQueue, ProcessorUse
from gridproof.server.jobs import JobQueue
from gridproof.server.live.session_registry import SessionRegistry
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.offline.table_cache import TableCache
from gridproof.server.puzzle_stock import PuzzleStock
from gridproof.server.rate_limits import Buckets, Limits
from gridproof.server.static_files import StaticFiles
from gridproof.server.text_reader import TextReader
from gridproof.store import GroupedStore

if TYPE_CHECKING:
    from gridproof.jobs.worker_pool import WorkerPool
    from gridproof.table.status_prover import StatusProver


Result = TypeVar("Result")


class RecentStart(NamedTuple):
    """Data of the start screen on a day, valid until a time of the monotonic clock."""

    data: Data
    day: datetime.date
    until: float


class ServerContext:
    """Sessions, jobs, static files and limits of one server."""

    def __init__(
        self,
        store: GroupedStore,
        limits: Limits,
        shard: Shard,
        workers: Callable[[], WorkerPool] | None = None,
    ) -> None:
        self.limits = limits
        self.shard = shard
        self.registry = SessionRegistry(store, limits, shard)
        self.jobs = JobQueue(limits, workers)
        self.puzzles = PuzzleStock(store, limits, self.jobs, shard)
        self.tables = TableCache(limits, workers, shard)
        self.files = StaticFiles()
        self.connections: Counter[str] = Counter()
        """WebSockets by client."""
        self.requests = Buckets(limits.requests_each_second, limits.requests_at_once)
        """Requests by client that use sessions."""
        self.bytes = Buckets(limits.bytes_each_second, limits.bytes_at_once)
        """Received bytes by client."""
        self.use = ProcessorUse(limits.processor_each, busy=limits.processor_all)
        self.executor = FairExecutor(self.use)
        self.turns = HeavyClientQueue(self.use)
        self.reader = TextReader(limits, self.use, workers)
        self.recent_start: RecentStart | None = None
        """Latest data of the start screen."""
        self._prover: StatusProver | None = None
        self._new_sessions = Buckets(limits.sessions_each / 3600, limits.sessions_each)

    def prover(self) -> StatusProver:
        """Return the status prover, which is created on first use."""
        from gridproof.table.status_prover import StatusProver

        if self._prover is None:
            limits = self.limits
            limit = Limit(seconds=limits.proof_seconds, memory=limits.job_memory)
            self._prover = StatusProver(limits.provers, limit, game_names(), has_short_attempt=True)
        return self._prover

    def refuse_work(self) -> None:
        """Fail waiting and new requests that need a thread or the text reader, because the server ends."""
        self.executor.shutdown(wait=False)
        self.reader.close()

    def close(self) -> None:
        """Stop all work."""
        self.puzzles.close()
        self.jobs.close()
        self.tables.close()
        self.reader.close()
        self.executor.shutdown()
        if self._prover is not None:
            self._prover.close()

    async def read_text(self, length: int, read: Callable[[], Result]) -> Result:
        """Read a text of `length` characters outside the event loop; `read` must be picklable."""
        return await self.reader.run(length, read)

    async def read_checked(self, text: str, read: Callable[..., Result], *arguments: object) -> Result:
        """Check the length of a client's text, and read it as `read_text` does."""
        check_length(text, self.limits)
        return await self.read_text(len(text), partial(read, *arguments))

    def count_session(self, client: str) -> None:
        """Count a new session of a client against its limit.

        Raises
        ------
        RequestError
            If the client has created too many.
        """
        if not self._new_sessions.take(client):
            raise RequestError("limit", "too many new games; continue an existing one, or try again later")


def check_length(text: str, limits: Limits) -> None:
    """Check the length of a client's text; raise a RequestError if it is too long."""
    if len(text) > limits.text:
        raise RequestError("large", f"at most {limits.text} characters are accepted")


def context_of(connection: HTTPConnection) -> ServerContext:
    """Return the server context of a request."""
    context: ServerContext = connection.app.state.context
    return context
