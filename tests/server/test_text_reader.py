"""Large texts are read by a process beside the server: its errors, its end, and the loop that goes on meanwhile."""

from __future__ import annotations

import asyncio
import contextvars
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
import uvicorn
from tests.server.process import Process
from tests.server.sites import Site, Threads
from tests.server.test_limits import room_of_boxes
from tests.server.text_tasks import leave, process_number, spend

import gridproof as gp
from gridproof.jobs.worker_pool import STOPPED, PoolTask, TaskResult, WorkerPool
from gridproof.server.errors import RequestError, error_data
from gridproof.server.fair_executor import CLIENT, ProcessorUse, ServerShutdown, TooManyJobs
from gridproof.server.rate_limits import Limits
from gridproof.server.serve import GracefulServer
from gridproof.server.session_memory import ServerOverloaded, TooLarge
from gridproof.server.text_reader import MOST_WAITING, SMALL, TextReader

LARGE = room_of_boxes(90)
"""More characters than are read in the server."""


@pytest.fixture(autouse=True)
def _no_text_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let texts be read for as long as a busy machine takes."""
    monkeypatch.setattr("gridproof.server.text_reader.GRACE", 600.0)


def run(reader: TextReader, length: int, read: Callable[[], int | None]) -> int | None:
    return asyncio.run(reader.run(length, read))


@pytest.mark.slow
def test_text_reader_reads_large_texts_in_worker_process() -> None:
    use = ProcessorUse(0.1)
    reader = TextReader(Limits(), use)
    try:
        assert run(reader, SMALL, process_number) == os.getpid()
        assert reader._own._pool is None  # it begins when it is needed
        first = run(reader, SMALL + 1, process_number)
        assert first != os.getpid()
        assert run(reader, SMALL + 1, partial(spend, 0.05)) == first
        with pytest.raises(ServerOverloaded):
            run(reader, SMALL + 1, leave)
        assert run(reader, SMALL + 1, process_number) not in (first, os.getpid())
    finally:
        reader.close()


@pytest.mark.parametrize(
    "error", [RequestError("large", "too much"), TooLarge("too large"), ServerOverloaded()]
)
def test_server_errors_can_be_pickled(error: gp.GridproofError) -> None:
    assert error_data(pickle.loads(pickle.dumps(error))) == error_data(error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text", "status"),
    [
        ("sessions", LARGE, 201),
        ("sessions", room_of_boxes(101), 413),
        ("sessions", LARGE.replace("@", " "), 422),
        ("sessions", LARGE.replace("@", "?"), 422),
        ("sessions", "#####\n#@$.#\n#####\n\n" * 2001, 413),
        ("pictures", LARGE, 200),
        ("pictures", room_of_boxes(101), 413),
        ("vocabularies", room_of_boxes(101), 413),
        ("drafts", room_of_boxes(101), 413),
        ("jobs", room_of_boxes(101), 413),
    ],
)
def test_large_text_gets_the_same_answer_as_small_one(
    url: str, monkeypatch: pytest.MonkeyPatch, path: str, text: str, status: int
) -> None:
    answers = []
    for small in (SMALL, len(text)):
        monkeypatch.setattr("gridproof.server.text_reader.SMALL", small)
        site = Site(url, workers=Threads)
        with site.client:
            answer = site.client.post(f"/api/{path}", json={"text": text})
        assert answer.status_code == status, answer.text
        answers.append(answer.json().get("error") if status >= 400 else None)
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_event_loop_runs_while_large_text_is_read(url: str) -> None:
    """Meanwhile no part of the reading is done by a thread of the server."""
    site = Site(url)
    reader = site.context.reader

    async def ticks() -> tuple[int, float]:
        begin = time.process_time()
        reading = asyncio.create_task(reader.run(SMALL + 1, partial(spend, 0.5)))
        count = 0
        while not reading.done():
            await asyncio.sleep(0.001)
            count += 1
        assert await reading != os.getpid()
        return count, (time.process_time() - begin) / count

    try:
        run(reader, SMALL + 1, process_number)
        count, seconds = asyncio.run(ticks())
    finally:
        reader.close()
    assert count > 50
    assert seconds < 0.005  # of the processor, for each turn of the loop


@pytest.mark.slow
def test_text_reader_ends_its_process_when_closed() -> None:
    reader = TextReader(Limits(), ProcessorUse(0.1))
    worker = psutil.Process(run(reader, SMALL + 1, process_number))
    reader.close()
    assert worker.wait(60) is not None or not worker.is_running()


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGTERM")
def test_text_reader_process_ends_with_server(tmp_path: Path) -> None:
    server = Process(tmp_path)
    answer: Any = server.ask("/api/sessions", {"text": LARGE})
    assert answer["game"] == "sokoban"
    children = psutil.Process(server.process.pid).children()
    assert children
    server.end(signal.SIGTERM)
    _, left = psutil.wait_procs(children, timeout=60)
    assert not left


# -- turns


class Held:
    """Worker pool whose tasks wait until the test finishes the first one."""

    is_closed = False

    def __init__(self) -> None:
        self.tasks: list[PoolTask] = []

    def submit(self, task: PoolTask) -> None:
        self.tasks.append(task)

    def cancel(self, task: PoolTask) -> None:
        self.tasks.remove(task)
        task.finish(STOPPED)

    def finish(self) -> None:
        """Finish the first task with the value of its function."""
        task = self.tasks.pop(0)
        task.finish(TaskResult(task.work(task.limit, print)))


def wait_until(is_true: Callable[[], bool]) -> None:
    while not is_true():
        time.sleep(0.001)


async def settle() -> None:
    """Let the event loop do all that it can do at once."""
    for _ in range(20):
        await asyncio.sleep(0)


def read_for(reader: TextReader, client: str, value: object = None) -> asyncio.Task[object]:
    """Read a large text for a client."""
    context = contextvars.copy_context()
    context.run(CLIENT.set, client)
    return asyncio.create_task(reader.run(SMALL + 1, lambda: value), context=context)


@pytest.mark.asyncio
async def test_client_that_has_used_least_has_its_text_read_first() -> None:
    pool, use, done = Held(), ProcessorUse(0.1, clock=lambda: 0.0), list[object]()
    reader = TextReader(Limits(), use, lambda: cast("WorkerPool", pool))
    for name, seconds in (("greedy", 10.0), ("busy", 5.0)):
        use.charge(name, seconds)
    texts = [read_for(reader, name, name) for name in ("greedy", "greedy", "busy", "modest", "busy")]
    for text in texts:
        text.add_done_callback(lambda text: done.append(text.result()))
    for _ in texts:
        await settle()
        assert len(pool.tasks) == 1
        pool.finish()
    await asyncio.gather(*texts)
    assert done == ["greedy", "modest", "busy", "busy", "greedy"]


@pytest.mark.asyncio
async def test_client_is_refused_when_too_many_of_its_texts_wait() -> None:
    pool = Held()
    reader = TextReader(Limits(), ProcessorUse(0.1), lambda: cast("WorkerPool", pool))
    texts = [read_for(reader, "greedy") for _ in range(MOST_WAITING + 1)]
    await settle()
    with pytest.raises(TooManyJobs):
        await read_for(reader, "greedy")
    texts.append(read_for(reader, "modest"))
    await settle()
    while pool.tasks:
        pool.finish()
        await settle()
    assert await asyncio.gather(*texts) == [None] * len(texts)


@pytest.mark.asyncio
@pytest.mark.parametrize("place", [0, 1, 2], ids=["read", "granted", "waits"])
async def test_next_text_is_read_when_a_request_is_cancelled(place: int) -> None:
    pool = Held()
    reader = TextReader(Limits(), ProcessorUse(0.1), lambda: cast("WorkerPool", pool))
    texts = [read_for(reader, "") for _ in range(4)]
    await settle()
    if place == 1:
        pool.finish()
        while not texts[0].done():
            await asyncio.sleep(0)
    texts[place].cancel()
    await settle()
    while pool.tasks:
        pool.finish()
        await settle()
    found = await asyncio.gather(*texts, return_exceptions=True)
    assert [isinstance(one, asyncio.CancelledError) for one in found] == [n == place for n in range(4)]


@pytest.mark.asyncio
async def test_requests_whose_texts_wait_are_told_that_the_server_ends() -> None:
    reader = TextReader(Limits(), ProcessorUse(0.1), lambda: cast("WorkerPool", Held()))
    texts = [read_for(reader, name) for name in ("a", "a", "b")]
    await settle()
    reader.close()
    for text in (*texts, read_for(reader, "c")):
        with pytest.raises(ServerShutdown):
            await text


@pytest.mark.asyncio
async def test_requests_are_answered_before_a_server_that_ends_waits_for_them(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, answered = Site(url, workers=Held), list[bool]()
    texts = [read_for(site.context.reader, name) for name in ("a", "a", "b")]
    await settle()

    async def wait_for_requests(server: uvicorn.Server, sockets: object = None) -> None:
        await settle()
        answered.extend(text.done() for text in texts)

    monkeypatch.setattr(uvicorn.Server, "shutdown", wait_for_requests)
    await GracefulServer(uvicorn.Config(site.client.app)).shutdown()
    assert answered == [True] * 3
    for text in texts:
        with pytest.raises(ServerShutdown):
            await text


def test_moves_are_answered_while_large_texts_wait(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.server.text_reader.SMALL", 0)
    pool = Held()
    site, asked = Site(url, workers=lambda: pool), {"text": "#####\n#@$.#\n#####\n"}
    with (
        site.client,
        site.page(site.begin(pack="sokoban/first-steps")) as page,
        ThreadPoolExecutor(8) as clients,
    ):
        texts = [clients.submit(site.client.post, "/api/pictures", json=asked) for _ in range(8)]
        wait_until(lambda: bool(pool.tasks))
        page.socket.send_json({"type": "typed", "text": "help", "ref": 1})
        assert page.wait_for("answer")["told"]
        for _ in texts:
            wait_until(lambda: bool(pool.tasks))
            pool.finish()
        assert [text.result(60).status_code for text in texts] == [200] * 8
