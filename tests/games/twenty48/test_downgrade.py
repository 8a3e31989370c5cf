"""Boards with large tiles are seen as boards with smaller ones, where the same slides are valid."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gridproof as gp
from gridproof.games.twenty48 import Level, Move, Position
from gridproof.games.twenty48.downgrade import downgrade_tiles
from gridproof.games.twenty48.network import Network, parse_tuples
from gridproof.games.twenty48.network_player import NetworkPlayer

GAME = gp.game("twenty48")


def seen_exponents(exponents: list[int]) -> list[int]:
    """The exponents after downgrading, from its definition, one step at a time."""
    largest = max(exponents)
    gaps = [exponent for exponent in range(1, largest) if exponent not in exponents]
    if largest < 14 or not gaps:
        return exponents
    return seen_exponents([exponent - (exponent > gaps[-1]) for exponent in exponents])


def to_tiles(exponents: list[int]) -> tuple[int, ...]:
    return tuple(1 << exponent if exponent else 0 for exponent in exponents)


def late_exponents(luck: random.Random, largest: int) -> list[int]:
    return [largest, *(luck.choice([0, luck.randint(1, largest)]) for _ in range(15))]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((8192, 4096, 0, 2), (8192, 4096, 0, 2)),
        ((16384, 4096, 0, 2), (8192, 4096, 0, 2)),
        ((16384, 8192, 4096, 2), (8192, 4096, 2048, 2)),
        ((16384, 16384, 8192, 2048), (8192, 8192, 4096, 2048)),
        ((32768, 8192, 4096, 2), (8192, 4096, 2048, 2)),
        ((1 << 40, 2, 0, 0), (8192, 2, 0, 0)),
        (to_tiles([*range(15)]), to_tiles([*range(15)])),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_downgrade_halves_the_tiles_above_the_largest_gap(
    cells: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert downgrade_tiles(cells) == expected


@pytest.mark.slow
def test_downgraded_boards_are_those_of_the_definition_and_have_the_same_slides() -> None:
    luck, level = random.Random(4), Level(spawn="classic")
    for _ in range(400):
        exponents = late_exponents(luck, luck.randint(10, 18))
        cells, expected = to_tiles(exponents), to_tiles(seen_exponents(exponents))
        seen = downgrade_tiles(cells)
        assert seen == expected
        assert [a == b for a in cells for b in cells] == [a == b for a in seen for b in seen]
        assert Position(level, seen).actions() == Position(level, cells).actions()


def sample_network(width: int, height: int) -> Network:
    network = Network(width, height, parse_tuples("0123 014", width, height))
    network.weights[:] = np.random.default_rng(3).uniform(-100, 100, len(network.weights))
    return network


@pytest.mark.slow
@pytest.mark.parametrize("name", ["network", "endgame"])
@pytest.mark.parametrize("plies", [1, 2])
def test_player_values_a_late_board_as_the_one_it_sees(name: str, plies: int) -> None:
    luck, network = random.Random(7), sample_network(4, 4)
    options = {"file": network, "plies": plies}
    player = gp.player(GAME, name, **options)
    plain = gp.player(GAME, name, downgrade=False, **options)
    assert isinstance(player, NetworkPlayer)
    assert isinstance(plain, NetworkPlayer)
    for largest in (14, 14, 15, 17):
        exponents = late_exponents(luck, largest)
        late = Level(spawn="classic", board=rows_of(to_tiles(exponents))).start()
        seen = Level(spawn="classic", board=rows_of(to_tiles(seen_exponents(exponents)))).start()
        assert player.values(late) == plain.values(seen) == player.values(seen)
        assert player.reasons(late) == plain.reasons(seen)
        assert plain.reasons(late) != plain.reasons(seen)
        assert player(late) in late.actions()


def rows_of(cells: tuple[int, ...]) -> list[list[int]]:
    return [[*cells[first : first + 4]] for first in range(0, 16, 4)]


def test_player_sees_boards_of_other_sizes_as_they_are() -> None:
    network, large = sample_network(5, 4), 16384
    position = Level(5, 4, board=[[large, 2, 2, 4, 0], *[[0] * 5] * 3]).start()
    player, plain = (NetworkPlayer(GAME, file=network, downgrade=downgrade) for downgrade in (True, False))
    assert player.values(position) == plain.values(position)
    assert player.reasons(position)[Move.LEFT].points == 4
