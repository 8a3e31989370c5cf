"""Tests of connections: pages that do not read, that connect during a save, and stores that fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from tests.server.sites import HOST, Site

from gridproof.server import connection as sockets
from gridproof.store import StoreError

STRAIGHT = "#######\n#@ $ .#\n#######\n"


class UnreadSocket:
    """A socket whose other end does not read."""

    def __init__(self) -> None:
        self.sent = 0

    async def send_text(self, _: str) -> None:
        self.sent += 1
        await asyncio.Event().wait()

    async def receive(self) -> Any:
        await asyncio.Event().wait()

    async def close(self, code: int) -> None:
        await asyncio.Event().wait()


def on_new_session(
    url: str, monkeypatch: pytest.MonkeyPatch, check: Callable[[Any, sockets.Connection], Any]
) -> None:
    """Check a session that is loaded from the store, with the connection of a page that does not read."""
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.context.registry.sessions.clear()

    async def play() -> None:
        access, socket = await site.context.registry.access(name), cast("Any", UnreadSocket())
        await check(access.live, sockets.Connection(socket, access, site.context, "far"))

    asyncio.run(play())


def test_connection_is_closed_when_page_does_not_read(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(live: Any, page: sockets.Connection) -> None:
        running = asyncio.create_task(page.run())
        while page not in live.viewers:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        for _ in range(sockets.MOST_WAITING + 50):
            live.broadcast({"type": "news"})
        assert not page._waiting
        await running
        assert (live.viewers, live.views) == ([], {})

    on_new_session(url, monkeypatch, check)


def test_connection_sends_state_first(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(live: Any, page: sockets.Connection) -> None:
        async with live.lock:
            running = asyncio.create_task(page.run())
            for _ in range(5):
                await asyncio.sleep(0)
            live.broadcast({"type": "people"})
        while not page._waiting:
            await asyncio.sleep(0)
        assert page._waiting[0][0].startswith('{"type":"state"')
        page.disconnect()
        await running

    on_new_session(url, monkeypatch, check)


def test_connection_sends_new_viewer_saved_changes_only(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(live: Any, page: sockets.Connection) -> None:
        kept = asyncio.get_running_loop().create_future()
        monkeypatch.setattr(live.cached_store, "pending_save", lambda session: kept)
        running, socket = asyncio.create_task(page.run()), page.socket
        while not page._waiting:
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        assert (page._waiting[0][1], socket.sent) == (kept, 0)  # type: ignore[attr-defined]
        kept.set_result({})
        while not socket.sent:  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        page.disconnect()
        await running

    on_new_session(url, monkeypatch, check)


# -- the store


def test_best_counts_are_read_once_outside_event_loop(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    best_counts = site.store.best_counts

    def record(*given: Any) -> Any:
        asked.append(threading.get_ident())
        return best_counts(*given)

    monkeypatch.setattr(site.store, "best_counts", record)
    name = site.begin(pack="sokoban/first-steps")
    with site.page(name) as page, site.page(name):
        threads: list[int] = []
        site.client.portal.call(lambda: threads.append(threading.get_ident()))  # type: ignore[union-attr]
        page.do("level 2")
        page.do("level 1")
        assert len(asked) == 2
        assert threads[0] not in asked


def test_play_continues_when_best_counts_cannot_be_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("the store is locked")

    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        monkeypatch.setattr(site.store, "best_counts", broken)
        assert page.do("level 2")["now"]["level"] == 2
        assert page.now["best"] == {}


def test_best_counts_are_read_again_after_store_failure(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("the store is locked")

    name = site.begin(text=STRAIGHT)
    site.context.registry.drop(name)
    with monkeypatch.context() as patch:
        patch.setattr(site.store, "resume", broken)
        with site.client.websocket_connect(f"/ws/{name}", headers={"origin": HOST}) as socket:
            assert socket.receive()["code"] == 1012
    assert not site.context.connections
    with site.page(name) as page:
        assert page.state["id"] == name
