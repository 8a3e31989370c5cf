"""Tests of several server processes: a session belongs to one process, and every request reaches it."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from tests.server.process import Process, say
from tests.server.sites import Site

from gridproof.server.errors import WrongShard
from gridproof.server.live.session_registry import Access
from gridproof.server.multiprocess.shard import RequestTarget, Shard, target_of
from gridproof.server.multiprocess.supervisor import can_share

LEVEL = "########\n#@   $.#\n########\n"
COUNT = 2
shares = pytest.mark.skipif(not can_share(), reason="this system cannot hand over connections")


# -- what falls to whom


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("GET /ws/abc HTTP/1.1", RequestTarget("abc")),
        ("GET /ws/abc?view=robot1 HTTP/1.1", RequestTarget("abc")),
        ("GET /ws/a%62c HTTP/1.1", RequestTarget("abc")),
        ("POST /api/sessions/abc/invitations HTTP/1.1", RequestTarget("abc")),
        ("DELETE http://here:8008/api/sessions/abc HTTP/1.1", RequestTarget("abc")),
        ("POST /api/sessions HTTP/1.1", RequestTarget()),
        ("POST /api/sessions/known HTTP/1.1", RequestTarget()),
        ("GET /api/sessions/knownelse HTTP/1.1", RequestTarget("knownelse")),
        ("GET /api/surroundings/1-abc HTTP/1.1", RequestTarget(process=1)),
        ("GET /api/surroundings/abc HTTP/1.1", RequestTarget()),
        ("GET /play/abc HTTP/1.1", RequestTarget()),
        ("GET //[ HTTP/1.1", RequestTarget()),
        ("\x16\x03\x01 what is this", RequestTarget()),
        ("", RequestTarget()),
    ],
)
def test_target_is_parsed_from_request_line(line: str, asked: RequestTarget) -> None:
    assert target_of(f"{line}\r\nHost: here\r\n\r\n".encode("latin-1")) == asked


def test_sessions_are_spread_over_shards() -> None:
    names = [f"session {number}" for number in range(300)]
    for count in (1, 2, 3, 7):
        held = [[name for name in names if Shard(number, count).holds(name)] for number in range(count)]
        assert sorted(name for some in held for name in some) == sorted(names)
        assert min(map(len, held)) > 100 / count


@pytest.mark.slow
def test_routes_of_sessions_are_parsed_as_targets(url: str) -> None:
    paths = [*Site(url).client.get("/api/openapi.json").json()["paths"], "/ws/{id}"]
    sessions = {path for path in paths if path.startswith(("/ws/", "/api/sessions/")) and "{id}" in path}
    assert len(sessions) > 5
    assert {path for path in paths if "{id}" in path} - sessions == {"/api/jobs/{id}"}
    for path in paths:
        line = f"GET {path.replace('{id}', 'abc').replace('{name}', '1-abc')} HTTP/1.1\r\n"
        others = RequestTarget(process=1) if path == "/api/surroundings/{name}" else RequestTarget()
        assert target_of(line.encode()) == (RequestTarget("abc") if path in sessions else others), path


@pytest.mark.slow
def test_session_of_another_shard_is_refused_or_read_only(url: str) -> None:
    sites = [Site(url, shard=Shard(number, COUNT)) for number in range(COUNT)]
    with contextlib.ExitStack() as stack:
        for site in sites:
            stack.enter_context(site.client)
        names = [sites[0].begin(text=LEVEL) for _ in range(8)]
        for name in names:
            holder = Shard(0, COUNT).holder(name)
            assert sites[holder].client.get(f"/api/sessions/{name}").json()["id"] == name
            answer = sites[1 - holder].client.get(f"/api/sessions/{name}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (421, "elsewhere")
            with pytest.raises(WrongShard):
                asyncio.run(sites[1 - holder].context.registry.open(name))
        for site in sites:
            known = site.client.post("/api/sessions/known", json={"ids": names}).json()["sessions"]
            assert [session["id"] for session in known] == names
            assert {*site.context.registry.sessions} == {
                name for name in names if site.context.shard.holds(name)
            }
        for name in names:  # and what is told of it is up to date
            with sites[Shard(0, COUNT).holder(name)].page(name) as page:
                page.do("right")
                page.do("level 1")
            said = [site.client.post("/api/sessions/known", json={"ids": [name]}).json() for site in sites]
            assert said[0] == said[1]


@pytest.mark.slow
def test_scores_of_all_shards_are_ranked_together(url: str) -> None:
    sites = [Site(url, shard=Shard(number, COUNT)) for number in range(COUNT)]
    with contextlib.ExitStack() as stack:
        for site in sites:
            stack.enter_context(site.client)
        for _ in range(6):
            name = sites[0].begin(text=LEVEL)
            with sites[Shard(0, COUNT).holder(name)].page(name) as page:
                for _ in range(4):
                    page.do("right")
            asked = {"name": "Ada", "session": name, "level": 1}
            answers = [site.client.post("/api/scores", json=asked) for site in sites]
            assert [answer.status_code for answer in answers] == [201, 201], answers[0].text


@pytest.mark.slow
def test_summary_of_foreign_session_is_built_once_per_change(url: str) -> None:
    sites = [Site(url, shard=Shard(number, COUNT)) for number in range(COUNT)]
    with sites[0].client, sites[1].client:
        names = (sites[0].begin(text=LEVEL + "\n" + LEVEL) for _ in range(64))
        name = next(name for name in names if sites[1].context.shard.holds(name))
        told: list[int] = []

        def line(access: Access) -> dict[str, int]:
            told.append(access.live.session.current)
            return {"level": told[-1]}

        def asked() -> dict[str, int]:
            return asyncio.run(sites[0].context.registry.summary(name, line))

        assert asked() == asked() == {"level": 0}
        with sites[1].page(name) as page:
            page.do("level 2")
        assert asked() == asked() == {"level": 1}
        assert told == [0, 1]


def test_table_address_names_the_process_that_builds_the_table(url: str) -> None:
    site = Site(url, shard=Shard(1, COUNT))
    with site.client:
        name = next(
            name for name in (site.begin(text=LEVEL) for _ in range(64)) if site.context.shard.holds(name)
        )
        with site.page(name) as page:
            table = page.say(type="line")["table"]
        assert target_of(f"GET /api/surroundings/{table} HTTP/1.1\r\n".encode()) == RequestTarget(process=1)


# -- processes


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Process]:
    process = Process(folder, COUNT)
    children = psutil.Process(process.process.pid).children
    yield process
    running = children() if process.process.poll() is None else []
    process.close()
    _, left = psutil.wait_procs(running, 600)
    assert not left  # they have noticed that the first one is gone


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One for all tests that leave it as it is."""
    with serving(tmp_path_factory.mktemp("sharing")) as process:
        yield process


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Process]:
    with serving(tmp_path) as process:
        yield process


