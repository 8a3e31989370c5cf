"""Where connections wait for a request, and are handed to the process that answers it."""

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
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from gridproof.core.errors import GridproofError
from gridproof.play.web.share import Share, asked_in

OPEN = 10.0
"""Seconds that a connection is kept open for its first request, or the next one."""
LINE = 4096
"""Bytes of a request that are looked at: its first line is among them."""
ROUND = 64
"""Connections that are taken before others have their turn."""
AGAIN = 0.05
"""Seconds after which something is tried again: a hand-over for which there was no room, output that is not read."""

SessionOf = Callable[[str], str]
"""Gives a session's id for an id that may be an invitation's; is called in a thread."""


@dataclass(frozen=True, slots=True)
class Doors:
    """What the processes of a server share: where clients come in, and where each process is handed connections."""

    listener: socket.socket
    inboxes: tuple[socket.socket, ...]
    outboxes: tuple[socket.socket, ...]
    """What is sent there comes in at the inbox of the same place."""

    @classmethod
    def open(cls, listener: socket.socket, count: int) -> Doors:
        """Those of so many processes."""
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(count)]
        for end in (listener, *(end for pair in pairs for end in pair)):
            end.setblocking(False)
        return cls(listener, tuple(inbox for inbox, _ in pairs), tuple(outbox for _, outbox in pairs))


class Lobby:
    """Takes connections, and hands each one to the process that its request is for.

    The request's first line is looked at, and nothing of it is read: so the process that gets the connection
    reads the whole request. After the answer the connection comes back to the lobby of that process,
    for the next request may be another one's.

    Parameters
    ----------
    share : Share
        Which process this is.
    session_of : function
    serve : function
        Answers the request on a connection.
    """

    def __init__(
        self,
        share: Share,
        doors: Doors,
        session_of: SessionOf,
        serve: Callable[[socket.socket], Coroutine[Any, Any, object]],
    ) -> None:
        self._share, self._doors = share, doors
        self._session_of, self._serve = session_of, serve
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[socket.socket, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._closed = False
        self._inbox = doors.inboxes[share.number]
        self._loop.add_reader(doors.listener, self._accept)
        self._loop.add_reader(self._inbox, self._receive)

    def close(self) -> None:
        """Take no more connections, and close those that wait."""
        self._closed = True
        self._loop.remove_reader(self._doors.listener)
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
                connection, _ = self._doors.listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return  # another process has taken it, or it has gone
            except OSError as error:  # too many files are open
                logging.getLogger(__name__).warning("a connection could not be taken: %s", error)
                self._loop.remove_reader(self._doors.listener)
                self._loop.call_later(1.0, self._accept_again)
                return
            connection.setblocking(False)
            self.wait(connection)

    def _accept_again(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._doors.listener, self._accept)

    def _receive(self) -> None:
        """Take what other processes hand over."""
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
        """See what a connection asks for."""
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
        with contextlib.suppress(OSError):  # it has ended
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        asked = asked_in(head)
        holder = asked.process
        if asked.session is not None:
            with contextlib.suppress(GridproofError):  # whoever answers meets the same fault, and tells it
                holder = self._share.holder(await asyncio.to_thread(self._session_of, asked.session))
        if holder == self._share.number or holder >= self._share.count:
            await self._serve(connection)
        else:
            self._hand(connection, holder)

    def _hand(self, connection: socket.socket, holder: int) -> None:
        """Hand a connection to another process."""
        try:
            socket.send_fds(self._doors.outboxes[holder], [b"c"], [connection.fileno()])
        except (BlockingIOError, InterruptedError):  # it has much to take already
            self._loop.call_later(AGAIN, self._hand, connection, holder)
            return
        except OSError as error:
            logging.getLogger(__name__).warning("a connection could not be handed over: %s", error)
        connection.close()

    def _answer(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._do(self._serve(connection))

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _wait_for_more(connection: socket.socket, length: int) -> bool:
    """Let a connection be readable when it has more than so many bytes; False where no more comes: it has ended."""
    with contextlib.suppress(OSError):
        if connection.getsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT) <= length:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, length + 1)
            return True
    return False


class _Connection(H11Protocol):
    """A connection that goes back to the lobby when its request has been answered."""

    def __init__(self, back: Callable[[socket.socket], None], *parts: Any) -> None:
        super().__init__(*parts)
        self._back = back

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
        """Go back as soon as the answer is sent: the next one may come from another process."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():
            self.loop.call_later(AGAIN, self._leave)
            return
        self._unset_keepalive_if_required()
        with contextlib.suppress(OSError):  # too many files are open
            file = self.transport.get_extra_info("socket").fileno()
            self._back(socket.socket(fileno=os.dup(file)))
        self.transport.close()


class SharedServer(uvicorn.Server):
    """One of several processes that serve together, until a file is readable: it is, when the first one has gone."""

    def __init__(
        self, config: uvicorn.Config, share: Share, doors: Doors, session_of: SessionOf, gone: int
    ) -> None:
        super().__init__(config)
        self._share, self._doors, self._session_of, self._gone = share, doors, session_of, gone
        self._lobby: Lobby

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        asyncio.get_running_loop().add_reader(self._gone, self._end)
        self._lobby = Lobby(self._share, self._doors, self._session_of, self._serve_on)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._lobby.close()
        await super().shutdown([])

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._gone)
        self.should_exit = True

    async def _serve_on(self, connection: socket.socket) -> None:
        state = self.config, self.server_state, self.lifespan.state
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(lambda: _Connection(self._lobby.wait, *state), connection)
        except OSError:  # the client has gone
            connection.close()
