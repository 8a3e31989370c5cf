"""A session with all who look at it: each input is answered, and what it changes is told to everybody."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol

import orjson

from gridproof.core.errors import GridproofError
from gridproof.core.session import Session
from gridproof.play.data import Data
from gridproof.play.messages import Best, Board, Message, Moved
from gridproof.play.replay import SPEEDS
from gridproof.play.shows import partners, shows
from gridproof.play.table import Table
from gridproof.play.web.badge import SeatBadge
from gridproof.play.web.keeping import Keeping
from gridproof.play.web.races import LiveRace
from gridproof.play.web.telling import (
    Changes,
    Win,
    about_data,
    news_of,
    now_data,
    requests_data,
    told,
    told_data,
    with_counts,
)
from gridproof.store import digest
from gridproof.store.grouped import Failures

Kept = asyncio.Future[Failures]


class Ear(Protocol):
    """Somebody who looks at a session: a WebSocket."""

    actor: str | None
    plays: bool

    def hear(self, text: str, kept: Kept | None = None) -> None:
        """Send a text, as soon as what it tells is kept."""

    def cut(self) -> None:
        """Go: the session is to be opened again."""


class Seat:
    """A table at a session for one actor's players, or for those who see all; with those who look at it."""

    def __init__(self, room: Room, actor: str | None) -> None:
        self.room = room
        self.actor = actor
        self.ears: list[Ear] = []
        self.table = Table(room.session, room.keeping, files=False)
        self.table.actor, self.table.bound = actor, True
        self.table.partners.chosen = room.partners
        self.heard: list[Message] = []
        self._about: tuple[int, Data] = (-1, {})
        self._told: Data = {"about": self.about()}
        """How it stood when all who sit here were told last."""
        self.table.attach(self)
        self.badge = SeatBadge(room, self)

    def changed(self, table: Table, message: Message) -> None:
        """Note what all who sit here are told."""
        self.heard.append(message)

    def now(self, board: Board | None = None) -> Data:
        """How it stands, all of it; the current level's board, where it is at hand."""
        room = self.room
        best, actions = room.keeping.known_best(room.key), room.changes.actions.data(self.table)
        now = now_data(self.table, board or self.table.board, actions, room.key, best)
        return {**now, "partners": {**room.partners}, "race": room.race and room.race.data}

    def about(self) -> Data:
        """What holds on the whole level; made again on another one."""
        place = self.room.session.current
        if self._about[0] != place:
            self._about = place, about_data(self.table)
        return self._about[1]

    def news(self) -> Data | None:
        """How it stands, without what is as it was told last, when all who sit here are to be told; else nothing."""
        shown = [message for message in self.heard if isinstance(message, (Moved, Board))]
        if not shown:
            return None
        board = next((message for message in reversed(shown) if isinstance(message, Board)), None)
        now = self.now(board if board and board.place == self.room.session.current else None)
        now["about"] = self.about()
        before, self._told = self._told, now
        return news_of(now, before)

    def body(self, answer: Iterable[Message], now: Data | None, more: Data | None = None) -> Data:
        """What is told of some messages; {} for nothing."""
        answer, more, changes = tuple(answer), dict(more or {}), self.room.changes
        moved = [message.change for message in answer if isinstance(message, Moved)]
        body: Data = {}
        if moved:
            body["changes"] = [changes.data(change, self.actor) for change in moved]
            if any(change.won for change in moved):
                body["changes"] = with_counts(body["changes"], answer)
            if any(change.kind != "act" for change in moved):
                body["requests"] = requests_data(self.table)
        lines = [told_data(message, self.table, changes.pieces) for message in told(answer)]
        if lines or "told" in more:
            body["told"] = lines + more.pop("told", [])
        if now is not None and (moved or any(isinstance(message, Board) for message in answer)):
            body["now"] = now
        return {**body, **more}


