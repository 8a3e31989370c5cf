"""A hostile world: messages, traces and jobs that mean no good; disks that are full, stores that are locked or broken."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import queue
import resource
import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import websockets
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.hostile_tasks import fine, for_ever, gone, greedy
from tests.server.process import Process
from tests.server.sites import HOST, Page, Site
from websockets.typing import Origin

import gridproof as gp
from gridproof.jobs.worker_pool import PoolTask, TaskResult, WorkerPool
from gridproof.server.app import create_app
from gridproof.server.connection import HANDLERS
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore
from gridproof.table import hints

CORRIDOR = "#########\n#@    $.#\n#########\n"
JUNK: tuple[Any, ...] = (
    None, True, -1, 1e308, "", "\ud800", "\x00", "x" * 300_000, "undo " + "9" * 5000, [], [[]] * 300, {}, {"a": {}}, [0, 0],
)  # fmt: skip
KEYS = ("text", "texts", "key", "x", "to", "trace", "replay", "count", "actor", "options", "speed")


def closed(page: Page) -> int:
    """The code that a page is closed with, after all that it is told before."""
    try:
        while True:
            page.receive()
    except WebSocketDisconnect as gone:
        return gone.code


# -- messages


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*HANDLERS, "", "__init__", "run"])
def test_messages_of_every_type_with_any_values_are_answered(site: Site, kind: str) -> None:
    name = site.begin(text=CORRIDOR)
    with site.page(name) as page:
        page.do("right")
        for key, value in itertools.product(KEYS, JUNK):
            # a page that says so much is told to wait: another bucket for each message
            next(iter(site.context.registry.sessions[name].viewers))._bucket._left = 100.0  # type: ignore[attr-defined]
            answer = page.say(**{"type": kind, "y": 1, key: value})
            assert answer["type"] in ("answer", "error")
        assert page.say(type="state")["state"]["now"]["level"] == 1


@pytest.mark.parametrize("text", ["", "null", "[]", "1e999", '{"type": "do"', "NaN", "\x00", "[" * 100_000])
def test_invalid_message_closes_only_its_connection(site: Site, text: str) -> None:
    name = site.begin(text=CORRIDOR)
    with site.page(name) as other, site.page(name) as page:
        other.wait_for("people")
        page.socket.send_text(text)
        assert closed(page) == 4400
        assert other.do("right")["now"]["done"] == 1


def test_binary_message_closes_connection(site: Site) -> None:
    with site.page(site.begin(text=CORRIDOR)) as page:
        page.socket.send_bytes(b"\xff\x00")
        assert closed(page) == 4400


# -- ids of others


@pytest.mark.slow
def test_similar_session_id_is_not_found(site: Site) -> None:
    name = site.begin(text=CORRIDOR)
    assert len(name) == 32  # 192 bits
    for wrong in (name[:-1], name + "A", name.swapcase(), name[::-1], "%", "' OR '1'='1"):
        answer = site.client.get(f"/api/sessions/{wrong}/trace")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "missing")
        with site.client.websocket_connect(f"/ws/{wrong}", headers={"origin": HOST}) as page:
            assert page.receive()["code"] == 4404


# -- forged traces


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """A trace that wins its level."""
    session = gp.Session(gp.read(CORRIDOR))
    for _ in range(5):
        session.act("right")
    trace: dict[str, Any] = json.loads(session.trace().to_json())
    return trace


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"version": 99}, 422),
        ({"version": "1"}, 422),
        ({"format": "other"}, 422),
        ({"level": CORRIDOR.replace(" $.", "$ .")}, 400),
        ({"level": CORRIDOR.replace("@", " ")}, 422),
        ({"steps": []}, 409),
        ({"steps": [{"action": "left"}]}, 409),
        ({"steps": [{"action": "right", "label": "lucky"}]}, 409),
        ({"level": CORRIDOR * 40_000}, 413),
        ({"score": 10**9}, 422),
        ({"game": "twenty48"}, 422),
    ],
)
def test_score_is_refused_when_trace_is_forged(
    site: Site, shown: dict[str, Any], change: dict[str, Any], status: int
) -> None:
    answer = site.client.post("/api/scores", json={"name": "Eve", "trace": {**shown, **change}})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["text"]
    honest = site.client.post("/api/scores", json={"name": "Ann", "trace": shown})
    assert set(honest.json()["ranks"].values()) == {1}


# -- jobs


@pytest.mark.long
def test_job_is_stopped_at_time_limit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "find_solution", for_ever)
    workers = WorkerPool(grace=1.0)
    site = Site(url, Limits(job_seconds=0.02, jobs_each=1), lambda: workers)
    with site.client, site.page(site.begin(text=CORRIDOR)) as page:
        for _ in range(2):  # the place of the first one is free again
            assert page.do("solve")["told"][0]["kind"] == "working"
            while not (told := page.wait_for("news").get("told")):
                pass
            assert (told[0]["kind"], told[0]["text"]) == ("refusal", "no answer in time")
        assert page.do("right")["now"]["done"] == 1
    workers.close()


@pytest.mark.slow
def test_job_is_stopped_at_memory_limit() -> None:
    workers, ended = WorkerPool(), queue.SimpleQueue[TaskResult]()
    for work, words in ((greedy, "not enough memory"), (gone, "its process died"), (fine, "")):
        workers.submit(PoolTask(work, gp.Limit(seconds=60, memory=1 << 28), print, ended.put))
        assert words in ended.get(timeout=600).error
    workers.close()


# -- the store


def filled(site: Site) -> Any:
    """Let the store's disk be full: its file may not grow."""

    def connected(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # no less than there are

    return sa.event.listens_for(site.store._engine, "checkout")(connected)


@pytest.mark.slow
def test_new_game_is_refused_when_disk_is_full(site: Site) -> None:
    name = site.begin(text=CORRIDOR)
    large = CORRIDOR + "".join(f"; {number:0200}\n{CORRIDOR}" for number in range(400))
    full = filled(site)
    answer = site.client.post("/api/sessions", json={"text": large})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
    assert "full" in answer.json()["error"]["text"]
    assert site.client.get(f"/api/sessions/{name}").status_code == 200
    sa.event.remove(site.store._engine, "checkout", full)
    with site.store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert site.client.post("/api/sessions", json={"text": large}).status_code == 201


@pytest.mark.slow
def test_action_is_rolled_back_when_store_fails(
    site: Site, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full"))

    name = site.begin(text=CORRIDOR)
    with site.page(name) as page:
        assert page.do("right")["now"]["done"] == 1
        with monkeypatch.context() as broken:
            broken.setattr("gridproof.store.changes.upsert", full)
            page.socket.send_json({"type": "do", "text": "right", "ref": 2})
            fault = page.wait_for("error")
        assert (fault["code"], "disk is full" in fault["text"]) == ("store", True)
        assert closed(page) == 1012  # come again
    with site.page(name) as page:
        assert page.state["now"]["done"] == 1
        assert page.do("right")["now"]["done"] == 2


@pytest.mark.slow
def test_actions_wait_when_store_is_locked(site: Site, url: str) -> None:
    name = site.begin(text=CORRIDOR)
    file = url.removeprefix("sqlite:///")
    with site.page(name) as page, contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        page.socket.send_json({"type": "do", "text": "right", "ref": 1})
        assert site.client.get(f"/api/sessions/{name}").json()["level"] == 1
        assert other.execute("SELECT count(*) FROM steps").fetchone() == (0,)
        other.execute("COMMIT")
        assert page.wait_for("answer")["now"]["done"] == 1
        assert other.execute("SELECT count(*) FROM steps").fetchone() == (1,)


@pytest.mark.slow
def test_damaged_store_is_reported(site: Site, url: str) -> None:
    name = site.begin(text=CORRIDOR)
    site.context.registry.drop(name)
    with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as other:
        other.execute("DROP TABLE sessions")
    for answer in (
        site.client.get(f"/api/sessions/{name}"),
        site.client.post("/api/sessions", json={"text": CORRIDOR}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
    assert site.client.get("/api/games").status_code == 200


@pytest.mark.parametrize("number", ["0", str(2**63), "9" * 5000])
def test_numbers_too_large_for_store_are_refused(site: Site, number: str) -> None:
    answer = site.client.get(f"/api/scores/x/{number}/trace")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "input")


# -- all at once


@pytest.mark.long
@pytest.mark.keeps_a_thread  # schemathesis has one loop for all applications
def test_requests_allowed_by_openapi_get_documented_answers(url: str) -> None:
    """Requests made from the document, good and bad: none is a fault of ours."""
    import schemathesis  # which takes a while

    generous = Limits(requests_each_second=1e6, requests_at_once=10**6, sessions_each=10**6, job_seconds=0.05)
    application = create_app(GroupedStore(url), generous)
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", application)
    tried = 0
    with TestClient(application, HOST):
        for found in schema.get_all_operations():
            operation = found.ok()  # type: ignore[union-attr]

            @given(case=operation.as_strategy())
            @settings(max_examples=12, database=None, deadline=None, suppress_health_check=[*HealthCheck])
            def ask(case: Any) -> None:
                answer = case.call()
                assert answer.status_code < 500, answer.text
                if answer.status_code >= 400:
                    assert answer.json()["error"]["text"]

            ask()
            tried += 1
    assert tried > 15


@pytest.mark.long
def test_half_open_connections_do_not_count(tmp_path: Path) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    number = min(10_000, (soft if soft != resource.RLIM_INFINITY else 10**6) - 200)
    server = Process(tmp_path)
    with contextlib.ExitStack() as stack:
        stack.callback(server.close)
        place = server.url.removeprefix("http://").split(":")
        name = server.ask("/api/sessions", {"text": CORRIDOR})["id"]
        for _ in range(number):
            half = stack.enter_context(socket.create_connection((place[0], int(place[1])), 60))
            half.sendall(b"GET /api/games HTTP/1.1\r\nHost: ")
        assert server.ask("/api/health")["ready"]

        async def play() -> int:
            address = f"{server.url.replace('http', 'ws')}/ws/{name}"
            async with websockets.connect(address, origin=Origin(server.url), open_timeout=60) as page:
                await page.send(json.dumps({"type": "do", "text": "right", "ref": 1}))
                while (told := json.loads(await page.recv())).get("ref") != 1:
                    pass
                return int(told["now"]["done"])

        assert asyncio.run(play()) == 1
        with socket.create_connection((place[0], int(place[1])), 60) as wide:  # a message that is too large
            wide.sendall(
                b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n"
            )
            assert b" 413 " in wide.recv(100)
