"""Server process: a socket, uvicorn, and shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import socket
import sys
from collections.abc import Collection, Iterator

import uvicorn

from gridproof.core.errors import GridproofError
from gridproof.server.app import create_app
from gridproof.server.middleware import LARGEST_BODY, OWN_NAMES, RequestGuard
from gridproof.server.multiprocess.router import RoutedConnection, Router, SessionOf, SocketPairs
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.multiprocess.supervisor import ProcessLock, Supervisor, can_share
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore, Store

SWITCH = 0.0002
"""Seconds between two thread switches: after each send, the event loop waits for other threads."""
GARBAGE = (10_000, 2, 300)
"""Thresholds of the garbage collector. A move creates dozens of objects and hardly any cycle, and all players wait for
a collection: it takes a microsecond an object.
"""
PATIENCE = 3
"""Seconds for open connections at shutdown."""


@contextlib.contextmanager
def open_listener(host: str, port: int) -> Iterator[socket.socket]:
    """Open a listening socket.

    Raises
    ------
    GridproofError
        If the address cannot be used.
    """
    try:
        ((family, _, _, _, address), *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        listener = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        raise GridproofError(f"{host}:{port}: {error.strerror or error}") from None
    with listener:
        yield listener


class GracefulServer(uvicorn.Server):
    """Server that answers waiting requests at once when it stops."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if isinstance(self.config.app, RequestGuard):
            self.config.app.context.refuse_work()
        await super().shutdown(sockets)


class SharedServer(GracefulServer):
    """One of several server processes; it stops as soon as the pipe of the parent process is readable."""

    def __init__(
        self, config: uvicorn.Config, shard: Shard, pairs: SocketPairs, session_of: SessionOf, parent: int
    ) -> None:
        super().__init__(config)
        self._shard, self._pairs, self._session_of, self._parent_pipe = shard, pairs, session_of, parent
        self._router: Router

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        asyncio.get_running_loop().add_reader(self._parent_pipe, self._end)
        self._router = Router(self._shard, self._pairs, self._session_of, self._serve_on)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._router.close()
        await super().shutdown([])

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._parent_pipe)
        self.should_exit = True

    async def _serve_on(self, connection: socket.socket) -> None:
        state = self.config, self.server_state, self.lifespan.state
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(
                lambda: RoutedConnection(self._router.wait, *state), connection
            )
        except OSError:  # the client has disconnected
            connection.close()


class Server:
    """A server on a socket.

    Parameters
    ----------
    host : str
        Host name; with a loopback host, other names are refused.
    names : collection of str
        Further accepted host names; without them, a host that is not loopback accepts any.
    each : int, optional
        Maximum of connections, new games in an hour, and jobs of one client.
    processes : int
        Number of processes, each with its shard of the sessions.
    store : str, optional
        The store's URL.
    puzzles_ahead : int
        Puzzles of each kind and difficulty that are made ahead.

    Raises
    ------
    GridproofError
        If the store cannot be opened, or this system does not support several processes.
    """

    def __init__(
        self,
        listener: socket.socket,
        host: str,
        names: Collection[str] = (),
        each: int | None = None,
        processes: int = 1,
        store: str | None = None,
        puzzles_ahead: int = 2,
    ) -> None:
        if processes > 1 and not can_share():
            raise GridproofError(f"{processes} processes: this system supports one process only")
        Store(store).close()
        self._socket, self._store, self._processes = listener, store, processes
        limits = Limits(puzzles_ahead=puzzles_ahead)
        self.limits = limits if each is None else limits.for_each(each)
        self._names = {*names, *OWN_NAMES, host} if names or is_loopback(host) else None
        self.url = f"http://{_browser_host(host)}:{listener.getsockname()[1]}/"

    def run(self) -> None:
        """Serve until a signal stops it."""
        gc.freeze()  # loaded modules stay, in all processes
        if self._processes == 1:
            self._serve()
            return
        pairs, lock = SocketPairs.open(self._socket, self._processes), ProcessLock()
        Supervisor(
            self._processes, lambda number, parent: self._serve_share(number, pairs, lock, parent)
        ).run()

    def _serve(self) -> None:
        """Serve alone."""
        with self._open(Shard()) as (_, config):
            GracefulServer(config).run(sockets=[self._socket])

    def _serve_share(self, number: int, pairs: SocketPairs, lock: ProcessLock, parent: int) -> None:
        """Serve one shard, until the pipe of the parent process is readable."""
        shard = Shard(number, self._processes)
        with self._open(shard, lock) as (store, config):
            SharedServer(config, shard, pairs, store.invitations.session_of, parent).run()

    @contextlib.contextmanager
    def _open(
        self, shard: Shard, lock: ProcessLock | None = None
    ) -> Iterator[tuple[GroupedStore, uvicorn.Config]]:
        store = GroupedStore(self._store, lock)
        limits = self.limits.for_secondary_process() if shard.number else self.limits
        config = uvicorn.Config(
            create_app(store, limits, self._names, shard=shard), log_level="warning", access_log=False,
            ws="websockets-sansio", ws_max_size=LARGEST_BODY, ws_per_message_deflate=False,
            timeout_graceful_shutdown=PATIENCE, server_header=False,
        )  # fmt: skip
        sys.setswitchinterval(SWITCH)
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        try:
            yield store, config
        except KeyboardInterrupt:
            pass
        finally:
            store.close()


def _browser_host(host: str) -> str:
    """Return a host as part of a URL for a browser on this machine."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "localhost"
    return f"[{host}]" if address.version == 6 else host


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address or name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
