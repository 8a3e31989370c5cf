"""Long work: so much at once, so long, in processes of its own, and whoever asked is told how far it is."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.play.data import Data
from gridproof.play.jobs import Job, Work
from gridproof.play.web.limits import Limits

if TYPE_CHECKING:
    from gridproof.play.web.socket import Page
    from gridproof.play.workers import Workers
    from gridproof.search.solution import Solution

UNASKED = 90.0
"""Seconds after which work for a program is ended that nobody has asked about: pages that are not seen ask once a minute."""
KEPT = 600.0
"""Seconds after which an answer is forgotten that nobody has asked for since: it may be a certificate of a megabyte."""
BEAT = 0.5
"""Seconds between two words on how far it is."""
MOST, MOST_OF_ALL = 200, 2000
"""Answers that are kept for one client that asked, and for all; the oldest are forgotten."""


class Busy(GridproofError):
    """A client, or all of them together, have too much work under way."""


class Question:
    """Work for a program, which asks for it again until it is done.

    Parameters
    ----------
    what : str
        What is done, in words.
    work : function of a limit and of a function that tells how far it is
        Pickled.
    limit : Limit
    told : function of what the work gave
        Gives it as JSON has it.
    """

    def __init__(
        self, what: str, work: Work, limit: Limit, told: Callable[[Any], Data] = lambda found: found
    ) -> None:
        self.job = Job(what, work, lambda _: (), limit)
        self.asked = time.monotonic()
        """When somebody wanted to know about it last."""
        self._told = told

    def data(self, name: str) -> Data:
        """How far it is, or what was found; the name is its id."""
        job = self.job
        data: Data = {"id": name, "done": job.done, "positions": job.positions}
        if job.part is not None and not job.done:
            data["part"] = job.part
        if not job.done:
            return data
        return {**data, "error": job.error} if job.error else {**data, "result": self._told(job.result)}


def solving(position: Position[Any], minimise: str | None, limit: Limit) -> Question:
    """A level or a position that is to be solved."""
    return Question("Looking for a solution", partial(_solve, position, minimise), limit, _solution_data)


def _solve(
    position: Position[Any], minimise: str | None, limit: Limit, progress: Callable[[int], None]
) -> Solution:
    from gridproof.search.solve import solve

    return solve(position, minimise, limit=limit, progress=progress)


def _solution_data(found: Solution) -> Data:
    data: Data = {"found": found.found, "cost": found.cost, "optimal": found.optimal}
    return data if found.trace is None else {**data, "trace": found.trace.to_json()}


class Jobs:
    """The long work of a server.

    Parameters
    ----------
    limits : Limits
    workers : function, optional
        Gives the processes that do it, when they are first needed.
    """

    def __init__(self, limits: Limits, workers: Callable[[], Workers] | None = None) -> None:
        self.free = asyncio.Semaphore(limits.jobs)
        """Players that are watched wait for it before they think."""
        self._limits = limits
        self._make = workers or self._made
        self._own: Workers | None = None
        self._numbers = itertools.count(1)
        self._clients: dict[Job, str] = {}
        """What is under way or waits, and for whom."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._questions: OrderedDict[str, tuple[str, Question]] = OrderedDict()

    def begin(self, page: Page, job: Job) -> Data:
        """Have work done for a page, and tell it that it is.

        Raises
        ------
        Busy
            When its client, or all together, have too much work already.
        """
        number = next(self._numbers)
        job.bound(self._limits.job_seconds, self._limits.job_memory)
        try:
            self._begin(page.client, job, lambda: self._tell(page, job, number))
        except Busy:
            page.seat.table.cancel()
            raise
        self._keep(self._beat(page, job, number))
        return {"kind": "working", "text": f"{job.what} ...", "what": job.what, "job": number}

    def limit(self, seconds: float | None) -> Limit:
        """That of work which a client wants to last so long."""
        longest = self._limits.job_seconds
        return Limit(seconds=min(seconds or longest, longest))

    def put(self, client: str, question: Question) -> str:
        """Have work done for a program: its id. Errors as of `begin`."""
        name = secrets.token_urlsafe(24)
        question.job.bound(self._limits.pack_seconds, self._limits.job_memory)
        self._begin(client, question.job, None)
        self._questions[name] = client, question
        own = [known for known, (owner, _) in self._questions.items() if owner == client]
        if len(own) > MOST:
            self.forget(own[0])
        elif len(self._questions) > MOST_OF_ALL:
            self.forget(next(iter(self._questions)))
        return name

    def question(self, name: str) -> Question | None:
        """One that was asked; None when there is none of that id."""
        if name not in self._questions:
            return None
        question = self._questions[name][1]
        question.asked = time.monotonic()
        return question

    def forget(self, name: str) -> None:
        """End the work on a question."""
        if (kept := self._questions.pop(name, None)) is not None:
            kept[1].job.cancel()

    def end_unasked(self) -> None:
        """End the work on questions that nobody waits for any more, and forget old answers."""
        now = time.monotonic()
        for name, (_, question) in list(self._questions.items()):
            if question.job.done and now - question.asked > KEPT:
                self.forget(name)
            elif not question.job.done and now - question.asked > UNASKED:
                question.job.cancel()

    def end(self) -> None:
        """End all of it."""
        for task in self._tasks:
            task.cancel()
        if self._own is not None:
            self._own.close()

    # -- inside

    def _made(self) -> Workers:
        from gridproof.core.registry import game_names
        from gridproof.play.workers import Workers

        if self._own is None:
            self._own = Workers(self._limits.jobs, game_names())
        return self._own

    def _begin(self, client: str, job: Job, then: Callable[[], Any] | None) -> None:
        under_way = [owner for known, owner in self._clients.items() if not known.done]
        if under_way.count(client) >= self._limits.jobs_each:
            raise Busy("other work of yours is under way: wait for it, or end it")
        if len(under_way) >= self._limits.jobs_waiting:
            raise Busy("too much long work is asked of this server just now: try again in a minute")
        self._clients[job] = client
        self._keep(self._work(job, then))

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, job: Job, then: Callable[[], Any] | None) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def end(_: Job) -> None:
            with contextlib.suppress(RuntimeError):  # the server has gone meanwhile
                loop.call_soon_threadsafe(ended.set)

        try:
            job.give(self._make(), end)
            await ended.wait()
        finally:
            if not job.done:
                job.cancel()
            del self._clients[job]
        if then is not None:
            await then()

    async def _beat(self, page: Page, job: Job, number: int) -> None:
        from gridproof.play.web.room import json_text

        told = 0
        while not (job.done or job.cancelled):
            await asyncio.sleep(BEAT)
            if job.positions != told:
                told = job.positions
                page.hear(json_text({"type": "progress", "job": number, "positions": told}))

    async def _tell(self, page: Page, job: Job, number: int) -> None:
        table, room = page.seat.table, page.room
        async with room.lock:
            answer, more = page.begun(await asyncio.to_thread(table.finish, job))
            await room.look_up()
            room.tell(page, {"type": "news", "job": number}, answer, more)
