"""Long work: so much at once, so long, and whoever asked is told how far it is."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.memory import memory_in_use
from gridproof.core.position import Position
from gridproof.play.data import Data
from gridproof.play.jobs import Job
from gridproof.play.web.limits import Limits

if TYPE_CHECKING:
    from gridproof.play.web.socket import Page
    from gridproof.search.solution import Solution

BEAT = 0.5
"""Seconds between two words on how far it is."""
GRACE = 10.0
"""Seconds beyond its time in which a job may come to its end."""
MOST = 200
"""Solutions that are kept for one client that asked; the oldest are forgotten."""


class Busy(GridproofError):
    """A client has too much work under way."""


class Asked(Protocol):
    """Work for a program, which asks for it again until it is done."""

    job: Job

    def data(self, name: str) -> Data:
        """How far it is, or what was found; the name is its id."""


class Question:
    """A level that is solved for a program."""

    def __init__(self, position: Position[Any], minimise: str | None, limit: Limit) -> None:
        self.solution: Solution | None = None
        self.error = ""
        self.job = Job("Looking for a solution", self._work(position, minimise), lambda _: (), limit)

    def _work(
        self, position: Position[Any], minimise: str | None
    ) -> Callable[[Limit, Callable[[int], None]], None]:
        def work(limit: Limit, progress: Callable[[int], None]) -> None:
            from gridproof.search.solve import solve

            try:
                self.solution = solve(position, minimise, limit=limit, progress=progress)
            except GridproofError as error:
                self.error = str(error)

        return work

    def data(self, name: str) -> Data:
        """How far it is, or what was found."""
        data: Data = {"id": name, "done": self.job.done, "positions": self.job.positions}
        if self.error:
            data["error"] = self.error
        elif (found := self.solution) is not None:
            data["result"] = {"found": found.found, "cost": found.cost, "optimal": found.optimal}
            if found.trace is not None:
                data["result"]["trace"] = found.trace.to_json()
        return data


class Jobs:
    """The long work of a server."""

    def __init__(self, limits: Limits) -> None:
        self.free = asyncio.Semaphore(limits.jobs)
        """Whoever works long waits for it."""
        self._limits = limits
        self._numbers = itertools.count(1)
        self._clients: dict[Job, str] = {}
        """What is under way or waits, and for whom."""
        self._running: set[Job] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._questions: OrderedDict[str, tuple[str, Asked]] = OrderedDict()

    def begin(self, page: Page, job: Job) -> Data:
        """Have work done for a page, and tell it that it is.

        Raises
        ------
        Busy
            When its client has too much work already.
        """
        number = next(self._numbers)
        try:
            self._begin(page.client, job, lambda: self._tell(page, job, number))
        except Busy:
            page.seat.table.cancel()
            raise
        beat = asyncio.create_task(self._beat(page, job, number))
        self._tasks.add(beat)
        beat.add_done_callback(self._tasks.discard)
        return {"kind": "working", "text": f"{job.what} ...", "what": job.what, "job": number}

    def ask(self, client: str, position: Position[Any], minimise: str | None, seconds: float | None) -> str:
        """Have a position solved: the id of the question. Errors as of `begin`."""
        return self.put(client, Question(position, minimise, self.limit(seconds)))

    def limit(self, seconds: float | None) -> Limit:
        """That of work which a client wants to last so long."""
        longest = self._limits.job_seconds
        return Limit(seconds=min(seconds or longest, longest))

    def put(self, client: str, question: Asked) -> str:
        """Have work done for a program: its id. Errors as of `begin`."""
        name = secrets.token_urlsafe(24)
        self._begin(client, question.job, None)
        self._questions[name] = client, question
        own = [known for known, (owner, _) in self._questions.items() if owner == client]
        if len(own) > MOST:
            self.forget(own[0])
        return name

    def question(self, name: str) -> Asked | None:
        """One that was asked; None when there is none of that id."""
        return self._questions[name][1] if name in self._questions else None

    def forget(self, name: str) -> None:
        """End the work on a question."""
        if (kept := self._questions.pop(name, None)) is not None:
            kept[1].job.cancel()

    def end(self) -> None:
        """End all of it."""
        for task in self._tasks:
            task.cancel()

    # -- inside

    def _begin(self, client: str, job: Job, then: Callable[[], Any] | None) -> None:
        own = (known for known, owner in self._clients.items() if owner == client)
        if sum(known in self._running or not known.cancelled for known in own) >= self._limits.jobs_each:
            raise Busy("other work of yours is under way: wait for it, or end it")
        self._clients[job] = client
        task = asyncio.create_task(self._work(job, then))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, job: Job, then: Callable[[], Any] | None) -> None:
        try:
            async with self._place(job) as there:
                if there:
                    self._running.add(job)
                    await self._run(job)
        finally:
            if not job.done:
                job.cancel()
            self._running.discard(job)
            del self._clients[job]
        if then is not None:
            await then()

    @contextlib.asynccontextmanager
    async def _place(self, job: Job) -> AsyncIterator[bool]:
        """A place for a job, as soon as one is free; none, where it is cancelled before."""
        turn = asyncio.create_task(self.free.acquire())
        try:
            while not (turn.done() or job.cancelled):
                await asyncio.wait({turn}, timeout=BEAT)
            yield turn.done()
        finally:
            if turn.done():
                self.free.release()
            else:
                turn.cancel()

    async def _run(self, job: Job) -> None:
        loop, ended, limits = asyncio.get_running_loop(), asyncio.Event(), self._limits

        def end(_: Job) -> None:
            with contextlib.suppress(RuntimeError):  # the server has gone meanwhile
                loop.call_soon_threadsafe(ended.set)

        job.bound(limits.job_seconds, memory_in_use() + limits.job_memory)
        job.start(end)
        with contextlib.suppress(TimeoutError):  # what asks for no limit is not waited for any longer
            await asyncio.wait_for(ended.wait(), limits.job_seconds + GRACE)

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
