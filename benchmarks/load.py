"""A server under load: 500 players at once, each with a move every 200 ms, in complete games of all kinds.

An answer's time is from a page's message to the answer, which comes when the move is kept. All have come in before the
first move. While they play the server is killed (SIGKILL) and started again: every move that was answered must be there.
Then `--badges` play twice, without and with the badge that says what is proved of each position: it must not keep their
moves waiting. Then as many as `--many` play, which says how far it goes. The players run in a process of their own on
the same machine, whose processor they share with the server.

python benchmarks/load.py [--players 500] [--badges 50] [--many 2000] [--minutes 1] [--processes 2] [--short]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import psutil
import uvloop
import websockets
from websockets.typing import Origin

from gridproof.core.text.level_lookup import levels_at

PLAYERS, BADGES, MANY, MINUTES, PACE, PROCESSES = 500, 50, 2000, 1.0, 0.2, 2
COMING = 50
"""Players who come in at once."""
MOST, MEDIAN = 0.100, 0.020
PACKS = ("twenty48/standard", "sokoban/workshop", "shiftit/boards", "robots/yards")
LONGEST = 150
"""Moves without a plan after which a level is begun again."""

WAYS = {
    pack: [[*map(str, level.certificate.actions)] if level.certificate else [] for level in levels_at(pack)]
    for pack in PACKS
}


def choose_move(pack: str, now: dict[str, Any], dice: random.Random) -> str:
    """Return the next move: on a known way to the win, else by chance; ended levels are begun again."""
    way, done = WAYS[pack][now["level"] - 1], now["done"]
    texts: list[str] = [action["text"] for action in now["actions"] if action.get("actor") != "nature"]
    if now["status"] == "WON" and not now["going"]:
        return "level 1"
    if not texts:
        return "new"
    if done < len(way) and way[done] in texts:
        return str(way[done])
    return "restart" if done >= LONGEST and not way else dice.choice(texts)


class Server:
    """`gridproof serve` on a store in a folder."""

    def __init__(self, folder: str, players: int | None, processes: int) -> None:
        environment = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{Path(folder) / 'store.sqlite'}"}
        command = ["-m", "gridproof", "serve", "--port", "0", "--json", "--processes", str(processes)]
        if players is not None:  # all come from one address
            command += ["--each", str(2 * players)]
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout
        self.url = str(json.loads(self.process.stdout.readline())["url"]).rstrip("/")
        self.get("/api/health")
        self.ready = time.perf_counter() - begin
        first = psutil.Process(self.process.pid)
        self.used = [first, *first.children()]
        self.idle = self.busy = 0.0
        """Seconds of the processor before and after the load."""
        self.own = 0.0
        """Seconds of the processor that its players have taken."""

    def get(self, path: str) -> Any:
        """What is answered at an address."""
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            found: Any = json.load(answer)
            return found

    def begin(self, pack: str, number: int) -> str:
        """A new session's id."""
        body = json.dumps({"pack": pack, "level": number}).encode()
        request = urllib.request.Request(
            f"{self.url}/api/sessions", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            made: dict[str, str] = json.load(answer)
        return made["id"]

    def memory(self) -> float:
        """MB that the server's processes have; what they share counts for each."""
        return sum(process.memory_info().rss for process in self.used) / 1e6

    def processor(self) -> float:
        """Seconds of the processor that it has taken."""
        times = [process.cpu_times() for process in self.used]
        return float(sum(time.user + time.system for time in times))

    def kill(self) -> None:
        """End it at once, all of it."""
        for process in self.used:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait()


@dataclass
class Player:
    """Somebody who plays one session."""

    name: str
    pack: str
    dice: random.Random
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    now: dict[str, Any] = field(default_factory=dict)
    """How it stood after the last move that was answered."""
    waits: bool = False
    """Whether a move is under way."""
    badge: bool = False
    """Whether it wants to be told what is proved."""
    verdicts: int = 0
    """How often it was told."""
    source: str = ""
    """The address that it comes from, where that is not this machine's own."""

    async def come(self, url: str, door: asyncio.Semaphore) -> Any:
        """Come in: the socket to play on."""
        address = f"{url.replace('http', 'ws', 1)}/ws/{self.name}"
        async with door:
            socket = await websockets.connect(
                address,
                origin=Origin(url),
                compression=None,
                max_size=None,
                open_timeout=60,
                ping_interval=None,
                local_addr=(self.source, 0) if self.source else None,
            )
            self.now = orjson.loads(await socket.recv())["now"]
            if self.badge:
                await socket.send(json.dumps({"type": "badge", "mode": "always"}))
        return socket

    async def play(self, socket: Any, until: float) -> None:
        """Play until then."""
        moment = time.perf_counter() + self.dice.random() * PACE
        while moment < until:
            await asyncio.sleep(moment - time.perf_counter())
            await self._move(socket)
            moment = max(moment + PACE, time.perf_counter())

    async def _move(self, socket: Any) -> None:
        text = choose_move(self.pack, self.now, self.dice)
        sent, self.waits = time.perf_counter(), True
        await socket.send(json.dumps({"type": "do", "text": text, "ref": 1}))
        while '"ref":1' not in (answer := await socket.recv())[:40]:
            self.verdicts += answer.startswith('{"type":"badge"') and '"standing"' in answer
        self.times.append(time.perf_counter() - sent)
        self.waits = False
        told = orjson.loads(answer)
        if "now" not in told:
            self.errors.append(f"{text}: {answer[:300]}")
        else:
            self.now |= told["now"]  # without what is as it was


async def play(server: Server, players: list[Player], seconds: float) -> list[tuple[float, float]]:
    """Let all play, and look at the server's memory now and then; the server is killed while they do."""
    door = asyncio.Semaphore(COMING)
    sockets = await asyncio.gather(*(player.come(server.url, door) for player in players))
    begin, server.idle = time.perf_counter(), server.processor()
    own, until = time.process_time(), begin + seconds
    pairs = zip(players, sockets, strict=True)
    tasks = [asyncio.create_task(player.play(socket, until + 60)) for player, socket in pairs]
    memory = []
    while time.perf_counter() < until:
        await asyncio.sleep(seconds / 20)
        memory.append((time.perf_counter() - begin, server.memory()))
        server.busy = server.processor()
        if any(task.done() for task in tasks):
            break
    server.own = time.process_time() - own
    server.kill()
    await asyncio.gather(*tasks, return_exceptions=True)
    return memory


def lost(server: Server, players: list[Player]) -> list[str]:
    """The sessions that do not stand as they were answered; a move under way may be there or not."""
    found = []
    for player in players:
        trace = server.get(f"/api/sessions/{player.name}/trace")
        level, done = server.get(f"/api/sessions/{player.name}")["level"], len(trace["steps"])
        told = player.now["level"], player.now["done"]
        under_way = player.waits and (level != told[0] or done in (told[1] + 1, 0))
        if (level, done) != told and not under_way:
            found.append(f"{player.pack} {player.name}: {told} answered, {(level, done)} kept")
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument(
        "--badges", type=int, default=BADGES, help="and then so many with the badge on; 0: not"
    )
    parser.add_argument("--many", type=int, default=MANY, help="and then so many; 0: not")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--processes", type=int, default=PROCESSES, help="of the server")
    parser.add_argument("--short", action="store_true", help="20 seconds")
    asked = parser.parse_args()
    seconds = 20.0 if asked.short else 60 * asked.minutes
    print(f"load of the machine at the start {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    try_with(asked.players, seconds, asked.processes)
    for badge in (False, True) if asked.badges else ():
        print(f"\n{'with' if badge else 'without'} the badge")
        try_with(asked.badges, min(seconds, 30.0), asked.processes, badge)
    if asked.many:
        print()
        try_with(asked.many, min(seconds, 60.0), asked.processes)


def try_with(number: int, seconds: float, processes: int, badge: bool = False) -> None:
    """Let so many play, kill the server, and count what was lost."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, number, processes)
        print(f"ready after {server.ready:.2f} s (the tables are made)", flush=True)
        players = []
        for place in range(number):
            pack = PACKS[place % len(PACKS)]
            name = server.begin(pack, 1 + place // len(PACKS) % len(WAYS[pack]))
            players.append(Player(name, pack, random.Random(place), badge=badge))
        memory = uvloop.run(play(server, players, seconds))
        report(server, players, memory, seconds)
        again = Server(folder, number, processes)
        print(f"again ready after {again.ready:.2f} s (2 s wished)", flush=True)
        missing = lost(again, players)
        print(f"{len(missing)} of {len(players)} sessions have lost an answered move (none may)")
        print("\n".join(missing[:10]))
        again.kill()


def report(server: Server, players: list[Player], memory: list[tuple[float, float]], seconds: float) -> None:
    """Print what was measured."""
    times = sorted(time for player in players for time in player.times)
    errors = [error for player in players for error in player.errors]
    within = sum(time <= MOST for time in times) / len(times)
    print(
        f"{len(players)} players, {len(times):,} moves in {seconds:.0f} s: {len(times) / seconds:.0f} a second"
    )
    print(
        f"answered after {1000 * statistics.median(times):.1f} ms at the median (at most {1000 * MEDIAN:.0f} wished), "
        f"99 % within {1000 * times[int(0.99 * len(times))]:.0f} ms, the last after {1000 * times[-1]:.0f} ms"
    )
    print(f"{100 * within:.2f} % within {1000 * MOST:.0f} ms (99 % wished)")
    taken, own = (server.busy - server.idle) / len(times), server.own / len(times)
    print(f"a move takes the server {1e6 * taken:.0f} µs of a processor, and its player {1e6 * own:.0f}")
    if players[0].badge:
        verdicts = sum(player.verdicts for player in players)
        print(f"{verdicts:,} verdicts told, {verdicts / len(times):.2f} a move")
    print(f"{len(errors)} errors (none wished)", *errors[:3], sep="\n")
    first, last = memory[len(memory) // 4][1], memory[-1][1]
    print(f"memory {first:.0f} MB after a quarter of the time, {last:.0f} MB at the end")


if __name__ == "__main__":
    main()
