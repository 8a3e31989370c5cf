"""Long work for pages: so much at once, so long, and each is told how far it is."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from typing import TYPE_CHECKING

from gridproof.core.errors import GridproofError
from gridproof.play.data import Data
from gridproof.play.jobs import Job
from gridproof.play.web.limits import Limits

if TYPE_CHECKING:
    from gridproof.play.web.socket import Page

BEAT = 0.5
"""Seconds between two words on how far it is."""


class Jobs:
    """The long work of a server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._free = asyncio.Semaphore(limits.jobs)
        self._numbers = itertools.count(1)
        self._each: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, page: Page, job: Job) -> Data:
        """Have work done for a page, and tell it that it is.

        Raises
        ------
        GridproofError
            When its client has too much work already.
        """
        if self._each[page.client] >= self._limits.jobs_each:
            page.seat.table.cancel()
            raise GridproofError("other work of yours is under way: wait for it, or end it")
        number = next(self._numbers)
        self._each[page.client] += 1
        task = asyncio.create_task(self._work(page, job, number))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return {"kind": "working", "text": f"{job.what} ...", "what": job.what, "job": number}

    async def _work(self, page: Page, job: Job, number: int) -> None:
        from gridproof.play.web.room import json_text

        table, room = page.seat.table, page.room
        try:
            async with self._free:
                loop, ended = asyncio.get_running_loop(), asyncio.Event()
                job.start(lambda _: loop.call_soon_threadsafe(ended.set))
                while not ended.is_set():
                    try:
                        await asyncio.wait_for(ended.wait(), BEAT)
                    except TimeoutError:
                        page.hear(json_text({"type": "progress", "job": number, "positions": job.positions}))
                        if job.cancelled:
                            break
            async with room.lock:
                answer = await asyncio.to_thread(table.finish, job)
                room.tell(page, {"type": "news", "job": number}, answer)
        finally:
            self._each[page.client] -= 1

    def end(self) -> None:
        """End all of it."""
        for task in self._tasks:
            task.cancel()
