"""Serializers: session state, changes and messages as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gridproof.analysis.json_data import Data
from gridproof.core.look import Look, Mark, no_marks
from gridproof.core.observers import Change
from gridproof.core.position import NATURE, Action, Level, Outcome, Position
from gridproof.core.session import Session
from gridproof.server.live.board_delta import BoardSnapshot, events_data, step_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.table import messages
from gridproof.table.board_diff import same_shape
from gridproof.table.commands import COMMANDS, COMMANDS_BY_NAME, Command
from gridproof.table.keys import meanings
from gridproof.table.messages import Message
from gridproof.table.replay import Watching
from gridproof.table.table import Table

MOST_STEPS = 40
"""Steps of an undo or a redo that are sent one by one; for more, only the board is sent."""
MOST_ACTIONS = 400
"""Actions in the list of possible actions."""
MOST_REQUESTS = 40
"""Latest requests of several actors in a state."""
HIDDEN_COMMANDS = {"games", "resume", "open", "save", "quit", "as"}
"""Commands for one player alone: they would reveal sessions of others, or end a table for all."""


def json_text(data: object) -> str:
    """Encode JSON without whitespace."""
    try:
        return orjson.dumps(data).decode()
    except TypeError:  # integers above 64 bits and lone surrogates need the standard library
        return json.dumps(data, separators=(",", ":"))


def json_parts(data: Data) -> dict[str, str]:
    """Encode each value of an object as JSON."""
    return {name: json_text(value) for name, value in data.items()}


def json_object(parts: Mapping[str, str]) -> str:
    """Join values that are JSON already to an object."""
    return "{" + ",".join([f'"{name}":{text}' for name, text in parts.items()]) + "}"


class Win(NamedTuple):
    """A level that was won."""

    place: int
    costs: dict[str, int]
    """Measure -> cost."""


class Changes:
    """Observer of a session that serializes each change once for all tables."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pieces = PieceTable()
        self.actions = Actions(self.pieces)
        self.snapshot = BoardSnapshot(session.position)
        self._recent: list[tuple[Change, Data, str]] = []
        self._won: list[Win] = []
        session.attach(self)

    def changed(self, session: Session, change: Change) -> None:
        """Serialize a change."""
        data: Data = {
            "change": change.kind,
            "level": change.place + 1,
            "current": change.current + 1,
            "won": change.won,
            "passed": [place + 1 for place in change.passed],
            "steps": self._steps(change, self.snapshot),
        }
        if self.snapshot.position is not session.position:
            self.snapshot = BoardSnapshot(session.position)
            data["board"] = self.snapshot.data(self.pieces)
        if change.won:
            self._won.append(Win(change.place, session.costs(change.place)))
        self._recent.append((change, data, json_text(data)))

    def take_wins(self) -> list[Win]:
        """Mark the changes as sent, and return the wins."""
        won, self._won = self._won, []
        self._recent.clear()
        return won

    def text(self, change: Change, actor: str | None, counts: Mapping[int, object]) -> str:
        """Return a recent change as JSON, as far as one actor may learn it.

        Parameters
        ----------
        counts : mapping
            Final counts of won levels, by place.
        """
        data, text = next((data, text) for item, data, text in reversed(self._recent) if item is change)
        look = change.before.level.game.look
        outcomes = [outcome for _, outcome in change.steps]
        steps, visible = data["steps"], look.filter_outcomes(outcomes, actor)
        same = not steps or all(seen is outcome for seen, outcome in zip(visible, outcomes, strict=True))
        if same and not change.won:
            return text
        if not same:
            in_order = visible[::-1] if change.kind == "undo" else visible
            private = [_replace_events(look, step, item) for step, item in zip(steps, in_order, strict=True)]
            data = {**data, "steps": private}
        last = {"counts": counts[change.place]} if change.won and change.place in counts else {}
        return json_text({**data, **last})

    def _steps(self, change: Change, before: BoardSnapshot) -> list[Data]:
        """Return the steps of a change that are sent one by one, and update `snapshot`."""
        if change.kind not in ("act", "redo", "undo") or len(change.steps) > MOST_STEPS:
            return []
        back = change.kind == "undo"
        if before.position is not change.before:
            before = BoardSnapshot(change.before)
        first = change.after if back else change.before
        positions: list[Position[Any]] = [first, *[outcome.position for _, outcome in change.steps]]
        snapshots = [
            before if position is before.position else BoardSnapshot(position) for position in positions
        ]
        if back:
            snapshots[-1] = before
        for item in snapshots:
            if item is not before and not same_shape(item.board, before.board):
                return []
        deltas = [
            step_data(self.pieces, snapshots[number], snapshots[number + 1], action, outcome, back)
            for number, (action, outcome) in enumerate(change.steps)
        ]
        self.snapshot = snapshots[0] if back else snapshots[-1]
        return deltas[::-1] if back else deltas


def _replace_events(look: Look, step: Data, outcome: Outcome[Any]) -> Data:
    public = {name: value for name, value in step.items() if name != "heard"}
    return {**public, **events_data(look, outcome)}


def requests_data(table: Table) -> list[Data]:
    """Return the latest requests of the actors on this level, as the player may see them."""
    if len(table.actors) < 2:
        return []
    session, look = table.session, table.look
    actions, latest = session.trace().actions[-MOST_REQUESTS:], session.outcomes[-MOST_REQUESTS:]
    return [
        {"words": look.words(action), "heard": look.private_texts(outcome)}
        for action, outcome in zip(actions, look.filter_outcomes(latest, table.actor), strict=True)
    ]


