"""Long work beside a view: it is looked at, and ended at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.table.games import TWO_LEVELS, null
from tests.table.tables import kinds, table_of

import gridproof as gp
from gridproof.agents.solution_cache import SolutionCache
from gridproof.core.limit import Limit
from gridproof.table.jobs import Job, JobMessage
from gridproof.table.messages import Words
from gridproof.table.table import Table


def endless(limit: Limit, progress: Callable[[int], None]) -> str:
    """Works until it is told to stop."""
    count, stop = 0, limit.stop
    assert stop is not None
    while not stop.is_set():
        count += 1
        progress(count)
    return f"stopped after {count}"


def said(result: Any) -> list[Words]:
    return [Words(str(result))]


def test_job_runs_in_its_own_thread_and_reports_progress() -> None:
    job, ended = Job("Counting", endless, said), threading.Event()
    job.start(lambda job: ended.set())
    while job.positions < 10:
        assert not job.is_done
    job.cancel()
    assert job.wait(60)
    assert ended.wait(60)
    assert (job.is_done, job.is_cancelled) == (True, True)
    assert kinds(job.messages()) == ["stopped"]


def test_job_runs_in_the_calling_thread() -> None:
    job = Job("Adding", lambda limit, progress: 2 + 2, said)
    assert (job.is_done, kinds(job.messages())) == (False, ["stopped"])
    job.run()
    assert [message.words() for message in job.messages()] == ["4"]


def test_job_cancelled_before_start_does_not_run() -> None:
    job = Job("Never", lambda limit, progress: 1 // 0, said)
    job.cancel()
    job.run()
    assert job.is_done


def test_job_reports_refusal_of_its_work() -> None:
    def refuse(limit: Limit, progress: Callable[[int], None]) -> None:
        raise gp.GridproofError("it is none")

    job = Job("Refusing", refuse, said)
    job.run()
    assert [(message.kind, message.words()) for message in job.messages()] == [("refusal", "it is none")]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (RuntimeError("a\nfault"), "internal error; please report it (RuntimeError: a fault)"),
    ],
)
def test_job_reports_any_exception_of_its_work(error: Exception, words: str) -> None:
    def fail(limit: Limit, progress: Callable[[int], None]) -> None:
        raise error

    job = Job("Failing", fail, said)
    job.start()
    assert job.wait(60)
    assert [(message.kind, message.words()) for message in job.messages()] == [("refusal", words)]


def test_job_keeps_its_limit_and_adds_its_stop() -> None:
    limits: list[Limit] = []
    job = Job("Looking", lambda limit, progress: limits.append(limit), said, Limit(seconds=3))
    job.run()
    assert limits[0].seconds == 3
    assert limits[0].stop is not None


# -- at a table


def looking(table: Table) -> Job:
    (working,) = table.do("solve")
    assert isinstance(working, JobMessage)
    assert working.words() == "Searching for a solution ..."
    return working.job


def table_to_solve() -> Table:
    return table_of(gp.read(TWO_LEVELS)[1])


def test_player_cancels_job_at_once() -> None:
    table = table_to_solve()
    job = looking(table)
    assert table.state()["working"]
    assert kinds(table.cancel()) == ["stopped"]
    assert job.is_cancelled
    assert not table.state()["working"]
    assert table.cancel() == ()
    job.run()
    assert table.finish(job) == ()  # nobody waits for it


@pytest.mark.parametrize("text", ["right", "solve", "open null/first/3"])
def test_job_is_cancelled_when_board_changes(text: str) -> None:
    table = table_to_solve()
    job = looking(table)
    table.do(text)
    assert job.is_cancelled
    job.run()
    assert table.finish(job) == ()


def test_job_result_is_delivered_in_the_thread_of_the_table() -> None:
    table = table_to_solve()
    job = looking(table)
    job.start()
    assert job.wait(60)
    assert kinds(table.finish(job)) == ["solution"]
    assert table.finish(job) == ()
    assert kinds(table.do("solve")) == ["solution"]


def test_job_is_cancelled_when_player_leaves() -> None:
    table = table_to_solve()
    job = looking(table)
    table.close()
    assert job.is_cancelled


# -- what is known of ways to win


def test_plan_follows_the_latest_solution_and_ends() -> None:
    level = null("null/first/3")[0]
    assert level.certificate is not None
    plan = SolutionCache(level.certificate)
    start = level.start()
    assert plan.way(start) == (level.certificate, False)
    session = gp.Session(level)
    for text in ("right", "left", "right", "left", "left", "left", "left", "left"):
        session.act(text)
    longer = session.trace()
    assert longer.replay().won
    plan.follow(longer, fewest=True)
    way = plan.way(start)
    assert way is not None
    assert way[0].replay().won
    assert len(way[0].steps) == 4  # where the long way comes by again, it goes on from the last time
    assert way[1]
    assert plan.step(session.history[0]) is None
    assert plan.way(session.history[0]) is None
