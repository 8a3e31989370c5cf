"""Session: history, undo and redo, refused actions, chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.core.sessions import BOMB, TWO_PUSHES, check_unchanged, hops, null, sokoban, status_and_places

import gridproof as gp
from gridproof.core.rng import derive
from gridproof.core.session import Session

# -- history, undo, redo


@pytest.mark.clause("K11")
def test_history_has_every_position_newest_first() -> None:
    session = Session(null("...@..o"))
    start = session.position
    assert list(session.history) == [start]
    first = session.act("left").position
    second = session.act("left").position
    assert session.history == (second, first, start)
    assert session.position == second
    assert session.actions_done == 2
    assert [outcome.position for outcome in session.outcomes] == [first, second]


@pytest.mark.clause("K12")
def test_undo_restores_positions() -> None:
    session = Session(sokoban(BOMB.replace("@$ ", "@$  ").replace("#####\n#", "#######\n#")))
    for action in ("bomb", "right", "right"):
        session.act(action)
    history = session.history
    session.undo(0)
    assert session.history == history
    session.undo(2)
    assert session.history == history[2:]
    session.undo()
    assert session.history == history[3:]
    assert session.position.text().endswith("Bombs: 1\n")
    assert "#######" in session.position.text()


@pytest.mark.clause("K12")
@pytest.mark.parametrize("n", [-1, 3, True, 1.0, "1", None])
def test_undo_out_of_range_changes_nothing(n: Any) -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.act("left")
    check_unchanged(session, lambda: session.undo(n))


@pytest.mark.clause("K13")
def test_redo_repeats_undone_actions_one_by_one() -> None:
    session = Session(null("...@..o"))
    for action in ("left", "right", "right"):
        session.act(action)
    history = session.history
    session.undo(3)
    assert session.actions_undone == 3
    session.redo()
    assert session.history == history[2:]
    session.redo(2)
    assert session.history == history
    assert session.actions_undone == 0


@pytest.mark.clause("K13")
def test_another_action_ends_redo() -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.undo()
    session.act("right")
    check_unchanged(session, session.redo)


@pytest.mark.clause("K13")
@pytest.mark.parametrize("n", [-1, 2, False, "1"])
def test_redo_out_of_range_changes_nothing(n: Any) -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.undo()
    check_unchanged(session, lambda: session.redo(n))


@pytest.mark.clause("K12", "K13")
def test_undo_and_redo_are_refused_when_there_is_nothing() -> None:
    session = Session(null("@..o"))
    with pytest.raises(gp.IllegalAction, match=r"^undo 5: nothing to undo$"):
        session.undo(5)
    with pytest.raises(gp.IllegalAction, match=r"^redo 1: nothing to redo$"):
        session.redo()
    session.act("right")
    with pytest.raises(gp.IllegalAction, match=r"^undo 5: choose a number of actions from 0 to 1$"):
        session.undo(5)


def test_last_step_as_data() -> None:
    session = Session(null("...@..o"))
    for _ in range(3):
        session.act("left")
    whole, last = session.to_data(0), session.to_data(0, last_step=True)
    assert whole is not None
    assert last is not None
    assert (last.skipped, last.steps) == (2, whole.steps[2:])


def test_undo_is_refused_after_win_when_policy_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gp.game("null")
    monkeypatch.setitem(game.__dict__, "policy", replace(game.policy, undo_after_win=False))
    session = Session(null("@o"))
    session.act("right")
    with pytest.raises(gp.IllegalAction, match=r"^undo: the game is won$"):
        session.undo()
    assert session.position.won


def test_refused_actions_change_nothing_and_keep_redo() -> None:
    session = Session(null("@..o"))
    session.act("right")
    session.undo()
    check_unchanged(session, lambda: session.act("left"))
    check_unchanged(session, lambda: session.act("jump"))
    check_unchanged(session, lambda: session.act(""))
    assert session.actions_undone == 1


def test_act_accepts_action_value() -> None:
    session = Session(null("@..o"))
    session.act(session.position.actions()[0])
    assert session.actions_done == 1


def test_act_refuses_action_of_another_game_with_same_text() -> None:
    session = Session(sokoban(TWO_PUSHES))
    other = gp.games.null.Move.RIGHT
    assert str(other) in map(str, session.position.actions())
    with pytest.raises(gp.IllegalAction, match=r"^right: Move.RIGHT is no action of sokoban$"):
        session.act(other)
    assert session.actions_done == 0
    session.act(session.position.action("right"))
    assert session.actions_done == 1


def test_restart_can_be_redone() -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.act("left")
    history = session.history
    session.restart()
    assert session.history == history[-1:]
    session.redo(2)
    assert session.history == history


def test_undo_is_possible_after_win_when_policy_allows_it() -> None:
    session = Session(null(".@o"))
    session.act("right")
    assert status_and_places(session) == (gp.Status.WON, [0])
    check_unchanged(session, lambda: session.act("left"))
    session.undo()
    assert status_and_places(session) == (gp.Status.PLAYING, [0])  # that it was won once stays true
    session.redo()
    assert status_and_places(session) == (gp.Status.WON, [0])
    session.restart()
    assert session.actions_done == 0
    assert session.actions_undone == 1


# -- chance


@pytest.mark.clause("T18")
def test_same_action_has_the_same_outcome_after_undo() -> None:
    row = "@" + "." * 60 + "o"
    for seed in range(20):
        session = Session(null(row), seed=seed)
        first = hops(session, 8)
        session.undo(5)
        assert hops(session, 5) == first[3:]
        assert hops(Session(null(row), seed=seed), 8) == first


@pytest.mark.clause("T18")
def test_chance_depends_on_number_of_actions_only() -> None:
    session = Session(null("...@" + "." * 60 + "o"), seed=5)
    session.act("left")
    second = session.act("hop").label
    session.undo(2)
    session.act("right")
    assert session.act("hop").label == second


@pytest.mark.clause("T18")
def test_games_of_different_seeds_differ() -> None:
    row = "@" + "." * 60 + "o"
    assert len({tuple(hops(Session(null(row), seed=seed), 10)) for seed in range(8)}) > 1


@pytest.mark.clause("T13")
def test_new_game_derives_seed_from_previous_one() -> None:
    pack = gp.read("2048 4x4\n", "twenty48")
    session = Session(pack, seed=3)
    assert session.position == pack[0].start(3)
    session.act(session.position.actions()[0])
    session.new_game()
    assert session.position == pack[0].start(derive(3))
    assert session.actions_done == session.actions_undone == 0
    session.new_game()
    assert session.trace().seed == derive(derive(3))


def test_levels_have_their_own_seeds() -> None:
    session = Session(gp.read("2048 4x4\n\n2048 4x4\n", "twenty48"), seed=3)
    seeds = {session.trace().seed}
    session.select(1)
    assert session.trace().seed not in seeds
