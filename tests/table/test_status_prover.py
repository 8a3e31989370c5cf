"""Tests of the status prover: processes answer the latest query; a query is complete when its process ends."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Iterator

import pytest

import gridproof as gp
from gridproof.jobs.worker_pool import BROKEN, PoolTask, TaskResult, WorkerPool
from gridproof.prove.position_status import Badge, StatusQuery
from gridproof.table.status_prover import StatusJob, StatusProver

ROOM = "######\n#@ $.#\n#    #\n######"


@pytest.fixture
def prover() -> Iterator[StatusProver]:
    made = StatusProver()
    yield made
    made.close()


def asked(prover: StatusProver, question: StatusQuery, asker: str = "somebody") -> queue.Queue[Badge]:
    told: queue.Queue[Badge] = queue.Queue()
    prover.ask(asker, question, told.put)
    return told


def last(told: queue.Queue[Badge]) -> Badge:
    """The last word."""
    while not (badge := told.get(timeout=600)).complete:
        pass
    return badge


@pytest.mark.slow
def test_status_prover_answers_from_a_process(prover: StatusProver) -> None:
    start = gp.read(ROOM)[0].start()
    assert last(asked(prover, StatusQuery(start))).left == 2
    endless = StatusQuery(gp.levels_at("twenty48/standard/8")[0].start(1))
    prover.ask("somebody", endless, lambda _: None)
    assert last(asked(prover, StatusQuery(start))).left == 2  # the later question of the same asker counts


def test_status_is_complete_when_the_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(self: WorkerPool, task: PoolTask) -> None:
        task.finish(BROKEN)

    monkeypatch.setattr(WorkerPool, "submit", break_down)
    prover = StatusProver(processes=0)
    told = asked(prover, StatusQuery(gp.read(ROOM)[0].start()))
    assert told.get_nowait() == Badge(complete=True)
    assert not prover._tasks


def test_status_prover_answers_the_latest_query_of_each_asker() -> None:
    prover = StatusProver(processes=0)
    question = StatusQuery(gp.read(ROOM)[0].start())
    told = [asked(prover, question, who) for who in ("somebody", "another", "somebody")]
    assert len(prover._workers()._waiting) == 2
    prover.cancel("another")
    assert len(prover._workers()._waiting) == 1
    prover.close()
    prover.ask("somebody", question, told[0].put)
    assert all(one.empty() for one in told)
    assert not prover._tasks


def test_status_prover_goes_on_in_another_process_after_a_first_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[tuple[WorkerPool, PoolTask]] = []
    monkeypatch.setattr(WorkerPool, "submit", lambda pool, task: begun.append((pool, task)))
    with contextlib.closing(StatusProver(has_short_attempt=True)) as prover:
        told = asked(prover, StatusQuery(gp.levels_at("twenty48/standard/1")[0].start(1)))
        ((pool, task),) = begun
        task.finish(TaskResult(task.work(gp.Limit(), task.report)))
        estimate = told.get_nowait().estimate
        assert estimate is not None
        assert not estimate.exact
        (_, (another, rest)) = begun
        assert another is not pool
        rest.finish(TaskResult(rest.work(gp.Limit(seconds=0.1), rest.report)))
        assert last(told).estimate != estimate
        assert not prover._tasks


def test_first_attempt_that_ran_out_of_time_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    start, told = gp.read(ROOM)[0].start(), list[Badge]()
    assert StatusJob(StatusQuery(start), is_first=True)(gp.Limit(), told.append) is None
    assert told.pop().complete
    monkeypatch.setattr("gridproof.table.status_prover.FIRST_SECONDS", 0.0)
    rest = StatusJob(StatusQuery(start), is_first=True)(gp.Limit(), told.append)
    assert rest == StatusQuery(start, told[-1])
    assert not told[-1].complete


def test_badges_are_reported_as_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Badge] = []
    proving = StatusJob(StatusQuery(gp.read(ROOM)[0].start()))
    proving(gp.Limit(), told.append)
    assert [badge.left for badge in told] == [2, 2]

    def full(*_: object) -> object:
        raise MemoryError

    monkeypatch.setattr("gridproof.table.status_prover.verdicts", full)
    proving(gp.Limit(), told.append)
    assert told[-1] == Badge(complete=True)
