"""Messages of any form over a real connection: each one is answered, or the connection is closed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn
import websockets
from tests import postgresql
from tests.server.sites import Waiting
from tests.sizes import size
from websockets.typing import Origin

from gridproof.server.app import create_app
from gridproof.server.connection import HANDLERS
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore

MANY = size("messages", 1000)
"""Messages of the test with random ones."""
BATCH = 25
"""Messages that are sent before their answers are read."""
PATIENCE = 60.0
"""Seconds in which each batch is to be answered."""
PACKS = ("sokoban/first-steps", "twenty48/standard", "shiftit/boards", "robots/duels")
UNBOUNDED = replace(
    Limits().for_each(10**6), messages_each_second=1e9, messages_at_once=10**9, job_seconds=0.05, jobs_each=2
)
HALF = "\ud800"
"""Half of a surrogate pair: JSON can say it, UTF-8 cannot."""
STRINGS = (
    "", "right", "left", "up", "undo", "redo", "restart", "new", "hint", "help", "level 2", "quit", "as a", "a:walk(1,0)",
    "row 0 left", HALF, "\udfff", f"right{HALF}", "\x00", "\ufffe", "\U0010ffff", "é" * 70, "x" * 5000, "a", "always", "off",
)  # fmt: skip
KEYS = (
    "ref", "text", "texts", "key", "x", "y", "to", "trace", "replay", "from", "count", "actor", "options", "speed", "watch",
    "mode", "ask", "near", "number", "level", "steps", "done", "deeds",
)  # fmt: skip
MOST_DEEP = 3000
RAW = ("", "null", "[]", "7", '"do"', "{", "NaN", "[" * 5000, '{"type": "do"', '{"ref": 1' + "0" * 5000 + "}")


def random_value(dice: random.Random, depth: int = 0) -> Any:
    """Any value that JSON can have."""
    match dice.randrange(9 if depth < 3 else 6):
        case 0 | 1 | 2:
            return dice.choice(STRINGS)
        case 3:
            return dice.choice((None, True, False))
        case 4:
            return dice.choice((0, 1, 2, 3, -1, 2**31, 2**63, -(2**64), 10**400))
        case 5:
            return dice.choice((0.5, -1e308, 1e-9, float("nan"), float("inf")))
        case 6 | 7:
            return [random_value(dice, depth + 1) for _ in range(dice.randrange(4))]
        case _:
            return {dice.choice(STRINGS): random_value(dice, depth + 1) for _ in range(dice.randrange(3))}


def random_message(dice: random.Random) -> str | bytes:
    """A message, seldom none."""
    match dice.randrange(400):
        case 0 | 1:
            return dice.choice(RAW)
        case 2:
            return dice.randbytes(dice.randrange(40))
        case 3 | 4 | 5:
            kind, key, depth = dice.choice([*HANDLERS]), dice.choice(KEYS), dice.randrange(MOST_DEEP)
            return f'{{"type": "{kind}", "{key}": {"[" * depth}{"]" * depth}}}'
    message = {key: random_value(dice) for key in dice.sample(KEYS, dice.randrange(6))}
    kinds = (*HANDLERS, "do", "do", "preview", "view", random_value(dice))
    return json.dumps({**message, "type": dice.choice(kinds)})


@contextlib.contextmanager
def served(store_url: str) -> Iterator[str]:
    """The address of a server in a thread of its own."""
    store = GroupedStore(store_url)
    listener = socket.create_server(("127.0.0.1", 0))
    application = create_app(store, UNBOUNDED, workers=cast("Any", Waiting))
    config = uvicorn.Config(
        application, log_level="warning", ws="websockets-sansio", timeout_graceful_shutdown=3
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
        store.close()


async def begin(address: str, pack: str) -> str:
    """A new session's id."""
    body = json.dumps({"pack": pack}).encode()
    reader, writer = await asyncio.open_connection(*address.split(":"))
    head = f"POST /api/sessions HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    name: str = json.loads(answer.partition(b"\r\n\r\n")[2])["id"]
    return name


async def exchange(address: str, name: str, batches: Sequence[Sequence[str | bytes]]) -> int:
    """Send batches of messages to a session, each when the one before is answered; how often it was closed."""
    closed, batches = 0, [*batches]
    while batches:
        async with websockets.connect(
            f"ws://{address}/ws/{name}", origin=Origin(f"http://{address}"), max_size=None
        ) as page:
            try:
                while batches:
                    batch = batches.pop()
                    for text in batch:
                        await page.send(text)
                    await asyncio.wait_for(answers(page, len(batch)), PATIENCE)
            except websockets.ConnectionClosed:
                closed += 1
            except TimeoutError:
                pytest.fail(f"neither all answered nor closed: {batch}")
    return closed


async def answers(page: Any, number: int) -> None:
    """Wait for so many answers."""
    while number:
        number -= json.loads(await page.recv())["type"] in ("answer", "error")


def exchange_random(store_url: str, many: int, seed: int) -> int:
    """Send so many random messages, to sessions of every game."""
    dice = random.Random(seed)

    async def play(address: str) -> int:
        closed, left = 0, many
        while left > 0:
            for pack in PACKS:
                batches = [[random_message(dice) for _ in range(BATCH)] for _ in range(10)]
                closed += await exchange(address, await begin(address, pack), batches)
                left -= BATCH * 10
        return closed

    with served(store_url) as address:
        return asyncio.run(play(address))


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(HANDLERS))
def test_message_with_half_a_surrogate_pair_is_answered(url: str, kind: str) -> None:
    fields = ("ref", "text", "texts", "actor", "key", "trace", "options", "mode", "number", "deeds")
    texts = [
        json.dumps({"type": kind, key: value}) for key in fields for value in (HALF, [HALF], {HALF: HALF})
    ]

    async def play(address: str) -> int:
        return await exchange(address, await begin(address, "robots/duels"), [[text] for text in texts])

    with served(url) as address:
        assert asyncio.run(play(address)) == 0


def test_reference_with_half_a_surrogate_pair_is_returned_unchanged(url: str) -> None:
    async def play(address: str) -> Any:
        name = await begin(address, PACKS[0])
        async with websockets.connect(
            f"ws://{address}/ws/{name}", origin=Origin(f"http://{address}")
        ) as page:
            await page.send(json.dumps({"type": "ping", "ref": HALF}))
            while (told := json.loads(await page.recv()))["type"] != "answer":
                pass
            return told["ref"]

    with served(url) as address:
        assert asyncio.run(asyncio.wait_for(play(address), PATIENCE)) == HALF


@pytest.mark.long
def test_random_messages_are_answered_or_end_the_connection(url: str) -> None:
    exchange_random(url, MANY, seed=1)


@pytest.mark.long
@pytest.mark.skipif(postgresql.INITDB is None, reason="PostgreSQL is not installed: make postgresql")
def test_random_messages_are_answered_when_the_store_is_in_postgresql() -> None:
    pytest.importorskip("psycopg", reason="no driver for PostgreSQL: pip install gridproof[postgresql]")
    with postgresql.open_folder() as folder, postgresql.running(folder):
        exchange_random(postgresql.url_in(Path(folder)), MANY, seed=2)
