"""The server's process: a socket, uvicorn, and its end."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import socket
import sys
from collections.abc import Collection, Iterator

import uvicorn

from gridproof.core.errors import GridproofError
from gridproof.play.web.app import create_app
from gridproof.play.web.guard import LARGEST_BODY, OWN_NAMES
from gridproof.play.web.limits import Limits
from gridproof.play.web.lobby import Doors, SharedServer
from gridproof.play.web.processes import Processes, Turn, can_share
from gridproof.play.web.share import Share
from gridproof.store import GroupedStore, Store

SWITCH = 0.0002
"""Seconds that the loop waits for other threads' turns: each time it sends, those that write or search go on."""
GARBAGE = (10_000, 2, 300)
"""New objects after which the collector looks for cycles among them, after how many of these rounds also among what
came since the last such round, and after how many of those everywhere. A move leaves dozens of objects and hardly any
cycle, and all players wait for a round: it takes a microsecond an object.
"""
PATIENCE = 3
"""Seconds that pages have to go when the server ends."""


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens there.

    Raises
    ------
    GridproofError
        When it cannot.
    """
    try:
        ((family, _, _, _, address), *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        listener = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        raise GridproofError(f"{host}:{port}: {error.strerror or error}") from None
    with listener:
        yield listener


class Server:
    """A server on a socket.

    Parameters
    ----------
    host : str
        As it was named: where that is this machine, other names are not served.
    names : collection of str
        Names that it is reached by, too; with none of them and another host, any.
    each : int, optional
        Connections, new games in an hour, and long work under way or waiting, of one client.
    processes : int
        How many serve together, each with its share of the sessions.
    store : str, optional
        The store's URL.

    Raises
    ------
    GridproofError
        When the store cannot be opened, or this system has no way to serve with several processes.
    """

    def __init__(
        self,
        listener: socket.socket,
        host: str,
        names: Collection[str] = (),
        each: int | None = None,
        processes: int = 1,
        store: str | None = None,
    ) -> None:
        if processes > 1 and not can_share():
            raise GridproofError(f"{processes} processes: on this system one serves alone")
        Store(store).close()
        self._socket, self._store, self._processes = listener, store, processes
        self.limits = Limits() if each is None else Limits().for_each(each)
        self._names = {*names, *OWN_NAMES, host} if names or is_own(host) else None
        self.url = f"http://{_shown(host)}:{listener.getsockname()[1]}/"

    def run(self) -> None:
        """Serve until it is told to end."""
        gc.freeze()  # what is loaded by now stays, for all processes
        if self._processes == 1:
            self._serve()
            return
        doors, turn = Doors.open(self._socket, self._processes), Turn()
        Processes(self._processes, lambda number, gone: self._serve_share(number, doors, turn, gone)).run()

    def _serve(self) -> None:
        """Serve alone."""
        with self._opened(Share()) as (_, config):
            uvicorn.Server(config).run(sockets=[self._socket])

    def _serve_share(self, number: int, doors: Doors, turn: Turn, gone: int) -> None:
        """Serve what falls to the process of a number, until that file is readable."""
        share = Share(number, self._processes)
        with self._opened(share, turn) as (store, config):
            SharedServer(config, share, doors, store.invitations.session_of, gone).run()

    @contextlib.contextmanager
    def _opened(
        self, share: Share, turn: Turn | None = None
    ) -> Iterator[tuple[GroupedStore, uvicorn.Config]]:
        store = GroupedStore(self._store, turn)
        limits = self.limits.beside() if share.number else self.limits
        config = uvicorn.Config(
            create_app(store, limits, self._names, share=share), log_level="warning", access_log=False,
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


def _shown(host: str) -> str:
    """A host's address as a browser on this machine takes it."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "localhost"
    return f"[{host}]" if address.version == 6 else host


def is_own(host: str) -> bool:
    """Whether an address is of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
