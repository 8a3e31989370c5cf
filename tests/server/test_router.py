"""Tests of the router alone: connections wait for a request until it is closed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import pytest

from gridproof.server.multiprocess.router import Router, SocketPairs
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.multiprocess.supervisor import can_share

pytestmark = pytest.mark.skipif(not can_share(), reason="this system cannot hand over connections")


@contextlib.contextmanager
def open_pairs() -> Iterator[SocketPairs]:
    """Socket pairs of one process, on a port of their own."""
    pairs = SocketPairs.open(socket.create_server(("127.0.0.1", 0)), 1)
    try:
        yield pairs
    finally:
        for end in (pairs.listener, *pairs.inboxes, *pairs.outboxes):
            end.close()


async def _serve(connection: socket.socket) -> None:
    await asyncio.get_running_loop().sock_sendall(connection, b"here")
    connection.close()


async def _answer_to(pairs: SocketPairs, late: bool) -> bytes:
    """Return the answer to a client that connects before or after the router is closed."""
    router = Router(Shard(), pairs, str, _serve)
    with socket.create_connection(pairs.listener.getsockname()) as client:
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        try:
            if late:
                router.close()
                router.wait(pairs.listener.accept()[0])
            await loop.sock_sendall(client, b"GET / HTTP/1.1\r\n\r\n")
            return await asyncio.wait_for(loop.sock_recv(client, 16), 30)
        except ConnectionResetError:
            return b""
        finally:
            if not late:
                router.close()


@pytest.mark.parametrize(("late", "answer"), [(False, b"here"), (True, b"")])
def test_router_accepts_connections_until_closed(late: bool, answer: bytes) -> None:
    with open_pairs() as pairs:
        assert asyncio.run(_answer_to(pairs, late)) == answer
