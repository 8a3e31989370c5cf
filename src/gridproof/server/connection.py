"""Connection: one page's conversation with a session over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.look import PointedCell
from gridproof.core.validation import check_text, check_whole, to_cell
from gridproof.server.context import ServerContext
from gridproof.server.errors import code_of
from gridproof.server.fair_executor import ServerShutdown, TooManyJobs
from gridproof.server.live.access_checks import check_line, check_own
from gridproof.server.live.action_preview import preview_data
from gridproof.server.live.badge import PendingSave
from gridproof.server.live.live_session import SessionView
from gridproof.server.live.notices import next_level_notice
from gridproof.server.live.races import LiveRace, parse_options, parse_speed
from gridproof.server.live.replays import Replays, trace_of
from gridproof.server.live.serializers import json_text
from gridproof.server.live.session_registry import Access
from gridproof.server.offline.reconcile import count_done, do_actions, line_data, parse_actions, parse_line
from gridproof.server.rate_limits import Bucket
from gridproof.server.session_memory import ServerOverloaded, TooLarge
from gridproof.table.commands import COMMANDS
from gridproof.table.jobs import JobMessage
from gridproof.table.messages import Message, Refused
from gridproof.table.replay import ReplayMessage
from gridproof.table.table import Table

MOST_WAITING = 2000
"""Texts that may wait for a page; then it is disconnected."""
CODES = {"input": 4400, "forbidden": 4403, "missing": 4404, "rate": 4429, "again": 1012}
PAUSE = 0.5
"""Seconds that a page waits after too many messages."""
LONGEST_REFUSED = 1000
"""Characters of a refused message that are parsed for its reference."""
SECONDS_A_MESSAGE, SECONDS_A_CHARACTER, SECONDS_A_CELL = 3e-4, 5e-8, 1e-7
"""Processor seconds besides an action's own: for a message and its answer, and for a whole board."""
SMALL = 4_000_000
"""Bytes of a session below which its memory is not checked before each action."""
MOST_TEXTS = 200
"""Actions in a message."""
MOST_PREVIEWED = 20
"""Actions of a preview."""