class Room:
    """A session that is looked at."""

    def __init__(self, name: str, session: Session, keeping: Keeping) -> None:
        self.name = name
        self.session = session
        self.keeping = keeping
        self.changes = Changes(session)
        self.seats: dict[str | None, Seat] = {}
        self.lock = asyncio.Lock()
        self.race: LiveRace | None = None
        """The race that runs in it."""
        self.partners: dict[str, str] = {}
        """Who plays for which actors after each action, whoever sits here."""
        self._keys: dict[int, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def key(self) -> str:
        """What the current level's scores are kept under."""
        return self.key_of(self.session.current)

    def key_of(self, place: int) -> str:
        """What the scores of the level at a place are kept under."""
        key = self._keys.get(place)
        if key is None:
            key = self._keys[place] = digest(self.session.levels[place])
        return key

    async def look_up(self) -> None:
        """Have at hand what is kept of the current level, before it is told; while that cannot be read, it goes on without."""
        key = self.key
        if not self.keeping.knows_best(key):
            level = self.session.levels[self.session.current]
            with contextlib.suppress(GridproofError):
                await asyncio.to_thread(self.keeping.best_of, level, key)

    @property
    def ears(self) -> list[Ear]:
        """All who look."""
        return [ear for seat in self.seats.values() for ear in seat.ears]

    def seat(self, actor: str | None) -> Seat:
        """The table of an actor's players."""
        if actor not in self.seats:
            self.seats[actor] = Seat(self, actor)
        return self.seats[actor]

    def sit(self, ear: Ear) -> Seat:
        """Let somebody look, with the actor's eyes."""
        seat = self.seat(ear.actor)
        seat.ears.append(ear)
        return seat

    def leave(self, ear: Ear) -> None:
        """Let somebody go; a table at which nobody sits is closed."""
        for actor, seat in list(self.seats.items()):
            if ear in seat.ears:
                seat.ears.remove(ear)
                seat.badge.leave(ear)
            if not seat.ears:
                seat.table.close()
                del self.seats[actor]

    # -- what is told

    def state(self, seat: Seat, ear: Ear) -> Data:
        """All that a page needs to begin with."""
        session, table, pieces = self.session, seat.table, self.changes.pieces
        done = {*session.completed}
        now, board = seat.now(), self.changes.drawn.data(pieces)
        return {
            "id": self.name,
            "game": session.game.name,
            "title": session.game.title,
            "plays": ear.plays,
            "actor": seat.actor,
            "levels": [
                {"title": level.title, "done": place in done} for place, level in enumerate(session.levels)
            ],
            "words": {
                "welcome": table.look.welcome,
                "prompt": table.look.prompt,
                "farewell": table.look.farewell,
            },
            **seat.about(),
            "players": [*shows(session.game)],
            "races": session.game.added("watch") is not None,
            "speeds": SPEEDS,
            "strategies": [*partners(session.game)],
            "pieces": pieces.known,
            "board": board,
            "requests": requests_data(table),
            "people": self.people(),
            "now": now,
        }

    def state_for(self, seat: Seat, ear: Ear) -> Data:
        """The same, after all others have been told of the pieces that are new in it."""
        state = self.state(seat, ear)
        if pieces := self.changes.pieces.news():
            text = json_text({"type": "news", "pieces": pieces})
            for other in self.ears:
                if other is not ear:
                    other.hear(text)
        return state

    def people(self) -> Data:
        """How many look."""
        ears = self.ears
        actors: dict[str, int] = {}
        for ear in ears:
            if ear.actor is not None:
                actors[ear.actor] = actors.get(ear.actor, 0) + 1
        playing = sum(ear.plays for ear in ears)
        return {"playing": playing, "watching": len(ears) - playing, "actors": actors}

    def tell(
        self, asker: Ear | None, head: Data, answer: Sequence[Message] = (), more: Data | None = None
    ) -> None:
        """Tell the one who asked the answer, under a head, and all others what has changed.

        Everybody is told of new pieces: all speak of them by the same numbers.
        """
        bodies = []
        for seat in self.seats.values():
            now, mine = seat.news(), asker in seat.ears
            heard, seat.heard = seat.heard, []
            news = seat.body(heard, now) if heard and len(seat.ears) > mine else {}
            bodies.append((seat, news, {**head, **seat.body(answer, now, more)} if mine else None))
        won = self.changes.told()
        pieces = self.changes.pieces.news()
        new: Data = {"pieces": pieces} if pieces else {}
        kept = self.keeping.kept(self.session)
        for seat, news, answered in bodies:
            text = json_text({"type": "news", **news, **new}) if news or new else ""
            for ear in seat.ears:
                if ear is asker and answered is not None:
                    ear.hear(json_text({**answered, **new}), kept)
                elif text:
                    ear.hear(text, kept)
        for seat in self.seats.values():
            seat.badge.changed()
        for win in won:
            self._begin(self._tell_best(win, kept))

    def soon(self, deed: Callable[[], object]) -> None:
        """Do something at a table as soon as nobody else does."""
        self._begin(self._do(deed))

    async def _do(self, deed: Callable[[], object]) -> None:
        async with self.lock:
            deed()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell_best(self, win: Win, kept: Kept | None) -> None:
        """Tell the best counts of a level that has been won, as soon as that is kept."""
        if kept is not None and self.name in await asyncio.shield(kept):
            return
        key = self.key_of(win.place)
        best = self.keeping.reached(key, win.costs)
        line = {
            "kind": "best",
            "text": Best(best).words(),
            "values": best,
            "key": key,
            "level": win.place + 1,
        }
        self.tell_all({"type": "news", "told": [line]})

    def tell_partners(self) -> None:
        """Tell all who plays for which actors now."""
        self.tell_all({"type": "news", "now": {"partners": self.partners}})

    def tell_all(self, data: Data) -> None:
        """Tell all the same."""
        text = json_text(data)
        for ear in self.ears:
            ear.hear(text)


def json_text(data: Data) -> str:
    """JSON without blanks."""
    try:
        return orjson.dumps(data).decode()
    except TypeError:  # whole numbers of more than 64 bits
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
