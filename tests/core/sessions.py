"""Common parts of the tests of sessions: levels in a few letters, viewers and stores in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.observers import Change
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import Session
from gridproof.core.text.pack import Pack

ONE_PUSH = "#####\n#@$.#\n#####\n"
TWO_PUSHES = "######\n#@$ .#\n######\n"
SOLVED = "#####\n#@ *#\n#####\n"
BOMB = "#####\n#@$ .#\n#####\nBombs: 1\n"
NO_ROOM = "####\n#@*#\n####\n"


def null(*rows: str) -> Pack:
    return gp.read("\n".join(rows) + "\n", "null")


def sokoban(*levels: str) -> Pack:
    return gp.read("\n".join(levels), "sokoban")


def board(*rows: str, header: str = "2048 2x2 target=8") -> Pack:
    return gp.read("\n".join((header, *rows)) + "\n", "twenty48")


class Viewer:
    """Remembers how many actions were done at each change."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def changed(self, session: Session, change: Change) -> None:
        self.seen.append((session.current, session.actions_done))


class MemoryStore:
    """A store in memory: high scores, and every call."""

    def __init__(self, **scores: int) -> None:
        self.scores = scores
        self.calls: list[tuple[int, bool]] = []
        self.passed: Collection[int] = ()
        self.plays: dict[int, SavedPlay] = {}

    def high_score(self, key: str) -> int:
        return max(self.scores.values(), default=0)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        self.calls.append((place, won))
        self.passed = passed
        for changed in (place, session.current, *passed):
            saved = session.to_data(changed)
            assert saved is not None
            self.plays[changed] = saved


def status_and_places(session: Session) -> tuple[gp.Status, list[int]]:
    return session.status, list(session.completed)


def check_unchanged(session: Session, call: Callable[[], Any]) -> None:
    """The call is refused, and nothing changes."""
    viewer = Viewer()
    session.attach(viewer)
    before = (session.history, session.current, session.completed, session.actions_undone, session.score)
    with pytest.raises(gp.IllegalAction):
        call()
    after = (session.history, session.current, session.completed, session.actions_undone, session.score)
    assert after == before
    assert viewer.seen == []


def hops(session: Session, count: int) -> list[str]:
    return [session.act("hop").label for _ in range(count)]


class BrokenStore(MemoryStore):
    """A store whose disk is full."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        raise gp.GridproofError("the disk is full")
