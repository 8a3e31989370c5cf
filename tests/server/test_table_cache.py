"""Tables for pages: which is made next, and what becomes of those for which nobody waits any more."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from starlette.requests import Request

import gridproof as gp
from gridproof.play.web.away import _while_there
from gridproof.play.web.limits import Limits
from gridproof.play.web.surroundings import Surrounded
from gridproof.play.web.tables import Tables, around_here, around_start
from gridproof.play.web.working import Busy
from gridproof.play.workers import BROKEN, GONE, Ended, Task

pytestmark = pytest.mark.asyncio


@dataclass
class ByHand:
    """A process whose work the test ends."""

    begun: list[Task] = field(default_factory=list)

    def begin(self, task: Task) -> None:
        self.begun.append(task)

    def cancel(self, task: Task) -> None:
        task.cancelled.set()

    async def end(self, how: Ended) -> None:
        """End what was begun last, as a process does."""
        await asyncio.to_thread(self.begun[-1].end, how)
        await _soon()


async def _soon() -> None:
    """Let all go on that can."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def worker() -> ByHand:
    return ByHand()


@pytest.fixture
def tables(worker: ByHand) -> Tables:
    """Tables that can be asked for as "a", "b" and "c"."""
    made = Tables(replace(Limits(), tables_waiting=3), cast("Any", lambda: worker))
    for name in "abc":
        made.offer(name, _asked(name))
    return made


def _asked(name: str) -> Surrounded:
    (level,) = gp.read(f"; {name}\n#####\n#@$.#\n#####\n")
    return Surrounded((level.start(),), 0)


async def _wait(tables: Tables, name: str, ahead: bool = False) -> asyncio.Task[bytes]:
    waiting = asyncio.create_task(tables.get(name, ahead))
    await _soon()
    return waiting


async def _leave(waiting: asyncio.Task[bytes]) -> None:
    waiting.cancel()
    await _soon()


async def test_what_was_asked_for_last_is_made_next_and_each_once(tables: Tables, worker: ByHand) -> None:
    waiting = [await _wait(tables, name) for name in "abcb"]
    for name in "abc":
        assert worker.begun[-1].work == _asked(name)
        await worker.end(Ended(name.encode()))
    assert [await one for one in waiting] == [b"a", b"b", b"c", b"b"]
    assert await tables.get("b") == b"b"
    assert len(worker.begun) == 3


async def test_what_nobody_waits_for_any_more_is_not_made(tables: Tables, worker: ByHand) -> None:
    first, second, third = [await _wait(tables, name) for name in "abc"]
    await _leave(third)
    await _leave(first)
    assert worker.begun[0].cancelled.is_set()
    await worker.end(Ended(b"cut off"))
    assert [task.work for task in worker.begun] == [_asked("a"), _asked("b")]
    await worker.end(Ended(b"b"))
    assert await second == b"b"
    assert len(worker.begun) == 2


async def test_it_is_made_as_long_as_one_page_waits(tables: Tables, worker: ByHand) -> None:
    waiting = [await _wait(tables, "a") for _ in range(2)]
    await _leave(waiting[0])
    assert not worker.begun[0].cancelled.is_set()
    await worker.end(Ended(b"a"))
    assert await waiting[1] == b"a"


async def test_a_page_that_comes_back_has_it_made_anew(tables: Tables, worker: ByHand) -> None:
    await _leave(await _wait(tables, "a"))
    again = await _wait(tables, "a")
    await worker.end(Ended(b"cut off"))
    assert len(worker.begun) == 2
    assert not again.done()
    await worker.end(Ended(b"a"))
    assert await again == b"a"


async def test_those_that_have_left_are_not_counted(tables: Tables, worker: ByHand) -> None:
    tables.offer("d", _asked("a"))
    waiting = [await _wait(tables, name) for name in "abc"]
    with pytest.raises(Busy):
        await tables.get("d")
    await _leave(waiting[1])
    await _leave(await _wait(tables, "d"))
    await worker.end(BROKEN)
    with pytest.raises(gp.GridproofError, match="its process ended"):
        await waiting[0]
    assert worker.begun[-1].work == _asked("c")


async def test_what_is_looked_ahead_to_gives_way_and_is_made_later(tables: Tables, worker: ByHand) -> None:
    ahead = await _wait(tables, "a", ahead=True)
    assert worker.begun[-1].work == _asked("a")
    now = await _wait(tables, "b")
    assert worker.begun[-1].cancelled.is_set()
    await worker.end(GONE)
    later = await _wait(tables, "c", ahead=True)
    for name in "bca":
        assert worker.begun[-1].work == _asked(name)
        await worker.end(Ended(name.encode()))
    assert [await one for one in (now, later, ahead)] == [b"b", b"c", b"a"]
    assert len(worker.begun) == 4


async def test_a_level_that_is_come_to_is_not_looked_ahead_to_any_more(
    tables: Tables, worker: ByHand
) -> None:
    ahead, now = await _wait(tables, "a", ahead=True), await _wait(tables, "a")
    await _wait(tables, "b")
    assert not worker.begun[0].cancelled.is_set()
    await _leave(now)
    await _wait(tables, "c")
    assert worker.begun[0].cancelled.is_set()
    for name in "acba":
        assert worker.begun[-1].work == _asked(name)
        await worker.end(Ended(name.encode()))
    assert await ahead == b"a"


async def test_those_who_look_ahead_take_no_place_from_those_who_play(tables: Tables, worker: ByHand) -> None:
    tables.offer("d", _asked("d"))
    for name in "abc":
        await _wait(tables, name, ahead=True)
    with pytest.raises(Busy):
        await tables.get("d", ahead=True)
    now = await _wait(tables, "d")
    await worker.end(GONE)
    assert worker.begun[-1].work == _asked("d")
    await worker.end(Ended(b"d"))
    assert await now == b"d"


async def test_work_is_cancelled_when_the_client_goes() -> None:
    going, cancelled = asyncio.Event(), asyncio.Event()

    async def receive() -> Any:
        await going.wait()
        return {"type": "http.disconnect"}

    async def work() -> bytes:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return b""

    request = Request({"type": "http"}, receive)
    asked = asyncio.create_task(_while_there(request, work()))
    await _soon()
    assert not asked.done()
    going.set()
    assert await asked == b""
    await _soon()
    assert cancelled.is_set()


async def test_another_version_has_tables_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one version has made lies in browsers when the next one is asked."""
    session = gp.Session(gp.levels_at("sokoban/first-steps/1"))
    name, here = around_start(session)[0], around_here(session)[0]
    assert around_start(session)[0] == name
    monkeypatch.setattr(gp, "__version__", "0.0.0")
    assert around_start(session)[0] != name
    assert around_here(session)[0] != here
