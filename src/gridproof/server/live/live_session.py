"""Live session: a session in memory with its viewers; answers inputs and broadcasts changes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol

from gridproof.agents.demos import co_players, demos
from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.extension import function_table
from gridproof.core.session import Session
from gridproof.server.cached_store import CachedStore
from gridproof.server.fair_executor import CLIENT
from gridproof.server.live.badge import PendingSave, ViewerBadge, ViewerSocket
from gridproof.server.live.serializers import (
    Changes,
    Win,
    about_data,
    field_delta,
    json_object,
    json_parts,
    json_text,
    level_state_data,
    message_data,
    plain_messages,
    requests_data,
)
from gridproof.server.session_memory import SessionMemory
from gridproof.store import digest
from gridproof.table.messages import Best, Board, Message, Moved
from gridproof.table.replay import SPEEDS
from gridproof.table.table import Table

QUICK = 0.010
"""Seconds that an action may block the event loop."""
WEIGHT = 0.3
"""Weight of the latest action in the expected time."""
SECONDS_A_CELL = 1e-6
"""Expected seconds for a cell in the first action."""


class RunningRace(Protocol):
    """A race that runs in a session."""

    speed: float

    @property
    def data(self) -> Data:
        """Return the state of the race as JSON."""

    def stop(self) -> None:
        """Stop the race."""

    def broadcast_state(self) -> None:
        """Broadcast the state of the race."""


class SessionView:
    """View of a session for the players of one actor, or for all: its table and its viewers."""

    def __init__(self, live: LiveSession, actor: str | None, is_guest: bool = False) -> None:
        self.live = live
        self.actor = actor
        self.viewers: list[ViewerSocket] = []
        self.table = Table(live.session, live.cached_store, files=False)
        self.table.actor, self.table.bound, self.table.is_guest = actor, True, is_guest
        self.table.co_players.chosen = live.co_players
        self.messages: list[Message] = []
        self._about: tuple[int, Data] = (-1, {})
        self._last_state: Data = {"about": self.about()}
        """Level state in the last message to all viewers."""
        self.table.attach(self)
        self.badge = ViewerBadge(self.table.status, live.schedule)

    def changed(self, table: Table, message: Message) -> None:
        """Collect a message for the viewers."""
        self.messages.append(message)

    def level_state(self, board: Board | None = None) -> Data:
        """Return all fields of the current state."""
        live = self.live
        key, actions = live.key, live.changes.actions.data(self.table)
        now = level_state_data(
            self.table, board or self.table.board, actions, key, live.cached_store.get_best(key)
        )
        now |= {"partners": {**live.co_players}, "race": live.race and live.race.data}
        return now

    def about(self) -> Data:
        """Return the data of the whole level, cached for the current one."""
        place = self.live.session.current
        if self._about[0] != place:
            self._about = place, about_data(self.table)
        return self._about[1]

    def take_delta(self) -> Data | None:
        """Return the fields that changed since the last update; None if there is no change."""
        board = next((message for message in reversed(self.messages) if isinstance(message, Board)), None)
        if board is None and not any(isinstance(message, Moved) for message in self.messages):
            return None
        now = self.level_state(board if board and board.place == self.live.session.current else None)
        now["about"] = self.about()
        before, self._last_state = self._last_state, now
        return field_delta(now, before)

    def serialize_body(
        self, answer: Iterable[Message], now: str | None, more: Data | None = None
    ) -> dict[str, str]:
        """Serialize messages, each part as JSON; {} for nothing.

        Parameters
        ----------
        now : str, optional
            Level state as JSON, for messages that change it.
        """
        answer, more, changes = tuple(answer), dict(more or {}), self.live.changes
        moves = [message.change for message in answer if isinstance(message, Moved)]
        boards = [message for message in answer if isinstance(message, Board)]
        parts: dict[str, str] = {}
        if moves:
            counts = {board.place: board.counts for board in boards} if any(one.won for one in moves) else {}
            parts["changes"] = f"[{','.join([changes.text(one, self.actor, counts) for one in moves])}]"
            if any(change.kind != "act" for change in moves):
                parts["requests"] = json_text(requests_data(self.table))
        lines = [message_data(message, self.table, changes.pieces) for message in plain_messages(answer)]
        if lines or "told" in more:
            parts["told"] = json_text(lines + more.pop("told", []))
        if now is not None and (moves or boards):
            parts["now"] = now
        return parts | json_parts(more)


class Clock(contextlib.ContextDecorator):
    """Clock of actions: the latest and the expected time.

    Parameters
    ----------
    expected : float
        Seconds expected for the first action.
    """

    def __init__(self, expected: float) -> None:
        self.expected = expected
        """Seconds expected for the next action."""
        self.latest = 0.0
        """Seconds of the latest action."""
        self._begin = 0.0

    def __enter__(self) -> None:
        self._begin = time.perf_counter()  # thread time needs a system call

    def __exit__(self, *error: object) -> None:
        self.latest = time.perf_counter() - self._begin
        self.expected += WEIGHT * (self.latest - self.expected)


class LiveSession:
    """A session in memory, with its viewers."""

    def __init__(self, name: str, session: Session, cached_store: CachedStore) -> None:
        self.name = name
        self.session = session
        self.cached_store = cached_store
        self.client = CLIENT.get()
        """Client that opened the session."""
        self.changes = Changes(session)
        self.memory = SessionMemory(session)
        self.clock = Clock(SECONDS_A_CELL * self.memory.cells)
        self.views: dict[tuple[str | None, bool], SessionView] = {}
        """(actor, for guests) -> view."""
        self.lock = asyncio.Lock()
        self.race: RunningRace | None = None
        """Running race."""
        self.co_players: dict[str, str] = {}
        """Actor -> strategy that plays it."""
        self._keys: dict[int, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def key(self) -> str:
        """Return the score key of the current level."""
        return self.key_of(self.session.current)

    def key_of(self, place: int) -> str:
        """Return the score key of the level at a place."""
        key = self._keys.get(place)
        if key is None:
            key = self._keys[place] = digest(self.session.levels[place])
        return key

    @property
    def is_used(self) -> bool:
        """True if the session has viewers or work in progress."""
        return bool(self.viewers) or self.lock.locked() or self.race is not None

    @property
    def is_quick(self) -> bool:
        """True if actions are fast enough for the event loop."""
        return self.clock.expected < QUICK

    async def draw_board(self) -> None:
        """Draw the whole board before it is sent; a large one in a thread."""
        if not self.is_quick:
            await asyncio.to_thread(self.changes.snapshot.data, self.changes.pieces)

    async def load_best_counts(self) -> None:
        """Load the best counts of the current level; continue without them if the store cannot be read."""
        key = self.key
        if not self.cached_store.has_best(key):
            level = self.session.levels[self.session.current]
            with contextlib.suppress(GridproofError):
                await asyncio.to_thread(self.cached_store.load_best, level, key)

    @property
    def viewers(self) -> list[ViewerSocket]:
        """Return all viewers."""
        return [viewer for view in self.views.values() for viewer in view.viewers]

    def view(self, actor: str | None, is_guest: bool = False) -> SessionView:
        """Return the view for the players of an actor, or for its guests."""
        if (actor, is_guest) not in self.views:
            self.views[actor, is_guest] = SessionView(self, actor, is_guest)
        return self.views[actor, is_guest]

    def add_viewer(self, viewer: ViewerSocket) -> SessionView:
        """Add a viewer to the view of its actor."""
        view = self.view(viewer.actor, viewer.bound)
        view.viewers.append(viewer)
        return view

    def remove_viewer(self, viewer: ViewerSocket) -> None:
        """Remove a viewer, and close a view without viewers."""
        for key, view in list(self.views.items()):
            if viewer in view.viewers:
                view.viewers.remove(viewer)
                view.badge.remove_viewer(viewer)
            if not view.viewers:
                view.table.close()
                del self.views[key]

    # -- output

    def state(self, view: SessionView, viewer: ViewerSocket) -> Data:
        """Return everything that a page needs at the start."""
        session, table, pieces = self.session, view.table, self.changes.pieces
        done = {*session.completed}
        now, board = view.level_state(), self.changes.snapshot.data(pieces)
        return {
            "id": self.name,
            "game": session.game.name,
            "title": session.game.title,
            "plays": viewer.plays,
            "actor": view.actor,
            "levels": [
                {"title": level.title, "done": place in done} for place, level in enumerate(session.levels)
            ],
            "words": {
                "welcome": table.look.welcome,
                "prompt": table.look.prompt,
                "farewell": table.look.farewell,
            },
            **view.about(),
            "players": [*demos(session.game)],
            "races": "watch" in function_table(session.game, "commands"),
            "speeds": SPEEDS,
            "strategies": [*co_players(session.game)],
            "pieces": pieces.pieces,
            "board": board,
            "requests": requests_data(table),
            "people": self.count_viewers(),
            "now": now,
        }

    def state_with_pieces(self, view: SessionView, viewer: ViewerSocket) -> Data:
        """Return the state for a page, after all others have received the new pieces."""
        state = self.state(view, viewer)
        if pieces := self.changes.pieces.take_new():
            text = json_text({"type": "news", "pieces": pieces})
            for other in self.viewers:
                if other is not viewer:
                    other.send(text)
        return state

    def count_viewers(self) -> Data:
        """Count the viewers."""
        viewers = self.viewers
        actors: dict[str, int] = {}
        for viewer in viewers:
            if viewer.actor is not None:
                actors[viewer.actor] = actors.get(viewer.actor, 0) + 1
        playing = sum(viewer.plays for viewer in viewers)
        return {"playing": playing, "watching": len(viewers) - playing, "actors": actors}

    def publish(
        self,
        sender: ViewerSocket | None,
        head: Data,
        answer: Sequence[Message] = (),
        more: Data | None = None,
    ) -> None:
        """Send the answer to the sender, and the changes to all other viewers.

        An answer is serialized once for each view. New pieces are sent to all viewers, because all use the same numbers.
        """
        bodies = []
        for view in self.views.values():
            delta, mine = view.take_delta(), sender in view.viewers
            now = None if delta is None else json_text(delta)
            messages, view.messages = view.messages, []
            others_body = view.serialize_body(messages, now) if messages and len(view.viewers) > mine else {}
            bodies.append((view, others_body, view.serialize_body(answer, now, more) if mine else None))
        wins = self.changes.take_wins()
        pieces = self.changes.pieces.take_new()
        new = {"pieces": json_text(pieces)} if pieces else {}
        save = self.cached_store.pending_save(self.session)
        for view, others_body, own_body in bodies:
            text = json_object({"type": '"news"', **others_body, **new}) if others_body or new else ""
            for viewer in view.viewers:
                if viewer is sender and own_body is not None:
                    viewer.send(json_object({**json_parts(head), **own_body, **new}), save)
                elif text:
                    viewer.send(text, save)
        for view in self.views.values():
            view.badge.update()
        for win in wins:
            self._begin(self._send_best(win, save))

    def schedule(self, call: Callable[[], object]) -> None:
        """Schedule a call with the session's lock."""
        self._begin(self._call_locked(call))

    async def _call_locked(self, call: Callable[[], object]) -> None:
        async with self.lock:
            call()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send_best(self, win: Win, save: PendingSave | None) -> None:
        """Send the best counts of a level after a win, as soon as they are saved."""
        if save is not None and self.name in await asyncio.shield(save):
            return
        key = self.key_of(win.place)
        best = self.cached_store.update_best(key, win.costs)
        line = {
            "kind": "best",
            "text": Best(best, "on this server").words(),
            "values": best,
            "key": key,
            "level": win.place + 1,
        }
        here: Data = {"now": {"best": best}} if key == self.key else {}
        self.broadcast({"type": "news", "told": [line], **here})

    def broadcast_co_players(self) -> None:
        """Send the co-players to all viewers."""
        self.broadcast({"type": "news", "now": {"partners": self.co_players}})

    def broadcast(self, data: Data) -> None:
        """Send the same message to all viewers."""
        text = json_text(data)
        for viewer in self.viewers:
            viewer.send(text)
