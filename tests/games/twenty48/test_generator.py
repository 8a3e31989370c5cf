"""New positions of 2048."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng
from gridproof.games.twenty48 import Level, Position, generator


def generate(seed: int, **parameters: Any) -> Level:
    level = gp.generate("twenty48", seed, **parameters)
    assert isinstance(level, Level)
    return level


def check(level: Level) -> int:
    """Check a position and its certificate; return the number of moves of the certificate."""
    assert level.certificate is not None
    assert level.certificate.start == level.start()
    *before, last = level.certificate.positions()
    assert level.certificate.replay() == last
    assert last.won
    assert not any(position.won for position in before)
    assert level.keys["Moves"] == str(len(before))
    assert 0 <= int(level.keys["Difficulty"]) <= 100
    (again,) = gp.read(level.text())
    assert (again, again.title, dict(again.keys)) == (level, level.title, dict(level.keys))
    return len(before)


def tiles(level: Level) -> int:
    assert level.board is not None
    return sum(tile > 0 for row in level.board for tile in row)


@pytest.mark.slow
@examples(12)
@given(
    seed=st.integers(0, 2**64 - 1),
    width=st.integers(2, 4),
    height=st.integers(2, 4),
    spawn=st.sampled_from(["spec", "classic"]),
    target=st.integers(3, 20).map(lambda exponent: 2**exponent) | st.just(2**255),
    moves=st.integers(1, 12),
    crowd=st.none() | st.integers(2, 4),
)
def test_generate_always_makes_a_winnable_position(
    seed: int, width: int, height: int, spawn: str, target: int, moves: int, crowd: int | None
) -> None:
    level = generate(seed, width=width, height=height, spawn=spawn, target=target, moves=moves, tiles=crowd)
    done = check(level)
    assert (level.width, level.height, level.spawn, level.target) == (width, height, spawn, target)
    missed = level.keys.get("Missed", "")
    assert (f"{moves} moves" in missed) == (done != moves)
    assert (f"{crowd} tiles" in missed) == (crowd not in (None, tiles(level)))


@pytest.mark.slow
def test_generate_depends_on_the_seed_alone() -> None:
    first, again, other = (generate(seed) for seed in (5, 5, 6))
    assert (first.text(), first.certificate) == (again.text(), again.certificate)
    assert first != other
    assert len({generate(seed, target=32, moves=3).text() for seed in range(8)}) == 8


@pytest.mark.slow
def test_generate_reaches_targets() -> None:
    for moves in (1, 2, 10, 40):
        level = generate(1, moves=moves)
        assert check(level) == moves
        assert "Missed" not in level.keys
    crowded = generate(2, tiles=12, moves=8)
    assert (check(crowded), tiles(crowded)) == (8, 12)
    assert check(generate(0, target=256, moves=100)) == 100


@pytest.mark.slow
def test_far_targets_are_reached_by_chains() -> None:
    assert check(generate(1, target=2**17)) == 10
    assert check(generate(1, width=6, height=2, target=2**11)) == 10


@pytest.mark.slow
def test_missed_targets_are_listed() -> None:
    small = generate(0, width=2, height=2, target=2048, moves=10)
    assert check(small) < 10
    assert small.keys["Missed"] == "10 moves"
    assert generate(0, target=8, moves=50, tiles=16).keys["Missed"] == "50 moves; 16 tiles"


def test_last_beginning_is_one_move_before_the_target() -> None:
    """However small the board and however large the target."""
    for width, height, target in [(2, 2, 8), (2, 2, 2**255), (6, 6, 2048), (2, 5, 64), (5, 2, 64)]:
        wish = generator.Target(Level(width, height, "spec", target), 3, None)
        for seed in range(8):  # of all symmetries
            *_, last = generator._beginnings(Rng(seed), wish)
            assert sorted(last.cells)[-2:] == [target // 2] * 2
            assert len(generator._play_game(Rng(seed), last)) == 1


def test_last_beginnings_are_ever_shorter_chains() -> None:
    wish = generator.Target(Level(3, 3, "spec", 16), 12, None)
    chains = [sorted(filter(None, start.cells)) for start in generator._beginnings(Rng(0), wish)]
    assert chains[-4:] == [[2, 2], [2, 2, 4, 8], [4, 4, 8], [8, 8]]


def test_games_without_the_target_are_dropped() -> None:
    dead = Level(2, 2, "spec", 8, [[2, 4], [4, 2]]).start()
    assert isinstance(dead, Position)
    assert generator._play_game(Rng(0), dead) == []


@pytest.mark.slow
def test_difficulty_is_the_share_of_random_games_that_miss() -> None:
    sure = Level(2, 2, "spec", 8, [[4, 4], [4, 4]]).start()
    never = Level(2, 2, "spec", 64, [[2, 2], [0, 0]]).start()
    assert isinstance(sure, Position)
    assert isinstance(never, Position)
    assert generator._measure_difficulty(sure, 0) == 0
    assert generator._measure_difficulty(never, 0) == 100
    easy, hard = generate(3, moves=1), generate(3, moves=60)
    assert int(easy.keys["Difficulty"]) < int(hard.keys["Difficulty"])


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"width": 1}, "width=1: "),
        ({"width": "4"}, "width='4': "),
        ({"height": 7}, "height=7: "),
        ({"height": 4.0}, "height=4.0: "),
        ({"spawn": "often"}, "spawn='often': it must be spec or classic"),
        ({"spawn": ["spec"]}, "spawn=['spec']: "),
        ({"target": 4}, "target=4: "),
        ({"target": 100}, "target=100: "),
        ({"target": 2**256}, f"target={2**256}: "),
        ({"target": "2048"}, "target='2048': "),
        ({"target": 2048.0}, "target=2048.0: "),
        ({"moves": 0}, "moves=0: "),
        ({"moves": 101}, "moves=101: "),
        ({"moves": True}, "moves=True: "),
        ({"tiles": 1}, "tiles=1: "),
        ({"tiles": 5, "width": 2, "height": 2}, "tiles=5: "),
        ({"boxes": 2}, "no parameter 'boxes'"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], told: str) -> None:
    with pytest.raises(GridproofError, match=re.escape(told)):
        gp.generate("twenty48", 0, **parameters)


def test_wrong_seeds_are_refused() -> None:
    for seed in (-1, 2**64, True, "1"):
        with pytest.raises(GridproofError, match="seed"):
            gp.generate("twenty48", seed)  # type: ignore[arg-type]  # what is tried
        with pytest.raises(GridproofError, match="seed"):
            generator.generate(seed)  # type: ignore[arg-type]  # what is tried
