"""Tests of the table cache: the order of requests, and abandoned requests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from starlette.requests import Request

import gridproof as gp
from gridproof.jobs.worker_pool import BROKEN, PoolTask, TaskResult
from gridproof.server.api.offline import _until_disconnect
from gridproof.server.fair_executor import TooManyJobs
from gridproof.server.offline.table_cache import TableCache, table_at_position, table_at_start
from gridproof.server.offline.transition_table import TransitionTable
from gridproof.server.rate_limits import Limits

pytestmark = pytest.mark.asyncio


@dataclass
class ByHand:
    """A process whose work the test ends."""

    tasks: list[PoolTask] = field(default_factory=list)

    def submit(self, task: PoolTask) -> None:
        self.tasks.append(task)

    def cancel(self, task: PoolTask) -> None:
        task.cancelled.set()

    async def end(self, how: TaskResult) -> None:
        """End what was begun last, as a process does."""
        await asyncio.to_thread(self.tasks[-1].finish, how)
        await _soon()


async def _soon() -> None:
    """Let all go on that can."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def worker() -> ByHand:
    return ByHand()


@pytest.fixture
def tables(worker: ByHand) -> TableCache:
    """Tables that can be asked for as "a", "b" and "c"."""
    cache = TableCache(replace(Limits(), tables_waiting=3), cast("Any", lambda: worker))
    for name in "abc":
        cache.offer(name, _task_of(name))
    return cache


def _task_of(name: str) -> TransitionTable:
    (level,) = gp.read(f"; {name}\n#####\n#@$.#\n#####\n")
    return TransitionTable((level.start(),), 0)


async def _wait(tables: TableCache, name: str) -> asyncio.Task[bytes]:
    waiting = asyncio.create_task(tables.get(name))
    await _soon()
    return waiting


async def _leave(waiting: asyncio.Task[bytes]) -> None:
    waiting.cancel()
    await _soon()


async def test_table_cache_makes_latest_request_first_and_once(tables: TableCache, worker: ByHand) -> None:
    waiting = [await _wait(tables, name) for name in "abcb"]
    for name in "abc":
        assert worker.tasks[-1].work == _task_of(name)
        await worker.end(TaskResult(name.encode()))
    assert [await one for one in waiting] == [b"a", b"b", b"c", b"b"]
    assert await tables.get("b") == b"b"
    assert len(worker.tasks) == 3


async def test_table_cache_skips_abandoned_requests(tables: TableCache, worker: ByHand) -> None:
    first, second, third = [await _wait(tables, name) for name in "abc"]
    await _leave(third)
    await _leave(first)
    assert worker.tasks[0].cancelled.is_set()
    await worker.end(TaskResult(b"cut off"))
    assert [task.work for task in worker.tasks] == [_task_of("a"), _task_of("b")]
    await worker.end(TaskResult(b"b"))
    assert await second == b"b"
    assert len(worker.tasks) == 2


async def test_table_cache_makes_table_while_a_page_waits(tables: TableCache, worker: ByHand) -> None:
    waiting = [await _wait(tables, "a") for _ in range(2)]
    await _leave(waiting[0])
    assert not worker.tasks[0].cancelled.is_set()
    await worker.end(TaskResult(b"a"))
    assert await waiting[1] == b"a"


async def test_table_cache_rebuilds_table_when_page_returns(tables: TableCache, worker: ByHand) -> None:
    await _leave(await _wait(tables, "a"))
    again = await _wait(tables, "a")
    await worker.end(TaskResult(b"cut off"))
    assert len(worker.tasks) == 2
    assert not again.done()
    await worker.end(TaskResult(b"a"))
    assert await again == b"a"


async def test_table_cache_does_not_count_pages_that_have_left(tables: TableCache, worker: ByHand) -> None:
    tables.offer("d", _task_of("a"))
    waiting = [await _wait(tables, name) for name in "abc"]
    with pytest.raises(TooManyJobs):
        await tables.get("d")
    await _leave(waiting[1])
    await _leave(await _wait(tables, "d"))
    await worker.end(BROKEN)
    with pytest.raises(gp.GridproofError, match="its process died"):
        await waiting[0]
    assert worker.tasks[-1].work == _task_of("c")


async def test_table_request_is_cancelled_when_client_disconnects() -> None:
    going, cancelled = asyncio.Event(), asyncio.Event()

    async def receive() -> Any:
        await going.wait()
        return {"type": "http.disconnect"}

    async def work() -> bytes:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return b""

    request = Request({"type": "http"}, receive)
    asked = asyncio.create_task(_until_disconnect(request, work()))
    await _soon()
    assert not asked.done()
    going.set()
    assert await asked == b""
    await _soon()
    assert cancelled.is_set()


async def test_table_name_depends_on_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser must not use cached tables of another version."""
    session = gp.Session(gp.levels_at("sokoban/first-steps/1"))
    name, here = table_at_start(session)[0], table_at_position(session)[0]
    assert table_at_start(session)[0] == name
    monkeypatch.setattr(gp, "__version__", "0.0.0")
    assert table_at_start(session)[0] != name
    assert table_at_position(session)[0] != here
