"""Tests of the worker pool: each task ends once, even if its process ends."""

from __future__ import annotations

import io
import pickle
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.jobs import worker_pool as processes
from gridproof.jobs.worker import BEGUN, DONE, FAILED, PROGRESS, Inbox, work
from gridproof.jobs.worker_pool import BROKEN, STOPPED, LazyPool, PoolTask, TaskResult, WorkerPool
from gridproof.search.solver import preload_solvers
from gridproof.table.jobs import Job
from gridproof.table.messages import Words

LIMIT = Limit(seconds=60)


def told_twice(what: str, limit: Limit, tell: Callable[[Any], None]) -> str:
    tell(1)
    tell(what)
    return what


def until_stopped(limit: Limit, tell: Callable[[Any], None]) -> str:
    assert limit.stop is not None
    tell("begun")
    while not limit.stop.is_set():
        pass
    return "stopped"


def refused(limit: Limit, tell: Callable[[Any], None]) -> None:
    raise gp.GridproofError("it is none")


def without_memory(limit: Limit, tell: Callable[[Any], None]) -> None:
    raise MemoryError


@pytest.fixture
def workers() -> Iterator[WorkerPool]:
    made = WorkerPool()
    yield made
    made.close()


def test_worker_pool_runs_task_and_reports_progress() -> None:
    inbox, answers = Inbox(), list[Any]()
    asked: list[Any] = [partial(told_twice, "here"), refused, without_memory, until_stopped]
    for number, what in enumerate(asked):
        inbox._tasks.put((number, what, LIMIT))
    inbox._cancelled.add(3)
    assert inbox.has_tasks
    assert all(work(inbox, answers.append) for _ in asked)
    begun = (BEGUN, None, True)
    assert answers == [
        begun,
        (PROGRESS, 1, True),
        (PROGRESS, "here", True),
        (DONE, "here", True),
        begun,
        (FAILED, "it is none", True),
        begun,
        (FAILED, "not enough memory", True),
        begun,
        (PROGRESS, "begun", True),
        (DONE, "stopped", True),
    ]
    assert not inbox.has_tasks


def test_worker_ends_when_it_holds_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.jobs.worker._limit_memory", lambda memory: None)
    inbox, answers = Inbox(), list[Any]()
    asked: list[tuple[Any, int]] = [
        (partial(told_twice, ""), 1 << 40),
        (partial(told_twice, ""), 1),
        (refused, 1),
    ]
    for number, (what, memory) in enumerate(asked):
        inbox._tasks.put((number, what, Limit(memory=memory)))
    assert [work(inbox, answers.append) for _ in asked] == [True, False, False]
    ends = [(kind, going) for kind, _, going in answers if kind in (DONE, FAILED)]
    assert ends == [(DONE, True), (DONE, False), (FAILED, False)]


class Answering:
    """A process that has answered and ends, as soon as it comes to that."""

    returncode: int | None = None

    def __init__(self, answers: Sequence[Any]) -> None:
        self.stdin, self.stdout = io.BytesIO(), io.BytesIO(b"".join(map(pickle.dumps, answers)))

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        self.returncode = -9

    def wait(self) -> int:
        assert self.returncode is not None
        return self.returncode


@pytest.mark.parametrize(("end", "ended"), [(DONE, TaskResult("x")), (FAILED, TaskResult(error="x"))])
@pytest.mark.parametrize("going", [True, False])
def test_worker_pool_replaces_ended_worker(
    monkeypatch: pytest.MonkeyPatch, end: str, ended: TaskResult, going: bool
) -> None:
    process = Answering([(PROGRESS, 1, True), (end, "x", going)])
    monkeypatch.setattr("gridproof.jobs.worker_pool.subprocess.Popen", lambda *_, **__: process)
    worker = processes._Worker(tuple)
    assert worker.do(PoolTask(until_stopped, LIMIT, lambda _: None, lambda _: None), 60) == ended
    assert worker.is_alive is going


def test_worker_that_ends_before_its_time_is_broken_and_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Answering([(BEGUN, None, True)])
    monkeypatch.setattr("gridproof.jobs.worker_pool.subprocess.Popen", lambda *_, **__: process)
    task = PoolTask(until_stopped, LIMIT, print, print)
    assert processes._Worker(tuple).do(task, 60) == BROKEN


def test_worker_numbers_its_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Answering([(DONE, "x", True)] * 3)
    monkeypatch.setattr("gridproof.jobs.worker_pool.subprocess.Popen", lambda *_, **__: process)
    worker = processes._Worker(tuple)
    for _ in range(3):
        worker.do(PoolTask(until_stopped, LIMIT, print, print), 60)
    process.stdin.seek(0)
    _, *tasks = (pickle.load(process.stdin) for _ in range(4))
    assert [number for number, *_ in tasks] == [1, 2, 3]


def test_task_time_excludes_start_of_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process, patience = Answering([(BEGUN, None, True), (DONE, "x", True)]), list[float]()

    class Timer(threading.Timer):
        def __init__(self, seconds: float, kill: Callable[[], None]) -> None:
            super().__init__(seconds, kill)
            patience.append(seconds)

    monkeypatch.setattr("gridproof.jobs.worker_pool.subprocess.Popen", lambda *_, **__: process)
    monkeypatch.setattr(threading, "Timer", Timer)
    processes._Worker(tuple).do(PoolTask(until_stopped, gp.Limit(seconds=5), print, print), 20)
    assert patience == [5 + processes.LONGEST, 5 + 20]


