"""Session: viewers, stores, saved, resumed and copied sessions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from typing import Any

import pytest
from tests.core.sessions import (
    BOMB,
    ONE_PUSH,
    SOLVED,
    TWO_PUSHES,
    BrokenStore,
    MemoryStore,
    Viewer,
    board,
    check_unchanged,
    hops,
    null,
    sokoban,
)

import gridproof as gp
from gridproof.core.observers import Change
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import AlreadySaved, Session

# -- viewers and keepers


def test_observers_receive_every_change() -> None:
    session, viewer = Session(sokoban(TWO_PUSHES, ONE_PUSH)), Viewer()
    session.attach(viewer)
    session.attach(viewer)  # once is enough
    session.act("right")
    session.undo()
    session.redo()
    session.restart()
    session.select(1)
    session.new_game()
    session.select(0)
    session.act("right")
    session.act("right")
    assert viewer.seen == [(0, 1), (0, 0), (0, 1), (0, 0), (1, 0), (1, 0), (0, 0), (0, 1), (1, 0)]
    session.detach(viewer)
    session.detach(viewer)  # again is no error
    session.undo(0)
    assert len(viewer.seen) == 9


def test_observer_may_detach_during_a_change() -> None:
    session, viewer = Session(null("@..o")), Viewer()

    class Leaver:
        def changed(self, session: Session, change: Change) -> None:
            session.detach(self)

    session.attach(Leaver())
    session.attach(viewer)
    session.act("right")
    session.act("right")
    assert viewer.seen == [(0, 1), (0, 2)]


def test_observers_receive_restart_of_won_level() -> None:
    """A restart after a win is no undo there, but a new start."""
    session, viewer = Session(sokoban(ONE_PUSH)), Viewer()
    session.act("right")
    session.attach(viewer)
    session.restart()
    assert viewer.seen == [(0, 0)]


@pytest.mark.clause("T11")
def test_won_position_refuses_actions_when_policy_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(board("4 4", "0 0"))
    session.act("left")
    assert session.status is gp.Status.WON
    assert not session.position.ended
    policy = dataclasses.replace(session.game.policy, act_after_win=False)
    monkeypatch.setattr(session, "game", dataclasses.replace(session.game, policy=policy))
    check_unchanged(session, lambda: session.act(session.position.actions()[0]))


@pytest.mark.clause("K16")
def test_store_receives_every_changed_level() -> None:
    store = MemoryStore()
    session = Session(sokoban(ONE_PUSH, SOLVED, SOLVED, TWO_PUSHES), store=store)
    session.act("right")
    assert store.calls == [(0, True)]  # at once, for a change is kept whole or not at all
    assert list(store.passed) == [0, 1, 2]
    assert store.plays.keys() == {0, 1, 2, 3}
    assert [store.plays[place].finished for place in range(4)] == [True, True, True, False]
    session.act("right")
    assert store.calls[1:] == [(3, False)]


@pytest.mark.clause("K16")
def test_redone_win_is_a_win() -> None:
    store = MemoryStore()
    session = Session(null("@.o"), store=store)
    session.act("right")
    session.act("right")
    session.undo()
    session.redo()
    assert store.calls == [(0, False), (0, True), (0, False), (0, True)]


# -- saved and resumed, copied


def test_level_not_played_has_no_data() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    assert session.to_data(1) is None
    with pytest.raises(gp.GridproofError, match="has not been played"):
        session.trace(1)


def test_resume_restores_session() -> None:
    store = MemoryStore()
    pack = sokoban(ONE_PUSH, SOLVED, TWO_PUSHES, BOMB)
    session = Session(pack, seed=9, store=store)
    session.act("right")
    session.act("right")
    session.undo()
    again = Session.resume(pack, 9, session.current, store.plays, store=store)
    assert (again.current, again.history) == (session.current, session.history)
    assert again.completed == session.completed == (0, 1)
    assert again.trace(0) == session.trace(0)
    assert again.actions_undone == 1
    again.redo()
    assert store.calls[-1] == (2, False)


def test_resume_restores_random_outcomes() -> None:
    row = null("@" + "." * 60 + "o")
    session = Session(row, seed=4)
    labels = hops(session, 9)
    session.undo(3)
    saved = session.to_data(0)
    assert saved is not None
    again = Session.resume(row, 4, 0, {0: saved})
    again.redo(3)
    assert [step.label for step in again.trace().steps] == labels
    again.undo(9)
    assert hops(again, 9) == labels


def test_resume_refuses_impossible_steps() -> None:
    pack = null("@..o")
    with pytest.raises(gp.IllegalAction):
        Session.resume(pack, 0, 0, {0: SavedPlay(0, (("left", ""),), 1, False)})
    with pytest.raises(gp.GridproofError, match="current level 1 is missing"):
        Session.resume(null("@o", "@.o"), 0, 1, {0: SavedPlay(0, (), 0, False)})


def test_copied_session_is_independent() -> None:
    session, viewer, store = (
        Session(sokoban(ONE_PUSH, TWO_PUSHES, BOMB), store=MemoryStore()),
        Viewer(),
        MemoryStore(),
    )
    session.attach(viewer)
    session.act("right")
    session.act("right")
    session.undo()
    seen = [*viewer.seen]
    twin = session.copy()
    assert (twin.current, twin.completed, twin.history) == (
        session.current,
        session.completed,
        session.history,
    )
    twin.redo()
    twin.act("right")
    assert twin.completed == (0, 1)
    assert list(session.completed) == [0]
    assert session.actions_undone == 1
    assert viewer.seen == seen
    assert store.calls == []
    session.select(0)
    session.act("right")
    assert twin.current == 2


def test_resume_refuses_impossible_progress() -> None:
    pack = null(".@o")
    for place, done in ((5, 0), (-1, 0), (0, -1), (0, 1)):
        with pytest.raises(gp.GridproofError):
            Session.resume(pack, 0, 0, {0: SavedPlay(0, (), 0, False), place: SavedPlay(0, (), done, False)})


# -- traces


@pytest.mark.clause("K22")
def test_session_trace_has_all_actions() -> None:
    session = Session(sokoban(TWO_PUSHES, ONE_PUSH))
    session.act("right")
    session.act("right")
    trace = session.trace(0)
    assert [str(action) for action in trace.actions] == ["right", "right"]
    assert trace.replay().status is gp.Status.WON
    assert session.trace() == session.trace(1)
    assert session.trace().steps == ()


# -- what could not be kept


@pytest.mark.parametrize(
    "call",
    [
        lambda session: session.act("right"),
        lambda session: session.undo(),
        lambda session: session.redo(),
        lambda session: session.restart(),
        lambda session: session.new_game(),
        lambda session: session.select(1),
    ],
)
def test_change_is_rolled_back_when_store_fails(call: Callable[[Session], Any]) -> None:
    before = Session(sokoban(TWO_PUSHES, ONE_PUSH))
    before.act("right")
    before.act("right")  # the first level is won
    before.select(0)
    before.act("right")
    before.act("left")
    before.undo()
    plays = {place: kept for place in range(2) if (kept := before.to_data(place))}
    session = Session.resume(before.levels, 0, 0, plays, store=BrokenStore())
    viewer = Viewer()
    session.attach(viewer)
    with pytest.raises(gp.GridproofError, match="disk is full"):
        call(session)
    assert [session.to_data(place) for place in range(2)] == [before.to_data(place) for place in range(2)]
    assert (session.current, session.completed, session.history) == (0, (0,), before.history)
    assert viewer.seen == []


class ForgetfulStore(MemoryStore):
    """Keeps a change, and then fails to say so."""

    failing = False
    kept: Session | None = None

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        if self.kept is not None:
            kept, self.kept = self.kept, None
            raise AlreadySaved(kept)
        if self.failing:
            self.kept = session.copy()
            raise gp.GridproofError("the server has gone")


# -- changes that may have been kept


def test_session_follows_change_that_was_saved_after_all() -> None:
    store, viewer = ForgetfulStore(), Viewer()
    session = Session(sokoban(TWO_PUSHES, ONE_PUSH), store=store)
    session.act("right")
    session.attach(viewer)
    store.failing = True
    with pytest.raises(gp.GridproofError, match="the server has gone"):
        session.act("right")
    assert (session.current, session.actions_done, session.completed) == (0, 1, ())
    assert viewer.seen == []
    store.failing = False
    with pytest.raises(gp.GridproofError, match="was saved after all, so nothing else was done"):
        session.undo()
    assert (session.current, session.actions_done, session.completed) == (1, 0, (0,))
    assert viewer.seen == [(1, 0)]
    session.act("right")
    assert session.completed == (0, 1)


@pytest.mark.parametrize("viewer", [5, None, print, gp.Session])
def test_attach_refuses_values_that_are_no_observers(viewer: Any) -> None:
    session = gp.Session(gp.read("@..o", "null"))
    with pytest.raises(TypeError, match=r"a viewer has a function changed\(source, news\)"):
        session.attach(viewer)
    session.act("right")
