"""Tests of the server as a process: answered moves survive a kill, with SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import signal
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets
from tests.server.process import Process, say

STEPS = ("right", "left")


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Process]]:
    processes = [Process(tmp_path)]
    yield processes
    for one in processes:
        one.close()


async def play(server: Process, name: str, answered: list[int]) -> None:
    """Walk to and fro, until the server has gone."""
    async with server.at(name) as socket:
        for number in range(30):
            await socket.send(json.dumps({"type": "do", "text": STEPS[number % 2], "ref": number}))
            while json.loads(await socket.recv()).get("ref") != number:
                pass
            answered[0] = number + 1


async def kill_in_the_middle(server: Process, names: list[str], answered: list[list[int]]) -> None:
    players = [
        asyncio.create_task(play(server, name, count)) for name, count in zip(names, answered, strict=True)
    ]
    while min(count for (count,) in answered) < 3:
        await asyncio.sleep(0.01)
    server.process.kill()
    await asyncio.gather(*players, return_exceptions=True)


@pytest.mark.slow
def test_answered_moves_survive_kill_of_server(started: list[Process], tmp_path: Path) -> None:
    (server,) = started
    level = "########\n#@   $.#\n########\n"
    names = [server.ask("/api/sessions", {"text": level})["id"] for _ in range(8)]
    answered = [[0] for _ in names]
    asyncio.run(kill_in_the_middle(server, names, answered))
    assert server.process.wait(600) == -signal.SIGKILL
    again = Process(tmp_path)
    started.append(again)
    kept = [len(again.ask(f"/api/sessions/{name}/trace")["steps"]) for name in names]
    for count, (least,) in zip(kept, answered, strict=True):
        assert count in (least, least + 1)  # one may have been under way


@pytest.mark.long
def test_large_request_is_refused_without_effect_on_others(started: list[Process]) -> None:
    (server,) = started
    name = server.ask("/api/sessions", {"text": "#######\n#@ $ .#\n#######\n"})["id"]
    for path, body in (
        ("/api/sessions", {"text": "-" * (300 << 10)}),
        *(("/api/sessions", {"trace": "-" * size}) for size in (1100 << 10, 1800 << 10, 5 << 20)),
        ("/api/scores", {"trace": "-" * (1100 << 10), "name": "Ada"}),
    ):
        with pytest.raises(urllib.error.HTTPError) as caught:
            server.ask(path, body)
        told = json.load(caught.value)["error"]
        assert (caught.value.code, told["code"], "at most" in told["text"]) == (413, "large", True)
    asyncio.run(_sends_too_much(server, name))


async def _sends_too_much(server: Process, name: str) -> None:
    async with server.at(name) as other:
        async with server.at(name) as socket:
            answer = await say(socket, type="open", trace="-" * (1100 << 10))
            assert (answer["type"], "at most" in answer["text"]) == ("error", True)
            assert (await say(socket, type="do", text="right"))["now"]["done"] == 1
            with pytest.raises(websockets.ConnectionClosed) as caught:
                await say(socket, type="open", trace="-" * (3 << 20))
            assert caught.value.rcvd
            assert caught.value.rcvd.code == 1009
        assert (await say(other, type="do", text="right"))["now"]["done"] == 2


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_stops_server_quietly(started: list[Process], number: int) -> None:
    (server,) = started
    assert server.ask("/api/health")["ready"]
    assert server.end(number) in (0, 130, -number)
