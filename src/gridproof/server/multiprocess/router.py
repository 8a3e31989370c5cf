"""Router of connections to the process that answers them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gridproof.core.errors import GridproofError
from gridproof.server.multiprocess.shard import Shard, target_of

OPEN = 10.0
"""Seconds that a connection may wait for a request."""
LINE = 4096
"""Bytes of a request that are peeked at, with its first line."""
ROUND = 64
"""Connections that are accepted at once."""
AGAIN = 0.05
"""Seconds between two attempts to hand over or to flush a connection."""

SessionOf = Callable[[str], str]
"""Returns the session's id for an id that may be an invitation's; called in a thread."""


@dataclass(frozen=True, slots=True)
class SocketPairs:
    """Sockets that the processes of a server share: a listener, and a pair for each process."""

    listener: socket.socket
    inboxes: tuple[socket.socket, ...]
    outboxes: tuple[socket.socket, ...]
    """Other ends of the inboxes, in the same order."""

    @classmethod
    def open(cls, listener: socket.socket, count: int) -> SocketPairs:
        """Create one socket pair for each of `count` processes."""
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(count)]
        for end in (listener, *(end for pair in pairs for end in pair)):
            end.setblocking(False)
        return cls(listener, tuple(inbox for inbox, _ in pairs), tuple(outbox for _, outbox in pairs))


class Router:
    """Accept connections and hand each to the process that answers its request.

    The router peeks at the first line of the request, so the process that gets the connection reads the whole request.
    After the answer the connection returns to the router of that process, because the next request may need another one.

    Parameters
    ----------
    shard : Shard
        The shard of this process.
    session_of : function
    serve : function
        Answers the request on a connection.
    """

    def __init__(
        self,
        shard: Shard,
        pairs: SocketPairs,
        session_of: SessionOf,
        serve: Callable[[socket.socket], Coroutine[Any, Any, object]],
    ) -> None:
        self._shard, self._pairs = shard, pairs
        self._session_of, self._serve = session_of, serve
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[socket.socket, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._closed = False
        self._inbox = pairs.inboxes[shard.number]
        self._loop.add_reader(pairs.listener, self._accept)
        self._loop.add_reader(self._inbox, self._receive)

    def close(self) -> None:
        """Stop accepting, and close the waiting connections."""
        self._closed = True
        self._loop.remove_reader(self._pairs.listener)
        self._loop.remove_reader(self._inbox)
        for connection in [*self._waiting]:
            self._leave(connection)
            connection.close()

    def wait(self, connection: socket.socket) -> None:
        """Let a connection wait for a request."""
        if self._closed:
            connection.close()
            return
        self._waiting[connection] = self._loop.call_later(OPEN, self._give_up, connection)
        self._loop.add_reader(connection, self._look, connection)

    # -- inside

    def _accept(self) -> None:
        for _ in range(ROUND):
            try:
                connection, _ = self._pairs.listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return  # another process has accepted it, or it is closed
            except OSError as error:  # too many files are open
                logging.getLogger(__name__).warning("could not accept a connection: %s", error)
                self._loop.remove_reader(self._pairs.listener)
                self._loop.call_later(1.0, self._accept_again)
                return
            connection.setblocking(False)
            self.wait(connection)

    def _accept_again(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._pairs.listener, self._accept)

    def _receive(self) -> None:
        """Receive connections from other processes."""
        for _ in range(ROUND):
            try:
                _, files, _, _ = socket.recv_fds(self._inbox, 1, 1)
            except (BlockingIOError, InterruptedError):
                return
            for file in files:
                self._answer(socket.socket(fileno=file))

    def _leave(self, connection: socket.socket) -> None:
        self._loop.remove_reader(connection)
        self._waiting.pop(connection).cancel()

    def _give_up(self, connection: socket.socket) -> None:
        self._leave(connection)
        connection.close()

    def _look(self, connection: socket.socket) -> None:
        """Peek at the request of a connection."""
        try:
            head = connection.recv(LINE, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            head = b""
        if b"\n" not in head and 0 < len(head) < LINE and _wait_for_more(connection, len(head)):
            return
        self._leave(connection)
        if head:
            self._do(self._direct(connection, head))
        else:
            connection.close()

    async def _direct(self, connection: socket.socket, head: bytes) -> None:
        with contextlib.suppress(OSError):  # it is closed
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        target = target_of(head)
        holder = target.process
        if target.session is not None:
            with contextlib.suppress(GridproofError):  # the process that answers reports the same error
                holder = self._shard.holder(await asyncio.to_thread(self._session_of, target.session))
        if holder == self._shard.number or holder >= self._shard.count:
            await self._serve(connection)
        else:
            self._hand(connection, holder)

    def _hand(self, connection: socket.socket, holder: int) -> None:
        """Hand a connection to another process."""
        try:
            socket.send_fds(self._pairs.outboxes[holder], [b"c"], [connection.fileno()])
        except (BlockingIOError, InterruptedError):  # its inbox is full
            self._loop.call_later(AGAIN, self._hand, connection, holder)
            return
        except OSError as error:
            logging.getLogger(__name__).warning("could not hand over a connection: %s", error)
        connection.close()

    def _answer(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._do(self._serve(connection))

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _wait_for_more(connection: socket.socket, length: int) -> bool:
    """Wait until a connection has more than `length` bytes; return False if it has ended."""
    with contextlib.suppress(OSError):
        if connection.getsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT) <= length:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, length + 1)
            return True
    return False


class RoutedConnection(H11Protocol):
    """A connection that returns to the router after each answer."""

    def __init__(self, give_back: Callable[[socket.socket], None], *parts: Any) -> None:
        super().__init__(*parts)
        self._give_back = give_back

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._leave_if_idle()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._leave_if_idle()  # the rest of a request may come after its answer

    def _leave_if_idle(self) -> None:
        answered = self.cycle is not None and self.cycle.response_complete
        idle = answered and self.conn.our_state is h11.IDLE and not self.conn.trailing_data[0]
        if idle and not self.transport.is_closing():
            self.transport.pause_reading()
            self.loop.call_soon(self._leave)

    def _leave(self) -> None:
        """Return the connection to the router after the answer, since another process may answer the next request."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():
            self.loop.call_later(AGAIN, self._leave)
            return
        self._unset_keepalive_if_required()
        with contextlib.suppress(OSError):  # too many files are open
            file = self.transport.get_extra_info("socket").fileno()
            self._give_back(socket.socket(fileno=os.dup(file)))
        self.transport.close()
