"""Large texts are read by a process beside the server: its errors, its end, and the loop that goes on meanwhile."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.server.process import Process
from tests.server.sites import Site, Threads
from tests.server.test_limits import room_of_boxes

import gridproof as gp
from gridproof.server.errors import RequestError, error_data
from gridproof.server.fair_executor import ProcessorUse
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import Exhausted, TooLarge
from gridproof.server.text_reader import SMALL, TextReader

LARGE = room_of_boxes(90)
"""More characters than are read in the server."""


def process_number() -> int:
    return os.getpid()


def spend(seconds: float) -> int:
    """Use the processor so long, and give the process that has done it."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return os.getpid()


def leave() -> None:
    os._exit(1)


def test_text_reader_reads_large_texts_in_worker_process() -> None:
    use = ProcessorUse(0.1)
    reader = TextReader(Limits(), use)
    try:
        assert reader.run(SMALL, process_number) == os.getpid()
        assert reader._own_pool is None  # it begins when it is needed
        first = reader.run(SMALL + 1, process_number)
        assert first != os.getpid()
        assert reader.run(SMALL + 1, partial(spend, 0.05)) == first
        with pytest.raises(Exhausted):
            reader.run(SMALL + 1, leave)
        assert reader.run(SMALL + 1, process_number) not in (first, os.getpid())
    finally:
        reader.close()


@pytest.mark.parametrize("error", [RequestError("large", "too much"), TooLarge("too large"), Exhausted()])
def test_server_errors_can_be_pickled(error: gp.GridproofError) -> None:
    assert error_data(pickle.loads(pickle.dumps(error))) == error_data(error)


@pytest.mark.parametrize(
    ("path", "text", "status"),
    [
        ("sessions", LARGE, 201),
        ("sessions", room_of_boxes(101), 413),
        ("sessions", LARGE.replace("@", " "), 422),
        ("sessions", LARGE.replace("@", "?"), 422),
        ("sessions", "#####\n#@$.#\n#####\n\n" * 2001, 413),
        ("pictures", LARGE, 200),
        ("pictures", room_of_boxes(101), 413),
        ("vocabularies", room_of_boxes(101), 413),
        ("drafts", room_of_boxes(101), 413),
        ("jobs", room_of_boxes(101), 413),
    ],
)
def test_large_text_gets_the_same_answer_as_small_one(
    url: str, monkeypatch: pytest.MonkeyPatch, path: str, text: str, status: int
) -> None:
    answers = []
    for small in (SMALL, len(text)):
        monkeypatch.setattr("gridproof.server.text_reader.SMALL", small)
        site = Site(url, workers=Threads)
        with site.client:
            answer = site.client.post(f"/api/{path}", json={"text": text})
        assert answer.status_code == status, answer.text
        answers.append(answer.json().get("error") if status >= 400 else None)
    assert answers[0] == answers[1]


def test_event_loop_runs_while_large_text_is_read(url: str) -> None:
    """Meanwhile no part of the reading is done by a thread of the server."""
    site = Site(url)
    reader = site.context.reader

    async def ticks() -> tuple[int, float]:
        begin = time.process_time()
        reading = asyncio.create_task(asyncio.to_thread(reader.run, SMALL + 1, partial(spend, 0.5)))
        count = 0
        while not reading.done():
            await asyncio.sleep(0.001)
            count += 1
        assert await reading != os.getpid()
        return count, (time.process_time() - begin) / count

    try:
        reader.run(SMALL + 1, process_number)
        count, seconds = asyncio.run(ticks())
    finally:
        reader.close()
    assert count > 50
    assert seconds < 0.005  # of the processor, for each turn of the loop


def test_text_reader_ends_its_process_when_closed() -> None:
    reader = TextReader(Limits(), ProcessorUse(0.1))
    worker = psutil.Process(reader.run(SMALL + 1, process_number))
    reader.close()
    assert worker.wait(60) is not None or not worker.is_running()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGTERM")
def test_text_reader_process_ends_with_server(tmp_path: Path) -> None:
    server = Process(tmp_path)
    answer: Any = server.ask("/api/sessions", {"text": LARGE})
    assert answer["game"] == "sokoban"
    children = psutil.Process(server.process.pid).children()
    assert children
    server.end(signal.SIGTERM)
    _, left = psutil.wait_procs(children, timeout=60)
    assert not left
