"""Tests of limits: board size, memory, and fair use of threads."""

from __future__ import annotations

import asyncio
import itertools
import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect
from tests.server.process import Process, say
from tests.server.sites import Site

import gridproof as gp
from gridproof.server.fair_executor import (
    CLIENT,
    FairExecutor,
    HeavyClientQueue,
    ProcessorUse,
    ServerShutdown,
    TooManyJobs,
)
from gridproof.server.live import session_registry
from gridproof.server.rate_limits import Bucket, Limits
from gridproof.server.session_memory import MemoryUse, SessionMemory
from gridproof.table.table import Table

STRAIGHT = "#######\n#@ $ .#\n#######\n"


def room_of_boxes(side: int) -> str:
    """A level as large as that, full of boxes; the player has a way along the top."""
    rows = [["#"] * side for _ in range(side)]
    for row in rows[2:-1]:
        row[1:-1] = "*" * (side - 2)
    rows[1][1:-1] = "@" + " " * (side - 4) + "."
    rows[2][1] = "$"
    return "\n".join(map("".join, rows)) + "\n"


def trace_of_moves(text: str, count: int) -> str:
    """A trace of steps to the right and back."""
    session = gp.Session(gp.read(text))
    for number in range(count):
        session.act("left" if number % 2 else "right")
    return session.trace().to_json()


# -- boards


@pytest.mark.parametrize("path", ["sessions", "pictures", "traces", "explanations", "analyses"])
def test_too_large_board_is_refused(url: str, path: str) -> None:
    site, text = Site(url, Limits(cells=899)), room_of_boxes(30)
    asked = {"trace": trace_of_moves(text, 2)} if path == "traces" else {"text": text}
    with site.client:
        answer = site.client.post(f"/api/{'sessions' if path == 'traces' else path}", json=asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "large")
    assert answer.json()["error"]["text"].startswith("This board has 900 cells")
    assert not site.context.registry.sessions


def test_board_is_refused_when_it_has_too_many_pieces(url: str) -> None:
    site = Site(url, Limits(pieces=1000))
    with site.client:
        answer = site.client.post("/api/sessions", json={"text": room_of_boxes(30)})
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "large")
        site.begin(text=room_of_boxes(10))


def test_trace_from_socket_is_refused_when_board_is_too_large(url: str) -> None:
    site = Site(url, Limits(cells=899))
    with site.client, site.page(site.begin(text=STRAIGHT)) as page:
        answer = page.say(type="open", trace=trace_of_moves(room_of_boxes(30), 2))
        assert (answer["type"], answer["code"]) == ("error", "large")
        assert answer["text"].startswith("This board has 900 cells")
        assert page.do("right")["now"]["done"] == 1


def test_trace_is_refused_when_steps_need_too_much_memory(url: str) -> None:
    site, text = Site(url, Limits(memory_each=1_000_000)), trace_of_moves(room_of_boxes(30), 40)
    with site.client:
        answer = site.client.post("/api/sessions", json={"trace": text})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "large")


@pytest.mark.parametrize(
    "draw", ["gridproof.games.sokoban.look._Ground", "gridproof.games.sokoban.look.outer_floor"]
)
def test_board_is_refused_before_drawing_when_it_has_too_many_cells(
    url: str, monkeypatch: pytest.MonkeyPatch, draw: str
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("it is drawn")

    text = room_of_boxes(101)
    monkeypatch.setattr(draw, fail)
    monkeypatch.setattr(
        "gridproof.server.text_reader.SMALL", len(text)
    )  # it is read where `draw` is replaced
    site = Site(url)
    with site.client:
        answer = site.client.post("/api/sessions", json={"text": text})
    assert answer.status_code == 413
    assert answer.json()["error"]["text"] == (
        "This board has 10,201 cells. In a browser a board has at most 10,000 cells. "
        "Play larger ones with gridproof play."
    )


# -- memory


def test_session_memory_counts_unshared_parts_of_positions() -> None:
    session = gp.Session(gp.read("#######\n#@$  .#\n#######\n"))
    memory = SessionMemory(session)
    start = memory.size
    session.act("right")
    pushed = memory.size - start
    session.act("left")
    walked = memory.size - start - pushed
    assert pushed > walked > 0
    session.undo()
    assert SessionMemory(session).size == start + pushed


def test_client_is_refused_alone_when_its_memory_is_used_up(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_registry, "YOUNG", 0.0)
    site = Site(url, Limits(memory_each=150_000))
    with site.client, site.page(site.begin(text=STRAIGHT)), site.page(site.begin(text=STRAIGHT)):
        answer = site.client.post("/api/sessions", json={"text": STRAIGHT})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "memory")
        assert answer.headers["retry-after"]
        site.context.registry.check_memory("another", 100_000)


