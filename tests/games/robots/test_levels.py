"""The levels that come with the game, and their certificates."""

from __future__ import annotations

from typing import Any

import pytest
from tests.packs import each, pack

import gridproof as gp
from gridproof.games.robots import Carried, Kind, Walked
from gridproof.games.robots.board import is_conveyor

RACES = "robots/races"


def count_arrows(level: Any) -> list[int]:
    """For each square, how many conveyors point at it."""
    layout = level.layout
    targets = [
        s + layout.grid.arrows[layout.codes[s]] for s in layout.grid.squares if is_conveyor(layout.codes[s])
    ]
    return [targets.count(square) for square in layout.grid.squares]


@pytest.mark.parametrize("level", each(RACES))
def test_levels_have_titles_and_winning_certificates(level: Any) -> None:
    assert level.title
    assert level.certificate.start == level.start()
    assert level.certificate.replay().won


def test_levels_range_from_short_to_long() -> None:
    lengths = [len(level.certificate.steps) for level in pack(RACES)]
    assert len(pack(RACES)) >= 12
    assert min(lengths) == 2
    assert max(lengths) >= 30
    assert len({level.text() for level in pack(RACES)}) == len(pack(RACES))


def test_levels_cover_features_of_the_game() -> None:
    assert {len(level.robots) for level in pack(RACES)} == {2, 3, 4}
    assert any((level.grid.width, level.grid.height, len(level.robots)) == (8, 8, 3) for level in pack(RACES))
    assert any((level.grid.width, level.grid.height) == (9, 6) for level in pack(RACES))
    assert any(level.layout.loops for level in pack(RACES))
    assert any(max(count_arrows(level)) > 1 for level in pack(RACES))  # belts that merge
    assert any(tile.kind is Kind.HINT for level in pack(RACES) for row in level.tiles for tile in row)


def test_belts_are_ridden_and_blocked_belts_start_again() -> None:
    events = [
        event for level in pack(RACES) for outcome in level.certificate.outcomes() for event in outcome.events
    ]
    assert any(isinstance(event, Walked) and event.auto for event in events)
    assert any(isinstance(event, Carried) for event in events)


@pytest.mark.slow
@pytest.mark.parametrize("level", each(RACES))
def test_certificates_are_shortest_solutions(level: Any) -> None:
    solution = gp.solve(level)
    assert solution.optimal
    assert solution.cost == len(level.certificate.steps)
