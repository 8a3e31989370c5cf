"""What pages are told, as JSON has it: how a session stands, what has changed, what a table says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gridproof.core.look import Look, no_marks
from gridproof.core.position import NATURE, Action, Outcome, Position
from gridproof.core.session import Session
from gridproof.core.viewer import Change
from gridproof.play import messages
from gridproof.play.data import Data, plain
from gridproof.play.messages import Message
from gridproof.play.moved import same_shape
from gridproof.play.table import Table
from gridproof.play.web.pieces import PieceTable
from gridproof.play.web.steps import Drawn, step_data

MOST_STEPS = 40
"""Actions that are shown one by one when they are taken back or done again; of more only the board is."""
MOST_ACTIONS = 400
"""Actions that are listed."""
KEPT_BACK = {"games", "resume", "open", "save", "quit", "as"}
"""Commands that are for programs with one player: they would tell of others' sessions, or end a table for all."""


class Changes:
    """A viewer of a session that draws what has changed, once for all tables."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pieces = PieceTable()
        self.drawn = Drawn(session.position)
        self._recent: list[tuple[Change, Data]] = []
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
        self._recent.append((change, data))

    def told(self) -> list[int]:
        """Note that all who look have been told, and give the places of the levels that were won."""
        won = [change.place for change, _ in self._recent if change.won]
        self._recent.clear()
        return won

    def data(self, change: Change, actor: str | None) -> Data:
        """A change that has not been told yet, as one actor's player learns of it."""
        data = next(data for known, data in self._recent if known is change)
        look = change.before.level.game.look
        outcomes = [outcome for _, outcome in change.steps]
        steps = data["steps"]
        heard = look.heard(outcomes, actor)
        if not steps or all(told is outcome for told, outcome in zip(heard, outcomes, strict=True)):
            return data
        in_order = heard[::-1] if change.kind == "undo" else heard
        return {**data, "steps": [*map(_as_heard, steps, in_order)]}

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
        if not all(same_shape(one.board, before.board) for one in drawn):
            return []
        shown = [
            step_data(self.pieces, drawn[number], drawn[number + 1], action, outcome, back)
            for number, (action, outcome) in enumerate(change.steps)
        ]
        self.drawn = drawn[0] if back else drawn[-1]
        return shown[::-1] if back else shown


def _as_heard(step: Data, outcome: Outcome[Any]) -> Data:
    return {**step, "label": outcome.label, "events": [plain(event) for event in outcome.events]}


def now_data(table: Table, pieces: PieceTable, key: str, best: Data) -> Data:
    """How the current level stands."""
    session, question, board = table.session, table.question, table.board
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
        "actions": actions_data(table, pieces),
        "question": {
            "text": question.text,
            "commands": [word for word in question.commands if word not in KEPT_BACK],
        },
        "going": table.going,
    }
    if board.score is not None:
        data["score"], data["high_score"] = board.score
    return data


def actions_data(table: Table, pieces: PieceTable) -> list[Data]:
    """The actions that can be done, each with what shows it."""
    position, look, level = table.session.position, table.look, table.level
    several = len(table.actors) > 1
    found = []
    for action in position.all_actions()[:MOST_ACTIONS]:
        owner = level.owner(action) if several else None
        if table.actor is not None and owner not in (table.actor, NATURE):
            continue
        data: Data = {"text": str(action), "words": look.words(action)}
        if owner is not None:
            data["actor"] = owner
        if marks := marks_data(look, position, action, pieces):
            data["marks"] = marks
        found.append(data)
    return found


def marks_data(
    look: Look, position: Position[Any], action: Action, pieces: PieceTable
) -> list[Sequence[int]]:
    """The pieces that show an action, each with its place."""
    if look.marks is no_marks:
        return []
    return [(pieces.number(mark.piece), mark.x, mark.y) for mark in look.marks(position, action)]


def told_data(message: Message, table: Table, pieces: PieceTable) -> Data:
    """What a table says, for pages."""
    data: Data = {"kind": message.kind, "text": message.words()}
    if isinstance(message, messages.AllDone):
        data["kind"] = "done"
    elif isinstance(message, messages.Best):
        data["values"] = dict(message.values)
    elif isinstance(message, messages.Hint):
        data |= {"action": str(message.action), "left": message.left}
        data["marks"] = marks_data(table.look, message.position, message.action, pieces)
    elif isinstance(message, messages.Solved):
        data["actions"] = [*map(str, message.trace.actions)]
        data["fewest"] = message.fewest
        data["trace"] = message.trace.to_json()
    return data


def told(answer: Iterable[Message]) -> list[Message]:
    """Those of a table's messages that are told as they are; changes and boards are told in other ways."""
    return [one for one in answer if not isinstance(one, (messages.Moved, messages.Board, messages.Watching))]


def commands_data(table: Table) -> list[Data]:
    """What can be done besides acting."""
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
