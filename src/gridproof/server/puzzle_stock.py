"""Stock of puzzles: the next one of each kind is made ahead, by a process of low priority, while no client's job runs.

Puzzles of a kind and a difficulty form a series, which is the same on all servers. A player gets the first of the series that
is ready and that the player has not had; so hundreds of players need no more puzzles than one. The puzzles are kept in the
store, where servers also claim those that they are making.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import functools
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Any

from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import puzzles_of
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.puzzle import (
    ATTEMPTS,
    Puzzle,
    PuzzleId,
    daily_id,
    make_puzzle,
    parse_id,
    puzzle_games,
    series,
    today,
)
from gridproof.jobs.worker_pool import LazyPool
from gridproof.server.fair_executor import ServerShutdown
from gridproof.server.jobs import JobQueue, JobRequest, run_job
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore
from gridproof.store.puzzles import read_puzzle, write_puzzle
from gridproof.table.jobs import Job

FIRST_PAUSE = 0.5
"""Seconds after the start of the server before the first puzzle is made."""
PAUSE = 0.5
"""Least pause between two puzzles; it is as long as the last one took, so that they use half a processor at most.

There is no pause after those of today: the first visitors see them.
"""
REST = 60.0
"""Seconds between two looks when all puzzles are there; the day may have changed."""
LONGEST_SERIES = 400
"""Puzzles of a series that are kept in the store."""
MOST_IN_MEMORY = 500
"""Puzzles in memory, also those of ids that players typed."""


class PuzzleStock:
    """The puzzles of a server, in memory and in the store.

    Parameters
    ----------
    jobs : JobQueue
        The jobs of clients, during which no puzzle is made ahead.
    """

    def __init__(self, store: GroupedStore, limits: Limits, jobs: JobQueue, shard: Shard) -> None:
        self._store, self._limits, self._jobs, self._shard = store, limits, jobs, shard
        self._memory: OrderedDict[PuzzleId, Puzzle] = OrderedDict()
        self._made: set[PuzzleId] = set()
        """Puzzles of series that are known to be in the store."""
        self._requests: dict[PuzzleId, str] = {}
        """Puzzles that clients wait for, with the ids of their jobs."""
        self._lengths: OrderedDict[tuple[str, str, str], int] = OrderedDict()
        """Game, kind and difficulty that players asked for -> number of puzzles to make; the latest last."""
        self._failed: set[PuzzleId] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._pool = LazyPool(prepare=_lower_priority)
        self._job: Job | None = None
        """The puzzle that is being made ahead."""
        self._claimed: PuzzleId | None = None
        """Its id."""

    def open(self) -> None:
        """Begin to make puzzles ahead, in the process that answers requests for them."""
        if self._limits.puzzles_ahead and self._shard.number == 0:
            self._jobs.on_begin = self._give_way
            self._keep(self._fill())

    def close(self) -> None:
        """Stop all work."""
        for task in self._tasks:
            task.cancel()
        self._pool.close()
        if self._claimed is not None:
            with contextlib.suppress(GridproofError):  # the claim becomes invalid after some minutes
                self._store.puzzles.release(self._claimed)

    # -- requests

    async def get(self, puzzle_id: PuzzleId) -> Puzzle | None:
        """Return the puzzle of an id if it was made; None if not."""
        puzzle = self._memory.get(puzzle_id) or await asyncio.to_thread(self._store.puzzles.get, puzzle_id)
        if puzzle is not None:
            self._remember(puzzle)
        return puzzle

    async def next_id(self, game: str, kind: str, difficulty: str, played: Collection[str]) -> PuzzleId:
        """Return the id of the next puzzle for a player: one that is ready, if there is one that the player has not had.

        Raises
        ------
        GridproofError
            If there are no such puzzles.
        """
        own, had = (game, kind, difficulty), set(played)
        ids, chosen = _series(*own), self._first_made(_left(own, had))
        if chosen is None:
            left = [*_left(own, had)]
            self._made |= await asyncio.to_thread(self._store.puzzles.find_made, left)
            chosen = self._first_made(left) or (left[0] if left else ids[len(had) % len(ids)])
        length = ids.index(chosen) + 1 + self._limits.puzzles_ahead
        self._lengths[own] = max(self._lengths.get(own, 0), length)
        self._lengths.move_to_end(own)
        self._changed.set()
        return chosen

    def _first_made(self, ids: Iterable[PuzzleId]) -> PuzzleId | None:
        """Return the first puzzle that is known to be in the store."""
        return next((puzzle_id for puzzle_id in ids if puzzle_id in self._made), None)

    def request(self, client: str, puzzle_id: PuzzleId) -> Data:
        """Return the job that makes a puzzle for a client; clients that wait for the same puzzle share it."""
        name = self._requests.get(puzzle_id, "")
        request = self._jobs.get(name)
        if request is None or (request.job.is_done and not request.job.result):
            limit = Limit(seconds=self._limits.pack_seconds)
            request = JobRequest(
                "Making a puzzle", partial(_make, str(puzzle_id)), limit, partial(self._receive, puzzle_id)
            )
            name = self._requests[puzzle_id] = self._jobs.submit(client, request)
        return {"attempts": ATTEMPTS, **request.data(name)}

    async def daily(self, day: datetime.date) -> list[tuple[PuzzleId, Puzzle | None]]:
        """Return the puzzles of a day, each with its id, which may not be ready."""
        return [
            (puzzle_id, await self.get(puzzle_id)) for puzzle_id in await asyncio.to_thread(_daily_ids, day)
        ]

    def _receive(self, puzzle_id: PuzzleId, text: str) -> Data:
        """Keep a puzzle that was made for a client; return the result of the job."""
        if puzzle_id not in self._memory:
            puzzle = read_puzzle(puzzle_id, text)
            self._remember(puzzle)
            self._requests.pop(puzzle_id, None)
            self._keep(self._save(puzzle))
        return {"id": str(puzzle_id)}

    async def _save(self, puzzle: Puzzle) -> None:
        """Save a puzzle, if others will ask for it."""
        puzzle_id = puzzle.id
        if (
            puzzle_id in _series(puzzle_id.game, puzzle_id.kind, puzzle_id.difficulty)
            or puzzle_id in self._days()
        ):
            await asyncio.to_thread(self._store.puzzles.add, puzzle)

    def _remember(self, puzzle: Puzzle) -> None:
        self._memory[puzzle.id] = puzzle
        self._memory.move_to_end(puzzle.id)
        if len(self._memory) > MOST_IN_MEMORY:
            self._memory.popitem(last=False)

    # -- puzzles made ahead

    async def _fill(self) -> None:
        """Make puzzles ahead, one after the other."""
        await asyncio.sleep(FIRST_PAUSE)
        while True:
            pause = REST
            try:
                self._changed.clear()
                puzzle_id = None if self._jobs.is_busy else await asyncio.to_thread(self._claim)
                if self._jobs.is_busy:
                    pause = PAUSE
                elif puzzle_id is not None:
                    begin = time.monotonic()
                    await self._make_ahead(puzzle_id)
                    is_today = puzzle_id in _daily_ids(today())
                    pause = 0.0 if is_today else max(PAUSE, time.monotonic() - begin)
                else:
                    self._pool.close()
                    self._pool = LazyPool(prepare=_lower_priority)
            except ServerShutdown:
                return
            except GridproofError:  # the store may recover
                logging.getLogger(__name__).warning("could not make a puzzle ahead", exc_info=True)
            if pause == REST:
                await self._wait(pause)
            else:
                await asyncio.sleep(pause)

    async def _wait(self, seconds: float) -> None:
        """Wait until a player has taken a puzzle, at most some seconds."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return

    def _claim(self) -> PuzzleId | None:
        """Claim the puzzle that is needed first; None if there is none that another server does not make."""
        wanted = [
            puzzle_id for puzzle_id in dict.fromkeys(self._wanted_ids()) if puzzle_id not in self._failed
        ]
        made = self._store.puzzles.find_made(wanted)
        self._claimed = next(
            (
                puzzle_id
                for puzzle_id in wanted
                if puzzle_id not in made and self._store.puzzles.claim(puzzle_id)
            ),
            None,
        )
        return self._claimed

    def _wanted_ids(self) -> Iterator[PuzzleId]:
        """Yield the puzzles to make ahead, the most urgent first."""
        yield from _daily_ids(today())
        for own, length in reversed(list(self._lengths.items())):
            yield from _series(*own)[:length]
        yield from _daily_ids(today() + datetime.timedelta(days=1))
        for number in range(self._limits.puzzles_ahead):
            for own in _all_series():
                yield _series(*own)[number]

    def _days(self) -> list[PuzzleId]:
        return [*_daily_ids(today()), *_daily_ids(today() + datetime.timedelta(days=1))]

    async def _make_ahead(self, puzzle_id: PuzzleId) -> None:
        """Make a claimed puzzle, unless a client's job begins meanwhile."""
        job = self._job = Job("Making a puzzle ahead", partial(_make, str(puzzle_id)), lambda _: ())
        job.restrict(self._limits.pack_seconds, self._limits.job_memory)
        await run_job(job, self._pool())
        self._job = None
        if job.result:
            puzzle = await asyncio.to_thread(read_puzzle, puzzle_id, job.result)
            await asyncio.to_thread(self._store.puzzles.add, puzzle)
        else:
            await asyncio.to_thread(self._store.puzzles.release, puzzle_id)
            if not job.is_cancelled:
                self._failed.add(puzzle_id)
        self._claimed = None

    def _give_way(self) -> None:
        """Stop the puzzle that is being made ahead, because a client's job begins."""
        if self._job is not None:
            self._job.cancel()

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@functools.lru_cache(maxsize=200)
def _series(game: str, kind: str, difficulty: str) -> list[PuzzleId]:
    return series(game, kind, difficulty, LONGEST_SERIES)


