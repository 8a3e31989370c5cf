"""What pages are told, as JSON has it: how a session stands, what has changed, what a table says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gridproof.core.look import Look, Mark, no_marks
from gridproof.core.position import NATURE, Action, Level, Outcome, Position
from gridproof.core.session import Session
from gridproof.core.viewer import Change
from gridproof.play import messages
from gridproof.play.data import Data
from gridproof.play.keys import meanings
from gridproof.play.messages import Message
from gridproof.play.moved import same_shape
from gridproof.play.table import Table
from gridproof.play.web.pieces import PieceTable
from gridproof.play.web.steps import Drawn, heard_data, step_data

MOST_STEPS = 40
"""Actions that are shown one by one when they are taken back or done again; of more only the board is."""
MOST_ACTIONS = 400
"""Actions that are listed."""
MOST_REQUESTS = 40
"""Requests of several actors that are told to one who comes."""
KEPT_BACK = {"games", "resume", "open", "save", "quit", "as"}
"""Commands that are for programs with one player: they would tell of others' sessions, or end a table for all."""


class Win(NamedTuple):
    """A level that has been won."""

    place: int
    costs: dict[str, int]
    """By each measure."""


class Changes:
    """A viewer of a session that draws what has changed, once for all tables."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pieces = PieceTable()
        self.actions = Actions(self.pieces)
        self.drawn = Drawn(session.position)
        self._recent: list[tuple[Change, Data]] = []
        self._won: list[Win] = []
        session.attach(self)

    def changed(self, session: Session, change: Change) -> None:
        """Draw a change."""
        data: Data = {
            "change": change.kind,
            "level": change.place + 1,
            "current": change.current + 1,
            "won": change.won,
            "steps": self._steps(change, self.drawn),
        }
        if self.drawn.position is not session.position:
            self.drawn = Drawn(session.position)
            data["board"] = self.drawn.data(self.pieces)
        if change.won:
            self._won.append(Win(change.place, session.costs(change.place)))
        self._recent.append((change, data))

    def told(self) -> list[Win]:
        """Note that all who look have been told, and give what was won."""
        won, self._won = self._won, []
        self._recent.clear()
        return won

    def data(self, change: Change, actor: str | None) -> Data:
        """A change that has not been told yet, as one actor's player learns of it."""
        data = next(data for known, data in reversed(self._recent) if known is change)
        look = change.before.level.game.look
        outcomes = [outcome for _, outcome in change.steps]
        steps = data["steps"]
        heard = look.heard(outcomes, actor)
        if not steps or all(told is outcome for told, outcome in zip(heard, outcomes, strict=True)):
            return data
        in_order = heard[::-1] if change.kind == "undo" else heard
        return {
            **data,
            "steps": [_as_heard(look, step, one) for step, one in zip(steps, in_order, strict=True)],
        }

    def _steps(self, change: Change, before: Drawn) -> list[Data]:
        """The steps of a change that can be shown one by one; `drawn` follows them."""
        if change.kind not in ("act", "redo", "undo") or len(change.steps) > MOST_STEPS:
            return []
        back = change.kind == "undo"
        if before.position is not change.before:
            before = Drawn(change.before)
        first = change.after if back else change.before
        positions: list[Position[Any]] = [first, *(outcome.position for _, outcome in change.steps)]
        drawn = [before if position is before.position else Drawn(position) for position in positions]
        if back:
            drawn[-1] = before
        if not all(one is before or same_shape(one.board, before.board) for one in drawn):
            return []
        shown = [
            step_data(self.pieces, drawn[number], drawn[number + 1], action, outcome, back)
            for number, (action, outcome) in enumerate(change.steps)
        ]
        self.drawn = drawn[0] if back else drawn[-1]
        return shown[::-1] if back else shown


def with_counts(changes: Sequence[Data], answer: Iterable[Message]) -> list[Data]:
    """The changes, those that have won with the level's last counts, which boards in the answer have."""
    counts = {one.place + 1: one.counts for one in answer if isinstance(one, messages.Board)}
    return [
        {**one, "counts": counts[one["level"]]} if one["won"] and one["level"] in counts else one
        for one in changes
    ]


def _as_heard(look: Look, step: Data, outcome: Outcome[Any]) -> Data:
    known = {name: value for name, value in step.items() if name != "heard"}
    return {**known, **heard_data(look, outcome)}


def requests_data(table: Table) -> list[Data]:
    """What several actors have asked for on the current level, the latest last, as the table's player learns of it."""
    if len(table.actors) < 2:
        return []
    session, look = table.session, table.look
    actions, latest = session.trace().actions[-MOST_REQUESTS:], session.outcomes[-MOST_REQUESTS:]
    return [
        {"words": look.words(action), "heard": look.private_words(outcome)}
        for action, outcome in zip(actions, look.heard(latest, table.actor), strict=True)
    ]


