"""Several servers on one store behind a proxy, with the configurations of the documentation."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests import postgresql
from tests.server.process import Process, connect, request, say
from websockets.exceptions import ConnectionClosed, InvalidStatus

pytestmark = [pytest.mark.long, pytest.mark.slow]
FOLDER = Path(__file__).parents[2] / "docs/examples/serving"
LEVEL = "##################\n#@   $.          #\n##################\n"
SESSIONS = 12
PROXIES = {
    "nginx": ("nginx.conf", ["nginx", "-g", "daemon off; pid nginx.pid; error_log stderr;", "-p", ".", "-c"]),
    "haproxy": ("haproxy.cfg", ["haproxy", "-db", "-f"]),
}


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def adapted(name: str, port: int, servers: list[int]) -> str:
    """Return a configuration with the ports of this machine instead of its addresses."""
    text = re.sub(r"(listen |bind :)80\b", rf"\g<1>{port}", (FOLDER / name).read_text())
    for number, server in enumerate(servers, 1):
        text, count = re.subn(rf"10\.0\.0\.{number}:8008", f"127.0.0.1:{server}", text)
        assert count == 1
    return text


@contextlib.contextmanager
def store_url(folder: Path) -> Iterator[str]:
    """A store for several servers: PostgreSQL where it is installed."""
    if postgresql.INITDB is None:
        yield f"sqlite:///{folder / 'store.sqlite'}"
        return
    pytest.importorskip("psycopg", reason="no driver for PostgreSQL: pip install gridproof[postgresql]")
    with postgresql.open_folder() as data, postgresql.running(data):
        yield postgresql.url_in(data)


@contextlib.contextmanager
def serving_through(name: str) -> Iterator[tuple[str, list[Process], list[int]]]:
    """Run two servers and a proxy; give the address of the proxy, the servers and their ports."""
    file, command = PROXIES[name]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed: make proxies")
    with (
        tempfile.TemporaryDirectory() as folder,
        store_url(Path(folder)) as url,
        contextlib.ExitStack() as ends,
    ):
        ports, port = [free_port(), free_port()], free_port()
        servers = [serve(number, url, ends) for number in ports]
        Path(folder, file).write_text(adapted(file, port, ports))
        proxy = subprocess.Popen([*command, file], cwd=folder, stderr=subprocess.DEVNULL)
        ends.callback(proxy.wait, 60)
        ends.callback(proxy.terminate)
        address = f"http://localhost:{port}"
        wait_until_answered(address)
        yield address, servers, ports


def serve(port: int, url: str, ends: contextlib.ExitStack) -> Process:
    """Run a server at a port until the end."""
    server = Process(store=url, port=port)
    ends.callback(server.close)
    return server


def wait_until_answered(address: str) -> None:
    """Wait until the servers answer through the proxy."""
    end = time.monotonic() + 60
    while True:
        try:
            with urlopen(f"{address}/api/health", timeout=10):
                return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)


async def play(address: str, name: str, answered: int) -> None:
    """Check that a session has all answered moves, and do one more."""
    async with connect(address, name) as page:
        done = json.loads(await page.recv())["now"]["done"]
        assert done in (answered, answered + 1)  # the answer to the last one may be lost
        assert (await say(page, type="do", text="right"))["now"]["done"] == done + 1


async def play_until_cut(address: str, name: str, answered: dict[str, int]) -> None:
    """Go to and fro until the connection ends; note each answered move."""
    with contextlib.suppress(OSError, ConnectionClosed, InvalidStatus):
        async with connect(address, name) as page:
            await page.recv()
            while True:
                text = "left" if answered[name] % 2 else "right"
                answered[name] = (await say(page, type="do", text=text))["now"]["done"]


@pytest.mark.parametrize("proxy", PROXIES)
def test_killed_server_loses_no_answered_move_and_another_one_goes_on(proxy: str) -> None:
    with serving_through(proxy) as (address, servers, _):
        names = [request(f"{address}/api/sessions", {"text": LEVEL})["id"] for _ in range(SESSIONS)]
        answered = dict.fromkeys(names, 0)

        async def load() -> None:
            players = [asyncio.create_task(play_until_cut(address, name, answered)) for name in names]
            await asyncio.sleep(2)
            servers[1].end(signal.SIGKILL)
            await asyncio.sleep(1)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)

        asyncio.run(load())
        assert min(answered.values()) > 0
        wait_until_answered(address)
        for name in names:
            asyncio.run(play(address, name, answered[name]))


@pytest.mark.parametrize("proxy", PROXIES)
def test_requests_of_a_session_and_its_invitations_reach_one_server(proxy: str) -> None:
    with serving_through(proxy) as (address, _, ports):
        names = [request(f"{address}/api/sessions", {"text": LEVEL})["id"] for _ in range(SESSIONS)]
        guests = [
            request(f"{address}/api/sessions/{name}/invitations", {"plays": False})["id"] for name in names
        ]

        async def meet(name: str, guest: str) -> None:
            async with connect(address, name) as first, connect(address, guest) as second:
                assert json.loads(await second.recv())["now"]["done"] == 0
                assert (await say(first, type="do", text="right"))["now"]["done"] == 1
                while json.loads(await second.recv()).get("now", {}).get("done") != 1:
                    pass
                table = (await say(first, type="line"))["table"]
            path = f"/api/surroundings/{table}?route={name[:4]}"
            with urlopen(address + path, timeout=60) as answer:
                assert answer.status == 200

        for name, guest in zip(names, guests, strict=True):
            asyncio.run(asyncio.wait_for(meet(name, guest), 60))
        held = [request(f"http://127.0.0.1:{port}/api/health")["sessions"] for port in ports]
        assert min(held) > 0  # both servers have work
