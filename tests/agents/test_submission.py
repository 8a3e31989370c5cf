"""Submissions: files that come back, wins that replay, and wrong ones that are refused."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.agents.evaluation import GameResult, play
from gridproof.agents.submission import MOST, SEEDS, Submission, create_submission, game_seed
from gridproof.core.errors import ParseError
from gridproof.core.rng import Rng


def submit(task: str, player: str, levels: int = 3) -> Submission:
    """Return a submission in which only the first levels are played."""
    lost = GameResult(False, 0, 0, None, (), 0.0)
    pack = gp.levels_at(task)
    results = [
        [
            play(level, player, game_seed(seed, number), MOST, up_to_win=True) if number < levels else lost
            for number, level in enumerate(pack)
        ]
        for seed in SEEDS
    ]
    return create_submission(task, player, "none", "0", results)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "player"),
    [
        ("twenty48-easy-v1", "solver"),
        ("sokoban-tier-1", "greedy"),
        ("robots-easy-v1", "planner"),
        ("shiftit-easy-v1", "random"),
    ],
)
def test_submission_replays(tmp_path: Path, task: str, player: str) -> None:
    made = submit(task, player)
    assert sum(made.wins) > 0
    for name in ("mine.json", "mine.json.gz"):
        made.save(tmp_path / name)
        again = Submission.load(tmp_path / name)
        assert again == made
        again.check()


def test_submission_has_interval_over_seeds() -> None:
    lost = submit("shiftit-easy-v1", "random", 0)
    assert (lost.mean, lost.margin) == (0, 0)
    games = tuple(("x",) * wins + (None,) * (100 - wins) for wins in (10, 20, 30, 40, 50))
    some = dataclasses.replace(lost, wins=(10, 20, 30, 40, 50), games=games)
    assert some.mean == pytest.approx(0.3)
    assert some.margin == pytest.approx(2.776 * 0.025**0.5 / 5**0.5)


def change(made: Submission, actions: str) -> Submission:
    """Replace the first game of the first seed."""
    first = (actions, *made.games[0][1:])
    wins = sum(game is not None for game in first)
    return dataclasses.replace(made, wins=(wins, *made.wins[1:]), games=(first, *made.games[1:]))


@pytest.mark.parametrize(
    ("task", "actions", "message"),
    [
        ("sokoban-tier-1", "", "its actions do not win"),
        ("sokoban-tier-1", "q", "q: no such action; choose from"),
        ("shiftit-easy-v1", "RM(0,left)", "its actions do not win"),
        ("shiftit-easy-v1", "RM(0,left) RM(0,right) " * 101, "it has 202 actions, more than 200"),
    ],
)
def test_submission_with_a_false_win_is_refused(task: str, actions: str, message: str) -> None:
    made = change(submit(task, "random", 0), actions)
    with pytest.raises(gp.GridproofError, match=rf"^{task}/1, seed 0: the game is not won: .*({message})"):
        made.check()


@pytest.mark.slow
def test_submission_cannot_choose_chance() -> None:
    """Actions that win with other tiles do not win with those of the seed, or win by replay alone."""
    made, level = submit("twenty48-easy-v1", "random", 0), gp.level("twenty48-easy-v1/1")
    for seed in range(20):
        result = play(level, "solver", seed + 1000, None, up_to_win=True)
        assert result.solution is not None
        position, wins = level.start(game_seed(0, 0)), False
        try:
            for number, text in enumerate(result.solution.split(), 1):
                position = position.step(position.action(text), Rng(game_seed(0, 0), number)).position
            wins = position.won
        except gp.IllegalAction:
            pass
        try:
            change(made, result.solution).check()
        except gp.GridproofError:
            assert not wins
        else:
            assert wins


def edit(data: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    return {**data, name: value}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("task", "sokoban-tier-99", "no task 'sokoban-tier-99'"),
        ("digest", "00", "shiftit-easy-v1 has other levels"),
        ("wins", [1, 0, 0, 0, 0], "the wins are"),
        ("games", [[None] * 100] * 4, "shiftit-easy-v1 needs 100 games for each of the 5 seeds"),
        ("games", [[None] * 99] * 5, "shiftit-easy-v1 needs 100 games for each of the 5 seeds"),
        ("games", [[7] * 100] * 5, "no submission of version 1"),
        ("wins", ["0"] * 5, "no submission of version 1"),
        ("player", 3, "no submission of version 1"),
        ("version", 2, "no submission of version 1"),
        ("more", 1, "no submission of version 1"),
    ],
)
def test_wrong_submission_is_refused(tmp_path: Path, name: str, value: Any, message: str) -> None:
    path = tmp_path / "mine.json"
    submit("shiftit-easy-v1", "random", 0).save(path)
    path.write_text(json.dumps(edit(json.loads(path.read_text()), name, value)))
    with pytest.raises(gp.GridproofError, match=re.escape(f"{path}: ") + message):
        Submission.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"gridproof": "trace", "version": 1}'])
def test_other_files_are_no_submission(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text)
    packed = tmp_path / "mine.json.gz"
    for content in (gzip.compress(text.encode()), gzip.compress(text.encode())[:-9], text.encode()):
        packed.write_bytes(content)
        for one in (path, packed):
            with pytest.raises(ParseError, match="no submission of version 1"):
                Submission.load(one)
