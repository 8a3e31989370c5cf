"""`gridproof daily`: the puzzles of the day are listed and played."""

from __future__ import annotations

import pytest

from gridproof.core.puzzle import daily_id, puzzle_games, today
from gridproof.store import Store

from .conftest import Run


def test_puzzles_of_the_day_are_listed(run: Run) -> None:
    lines = run("daily").out.splitlines()
    assert [line.split()[-1] for line in lines] == [
        str(daily_id(game.name, today())) for game in puzzle_games()
    ]


@pytest.mark.usefixtures("close_stores")
def test_puzzle_of_the_day_is_played_and_kept(run: Run) -> None:
    answer = run("daily", "twenty48", "--plain", input="quit\n")
    puzzle_id = daily_id("twenty48", today())
    assert str(puzzle_id) in answer.out
    assert Store().puzzles.get(puzzle_id) is not None


def test_game_without_puzzles_is_refused(run: Run) -> None:
    assert "no puzzles of 'null' can be made; choose from" in run("daily", "null").err
