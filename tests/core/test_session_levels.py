"""Session: level sets, of which each level is left, won and taken up again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.sessions import BOMB, NO_ROOM, ONE_PUSH, SOLVED, TWO_PUSHES, check_unchanged, null, sokoban

import gridproof as gp
from gridproof.core.session import Session


@pytest.mark.clause("K14")
def test_levels_keep_their_order_and_the_first_is_current() -> None:
    pack = sokoban(ONE_PUSH, TWO_PUSHES, BOMB)
    session = Session(pack)
    assert session.levels == tuple(pack)
    assert session.current == 0
    assert session.position.level == pack[0]
    assert session.incomplete == (0, 1, 2)
    assert list(session.completed) == []


@pytest.mark.clause("K14")
def test_session_refuses_levels_of_several_games() -> None:
    for levels in ([], [*null("@o"), *sokoban(ONE_PUSH)]):
        with pytest.raises(gp.GridproofError, match="levels, and all of one game"):
            Session(levels)


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.5, "1", None])
def test_session_refuses_seed_beyond_64_bits(seed: Any) -> None:
    with pytest.raises(gp.GridproofError, match="seed"):
        Session(null("@o"), seed=seed)


def test_session_takes_single_level() -> None:
    level = null("@o")[0]
    assert Session(level).levels == (level,)


@pytest.mark.clause("K16")
def test_win_completes_level_and_moves_to_first_incomplete_one() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES, BOMB))
    outcome = session.act("right")
    assert outcome.position.status is gp.Status.WON
    assert list(session.completed) == [0]
    assert session.incomplete == (1, 2)
    assert session.current == 1
    assert session.position == session.levels[1].start()
    assert session.actions_done == 0


@pytest.mark.clause("K16")
def test_win_moves_back_to_earlier_incomplete_level() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES, ONE_PUSH))
    session.select(2)
    session.act("right")
    assert session.current == 0
    session.act("right")
    assert session.current == 1


@pytest.mark.clause("K16")
def test_completed_levels_are_skipped() -> None:
    session = Session(sokoban(SOLVED, NO_ROOM, TWO_PUSHES, SOLVED, ONE_PUSH))
    assert list(session.completed) == [0, 1]
    assert session.current == 2
    session.act("right")
    session.act("right")
    assert list(session.completed) == [0, 1, 2, 3]
    assert session.current == 4


@pytest.mark.clause("K16")
def test_selected_completed_level_is_skipped_after_its_win() -> None:
    session = Session(sokoban(ONE_PUSH, SOLVED, TWO_PUSHES))
    session.select(1)
    assert list(session.completed) == [1]
    assert session.current == 2


@pytest.mark.clause("K16")
def test_session_goes_to_the_next_unsolved_level_when_one_in_the_middle_is_won() -> None:
    session = Session(sokoban(*[ONE_PUSH] * 5))
    session.select(3)
    assert session.following == (4, 0, 1, 2)
    visited = []
    while session.incomplete:
        visited.append(session.current)
        session.act("right")
    assert visited == [3, 4, 0, 1, 2]


@pytest.mark.clause("K16", "K17")
def test_thousand_levels_won_at_start_are_completed_at_once() -> None:
    level = sokoban(SOLVED)[0]
    session = Session([level] * 1200)
    assert session.incomplete == ()
    assert session.current == 1199
    assert session.status is gp.Status.WON


@pytest.mark.clause("K17")
def test_won_game_stays_at_last_level_and_refuses_actions_and_undo() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    session.select(1)
    for action in ("right", "right", "right"):  # the second level, then the first
        outcome = session.act(action)
    assert session.current == 0
    assert session.position == outcome.position
    assert session.incomplete == ()
    assert session.status is gp.Status.WON
    check_unchanged(session, lambda: session.act("left"))
    check_unchanged(session, session.undo)
    check_unchanged(session, lambda: session.undo(0))


@pytest.mark.clause("K18")
def test_undo_acts_on_the_current_level_only() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES, ONE_PUSH))
    session.act("right")
    check_unchanged(session, session.undo)
    session.act("right")
    session.undo()
    assert list(session.completed) == [0]
    assert session.incomplete == (1, 2)
    assert session.current == 1


@pytest.mark.clause("K20")
def test_equal_levels_are_distinguished_by_place() -> None:
    session = Session(sokoban(ONE_PUSH, ONE_PUSH, ONE_PUSH))
    session.act("right")
    assert list(session.completed) == [0]
    assert session.current == 1
    session.act("right")
    session.act("right")
    assert list(session.completed) == [0, 1, 2]


def test_selected_level_is_as_it_was_left() -> None:
    session = Session(sokoban(TWO_PUSHES, TWO_PUSHES))
    session.act("right")
    left = session.history
    session.select(1)
    assert session.actions_done == 0
    session.select(0)
    assert session.history == left


def test_selected_won_level_starts_again() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    session.act("right")
    session.select(0)
    assert session.actions_done == 0
    assert list(session.completed) == [0]
    assert session.incomplete == (1,)
    session.act("right")
    assert session.current == 1


def test_last_level_of_won_game_can_be_restarted() -> None:
    session = Session(sokoban(ONE_PUSH))
    session.act("right")
    session.restart()
    assert session.status is gp.Status.PLAYING
    assert session.actions_done == session.actions_undone == 0
    assert list(session.completed) == [0]


@pytest.mark.parametrize("place", [-1, 2, True, "0", None])
def test_select_refuses_invalid_place(place: Any) -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    check_unchanged(session, lambda: session.select(place))


def test_win_stays_on_level_without_policy() -> None:
    session = Session(null("@o", "@.o"))
    session.act("right")
    assert session.current == 0
    session.select(1)
    assert list(session.completed) == [0]
    session.select(0)
    assert session.status is gp.Status.PLAYING


@pytest.mark.parametrize("levels", ["x", None, 5, b"abc", ["x"], [None]])
def test_session_refuses_other_types(levels: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a level or several are needed, not "):
        Session(levels)