def test_idle_sessions_of_client_are_evicted_when_it_needs_memory(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_registry, "YOUNG", -1.0)
    site = Site(url, Limits(memory_each=150_000))
    with site.client:
        first, second, third = [site.begin(text=STRAIGHT) for _ in range(3)]
        assert [*site.context.registry.sessions] == [second, third]
        with site.page(first) as page:  # it comes back from the store
            assert page.do("right")["now"]["done"] == 1


def test_idle_sessions_of_the_client_itself_are_evicted_first(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_registry, "YOUNG", -1.0)
    site = Site(url)
    with site.client:
        others, own = site.begin(text=STRAIGHT), site.begin(text=STRAIGHT)
        registry = site.context.registry
        registry.sessions[others].client = "another"
        (client,) = {live.client for live in registry.sessions.values()} - {"another"}
        assert [live.name for live in registry._idle(client)] == [own, others]


def test_memory_is_divided_among_clients_when_short(url: str) -> None:
    site = Site(url, Limits(memory=200_000, memory_each=200_000))
    with site.client, site.page(site.begin(text=STRAIGHT)), site.page(site.begin(text=STRAIGHT)):
        site.context.registry.check_memory("another", 99_000)
        with pytest.raises(gp.GridproofError, match="out of memory"):
            site.context.registry.check_memory("another", 101_000)


@pytest.mark.slow
def test_memory_of_clients_is_that_of_their_sessions(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_registry, "YOUNG", -1.0)
    site = Site(url, Limits(memory_each=250_000, idle=0.0))
    registry = site.context.registry

    def check() -> None:
        assert registry._memory.by_client() == {
            client: sum(live.memory.size for live in lives)
            for client, lives in itertools.groupby(registry.sessions.values(), lambda live: live.client)
        }

    with site.client:
        names = [site.begin(text=STRAIGHT) for _ in range(5)]  # some are evicted
        check()
        assert 0 < len(registry.sessions) < 5
        with site.page(names[0]) as page:
            for text in ("right", "undo", "right", "restart"):
                page.do(text)
                check()
        registry.drop(names[0])
        check()
        site.client.delete(f"/api/sessions/{names[1]}")
        check()
        registry.evict_idle()
        check()
        assert registry._memory.by_client() == {}


