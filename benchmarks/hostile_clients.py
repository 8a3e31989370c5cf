"""Fifty players beside twenty hostile clients: large levels, many moves, many requests at once.

Each client has an address of its own (127.0.1.1 and on; Linux takes all of 127.0.0.0/8 for this machine), so that the
usual limits hold for each. A hostile one sends a level of 250 kB (500x500, full of boxes) again and again, and plays
the largest board that is taken with twenty moves a second that wait for no answer. Players play as in `load.py`; they
do so without the hostile ones first, which says how busy the machine is: on one that does other work the ratio counts. At the end the server is told to end.

python benchmarks/hostile_clients.py [--players 50] [--hostile 20] [--seconds 30]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

import uvloop
import websockets
from load import PACKS, WAYS, Player, Server
from websockets.typing import Origin

PLAYERS, HOSTILE, SECONDS = 50, 20, 30.0
MOST, ENDING = 0.200, 10.0
REFUSED_SIDE, TAKEN_SIDE = 500, 100
SESSIONS = 5
"""That each hostile client plays at once."""
PACE = 0.05
"""Seconds between two moves of each."""


def full_level(side: int) -> str:
    """A level as large as that, full of boxes; the player has a way along the top."""
    rows = [["#"] * side for _ in range(side)]
    for row in rows[2:-1]:
        row[1:-1] = "*" * (side - 2)
    rows[1][1:-1] = "@" + " " * (side - 4) + "."
    rows[2][1] = "$"
    return "\n".join(map("".join, rows)) + "\n"


async def post(url: str, source: str, text: str) -> tuple[int, dict[str, object]]:
    """Ask for a session of a level: status and answer."""
    host, port = url.removeprefix("http://").split(":")
    body = json.dumps({"text": text}).encode()
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
    head = f"POST /api/sessions HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    try:
        answer = await reader.read()
    finally:
        writer.close()
    first, _, rest = answer.partition(b"\r\n\r\n")
    return int(first.split()[1]), json.loads(rest)


async def send_levels(url: str, source: str, counts: Counter[str]) -> None:
    """Send levels that are too large, as fast as they are refused."""
    text = full_level(REFUSED_SIDE)
    while True:
        with contextlib.suppress(OSError, ValueError, IndexError):
            status, _ = await post(url, source, text)
            counts[f"level of {REFUSED_SIDE}x{REFUSED_SIDE}: {status}"] += 1
        await asyncio.sleep(PACE)


async def play_large(url: str, source: str, counts: Counter[str]) -> None:
    """Play the largest board, and wait for no answer."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        status, told = await post(url, source, full_level(TAKEN_SIDE))
        counts[f"level of {TAKEN_SIDE}x{TAKEN_SIDE}: {status}"] += 1
        if status == 201:
            await move_for_ever(url, source, str(told["id"]), counts)


async def move_for_ever(url: str, source: str, name: str, counts: Counter[str]) -> None:
    """Move along the top and back, connecting again when it is closed."""
    way = itertools.cycle(["right"] * (TAKEN_SIDE - 5) + ["left"] * (TAKEN_SIDE - 5))
    while True:
        with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError):
            async with websockets.connect(
                f"{url.replace('http', 'ws', 1)}/ws/{name}", origin=Origin(url), max_size=None,
                open_timeout=60, ping_interval=None, local_addr=(source, 0),
            ) as page:  # fmt: skip
                reading = asyncio.create_task(count_answers(page, counts))
                try:
                    while not reading.done():
                        await page.send(json.dumps({"type": "do", "text": next(way), "ref": 1}))
                        await asyncio.sleep(PACE)
                finally:
                    reading.cancel()
        await asyncio.sleep(1.0)


async def count_answers(page: websockets.ClientConnection, counts: Counter[str]) -> None:
    """Count what is answered."""
    async for text in page:
        told = json.loads(text)
        if told["type"] in ("answer", "error"):
            counts[f"move: {told.get('code', 'answered')}"] += 1


async def attack(url: str, number: int) -> None:
    """Do all of that as so many clients, until stopped."""
    counts: Counter[str] = Counter()
    tasks = []
    for place in range(1, number + 1):
        source = f"127.0.1.{place}"
        tasks.append(asyncio.create_task(send_levels(url, source, counts)))
        tasks += [asyncio.create_task(play_large(url, source, counts)) for _ in range(SESSIONS)]
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    await told.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    report(counts)


def report(counts: Counter[str]) -> None:
    """Print what the hostile clients were answered."""
    for what, number in sorted(counts.items()):
        print(f"  {what}: {number:,}", flush=True)


async def play(server: Server, number: int, seconds: float) -> list[Player]:
    """Let so many players play for some time."""
    players = []
    for place in range(number):
        pack = PACKS[place % len(PACKS)]
        name = await asyncio.to_thread(server.begin, pack, 1 + place // len(PACKS) % len(WAYS[pack]))
        players.append(Player(name, pack, random.Random(place), source=f"127.0.2.{place + 1}"))
    door = asyncio.Semaphore(10)
    sockets = await asyncio.gather(*(player.come(server.url, door) for player in players))
    until = time.perf_counter() + seconds
    await asyncio.gather(*(one.play(at, until) for one, at in zip(players, sockets, strict=True)))
    await asyncio.gather(*(at.close() for at in sockets))
    return players


def tell(what: str, players: list[Player]) -> tuple[float, float]:
    """Print how long the players have waited; the seconds at the median, and within which 99 % were answered."""
    times = sorted(time for player in players for time in player.times)
    within = sum(time <= MOST for time in times) / len(times)
    print(
        f"{what}: {len(times):,} moves, {1000 * times[len(times) // 2]:.1f} ms at the median, "
        f"99 % within {1000 * times[int(0.99 * len(times))]:.0f} ms, the last after {1000 * times[-1]:.0f} ms; "
        f"{100 * within:.2f} % within {1000 * MOST:.0f} ms (99 % wished)",
        flush=True,
    )
    errors = [error for player in players for error in player.errors]
    print(f"  {len(errors)} errors (none wished)", *errors[:3], flush=True)
    return times[len(times) // 2], times[int(0.99 * len(times))]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--hostile", type=int, default=HOSTILE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--processes", type=int, default=1, help="of the server")
    parser.add_argument("--attack", help="be the hostile clients of the server at this address")
    asked = parser.parse_args()
    if asked.attack:
        uvloop.run(attack(asked.attack, asked.hostile))
        return
    print(f"load of the machine at the start {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, None, asked.processes)
        alone = tell("alone", uvloop.run(play(server, asked.players, asked.seconds)))
        busy = server.processor()
        command = [sys.executable, __file__, "--attack", server.url, "--hostile", str(asked.hostile)]
        with subprocess.Popen(command) as hostile:
            attacked = tell(
                f"with {asked.hostile} hostile clients",
                uvloop.run(play(server, asked.players, asked.seconds)),
            )
            median, most = (under / free for under, free in zip(attacked, alone, strict=True))
            print(f"  as long as alone: {median:.1f} times at the median, {most:.1f} times for 99 %")
            print(f"  memory {server.memory():.0f} MB, processor {server.processor() - busy:.0f} s")
            begin = time.perf_counter()
            server.process.terminate()
            server.process.wait()
            print(f"told to end, it ended after {time.perf_counter() - begin:.1f} s ({ENDING:.0f} s wished)")
            hostile.terminate()


if __name__ == "__main__":
    main()
