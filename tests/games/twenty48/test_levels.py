"""The packs that come with 2048."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridproof.core.position import Status
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.games import twenty48
from gridproof.games.twenty48 import GAME, Level, Position


def find_position(title: str) -> Position:
    (level,) = [level for level in builtin_pack(GAME, "positions") if level.title == title]
    position = level.start()
    assert isinstance(position, Position)
    return position


def test_packs_have_unique_titles_and_canonical_texts() -> None:
    assert pack_names(GAME) == ("positions", "standard")
    for name in pack_names(GAME):
        pack = builtin_pack(GAME, name)
        titles = [level.title for level in pack]
        assert all(titles)
        assert len(set(titles)) == len(titles) == len(set(pack)) >= 11
        file = Path(str(twenty48.__file__)).parent / "levels" / f"{name}.2048"
        assert pack.text() == file.read_text(encoding="utf-8")


@pytest.mark.clause("T1", "T5")
def test_standard_pack_begins_with_the_standard_games() -> None:
    standard = builtin_pack(GAME, "standard")
    assert standard[0] == Level()
    assert standard[1] == Level(spawn="classic")
    assert all(isinstance(level, Level) and level.board is None for level in standard)


def test_positions_are_what_their_names_say() -> None:
    assert find_position("Checkerboard, dead").status is Status.LOST
    assert find_position("Only down").actions() == (twenty48.Move.DOWN,)
    assert find_position("Won, and on it goes").won
    assert not find_position("Won, and on it goes").ended
    assert find_position("Won, and over").ended
    assert find_position("Won, and over").status is Status.WON
    assert any(outcome.position.won for outcome in find_position("Near the win").outcomes(twenty48.Move.LEFT))
    for title in ("One pair left", "Three by three, crowded"):
        assert [str(action) for action in find_position(title).actions()] == ["left", "right"]


@pytest.mark.clause("T11")
def test_position_wins_and_loses_in_one_move() -> None:
    (outcome,) = find_position("Wins and loses in one move").outcomes(twenty48.Move.LEFT)
    assert outcome.position.won
    assert outcome.position.lost
