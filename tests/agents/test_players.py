"""Players by name, and their evaluation over many games."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, cast

import pytest

import gridproof as gp
from gridproof.agents.demos import co_players, demos
from gridproof.agents.evaluation import GameResult, compare, interval, play, summary
from gridproof.agents.players import players
from gridproof.core.text.level_lookup import first_pack

if TYPE_CHECKING:
    from gridproof.games.twenty48.rules import Position


@pytest.mark.parametrize("game", [*gp.game_names(), "null"])
@pytest.mark.parametrize("name", ["random", "greedy", "solver"])
def test_games_have_three_players(game: str, name: str) -> None:
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


def test_greedy_player_prefers_win_and_score() -> None:
    (level,) = gp.read("#######\n#@ $. #\n#######", "sokoban")
    chooses, position = gp.player("sokoban", "greedy", seed=3), level.start()
    for _ in range(2):
        position = position.outcomes(chooses(position))[0].position  # type: ignore[index]  # a tuple here
    assert position.won
    board = gp.read("2048 2x2 spawn=spec target=2048\n4 4\n2 0\n", "twenty48")[0].start()
    greedy = gp.player("twenty48", "greedy")
    assert str(greedy(board)) in ("left", "right")
    assert sorted(greedy.values(board).values())[-1] == 8


@pytest.mark.slow
def test_solver_plays_for_target_on_small_boards() -> None:
    text = "2048 3x2 spawn=classic target=32\n2 8 16\n4 2 2\n"
    drawn = "2048 3x2 spawn=spec target=32\n"
    solver, compare = gp.player("twenty48", "solver"), 0
    for level in (gp.read(text)[0], gp.read(drawn)[0]):
        value, session = gp.value(level, "won"), gp.Session(level, 3)
        while not session.position.ended and not session.position.won:
            worth = value.at(session.position)
            if worth.best:
                best = float(worth.actions[solver(session.position)])
                assert best == pytest.approx(max(map(float, worth.actions.values())), abs=1e-9)
                compare += 1
            session.act(solver(session.position))
    assert compare > 10


def test_solver_plays_for_points_when_win_chance_is_unknown() -> None:
    from gridproof.games.twenty48.agents import AGENTS
    from gridproof.games.twenty48.snake import SNAKE

    solver = gp.player("twenty48", "solver")
    large, won, hopeless, odd = (
        cast("Position", gp.read(text)[0].start())
        for text in (
            "2048 4x4 spawn=spec target=2048\n2 0 0 0\n0 4 0 0\n0 0 0 0\n0 0 0 0\n",
            "2048 2x2 spawn=spec target=8\n8 2\n0 0\n",
            "2048 2x2 spawn=spec target=2048\n8 2\n0 0\n",
            "2048 2x2 spawn=classic target=16\n8 0\n0 8\n",
        )
    )
    for position in (large, won, hopeless):
        assert AGENTS.win_chances(position) is None
        assert solver.values(position) == AGENTS.adviser.values(position)
    assert AGENTS.adviser.values(won) == SNAKE.values(won)
    assert max((AGENTS.win_chances(odd) or {}).values()) == 1


def test_solver_continues_without_solution() -> None:
    (level,) = gp.read("######\n#@  ##\n#$ . #\n######", "sokoban")
    assert gp.solve(level).found is False
    assert play(level, "solver", 1, 20).actions == 20


def test_players_with_same_seed_do_the_same() -> None:
    level = gp.levels_at("shiftit/boards/4")[0]
    first, second, third = (play(level, "random", seed, 40) for seed in (1, 1, 2))
    assert (first.actions, first.won) == (second.actions, second.won)
    assert len({first.actions, third.actions, play(level, "random", 5, 40).actions}) > 1


@pytest.mark.parametrize("name", players("twenty48"))
def test_player_of_a_lost_position_values_nothing_and_chooses_nothing(name: str) -> None:
    position = gp.position("2048 4x4\n2 4 2 4\n4 2 4 2\n2 4 2 4\n4 2 4 2\n")
    player = gp.player("twenty48", name)
    assert player.values(position) == {}
    with pytest.raises(gp.GridproofError, match=r"^no action is possible in this position$"):
        player(position)


def test_unknown_player_is_refused() -> None:
    with pytest.raises(
        gp.GridproofError, match="sokoban has no player 'best': it has solver, random, greedy"
    ):
        gp.player("sokoban", "best")
    with pytest.raises(gp.GridproofError, match="the player greedy has no option 'depth': it has seed"):
        gp.player("sokoban", "greedy", depth=3)


def test_summary_of_many_games() -> None:
    played = [
        GameResult(won, actions, 4 * actions, tile, (), 0.5)
        for won, actions, tile in ((True, 10, 64), (False, 20, 32), (False, 60, 64), (False, 30, 8))
    ]
    told = summary(gp.game("twenty48"), "x", played)
    assert (told["games"], told["wins"], told["share"]) == (4, 1, 0.25)
    assert (told["mean"], told["median"]) == (120, 100)
    assert told["error"] == pytest.approx(43.2, abs=0.1)
    assert told["tiles"] == {"2": 1, "4": 1, "8": 1, "16": 0.75, "32": 0.75, "64": 0.5}
    assert (told["games_per_second"], told["moves_per_second"]) == (2, 60)
    assert told["length"]["mean"] == 30
    assert interval(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)  # Wilson 1927
    assert interval(0, 5)[0] == 0
    other = [GameResult(False, 1, 0, None, (), 0.5)] * 4
    assert compare(["x", "y"], {"x": played, "y": other}, by_score=False)["better"] == [1, 0]
    assert compare(["x", "y"], {"x": played, "y": other}, by_score=True)["difference"]["mean"] == 120


def test_race_result_names_winners() -> None:
    level = gp.levels_at("robots/races/2")[0]
    told = summary(level.game, "planner", [play(level, "planner", seed, None) for seed in range(2)])
    assert sum(told["shares"].values()) >= 1
    assert play(level, "a=random,b=random", 1, 2).actions == 2


@pytest.mark.parametrize("name", gp.game_names())
def test_players_do_the_same_in_watch_and_evaluate(name: str) -> None:
    game = gp.game(name)
    level = gp.levels_at(f"{first_pack(name)}/1")[0]
    watched = set(demos(game))
    assert set(players(game)) | set(co_players(game)) == watched
    for one in watched:
        assert play(level, one, 1, 1).actions in (0, 1)


def test_demo_of_a_player_is_its_game() -> None:
    level = gp.levels_at("twenty48/standard/1")[0]
    for name in ("snake", "greedy", "random"):
        shown = itertools.islice(demos(level.game)[name](level, 3), 5)
        chooses = gp.player(level.game, name, **({} if name == "snake" else {"seed": 3}))
        position = level.start(3)
        for action, outcome in shown:
            assert action == chooses(position)
            position = outcome.position
