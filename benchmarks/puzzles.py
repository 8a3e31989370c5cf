"""New puzzles that were made ahead: time of a request, of a session on it, and of both for 500 players.

The first puzzles of each game's first kind, in all difficulties, are in the store. Then a server starts on it, and players
request puzzles and begin sessions. The players come one after the other, or are 500 of whom each begins a puzzle in ten seconds,
on a connection of its own. The server's processor time is that of its process, so that it does not depend on what else the
machine does; the waiting times do, and they contain the players' own part.

python benchmarks/puzzles.py
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import psutil

from gridproof.core.difficulty import puzzles_of
from gridproof.core.puzzle import make_puzzle, puzzle_games, series
from gridproof.store import Store

PLAYERS, SPREAD, ALONE = 500, 10.0, 100
READY_MOST = 0.100
MANY = "100000"


def fill(url: str) -> list[dict[str, str]]:
    """Put the first puzzle of each series into a store; return the series."""
    store, found = Store(url), list[dict[str, str]]()
    for game in puzzle_games():
        puzzles = puzzles_of(game)
        assert puzzles is not None
        kind = puzzles.kinds[0]
        for difficulty in kind.difficulties:
            asked = {"game": game.name, "kind": kind.name, "difficulty": difficulty}
            store.puzzles.add(make_puzzle(series(**asked, count=1)[0]))
            found.append(asked)
    store.close()
    return found


class Player:
    """A player's connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def connect(cls, port: int) -> Player:
        """Open a connection."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, path: str, body: dict[str, str], status: int) -> dict[str, Any]:
        """Post a body and return the answer, which must have a status."""
        content = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self._writer.write(head.encode() + content)
        first, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        length = next(int(line[16:]) for line in lines if line.lower().startswith("content-length: "))
        text = await self._reader.readexactly(length)
        assert int(first.split()[1]) == status, text
        found: dict[str, Any] = json.loads(text)
        return found

    async def play(self, asked: dict[str, str]) -> tuple[float, float]:
        """Request a puzzle and begin a session on it; return the seconds of each."""
        begin = time.perf_counter()
        puzzle = await self.post("/api/puzzles", asked, 200)
        ready = time.perf_counter()
        await self.post("/api/sessions", {"puzzle": puzzle["id"]}, 201)
        return ready - begin, time.perf_counter() - ready

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


async def play_later(port: int, asked: dict[str, str], wait: float) -> tuple[float, float]:
    """Wait, connect and play."""
    await asyncio.sleep(wait)
    player = await Player.connect(port)
    try:
        return await player.play(asked)
    finally:
        player.close()


async def measure(port: int, server: psutil.Process, kinds: Sequence[dict[str, str]]) -> bool:
    """Measure one player, then many; return whether requests were answered soon enough."""
    rng, used = random.Random(1), [processor_time(server)]
    alone = [await play_later(port, kinds[number % len(kinds)], 0.0) for number in range(ALONE)]
    used.append(processor_time(server))
    many = await asyncio.gather(
        *(play_later(port, rng.choice(kinds), rng.uniform(0, SPREAD)) for _ in range(PLAYERS))
    )
    used.append(processor_time(server))
    kept = True
    for place, (name, times) in enumerate((("one player", alone), (f"{PLAYERS} players", many))):
        request, begin = ([1000 * pair[place] for pair in times] for place in (0, 1))
        last = statistics.quantiles(request, n=100)[98]
        processor = 1000 * (used[place + 1] - used[place]) / len(times)
        print(
            f"{name}: request {statistics.median(request):.1f} ms (99 of 100: {last:.1f} ms), "
            f"session {statistics.median(begin):.1f} ms (99 of 100: {statistics.quantiles(begin, n=100)[98]:.1f} ms), "
            f"processor {processor:.1f} ms for both"
        )
        kept &= last <= 1000 * READY_MOST
    return kept


def processor_time(process: psutil.Process) -> float:
    """Seconds that a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> int:
    """Run it; 1 if the limit is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/games.db"
        kinds = fill(url)
        command = [sys.executable, "-m", "gridproof", "serve", "--port", "0", "--json", "--each", MANY]
        command += ["--puzzles-ahead", "0"]
        environment = {**os.environ, "GRIDPROOF_STORE": url}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = urlsplit(json.loads(server.stdout.readline())["url"]).port
                assert port is not None
                return 0 if asyncio.run(measure(port, psutil.Process(server.pid), kinds)) else 1
            finally:
                server.terminate()


if __name__ == "__main__":
    sys.exit(main())