class Connection:
    """A page's WebSocket: it answers messages, and sends texts in order as soon as their changes are saved."""

    def __init__(
        self,
        socket: WebSocket,
        access: Access,
        context: ServerContext,
        client: str,
        actor: str | None = None,
    ) -> None:
        self.socket = socket
        self.end: int | None = None
        """Close code, once the connection is to be closed."""
        self._waiting: deque[tuple[str, PendingSave | None]] = deque()
        self._wake = asyncio.Event()
        self._receiver: asyncio.Task[Any] | None = None
        """Task that waits for the next message."""
        self.live, self.context, self.client = access.live, context, client
        self.name = access.name
        self.actor = actor
        self.plays = access.plays
        self.bound = access.actor is not None
        """True if the page may use this actor's view only."""
        self.replays = Replays(context.limits)
        self.session_view: SessionView
        """Set before the first state is sent."""
        self._bucket = Bucket(context.limits.messages_each_second, context.limits.messages_at_once)

    # -- output

    def send(self, text: str, save: PendingSave | None = None) -> None:
        """Send a text as soon as its changes are saved."""
        if self.end is not None:
            return
        self._waiting.append((text, save))
        if save is None:
            self._wake.set()
        else:
            save.add_done_callback(self._on_save)
        if len(self._waiting) > MOST_WAITING:
            self._stop("rate")

    def _on_save(self, save: PendingSave) -> None:
        self._wake.set()

    def disconnect(self) -> None:
        """Disconnect the page, which then opens the session again."""
        self._stop("again")

    def _stop(self, code: str) -> None:
        """Stop sending and receiving; a page that does not read does not report its end."""
        if self.end is not None:
            return
        self.end = CODES[code]
        self._waiting.clear()
        self._wake.set()
        if self._receiver is not None:
            self._receiver.cancel()

    async def write(self) -> None:
        """Send the queued texts in order, until the page leaves."""
        try:
            while self.end is None:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting and self.end is None and _is_saved(self._waiting[0][1]):
                    await self._write(*self._waiting.popleft())
        except Exception:  # a page without an answer must not wait for it
            logging.getLogger(__name__).debug("could not send a message to a page", exc_info=True)
            self.disconnect()
        await self.socket.close(self.end or CODES["again"])

    async def _write(self, text: str, save: PendingSave | None) -> None:
        failure = None if save is None else self._save_failure(save)
        await self.socket.send_text(text if failure is None else error_text("store", str(failure)))

    def _save_failure(self, save: PendingSave) -> Exception | None:
        """Return why a change could not be saved, and drop the session."""
        failure = save.result().get(self.live.name)
        if failure is not None:
            self.context.registry.drop(self.live.name)
        return failure

    # -- input

    async def run(self) -> None:
        """Answer messages until the page leaves."""
        writer = asyncio.create_task(self.write())
        try:
            async with self.live.lock:
                await self.live.prepare_level()
                await self.live.prepare_state()
                self.session_view = self.live.add_viewer(self)
                save = self.live.cached_store.pending_save(self.live.session)
                self.send(json_text({"type": "state", **self._state()}), save)
            self._broadcast_viewers()
            while self.end is None:
                text = await self._receive()
                self.context.use.charge(self.client, SECONDS_A_MESSAGE + len(text) * SECONDS_A_CHARACTER)
                await self.context.turns.wait(self.client)
                await self._answer(text)
        except WebSocketDisconnect:
            pass
        except GridproofError:
            self.disconnect()
        finally:
            async with self.live.lock:
                self.live.remove_viewer(self)
            self._broadcast_viewers()
            if self.end is not None:
                await asyncio.wait({writer}, timeout=PAUSE)  # it closes the connection if possible
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await writer

    async def _receive(self) -> str:
        """Receive the next text; "" for any other data."""
        self._receiver = asyncio.current_task()
        try:
            message = await self.socket.receive()
        except asyncio.CancelledError:
            if self.end is None or self._receiver is None:
                raise
            self._receiver.uncancel()
            raise WebSocketDisconnect(self.end) from None
        finally:
            self._receiver = None
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        return message.get("text") or ""

    def _broadcast_viewers(self) -> None:
        self.live.broadcast({"type": "people", "people": self.live.count_viewers()})

    def _state(self) -> Data:
        self.context.use.charge(self.client, SECONDS_A_CELL * self.live.memory.cells)
        identity = {"id": self.name, "bound": self.bound, "owner": self.name == self.live.name}
        return {**self.live.state_with_pieces(self.session_view, self), **identity}

    async def _answer(self, text: str) -> None:
        accepted = self.context.bytes.take(self.client, len(text)) and self._bucket.take()
        message = _parse_message(text if accepted else text[:LONGEST_REFUSED])
        ref = None if message is None else _ref_of(message)
        if not accepted:
            self._fault(ref, "rate", "too many messages; wait a moment")
            await asyncio.sleep(PAUSE)
            return
        if message is None:
            await self.socket.close(CODES["input"])
            raise WebSocketDisconnect(CODES["input"])
        handle = HANDLERS.get(str(message.get("type")))
        if handle is None:
            self._fault(ref, "input", "unknown message type")
            return
        async with contextlib.nullcontext() if handle in UNLOCKED else self.live.lock:
            try:
                await handle(self, message, ref)
            except (TooManyJobs, ServerShutdown, ServerOverloaded, TooLarge) as error:
                self._fault(ref, code_of(error), str(error))
            except GridproofError as error:
                self._fault(ref, "input", str(error))
            except MemoryError:  # the session may be incomplete
                await self.socket.send_text(error_text("memory", str(ServerOverloaded()), ref))
                self.context.registry.drop(self.live.name)

    def _fault(self, ref: object, code: str, text: str) -> None:
        self.send(error_text(code, text, ref))

    def _send_answer(self, ref: object, answer: Sequence[Message] = (), more: Data | None = None) -> None:
        head = {"type": "answer"} if ref is None else {"type": "answer", "ref": ref}
        self.live.publish(self, head, answer, more)

    async def _call_table(self, ref: object, call: Callable[[], tuple[Message, ...]], quick: bool) -> None:
        """Call a function with the table, and send the result."""
        if not self.plays:
            self._send_answer(ref, (Refused("You are watching only"),))
            return
        table, live, use = self.session_view.table, self.live, self.context.use
        if live.memory.size > SMALL:
            self.context.registry.check_memory(live.client)
        if quick and live.is_quick and not use.is_heavy(self.client):
            with live.clock:
                answer = call()
            use.charge(self.client, live.clock.latest)
        else:
            answer = await asyncio.to_thread(live.clock(call))
        await live.prepare_level()
        if table.left:
            table.left, table.going = False, True
        new_actor = table.actor
        if new_actor != self.session_view.actor:
            table.actor = self.session_view.actor
            await self._switch_view(new_actor, ref)
            return
        self._send_answer(ref, *self.start_work(answer))

    def start_work(self, answer: Sequence[Message]) -> tuple[list[Message], Data]:
        """Start the job and the replays of an answer."""
        others: list[Message] = []
        parts: list[Data] = []
        for message in answer:
            try:
                if isinstance(message, ReplayMessage):
                    here = self.session_view.table.board
                    parts.append(self.replays.start(message.replay, self.live.changes.pieces, here))
                elif not isinstance(message, JobMessage):
                    others.append(message)
                elif message.job is self.session_view.table.job:  # a later action may have replaced the job
                    parts.append(self.context.jobs.start(self, message.job))
            except GridproofError as error:  # earlier messages are sent all the same
                others.append(Refused(str(error)))
        return others, {"told": parts} if parts else {}

    async def _switch_view(self, actor: str | None, ref: object) -> None:
        """Switch to the view of another actor."""
        if self.bound and actor != self.actor:
            self._send_answer(ref, (Refused(f"You play {self.actor} only"),))
            return
        if actor is not None and actor not in self.session_view.table.actors:
            self._send_answer(ref, (Refused(f"There is no {actor} here"),))
            return
        view = self.live.view(actor, self.bound)
        if view is not self.session_view:
            self.live.remove_viewer(self)
            self.actor, self.session_view = actor, view
            self.live.add_viewer(self)
        await self.live.prepare_state()
        self._send_answer(ref, (), {"state": self._state()})
        self._broadcast_viewers()

    # -- one method for each type of message

    async def do(self, message: Data, ref: object) -> None:
        """Handle `do`: actions by their texts, or a command."""
        texts = _parse_texts(message)
        for text in texts:
            self._check_own(text)
            self._check_let(text)
        if len(texts) > 1:
            await self._call_table(ref, partial(do_all, self.session_view.table, texts), quick=False)
        else:
            word = texts[0].partition(" ")[0]
            await self._call_table(ref, partial(self.session_view.table.do, texts[0]), word not in SLOW)
            if word == "let":
                self.live.broadcast_co_players()

    async def typed(self, message: Data, ref: object) -> None:
        """Handle `typed`: a line of text."""
        line = message.get("text")
        check_text(line, "what is typed")
        self._check_let(str(line))
        if self.bound:
            check_line(self.session_view.table, str(line))
        await self._call_table(ref, partial(self.session_view.table.typed, str(line)[:2000]), quick=False)

    async def key(self, message: Data, ref: object) -> None:
        """Handle `key`: a key press."""
        key = message.get("key")
        check_text(key, "a key")
        self._check_own(self.session_view.table.keys.get(str(key), "help"))
        await self._call_table(ref, partial(self.session_view.table.key, str(key)), quick=False)

    async def point(self, message: Data, ref: object) -> None:
        """Handle `point`: a click or a drag."""
        x, y, to = place_of(message)
        if self.bound:
            for text in await asyncio.to_thread(self._actions_at, x, y, to):
                self._check_own(text)
        await self._call_table(ref, partial(self.session_view.table.point, x, y, to), quick=False)

    def _actions_at(self, x: int, y: int, to: tuple[int, int] | None) -> Sequence[str]:
        """Return the actions of a click or a drag; () if the first one is impossible."""
        table = self.session_view.table
        position = table.session.position
        texts = table.look.pointed(position, PointedCell(x, y, to, table.actor))
        return texts if texts and texts[0] in map(str, position.all_actions()) else ()

    async def preview(self, message: Data, ref: object) -> None:
        """Handle `preview`: show what an action would do."""
        table, pieces = self.session_view.table, self.live.changes.pieces
        position = table.session.position
        if "text" in message or "texts" in message:
            texts = tuple(_parse_texts(message)[:MOST_PREVIEWED])
            for text in texts:
                self._check_own(text)
        else:
            x, y, to = place_of(message)
            texts = tuple(await asyncio.to_thread(self._actions_at, x, y, to))
        data = await asyncio.to_thread(preview_data, position, texts, pieces)
        self._send_answer(ref, (), {"told": [data]})

    async def race(self, message: Data, ref: object) -> None:
        """Handle `race`: start a race, live in the session or for this page alone."""
        options = parse_options(message)
        if message.get("watch") is True:
            await self._call_table(ref, partial(self.session_view.table.race, **options), quick=False)
            return
        speed = parse_speed(message)
        self._check_leads_race()
        self.live.check_free(self.session_view.table.actors)
        race = await asyncio.to_thread(LiveRace, self.live, options, speed)
        self.stop_race()
        answer = await asyncio.to_thread(self.session_view.table.do, "restart")
        race.start()
        self._send_answer(ref, answer)

    async def stop(self, message: Data, ref: object) -> None:
        """Handle `stop`: stop the live race."""
        self._check_leads_race()
        self.stop_race()
        self._send_answer(ref, (), {"now": self.session_view.level_state()})

    async def speed(self, message: Data, ref: object) -> None:
        """Handle `speed`: change the speed of the live race."""
        self._check_leads_race()
        if self.live.race is not None:
            self.live.race.speed = parse_speed(message)
            self.live.race.broadcast_state()
        self._send_answer(ref, (), {"now": self.session_view.level_state()})

    def stop_race(self) -> None:
        """Stop the live race, if there is one."""
        if self.live.race is not None:
            self.live.race.stop()

    def _check_own(self, text: str) -> None:
        if self.bound:
            check_own(self.session_view.table, text)

    def _check_let(self, text: str) -> None:
        self.live.check_let(text, self.session_view.table.others)

    def _check_leads_race(self) -> None:
        if self.name != self.live.name:
            raise GridproofError("Only the owner of the game can start, change or stop a race.")

    async def cancel(self, message: Data, ref: object) -> None:
        """Handle `cancel`: cancel the running job."""
        await self._call_table(ref, self.session_view.table.cancel, quick=True)

    async def open(self, message: Data, ref: object) -> None:
        """Handle `open`: watch a trace."""
        trace = await asyncio.to_thread(trace_of, message.get("trace"), self.context.limits)
        async with self.live.lock:
            pieces, here = self.live.changes.pieces, self.session_view.table.board
            self._send_answer(ref, (), {"told": [self.replays.start_trace(trace, pieces, here)]})

    async def steps(self, message: Data, ref: object) -> None:
        """Handle `steps`: send the next steps of a replay."""
        numbers: dict[str, Any] = {name: message.get(name, default) for name, default in STEPS.items()}
        for name, value in numbers.items():
            check_whole(value, name)
        number, first, count = numbers.values()
        async with self.context.jobs.free:  # a demo player may think for long
            part = await asyncio.to_thread(self.replays.steps, number, first, count)
        async with self.live.lock:
            data = await asyncio.to_thread(part.data, self.live.changes.pieces)
            self._send_answer(ref, (), {"told": [data]})

    async def view(self, message: Data, ref: object) -> None:
        """Handle `view`: switch to the view of another actor."""
        actor = message.get("actor")
        if actor is not None:
            check_text(actor, "an actor")
        await self._switch_view(actor, ref)

    async def badge(self, message: Data, ref: object) -> None:
        """Handle `badge`: set the mode, or ask for the status now."""
        badge = self.session_view.badge
        if "mode" in message:
            badge.set_mode(self, message["mode"], self.context.prover)
        if message.get("ask") is True:
            badge.ask()
        self._send_answer(ref)

    async def state(self, message: Data, ref: object) -> None:
        """Handle `state`: send the whole state; with `keys` false, without the keys of the levels."""
        await self.live.prepare_state()
        state = self._state()
        if message.get("keys") is False:
            for level in state["levels"]:
                del level["key"]
        self._send_answer(ref, (), {"state": state})

    async def line(self, message: Data, ref: object) -> None:
        """Handle `line`: send the current line, and a table for play without the server."""
        near = message.get("near") is True
        self._send_answer(ref, (), await asyncio.to_thread(line_data, self, self.context.tables, near))

    async def away(self, message: Data, ref: object) -> None:
        """Handle `away`: reconcile actions that were done without the server."""
        sent = message.get("deeds")
        line, actions, count = parse_line(message, sent, self.context.limits), parse_actions(sent), None
        if self.plays and not self.bound:
            count = await asyncio.to_thread(count_done, self.live.session, line, actions)
        if count is None:
            await self.live.prepare_state()
            self._send_answer(ref, (), {"caught": {"apart": True}, "state": self._state()})
            return
        answer, done, refused = await asyncio.to_thread(do_actions, self.session_view.table, actions[count:])
        await self.live.prepare_level()
        await self.live.prepare_state()
        others, more = self.start_work(answer)
        caught = {"done": count + done, "refused": refused}
        self._send_answer(ref, others, {**more, "caught": caught, "state": self._state()})

    async def note_help(self, message: Data, ref: object) -> None:
        """Handle `note_help`: note that the page has shown a hint on the current level."""
        if self.plays:
            await asyncio.to_thread(self.session_view.table.note_help)
        self._send_answer(ref)

    async def onward(self, message: Data, ref: object) -> None:
        """Handle `onward`: tell the others that this player has left the end of a level for the next one."""
        if self.plays:
            notice = next_level_notice(self.session_view.table)
            self.live.broadcast({"type": "news", "told": [notice]}, self)
        self._send_answer(ref)

    async def ping(self, message: Data, ref: object) -> None:
        """Handle `ping`: do nothing."""
        self._send_answer(ref)


