from __future__ import annotations

from typing import Any

import pytest

import gridproof as gp
from gridproof.core.session import Session
from gridproof.games import twenty48
from gridproof.games.twenty48.snake import snake_value
from gridproof.search.simple_players import Expectimax, Player


def play(player: Player, level: gp.Level, seed: int, most: int = 10_000) -> Session:
    session = Session(level, seed)
    while not session.position.ended and session.actions_done < most:
        session.act(player(session.position))
    return session


def test_random_player_repeats_choices_with_same_seed() -> None:
    (level,) = gp.levels_at("null/first/2")
    one, two = (play(gp.player("null", "random", seed=5), level, 1, 50).trace() for _ in range(2))
    assert one == two
    assert one != play(gp.player("null", "random", seed=6), level, 1, 50).trace()


def test_expectimax_takes_action_with_best_mean() -> None:
    position = gp.read("..@.o....\n", "null")[0].start()

    def player_with_values(at: dict[int, float]) -> Expectimax:
        return Expectimax(lambda p: at.get(p.walker, 0.0))

    assert str(player_with_values({1: 1.0, 3: 0.9})(position)) == "left"
    assert str(player_with_values({3: 1.1, 4: 1.0, 1: 1.0})(position)) == "right"
    assert str(player_with_values({3: 1.0, 4: 1.2, 1: 1.05})(position)) == "hop"  # (1.0 + 1.2) / 2


def test_expectimax_looks_deeper_with_depth() -> None:
    position = gp.read("..@......o\n", "null")[0].start()
    far = Expectimax(lambda p: float(p.walker == 0), depth=2)
    assert str(far(position)) == "left"


def test_expectimax_values_ended_position_by_heuristic() -> None:
    position = gp.read(".@o\n", "null")[0].start()
    assert str(Expectimax(lambda p: float(p.won), depth=3)(position)) in ("right", "left")
    assert str(Expectimax(lambda p: float(p.won), depth=1)(position)) == "right"


def test_expectimax_refuses_depth_below_one() -> None:
    with pytest.raises(gp.GridproofError, match=r"^depth 0: a player must look ahead at least one action$"):
        Expectimax(snake_value, 0)


def test_snake_player_values_the_corner_fully_and_each_further_cell_a_quarter() -> None:
    position = gp.read("2048 3x2 spawn=spec target=2048\n64 8 4\n2 2 0\n")[0].start()
    assert isinstance(position, twenty48.Position)
    assert snake_value(position) == 64 + 8 / 4 + 4 / 16 + 0 / 64 + 2 / 256 + 2 / 1024
    player: Any = gp.player("twenty48", "snake")
    assert str(player) == "the player snake of twenty48, which looks 2 slides ahead"
    assert repr(player) == "<Player snake of twenty48: 2 slides ahead>"
    right = position.action("right")
    assert player.reasons(position)[right] == {(0, 0): 64, (0, 1): 2, (0, 2): 0.25, (1, 2): 4 / 64}


def test_heuristic_prefers_tiles_ordered_from_a_corner() -> None:
    def value(rows: str) -> float:
        position = gp.read(f"2048 4x4 spawn=spec target=2048\n{rows}")[0].start()
        assert isinstance(position, twenty48.Position)
        return snake_value(position)

    snake = value("64 32 16 8\n0 0 0 4\n0 0 0 0\n0 0 0 0\n")
    assert snake > value("64 32 16 8\n4 0 0 0\n0 0 0 0\n0 0 0 0\n")
    assert snake > value("8 32 16 64\n0 0 0 4\n0 0 0 0\n0 0 0 0\n")


@pytest.mark.slow
def test_expectimax_beats_random_player_at_twenty48() -> None:
    (level,) = gp.read("2048 4x4 spawn=spec target=2048\n")
    for seed in range(3):
        thinking = play(Expectimax(snake_value), level, seed).score
        assert thinking > 2 * play(gp.player("twenty48", "random", seed=seed), level, seed).score