def test_move_is_refused_when_client_has_no_memory_left(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(url, Limits(memory_each=10_000_000))
    with site.client, site.page(name := site.begin(text=STRAIGHT)) as page:
        site.context.registry.sessions[name].memory.size = 20_000_000
        answer = page.do("right")
        assert (answer["type"], answer["code"]) == ("error", "memory")
        site.context.registry.sessions[name].memory.size = 0
        assert page.do("right")["now"]["done"] == 1


def test_session_is_reopened_after_memory_error(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
        with site.page(name) as page, monkeypatch.context() as short:
            page.do("right")
            short.setattr(Table, "do", fail)
            answer = page.do("right")
            assert (answer["type"], answer["code"]) == ("error", "memory")
            with pytest.raises(WebSocketDisconnect) as gone:
                page.wait_for("state")
            assert gone.value.code == 1012
        with site.page(name) as page:
            assert page.now["done"] == 1
        with monkeypatch.context() as short:
            short.setattr("gridproof.core.text.recognition.read", fail)
            answer = site.client.post("/api/sessions", json={"text": STRAIGHT})
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "memory")


# -- turns


class Held:
    """An executor whose only thread waits until it is let go."""

    def __init__(self, use: ProcessorUse, **options: int) -> None:
        self.go_on, self.done = threading.Event(), list[str]()
        self.executor = FairExecutor(use, **{"threads": 1, **options})
        self.put("", self.go_on.wait)

    def put(self, client: str, call: Any = None) -> Future[Any]:
        """Have something done for a client; its name is noted then."""
        token = CLIENT.set(client)
        try:
            return self.executor.submit(call or (lambda: self.done.append(client)))
        finally:
            CLIENT.reset(token)


@contextmanager
def held(use: ProcessorUse, **options: int) -> Iterator[Held]:
    one = Held(use, **options)
    try:
        yield one
    finally:
        one.go_on.set()
        one.executor.shutdown()


def test_fair_executor_serves_client_with_least_use_first() -> None:
    use = ProcessorUse(0.05, clock=lambda: 0.0)
    use.charge("greedy", 10.0)
    use.charge("busy", 5.0)
    with held(use) as calls:
        last = [calls.put(name) for name in ("greedy", "busy", "greedy", "modest", "busy", "modest")]
        calls.go_on.set()
        for one in last:
            one.result(60)
    assert calls.done == ["modest"] * 2 + ["busy"] * 2 + ["greedy"] * 2


def test_fair_executor_gives_heavy_clients_one_thread() -> None:
    use, go_on, begun = ProcessorUse(0.05), threading.Event(), threading.Semaphore(0)
    for name in ("a", "b"):
        use.charge(name, 1000.0)

    def wait() -> None:
        begun.release()
        go_on.wait()

    with held(use, threads=4) as calls:
        heavy = [calls.put(name, wait) for name in ("a", "b", "a")]
        assert begun.acquire(timeout=60)
        calls.put("modest").result(60)
        assert sum(one.running() for one in heavy) == 1
        go_on.set()
        for one in heavy:
            one.result(60)


def test_fair_executor_refuses_client_when_too_many_calls_wait() -> None:
    with held(ProcessorUse(0.05), each=2) as calls:
        calls.put("greedy")
        calls.put("greedy")
        with pytest.raises(TooManyJobs):
            calls.put("greedy")
        calls.put("modest")


def test_fair_executor_shutdown_fails_waiting_calls_and_ends_threads() -> None:
    calls = Held(ProcessorUse(0.05), threads=2)
    calls.put("a").result(60)
    endless = threading.Event()
    under_way = calls.put("a", endless.wait)
    waiting = calls.put("b")
    calls.executor.shutdown(wait=False)
    for one in (under_way, waiting):
        with pytest.raises(ServerShutdown):
            one.result(60)
    with pytest.raises(ServerShutdown):
        calls.put("c")
    endless.set()
    calls.go_on.set()
    for worker in calls.executor._workers:
        worker.join(60)
        assert not worker.is_alive()


def test_processor_use_decays() -> None:
    now = [0.0]
    use = ProcessorUse(0.05, clock=lambda: now[0])
    use.charge("a", 1.0)
    assert use.is_heavy("a")
    now[0] = 20.0
    assert not use.is_heavy("a")
    assert use.of("a") == pytest.approx(1 / 16)


def test_client_is_heavy_when_it_uses_more_than_others_under_load() -> None:
    now = [0.0]
    use = ProcessorUse(0.1, clock=lambda: now[0], busy=0.4)
    for number in range(50):
        use.charge(f"player {number}", 0.01)
    for number in range(20):
        use.charge(f"hostile {number}", 0.1)
    assert not use.is_heavy("hostile 0")
    now[0] = 1.0
    for number in range(20):
        use.charge(f"hostile {number}", 0.2)
    assert use.is_heavy("hostile 0")
    assert not use.is_heavy("player 0")


def test_turns_queue_heavy_clients_only() -> None:
    use, done = ProcessorUse(0.05, clock=lambda: 0.0), list[str]()
    use.charge("greedy", 10.0)
    use.charge("busy", 5.0)
    turns = HeavyClientQueue(use)

    async def say(client: str) -> None:
        await turns.wait(client)
        done.append(client)

    async def all_say() -> None:
        await asyncio.gather(*map(say, ("greedy", "busy", "greedy", "modest", "busy")))

    asyncio.run(all_say())
    assert done == ["modest", "busy", "busy", "greedy", "greedy"]


def test_turns_skip_client_that_has_left() -> None:
    use = ProcessorUse(0.05, clock=lambda: 0.0)
    use.charge("greedy", 10.0)
    turns = HeavyClientQueue(use)

    async def go() -> None:
        gone = asyncio.create_task(turns.wait("greedy"))
        await asyncio.sleep(0)
        gone.cancel()
        await turns.wait("greedy")
        assert gone.cancelled()

    asyncio.run(go())


def test_bucket_goes_negative_for_large_body() -> None:
    now = [0.0]
    bucket = Bucket(10.0, 100.0, clock=lambda: now[0])
    assert bucket.take(150)
    assert not bucket.take()
    now[0] = 6.0
    assert bucket.take()


def test_body_is_refused_when_client_has_sent_too_much(url: str) -> None:
    site = Site(url, replace(Limits(), bytes_each_second=1.0, bytes_at_once=1000))
    with site.client:
        site.begin(text=STRAIGHT + ";" * 2000)
        answer = site.client.post("/api/sessions", json={"text": STRAIGHT})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "rate")
        assert site.client.get("/api/health").status_code == 200


