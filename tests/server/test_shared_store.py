"""Tests of two servers on one store: neither shows or changes what the other one has replaced."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from starlette.websockets import WebSocketDisconnect
from tests.server.sites import Site

from gridproof.server.live import session_registry

LEVEL = "########\n#@   $.#\n########\n"


@pytest.fixture
def sites(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Site, Site]]:
    """Two servers that always compare a session without viewers with the store."""
    monkeypatch.setattr(session_registry, "CHECK_AFTER", 0.0)
    monkeypatch.setattr("gridproof.server.app.EVICTION_INTERVAL", 0.02)
    one, other = Site(url), Site(url)
    with one.client, other.client:
        yield one, other


def play(site: Site, name: str, before: int) -> None:
    """Check that a page shows so many actions, and do one more."""
    with site.page(name) as page:
        assert page.now["done"] == before
        assert page.do("right")["now"]["done"] == before + 1


@pytest.mark.slow
def test_servers_take_turns_at_a_session(sites: tuple[Site, Site]) -> None:
    name = sites[0].begin(text=LEVEL)
    for number in range(4):
        play(sites[number % 2], name, number)


@pytest.mark.slow
def test_page_is_disconnected_when_another_server_changes_its_session(sites: tuple[Site, Site]) -> None:
    one, other = sites
    name = one.begin(text=LEVEL)
    with one.page(name) as page:
        play(other, name, 0)
        with pytest.raises(WebSocketDisconnect):
            page.wait_for("end")  # the connection ends instead
    play(one, name, 1)


def test_session_that_nobody_else_changed_stays_in_memory(sites: tuple[Site, Site]) -> None:
    site = sites[0]
    name = site.begin(text=LEVEL)
    with site.page(name) as page:
        live = site.context.registry.sessions[name]
        for _ in range(3):
            page.do("right")
            time.sleep(0.1)
        assert site.context.registry.sessions[name] is live
    play(site, name, 3)
    assert site.context.registry.sessions[name] is live


@pytest.mark.slow
def test_session_that_another_server_deleted_is_gone(sites: tuple[Site, Site]) -> None:
    one, other = sites
    name = one.begin(text=LEVEL)
    assert other.client.delete(f"/api/sessions/{name}").status_code == 204
    assert one.client.get(f"/api/sessions/{name}").status_code == 404