@pytest.mark.slow
def test_solvers_are_preloaded_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.search.solve._loaded", set())
    assert "breadth-first" in [*preload_solvers(("null",))]


def test_closed_worker_pool_runs_nothing() -> None:
    made, ended = WorkerPool(processes=0), list[TaskResult]()
    waiting, late = (PoolTask(until_stopped, LIMIT, print, ended.append) for _ in range(2))
    made.submit(waiting)
    made.close()
    made.submit(late)
    assert ended == [STOPPED, STOPPED]


def test_lazy_pool_starts_once_and_not_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def start(processes: int) -> WorkerPool:
        begun.set()
        go_on.wait()
        return WorkerPool(processes)

    monkeypatch.setattr(processes, "WorkerPool", start)
    pool = LazyPool(0)
    with ThreadPoolExecutor() as threads:
        first = threads.submit(pool)
        begun.wait()
        closing = threads.submit(pool.close)
        assert not wait([closing], timeout=0.1).done  # or it would close another pool
        go_on.set()
        closing.result()
        assert first.result() is pool()
        assert pool().is_closed


def test_waiting_task_is_cancelled_at_once() -> None:
    made, ended = WorkerPool(processes=0), list[TaskResult]()
    task = PoolTask(until_stopped, LIMIT, print, ended.append)
    made.submit(task)
    made.cancel(task)
    made.cancel(task)
    assert ended == [STOPPED]


@pytest.mark.slow
def test_worker_runs_jobs_and_is_replaced_when_it_ends(workers: WorkerPool) -> None:
    done: queue.SimpleQueue[Job] = queue.SimpleQueue()

    def given(what: Any) -> Job:
        job = Job("Telling", what, lambda result: (Words(str(result)),), LIMIT)
        job.submit(workers, done.put)
        return job

    for what, words in (
        (partial(told_twice, "here"), "here"),
        (refused, "it is none"),
        (lambda limit, tell: 1, "it cannot run in another process"),
        (partial(told_twice, "again"), "again"),
    ):
        job = given(what)
        assert done.get(timeout=600) is job
        assert words in job.messages()[0].words()
    endless = given(until_stopped)
    while endless.part != "begun":
        pass
    endless.cancel()
    assert done.get(timeout=600) is endless
    assert [message.kind for message in endless.messages()] == ["stopped"]


@pytest.mark.slow
def test_worker_is_killed_when_it_does_not_stop(workers: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.server.hostile_tasks import fine, for_ever

    monkeypatch.setattr(processes, "GRACE", 0.0)
    begun, ended = queue.SimpleQueue[Any](), queue.SimpleQueue[TaskResult]()
    workers.submit(PoolTask(partial(told_twice, "begun"), LIMIT, begun.put, lambda _: None))
    begun.get(timeout=600)
    task = PoolTask(for_ever, LIMIT, print, ended.put)
    workers.submit(task)
    workers.cancel(task)
    workers.submit(PoolTask(fine, LIMIT, print, ended.put))
    assert [ended.get(timeout=600), ended.get(timeout=600)] == [STOPPED, TaskResult("done")]


@pytest.mark.slow
def test_killed_worker_pool_leaves_no_process() -> None:
    from tests.server.hostile_tasks import for_ever

    pool = WorkerPool(2, niceness=0)
    begun, ended = queue.SimpleQueue[Any](), queue.SimpleQueue[TaskResult]()
    pool.submit(PoolTask(partial(told_twice, "begun"), LIMIT, begun.put, lambda _: None))
    begun.get(timeout=600)
    for _ in range(3):
        pool.submit(PoolTask(for_ever, LIMIT, print, ended.put))
    pool.kill()
    assert [ended.get(timeout=600) for _ in range(3)] == [STOPPED] * 3
    assert not any(worker.is_alive for worker in pool._workers)
    assert not any(thread.is_alive() for thread in pool._threads)


class Hands:
    """A process that does nothing, as often as it is let."""

    is_alive = True

    def __init__(self) -> None:
        self.on = threading.Semaphore(0)

    def do(self, task: PoolTask, grace: float) -> TaskResult:
        self.on.acquire(timeout=600)
        return TaskResult(self)

    def kill(self) -> None:
        pass


def test_worker_pool_starts_second_worker_when_first_is_busy() -> None:
    made: queue.SimpleQueue[Hands] = queue.SimpleQueue()

    class Handy(WorkerPool):
        def _start_worker(self) -> Any:
            made.put(hands := Hands())
            return hands

    workers, ended = Handy(2), queue.SimpleQueue[TaskResult]()

    def begin() -> None:
        workers.submit(PoolTask(until_stopped, LIMIT, print, ended.put))

    first = made.get(timeout=600)
    for _ in range(3):
        while not workers._idle:
            pass
        begin()
        first.on.release()
        assert ended.get(timeout=600).value is first
    assert made.empty()
    while not workers._idle:
        pass
    begin()
    begin()
    second = made.get(timeout=600)
    while len(workers._running) < 2:
        pass  # or the second one would take what the first is slow to take
    second.on.release()
    assert ended.get(timeout=600).value is second
    first.on.release()
    assert ended.get(timeout=600).value is first
    workers.close()
