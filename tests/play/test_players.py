"""Players by name, and what many of their games come to."""

from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.play.evaluation import Played, compared, interval, play, summary


@pytest.mark.parametrize("game", [*gp.game_names(), "null"])
@pytest.mark.parametrize("name", ["random", "greedy", "solver"])
def test_every_game_has_three_players(game: str, name: str) -> None:
    level = gp.levels_at(
        f"{game}/{'standard' if game == 'twenty48' else 'duels' if game == 'robots' else 'first' if game in ('null', 'lights_out') else 'boards' if game == 'shiftit' else 'first-steps'}"
    )[0]
    position = level.start(1)
    chooses = gp.player(game, name)
    action = chooses(position)
    assert action in position.actions()
    values = chooses.values(position)
    assert values.keys() == set(position.actions())
    assert values[action] == max(values.values())


def test_a_greedy_player_takes_the_win_and_the_score() -> None:
    (level,) = gp.read("#######\n#@ $. #\n#######", "sokoban")
    chooses, position = gp.player("sokoban", "greedy", seed=3), level.start()
    for _ in range(2):
        position = position.outcomes(chooses(position))[0].position  # type: ignore[index]  # a tuple here
    assert position.won
    board = gp.read("2048 2x2 spawn=spec target=2048\n4 4\n2 0\n", "twenty48")[0].start()
    greedy = gp.player("twenty48", "greedy")
    assert str(greedy(board)) in ("left", "right")
    assert sorted(greedy.values(board).values())[-1] == 8


def test_a_solver_without_a_way_plays_on() -> None:
    (level,) = gp.read("######\n#@  ##\n#$ . #\n######", "sokoban")
    assert gp.solve(level).found is False
    assert play(level, "solver", 1, 20).actions == 20


def test_the_same_seed_plays_the_same() -> None:
    level = gp.levels_at("shiftit/boards/4")[0]
    first, second, third = (play(level, "random", seed, 40) for seed in (1, 1, 2))
    assert (first.actions, first.won) == (second.actions, second.won)
    assert len({first.actions, third.actions, play(level, "random", 5, 40).actions}) > 1


def test_a_player_that_there_is_not() -> None:
    with pytest.raises(gp.GridproofError, match="no player 'best': it has random, greedy, solver"):
        gp.player("sokoban", "best")
    with pytest.raises(gp.GridproofError, match="no option 'depth': it has seed"):
        gp.player("sokoban", "greedy", depth=3)


def test_what_is_said_of_many_games() -> None:
    played = [
        Played(won, actions, 4 * actions, tile, (), 0.5)
        for won, actions, tile in ((True, 10, 64), (False, 20, 32), (False, 60, 64), (False, 30, 8))
    ]
    told = summary(gp.game("twenty48"), "x", played)
    assert (told["games"], told["wins"], told["share"]) == (4, 1, 0.25)
    assert (told["mean"], told["median"]) == (120, 100)
    assert told["error"] == pytest.approx(43.2, abs=0.1)
    assert told["tiles"] == {"8": 0.25, "32": 0.25, "64": 0.5}
    assert (told["games_per_second"], told["moves_per_second"]) == (2, 60)
    assert told["length"]["mean"] == 30
    assert interval(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)  # Wilson 1927
    assert interval(0, 5)[0] == 0
    other = [Played(False, 1, 0, None, (), 0.5)] * 4
    assert compared(["x", "y"], {"x": played, "y": other}, by_score=False)["better"] == [1, 0]
    assert compared(["x", "y"], {"x": played, "y": other}, by_score=True)["difference"]["mean"] == 120


def test_a_race_tells_who_was_home() -> None:
    level = gp.levels_at("robots/races/2")[0]
    told = summary(level.game, "planner", [play(level, "planner", seed, None) for seed in range(2)])
    assert sum(told["shares"].values()) >= 1
    assert play(level, "a=random,b=random", 1, 2).actions == 2
