from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.games.twenty48.network import Network, save_network

from .conftest import Run, Terminal


def test_watch_plays_a_level_to_its_end(run: Run) -> None:
    answer = run("watch", "null/first/3")
    assert answer.status == 0
    assert answer.out.startswith("null/first/3  Back\n\n..o...@..\n")
    assert "   4  left\n" in answer.out
    assert answer.out.endswith("actions 4, status won\n")


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_watch_takes_game_as_its_first_level(run: Run, name: str) -> None:
    answer = run("watch", name, "--actions", "3", "--player", "random", "--json")
    if not run("levels", name, "--json").json:
        assert answer.status == 2
        assert "has no built-in levels" in answer.err
        return
    assert answer.status == 0
    assert all(line["executable"] for line in answer.lines)
    assert len(answer.lines) <= 3


def test_watch_repeats_game_with_same_seed(run: Run) -> None:
    def output_of(seed: int) -> list[str]:
        arguments = ("watch", "null/first/2", "--player", "random", "--seed", str(seed), "--json")
        return [line["text"] for line in run(*arguments).lines]

    assert output_of(4) == output_of(4)
    assert len({tuple(output_of(seed)) for seed in range(6)}) > 1


def test_watch_draws_as_a_session_with_the_seed(run: Run) -> None:
    lines = run("watch", "null/first/2", "--player", "random", "--seed", "7", "--json").lines
    session = gp.Session(gp.levels_at("null/first/2"), 7)
    assert [session.act(line["action"]).position.text() for line in lines] == [line["text"] for line in lines]


def test_watch_solver_searches_again_after_other_outcome(run: Run) -> None:
    for seed in range(5):
        lines = run("watch", "null/first/2", "--seed", str(seed), "--json").lines
        assert lines[-1]["status"] == "WON"


def test_watch_lists_players(run: Run) -> None:
    assert (
        run("watch", "twenty48", "--player", "?").out
        == "expectimax, network, endgame, snake, solver, random, greedy\n"
    )
    assert run("watch", "null", "--player", "?", "--json").json == ["solver", "random", "greedy"]


def test_watch_reports_level_that_cannot_be_won(run: Run, sokoban_file: Path) -> None:
    answer = run("watch", f"{sokoban_file}#3")
    assert answer.status == 2
    assert answer.err == "error: it cannot be won: try another player\n"


def test_watch_prints_boards(run: Run) -> None:
    assert "..o.@...." in run("watch", "null/first/3", "--boards").out
    assert "..o.@...." not in run("watch", "null/first/3").out


def test_watch_stops_after_some_actions(run: Run) -> None:
    assert len(run("watch", "twenty48", "--actions", "7", "--json").lines) == 7
    assert run("watch", "twenty48", "--actions", "0", "--json").out == ""


def test_watch_refuses_unknown_players_and_levels(run: Run) -> None:
    assert (
        run("watch", "null", "--player", "me").err
        == "error: null has no player 'me': it has solver, random, greedy\n"
    )
    assert run("watch", "chess").status == 2


@pytest.mark.slow
def test_watch_redraws_board_in_place_on_terminal(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("watch", "null/first/3", "--delay", "0")
    shown.until("Back")
    assert shown.end() == 0
    assert "status won" in shown.output
    assert "\x1b[" in shown.output


def test_watch_solver_ends_with_the_win(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.2048"
    file.write_text("2048 2x2 target=8\n4 4\n0 2\n\n2048 2x2 target=8\n8 2\n0 0\n")
    lines = run("watch", f"{file}#1", "--player", "solver", "--json").lines
    assert [line["status"] for line in lines] == ["WON"]
    assert run("watch", f"{file}#2", "--player", "solver", "--json").lines == []


@pytest.mark.parametrize("delay", ["nan", "inf", "-inf", "-1", "1e400", "soon", ""])
def test_watch_refuses_invalid_delay(run: Run, delay: str) -> None:
    answer = run("watch", "null/first/3", "--delay", delay)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("error: Invalid value for '--delay': ")


def test_watch_prints_values_of_each_action(run: Run) -> None:
    arguments = ("watch", "twenty48", "--player", "greedy", "--seed", "3", "--actions", "5", "--values")
    lines = run(*arguments, "--json").lines
    position = gp.levels_at("twenty48")[0].start(3)
    player = gp.player("twenty48", "greedy")
    for line in lines:
        assert line["values"] == {str(action): value for action, value in player.values(position).items()}
        position = gp.read(line["text"], game="twenty48")[0].start()
    words = run(*arguments).out
    for value in lines[4]["values"].values():
        assert f"{value:,.5g}" in words


def test_watch_takes_options_of_the_player(run: Run, tmp_path: Path) -> None:
    network = Network(2, 2, ((0, 1),))
    network.weights[:] = range(256)
    level, file = tmp_path / "small.2048", tmp_path / "net.npz"
    level.write_text("2048 2x2 target=16\n")
    save_network(file, network)
    own = ("watch", str(level), "--player", "network", "--values", "--actions", "4", "--json")
    start = gp.read(level)[0].start()
    for plies in (1, 2):
        player = gp.player("twenty48", "network", file=file, plies=plies)
        lines = run(*own, "--file", str(file), "--plies", str(plies)).lines
        values = player.values(start)
        assert lines[0]["values"] == {str(action): value for action, value in values.items()}
        assert lines[0]["action"] == str(player(start))
    assert "the network is for boards of 4x4, not 2x2" in run(*own).err
    refused = run("watch", "twenty48", "--player", "snake", "--plies", "2")
    assert (refused.status, refused.err) == (2, "error: the player snake has no option 'plies'\n")
    assert "--plies does not apply to a race" in run("watch", "robots", "--plies", "2").err


def test_watch_prints_large_values_without_powers_of_ten(run: Run) -> None:
    answer = run("watch", "twenty48", "--player", "network", "--values", "--actions", "1")
    assert re.search(r"^ +Next, by its own measure: left 1\d\d,\d\d\d; right ", answer.out, re.MULTILINE)
    assert "e+" not in answer.out


def test_watch_refuses_values_that_nobody_gives(run: Run) -> None:
    assert (
        "--values does not apply to a race" in run("watch", "robots", "--player", "a=hints", "--values").err
    )


def test_watch_prints_values_along_a_trace(run: Run, tmp_path: Path) -> None:
    session = gp.Session(gp.levels_at("twenty48"), seed=3)
    for action in ("left", "up"):
        session.act(action)
    path = tmp_path / "played.json"
    path.write_text(session.trace().to_json())
    lines = run("watch", str(path), "--values", "--player", "greedy", "--json").lines
    start, player = session.trace().start, gp.player("twenty48", "greedy")
    assert lines[0]["values"] == {str(action): value for action, value in player.values(start).items()}
    assert len(lines) == 2
    words = run("watch", str(path), "--values", "--player", "greedy").out
    assert all(f"{value:.5g}" in words for line in lines for value in line["values"].values())
    assert (
        "--player does not apply to a trace without --values"
        in run("watch", str(path), "--player", "greedy").err
    )
