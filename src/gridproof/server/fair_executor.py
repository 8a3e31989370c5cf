"""Fair use of a server's threads and event loop: clients take turns, heavy users come last."""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple, TypeVar

from gridproof.core.errors import GridproofError

Item = TypeVar("Item")

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Client of the current request; "" is the server itself."""
MOST_CLIENTS = 10_000
"""Latest clients with recorded processor use."""
ABOVE, MEAN_FOR = 2.0, 0.5
"""Multiple of the mean that one client may use when all use too much, and the seconds between two updates of the mean."""
HALF_LIFE = 5.0
"""Seconds after which recorded use counts half."""
PAUSE = 0.002
"""Seconds between two turns of heavy clients at the event loop."""
END = 1.0
"""Seconds that running calls have at shutdown; their threads do not keep the process alive."""


class TooManyJobs(GridproofError):
    """A client, or all clients together, have too many jobs."""


class ProcessorUse:
    """Recent processor use of each client.

    Parameters
    ----------
    share : float
        Share of one processor above which a client is heavy.
    busy : float
        Total share of one processor above which clients are heavy that use more than `ABOVE` times the mean.
    """

    def __init__(
        self, share: float, clock: Callable[[], float] = time.monotonic, busy: float = math.inf
    ) -> None:
        self._heavy, self._busy = share * HALF_LIFE / math.log(2), busy * HALF_LIFE / math.log(2)
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Client -> seconds, time of the last update."""
        self._mean, self._mean_until = math.inf, -math.inf

    def charge(self, client: str, seconds: float) -> None:
        """Add seconds of processor time."""
        self._used[client] = self.of(client) + seconds, self._clock()
        self._used.move_to_end(client)
        if len(self._used) > MOST_CLIENTS:
            self._used.popitem(last=False)

    def of(self, client: str) -> float:
        """Return a client's recent seconds; older ones count less."""
        used, when = self._used.get(client, (0.0, 0.0))
        return used * 0.5 ** ((self._clock() - when) / HALF_LIFE) if used else 0.0

    def is_heavy(self, client: str) -> bool:
        """Return whether a client is heavy: its calls wait for those of other clients."""
        used = self.of(client)
        return client != "" and used > min(self._heavy, self._busy_limit())

    def _busy_limit(self) -> float:
        """Return the seconds above which a client is heavy because all together use too much."""
        now = self._clock()
        if now >= self._mean_until:
            self._mean_until = now + MEAN_FOR
            latest = [name for name, (_, when) in self._used.items() if name and now - when < 2 * HALF_LIFE]
            total = sum(map(self.of, latest))
            self._mean = ABOVE * total / len(latest) if total > self._busy else math.inf
        return self._mean


def take_first(queues: dict[str, deque[Item]], client: str) -> Item:
    """Take the first item of a client, and drop its queue if that is empty then."""
    queue = queues[client]
    item = queue.popleft()
    if not queue:
        del queues[client]
    return item


