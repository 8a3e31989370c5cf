"""Session: scores and high scores."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.sessions import (
    ONE_PUSH,
    BrokenStore,
    MemoryStore,
    board,
    check_unchanged,
    sokoban,
    status_and_places,
)

import gridproof as gp
from gridproof.core import session as session_module
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import Session


@pytest.fixture
def no_high_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "_HIGH_SCORES", {})


@pytest.mark.clause("T7")
@pytest.mark.usefixtures("no_high_scores")
def test_score_is_the_sum_of_rewards() -> None:
    session = Session(board("2 2", "2 2", header="2048 2x2 target=64"), seed=1)
    assert session.score == 0
    assert session.act("left").reward == session.score == 8
    session.undo()
    assert session.score == 0


@pytest.mark.clause("T12")
@pytest.mark.usefixtures("no_high_scores")
def test_session_accepts_initial_score() -> None:
    session = Session(board("2 2", "2 2", header="2048 2x2 target=64"), seed=1, score=100)
    session.act("left")
    assert session.score == session.high_score == session.copy().score == 108
    session.undo()
    assert session.score == 100
    session.new_game()
    assert session.score == 0


@pytest.mark.clause("T3")
@pytest.mark.parametrize("score", [-1, True, 2.5, "8", None])
def test_session_refuses_negative_score(score: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a whole number, 0 or more, not "):
        Session(board("2 2", "2 2"), score=score)
    with pytest.raises(gp.GridproofError, match="0 or more"):
        Session.resume(board("2 2", "2 2"), 0, 0, {0: SavedPlay(0, (), 0, False, initial_score=score)})


@pytest.mark.clause("T4")
@pytest.mark.usefixtures("no_high_scores")
def test_levels_of_one_kind_share_high_score() -> None:
    session = Session(board("2 2", "2 2"), seed=1)
    session.act("left")
    session.undo()
    assert session.high_score == 8
    assert Session(board("4 2", "2 4")).high_score == 8
    assert Session(board("2 0 0", "2 0 0", "0 0 0", header="2048 3x3")).high_score == 0


@pytest.mark.clause("T4")
@pytest.mark.usefixtures("no_high_scores")
def test_high_score_is_maximum_of_stored_and_current_score() -> None:
    assert Session(board("2 2", "2 2"), store=MemoryStore(best=100)).high_score == 100
    session = Session(board("2 2", "2 2"), store=MemoryStore(best=3))
    session.act("left")
    assert session.high_score == 8


@pytest.mark.usefixtures("no_high_scores")
def test_games_without_score_have_no_high_score() -> None:
    session = Session(sokoban(ONE_PUSH))
    session.act("right")
    assert session.score == session.high_score == 0
    assert session_module._HIGH_SCORES == {}


@pytest.mark.clause("T11")
@pytest.mark.usefixtures("no_high_scores")
def test_won_twenty48_game_continues() -> None:
    session = Session([*board("4 4", "0 0"), *board("2 2", "0 0")], seed=2)
    session.act("left")
    assert status_and_places(session) == (gp.Status.WON, [0])
    assert session.current == 0  # the next level does not follow
    session.act(session.position.actions()[0])
    assert session.actions_done == 2
    session.select(1)
    session.select(0)
    assert session.actions_done == 2  # what may go on is as it was left
    session.undo(2)
    assert status_and_places(session) == (gp.Status.PLAYING, [0])


@pytest.mark.clause("T11")
def test_lost_twenty48_game_refuses_actions_but_allows_undo() -> None:
    session = Session(board("8 2", "16 0", header="2048 2x2 target=64"), seed=0)
    while not session.position.ended:
        session.act(session.position.actions()[0])
    check_unchanged(session, lambda: session.act("left"))
    session.undo()
    assert not session.position.ended


def test_high_score_does_not_rise_when_save_fails(no_high_scores: None) -> None:
    session = Session(board("2 2", "0 0"), store=BrokenStore())
    with pytest.raises(gp.GridproofError):
        session.act("left")
    assert (session.score, session.high_score) == (0, 0)


@pytest.mark.clause("T4")
def test_high_score_includes_initial_score(no_high_scores: None) -> None:
    session = Session(board("2 2", "0 0"), score=100)
    session.new_game()
    assert (session.score, session.high_score) == (0, 100)