def create_sessions(server: Process, count: int = 1) -> list[list[str]]:
    """Create `count` sessions for each process."""
    names: list[list[str]] = [[] for _ in range(COUNT)]
    while min(map(len, names)) < count:
        name = server.ask("/api/sessions", {"text": LEVEL})["id"]
        names[Shard(0, COUNT).holder(name)].append(name)
    return [found[:count] for found in names]


def holders(server: Process) -> list[psutil.Process]:
    """The processes that hold sessions."""
    return sorted(psutil.Process(server.process.pid).children(), key=lambda child: child.create_time())


@shares
@pytest.mark.slow
def test_connection_serves_sessions_of_all_processes(server: Process) -> None:
    names = create_sessions(server)
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=600)
    connection.connect()
    its_own = connection.sock
    for _ in range(3):
        for path in ("/api/health", "/", *(f"/api/sessions/{name}" for (name,) in names)):
            connection.request("GET", path)
            answer = connection.getresponse()
            assert (answer.status, path.rpartition("/")[2] in answer.read().decode()) == (
                200,
                path != "/api/health",
            )
            assert connection.sock is its_own
    connection.close()


def connected(server: Process) -> socket.socket:
    address = urlsplit(server.url)
    return socket.create_connection((str(address.hostname), address.port or 0), timeout=600)


