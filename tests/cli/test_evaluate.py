from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.store.dataset import MANIFEST

from .conftest import COMMAND, Run


def test_evaluate_reports_a_player(run: Run) -> None:
    answer = run("evaluate", "null", "--player", "random", "--games", "12", "--seed", "4", "--json")
    assert answer.status == 0
    assert answer.json["games"] == 12
    assert answer.json["low"] <= answer.json["share"] <= answer.json["high"]
    assert {"length", "moves_per_second", "games_per_second", "wins"} <= answer.json.keys()
    told = run("evaluate", "null", "--player", "random", "--games", "12", "--seed", "4").out
    assert told.startswith(f"random: 12 games, {answer.json['share']:.1%} won (")


def test_evaluate_compares_two_players(run: Run) -> None:
    lines = run(
        "evaluate",
        "twenty48",
        "--levels",
        "twenty48/standard/1",
        "--player",
        "random",
        "--player",
        "greedy",
        "--games",
        "2",
        "--actions",
        "30",
        "--json",
    ).lines
    assert [line.get("player") for line in lines] == ["random", "greedy", None]
    assert lines[2]["compared"] == "score"
    assert sum(lines[2]["better"]) <= 2
    assert lines[0]["tiles"]["8"] == 1
    told = run("evaluate", "null", "--player", "random", "--player", "solver", "--games", "3").out
    assert "random against solver on the same games, by won: better in " in told


def test_evaluate_prints_the_tiles_that_some_games_reach_after_the_last_that_all_do(run: Run) -> None:
    arguments = ("evaluate", "twenty48", "--player", "random", "--games", "9")
    tiles = run(*arguments, "--json").json["tiles"]
    some = [f"{tile} {share:.1%}" for tile, share in tiles.items() if share < 1]
    last = [f"{tile} 100.0%" for tile, share in tiles.items() if share == 1][-1]
    assert some
    assert f"  tiles reached: {', '.join([last, *some])}\n" in run(*arguments).out


def test_evaluate_plays_one_level_when_game_keeps_score_else_all(run: Run) -> None:
    own = run("evaluate", "twenty48", "--player", "random", "--games", "3", "--actions", "20", "--json").json
    assert own["levels"] == "twenty48/standard/1"
    assert own["length"] == {
        "mean": 20.0,
        "median": 20,
        "error": 0.0,
    }  # the third board of the pack has four cells
    assert (
        run("evaluate", "null", "--player", "random", "--games", "2", "--json").json["levels"] == "null/first"
    )


def test_evaluate_reports_share_of_each_robot_in_races(run: Run) -> None:
    answer = run("evaluate", "robots", "--player", "planner", "--levels", "robots/duels/1", "--games", "2")
    assert answer.status == 0
    assert "home first: " in answer.out


@pytest.mark.slow
def test_evaluate_result_does_not_depend_on_processes(run: Run) -> None:
    one, two = (
        run("evaluate", "null", "--player", "random", "--games", "40", "--jobs", jobs, "--json").json
        for jobs in "12"
    )
    for name in ("games_per_second", "moves_per_second"):
        del one[name], two[name]
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--player", "best"), "null has no player 'best': it has solver, random, greedy"),
        (("--player", "random", "--player", "random"), "give --player once, or twice to compare two players"),
        (
            ("--player", "random", "--levels", "sokoban/first-steps"),
            "sokoban/first-steps has no levels of null",
        ),
    ],
)
def test_evaluate_refuses_invalid_input(run: Run, arguments: tuple[str, ...], message: str) -> None:
    answer = run("evaluate", "null", *arguments)
    assert answer.status == 2
    assert message in answer.err


def test_evaluate_takes_number_of_moves_to_look_ahead(run: Run) -> None:
    one, two = (
        run("evaluate", "twenty48", "--player", "expectimax", "--plies", plies, "--games", "2", "--actions", "60", "--json").json
        for plies in "12"
    )  # fmt: skip
    assert one["length"]["mean"] == two["length"]["mean"] == 60
    assert one["mean"] != two["mean"]
    refused = run("evaluate", "twenty48", "--player", "snake", "--plies", "2")
    assert refused.err == "error: the player snake has no option 'plies'\n"
    race = run("evaluate", "robots", "--player", "planner", "--plies", "2")
    assert race.err == "error: planner plays races, which have no option plies\n"


