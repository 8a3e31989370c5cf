"""Tests of the job queue: limits of clients, and the end of jobs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import gridproof as gp
from gridproof.jobs.worker_pool import STOPPED
from gridproof.server import jobs as working
from gridproof.server.fair_executor import TooManyJobs
from gridproof.server.jobs import JobRequest
from gridproof.server.rate_limits import Limits
from gridproof.server.serve import Server, open_listener


def asked(count: int) -> list[JobRequest]:
    return [JobRequest("waiting", lambda *_: None, gp.Limit()) for _ in range(count)]


def jobs_of(waiting: Any, **limits: int) -> working.JobQueue:
    return working.JobQueue(Limits(**limits), lambda: waiting)


def test_job_cancelled_before_start_frees_its_place(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second, third, fourth) = jobs_of(waiting, jobs_each=2), asked(4)
        jobs.submit("far", first)
        name = jobs.submit("far", second)
        await asyncio.sleep(0)
        with pytest.raises(TooManyJobs):
            jobs.submit("far", third)
        jobs.delete(name)
        jobs.submit("far", third)
        jobs.submit("near", fourth)
        await asyncio.sleep(0)
        waiting.go_on()
        while jobs._clients:
            await asyncio.sleep(0)
        assert [one.job.is_done for one in (first, second, third, fourth)] == [True] * 4
        assert second.job.is_cancelled

    asyncio.run(play())


def test_jobs_of_all_clients_are_limited(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second, third) = jobs_of(waiting, jobs_waiting=2), asked(3)
        jobs.submit("far", first)
        name = jobs.submit("near", second)
        await asyncio.sleep(0)
        with pytest.raises(TooManyJobs, match="the server is busy"):
            jobs.submit("elsewhere", third)
        jobs.delete(name)
        jobs.submit("elsewhere", third)
        await asyncio.sleep(0)
        waiting.go_on()

    asyncio.run(play())


def test_jobs_of_one_client_do_not_evict_results_of_others(
    waiting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "MOST", 3)

    async def play() -> None:
        jobs, questions = jobs_of(waiting, jobs_each=9), asked(6)
        name = jobs.submit("far", questions[0])
        names = [jobs.submit("near", one) for one in questions[1:]]
        assert not questions[0].job.is_cancelled
        assert jobs.get(name) is questions[0]
        assert [jobs.get(one) is not None for one in names] == [False, False, True, True, True]
        monkeypatch.setattr(working, "MOST_OF_ALL", 4)
        jobs.submit("elsewhere", asked(1)[0])
        assert jobs.get(name) is None  # the oldest of all
        await asyncio.sleep(0)
        waiting.go_on()

    asyncio.run(play())


def test_job_is_stopped_when_nobody_polls_it(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second) = jobs_of(waiting), asked(2)
        names = [jobs.submit("far", one) for one in (first, second)]
        await asyncio.sleep(0)
        for one in (first, second):
            one.last_poll -= working.POLL_TIMEOUT + 1
        assert jobs.get(names[0]) is first
        jobs.stop_idle()
        assert (first.job.is_cancelled, second.job.is_cancelled) == (False, True)
        while not second.job.is_done:
            await asyncio.sleep(0)
        assert second.data(names[1])["error"] == STOPPED.error
        waiting.go_on()

    asyncio.run(play())


def test_job_result_is_kept_for_a_while_after_poll(waiting: Any) -> None:
    async def play() -> None:
        jobs, (question,) = jobs_of(waiting), asked(1)
        name = jobs.submit("far", question)
        await asyncio.sleep(0)
        waiting.go_on()
        while not question.job.is_done:
            await asyncio.sleep(0)
        question.last_poll -= working.RESULT_LIFETIME / 2
        jobs.stop_idle()
        assert jobs.get(name) is question
        question.last_poll -= working.RESULT_LIFETIME + 1
        jobs.stop_idle()
        assert jobs.get(name) is None

    asyncio.run(play())


def test_job_limit_can_be_raised_for_clients_behind_proxy(url: str) -> None:
    with open_listener("127.0.0.1", 0) as socket:
        server = Server(socket, "127.0.0.1", each=7, store=url)
        assert server.limits.jobs_each == 7
