"""Reconciliation of actions without the server: each is done exactly once.

A page sends its line when it lost the server, and its actions since. The session's own steps show which of them were
done before, so a page may send them again after any failure. A session on another line was changed by others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import Session
from gridproof.core.text.display import printable
from gridproof.core.validation import check_text, check_whole
from gridproof.server.errors import RequestError
from gridproof.server.offline.table_cache import TableCache, table_at_position, table_at_start
from gridproof.server.rate_limits import Limits
from gridproof.table.messages import Message, Refused

if TYPE_CHECKING:
    from gridproof.server.live.live_session import LiveSession, SessionView
    from gridproof.table.table import Table

ACT = "act"
COMMANDS = ("undo", "redo", "restart")
MOST_ACTIONS = 200
"""Actions in one message."""

OfflineAction = tuple[str, str]
"""(one of `COMMANDS`, "") or (`ACT`, text of an action)."""


@dataclass(frozen=True, slots=True)
class OfflineLine:
    """The steps of a level, and how many of them are done; the others can be redone."""

    place: int
    """Number of the level, from 0."""
    steps: tuple[tuple[str, str], ...]
    """Texts of actions and labels of outcomes; "" for a label that the page does not know."""
    done: int

    def after(self, action: OfflineAction) -> OfflineLine:
        """Return the line after one more action.

        Raises
        ------
        GridproofError
            If there is nothing to undo or redo.
        """
        kind, text = action
        if kind == ACT:
            return replace(self, steps=(*self.steps[: self.done], (text, "")), done=self.done + 1)
        done = {"undo": self.done - 1, "redo": self.done + 1, "restart": 0}[kind]
        if not 0 <= done <= len(self.steps):
            raise GridproofError(f"nothing to {kind}")
        return replace(self, done=done)

    def is_of(self, saved: SavedPlay | None) -> bool:
        """Return whether a session has this line on the level."""
        if saved is None or (saved.done, saved.length) != (self.done, len(self.steps)):
            return False
        pairs = zip(self.steps, saved.steps, strict=True)
        return all(text == done and label in ("", drawn) for (text, label), (done, drawn) in pairs)


class OfflinePage(Protocol):
    """A page that may play without the server: its session and its access."""

    name: str
    plays: bool
    live: LiveSession
    session_view: SessionView


def count_done(session: Session, line: OfflineLine, actions: Sequence[OfflineAction]) -> int | None:
    """Count the page's actions since a line that the session has done already; None if it is on another line.

    Errors as of `OfflineLine.after`.
    """
    saved = session.to_data(line.place) if 0 <= line.place < len(session.levels) else None
    count = 0 if line.is_of(saved) else None
    for number, action in enumerate(actions, 1):
        line = line.after(action)
        if line.is_of(saved):
            count = number
    left = count is not None and count < len(actions)
    return None if left and session.current != line.place else count


def do_actions(table: Table, actions: Sequence[OfflineAction]) -> tuple[tuple[Message, ...], int, str]:
    """Do actions in order; return the messages, the number of done actions, and why the next one was refused."""
    messages: tuple[Message, ...] = ()
    place = table.session.current
    for number, (kind, text) in enumerate(actions):
        if table.session.current != place:
            return messages, number, "the level is won, and another one has begun"
        try:
            if kind == ACT:
                table.session.position.action(text)  # commands are refused
        except GridproofError as error:
            return messages, number, printable(str(error))
        answer = table.do(text if kind == ACT else kind)
        messages += answer
        refused = next((message for message in answer if isinstance(message, Refused)), None)
        if refused is not None:
            return messages, number, refused.reason
    return messages, len(actions), ""


def server_reason(page: OfflinePage) -> str:
    """Return why a page cannot play without the server; "" if it can."""
    if not page.plays or page.name != page.live.name:
        return "Guests need the server. Reconnect to continue."
    if page.live.race is not None or page.session_view.table.co_players.chosen:
        return "Other players need the server. Reconnect to continue."
    return ""


def line_data(page: OfflinePage, tables: TableCache, near: bool) -> Data:
    """Return the line of a page's session and its table, or why there is none.

    Parameters
    ----------
    tables : TableCache
        Cache that offers the table.
    near : bool
        Start the table at the current position, not at the level's start.
    """
    why = server_reason(page)
    return {"why": why} if why else level_line(tables, page.live.session, near)


def level_line(tables: TableCache, session: Session, near: bool = False) -> Data:
    """Return the line of a session's current level and its table."""
    saved = session.to_data(session.current)
    assert saved is not None, "the current level has been entered"
    if saved.length + MOST_ACTIONS > tables.limits.steps:
        return {"why": "Too many actions to play on without the server. Reconnect to continue."}
    first = 0
    if near:
        name, task, first = table_at_position(session)
    else:
        name, task = table_at_start(session)
    line = {"level": session.current + 1, "steps": saved.steps, "done": saved.done}
    return {"line": line, "table": tables.offer(name, task), "near": near, "first": first}


def parse_line(data: Data, actions: object, limits: Limits) -> OfflineLine:
    """Parse a line; raise a GridproofError if it is invalid, or too long with the actions since."""
    level, steps, done = data.get("level"), data.get("steps"), data.get("done")
    check_whole(level, "the number of a level")
    check_whole(done, "the number of actions done")
    if not isinstance(steps, list) or not 0 <= int(done or 0) <= len(steps):
        raise GridproofError("a line needs a list of steps and how many of them were done")
    if len(steps) + (len(actions) if isinstance(actions, list) else 0) > limits.steps:
        raise RequestError("large", f"a line has at most {limits.steps} steps, including later actions")
    return OfflineLine(int(level or 0) - 1, tuple(_pair(step, "a step") for step in steps), int(done or 0))


def parse_actions(actions: object) -> tuple[OfflineAction, ...]:
    """Parse actions; raise a GridproofError if they are invalid."""
    if not isinstance(actions, list) or len(actions) > MOST_ACTIONS:
        raise GridproofError(f"deeds must be a list of at most {MOST_ACTIONS}")
    found = tuple(_pair(action, "an item of deeds") for action in actions)
    if not all(kind in (ACT, *COMMANDS) for kind, _ in found):
        raise GridproofError(f"an item of deeds must be {ACT}, {', '.join(COMMANDS)}")
    return found


def _pair(value: object, what: str) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise GridproofError(f"{what} must be a list of two texts")
    for text in value:
        check_text(text, what)
    return value[0], value[1]
