"""Exact values of 2048: published numbers, and the engine by layers against fractions by the rules."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples

import gridproof as gp
from gridproof.core import proposition
from gridproof.games.twenty48.kernel import layers
from gridproof.games.twenty48.kernel.symmetry import symmetry_images
from gridproof.games.twenty48.rules import Level, Position
from gridproof.games.twenty48.values import Layers, values
from gridproof.prove.exact_values import ExactValues
from gridproof.prove.interval import CERTAIN
from gridproof.search.refusal import Refused


def compute_layers(level: Level, goal: str) -> Layers:
    wanted = None if goal == "score" else proposition.parse_goal(level.game, goal)
    return values([start.position for start in level.starts()], wanted, gp.Limit().start(), None)


def mean(level: Level, goal: str, which: int = 0) -> float:
    found = compute_layers(level, goal)
    worth = [(start.probability, found.of(start.position)) for start in level.starts()]
    return float(sum(float(chance) * pair[which].middle for chance, pair in worth if pair))


@pytest.mark.parametrize(
    ("width", "height", "tile", "positions"),
    [
        (2, 2, 8, 70),
        (2, 2, 16, 198),
        (2, 2, 32, 350),
        (3, 3, 8, 8_461),
        (3, 3, 16, 128_889),
        pytest.param(3, 3, 32, 975_045, marks=pytest.mark.slow),
        pytest.param(3, 3, 64, 4_702_959, marks=pytest.mark.slow),
        pytest.param(3, 3, 128, 16_418_531, marks=[pytest.mark.slow, pytest.mark.long]),
    ],
)
def test_published_numbers_of_positions(width: int, height: int, tile: int, positions: int) -> None:
    """They are the positions where the game goes on, one lost and one won."""
    assert compute_layers(Level(width, height, "classic"), f"tile({tile})").live + 2 == positions


@pytest.mark.parametrize(
    ("width", "height", "spawn", "goal", "best"),
    [
        (2, 2, "classic", "tile(16)", 0.962511253750),
        (2, 2, "classic", "tile(32)", 0.082887289072),
        (2, 3, "classic", "tile(64)", 0.939263692431),
        (3, 2, "classic", "tile(64)", 0.939263692431),
        (2, 2, "classic", "score", 66.964149457),
        (2, 3, "classic", "score", 480.258271776),
        (2, 2, "spec", "tile(16)", 1),
        (2, 2, "spec", "tile(32)", 0),
        (2, 3, "spec", "tile(64)", 1),
    ],
)
def test_published_values(width: int, height: int, spawn: str, goal: str, best: float) -> None:
    assert mean(Level(width, height, spawn), goal) == pytest.approx(
        best, abs=6e-10 if goal == "score" else 6e-13
    )


@pytest.mark.slow
@pytest.mark.long
def test_largest_published_value_and_number_of_positions() -> None:
    level = Level(3, 3, "classic")
    found = compute_layers(level, "tile(256)")
    worth = [(start.probability, found.of(start.position)) for start in level.starts()]
    best = sum(float(chance) * pair[0].middle for chance, pair in worth if pair)
    assert best == pytest.approx(0.995709643199, abs=6e-13)
    assert (found.live + 2, found.states < 6_200_000, found.error < 1e-12) == (44_971_485, True, True)


@st.composite
def boards(draw: st.DrawFn) -> Level:
    width, height = draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]))
    tiles = st.sampled_from([0, 2, 4, 8, 16] if width * height == 4 else [2, 4, 8, 16, 32, 64])
    cells = draw(
        st.lists(tiles, min_size=width * height, max_size=width * height).filter(
            lambda cells: sum(map(bool, cells)) > 1
        )
    )
    rows = [cells[row * width : row * width + width] for row in range(height)]
    return Level(width, height, draw(st.sampled_from(["spec", "classic"])), board=rows)


GOALS = ("score", "tile(16)", "tile(32)", "won", "lost", "empty = 0", "!lost", "max_tile > 8")


@pytest.mark.slow
@pytest.mark.clause("T6", "T7", "T10")
@given(boards(), st.sampled_from(GOALS))
@examples(12)
def test_layers_are_as_fractions_by_the_rules(level: Level, goal: str) -> None:
    start = level.start()
    wanted = None if goal == "score" else proposition.parse_goal(level.game, goal)
    exact = ExactValues([start], wanted, (None,))
    if not exact.run(gp.Limit(states=80).start()):
        return
    found = compute_layers(level, goal)
    assert found.states <= exact.states
    for position in exact._values:
        worth, true = found.of(position), exact.of(position)
        assert true is not None
        if worth is None:  # it comes only after the goal
            continue
        for bounds, exactly in zip(worth, true, strict=True):
            assert bounds.low == bounds.high
            value, fraction = Fraction(bounds.low), Fraction(exactly.low)
            assert abs(value - fraction) <= found.error * max(Fraction(1), fraction), (goal, position)


def test_proved_error_is_twelve_roundings_a_layer() -> None:
    """On four cells, with two kinds of tiles."""
    found = compute_layers(Level(2, 2, "classic"), "tile(16)")
    assert found.error == pytest.approx(12 * len(found._layers) * 2.0**-53, rel=1e-9, abs=0)


@given(boards())
@examples(20)
def test_positions_that_are_turned_or_mirrored_are_one(level: Level) -> None:
    images = symmetry_images(level)
    assert len(images) == (8 if level.width == level.height else 4)
    board = np.array(level.board)
    alike = [one for turned in (board, board[:, ::-1]) for one in (turned, np.rot90(turned, 2))]
    words = set()
    for one in alike:
        word = sum((int(tile).bit_length() - 1) << 4 * i for i, tile in enumerate(one.ravel()) if tile)
        words.add(int(layers.least_image(images, np.uint64(word))))
    assert len(words) == 1


def test_remark_is_true_of_all_play_by_the_rules() -> None:
    def total(position: Any) -> int:
        return sum(position.cells)

    start = gp.level("twenty48/positions/1").start()
    found = gp.value(start, limit=gp.Limit(states=100))
    match = re.search(r"the tiles is over (\d+);", found.remark)
    assert match
    seen, queue = {start}, [start]
    for position in queue:
        assert position.status is gp.Status.PLAYING
        near = {after for after in map(position.at, position.successors()) if total(after) <= int(match[1])}
        queue += near - seen
        seen |= near
    assert len(seen) > found.states


def test_unreachable_position_has_no_value() -> None:
    level = Level(2, 2, board=[[2, 2], [0, 0]])
    found = compute_layers(level, "tile(16)")
    assert found.of(Position(level, (64, 0, 0, 2))) == (CERTAIN, CERTAIN)
    assert found.of(Position(level, (8, 8, 8, 8))) is None
    assert found.of(Position(level, (2, 0, 0, 0))) is None


def test_values_refuse_other_levels_and_goals() -> None:
    meter = gp.Limit().start()
    large = Level(5, 5)
    with pytest.raises(Refused, match="16 cells"):
        values([large.start()], None, meter, None)
    small = Level(2, 2, board=[[2, 2], [0, 0]])
    with pytest.raises(Refused, match="home"):
        values([small.start()], proposition.parse_goal(small.game, "home"), meter, None)
    with pytest.raises(Refused, match="tiles above"):
        values([Level(2, 2, board=[[1 << 15, 1 << 15], [2, 2]]).start()], None, meter, None)