class HeavyClientQueue:
    """Queue of heavy clients: they use the event loop one at a time, with pauses for the others.

    Parameters
    ----------
    use : ProcessorUse
    """

    def __init__(self, use: ProcessorUse) -> None:
        self._use = use
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._next: asyncio.TimerHandle | None = None

    async def wait(self, client: str) -> None:
        """Wait for the turn of a client; return at once if it is not heavy."""
        if not self._use.is_heavy(client):
            return
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        if self._next is None:
            self._next = loop.call_later(PAUSE, self._grant, loop)
        await turn

    def _grant(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the next turn to the client that has used least."""
        turn = take_first(self._waiting, min(self._waiting, key=self._use.of))
        if not turn.done():  # a client that left has cancelled it
            turn.set_result(None)
        self._next = loop.call_later(PAUSE, self._grant, loop) if self._waiting else None


class ServerShutdown(GridproofError):
    """The server is shutting down."""

    def __init__(self) -> None:
        super().__init__("The server is shutting down. Try again in a minute.")


class _Call(NamedTuple):
    future: Future[Any]
    run: Callable[[], Any]

    def fail(self, error: BaseException) -> None:
        """Set an exception on the call's future, unless it is done."""
        with contextlib.suppress(InvalidStateError):
            self.future.set_exception(error)


class FairExecutor(ThreadPoolExecutor):
    """Run calls in threads, first those of the client that has used the processor least.

    All heavy clients together have one thread at a time, so that the other threads stay free and the event loop
    shares the interpreter with few threads. It serves as the default executor of an event loop.

    Parameters
    ----------
    use : ProcessorUse
    threads : int
    each : int
        Maximum of waiting calls of one client.
    """

    def __init__(self, use: ProcessorUse, threads: int = 4, each: int = 100) -> None:
        super().__init__(1)  # `submit` is overridden, so that it never starts a thread
        self._use, self._most, self._each = use, threads, each
        self._changed = threading.Condition()
        self._queues: dict[str, deque[_Call]] = {}
        self._running: Counter[str] = Counter()
        self._under_way: set[_Call] = set()
        self._workers: list[threading.Thread] = []
        self._idle = 0
        self._ended = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a call for the current client.

        Raises
        ------
        TooManyJobs
            When too many calls of this client wait.
        ServerShutdown
            When the server ends.
        MemoryError
            When the system has no thread left.
        """
        client, future = CLIENT.get(), Future[Any]()
        with self._changed:
            if self._ended:
                raise ServerShutdown
            queue = self._queues.setdefault(client, deque())
            if client and len(queue) >= self._each:
                raise TooManyJobs("You have too many requests waiting. Try again in a minute.")
            queue.append(_Call(future, partial(fn, *args, **kwargs)))
            waiting = sum(map(len, self._queues.values()))
            if self._idle < waiting and len(self._workers) < self._most:
                self._begin_worker()
            self._changed.notify()
        return future

    def _begin_worker(self) -> None:
        worker = threading.Thread(target=self._work, name="blocking call", daemon=True)
        try:
            worker.start()
        except RuntimeError:
            if not self._workers:
                raise MemoryError from None
        else:
            self._workers.append(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down: fail the waiting calls, and abandon the running ones after a second."""
        with self._changed:
            self._ended = True
            waiting = [*self._under_way, *(call for queue in self._queues.values() for call in queue)]
            self._queues.clear()
            self._changed.notify_all()
        for call in waiting:
            call.fail(ServerShutdown())
        until = time.monotonic() + END
        for worker in self._workers if wait else ():
            worker.join(max(0.0, until - time.monotonic()))

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            client, call = taken
            begin = time.thread_time()
            if call.future.set_running_or_notify_cancel():
                try:
                    found = call.run()
                except BaseException as error:  # noqa: BLE001  # reported to the caller
                    call.fail(error)
                else:
                    with contextlib.suppress(InvalidStateError):
                        call.future.set_result(found)
                    del found
            with self._changed:
                self._under_way.discard(call)
                del call, taken
                self._use.charge(client, time.thread_time() - begin)
                self._running[client] -= 1
                if not self._running[client]:
                    del self._running[client]
                if self._queues:  # this thread takes one call, another thread may take the next
                    self._changed.notify()

    def _take(self) -> tuple[str, _Call] | None:
        """Wait for the next call; None when the server shuts down."""
        with self._changed:
            while not self._ended:
                client = self._next_client()
                if client is not None:
                    call = take_first(self._queues, client)
                    self._running[client] += 1
                    self._under_way.add(call)
                    return client, call
                self._idle += 1
                self._changed.wait()
                self._idle -= 1
            return None

    def _next_client(self) -> str | None:
        """Return the client with the least use among those that may start a call now."""
        heavy_runs = any(map(self._use.is_heavy, self._running))
        ready = [
            name
            for name in self._queues
            if not (heavy_runs and self._use.is_heavy(name)) and self._running[name] < max(1, self._most // 2)
        ]
        return min(ready, key=self._use.of, default=None)
