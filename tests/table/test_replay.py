"""Tests of replays of traces, players and races, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.table.games import TWO_LEVELS, board, null, played
from tests.table.tables import one, table_of

import gridproof as gp
from gridproof.agents.demos import describe_next_values
from gridproof.core.session import Session
from gridproof.table.replay import Replay, ReplayMessage, steps_of


def trace() -> gp.Trace:
    session = Session(null("null/first/3"))
    for text in ("left", "left", "left"):
        session.act(text)
    return session.trace()


def test_replay_place_moves_forward_and_back() -> None:
    kept = trace()
    replay = Replay(kept.start, steps_of(kept), "three steps")
    positions = [*kept.positions()]
    assert (replay.at, replay.computed_count, replay.position) == (0, 0, positions[0])
    assert not replay.back()
    assert replay.last is None
    step = replay.forward()
    assert step is not None
    assert replay.last == step
    assert (str(step[0]), replay.position) == ("left", positions[1])
    replay.go(99)
    assert (replay.at, replay.position) == (3, positions[3])
    assert replay.forward() is None
    assert replay.back()
    assert (replay.at, replay.computed_count, len(replay.outcomes)) == (2, 3, 2)
    replay.go(-1)
    assert (replay.at, replay.position) == (0, positions[0])
    replay.go(2)
    assert replay.board.position == positions[2]


def test_replay_computes_steps_on_demand() -> None:
    kept, asked = trace(), []

    def steps() -> Iterator[Any]:
        for step in steps_of(kept):
            asked.append(step)
            yield step

    replay = Replay(kept.start, steps())
    replay.forward()
    assert len(asked) == 1
    replay.back()
    replay.forward()
    assert len(asked) == 1


def test_replay_adds_up_points() -> None:
    session = Session(board("2 2 4 0\n0 0 0 0\n"))
    session.act("left")
    replay = Replay(session.history[-1], steps_of(session.trace()))
    assert dict(replay.board.counts)["score"] == "0"
    replay.forward()
    assert dict(replay.board.counts)["score"] == "4"


def test_replay_shows_players_and_races() -> None:
    table = table_of(null("null/first/3"), seed=5)
    replay = one(ReplayMessage, table.do("watch random")).replay
    assert replay.title == "random plays from the start"
    replay.go(4)
    assert replay.at == 4
    race = table_of(gp.levels_at("robots/races/1"))
    replay = one(ReplayMessage, race.race(strategies="a=planner", exchange_every=5)).replay
    replay.go(1000)
    assert replay.position.won
    assert race.session.actions_done == 0


@pytest.mark.parametrize("typed", ["watch", "open {path}"])
def test_replay_in_lines_shows_each_action_and_the_end(typed: str, tmp_path: Any) -> None:
    path = tmp_path / "trace.json"
    session = Session(gp.read(TWO_LEVELS))
    session.act("right")
    session.trace(0).save(path)
    text, after = played(gp.read(TWO_LEVELS), typed.format(path=path))
    shown = text.partition(typed.format(path=path))[2]
    assert "   1  go right\n\n#####\n# @*#\n#####\n\nmoves 1, pushes 1\n" in shown
    assert after.actions_done == 0


def test_mistake_in_lines_shows_the_last_winnable_board_first() -> None:
    text, _ = played(gp.levels_at("sokoban/first-steps/1"), "right", "down", "proof", "mistake")
    shown = text.partition("The last winnable position, after 1 move\n")[2]
    assert shown.startswith("\n####\n# @###\n# $ .#\n#  ###\n####\n\nmoves 1, pushes 0\n")
    assert "\n   2  go down\n\n####\n#  ###\n# @ .#\n# $###\n####\n" in shown


def test_replay_reports_player_that_gives_up() -> None:
    dead = gp.read("#####\n#@$ #\n# . #\n#####\n", "sokoban")
    text, _ = played(dead, "watch solver")
    assert "it cannot be won: try another player\n" in text


def test_replay_remarks_on_each_place() -> None:
    kept = trace()
    replay = Replay(kept.start, steps_of(kept), remark=lambda position: position.text())
    assert replay.remark == ""  # not asked for before the first step
    for position in [*kept.positions()][1:]:
        replay.forward()
        assert replay.remark == position.text()
    replay.go(0)
    assert replay.remark == kept.start.text()
    assert Replay.of(kept).remark == ""


@pytest.mark.slow
def test_watched_player_shows_values_of_all_moves() -> None:
    table = table_of(gp.levels_at("twenty48"))
    replay = one(ReplayMessage, table.do("watch greedy")).replay
    replay.go(2)
    assert replay.remark == describe_next_values(gp.player("twenty48", "greedy"), replay.position)
    label, _, values = replay.remark.partition(": ")
    assert label == "Next, by its own measure"
    assert {part.split()[0] for part in values.split("; ")} == {
        str(action) for action in replay.position.actions()
    }
