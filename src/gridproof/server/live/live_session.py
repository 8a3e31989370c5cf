"""Live session: a session in memory with its viewers; answers inputs and broadcasts changes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence, Set
from typing import Any, Protocol

from gridproof.agents.demos import co_players, demo_meanings, demos, unsuited_demos
from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import difficulty_word, spoken_difficulty
from gridproof.core.errors import GridproofError
from gridproof.core.extension import function_table, module_of
from gridproof.core.session import Session
from gridproof.core.text.phrases import join_names
from gridproof.core.trace import Trace
from gridproof.prove.estimate import estimator
from gridproof.prove.position_status import Badge, status_notes
from gridproof.server.cached_store import CachedStore
from gridproof.server.fair_executor import CLIENT
from gridproof.server.live.badge import PendingSave, ViewerBadge, ViewerSocket
from gridproof.server.live.notices import change_notices
from gridproof.server.live.serializers import (
    Changes,
    Win,
    about_data,
    counts_data,
    field_delta,
    json_object,
    json_parts,
    json_text,
    level_state_data,
    message_data,
    moves_data,
    plain_messages,
    requests_data,
    rules_data,
)
from gridproof.server.session_memory import SessionMemory
from gridproof.store import digest
from gridproof.table.co_players import BY_HAND, default_actor
from gridproof.table.messages import Best, Board, Message, Moved
from gridproof.table.replay import SPEEDS
from gridproof.table.table import Table

SAME_MOVES = {"act", "undo", "redo", "restart"}
"""Changes after which a page knows the list of moves without being sent it."""
QUICK = 0.010
"""Seconds that an action may block the event loop."""
QUICK_KEYS = 100
"""Keys of levels that the event loop may compute at once."""
WEIGHT = 0.3
"""Weight of the latest action in the expected time."""
SECONDS_A_CELL = 1e-6
"""Expected seconds for a cell in the first action."""


class RunningRace(Protocol):
    """A race that runs in a session."""

    speed: float
    players: Mapping[str, str]
    """Actor -> strategy."""

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
        self.table.co_players.is_race = live.is_race
        self.messages: list[Message] = []
        self._about: tuple[tuple[int, frozenset[str]], Data] = (-1, frozenset()), {}
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
        now |= {"partners": self.table.co_players.playing, "race": live.race and live.race.data}
        now |= {"race_players": live.shown_race_players}
        return now

    def about(self) -> Data:
        """Return the data of the whole level, cached for the current one and the actors of guests."""
        key = self.live.session.current, self.table.taken
        if self._about[0] != key:
            self._about = key, about_data(self.table, self.live.default_actor)
        return self._about[1]

    def update_taken(self) -> None:
        """Learn which actors guests play, and offer the viewers those alone that are left."""
        guests = self.live.guest_actors
        taken = guests - {self.actor} if self.table.is_guest else guests
        if taken == self.table.taken:
            return
        self.table.taken = taken
        if not self.viewers:
            self._last_state = {"about": self.about()}
        else:
            text = json_text({"type": "news", "now": self._delta()})
            for viewer in self.viewers:
                viewer.send(text)

    def take_delta(self) -> Data | None:
        """Return the fields that changed since the last update; None if there is no change."""
        board = next((message for message in reversed(self.messages) if isinstance(message, Board)), None)
        if board is None and not any(isinstance(message, Moved) for message in self.messages):
            return None
        return self._delta(board if board and board.place == self.live.session.current else None)

    def take_help(self) -> Data:
        """Return that hints were shown on the current level, once; {} if they were not, or if the viewers know it."""
        if self._last_state.get("helped") or not self.live.session.is_helped():
            return {}
        self._last_state["helped"] = True
        return {"helped": True}

    def _delta(self, board: Board | None = None) -> Data:
        now = self.level_state(board)
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
            won = any(change.won for change in moves)
            counts = {board.place: counts_data(board) for board in boards} if won else {}
            parts["changes"] = f"[{','.join([changes.text(one, self.actor, counts) for one in moves])}]"
            if any(change.kind != "act" for change in moves):
                parts["requests"] = json_text(requests_data(self.table))
            if any(change.kind not in SAME_MOVES or change.current != change.place for change in moves):
                parts["moves"] = json_text(moves_data(self.live.session))
        lines = [message_data(message, self.table, changes.pieces) for message in plain_messages(answer)]
        if lines or "told" in more:
            parts["told"] = json_text(lines + more.pop("told", []))
        if now is not None and (moves or boards):
            parts["now"] = now
        return parts | json_parts(more)


def _knowledge(badge: Badge) -> int:
    """Rank what is known of a position."""
    return 2 if badge.dead or badge.fewest else int(badge.winnable)


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
        """Place of a level -> its score key."""
        self._default_actors: dict[int, str | None] = {}
        """Place of a level -> its default actor."""
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def key(self) -> str:
        """Return the score key of the current level."""
        return self.key_of(self.session.current)

    def key_of(self, place: int) -> str:
        """Return the score key of a level."""
        if place not in self._keys:
            self._keys[place] = digest(self.session.levels[place])
        return self._keys[place]

    def _compute_keys(self) -> None:
        for place in range(len(self.session.levels)):
            self.key_of(place)

    @property
    def is_used(self) -> bool:
        """True if the session has viewers or work in progress."""
        return bool(self.viewers) or self.lock.locked() or self.race is not None

    def is_race(self) -> bool:
        """Return whether a race runs, or has led to the current position."""
        return self.race is not None or self.session.is_race

    @property
    def shown_race_players(self) -> Data | None:
        """Return who plays in the race that led to the current position; None if none did."""
        players = self.race.players if self.race else self.session.programs
        return dict(players) if self.is_race() else None

    @property
    def is_quick(self) -> bool:
        """True if actions are fast enough for the event loop."""
        return self.clock.expected < QUICK

    async def prepare_state(self) -> None:
        """Draw the whole board and compute the keys of all levels before they are sent; in a thread if that takes long."""
        if len(self.session.levels) - len(self._keys) > QUICK_KEYS:
            await asyncio.to_thread(self._compute_keys)
        if not self.is_quick:
            await asyncio.to_thread(self.changes.snapshot.data, self.changes.pieces)

    @property
    def default_actor(self) -> str | None:
        """Return the actor that the player of the current level gets while programs play the others."""
        place = self.session.current
        if place not in self._default_actors:
            self._default_actors[place] = default_actor(self.session.levels[place])
        return self._default_actors[place]

    async def prepare_level(self) -> None:
        """Find the default actor and the best counts of the current level; continue without these if the store cannot be read."""
        if self.session.current not in self._default_actors:
            await asyncio.to_thread(lambda: self.default_actor)  # it replays a certificate
        key = self.key
        if not self.cached_store.has_best(key):
            level = self.session.levels[self.session.current]
            with contextlib.suppress(GridproofError):
                await asyncio.to_thread(self.cached_store.load_best, level, key)

    @property
    def viewers(self) -> list[ViewerSocket]:
        """Return all viewers."""
        return [viewer for view in self.views.values() for viewer in view.viewers]

    @property
    def guest_actors(self) -> frozenset[str]:
        """Return the actors that joined guests play."""
        return frozenset(
            str(viewer.actor) for viewer in self.viewers if viewer.bound and viewer.plays and viewer.actor
        )

    def known_statuses(self, place: int | None) -> tuple[Trace, list[Badge]]:
        """Return the play of a level, of the current one by default, and what is proved of its positions; errors as of `Session.trace`."""
        trace = self.session.trace(place)
        proofs = [view.table.status.proofs for view in self.views.values()]
        positions = [trace.start, *(outcome.position for outcome in trace.outcomes())]
        known = [[one.recall(position) for one in proofs] for position in positions]
        return trace, [max(badges, key=_knowledge, default=Badge()) for badges in known]

    def view(self, actor: str | None, is_guest: bool = False) -> SessionView:
        """Return the view for the players of an actor, or for its guests."""
        if (actor, is_guest) not in self.views:
            self.views[actor, is_guest] = view = SessionView(self, actor, is_guest)
            view.update_taken()
        return self.views[actor, is_guest]

    def add_viewer(self, viewer: ViewerSocket) -> SessionView:
        """Add a viewer to the view of its actor; a program that plays the actor leaves it to a guest."""
        if viewer.bound and viewer.plays and self.co_players.pop(str(viewer.actor), ""):
            self.broadcast_co_players()
        view = self.view(viewer.actor, viewer.bound)
        view.viewers.append(viewer)
        self._tell_others()
        return view

    def remove_viewer(self, viewer: ViewerSocket) -> None:
        """Remove a viewer, and close the view if it was the last one; a view that waits for its first one stays."""
        for key, view in list(self.views.items()):
            if viewer not in view.viewers:
                continue
            view.viewers.remove(viewer)
            view.badge.remove_viewer(viewer)
            if not view.viewers:
                view.table.close()
                del self.views[key]
        self._tell_others()

    def check_let(self, text: str, others: Set[str]) -> None:
        """Check that a command does not give an actor to a program that a guest plays, or another page.

        Parameters
        ----------
        others : set of str
            Actors that other pages play.

        Raises
        ------
        GridproofError
            If it does.
        """
        word, actor, name = (*text.split(), "", "", "")[:3]
        if word == "let" and name not in ("", BY_HAND):
            self.check_free([actor])
            if actor in others:
                raise GridproofError(f"{actor} is played on another page.")

    def check_free(self, actors: Iterable[str]) -> None:
        """Check that no guest plays one of these actors.

        Raises
        ------
        GridproofError
            If one does.
        """
        if taken := self.guest_actors & {*actors}:
            raise GridproofError(f"Another person plays {join_names(sorted(taken))}.")

    def _tell_others(self) -> None:
        """Tell each table which actors other people play."""
        for view in self.views.values():
            others = [other for one in self.views.values() if one is not view for other in one.viewers]
            view.table.others = frozenset(
                viewer.actor for viewer in others if viewer.plays and viewer.actor not in (None, view.actor)
            )
            view.update_taken()
            view.badge.refresh()

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
                {
                    "title": level.title,
                    "done": place in done,
                    "difficulty": spoken_difficulty(level.game, difficulty_word(level)),
                    "key": self.key_of(place),
                    "unsuited": unsuited_demos(level),
                }
                for place, level in enumerate(session.levels)
            ],
            "words": {
                "welcome": table.look.welcome,
                "goal": session.game.meaning,
                "gestures": table.look.gestures,
                "prompt": table.look.prompt,
                "completed": table.look.completed,
                "farewell": table.look.farewell,
            },
            **view.about(),
            "players": [*demos(session.game)],
            "player_meanings": demo_meanings(session.game),
            "races": "watch" in function_table(session.game, "commands"),
            "rules": rules_data(session.game),
            "edits": bool(module_of(session.game, "editor")),
            "distances": status_notes(session.game).tells_ways,
            "tells_worth": estimator(session.game) is not None,
            "speeds": SPEEDS,
            "strategies": [*co_players(session.game)],
            "pieces": pieces.pieces,
            "board": board,
            "requests": requests_data(table),
            "moves": moves_data(session),
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
        bodies, told = [], Data()
        if notices := self._notices(sender, answer):
            told = {"told": notices}
            more = {**(more or {}), "told": [*(more or {}).get("told", []), *notices]}
        for view in self.views.values():
            delta, mine = view.take_delta(), sender in view.viewers
            now = None if delta is None else json_text(delta)
            messages, view.messages = view.messages, []
            noted = view.take_help()
            others_body = (
                view.serialize_body(messages, now, told | noted)
                if (messages or noted) and len(view.viewers) > mine
                else {}
            )
            own_body = view.serialize_body(answer, now, {**(more or {}), **noted}) if mine else None
            bodies.append((view, others_body, own_body))
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

    def _notices(self, sender: ViewerSocket | None, answer: Sequence[Message]) -> list[Data]:
        """Return what everybody is told of a command while guests play."""
        table = next((view.table for view in self.views.values() if sender in view.viewers), None)
        return change_notices(table, answer) if table and self.guest_actors else []

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
        for view in self.views.values():
            text = json_text({"type": "news", "now": {"partners": view.table.co_players.playing}})
            for viewer in view.viewers:
                viewer.send(text)
            view.badge.refresh()

    def broadcast(self, data: Data, sender: ViewerSocket | None = None) -> None:
        """Send the same message to all viewers, but not to its sender."""
        text = json_text(data)
        for viewer in self.viewers:
            if viewer is not sender:
                viewer.send(text)
