"""What is done in a session is told to all, whatever fails beside it; what one page asks keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.play.web.sites import HOST, Site
from tests.play.web.test_guests import invited

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.play.jobs import Job
from gridproof.play.replay import Replay
from gridproof.play.web import socket as sockets
from gridproof.play.web import wire, working
from gridproof.play.web.limits import Limits
from gridproof.play.web.replays import MOST_STEPS, Replays
from gridproof.play.web.serve import Server, listening
from gridproof.play.web.working import Question
from gridproof.play.workers import GONE, Ended, Task
from gridproof.store import GroupedStore, StoreError

STRAIGHT = "#######\n#@ $ .#\n#######\n"
ENDLESS = "#####\n#@ .#\n# $ #\n#####\n"


class Waiting:
    """Processes that work as soon as they may, and have no result."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def begin(self, task: Task) -> None:
        self.tasks.append(task)

    def cancel(self, task: Task) -> None:
        task.cancelled.set()
        if task in self.tasks[1:]:  # the first one is under way
            self.tasks.remove(task)
            task.end(GONE)

    def go_on(self) -> None:
        while self.tasks:
            self.tasks.pop(0).end(Ended(("partner", None)))


@pytest.fixture
def waiting() -> Any:
    return Waiting()


# -- what is watched


def test_a_replay_does_not_run_far_ahead_of_what_was_seen(site: Site) -> None:
    with site.page(site.begin(text=ENDLESS)) as page:
        number = page.do("watch random")["told"][0]["replay"]
        answer = page.say(type="steps", replay=number, **{"from": 10**9}, count=1)
        assert (answer["type"], "0 steps are known" in answer["text"]) == ("error", True)
        (part,) = page.say(type="steps", replay=number, **{"from": MOST_STEPS}, count=1)["told"]
        assert len(part["steps"]) == 1


def test_a_replay_ends_where_a_trace_would_be_too_long() -> None:
    def for_ever() -> Iterator[Any]:
        while True:
            yield action, outcome

    session = gp.Session(gp.read(STRAIGHT))
    session.act("right")
    ((action, outcome),) = zip(session.trace().actions, session.outcomes, strict=True)
    replays = Replays(Limits(steps=5))
    replays._replays[1] = replay = Replay(session.trace().start, for_ever())
    part = replays.steps(1, 0, 50)
    assert (len(part.steps), part.end) == (5, True)
    part = replays.steps(1, 150, 50)
    assert (part.steps, part.end, replay.seen) == ([], True, 5)


