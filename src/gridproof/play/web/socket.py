"""One page's conversation with a session, over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from gridproof.core.errors import GridproofError
from gridproof.core.look import Pointed
from gridproof.core.position import NATURE
from gridproof.play.commands import COMMANDS
from gridproof.play.data import Data
from gridproof.play.inputs import cell, check_text, check_whole
from gridproof.play.messages import Message, Refused, Watching, Working
from gridproof.play.table import Table
from gridproof.play.web.ahead import ahead_data
from gridproof.play.web.away import deeds_in, do_deeds, done_already, line_data, line_in
from gridproof.play.web.house import House
from gridproof.play.web.limits import Bucket
from gridproof.play.web.preview import preview_data
from gridproof.play.web.races import LiveRace, options_in, speed_in
from gridproof.play.web.replays import Replays
from gridproof.play.web.room import Kept, Seat, json_text
from gridproof.play.web.rooms import Guest
from gridproof.play.web.wire import CODES, Wire, fault_text

PAUSE = 0.5
"""Seconds that a page waits that says too much."""
MOST_TEXTS = 200
"""Actions in one message."""


class Page(Wire):
    """A page at a session."""

    def __init__(
        self,
        socket: WebSocket,
        guest: Guest,
        house: House,
        client: str,
        actor: str | None = None,
    ) -> None:
        super().__init__(socket)
        self.room, self.house, self.client = guest.room, house, client
        self.name = guest.name
        self.actor = actor
        self.plays = guest.plays
        self.bound = guest.actor is not None
        """Whether it looks with no other eyes than this actor's."""
        self.replays = Replays(house.limits)
        self.seat: Seat
        """Where it sits, once it has been told the state."""
        self._bucket = Bucket(house.limits.messages_each_second, house.limits.messages_at_once)

    def unkept(self, kept: Kept) -> Exception | None:
        """Why a change of its session could not be kept, if so; the session is opened again then."""
        failure = kept.result().get(self.room.name)
        if failure is not None:
            self.house.rooms.drop(self.room.name)
        return failure

    # -- what it says

    async def run(self) -> None:
        """Answer all it says, until it goes."""
        writer = asyncio.create_task(self.write())
        try:
            async with self.room.lock:
                await self.room.look_up()
                self.seat = self.room.sit(self)
                kept = self.room.keeping.kept(self.room.session)
                self.hear(json_text({"type": "state", **self._state()}), kept)
            self._tell_people()
            while self.end is None:
                await self._answer(await self.said())
        except WebSocketDisconnect:
            pass
        except GridproofError:
            self.cut()
        finally:
            async with self.room.lock:
                self.room.leave(self)
            self._tell_people()
            if self.end is not None:
                await asyncio.wait({writer}, timeout=PAUSE)  # it closes the connection, where it can
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await writer

    def _tell_people(self) -> None:
        self.room.tell_all({"type": "people", "people": self.room.people()})

    def _state(self) -> Data:
        return {**self.room.state_for(self.seat, self), "id": self.name, "bound": self.bound}

    async def _answer(self, text: str) -> None:
        message, taken = _message_in(text), self._bucket.take()
        ref = None if message is None else _ref_of(message)
        if not taken:
            self._fault(ref, "rate", "too many messages: wait a moment")
            await asyncio.sleep(PAUSE)
            return
        if message is None:
            await self.socket.close(CODES["input"])
            raise WebSocketDisconnect(CODES["input"])
        does = DOES.get(str(message.get("type")))
        if does is None:
            self._fault(ref, "input", "no such type of message")
            return
        async with contextlib.nullcontext() if does in ALONE else self.room.lock:
            try:
                await does(self, message, ref)
            except GridproofError as error:
                self._fault(ref, "input", str(error))

    def _fault(self, ref: object, code: str, text: str) -> None:
        self.hear(fault_text(code, text, ref))

    def _tell(self, ref: object, answer: Sequence[Message] = (), more: Data | None = None) -> None:
        self.room.tell(
            self, {"type": "answer"} if ref is None else {"type": "answer", "ref": ref}, answer, more
        )

    async def _at_table(self, ref: object, deed: Callable[[Table], tuple[Message, ...]], quick: bool) -> None:
        """Have something done at the table, and tell what comes of it."""
        if not self.plays:
            self._tell(ref, (Refused("You may only watch here"),))
            return
        table = self.seat.table
        answer = deed(table) if quick else await asyncio.to_thread(deed, table)
        await self.room.look_up()
        if table.left:
            table.left, table.going = False, True
        moved_to = table.actor
        if moved_to != self.seat.actor:
            table.actor = self.seat.actor
            self._look_with(moved_to, ref)
            return
        self._tell(ref, *self.begun(answer))

    def begun(self, answer: Sequence[Message]) -> tuple[list[Message], Data]:
        """Begin the long work and the replays of an answer: what else it says, and what is told of these."""
        others: list[Message] = []
        told: list[Data] = []
        for message in answer:
            try:
                if isinstance(message, Watching):
                    told.append(self.replays.begin(message.replay, self.room.changes.pieces))
                elif not isinstance(message, Working):
                    others.append(message)
                elif (
                    message.job is self.seat.table.job
                ):  # the next of several actions has ended that of the one before
                    told.append(self.house.jobs.begin(self, message.job))
            except GridproofError as error:  # what was done before it is told all the same
                others.append(Refused(str(error)))
        return others, {"told": told} if told else {}

    def _look_with(self, actor: str | None, ref: object) -> None:
        """Look with other eyes from now on."""
        if self.bound and actor != self.actor:
            self._tell(ref, (Refused(f"You play for {self.actor} here"),))
            return
        if actor is not None and actor not in self.seat.table.actors:
            self._tell(ref, (Refused(f"There is no {actor} here"),))
            return
        seat = self.room.seat(actor)
        if seat is not self.seat:
            self.room.leave(self)
            self.actor, self.seat = actor, seat
            self.room.sit(self)
        self._tell(ref, (), {"state": self._state()})
        self._tell_people()

    # -- one method for each type of message

    async def do(self, message: Data, ref: object) -> None:
        """Actions by their texts, or a command."""
        texts = message.get("texts", [message.get("text")])
        if not isinstance(texts, list) or not 0 < len(texts) <= MOST_TEXTS:
            raise GridproofError(f"texts are a list of 1 to {MOST_TEXTS} texts")
        for text in texts:
            check_text(text, "what is to be done")
            self._check_own(text)
        if len(texts) > 1:
            await self._at_table(ref, lambda table: do_all(table, texts), quick=False)
        else:
            word = texts[0].partition(" ")[0]
            await self._at_table(ref, lambda table: table.do(texts[0]), word not in SLOW)
            if word == "let":
                self.room.tell_partners()

    async def typed(self, message: Data, ref: object) -> None:
        """A line."""
        line = message.get("text")
        check_text(line, "what is typed")
        self._check_own(str(line))
        await self._at_table(ref, lambda table: table.typed(str(line)[:2000]), quick=False)

    async def key(self, message: Data, ref: object) -> None:
        """A key."""
        key = message.get("key")
        check_text(key, "a key")
        self._check_own(self.seat.table.keys.get(str(key), "help"))
        await self._at_table(ref, lambda table: table.key(str(key)), quick=False)

    async def point(self, message: Data, ref: object) -> None:
        """A cell that was clicked, or dragged from."""
        x, y, to = place_of(message)
        if self.bound:
            for text in await asyncio.to_thread(self._pointed, x, y, to):
                self._check_own(text)
        await self._at_table(ref, lambda table: table.point(x, y, to), quick=False)

    def _pointed(self, x: int, y: int, to: tuple[int, int] | None) -> Sequence[str]:
        table = self.seat.table
        return table.look.pointed(table.session.position, Pointed(x, y, to, table.actor))

    async def preview(self, message: Data, ref: object) -> None:
        """What something would do."""
        table, pieces = self.seat.table, self.room.changes.pieces
        position = table.session.position
        if "text" in message:
            check_text(message["text"], "an action")
            self._check_own(message["text"])
            texts: tuple[str, ...] = (message["text"],)
        else:
            x, y, to = place_of(message)
            texts = tuple(await asyncio.to_thread(self._pointed, x, y, to))
        data = await asyncio.to_thread(preview_data, position, texts, pieces)
        self._tell(ref, (), {"told": [data]})

    async def race(self, message: Data, ref: object) -> None:
        """A race: live in the session, or to be watched alone."""
        options = options_in(message)
        if message.get("watch") is True:
            await self._at_table(ref, lambda table: table.race(**options), quick=False)
            return
        speed = speed_in(message)
        self._check_may_lead()
        race = await asyncio.to_thread(LiveRace, self.room, options, speed)
        self.stop_race()
        answer = await asyncio.to_thread(self.seat.table.do, "restart")
        race.begin()
        self._tell(ref, answer)

    async def stop(self, message: Data, ref: object) -> None:
        """The end of the live race."""
        self._check_may_lead()
        self.stop_race()
        self._tell(ref, (), {"now": self.seat.now()})

    async def speed(self, message: Data, ref: object) -> None:
        """Another speed of the live race."""
        self._check_may_lead()
        if self.room.race is not None:
            self.room.race.speed = speed_in(message)
            self.room.race.tell_now()
        self._tell(ref, (), {"now": self.seat.now()})

    def stop_race(self) -> None:
        """End the live race, where there is one."""
        if self.room.race is not None:
            self.room.race.stop()

    def _check_own(self, text: str) -> None:
        """Check that who plays one actor alone asks for an action of that one, of nature, or for advice."""
        if not self.bound or text in ("hint", "help"):
            return
        session = self.room.session
        action = session.position.action(text)
        if session.levels[session.current].owner(action) not in (self.actor, NATURE):
            raise GridproofError(f"you play for {self.actor} here")

    def _check_may_lead(self) -> None:
        if self.name != self.room.name:
            raise GridproofError("whoever has begun the game lets races run")

    async def cancel(self, message: Data, ref: object) -> None:
        """End long work."""
        await self._at_table(ref, lambda table: table.cancel(), quick=True)

    async def open(self, message: Data, ref: object) -> None:
        """A trace to be watched."""
        replay = await asyncio.to_thread(self.replays.of_trace, message.get("trace"))
        async with self.room.lock:
            self._tell(ref, (), {"told": [self.replays.begin(replay, self.room.changes.pieces)]})

    async def steps(self, message: Data, ref: object) -> None:
        """The next steps of what is watched."""
        asked: dict[str, Any] = {name: message.get(name, default) for name, default in STEPS.items()}
        for name, value in asked.items():
            check_whole(value, name)
        number, first, count = asked.values()
        async with self.house.jobs.free:  # a player that is watched may think for long
            part = await asyncio.to_thread(self.replays.steps, number, first, count)
        async with self.room.lock:
            data = await asyncio.to_thread(part.data, self.room.changes.pieces)
            self._tell(ref, (), {"told": [data]})

    async def view(self, message: Data, ref: object) -> None:
        """Look with other eyes."""
        actor = message.get("actor")
        if actor is not None:
            check_text(actor, "an actor")
        self._look_with(actor, ref)

    async def badge(self, message: Data, ref: object) -> None:
        """When to be told what is proved, or that it is wanted now."""
        badge = self.seat.badge
        if "mode" in message:
            badge.choose(self, message["mode"], self.house.prover)
        if message.get("ask") is True:
            badge.ask()
        self._tell(ref)

    async def state(self, message: Data, ref: object) -> None:
        """All of it."""
        self._tell(ref, (), {"state": self._state()})

    async def line(self, message: Data, ref: object) -> None:
        """Where the session stands, and a table to take along for when the server is away."""
        self._tell(ref, (), await asyncio.to_thread(line_data, self, message.get("near") is True))

    async def ahead(self, message: Data, ref: object) -> None:
        """A level that follows, and its table to take along."""
        self._tell(ref, (), await asyncio.to_thread(ahead_data, self, message.get("number")))

    async def away(self, message: Data, ref: object) -> None:
        """What was done while the server was away."""
        sent = message.get("deeds")
        line, deeds, known = line_in(message, sent, self.house.limits), deeds_in(sent), None
        if self.plays and not self.bound:
            known = await asyncio.to_thread(done_already, self.room.session, line, deeds)
        if known is None:
            self._tell(ref, (), {"caught": {"apart": True}, "state": self._state()})
            return
        answer, done, refused = await asyncio.to_thread(do_deeds, self.seat.table, deeds[known:])
        await self.room.look_up()
        others, more = self.begun(answer)
        caught = {"done": known + done, "refused": refused}
        self._tell(ref, others, {**more, "caught": caught, "state": self._state()})

    async def ping(self, message: Data, ref: object) -> None:
        """Nothing."""
        self._tell(ref)


