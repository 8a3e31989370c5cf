"""The rules of 2048: levels, positions, how games end, scores. Moves and chance have files of their own."""

from __future__ import annotations

import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import lines_run

from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel
from gridproof.core.position import Status
from gridproof.core.proposition import parse_goal
from gridproof.core.rng import Rng
from gridproof.core.session import Session
from gridproof.games.twenty48 import GAME, Level, Merged, Move, Position
from gridproof.games.twenty48.propositions import has_room_for

LEFT = Move.LEFT


def make_position(*rows: list[int], target: int = 2048) -> Position:
    return Level(len(rows[0]), len(rows), target=target, board=rows).start()


def random_game(level: Level, seed: int, most: int = 10_000) -> list[Position]:
    position, rng = level.start(seed), Rng(seed, 10**6)
    positions = [position]
    while (actions := position.actions()) and len(positions) < most:
        position = position.step(rng.choice(actions), rng).position
        positions.append(position)
    return positions


sizes = st.integers(2, 6)
seeds = st.integers(0, 2**64 - 1)
levels = st.builds(Level, sizes, sizes, st.sampled_from(["spec", "classic"]), st.sampled_from([8, 64, 2048]))


# -- T1: boards


@pytest.mark.clause("T1")
def test_level_takes_every_size_from_2x2_to_6x6() -> None:
    for width, height in itertools.product(range(2, 7), repeat=2):
        position = Level(width, height).start()
        assert [len(row) for row in position.rows] == [width] * height
    assert Level() == Level(4, 4, "spec", 2048)


@pytest.mark.clause("T1")
@pytest.mark.parametrize("size", [(1, 4), (4, 7), (0, 0), (-2, 4), (True, 4), (4.0, 4), ("4", 4), (None, 4)])
def test_other_sizes_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidLevel) as caught:
        Level(*size)
    assert [problem.code for problem in caught.value.problems] == ["T1-size"]


@pytest.mark.clause("T1")
@pytest.mark.parametrize(
    "target", [4, 0, -8, 12, 2047, 8.0, "8", None, True, pytest.param(2**20_000, id="huge")]
)
def test_other_targets_are_refused(target: int) -> None:
    with pytest.raises(InvalidLevel, match="T1-target: the target is a power of two from 8 to 2"):
        Level(target=target)
    assert Level(target=8).target == 8
    assert Level(target=2**255).target == 2**255


@pytest.mark.clause("T1", "T3", "T10", "T12")
def test_level_problems_are_listed_with_their_cells() -> None:
    with pytest.raises(InvalidLevel) as caught:
        Level(3, 2, "fast", 100, [[0, 3, 2], [None, 2**256]])  # type: ignore[list-item]  # what is tried
    assert [(problem.code, problem.where) for problem in caught.value.problems] == [
        ("T1-target", None),
        ("T10-spawn", None),
        ("T12-size", None),
        ("T12-value", (0, 1)),
        ("T12-value", (1, 0)),
        ("T1-large", (1, 1)),
    ]
    with pytest.raises(InvalidLevel) as caught:
        Level(9, 2, board=[[2, 0], [0, 1]])
    assert [(problem.code, problem.where) for problem in caught.value.problems] == [
        ("T1-size", None),
        ("T12-value", (1, 1)),
        ("T3-two-tiles", None),
    ]


@pytest.mark.clause("T12")
@pytest.mark.parametrize("board", ["2200", 5, [2, 2], [[2, 2], None], {(0, 0): 2}])
def test_board_must_be_rows(board: list[list[int]]) -> None:
    with pytest.raises(InvalidLevel, match="T12-form: a board is a sequence of rows"):
        Level(2, 2, board=board)


def test_levels_are_values() -> None:
    level = Level(2, 2, board=[[2, 0], [0, 4]], title="a title")
    assert level == Level(2, 2, board=((2, 0), (0, 4)))
    assert hash(level) == hash(Level(2, 2, board=((2, 0), (0, 4))))
    assert level.game is GAME
    level.start().actions()
    again = pickle.loads(pickle.dumps(level.start()))
    assert again == level.start()
    assert "lines" not in vars(again.level)


# -- T2, T3: the state


@pytest.mark.clause("T2")
def test_position_has_its_state() -> None:
    position = make_position([2, 0], [0, 4])
    assert position.rows == ((2, 0), (0, 4))
    assert position.empty == {(0, 1), (1, 0)}
    assert (position.won, position.lost) == (False, False)


@pytest.mark.clause("T3", "T17")
@given(levels, seeds)
def test_random_games_keep_the_invariants(level: Level, seed: int) -> None:
    cells = level.width * level.height
    for position in random_game(level, seed, most=60):
        assert 0 <= len(position.empty) <= cells - 2
        assert len(position.empty) == position.cells.count(0)
        assert all(tile == 0 or (tile >= 2 and tile.bit_count() == 1) for tile in position.cells)
        assert position.ended == (not position.actions())


# -- T4, T7: scores


@pytest.mark.clause("T7")
def test_session_score_is_the_sum_of_merged_tiles() -> None:
    session = Session(Level(5, 3), seed=11)
    while session.position.actions() and session.actions_done < 40:
        session.act(session.position.actions()[0])
    merged = [event for outcome in session.outcomes for event in outcome.events if isinstance(event, Merged)]
    assert session.score == sum(event.value for event in merged) > 0
    assert session.high_score >= session.score


