"""Fixtures: a server and a real Chromium, in the sizes of a desktop and of a phone."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gridproof.core.registry import TEMPLATE, game_names

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
"""The shell is the same engine without the browser's own window: a page takes half the processor time."""
SIZES = {"desktop": (1280, 800), "phone": (360, 740)}


PATIENCE = 120_000
"""Milliseconds that a state is waited for, however busy the machine is."""
GAMES = json.dumps([TEMPLATE, *game_names()])
KNOWS_HINTS = f"try {{ localStorage['gridproof.acceptedHints'] ??= {json.dumps(GAMES)} }} catch {{}}"
"""Without it, the first hint of each game asks whether it may cost the stars; a page without an address has no storage."""
MANY = 100_000
"""What the one client of a server may ask: all tests together are one."""


@contextlib.contextmanager
def serving(folder: Path, address: str = "") -> Iterator[str]:
    """The address of a server that keeps its sessions in a folder: the one that is given, or at a free port."""
    port = address.rpartition(":")[2] or "0"
    command = [
        sys.executable,
        "-m",
        "gridproof",
        "serve",
        "--json",
        "--port",
        port,
        "--each",
        str(MANY),
        "--puzzles-ahead",
        "0",
    ]
    surroundings = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{folder}/games.db"}
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield str(json.loads(server.stdout.readline())["url"]).rstrip("/")
        finally:
            server.terminate()


@contextlib.contextmanager
def reserved() -> Iterator[str]:
    """An address for servers one after another: no other process listens there, or calls from there, meanwhile."""
    with socket.socket() as holder:  # it does not listen: while no server does, who calls is refused
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{holder.getsockname()[1]}"


@contextlib.contextmanager
def profile(chromium: Any, address: str, **options: Any) -> Iterator[Any]:
    """A new browser profile; when it ends, so does whatever a test has put between it and the server."""
    context = chromium.new_context(base_url=address, **options)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(KNOWS_HINTS)
    yield context
    for page in context.pages:
        page.unroute_all(behavior="ignoreErrors")
    context.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server of all these tests."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """One browser for all these tests; Playwright's event loop counts as running in this thread until it ends, so it ends before tests of others."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: `make browser` installs it")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-background-networking",
                "--disable-gpu",
                "--font-render-hinting=none",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def another_browser(chromium: Any, address: str) -> Iterator[Any]:
    """A browser profile of somebody else."""
    with profile(chromium, address) as context:
        yield context


def _fault(told: Any) -> bool:
    """Whether something on the console is a fault; what the server refuses, or being offline, is shown to the player."""
    away = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")
    expected = told.text.startswith("Failed to load resource") or any(word in told.text for word in away)
    return told.type == "error" and not expected


@pytest.fixture(params=list(SIZES))
def page(chromium: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of a new browser profile; what it tells on its console as an error fails the test."""
    width, height = SIZES[request.param]
    phone = request.param == "phone"
    permissions = ["clipboard-read", "clipboard-write"]
    shape = {"viewport": {"width": width, "height": height}, "has_touch": phone, "is_mobile": phone}
    workers = "allow" if request.node.get_closest_marker("service_worker") else "block"
    errors: list[str] = []
    with profile(chromium, address, permissions=permissions, service_workers=workers, **shape) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda told: errors.append(told.text) if _fault(told) else None)
        yield page
    assert not errors, errors
