"""Partial order reduction would not pay in Robots: the smallest persistent sets that exist leave out no positions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from tests.games.robots.boards import random_board

import gridproof as gp

Rows = list[dict[int, int]]
"""The position that each action leads to, by its number; actions that change nothing are left out."""


def rows_of(space: gp.StateSpace) -> Rows:
    graph = space.graph()
    rows: Rows = [{} for _ in range(space.states)]
    for source, action, target in zip(graph.sources(), graph.actions, graph.targets, strict=True):
        if source != target:
            rows[source][int(action)] = int(target)
    return rows


def commute(rows: Rows, position: int, one: int, two: int) -> bool:
    """Whether two actions of a position may be done in either order, with the same result."""
    after, before = rows[rows[position][one]].get(two), rows[rows[position][two]].get(one)
    return after is not None and after == before


def is_persistent(rows: Rows, position: int, actions: frozenset[int]) -> bool:
    """Whether these actions commute with all that can be done before one of them (Godefroid 1996)."""
    reached, queue = {position}, [position]
    for number in queue:
        for action, after in rows[number].items():
            if action in actions:
                continue
            if not all(commute(rows, number, action, one) for one in actions):
                return False
            if after not in reached:
                reached.add(after)
                queue.append(after)
    return True


def smallest_set(rows: Rows, won: list[bool], position: int) -> frozenset[int]:
    """The smallest persistent set of actions that do not win; all actions if there is none."""
    quiet = [action for action, after in rows[position].items() if not won[after]]
    for count in range(1, len(rows[position])):
        for actions in map(frozenset, itertools.combinations(quiet, count)):
            if is_persistent(rows, position, actions):
                return actions
    return frozenset(rows[position])


def count_reduced(rows: Rows, won: list[bool]) -> int:
    """The positions of a search by the smallest sets; by all actions where no new position would be found."""
    reached, queue = {0}, [0]
    for position in queue:
        after = [rows[position][action] for action in smallest_set(rows, won, position)]
        if reached.issuperset(after):
            after = [*rows[position].values()]
        new = [one for one in dict.fromkeys(after) if one not in reached]
        reached.update(new)
        queue += new
    return len(reached)


def small_spaces(robots: int, count: int) -> Iterator[gp.StateSpace]:
    rng = gp.Rng(robots)
    while count:
        space = gp.explore(random_board(rng, 3, 2, robots), limit=gp.Limit(states=60))
        if space.complete and space.states > 20:
            count -= 1
            yield space


@pytest.mark.slow
@pytest.mark.parametrize("robots", [2, 3])
def test_persistent_sets_leave_out_no_positions(robots: int) -> None:
    for space in small_spaces(robots, 12):
        assert count_reduced(rows_of(space), space.values("won").tolist()) >= 0.95 * space.states


@pytest.mark.slow
def test_most_actions_of_different_robots_commute() -> None:
    pairs = commuting = 0
    for space in small_spaces(2, 12):
        rows, labels = rows_of(space), space.graph().labels
        for position, row in enumerate(rows):
            for one, two in itertools.combinations(row, 2):
                if labels[one].robot != labels[two].robot:
                    pairs += 1
                    commuting += commute(rows, position, one, two)
    assert 0.4 < commuting / pairs < 0.95