@functools.lru_cache(maxsize=200)
def _by_text(game: str, kind: str, difficulty: str) -> dict[str, PuzzleId]:
    return {str(puzzle_id): puzzle_id for puzzle_id in _series(game, kind, difficulty)}


def _left(own: tuple[str, str, str], had: Collection[str]) -> Iterator[PuzzleId]:
    """Yield the puzzles of a series that a player has not had."""
    return (puzzle_id for text, puzzle_id in _by_text(*own).items() if text not in had)


@functools.cache
def _all_series() -> list[tuple[str, str, str]]:
    """Return the game, kind and difficulty of all series: first the kind and the difficulty that most people begin with."""
    found = [
        (place + 2 * abs(number - 1), game.name, kind.name, word)
        for game in puzzle_games()
        if (offered := puzzles_of(game))
        for place, kind in enumerate(offered.kinds)
        for number, word in enumerate(kind.difficulties)
    ]
    return [(game, kind, word) for _, game, kind, word in sorted(found)]


@functools.lru_cache(maxsize=4)
def _daily_ids(day: datetime.date) -> list[PuzzleId]:
    return [daily_id(game.name, day) for game in puzzle_games()]


def _make(text: str, limit: Limit, progress: Callable[[int], None]) -> str:
    """Make a puzzle in another process."""
    return write_puzzle(make_puzzle(parse_id(text), limit.stop, progress))


def _lower_priority() -> tuple[object, ...]:
    """Give the process the lowest priority."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(9)
    return ()