def receive_until(connection: socket.socket, end: bytes) -> bytes:
    """Receive until an end marker."""
    found = b""
    while not found.endswith(end):
        more = connection.recv(65536)
        assert more, found
        found += more
    return found


@shares
@pytest.mark.long
def test_connection_survives_early_and_unread_answers(
    server: Process,
) -> None:
    names = [name for found in create_sessions(server) for name in found]
    large = json.dumps({"text": ("#" * 100 + "\n") + ("#@$." + " " * 95 + "#\n") + ("#" * 100 + "\n") * 98})
    for name in names:
        with connected(server) as connection:
            connection.sendall(b"POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n")
            assert receive_until(connection, b"}}").startswith(b"HTTP/1.1 405")  # before the body
            connection.sendall(b"12345")
            connection.sendall(f"GET /api/sessions/{name} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert receive_until(connection, b"}").startswith(b"HTTP/1.1 200")
    with connected(server) as connection:
        head = f"POST /api/pictures HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(large)}\r\n\r\n"
        connection.sendall(head.encode() + large.encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        rest = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    picture, _, second = rest.partition(b"</svg>")
    assert len(picture) > 1 << 20
    assert b"HTTP/1.1 200" not in picture
    assert second.lstrip().startswith(b"HTTP/1.1 200")


@shares
@pytest.mark.slow
def test_viewers_of_a_session_meet_in_one_process(server: Process) -> None:
    names = [name for found in create_sessions(server) for name in found]
    guests = [server.ask(f"/api/sessions/{name}/invitations", {"plays": False})["id"] for name in names]

    async def play() -> None:
        for name, access in zip(names, guests, strict=True):
            async with server.at(name) as first, server.at(name) as second, server.at(access) as third:
                for other in (second, third):
                    assert json.loads(await other.recv())["now"]["done"] == 0
                assert (await say(first, type="do", text="right"))["now"]["done"] == 1
                for other in (second, third):
                    while json.loads(await other.recv()).get("now", {}).get("done") != 1:
                        pass

    asyncio.run(play())


@shares
@pytest.mark.long
def test_killed_process_is_restarted_without_loss(own: Process) -> None:
    names = [name for found in create_sessions(own) for name in found]

    async def play(name: str, done: int) -> None:
        async with own.at(name) as page:
            assert json.loads(await page.recv())["now"]["done"] == done
            assert (await say(page, type="do", text="right"))["now"]["done"] == done + 1

    for name in names:
        asyncio.run(play(name, 0))
    for child in holders(own):
        child.kill()
        child.wait(60)
    for name in names:
        asyncio.run(play(name, 1))


@shares
@pytest.mark.slow
def test_router_reads_request_sent_in_pieces(server: Process) -> None:
    names = [name for found in create_sessions(server) for name in found]
    address = urlsplit(server.url)
    for name in names:
        with connected(server) as connection:
            for part in (
                "GET /api/sess",
                f"ions/{name} HT",
                "TP/1.1\r\nHost: ",
                f"{address.netloc}\r\n\r\n",
            ):
                connection.sendall(part.encode())
                time.sleep(0.01)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")


@shares
@pytest.mark.long
@pytest.mark.slow
def test_router_does_not_wait_for_silent_connections(server: Process) -> None:
    for said in (b"", b"GET /api"):
        with connected(server) as connection:
            connection.sendall(said)
            with contextlib.suppress(ConnectionResetError):  # half a line was not read
                assert connection.recv(1) == b""


@shares
@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_server_processes_end_when_first_one_ends(own: Process, number: int) -> None:
    assert own.ask("/api/health")["processes"] == COUNT
    running = holders(own)
    assert len(running) == COUNT
    assert own.end(number) in (0, 130, -number)
    assert not psutil.wait_procs(running, 60)[1]