def test_slow_moves_run_in_threads_and_quick_ones_in_event_loop(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, threads, do = Site(url), list[int](), Table.do

    def record(table: Table, text: str) -> Any:
        threads.append(threading.get_ident())
        return do(table, text)

    monkeypatch.setattr(Table, "do", record)
    with site.client, site.page(name := site.begin(text=STRAIGHT)) as page:
        live = site.context.registry.sessions[name]
        for seconds in (0.0, 1.0):
            live.clock.expected = seconds
            page.do("right")
        live.clock.expected = 0.0
        site.context.use.charge(live.client, 1000.0)
        page.do("left")
    loop, slow, heavy = threads
    assert loop not in (slow, heavy)


# -- the end


@pytest.mark.long
@pytest.mark.asyncio
async def test_server_ends_while_large_moves_are_computed(tmp_path: Path) -> None:
    server = Process(tmp_path)
    name = await asyncio.to_thread(server.ask, "/api/sessions", {"text": room_of_boxes(100)})
    async with server.at(name["id"]) as page:
        assert (await say(page, type="do", text="right"))["now"]["done"] == 1
        for number in range(60):
            await page.send(json.dumps({"type": "do", "texts": ["left", "right"] * 100, "ref": 100 + number}))
        ended = asyncio.create_task(asyncio.to_thread(server.end, signal.SIGTERM))
        done, _ = await asyncio.wait({ended}, timeout=120)
    if not done:
        server.process.kill()
    assert (await ended) == -signal.SIGTERM


def test_memory_of_session_that_leaves_during_a_change_is_not_counted() -> None:
    leaving = list[threading.Thread]()

    class Slow(SessionMemory):
        """A memory that is left as soon as its size changes."""

        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, value)
            if name == "_size" and use.by_client():
                leaving.append(threading.Thread(target=self.leave))
                leaving[0].start()
                leaving[0].join(0.1)

    use, session = MemoryUse(), gp.Session(gp.read(STRAIGHT))
    Slow(session).join(use, "client")
    session.act("right")
    leaving[0].join()
    assert not use.by_client()
