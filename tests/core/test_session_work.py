"""Session: a change is no more work after many others, and gives a store no more."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Collection
from typing import Any

import pytest
from tests.core.sessions import Keeper, null, unchanged
from tests.work import lines_run

import gridproof as gp
from gridproof.core.progress import SavedPlay
from gridproof.core.session import Session


class LastStepKeeper(Keeper):
    """A store in memory that asks for what a change has changed, no more."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        saved = session.saved(place, last_step=True)
        assert saved is not None
        assert len(saved.steps) <= 1
        self.plays[place] = saved


def after(actions: int) -> Session:
    """A kept session with so many actions done."""
    steps = (("right", ""), ("left", "")) * (actions // 2)
    return Session.resume(
        null("@..o"), 0, 0, {0: SavedPlay(0, steps, actions, False)}, store=LastStepKeeper()
    )


@pytest.mark.parametrize(
    "deed",
    [
        lambda session: session.act("right"),
        lambda session: session.undo(),
        lambda session: (session.undo(), session.redo()),
    ],
)
def test_a_change_is_no_more_work_after_many_others(deed: Callable[[Session], Any]) -> None:
    few, many = after(20), after(2_000)
    assert lines_run(lambda: deed(few)) == lines_run(lambda: deed(many))
    tracemalloc.start()
    try:
        deed(many)
        assert tracemalloc.get_traced_memory()[1] < 8_000  # a copy of the history takes 16,000 bytes
    finally:
        tracemalloc.stop()


def test_what_was_undone_is_no_work_for_the_next_action() -> None:
    few, many = after(20), after(2_000)
    for session in (few, many):
        session.restart()
    assert lines_run(lambda: few.act("right")) == lines_run(lambda: many.act("right"))
    assert (many.actions_done, many.actions_undone) == (1, 0)
    assert [str(action) for action in many.trace().actions] == ["right"]
    many.undo()
    unchanged(many, lambda: many.redo(2))
    assert many.copy().actions_undone == many.actions_undone == 1


def test_only_whole_progress_is_resumed() -> None:
    part = after(4).saved(0, last_step=True)
    assert part == SavedPlay(0, (("left", ""),), 4, False, skipped=3)
    with pytest.raises(gp.GridproofError, match="the first 3 steps are missing"):
        Session.resume(null("@..o"), 0, 0, {0: part})