@pytest.mark.slow
def test_own_player_is_evaluated_and_watched(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text("def play(position):\n    return position.actions()[-1]\n")
    options = "--player", f"{file}:play", "--json"
    for jobs in ("1", "2"):
        answer = run(
            "evaluate",
            "sokoban",
            "--levels",
            "sokoban-easy",
            "--games",
            "9",
            "--actions",
            "3",
            "--jobs",
            jobs,
            *options,
        )
        assert (answer.json["games"], answer.json["levels"]) == (9, "sokoban-easy")
    lines = run("watch", "sokoban/first-steps/1", "--actions", "2", "--values", *options).lines
    assert [max(line["values"], key=line["values"].get) for line in lines] == [
        line["action"] for line in lines
    ]
    assert run("watch", "sokoban/first-steps/1", "--player", f"{file}:none").status == 2


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_wrong_replies_of_a_language_model_are_counted(run: Run, jobs: str) -> None:
    example = Path(__file__).parents[2] / "examples" / "language_model" / "play.py"
    game = ("evaluate", "sokoban", "--levels", "sokoban-easy", "--player", f"{example}:Player")
    options = ("--games", "9", "--actions", "8", "--jobs", jobs)
    data = run(*game, *options, "--json").json
    moves = round(data["length"]["mean"] * data["games"])
    counts = data["counts"]
    assert counts["prompts"] == moves + counts["wrong replies"]
    assert 0 < counts["wrong replies"] < moves
    assert counts["random actions"] == 0
    words = f"{counts['prompts']} prompts, {counts['wrong replies']} wrong replies, 0 random actions"
    assert words in run(*game, *options).out


@pytest.mark.long
def test_submission_is_written_and_checked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    game = ("evaluate", "robots", "--levels", "robots-easy-v1", "--player", "random")
    made = run(*game, "--out", str(path), "--json").json
    assert (made["task"], len(made["wins"])) == ("robots-easy-v1", 5)
    answer = run("evaluate", "--submission", str(path), "--json")
    assert answer.status == 0
    assert answer.json["wins"] == made["wins"]
    assert "all won games replay" in run("evaluate", "--submission", str(path)).out
    assert "use --force to overwrite it" in run(*game, "--out", str(path)).err
    text = path.read_text()
    path.write_text(text.replace(f'"wins": [\n  {made["wins"][0]}', f'"wins": [\n  {made["wins"][0] + 1}'))
    answer = run("evaluate", "--submission", str(path))
    assert (answer.status, f"{path}: the wins are {made['wins']}, not" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give a game, and a --player (--player ? lists them)"),
        (("sokoban",), "give a game, and a --player (--player ? lists them)"),
        (("sokoban", "--player", "random", "--out", "x.json"), "a submission needs a graded task (--levels"),
        (
            ("sokoban", "--player", "random", "--out", "x.json", "--games", "3"),
            "--games does not apply with a submission",
        ),
        (("sokoban", "--submission", "x.json"), "GAME does not apply with --submission"),
        (("--submission", "no.json"), "no.json: No such file or directory"),
    ],
)
def test_submission_refuses_invalid_input(run: Run, arguments: tuple[str, ...], message: str) -> None:
    answer = run("evaluate", *arguments)
    assert answer.status == 2
    assert message in answer.err


OUT = ("evaluate", "null", "--player", "random", "--player", "solver", "--seed", "7", "--out")


def test_evaluate_writes_games_into_a_folder_and_goes_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games"
    assert run(*OUT, str(out), "--games", "4").status == 0
    answer = run(*OUT, str(out), "--games", "11", "--json")
    summary, random, solver, comparison = answer.lines
    assert summary == {"rows": 22, "done": 22, "new": 14, "out": str(out)}
    plain = run(*OUT[:-1], "--games", "11", "--json").lines
    for one in (random, solver, *plain[:2]):
        del one["games_per_second"], one["moves_per_second"]
    assert [random, solver, comparison] == plain
    rows = gp.dataset(out).table().to_pylist()
    assert len({row["play"] for row in rows}) == len(rows) == 22
    assert gp.dataset(out).content["command"] == "evaluate"
    assert run(*OUT, str(out), "--games", "4", "--json").lines[1]["games"] == 4  # of those that are asked for
    other = run(*OUT, str(out), "--games", "11", "--actions", "1")
    assert (other.status, "another question: actions 500, not 1" in other.err) == (2, True)


def test_evaluate_folder_refuses_games_of_a_changed_player(run: Run, tmp_path: Path) -> None:
    out, file = tmp_path / "games", tmp_path / "my.py"
    file.write_text("def play(position):\n    return position.actions()[-1]\n")
    command = ("evaluate", "null", "--player", f"{file}:play", "--games", "2", "--out", str(out))
    assert run(*command).status == 0
    assert str(tmp_path) not in (out / MANIFEST).read_text()
    file.write_text("def play(position):\n    return position.actions()[0]\n")
    assert "another question: files" in run(*command).err


@pytest.mark.slow
def test_evaluate_folder_goes_on_after_a_kill(run: Run, tmp_path: Path) -> None:
    """A killed run loses no game that is in the folder, and plays none twice."""
    out, file = tmp_path / "games", tmp_path / "my.py"
    file.write_text(
        "import time\n\n\ndef play(position):\n    time.sleep(0.02)\n    return position.actions()[0]\n"
    )
    command = ["evaluate", "null", "--player", f"{file}:play", "--games", "30", "--actions", "3"]
    command += ["--out", str(out)]
    process = subprocess.Popen([*COMMAND, *command], stdout=subprocess.DEVNULL)
    while process.poll() is None and not (out / MANIFEST).exists():
        time.sleep(0.01)
    time.sleep(0.3)
    process.kill()
    process.wait()
    before = len(gp.dataset(out))
    answer = run(*command, "--json")
    assert answer.lines[0]["new"] == 30 - before
    plays = [row["play"] for row in gp.dataset(out).table().to_pylist()]
    assert sorted(plays) == sorted(f"my.py:play, game {number}" for number in range(1, 31))


DYING = """import os
import signal


def play(position):
    if position.level.title == "A walk":
        os.kill(os.getpid(), signal.SIGKILL)
    return position.actions()[0]
"""


@pytest.mark.long
@pytest.mark.parametrize("folder", [False, True], ids=["lines", "folder"])
def test_killed_worker_costs_evaluate_its_games_alone(run: Run, tmp_path: Path, folder: bool) -> None:
    file, out = tmp_path / "my.py", tmp_path / "games"
    file.write_text(DYING)
    command = ["evaluate", "null", "--player", f"{file}:play", "--games", "9", "--actions", "2"]
    answer = run(*command, "--jobs", "2", *(["--out", str(out)] if folder else []))
    assert answer.status == 2
    dead = [number for number in range(1, 10) if f"error: my.py:play, game {number}: " in answer.err]
    assert dead == [2, 5, 8]
    assert "6 games" in answer.out