class Actions:
    """The actions of a session's current level as pages are told of them, each made again only when its marks differ."""

    def __init__(self, pieces: PieceTable) -> None:
        self._pieces = pieces
        self._level: Level | None = None
        self._known: dict[Action, tuple[Sequence[Mark], Data]] = {}
        self._last: tuple[Sequence[Action], list[Sequence[Mark]], list[Data]] = (), [], []
        """The actions that were listed last, their marks, and what was told of them."""

    def data(self, table: Table) -> list[Data]:
        """Those that can be done by a table's player, each with what shows it."""
        position, several = table.session.position, len(table.actors) > 1
        if self._level is not table.level:
            self._level, self._known, self._last = table.level, {}, ((), [], [])
        found = self._all(position, several)
        if table.actor is None:
            return found
        return [data for data in found if data.get("actor") in (table.actor, NATURE)]

    def _all(self, position: Position[Any], several: bool) -> list[Data]:
        actions = position.all_actions()[:MOST_ACTIONS]
        marks = _marks(position, actions)
        if self._last[:2] != (actions, marks):
            level = position.level
            found = [self._of(level, *shown, several) for shown in zip(actions, marks, strict=True)]
            self._last = actions, marks, found
        return self._last[2]

    def of(self, position: Position[Any], action: Action, several: bool) -> Data:
        """One action; of several actors' it says whose."""
        return self._of(position.level, action, _marks(position, (action,))[0], several)

    def _of(self, level: Level, action: Action, marks: Sequence[Mark], several: bool) -> Data:
        known = self._known.get(action)
        if known is None or known[0] != marks:
            known = self._known[action] = marks, self._made(level, action, marks, several)
        return known[1]

    def _made(self, level: Level, action: Action, marks: Sequence[Mark], several: bool) -> Data:
        data: Data = {"text": str(action), "words": level.game.look.words(action)}
        if several:
            data["actor"] = level.owner(action)
        if marks:
            data["marks"] = marks_data(marks, self._pieces)
        return data


def _marks(position: Position[Any], actions: Sequence[Action]) -> list[Sequence[Mark]]:
    look: Look = position.level.game.look
    return [()] * len(actions) if look.marks is no_marks else [look.marks(position, one) for one in actions]


STEADY = frozenset(
    {"levels", "title", "key", "completed", "best", "actions", "question", "partners", "about"}
)
"""What is left out of how a level stands, where it is as it was told last."""


def news_of(now: Data, before: Data) -> Data:
    """How a level stands, without what is as it was."""
    news = dict(now)
    for name in STEADY & before.keys():
        if before[name] is now[name] or before[name] == now[name]:
            del news[name]
    return news


def now_data(table: Table, board: messages.Board, actions: list[Data], key: str, best: Data) -> Data:
    """How the current level stands."""
    session, question = table.session, table.question
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
            "commands": [word for word in question.commands if word not in KEPT_BACK],
        },
        "going": table.going,
    }
    if board.score is not None:
        data["score"], data["high_score"] = board.score
    return data


def marks_data(marks: Iterable[Mark], pieces: PieceTable) -> list[Sequence[int]]:
    """The pieces that show an action, each with its place."""
    return [(pieces.number(mark.piece), mark.x, mark.y) for mark in marks]


def told_data(message: Message, table: Table, pieces: PieceTable) -> Data:
    """What a table says, for pages."""
    data: Data = {"kind": message.kind, "text": message.words()}
    if isinstance(message, messages.AllDone):
        data["kind"] = "done"
    elif isinstance(message, messages.Best | messages.Refused):
        data |= message.details()
    elif isinstance(message, messages.Hint):
        data |= {"action": str(message.action), "left": message.left}
        data["marks"] = marks_data(table.look.marks(message.position, message.action), pieces)
    elif isinstance(message, messages.Solved):
        data["actions"] = [*map(str, message.trace.actions)]
        data["fewest"] = message.fewest
        data["trace"] = message.trace.to_json()
    return data


def told(answer: Iterable[Message]) -> list[Message]:
    """Those of a table's messages that are told as they are; changes and boards are told in other ways."""
    return [one for one in answer if not isinstance(one, (messages.Moved, messages.Board, messages.Watching))]


def about_data(table: Table) -> Data:
    """What holds on the whole level: who acts, what keys mean, and what can be done besides acting."""
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
        for command in table.commands
        if command.words[0] not in KEPT_BACK
    ]
