"""Tests of several viewers of a game: all get the same messages in order; only its own player gets a robot's hints."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.robots.boards import text_of
from tests.table.games import TWO_LEVELS, null
from tests.table.tables import kinds, one, table_of

import gridproof as gp
from gridproof.core.session import Session
from gridproof.table.messages import Board, Message, Moved
from gridproof.table.table import Table

RACE = text_of("a=A0 b=B180", "a ? . A", "B . ? b")


class Recorder:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.heard: list[Message] = []

    def changed(self, source: Any, message: Any) -> None:
        self.heard.append(message)


def test_viewers_of_one_table_receive_shared_messages() -> None:
    table, first, second = table_of(gp.read(TWO_LEVELS)), Recorder(), Recorder()
    table.attach(first)
    table.attach(second)
    answers = [table.do(text) for text in ("help", "up", "right", "undo", "hint")]
    assert [kinds(answer) for answer in answers[:2]] == [["help"], ["refusal"]]
    assert (
        first.heard == second.heard == [message for answer in answers for message in answer if message.shared]
    )
    assert kinds(first.heard) == ["action", "position", "won", "level", "position"]
    table.detach(second)
    table.do("level 1")
    assert len(second.heard) < len(first.heard)


def test_tables_of_one_session_receive_each_others_actions() -> None:
    session = Session(gp.read(TWO_LEVELS))
    mine, others, recorder = Table(session), Table(session), Recorder()
    others.attach(recorder)
    answer = mine.do("right")
    assert kinds(recorder.heard) == kinds(answer) == ["action", "position", "won", "level", "position"]
    assert mine.board.data() == others.board.data()
    session.act("right")  # by nobody's table
    assert one(Board, recorder.heard[5:]).position == session.position
    others.close()
    session.undo()
    assert len(recorder.heard) == 7


def test_changes_keep_their_order_when_a_viewer_acts() -> None:
    session, seen = Session(null("null/first/3")), []

    class Pusher:
        def changed(self, session: Session, change: Any) -> None:
            if change.kind == "act" and session.actions_done < 3:
                session.act("left")

    class Watcher:
        def changed(self, session: Session, change: Any) -> None:
            seen.append(change.after.text().index("@"))

    session.attach(Pusher())
    session.attach(Watcher())
    session.act("left")
    assert seen == [5, 4, 3]


class Failing:
    """Raises an exception, once."""

    def changed(self, source: Any, news: Any) -> None:
        source.detach(self)
        raise RuntimeError("a fault of the viewer")


def test_failing_viewer_does_not_block_other_viewers() -> None:
    session, recorder = Session(null("null/first/3")), Recorder()
    session.attach(Failing())
    session.attach(recorder)
    with pytest.raises(RuntimeError):
        session.act("left")
    assert len(recorder.heard) == 1
    session.act("left")
    assert len(recorder.heard) == 2
    assert session.actions_done == 2


def test_viewer_error_is_raised_after_all_messages() -> None:
    table, recorder = table_of(gp.read(TWO_LEVELS)), Recorder()
    table.attach(Failing())
    table.attach(recorder)
    with pytest.raises(RuntimeError, match="a fault of the viewer"):
        table.do("right")
    assert kinds(recorder.heard) == ["action", "position", "won", "level", "position"]
    assert kinds(table.do("help")) == ["help"]


@pytest.mark.clause("R19")
def test_robot_hint_is_reported_to_its_own_player_only() -> None:
    session = Session(gp.read(RACE))
    recorders: dict[str | None, Recorder] = {}
    for name in (None, "a", "b"):
        table, recorders[name] = Table(session), Recorder()
        table.actor = name
        table.attach(recorders[name])
    session.act("a:walk(1,0)")
    session.act("b:walk(1,0)")

    def told(name: str | None) -> list[list[str]]:
        moves = [message.data() for message in recorders[name].heard if isinstance(message, Moved)]
        return [[event["type"] for event in move["steps"][0]["events"]] for move in moves]

    assert told(None) == [["Walked", "HintGiven"], ["Walked", "HintGiven"]]
    assert told("a") == [["Walked", "HintGiven"], ["Walked"]]
    assert told("b") == [["Walked"], ["Walked", "HintGiven"]]
    labels = [
        message.data()["steps"][0]["label"] for message in recorders["a"].heard if isinstance(message, Moved)
    ]
    assert labels[1] == ""
    for name, others in (("a", "b"), ("b", "a")):
        board = [message for message in recorders[name].heard if isinstance(message, Board)][-1]
        assert f"hints of {name}" in dict(board.counts)
        assert f"hints of {others}" not in dict(board.counts)
