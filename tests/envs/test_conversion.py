"""Positions of observations: the inverse of `observe`."""

from __future__ import annotations

import contextlib
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
from gridproof.core.text.level_lookup import level, pack_names
from gridproof.envs import observe, parse_observation

GAMES = ("sokoban", "shiftit", "twenty48", "null")
KINDS = ("symbols", "planes", "text")


def random_positions(game: str, count: int, seed: int = 0) -> list[Any]:
    """Return positions of random games on levels of the game's packs."""
    rng, found = gp.Rng(seed), list[Any]()
    levels = [one for pack in pack_names(gp.game(game)) for one in gp.levels_at(f"{game}/{pack}")]
    while len(found) < count:
        position = rng.choice(levels).start(rng.below(1000))
        for _ in range(rng.below(20)):
            if position.actions():
                position = position.step(rng.choice(position.actions()), rng).position
        found.append(position)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_parse_observation_inverts_observe(game: str) -> None:
    for position in random_positions(game, 20):
        for kind in KINDS:
            seen = observe(position, kind)
            again = parse_observation(position.level, seen, kind)
            if game == "shiftit":  # where tiles may look the same
                np.testing.assert_equal(observe(again, kind), seen)
            else:
                assert again == position
            if kind == "planes":
                assert parse_observation(position.level, seen.astype(np.float16), kind) == again


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_parse_observation_never_returns_another_position(game: str) -> None:
    rng = gp.Rng(1)
    for position in random_positions(game, 40, seed=1):
        wrong = observe(position).copy()
        for _ in range(1 + rng.below(2)):
            wrong.reshape(-1)[rng.below(wrong.size)] = rng.below(9)
        with contextlib.suppress(gp.GridproofError):
            found = parse_observation(position.level, wrong)
            np.testing.assert_array_equal(observe(found), wrong)
            assert position.level.position(found.text()) == found


def test_parse_observation_of_unique_tiles_is_exact() -> None:
    pack: Any = gp.levels_at("shiftit-medium")
    for one in pack[:10]:
        position = one.start().step(one.start().actions()[0], gp.Rng(1)).position
        found = parse_observation(one, observe(position))
        np.testing.assert_array_equal(observe(found), observe(position))
        assert found == position or len({tile.colours for tile in one.tiles}) < len(one.tiles)


def test_parse_observation_accepts_framed_boards() -> None:
    envs: Any = gymnasium.make_vec("gridproof/Sokoban-v0", 40, levels="sokoban/first-steps")
    seen, infos = envs.reset(seed=1)
    for number, one in enumerate(infos["level"]):
        own = envs.games.levels[one]
        assert parse_observation(own, seen[number]) == envs.position(number)
    framed = next(number for number in range(40) if seen[number][-1].min() == 2)
    seen[framed][-1, -1] = 0
    with pytest.raises(gp.GridproofError, match="no position of the level has this observation"):
        parse_observation(envs.games.levels[infos["level"][framed]], seen[framed])


def test_parse_observation_refuses_wrong_arguments() -> None:
    own = level("sokoban/first-steps/1")
    seen = observe(own.start())
    for observed, kind, message in (
        (seen[1:], "symbols", r"symbols of the level have the shape \(.*\), not"),
        (None, "symbols", r"symbols of the level have the shape"),
        (seen.astype(np.float32), "symbols", "no position of the level has this observation"),
        (seen.astype(np.int64) - 256, "symbols", "no position of the level has this observation"),
        (np.zeros_like(seen), "symbols", "no position of the level has this observation"),
        (seen, "planes", r"planes have the shape \(symbols, rows, columns\), not"),
        (np.zeros((7, *seen.shape)), "planes", "planes have a 1 for the symbol of each cell, and else 0"),
        (np.full((7, *seen.shape), np.nan), "planes", "planes have a 1 for the symbol of each cell"),
        (seen, "smell", "no observation 'smell'"),
        ("", "text", "level|line|text"),
    ):
        with pytest.raises(gp.GridproofError, match=message):
            parse_observation(own, observed, kind)
    with pytest.raises(gp.GridproofError, match="a level is needed, not 3"):
        parse_observation(3, seen)  # type: ignore[arg-type]  # on purpose
    race = level("robots/races/1")
    with pytest.raises(gp.GridproofError, match="observations of robots do not contain the position"):
        parse_observation(race, observe(race.start()))
