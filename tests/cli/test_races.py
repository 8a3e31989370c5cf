"""`watch` with races."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.games.robots.race import parse_strategies

from .conftest import Run, Terminal

FIRST = "robots/races/1"


def test_watch_prints_a_whole_race(run: Run) -> None:
    answer = run("watch", FIRST, "--strategies", "a=planner,b=random", "--seed", "2")
    assert answer.status == 0
    assert answer.out.startswith(f"{FIRST}  ")
    assert "won after" in answer.out
    assert "a: strategy Planner, requests " in answer.out
    assert "b: strategy RandomStrategy, requests " in answer.out
    assert answer.out.count(", hints none\n") == 2
    answer = run("watch", "robots/races/3", "--strategies", "planner", "--seed", "2")
    assert answer.out.count(", hints EAST\n") == 2


def test_watch_json_lines_of_race_replay(run: Run) -> None:
    options = ("--scheduler", "random", "--exchange-every", "2", "--seed", "3", "--max-requests", "300")
    *lines, last = run("watch", "robots", "robots/races/3", *options, "--json").lines
    position = gp.levels_at("robots/races/3")[0].start()
    for line in lines:
        position = position.outcome(position.action(line["action"]), line["label"]).position
        assert position.text() == line["text"]
    numbers = [line["requests"] for line in lines]
    assert numbers == sorted(numbers)
    assert all(line["requests"] % 2 == 0 for line in lines if line["action"] == "exchange")
    assert bool(last["race"]["winners"]) == position.won
    assert last["race"]["requests"] >= numbers[-1]
    assert set(last["race"]["actors"]) == {"a", "b"}


def test_watch_has_status_1_when_nobody_wins_race(run: Run) -> None:
    answer = run("watch", "robots/races/3", "--strategies", "random", "--max-requests", "3")
    assert answer.status == 1
    assert "nobody won after 3 requests" in answer.out
    answer = run("watch", "robots/races/3", "--strategies", "random", "--max-requests", "3", "--json")
    assert answer.status == 1
    assert answer.lines[-1]["race"]["truncated"] is True


def test_watch_stops_race_after_some_actions(run: Run) -> None:
    answer = run("watch", "robots", "--actions", "1", "--json")
    assert answer.status == 1
    assert len(answer.lines) == 2


def test_watch_takes_game_and_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "race.robots"
    path.write_text(gp.levels_at(FIRST)[0].text())
    assert run("watch", "robots", str(path), "--strategies", "planner").status == 0


def test_watch_players_run_races(run: Run) -> None:
    assert run("watch", FIRST, "--player", "?").out == "hints, planner, random, solver, greedy\n"
    answer = run("watch", FIRST, "--player", "planner")
    assert answer.status == 0
    assert "strategy" not in answer.out


def test_player_of_each_robot_is_named_in_watch_as_in_evaluate(run: Run) -> None:
    for command in (("watch", FIRST), ("evaluate", "robots", "--games", "1")):
        assert run(*command, "--player", "a=planner,b=hints").status == 0
    strategies = run("watch", FIRST, "--strategies", "a=planner,b=hints").out
    assert run("watch", FIRST, "--player", "a=planner,b=hints").out == strategies


@pytest.mark.slow
@pytest.mark.parametrize("game", ["robots", "twenty48", "null"])
def test_watch_and_evaluate_know_the_same_players(run: Run, game: str) -> None:
    watched, evaluated = (run(command, game, "--player", "?") for command in ("watch", "evaluate"))
    assert watched == evaluated
    refusals = {run(command, game, "--player", "me").err for command in ("watch", "evaluate")}
    assert refusals == {f"error: {game} has no player 'me': it has {watched.out}"}
    for name in watched.out.strip().split(", "):
        assert run("evaluate", game, "--player", name, "--games", "1", "--actions", "2").status == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((FIRST, "--strategies", "a=luck"), "no strategy 'luck'; choose from hints, planner, random"),
        ((FIRST, "--strategies", "z=hints"), "no robot 'z'; choose from a, b"),
        ((FIRST, "--strategies", "a=hints,a=planner"), "strategies 'a=hints,a=planner': a is named twice"),
        ((FIRST, "--strategies", "a=,b=hints"), "strategies 'a=,b=hints': it is written a=planner,b=hints"),
        ((FIRST, "--scheduler", "fair"), "no scheduler 'fair'; choose from round-robin, random"),
        (
            (FIRST, "--exchange-every", "-1"),
            "Invalid value for '--exchange-every': Input should be greater than or equal to 0",
        ),
        (
            (FIRST, "--player", "random", "--scheduler", "random"),
            "--scheduler applies to races only, but --player names one player",
        ),
        (
            ("twenty48", "--exchange-every", "3"),
            "--exchange-every applies to races only, but twenty48 has no races",
        ),
        (("chess", FIRST), "no game 'chess'"),
        (("robots", "null/first/1"), "null/first/1 is a level of null, not of robots"),
    ],
)
def test_watch_refuses_wrong_use_of_races(run: Run, arguments: tuple[str, ...], words: str) -> None:
    answer = run("watch", *arguments)
    assert answer.status == 2
    assert words in answer.err


def test_watch_parses_strategies() -> None:
    assert parse_strategies(" planner ") == "planner"
    assert parse_strategies("a=planner, b = hints") == {"a": "planner", "b": "hints"}


@pytest.mark.slow
def test_watch_shows_race_on_a_terminal(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("watch", FIRST, "--strategies", "planner", "--delay", "0")
    shown.until("won after")
    assert shown.end() == 0
