"""Random games: the quick ones are those that the rules play, game by game."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof as gp
from gridproof.core.rng import Rng, derive
from gridproof.games.twenty48 import Level, Move, Position
from gridproof.games.twenty48 import playouts as playing_out
from gridproof.games.twenty48.kernel.cells import NIBBLES, ROWS
from gridproof.games.twenty48.kernel.packing import data_of, pack_cells, unpack_cells
from gridproof.games.twenty48.kernel.playout import play, play_rows
from gridproof.games.twenty48.kernel.rows import (
    board_gain,
    count_bits,
    empty_bits,
    fill_rows,
    move_board,
    orient,
    place_of_empty,
    row_gain,
)
from gridproof.games.twenty48.playouts import Playouts, playout, playouts
from gridproof.games.twenty48.tiles import slide
from gridproof.games.twenty48.warm import WARM
from gridproof.testing.agreement import to_python

SPAWN = ["spec", "classic"]
NEARLY = ((32768, 0, 16384, 4096), (8192, 2048, 1024, 0), (512, 256, 128, 64), (2, 2, 0, 0))
"""Two tiles 32768 can combine here after some moves, so that rows alone cannot end every game."""


def summary(position_trace: gp.Trace) -> tuple[int, int, int]:
    """Moves, score and largest tile of a game, as the rules find them."""
    outcomes = list(position_trace.outcomes())
    end = outcomes[-1].position if outcomes else position_trace.start
    assert isinstance(end, Position)
    assert end.lost
    return len(outcomes), sum(outcome.reward for outcome in outcomes), max(end.cells)


def result_of(played: Playouts, number: int) -> tuple[int, int, int]:
    return int(played.lengths[number]), int(played.scores[number]), int(played.largest[number])


# -- the same games as the rules'


@pytest.mark.slow
@pytest.mark.clause("T5", "T6", "T7", "T8", "T9", "T10", "T11", "T18")
@pytest.mark.parametrize("spawn", SPAWN)
@pytest.mark.parametrize(
    ("size", "games"), [((4, 4), 25), ((2, 2), 100), ((3, 3), 30), ((2, 6), 20), ((6, 2), 20), ((5, 3), 15)]
)
def test_playouts_agree_with_the_rules(spawn: str, size: tuple[int, int], games: int) -> None:
    level = Level(*size, spawn)
    played = playouts(level, games, seed=11)
    for number in range(games):
        assert result_of(played, number) == summary(played.trace(number))


@pytest.mark.slow
@pytest.mark.parametrize("spawn", SPAWN)
@pytest.mark.parametrize(("size", "games"), [((4, 4), 400), ((5, 5), 3), ((6, 6), 1)])
def test_long_games_and_many(spawn: str, size: tuple[int, int], games: int) -> None:
    played = playouts(Level(*size, spawn), games, seed=2**64 - 1)
    for number in range(games):
        assert result_of(played, number) == summary(played.trace(number))


@pytest.mark.slow
@pytest.mark.clause("T12", "T18")
@pytest.mark.parametrize("spawn", SPAWN)
@pytest.mark.parametrize(
    "board",
    [
        NEARLY,
        ((32768, 32768, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4),
        ((65536, 2, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4),
        ((2**50, 2**50, 0, 0), (2**20, 0, 0, 2**20), (0,) * 4, (0,) * 4),
        ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (4, 2, 4, 2)),
        ((4, 4, 4, 4), (4, 4, 4, 4), (4, 4, 4, 4), (4, 4, 4, 4)),
    ],
)
def test_games_from_a_board(spawn: str, board: tuple[tuple[int, ...], ...]) -> None:
    level = Level(4, 4, spawn, board=board)
    played = playouts(level, 12, seed=3)
    for number in range(12):
        assert result_of(played, number) == summary(played.trace(number))


@pytest.mark.clause("T18")
def test_playout_is_that_of_a_session_with_its_seed() -> None:
    level = Level(spawn="classic")
    trace = playout(level, seed=77, number=3)
    assert trace.seed == derive(77, 3)
    session = gp.Session(level, seed=trace.seed)
    assert session.position == trace.start
    for step in trace.steps:
        assert session.act(step.action).label == step.label
    assert session.score == playouts(level, 4, seed=77).scores[3]


def test_directions_are_drawn_among_all_until_one_is_valid() -> None:
    level = Level(3, 3)
    trace = playout(level, seed=5)
    choices = Rng(derive(derive(5, 0)))
    for position, action in zip(trace.positions(), trace.actions, strict=False):
        assert isinstance(position, Position)
        assert action == next(
            m for m in iter(lambda: choices.choice(tuple(Move)), None) if position.can_move(m)
        )


@pytest.mark.slow
def test_playout_chooses_valid_moves_with_equal_probability() -> None:
    level = Level(3, 3, board=((2, 0, 2), (4, 0, 4), (8, 16, 8)))
    assert level.start().actions() == (Move.LEFT, Move.RIGHT, Move.UP)
    first = Counter(playout(level, 1, number).actions[0] for number in range(900))
    assert set(first) == set(level.start().actions())
    assert all(230 < times < 370 for times in first.values())  # 300 expected, 14 their deviation


# -- results


def test_games_do_not_depend_on_how_many_are_played() -> None:
    many, few = playouts(Level(2, 2), 9000, seed=1), playouts(Level(2, 2), 7, seed=1)
    assert many.scores[:7].tolist() == few.scores.tolist()
    for number in (8191, 8192, 8999):  # parts end there
        assert result_of(many, number) == summary(many.trace(number))
    assert playouts(Level(2, 2), 7, seed=2).scores.tolist() != few.scores.tolist()


def test_playouts_summary() -> None:
    played = playouts(Level(), 500, seed=4)
    assert played.games == 500
    assert played.moves == played.lengths.sum() > 500 * 50
    assert played.mean_score == played.scores.mean()
    assert sum(played.tiles.values()) == 500
    assert list(played.tiles) == sorted(played.tiles)
    assert played.tiles == Counter(played.largest.tolist())
    assert 900 < played.mean_score < 1500


def test_playouts_of_no_games_are_empty() -> None:
    played = playouts(Level(), 0)
    assert (played.games, played.moves, played.mean_score, played.tiles) == (0, 0, 0.0, {})


@pytest.mark.parametrize("games", [-1, True, 2.0, "3", None])
def test_number_of_games_is_checked(games: object) -> None:
    with pytest.raises(gp.GridproofError, match="whole number"):
        playouts(Level(), games)  # type: ignore[arg-type]  # what is tried


def test_invalid_seeds_levels_and_numbers_are_refused() -> None:
    with pytest.raises(gp.GridproofError, match="seed -1"):
        playouts(Level(), 1, seed=-1)
    with pytest.raises(gp.GridproofError, match="a level of 2048 is needed"):
        playouts("2048 4x4", 1)  # type: ignore[arg-type]  # what is tried
    with pytest.raises(gp.GridproofError, match="above 2\\^56"):
        playouts(Level(2, 2, board=((2**56, 2**56), (0, 0))), 1)
    for number in (-1, 2):
        with pytest.raises(gp.GridproofError, match="there are 2"):
            playouts(Level(), 2).trace(number)


# -- rows


def tables(data: Any) -> tuple[Any, Any]:
    """Return rows after slides to the left and to the right, and their scores."""
    words = data[data[ROWS] :]
    return words[:32768].view(np.uint16), words[32768:].view(np.uint8)


@pytest.mark.slow
@pytest.mark.clause("T6", "T7")
def test_row_tables_agree_with_the_rules() -> None:
    data = data_of(Level(), NIBBLES)
    rows = tables(data)[0]
    tiles = [0, *(1 << exponent for exponent in range(1, 16))]
    for number, reversed_row in enumerate(itertools.product(tiles, repeat=4)):
        row = reversed_row[::-1]
        (left, gain, _), right = slide(row), slide(reversed_row).line[::-1]
        if max(left) <= 32768:
            assert rows[number] == pack_cells(left, NIBBLES)[0]
            assert rows[65536 + number] == pack_cells(right, NIBBLES)[0]
            assert row_gain(data, np.uint64(number)) == gain


boards = st.lists(
    st.sampled_from([0, 0, *(1 << exponent for exponent in range(1, 15))]), min_size=16, max_size=16
)


@pytest.mark.slow
@given(boards, st.sampled_from(list(Move)))
def test_boards_move_as_the_rules_say(cells: list[int], move: Move) -> None:
    position = Position(Level(), tuple(cells))
    wanted = tuple(position.afterstate(move).cells) if position.can_move(move) else position.cells
    direction = np.uint64(list(Move).index(move))
    for function in (move_board, to_python(move_board)):
        data, given = data_of(position.level, NIBBLES), (pack_cells(cells, NIBBLES)[0], direction)
        assert unpack_cells(np.array([function(data, *given)], np.uint64), NIBBLES, 16) == wanted
        gains = board_gain if function is move_board else to_python(board_gain)
        assert gains(data, np.uint64(orient(*given))) == (
            position.afterstate(move).reward if position.can_move(move) else 0
        )


@pytest.mark.slow
@given(boards.filter(any))
def test_empty_cells_are_found(cells: list[int]) -> None:
    wanted = [number for number, tile in enumerate(cells) if not tile]
    for find, how_many, where in (
        (empty_bits, count_bits, place_of_empty),
        map(to_python, (empty_bits, count_bits, place_of_empty)),
    ):
        empty = np.uint64(find(pack_cells(cells, NIBBLES)[0]))
        assert how_many(empty) == len(wanted)
        assert [where(empty, np.uint64(number)) for number in range(len(wanted))] == wanted


def test_row_tables_are_equal_when_filled_by_plain_python() -> None:
    data = data_of(Level(4, 2), NIBBLES)
    for function in (to_python(fill_rows), fill_rows):
        rows, gains = np.zeros((2, 300), np.uint16), np.zeros(300, np.uint8)
        function(data, rows, gains)
        all_rows, all_gains = tables(data_of(Level(), NIBBLES))
        assert rows.tolist() == all_rows.reshape(2, -1)[:, :300].tolist()
        assert gains.tolist() == all_gains[:300].tolist()


# -- the two ways of playing


def results(games: int) -> tuple[Any, Any, Any]:
    return np.full(games, -1, np.int64), np.zeros(games, np.int64), np.zeros(games, np.int64)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("spawn", SPAWN)
def test_long_games_are_left_and_then_played_cell_by_cell(spawn: str, plain: bool) -> None:
    level, games, most = Level(spawn=spawn), 6 if plain else 60, 110
    by_rows, by_cells = (to_python(play_rows), to_python(play)) if plain else (play_rows, play)
    data, start, seed = data_of(level, NIBBLES), pack_cells((0,) * 16, NIBBLES), np.uint64(8)
    played = results(games)
    by_rows(data, most, start, seed, 0, played)
    whole = playouts(level, games, seed=8)
    left = whole.lengths > most
    assert 0 < left.sum() < games
    assert (played[0] == np.where(left, -1, whole.lengths)).all()
    by_cells(data, start, seed, 0, played)
    assert [list(numbers) for numbers in played[:2]] == [whole.lengths.tolist(), whole.scores.tolist()]
    assert (1 << played[2]).tolist() == whole.largest.tolist()


@pytest.mark.parametrize("games", range(6))
def test_fewer_games_than_lanes(games: int) -> None:
    level = Level()
    assert (
        playouts(level, games, seed=6).scores.tolist() == playouts(level, 6, seed=6).scores[:games].tolist()
    )


def test_warm_compiles_both_kinds_of_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    played = list[str]()

    def watch(name: str) -> None:
        whole = getattr(playing_out, name)

        def record(*given: Any) -> None:
            played.append(name)
            whole(*given)

        monkeypatch.setattr(playing_out, name, record)

    watch("play_rows")
    watch("play")
    WARM["random games"]()
    assert played == ["play_rows", "play"]
