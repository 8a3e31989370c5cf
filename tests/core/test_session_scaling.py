"""Tests of the cost of sessions: the cost of a change, and of its save, does not grow with the history."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable, Collection
from typing import Any

import pytest
from tests.core.sessions import MemoryStore, check_unchanged, null, sokoban
from tests.measurement import lines_run

import gridproof as gp
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import Session

CORRIDOR = "#########\n#@    $.#\n#########\n"


class LastStepStore(MemoryStore):
    """A store in memory that asks for what a change has changed, no more."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        saved = session.to_data(place, last_step=True)
        assert saved is not None
        assert len(saved.steps) <= 1
        self.plays[place] = saved


def after(actions: int) -> Session:
    """A kept session with so many actions done."""
    steps = (("right", ""), ("left", "")) * (actions // 2)
    return Session.resume(null("@..o"), 0, 0, {0: SavedPlay(0, steps, actions, False)}, store=LastStepStore())


@pytest.mark.parametrize(
    "call",
    [
        lambda session: session.act("right"),
        lambda session: session.undo(),
        lambda session: (session.undo(), session.redo()),
    ],
)
def test_change_takes_constant_time(call: Callable[[Session], Any]) -> None:
    few, many = after(20), after(2_000)
    assert lines_run(lambda: call(few)) == lines_run(lambda: call(many))
    tracemalloc.start()
    try:
        call(many)
        assert tracemalloc.get_traced_memory()[1] < 8_000  # a copy of the history takes 16,000 bytes
    finally:
        tracemalloc.stop()


def test_action_after_undo_takes_constant_time() -> None:
    few, many = after(20), after(2_000)
    for session in (few, many):
        session.restart()
    assert lines_run(lambda: few.act("right")) == lines_run(lambda: many.act("right"))
    assert (many.actions_done, many.actions_undone) == (1, 0)
    assert [str(action) for action in many.trace().actions] == ["right"]
    many.undo()
    check_unchanged(many, lambda: many.redo(2))
    assert many.copy().actions_undone == many.actions_undone == 1


def test_resume_refuses_partial_progress() -> None:
    part = after(4).to_data(0, last_step=True)
    assert part == SavedPlay(0, (("left", ""),), 4, False, skipped=3)
    with pytest.raises(gp.GridproofError, match="the first 3 steps are missing"):
        Session.resume(null("@..o"), 0, 0, {0: part})


def test_tally_follows_undo_and_resume() -> None:
    session = Session(sokoban("######\n#@ $.#\n######\nBombs: 1\n"), store=MemoryStore())

    def tally() -> tuple[int, ...]:
        return tuple(session.tally())

    assert tally() == (0, 0, 0)
    session.act("right")
    session.act("left")
    assert tally() == (2, 0, 0)
    session.undo()
    assert tally() == (1, 0, 0)
    session.act("bomb")
    assert tally() == (1, 0, 1)
    session.undo(2)
    session.redo()
    assert tally() == (1, 0, 0)
    session.copy().act("left")
    assert tally() == (1, 0, 0)
    session.act("right")
    assert session.status is gp.Status.WON
    assert tally() == (2, 1, 0)
    with pytest.raises(gp.GridproofError, match="place 3 has not been played"):
        session.tally(3)


def test_action_is_not_counted_when_save_fails() -> None:
    session = Session(null("@..o"), store=MemoryStore())
    session.act("right")
    session.tally()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session._store, "keep", broken)
        with pytest.raises(OSError, match="full"):
            session.act("right")
    assert session.tally() == 1
    session.act("left")
    assert session.tally() == 2


def broken(*_: object) -> None:
    raise OSError("full")


def play_on(actions: int) -> Session:
    """A session that has gone on to its second level after so many actions on the first, one of them undone."""
    session = Session(sokoban(*[CORRIDOR] * 2))
    for number in range(actions):
        session.act(("right", "left")[number % 2])
    session.undo()
    session.select(1)
    return session


@pytest.mark.clause("K16")
def test_levels_won_at_start_are_skipped_in_one_pass() -> None:
    def work(levels: int) -> int:
        session = Session(sokoban("#####\n#@$.#\n#####\n", *["#####\n#@ *#\n#####\n"] * levels))
        done = lines_run(lambda: session.act("right"))
        assert session.completed == (*range(levels + 1),)
        return done

    few, some, many = map(work, (50, 100, 200))
    assert many - some < 3 * (some - few)


def test_inactive_levels_are_packed_and_restored() -> None:
    other, session = play_on(5), play_on(5)
    session.pack()
    for packed in (session, session.copy(), pickle.loads(pickle.dumps(session))):
        assert [packed.to_data(place) for place in (0, 1)] == [other.to_data(place) for place in (0, 1)]
        assert packed.trace(0) == other.trace(0)
        packed.pack()
        packed.select(0)
        packed.redo()
        packed.undo(5)
        assert (packed.actions_done, packed.actions_undone) == (0, 5)
    assert other.current == 1


def test_packed_levels_take_a_fraction_of_the_memory() -> None:
    tracemalloc.start()
    try:
        session = play_on(600)
        before, _ = tracemalloc.get_traced_memory()
        session.pack()
        freed = before - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert freed > 600 * 100
