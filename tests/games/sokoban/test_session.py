"""Sokoban in sessions: history, undo, redo, and the game as a set of levels."""

from __future__ import annotations

import pytest
from tests.games.sokoban.boards import level

import gridproof as gp
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import Status
from gridproof.games.sokoban import Position

CORRIDOR = "########\n#@ $  .#\n########\nBombs: 2\n"
NEAR = "#@$.#\n"
WON = "#@*#\n"


def session(*texts: str) -> gp.Session:
    return gp.Session([level(text) for text in texts])


@pytest.mark.clause("K11", "K19")
def test_history_contains_every_state_newest_first() -> None:
    playing = session(CORRIDOR)
    start = playing.position
    assert playing.history == (start,)
    after = [playing.act(action).position for action in ("right", "bomb", "right")]
    assert playing.history == (*reversed(after), start)
    newest = playing.history[0]
    assert isinstance(newest, Position)
    assert (newest.player, newest.bombs) == ((3, 1), 1)
    assert newest.boxes == {(4, 1)}
    assert len(newest.walls) == 14


@pytest.mark.clause("K12", "K18")
def test_undo_brings_back_player_boxes_bombs_and_walls() -> None:
    playing = session(CORRIDOR, NEAR)
    actions = ("bomb", "right", "right", "bomb")
    states = [playing.position, *(playing.act(action).position for action in actions)]
    playing.undo(0)
    assert playing.position == states[4]
    playing.undo(1)
    assert playing.position == states[3]
    playing.undo(3)
    assert (playing.position, playing.history) == (states[0], (states[0],))
    assert states[0].text() == level(CORRIDOR).start().text()
    assert (playing.completed, playing.incomplete) == ((), (0, 1))


@pytest.mark.clause("K12")
@pytest.mark.parametrize("n", [-1, 3, 10**30])
def test_undo_out_of_range_changes_nothing(n: int) -> None:
    playing = session(CORRIDOR)
    playing.act("bomb")
    playing.act("right")
    before = playing.history
    with pytest.raises(IllegalAction):
        playing.undo(n)
    assert playing.history == before


@pytest.mark.clause("K13")
def test_redo_does_undone_actions_again_until_another_action() -> None:
    playing = session(CORRIDOR)
    for action in ("right", "bomb", "right"):
        playing.act(action)
    history = playing.history
    playing.undo(3)
    playing.redo()
    assert playing.history == history[2:]
    playing.redo(2)
    assert playing.history == history
    playing.undo(2)
    playing.act("left")
    with pytest.raises(IllegalAction):
        playing.redo()


@pytest.mark.clause("K14", "K19")
def test_game_starts_with_its_first_level_and_none_completed() -> None:
    playing = session(CORRIDOR, NEAR, NEAR)
    assert (playing.current, playing.completed, playing.incomplete) == (0, (), (0, 1, 2))
    assert playing.position.level == level(CORRIDOR)
    with pytest.raises(GridproofError, match="a session needs levels"):
        gp.Session([])


@pytest.mark.clause("K15", "K16")
def test_completed_level_makes_the_first_incomplete_one_current() -> None:
    playing = session(NEAR, CORRIDOR)
    outcome = playing.act("R")
    assert outcome.position.won
    assert (playing.current, playing.completed, playing.incomplete) == (1, (0,), (1,))
    assert playing.trace(0).replay() == outcome.position
    assert playing.history == (level(CORRIDOR).start(),)


@pytest.mark.clause("K16")
def test_levels_completed_already_join_at_once_and_the_next_follows() -> None:
    playing = session(WON, WON, NEAR, WON, CORRIDOR)
    assert (playing.current, playing.completed) == (2, (0, 1))
    playing.act("right")
    assert (playing.current, playing.completed, playing.incomplete) == (4, (0, 1, 2, 3), (4,))


@pytest.mark.clause("K16", "K17")
def test_session_is_won_when_all_levels_start_completed() -> None:
    playing = session(WON, WON)
    assert (playing.current, playing.incomplete, playing.status) == (1, (), Status.WON)


@pytest.mark.clause("K15", "K17")
def test_won_game_allows_neither_action_nor_undo() -> None:
    playing = session(NEAR, CORRIDOR)
    for letter in "RrRRR":
        playing.act(letter)
    assert (playing.current, playing.incomplete, playing.status) == (1, (), Status.WON)
    for refused in (lambda: playing.act("left"), lambda: playing.act("!"), playing.undo):
        with pytest.raises(IllegalAction):
            refused()
    assert playing.actions_done == 4


@pytest.mark.clause("K18")
def test_undo_after_a_completed_level_acts_on_the_next_alone() -> None:
    playing = session(NEAR, CORRIDOR)
    playing.act("R")
    with pytest.raises(IllegalAction):
        playing.undo()
    playing.act("r")
    playing.undo()
    assert (playing.completed, playing.incomplete) == ((0,), (1,))


@pytest.mark.clause("K20")
def test_session_distinguishes_equal_levels_by_place() -> None:
    playing = session(NEAR, NEAR, NEAR)
    playing.act("R")
    assert (playing.current, playing.completed, playing.incomplete) == (1, (0,), (1, 2))
    playing.act("R")
    assert (playing.current, playing.completed, playing.incomplete) == (2, (0, 1), (2,))


@pytest.mark.clause("K20")
def test_positions_are_equal_when_player_bombs_boxes_depots_and_walls_are() -> None:
    one, other = session(CORRIDOR), session(CORRIDOR)
    for action in ("right", "left"):
        one.act(action)
    assert one.position == other.position
    assert one.history != other.history
    other.act("bomb")
    assert one.position != other.position
