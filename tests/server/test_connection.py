"""Who hears what: pages that do not read, that come while something is kept, and while the store does not answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.play.web.sites import HOST, Site

from gridproof.play.web import socket as sockets
from gridproof.play.web import wire
from gridproof.store import StoreError

STRAIGHT = "#######\n#@ $ .#\n#######\n"


class Deaf:
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


def in_room(site: Site, name: str, deed: Callable[[Any, Any], Any]) -> None:
    """Do something with a room and a page that does not read."""

    async def play() -> None:
        guest = await site.house.rooms.guest(name)
        socket: Any = Deaf()
        await deed(guest.room, sockets.Page(socket, guest, site.house, "far"))

    asyncio.run(play())


def test_a_page_that_does_not_read_is_let_go(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.house.rooms.rooms.clear()

    async def deed(room: Any, page: sockets.Page) -> None:
        running = asyncio.create_task(page.run())
        while page not in room.ears:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        for _ in range(wire.MOST_WAITING + 50):
            room.tell_all({"type": "news"})
        assert not page._waiting
        await running
        assert (room.ears, room.seats) == ([], {})

    in_room(site, name, deed)


def test_the_first_that_a_page_hears_is_the_state(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.house.rooms.rooms.clear()

    async def deed(room: Any, page: sockets.Page) -> None:
        async with room.lock:
            running = asyncio.create_task(page.run())
            for _ in range(5):
                await asyncio.sleep(0)
            room.tell_all({"type": "people"})
        while not page._waiting:
            await asyncio.sleep(0)
        assert page._waiting[0][0].startswith('{"type":"state"')
        page.cut()
        await running

    in_room(site, name, deed)


def test_a_newcomer_is_told_nothing_that_is_not_kept(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.house.rooms.rooms.clear()

    async def deed(room: Any, page: sockets.Page) -> None:
        kept = asyncio.get_running_loop().create_future()
        monkeypatch.setattr(room.keeping, "kept", lambda session: kept)
        running, socket = asyncio.create_task(page.run()), page.socket
        while not page._waiting:
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        assert (page._waiting[0][1], socket.sent) == (kept, 0)  # type: ignore[attr-defined]
        kept.set_result({})
        while not socket.sent:  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        page.cut()
        await running

    in_room(site, name, deed)


# -- the store


def test_the_best_counts_are_read_beside_the_loop_and_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    best_counts = site.store.best_counts

    def noted(*given: Any) -> Any:
        asked.append(threading.get_ident())
        return best_counts(*given)

    monkeypatch.setattr(site.store, "best_counts", noted)
    name = site.begin(pack="sokoban/first-steps")
    with site.page(name) as page, site.page(name):
        threads: list[int] = []
        site.client.portal.call(lambda: threads.append(threading.get_ident()))  # type: ignore[union-attr]
        page.do("level 2")
        page.do("level 1")
        assert len(asked) == 2
        assert threads[0] not in asked


def test_while_best_counts_cannot_be_read_play_goes_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("the store is locked")

    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        monkeypatch.setattr(site.store, "best_counts", broken)
        assert page.do("level 2")["now"]["level"] == 2
        assert page.now["best"] == {}


def test_a_store_that_does_not_answer_now_is_asked_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("the store is locked")

    name = site.begin(text=STRAIGHT)
    site.house.rooms.drop(name)
    with monkeypatch.context() as patch:
        patch.setattr(site.store, "resume", broken)
        with site.client.websocket_connect(f"/ws/{name}", headers={"origin": HOST}) as socket:
            assert socket.receive()["code"] == 1012
    assert not site.house.connections
    with site.page(name) as page:
        assert page.state["id"] == name
