"""The palette's colours: who sees them apart, and what stands out on a board."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from tests.pictures.test_picture import contrast, linear

from gridproof.games.sokoban import look as sokoban
from gridproof.pictures.palette import DARK, LIGHT, MARKS, THEMES

Matrix = tuple[tuple[float, float, float], ...]

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009
SIGHT: dict[str, Matrix] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "no green cones": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "no blue cones": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
# Ottosson, "A perceptual color space for image processing", 2020
TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005),
)  # fmt: skip
TO_OKLAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099), (0.0259040371, 0.7827717662, -0.8086757660),
)  # fmt: skip
LEAST = 0.08
"""The distance in OKLab from which two colours are told apart at a glance; ten times what is just noticeable."""


def times(matrix: Matrix, vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def seen(colour: str, sight: str) -> tuple[float, ...]:
    """Return a colour in OKLab, as somebody sees it."""
    light = tuple(min(1.0, max(0.0, part)) for part in times(SIGHT[sight], linear(colour)))
    return times(TO_OKLAB, tuple(map(math.cbrt, times(TO_CONES, light))))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_colours_of_tiles_are_told_apart(theme: str, sight: str) -> None:
    shades = {name: seen(THEMES[theme][name], sight) for name in MARKS}
    close = {pair for pair in combinations(MARKS, 2) if math.dist(*(shades[name] for name in pair)) < LEAST}
    assert close == set()


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_walls_are_quieter_than_boxes_depots_and_the_player(colours: dict[str, str]) -> None:
    wall, *others = (
        contrast(colours[piece.colours[0]], colours["floor"])
        for piece in (sokoban.WALL, sokoban.BOX, sokoban.DEPOT, sokoban.PLAYER)
    )
    assert 1.8 < wall < min(others)
    assert min(others) > 3