class Shelf:
    """A store that remembers what it was asked to keep."""

    def __init__(self) -> None:
        self.kept = 0

    def high_score(self, key: str) -> int:
        return 100_000 if key == "twenty48 3x2 classic" else 0

    def keep(self, *arguments: object) -> None:
        self.kept += 1


@pytest.mark.clause("T4")
def test_high_scores_belong_to_a_size_and_a_spawn_rule() -> None:
    keys = {
        GAME.policy.score_key(Level(*frame)) for frame in [(3, 2, "spec"), (2, 3, "spec"), (3, 2, "classic")]
    }
    assert len(keys) == 3
    assert GAME.policy.score_key(Level(3, 2, target=8)) == GAME.policy.score_key(
        Level(3, 2, board=[[2] * 3] * 2)
    )


@pytest.mark.clause("T4")
def test_high_score_is_kept_by_the_store() -> None:
    shelf = Shelf()
    kept = Session(Level(3, 2, "classic", board=[[2, 2, 0], [0, 0, 0]]), store=shelf)
    assert kept.high_score == 100_000
    kept.act("left")
    assert shelf.kept == 1
    alone = Session(kept.levels)
    alone.act("left")
    assert shelf.kept == 1  # solvers, agents and tests have no store
    assert alone.high_score < 100_000


# -- T11: won and lost


@pytest.mark.clause("T11")
def test_won_with_the_target_or_more_and_play_continues() -> None:
    position = make_position([4, 4], [0, 0], target=8)
    assert (position.won, position.status) == (False, Status.PLAYING)
    won = position.outcomes(LEFT)[0].position
    assert (won.won, won.status, won.ended, won.lost) == (True, Status.WON, False, False)
    assert won.actions()
    assert make_position([16, 2], [0, 0], target=8).won


@pytest.mark.clause("T11")
@given(seeds)
def test_won_stays_true(seed: int) -> None:
    wins = [position.won for position in random_game(Level(3, 3, "classic", 8), seed)]
    assert wins == sorted(wins)


@pytest.mark.clause("T11")
def test_lost_without_a_valid_move() -> None:
    position = make_position([2, 4], [4, 2])
    assert (position.lost, position.ended, position.status) == (True, True, Status.LOST)
    assert not make_position([2, 4], [4, 0]).lost
    assert not make_position([2, 2], [4, 8]).lost


@pytest.mark.clause("T11")
def test_won_and_lost_in_the_same_move() -> None:
    (outcome,) = make_position([8, 8], [2, 4], target=16).outcomes(LEFT)
    after = outcome.position
    assert after.rows == ((16, 2), (2, 4))
    assert (after.won, after.lost, after.ended, after.status) == (True, True, True, Status.WON)


@pytest.mark.clause("T11")
def test_sessions_go_on_after_a_win() -> None:
    session = Session(Level(2, 2, target=8, board=[[4, 4], [0, 0]]))
    session.act("left")
    assert session.status is Status.WON
    assert session.completed == (0,)
    session.act(session.position.actions()[0])
    assert session.status is Status.WON
    won = Session(Level(2, 2, target=8, board=[[8, 2], [2, 0]]))
    assert won.status is Status.WON
    won.act("right")
    over = Session(Level(2, 2, target=8, board=[[8, 2], [2, 8]]))
    with pytest.raises(IllegalAction, match="the game is over"):
        over.act("left")


# -- propositions


def test_propositions_and_numbers() -> None:
    dead = make_position([16, 2], [2, 4], target=16)
    for text in ("won", "lost", "ended", "empty = 0", "max_tile >= 16", "tile(16)", "tile(8)", "!tile(32)"):
        assert parse_goal(GAME, text)(dead), text
    assert parse_goal(GAME, "home")(dead)
    assert parse_goal(GAME, "empty = 2")(make_position([2, 0], [2, 0]))
    assert not parse_goal(GAME, "lost")(make_position([2, 0], [2, 0]))


@pytest.mark.parametrize(
    "text", ["tile(3)", "tile(0)", "tile(1)", "tile(-2)", "tile(x)", "tile", "tile(2,2)", "empty"]
)
def test_meaningless_propositions(text: str) -> None:
    with pytest.raises(GridproofError):
        parse_goal(GAME, text)(make_position([2, 0], [2, 0]))


def test_outcomes_are_little_work() -> None:
    """Lines slide by tables, once for all outcomes of a move."""
    pairs = [(position, move) for position in random_game(Level(), 1) for move in position.actions()]
    count = sum(len(position.outcomes(move)) for position, move in pairs)
    assert lines_run(lambda: [position.outcomes(move) for position, move in pairs]) < 25 * count


def _largest_tile(start: Position) -> int:
    reached, waiting = {start.cells}, [start]
    while waiting:
        position = waiting.pop()
        for move in position.actions():
            for outcome in position.outcomes(move):
                if outcome.position.cells not in reached:
                    reached.add(outcome.position.cells)
                    waiting.append(outcome.position)
    return max(max(cells) for cells in reached)


@pytest.mark.parametrize("spawn", ["spec", "classic"])
@pytest.mark.parametrize("board", [[[2, 2], [0, 0]], [[16, 2], [2, 0]], [[16, 8], [4, 0]]])
def test_room_for_a_tile_is_what_games_can_make(board: list[list[int]], spawn: str) -> None:
    start = Level(2, 2, target=8, spawn=spawn, board=board).start()
    largest = _largest_tile(start)
    assert has_room_for(start, largest)
    assert not has_room_for(start, 2 * largest)