def test_who_watches_a_slow_player_lets_others_play(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, begun = threading.Event(), threading.Event()
    steps = Replays.steps

    def slowly(*asked: Any) -> Any:
        begun.set()
        go_on.wait(60)
        return steps(*asked)

    monkeypatch.setattr(Replays, "steps", slowly)
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page, site.page(name) as other:
        number = page.do("watch random")["told"][0]["replay"]
        page.socket.send_json({"type": "steps", "replay": number, "ref": 2})
        assert begun.wait(60)
        assert other.do("right")["now"]["done"] == 1
        go_on.set()
        while page.receive().get("ref") != 2:
            pass


# -- deeds and long work


def test_an_action_is_told_though_there_is_no_room_for_the_partners_work(url: str, waiting: Any) -> None:
    site = Site(url, Limits(jobs_each=1), lambda: waiting)
    with site.client:
        name, elsewhere = site.begin(pack="robots/races"), site.begin(text=STRAIGHT)
        with site.page(name) as page, site.page(name) as other, site.page(elsewhere) as third:
            page.do("let b random")
            assert other.hear("news")["now"]["partners"] == {"b": "random"}
            site.house.jobs._clients[Job("other", lambda *_: None, lambda _: ())] = "testclient"
            answer = page.do(page.now["actions"][0]["text"])
            assert (answer["now"]["done"], len(answer["changes"])) == (1, 1)
            assert answer["told"][-1]["kind"] == "refusal"
            assert other.hear("news")["now"]["done"] == 1
            assert third.do("right")["now"]["done"] == 1


def test_of_several_actions_only_the_last_asks_a_partner(url: str, waiting: Any) -> None:
    site = Site(url, Limits(jobs_each=1), lambda: waiting)
    with site.client, site.page(site.begin(pack="robots/races")) as page:
        page.do("let b random")
        moves = [one["text"] for one in page.now["actions"] if one["actor"] == "a"]
        answer = page.say(type="do", texts=[moves[0], "undo", moves[0]])
        assert [line["kind"] for line in answer["told"] if line["kind"] in ("working", "refusal")] == [
            "working"
        ]
        waiting.go_on()
        while "job" not in page.hear("news"):
            pass


def test_a_race_that_cannot_be_restarts_nothing(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        page.do(page.now["actions"][0]["text"])
        assert page.say(type="race", options={"strategies": "nobody"})["type"] == "error"
        assert page.say(type="state")["state"]["now"]["done"] == 1


def test_all_partners_play_in_a_browser(site: Site) -> None:
    with site.page(site.begin(pack="robots/duels", level=2)) as page:
        for actor in "bc":
            page.do(f"let {actor} random")
        page.do(next(one["text"] for one in page.now["actions"] if one["actor"] == "a"))
        thought: list[int] = []
        while len(thought) < 2:
            news = page.hear("news")
            thought += [news["job"]] if "job" in news else []
        assert thought == [1, 2]


# -- who acts for whom


@pytest.mark.clause("R27")
def test_a_guest_acts_for_its_robot_alone_also_where_that_is_not(url: str) -> None:
    site = Site(url, Limits(messages_at_once=10_000))
    with site.client:
        _acts_for_c_alone(site)


def _acts_for_c_alone(site: Site) -> None:
    name = site.begin(pack="robots/duels", level=2)
    guest = invited(site, name, actor="c", plays=True)
    with site.page(name) as page, site.page(guest) as other:
        own = {one["text"] for one in other.now["actions"]}
        page.do("level 3")
        news = other.hear("news")["now"]
        assert {one["actor"] for one in news["actions"]} <= {NATURE}
        assert (news["about"]["actors"], news["about"]["meanings"]) == (["a", "b"], {})
        with site.page(guest) as again:
            assert again.state["actors"] == ["a", "b"]
        cells = [(x, y) for x in range(5) for y in range(4)]
        for place in (3, 2):
            page.do(f"level {place}")
            told = [other.say(type="point", x=x, y=y, to=to) for x, y in cells[::3] for to in cells[::2]]
            done = page.say(type="state")["state"]["now"]["done"]
            acted = [
                step["action"] for one in told for move in one.get("changes", ()) for step in move["steps"]
            ]
            assert done == len(acted)
            session = site.house.rooms.rooms[name].session
            level = session.levels[session.current]
            assert {level.owner(session.position.action(action)) for action in acted} <= {"c", NATURE}
        seat = site.house.rooms.rooms[name].seats["c"]
        assert seat.table.actor == "c"
        assert own
        assert {one["actor"] for one in other.say(type="state")["state"]["now"]["actions"]} <= {"c", NATURE}


# -- those who hear


class Deaf:
    """A socket whose other end does not read."""

    def __init__(self) -> None:
        self.sent = 0

    async def send_text(self, _: str) -> None:
        self.sent += 1
        await asyncio.Event().wait()

    async def receive(self) -> Any:
        await asyncio.Event().wait()

    async def close(self, code: int) -> None:
        await asyncio.Event().wait()


def in_room(site: Site, name: str, deed: Callable[[Any, Any], Any]) -> None:
    """Do something with a room and a page that does not read."""

    async def play() -> None:
        guest = await site.house.rooms.guest(name)
        socket: Any = Deaf()
        await deed(guest.room, sockets.Page(socket, guest, site.house, "far"))

    asyncio.run(play())


def test_a_page_that_does_not_read_is_let_go(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.house.rooms.rooms.clear()

    async def deed(room: Any, page: sockets.Page) -> None:
        running = asyncio.create_task(page.run())
        while page not in room.ears:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        for _ in range(wire.MOST_WAITING + 50):
            room.tell_all({"type": "news"})
        assert not page._waiting
        await running
        assert (room.ears, room.seats) == ([], {})

    in_room(site, name, deed)


def test_the_first_that_a_page_hears_is_the_state(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.house.rooms.rooms.clear()

    async def deed(room: Any, page: sockets.Page) -> None:
        async with room.lock:
            running = asyncio.create_task(page.run())
            for _ in range(5):
                await asyncio.sleep(0)
            room.tell_all({"type": "people"})
        while not page._waiting:
            await asyncio.sleep(0)
        assert page._waiting[0][0].startswith('{"type":"state"')
        page.cut()
        await running

    in_room(site, name, deed)


def test_a_newcomer_is_told_nothing_that_is_not_kept(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site = Site(url)
    with site.client:
        name = site.begin(text=STRAIGHT)
    site.house.rooms.rooms.clear()

    async def deed(room: Any, page: sockets.Page) -> None:
        kept = asyncio.get_running_loop().create_future()
        monkeypatch.setattr(room.keeping, "kept", lambda session: kept)
        running, socket = asyncio.create_task(page.run()), page.socket
        while not page._waiting:
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        assert (page._waiting[0][1], socket.sent) == (kept, 0)  # type: ignore[attr-defined]
        kept.set_result({})
        while not socket.sent:  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        page.cut()
        await running

    in_room(site, name, deed)


# -- the store


def test_the_best_counts_are_read_beside_the_loop_and_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    best_counts = site.store.best_counts

    def noted(*given: Any) -> Any:
        asked.append(threading.get_ident())
        return best_counts(*given)

    monkeypatch.setattr(site.store, "best_counts", noted)
    name = site.begin(pack="sokoban/first-steps")
    with site.page(name) as page, site.page(name):
        threads: list[int] = []
        site.client.portal.call(lambda: threads.append(threading.get_ident()))  # type: ignore[union-attr]
        page.do("level 2")
        page.do("level 1")
        assert len(asked) == 2
        assert threads[0] not in asked


def test_while_best_counts_cannot_be_read_play_goes_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("the store is locked")

    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        monkeypatch.setattr(site.store, "best_counts", broken)
        assert page.do("level 2")["now"]["level"] == 2
        assert page.now["best"] == {}


def test_a_store_that_does_not_answer_now_is_asked_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise StoreError("the store is locked")

    name = site.begin(text=STRAIGHT)
    site.house.rooms.drop(name)
    with monkeypatch.context() as patch:
        patch.setattr(site.store, "resume", broken)
        with site.client.websocket_connect(f"/ws/{name}", headers={"origin": HOST}) as socket:
            assert socket.receive()["code"] == 1012
    assert not site.house.connections
    with site.page(name) as page:
        assert page.state["id"] == name


# -- long work of many


def asked(count: int) -> list[Question]:
    return [Question("waiting", lambda *_: None, gp.Limit()) for _ in range(count)]


def jobs_of(waiting: Any, **limits: int) -> working.Jobs:
    return working.Jobs(Limits(**limits), lambda: waiting)


def test_work_that_is_cancelled_before_it_begins_leaves_its_place(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second, third, fourth) = jobs_of(waiting, jobs_each=2), asked(4)
        jobs.put("far", first)
        name = jobs.put("far", second)
        await asyncio.sleep(0)
        with pytest.raises(working.Busy):
            jobs.put("far", third)
        jobs.forget(name)
        jobs.put("far", third)
        jobs.put("near", fourth)
        await asyncio.sleep(0)
        waiting.go_on()
        while jobs._clients:
            await asyncio.sleep(0)
        assert [one.job.done for one in (first, second, third, fourth)] == [True] * 4
        assert second.job.cancelled

    asyncio.run(play())


def test_of_all_clients_together_so_much_work_is_taken(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second, third) = jobs_of(waiting, jobs_waiting=2), asked(3)
        jobs.put("far", first)
        name = jobs.put("near", second)
        await asyncio.sleep(0)
        with pytest.raises(working.Busy, match="too much long work is asked of this server just now"):
            jobs.put("elsewhere", third)
        jobs.forget(name)
        jobs.put("elsewhere", third)
        await asyncio.sleep(0)
        waiting.go_on()

    asyncio.run(play())


def test_many_questions_of_one_client_flush_nobody_elses(
    waiting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "MOST", 3)

    async def play() -> None:
        jobs, questions = jobs_of(waiting, jobs_each=9), asked(6)
        name = jobs.put("far", questions[0])
        names = [jobs.put("near", one) for one in questions[1:]]
        assert not questions[0].job.cancelled
        assert jobs.question(name) is questions[0]
        assert [jobs.question(one) is not None for one in names] == [False, False, True, True, True]
        monkeypatch.setattr(working, "MOST_OF_ALL", 4)
        jobs.put("elsewhere", asked(1)[0])
        assert jobs.question(name) is None  # the oldest of all
        await asyncio.sleep(0)
        waiting.go_on()

    asyncio.run(play())


def test_work_that_nobody_asks_about_is_ended(waiting: Any) -> None:
    async def play() -> None:
        jobs, (first, second) = jobs_of(waiting), asked(2)
        names = [jobs.put("far", one) for one in (first, second)]
        await asyncio.sleep(0)
        for one in (first, second):
            one.asked -= working.UNASKED + 1
        assert jobs.question(names[0]) is first
        jobs.end_unasked()
        assert (first.job.cancelled, second.job.cancelled) == (False, True)
        while not second.job.done:
            await asyncio.sleep(0)
        assert second.data(names[1])["error"] == GONE.error
        waiting.go_on()

    asyncio.run(play())


def test_an_answer_is_kept_for_some_time_after_somebody_has_asked_for_it(waiting: Any) -> None:
    async def play() -> None:
        jobs, (question,) = jobs_of(waiting), asked(1)
        name = jobs.put("far", question)
        await asyncio.sleep(0)
        waiting.go_on()
        while not question.job.done:
            await asyncio.sleep(0)
        question.asked -= working.KEPT / 2
        jobs.end_unasked()
        assert jobs.question(name) is question
        question.asked -= working.KEPT + 1
        jobs.end_unasked()
        assert jobs.question(name) is None

    asyncio.run(play())


def test_those_behind_one_proxy_may_have_more_work_under_way(url: str) -> None:
    with listening("127.0.0.1", 0) as socket:
        server = Server(socket, GroupedStore(url), "127.0.0.1", (), 7)
        assert server._application.house.limits.jobs_each == 7
