"""A server of its own and a real Chromium, at the sizes of a desktop and of a phone."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
SIZES = {"desktop": (1280, 800), "phone": (360, 740)}


@contextlib.contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[str]:
    """The address of a server that keeps its sessions in a folder, at a port or at one that is free."""
    port = port or free_port()
    command = [sys.executable, "-m", "gridproof", "serve", "--port", str(port)]
    surroundings = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{folder}/games.db"}
    with subprocess.Popen(
        command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, server)
            yield address
        finally:
            server.terminate()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(address: str, server: subprocess.Popen[str]) -> None:
    for _ in range(400):
        if server.poll() is not None:
            raise RuntimeError(server.stderr.read() if server.stderr else "the server has ended")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api/health"):
            return
        time.sleep(0.1)
    raise RuntimeError("the server does not answer")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server of all these tests."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: `make browser` installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-background-networking", "--disable-gpu"],
        )
        yield browser
        browser.close()


@pytest.fixture
def another_browser(chromium: Any, address: str) -> Iterator[Any]:
    """A browser profile of somebody else."""
    context = chromium.new_context(base_url=address)
    yield context
    context.close()


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
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        has_touch=phone,
        is_mobile=phone,
        base_url=address,
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda told: errors.append(told.text) if _fault(told) else None)
    yield page
    context.close()
    assert not errors, errors
