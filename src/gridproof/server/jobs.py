"""Job queue: limits on number and time, worker processes, and progress reports."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from gridproof.analysis.json_data import Data
from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.core.registry import game_names
from gridproof.core.trace import Trace
from gridproof.jobs.worker_pool import LazyPool, WorkerPool
from gridproof.prove.distances import Distance, DistanceSearch
from gridproof.prove.position_status import Badge
from gridproof.prove.verdict_line import needs_luck, spoken_word
from gridproof.search.solver import preload_solvers
from gridproof.server.fair_executor import TooManyJobs
from gridproof.server.live.badge import ViewerSocket
from gridproof.server.rate_limits import Limits
from gridproof.table.jobs import Job, Work

if TYPE_CHECKING:
    from gridproof.search.solution import Solution
    from gridproof.server.live.live_session import LiveSession, SessionView
    from gridproof.table.messages import Message

POLL_TIMEOUT = 90.0
"""Seconds without a poll after which a job is stopped; hidden pages poll once a minute."""
RESULT_LIFETIME = 600.0
"""Seconds without a poll after which a result is deleted; it may be a certificate of a megabyte."""
PROGRESS_INTERVAL = 0.5
"""Seconds between two progress reports."""
MOST, MOST_OF_ALL = 200, 2000
"""Results of one client and of all clients; the oldest are deleted."""


class JobOwner(ViewerSocket, Protocol):
    """A page that has started a job: it receives the progress and the result."""

    client: str
    live: LiveSession
    session_view: SessionView

    def start_work(self, answer: Sequence[Message]) -> tuple[list[Message], Data]:
        """Start the jobs and the replays of an answer."""


class JobRequest:
    """A job of a program, which polls it until it is done.

    Parameters
    ----------
    what : str
        Description for people.
    work : function of a limit and a progress function
        Must be picklable.
    limit : Limit
    to_data : function of the result
        Returns the result as JSON.
    """

    def __init__(
        self, what: str, work: Work, limit: Limit, to_data: Callable[[Any], Data] = lambda found: found
    ) -> None:
        self.job = Job(what, work, lambda _: (), limit)
        self.last_poll = time.monotonic()
        """Time of the last poll."""
        self._to_data = to_data

    def data(self, name: str) -> Data:
        """Return the progress or the result; the name is the job's id."""
        job = self.job
        data: Data = {"id": name, "done": job.is_done, "positions": job.positions}
        if job.part is not None and not job.is_done:
            data["part"] = job.part
        if not job.is_done:
            return data
        return {**data, "error": job.error} if job.error else {**data, "result": self._to_data(job.result)}


async def run_job(job: Job, workers: WorkerPool) -> None:
    """Run a job in a worker process, and wait for its end."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def end(_: Job) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop is closed
            loop.call_soon_threadsafe(done.set)

    job.submit(workers, end)
    await done.wait()


def build_solve_job(position: Position[Any], minimise: str | None, limit: Limit) -> JobRequest:
    """Build the job that solves a level or a position."""
    word = spoken_word(position.level)
    return JobRequest(
        "Searching for a solution",
        partial(_solve, position, minimise),
        limit,
        partial(_solution_data, word),
    )


def _solve(
    position: Position[Any], minimise: str | None, limit: Limit, progress: Callable[[int], None]
) -> Solution:
    from gridproof.search.solve import solve

    return solve(position, minimise, limit=limit, progress=progress)


def _solution_data(word: str, found: Solution) -> Data:
    """Return a solution as JSON; `word` is what players call the game's actions."""
    data: Data = {"found": found.found, "cost": found.cost, "optimal": found.optimal, "word": word}
    data["luck"] = needs_luck(found.trace)
    return data if found.trace is None else {**data, "trace": found.trace.to_json()}


def build_distances_job(trace: Trace, badges: Sequence[Badge], limit: Limit) -> JobRequest:
    """Build the job that proves how far each position of a game is from the win; `badges` are known already."""
    search = DistanceSearch(trace, badges)
    request = JobRequest(
        "Measuring the distance to the win",
        partial(_measure_distances, search),
        limit,
        lambda found: {"distances": found},
    )
    request.job.part = _distance_data(search.distances)
    return request


def _measure_distances(search: DistanceSearch, limit: Limit, progress: Callable[[Any], None]) -> list[Data]:
    return _distance_data(search.run(limit, lambda found: progress(_distance_data(found))))


def _distance_data(found: Sequence[Distance]) -> list[Data]:
    return [{"left": one.left, "fewest": one.fewest, "dead": one.dead} for one in found]