class Actions:
    """The possible actions as JSON, rebuilt only if their marks change."""

    def __init__(self, pieces: PieceTable) -> None:
        self._pieces = pieces
        self._level: Level | None = None
        self._cache: dict[Action, tuple[Sequence[Mark], Data]] = {}
        self._latest: tuple[Sequence[Action], list[Sequence[Mark]], list[Data]] = (), [], []
        """Latest actions, their marks and their JSON."""

    def data(self, table: Table) -> list[Data]:
        """Return the actions that a player can do, each with its marks."""
        position, several = table.session.position, len(table.actors) > 1
        if self._level is not table.level:
            self._level, self._cache, self._latest = table.level, {}, ((), [], [])
        found = self._all_data(position, several)
        if table.actor is None:
            return found
        return [data for data in found if data.get("actor") in (table.actor, NATURE)]

    def _all_data(self, position: Position[Any], several: bool) -> list[Data]:
        actions = position.all_actions()[:MOST_ACTIONS]
        marks = _marks(position, actions)
        if self._latest[:2] != (actions, marks):
            level = position.level
            found = [
                self._cached_data(level, *action, several) for action in zip(actions, marks, strict=True)
            ]
            self._latest = actions, marks, found
        return self._latest[2]

    def action_data(self, position: Position[Any], action: Action, several: bool) -> Data:
        """Return one action, with its owner if there are several actors."""
        return self._cached_data(position.level, action, _marks(position, (action,))[0], several)

    def _cached_data(self, level: Level, action: Action, marks: Sequence[Mark], several: bool) -> Data:
        cached = self._cache.get(action)
        if cached is None or cached[0] != marks:
            cached = self._cache[action] = marks, self._serialize(level, action, marks, several)
        return cached[1]

    def _serialize(self, level: Level, action: Action, marks: Sequence[Mark], several: bool) -> Data:
        data: Data = {"text": str(action), "words": level.game.look.words(action)}
        if several:
            data["actor"] = level.owner(action)
        if marks:
            data["marks"] = marks_data(marks, self._pieces)
        return data


def _marks(position: Position[Any], actions: Sequence[Action]) -> list[Sequence[Mark]]:
    look: Look = position.level.game.look
    return [()] * len(actions) if look.marks is no_marks else [look.marks(position, item) for item in actions]


STEADY_FIELDS = frozenset(
    {"levels", "title", "key", "completed", "best", "actions", "question", "partners", "about", "end"}
)
"""Fields of a level's state that are left out if unchanged."""


def field_delta(now: Data, before: Data) -> Data:
    """Return the fields of a level's state that changed."""
    delta = dict(now)
    for name in STEADY_FIELDS & before.keys():
        if before[name] is now[name] or before[name] == now[name]:
            del delta[name]
    return delta


def level_state_data(table: Table, board: messages.Board, actions: list[Data], key: str, best: Data) -> Data:
    """Return the state of the current level as JSON."""
    session, question, end = table.session, table.question, table.end
    data: Data = {
        "level": session.current + 1,
        "levels": len(session.levels),
        "title": table.level.title,
        "key": key,
        "status": str(session.status),
        "completed": board.completed,
        "done": session.actions_done,
        "undone": session.actions_undone,
        "counts": board.counts,
        "best": best,
        "actions": actions,
        "question": {
            "text": question.text,
            "commands": [word for word in question.commands if _is_available(COMMANDS_BY_NAME[word], table)],
        },
        "end": end and {"kind": end.kind, "text": end.words()},
        "going": table.going,
    }
    if board.score is not None:
        data["score"], data["high_score"] = board.score
    return data


def marks_data(marks: Iterable[Mark], pieces: PieceTable) -> list[Sequence[int]]:
    """Return the marks of an action as JSON."""
    return [(pieces.number(mark.piece), mark.x, mark.y) for mark in marks]


def message_data(message: Message, table: Table, pieces: PieceTable) -> Data:
    """Return a table's messages as JSON."""
    data: Data = {"kind": message.kind, "text": message.words()}
    if isinstance(message, messages.AllDone):
        data["kind"] = "done"
    elif isinstance(message, messages.Best | messages.Refused):
        data |= message.details()
        if isinstance(message, messages.Refused) and message.sentence:
            data["text"] = message.sentence
    elif isinstance(message, messages.Hint):
        data |= {"action": str(message.action), "left": message.left}
        data["marks"] = marks_data(table.look.marks(message.position, message.action), pieces)
    elif isinstance(message, messages.Solved):
        data["actions"] = [*map(str, message.trace.actions)]
        data["fewest"] = message.fewest
        data["trace"] = message.trace.to_json()
    return data


def plain_messages(answer: Iterable[Message]) -> list[Message]:
    """Return the messages that are sent as lines, without changes, boards and replays."""
    return [item for item in answer if not isinstance(item, (messages.Moved, messages.Board, Watching))]


def about_data(table: Table) -> Data:
    """Return the data of the whole level: actors, keys and commands."""
    keys = dict(table.keys)
    return {
        "actors": table.actors,
        "keys": keys,
        "meanings": meanings(table.level, keys.values()),
        "commands": _commands(table),
    }


def _commands(table: Table) -> list[Data]:
    return [
        {
            "word": command.words[0],
            "argument": command.argument,
            "meaning": command.meaning,
            "keys": command.keys,
        }
        for command in COMMANDS
        if _is_available(command, table)
    ]


def _is_available(command: Command, table: Table) -> bool:
    return command.words[0] not in HIDDEN_COMMANDS and table.offers(command)
