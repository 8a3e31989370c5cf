"""One search in the vicinity of a path, against plain search through the rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from tests.games.sokoban.boards import wasteful_solution

from gridproof.games.sokoban.rules import Position, Pushed
from gridproof.games.sokoban.validity import Cell
from gridproof.games.sokoban.vicinity.kernel import NONE, Prices
from gridproof.games.sokoban.vicinity.path import PushPath
from gridproof.games.sokoban.vicinity.search import VicinitySearch

Boxes = frozenset[Cell]


def is_near(boxes: Boxes, path: set[Boxes], most: int, radius: int) -> bool:
    """Return whether few boxes stand off some arrangement, each near a cell of it; without walls around them."""
    return any(
        len(boxes - other) <= most
        and all(any(abs(x - a) + abs(y - b) <= radius for a, b in other - boxes) for x, y in boxes - other)
        for other in path
    )


def walk(position: Position) -> Iterator[Position]:
    """Yield the positions after pushes that walks lead to."""
    waiting, seen = [position], {position.player}
    for here in waiting:
        for action in here.actions():
            (outcome,) = here.outcomes(action)
            if isinstance(outcome.events[0], Pushed):
                yield outcome.position
            elif outcome.position.player not in seen:
                seen.add(outcome.position.player)
                waiting.append(outcome.position)


def fewest_pushes_in_vicinity(start: Position, path: set[Boxes], most: int, radius: int) -> int | None:
    """Return the fewest pushes to a win within the vicinity, by breadth-first search through the rules."""
    layer, seen = [start], {(start.boxes, start.player)}
    for pushes in itertools.count():
        if any(position.won for position in layer):
            return pushes
        following = list[Position]()
        for position in layer:
            for after in walk(position):
                key = after.boxes, after.player
                if key not in seen and is_near(after.boxes, path, most, radius):
                    seen.add(key)
                    following.append(after)
        if not following:
            return None
        layer = following
    return None


@pytest.mark.parametrize("most", [0, 1, 2, 9])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 25))])
def test_search_finds_the_fewest_pushes_in_the_vicinity(seed: int, most: int) -> None:
    positions: list[Any] = [*wasteful_solution(seed).positions()]
    path = PushPath(positions, is_win=True)
    pushes = len(path.states) - 1
    search = VicinitySearch(
        path.tables(pushes),
        path.vicinity(0, pushes, most, 99),
        Prices(1, 0, NONE),
        path.states[0],
        pushes + 1,
        1 << 20,
    )
    for _ in search.run():
        pass
    assert search.is_complete
    arrangements = {position.boxes for position in positions}
    assert search.cost == fewest_pushes_in_vicinity(positions[0], arrangements, most, 99)
    found = search.path()
    assert found
    assert len(found) - 1 == search.cost


def test_search_refuses_states_beyond_the_most() -> None:
    positions: list[Any] = [*wasteful_solution(3).positions()]
    path = PushPath(positions, is_win=True)
    last = len(path.states) - 1
    search = VicinitySearch(
        path.tables(last), path.vicinity(0, last, 9, 99), Prices(1, 0, NONE), path.states[0], last + 1, 3
    )
    for _ in search.run():
        pass
    assert not search.is_complete
    assert search.states <= 3
