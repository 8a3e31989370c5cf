"""The server's process: a socket, uvicorn, and its end."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import socket
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace

import uvicorn

from gridproof.core.errors import GridproofError
from gridproof.play.web.app import create_app
from gridproof.play.web.guard import LARGEST_BODY, OWN_NAMES
from gridproof.play.web.limits import Limits
from gridproof.store import GroupedStore

SWITCH = 0.0005
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
    """

    def __init__(
        self,
        listener: socket.socket,
        store: GroupedStore,
        host: str,
        names: Collection[str],
        each: int | None,
    ) -> None:
        self._socket = listener
        self._store = store
        limits = Limits()
        if each is not None:
            limits = replace(
                limits,
                connections_each=each,
                connections=max(each, limits.connections),
                sessions_each=each,
                jobs_each=max(each, limits.jobs_each),
                jobs_waiting=max(each, limits.jobs_waiting),
                requests_each_second=max(each, limits.requests_each_second),
                requests_at_once=max(2 * each, limits.requests_at_once),
            )
        known = {*names, *OWN_NAMES, host} if names or is_own(host) else None
        self._application = create_app(store, limits, known)
        self.url = f"http://{_shown(host)}:{listener.getsockname()[1]}/"

    def run(self) -> None:
        """Serve until it is told to end."""
        config = uvicorn.Config(
            self._application, log_level="warning", access_log=False, ws="websockets-sansio",
            ws_max_size=LARGEST_BODY, ws_per_message_deflate=False, timeout_graceful_shutdown=PATIENCE,
            server_header=False,
        )  # fmt: skip
        sys.setswitchinterval(SWITCH)
        gc.freeze()  # what is loaded by now stays
        gc.set_threshold(*GARBAGE)
        try:
            uvicorn.Server(config).run(sockets=[self._socket])
        except KeyboardInterrupt:
            pass
        finally:
            self._store.close()


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
