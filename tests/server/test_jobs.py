"""Long work of many clients: who may have how much of it, and when it ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import gridproof as gp
from gridproof.play.web import working
from gridproof.play.web.limits import Limits
from gridproof.play.web.serve import Server, listening
from gridproof.play.web.working import Question
from gridproof.play.workers import GONE


def asked(count: int) -> list[Question]:
    return [Question("waiting", lambda *_: None, gp.Limit()) for _ in range(count)]


def jobs_of(waiting: Any, **limits: int) -> working.Jobs:
    return working.Jobs(Limits(**limits), lambda: waiting)


def test_work_that_is_cancelled_before_it_begins_leaves_its_place(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second, third, fourth) = jobs_of(waiting, jobs_each=2), asked(4)
        jobs.put("far", first)
        name = jobs.put("far", second)
        await asyncio.sleep(0)
        with pytest.raises(working.Busy):
            jobs.put("far", third)
        jobs.forget(name)
        jobs.put("far", third)
        jobs.put("near", fourth)
        await asyncio.sleep(0)
        waiting.go_on()
        while jobs._clients:
            await asyncio.sleep(0)
        assert [one.job.done for one in (first, second, third, fourth)] == [True] * 4
        assert second.job.cancelled

    asyncio.run(play())


def test_of_all_clients_together_so_much_work_is_taken(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second, third) = jobs_of(waiting, jobs_waiting=2), asked(3)
        jobs.put("far", first)
        name = jobs.put("near", second)
        await asyncio.sleep(0)
        with pytest.raises(working.Busy, match="too much long work is asked of this server just now"):
            jobs.put("elsewhere", third)
        jobs.forget(name)
        jobs.put("elsewhere", third)
        await asyncio.sleep(0)
        waiting.go_on()

    asyncio.run(play())


def test_many_questions_of_one_client_flush_nobody_elses(
    waiting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "MOST", 3)

    async def play() -> None:
        jobs, questions = jobs_of(waiting, jobs_each=9), asked(6)
        name = jobs.put("far", questions[0])
        names = [jobs.put("near", one) for one in questions[1:]]
        assert not questions[0].job.cancelled
        assert jobs.question(name) is questions[0]
        assert [jobs.question(one) is not None for one in names] == [False, False, True, True, True]
        monkeypatch.setattr(working, "MOST_OF_ALL", 4)
        jobs.put("elsewhere", asked(1)[0])
        assert jobs.question(name) is None  # the oldest of all
        await asyncio.sleep(0)
        waiting.go_on()

    asyncio.run(play())


def test_work_that_nobody_asks_about_is_ended(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second) = jobs_of(waiting), asked(2)
        names = [jobs.put("far", one) for one in (first, second)]
        await asyncio.sleep(0)
        for one in (first, second):
            one.asked -= working.UNASKED + 1
        assert jobs.question(names[0]) is first
        jobs.end_unasked()
        assert (first.job.cancelled, second.job.cancelled) == (False, True)
        while not second.job.done:
            await asyncio.sleep(0)
        assert second.data(names[1])["error"] == GONE.error
        waiting.go_on()

    asyncio.run(play())


def test_an_answer_is_kept_for_some_time_after_somebody_has_asked_for_it(waiting: Any) -> None:
    async def play() -> None:
        jobs, (question,) = jobs_of(waiting), asked(1)
        name = jobs.put("far", question)
        await asyncio.sleep(0)
        waiting.go_on()
        while not question.job.done:
            await asyncio.sleep(0)
        question.asked -= working.KEPT / 2
        jobs.end_unasked()
        assert jobs.question(name) is question
        question.asked -= working.KEPT + 1
        jobs.end_unasked()
        assert jobs.question(name) is None

    asyncio.run(play())


def test_those_behind_one_proxy_may_have_more_work_under_way(url: str) -> None:
    with listening("127.0.0.1", 0) as socket:
        server = Server(socket, "127.0.0.1", each=7, store=url)
        assert server.limits.jobs_each == 7