SLOW = {command.words[0] for command in COMMANDS} - {"undo", "redo", "continue"}
"""Commands that may take longer than the loop can wait; actions do not."""
STEPS = {"replay": None, "from": 0, "count": 50}
Does = Callable[[Page, Data, object], Awaitable[None]]
DOES: dict[str, Does] = {
    name: getattr(Page, name)
    for name in (
        "do", "typed", "key", "point", "preview", "cancel", "open", "steps", "view", "state", "ping", "race", "stop", "speed",
        "badge", "line", "ahead", "away",
    )
}  # fmt: skip

ALONE = {Page.open, Page.steps}
"""What takes long before it needs the room: meanwhile others play."""


def _message_in(text: str) -> Data | None:
    """What a page says; None for what is no message."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _ref_of(message: Data) -> object:
    """What a page knows the answer to a message by."""
    ref = message.get("ref")
    return ref if isinstance(ref, int) or (isinstance(ref, str) and len(ref) <= 64) else None


def do_all(table: Table, texts: Sequence[str]) -> tuple[Message, ...]:
    """Do one after the other, until one is refused or wins."""
    answer: tuple[Message, ...] = ()
    for text in texts:
        answer += table.do(text)
        if any(message.kind in ("refusal", "won") for message in answer):
            break
    return answer


def place_of(message: Data) -> tuple[int, int, tuple[int, int] | None]:
    """Where a message points to, and where something was dragged."""
    x, y = cell((message.get("x"), message.get("y")), "a cell")
    to = message.get("to")
    return x, y, None if to is None else cell(to, "a cell")