class JobQueue:
    """The jobs of a server.

    Parameters
    ----------
    limits : Limits
    workers : function, optional
        Returns the worker pool, on first use.
    """

    def __init__(self, limits: Limits, workers: Callable[[], WorkerPool] | None = None) -> None:
        self.free = asyncio.Semaphore(limits.jobs)
        """Acquired by demo players before they think."""
        self._limits = limits
        self._own = LazyPool(limits.jobs, partial(preload_solvers, game_names()))
        self._workers = workers or self._own
        self._numbers = itertools.count(1)
        self._clients: dict[Job, str] = {}
        """Running and waiting jobs, each with its client."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._requests: OrderedDict[str, tuple[str, JobRequest]] = OrderedDict()
        self.on_begin: Callable[[], object] = lambda: None
        """Called when a job of a client begins: work of the server itself has to stop."""

    @property
    def is_busy(self) -> bool:
        """True while a client's job runs or waits."""
        return any(not job.is_done for job in self._clients)

    def start(self, page: JobOwner, job: Job) -> Data:
        """Start a job for a page and report its progress to it.

        Raises
        ------
        TooManyJobs
            When the client, or all together, have too many jobs.
        """
        number = next(self._numbers)
        job.restrict(self._limits.job_seconds, self._limits.job_memory)
        try:
            self._begin(page.client, job, lambda: self._send_result(page, job, number))
        except TooManyJobs:
            page.session_view.table.cancel()
            raise
        self._keep(self._report_progress(page, job, number))
        who = {"actor": job.actor} if job.actor else {}
        return {"kind": "working", "text": f"{job.what} ...", "what": job.what, "job": number, **who}

    def limit(self, seconds: float | None) -> Limit:
        """Return the limit of a job, at most `seconds`."""
        longest = self._limits.job_seconds
        return Limit(seconds=min(seconds or longest, longest))

    def submit(self, client: str, request: JobRequest) -> str:
        """Queue a job for a program and return its id; errors as of `start`."""
        name = secrets.token_urlsafe(24)
        request.job.restrict(self._limits.pack_seconds, self._limits.job_memory)
        self._begin(client, request.job, None)
        self._requests[name] = client, request
        own = [number for number, (owner, _) in self._requests.items() if owner == client]
        if len(own) > MOST:
            self.delete(own[0])
        elif len(self._requests) > MOST_OF_ALL:
            self.delete(next(iter(self._requests)))
        return name

    def get(self, name: str) -> JobRequest | None:
        """Return the job with an id; None if there is none."""
        if name not in self._requests:
            return None
        request = self._requests[name][1]
        request.last_poll = time.monotonic()
        return request

    def delete(self, name: str) -> None:
        """Stop a job and forget it."""
        if (submitted := self._requests.pop(name, None)) is not None:
            submitted[1].job.cancel()

    def stop_idle(self) -> None:
        """Stop jobs that nobody polls, and forget old results."""
        now = time.monotonic()
        for name, (_, request) in list(self._requests.items()):
            if request.job.is_done and now - request.last_poll > RESULT_LIFETIME:
                self.delete(name)
            elif not request.job.is_done and now - request.last_poll > POLL_TIMEOUT:
                request.job.cancel()

    def close(self) -> None:
        """Stop all jobs."""
        for task in self._tasks:
            task.cancel()
        self._own.close()

    # -- inside

    def _begin(self, client: str, job: Job, then: Callable[[], Any] | None) -> None:
        running = [owner for job, owner in self._clients.items() if not job.is_done]
        if running.count(client) >= self._limits.jobs_each:
            raise TooManyJobs("you already have a running job; wait for it, or stop it")
        if len(running) >= self._limits.jobs_waiting:
            raise TooManyJobs("the server is busy; try again in a minute")
        self._clients[job] = client
        self.on_begin()
        self._keep(self._work(job, then))

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, job: Job, then: Callable[[], Any] | None) -> None:
        try:
            await run_job(job, self._workers())
        finally:
            if not job.is_done:
                job.cancel()
            del self._clients[job]
        if then is not None:
            await then()

    async def _report_progress(self, page: JobOwner, job: Job, number: int) -> None:
        from gridproof.server.live.serializers import json_text

        positions = 0
        while not (job.is_done or job.is_cancelled):
            await asyncio.sleep(PROGRESS_INTERVAL)
            if job.positions != positions:
                positions = job.positions
                page.send(json_text({"type": "progress", "job": number, "positions": positions}))

    async def _send_result(self, page: JobOwner, job: Job, number: int) -> None:
        table, live = page.session_view.table, page.live
        async with live.lock:
            answer, more = page.start_work(await asyncio.to_thread(table.finish, job))
            await live.prepare_level()
            live.publish(page, {"type": "news", "job": number}, answer, more)
