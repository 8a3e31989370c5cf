"""The packs that come with the game keep what they promise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.packs import each

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.core.text.pack import Pack
from gridproof.games import sokoban
from gridproof.games.sokoban import GAME, Level, Position

PACKS = ("first-steps", "bombs", "workshop")
FOLDER = Path(sokoban.__file__).parent / "levels"

WRONG_BOMBS: Mapping[str, tuple[str, ...]] = {
    "Open Sesame": ("u!", "dr!"),
    "Two Cells": ("!", "r!"),
    "Niche": ("!", "d!", "ll!"),
    "Cellar Stairs": ("!", "rr!"),
    "The Attic": ("!", "u!", "r!", "lll!"),
    "Keystone": ("!", "l!", "r!", "ll!"),
    "Six Cells": ("!!",),
    "Letting the Light In": ("!!",),
    "Short Fuse": ("!", "l!", "lu!"),
    "Tunnellers": ("!", "l!"),
    "Quarry": ("!", "ll!", "llld!"),
    "Three Below": ("!", "dd!", "rrru!"),
}
"""Actions from the start, the last a bomb, after which the level cannot be won any more."""


def pack(name: str) -> list[Level]:
    levels = []
    for level in builtin_pack(GAME, name):
        assert isinstance(level, Level)
        levels.append(level)
    return levels


def every_level() -> Iterator[Level]:
    for name in PACKS:
        yield from pack(name)


def replay(level: Level, letters: str) -> Position:
    position = next(level.starts()).position
    for letter in letters:
        (outcome,) = position.outcomes(position.action(letter))
        position = outcome.position
    return position


def test_packs_have_enough_levels() -> None:
    levels = list(every_level())
    assert len(levels) >= 32
    assert sum(level.bombs > 0 for level in levels) >= 8
    assert sum(level.bombs > 1 for level in levels) >= 3
    assert {len(level.boxes) for level in pack("first-steps")} == {1, 2, 3}
    assert {len(level.boxes) for level in pack("workshop")} == {4, 5, 6}


def test_levels_and_titles_are_distinct() -> None:
    levels = list(every_level())
    assert len(set(levels)) == len(levels)
    assert len({level.title for level in levels}) == len(levels)
    assert {level.author for level in levels} == {"gridproof"}
    assert all(level.title for level in levels)


@pytest.mark.parametrize("level", each(*(f"sokoban/{name}" for name in PACKS)))
def test_certificates_win_their_levels(level: Level) -> None:
    assert level.certificate is not None
    assert level.certificate.level == level
    assert level.certificate.start == level.start()
    assert level.certificate.replay().status is gp.Status.WON


@pytest.mark.parametrize("level", each(*(f"sokoban/{name}" for name in PACKS)))
def test_levels_are_not_won_and_have_no_needless_lines_at_the_start(level: Level) -> None:
    assert level.start().status is gp.Status.PLAYING
    width, height = level.size
    for line in range(height):  # no row or column is there without a use
        assert any(cell[1] == line for cell in level.walls)
    for line in range(width):
        assert any(cell[0] == line for cell in level.walls)


@pytest.mark.clause("K21")
@pytest.mark.parametrize("name", PACKS)
def test_packs_are_written_as_they_stand(name: str) -> None:
    text = (FOLDER / f"{name}.xsb").read_text(encoding="utf-8")
    again = gp.read(text)
    assert again.text() == text
    assert Pack(again) == pack(name)
    for level in again:
        assert gp.read(level.text()) == [level]


def test_workshop_has_one_level_for_measuring_speed() -> None:
    assert [(level.size, len(level.boxes)) for level in pack("workshop")].count(((10, 10), 5)) == 1


@pytest.mark.clause("K7", "K8")
@pytest.mark.parametrize("level", each("sokoban/bombs"))
def test_bomb_levels_cannot_be_won_with_a_bomb_less(level: Level) -> None:
    assert level.bombs > 0
    solution = gp.solve(dataclasses.replace(level, bombs=level.bombs - 1))
    assert solution.found is False


@pytest.mark.slow
@pytest.mark.clause("K7", "K8")
@pytest.mark.parametrize("level", each("sokoban/bombs"))
def test_bomb_in_the_wrong_place_loses(level: Level) -> None:
    for letters in WRONG_BOMBS[level.title]:
        position = replay(level, letters)
        assert position.status is gp.Status.PLAYING
        assert gp.solve(position).found is False


def test_bomb_levels_have_wrong_places() -> None:
    assert WRONG_BOMBS.keys() == {level.title for level in pack("bombs")}