SLOW = {command.words[0] for command in COMMANDS} - {"undo", "redo", "continue"}
"""Commands that may block the event loop too long; actions do not."""
STEPS = {"replay": None, "from": 0, "count": 50}
Handler = Callable[[Connection, Data, object], Awaitable[None]]
HANDLERS: dict[str, Handler] = {
    name: getattr(Connection, name)
    for name in (
        "do", "typed", "key", "point", "preview", "cancel", "open", "steps", "view", "state", "ping", "race", "stop", "speed",
        "badge", "line", "away", "onward", "note_help",
    )
}  # fmt: skip

UNLOCKED = {Connection.open, Connection.steps}
"""Handlers that take the session's lock themselves, after long work."""


def _parse_message(text: str) -> Data | None:
    """Parse a message; None if it is not one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _ref_of(message: Data) -> object:
    """Return the reference by which the page matches the answer."""
    ref = message.get("ref")
    return ref if isinstance(ref, int) or (isinstance(ref, str) and len(ref) <= 64) else None


def _parse_texts(message: Data) -> list[str]:
    """Return the texts of actions in a message: its `texts`, or its one `text`."""
    texts = message.get("texts", [message.get("text")])
    if not isinstance(texts, list) or not 0 < len(texts) <= MOST_TEXTS:
        raise GridproofError(f"texts must be a list of 1 to {MOST_TEXTS} texts")
    for text in texts:
        check_text(text, "what is to be done")
    return texts


def do_all(table: Table, texts: Sequence[str]) -> tuple[Message, ...]:
    """Do actions by their texts, in order, until the table refuses an action or the level ends."""
    answer: tuple[Message, ...] = ()
    for text in texts:
        answer += table.do(text)
        if any(message.kind in ("refusal", "won", "lost") for message in answer):
            break
    return answer


def place_of(message: Data) -> tuple[int, int, tuple[int, int] | None]:
    """Return the cell of a message, and the cell that it was dragged to."""
    x, y = to_cell((message.get("x"), message.get("y")))
    to = message.get("to")
    return x, y, None if to is None else to_cell(to)


def error_text(code: str, text: str, ref: object = None) -> str:
    """Serialize an error message."""
    data: Data = {"type": "error", "code": code, "text": text}
    return json_text(data if ref is None else {**data, "ref": ref})


def _is_saved(save: PendingSave | None) -> bool:
    return save is None or save.done()
