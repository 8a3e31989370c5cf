"""Partial order reduction would not pay in Robots.

The smallest persistent sets that exist leave out no positions. Sets of robots that only keep the shortest way to a goal
leave out some, but to know them, a search has to look at nearly all positions.
"""

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


class RobotSets:
    """Sets of robots whose requests are enough for a shortest way to a goal, found with the whole graph at hand."""

    def __init__(self, space: gp.StateSpace, goal: str) -> None:
        self.rows, self.goal = rows_of(space), space.values(goal).tolist()
        self.robots = [getattr(label, "robot", "") for label in space.graph().labels]
        self.names = sorted({name for name in self.robots if name})
        self.seen: set[int] = set()
        """The positions that were looked at."""

    def after(self, position: int, names: frozenset[str]) -> set[int]:
        self.seen.add(position)
        return {after for action, after in self.rows[position].items() if self.robots[action] in names}

    def are_enough(self, position: int, some: frozenset[str]) -> bool:
        """Whether the others can wait: alone they reach no goal, and nothing that comes later is nearer for it."""
        others, reached, queue = frozenset(self.names) - some, {position}, [position]
        for before in queue:
            for after in self.after(before, others):
                if self.goal[after] or not self.is_as_near(before, after, some):
                    return False
                if after not in reached:
                    reached.add(after)
                    queue.append(after)
        return True

    def is_as_near(self, before: int, after: int, some: frozenset[str]) -> bool:
        """Whether what some robots reach after another's request is as near if they act before it."""
        firsts = self.after(before, some)
        if any(self.goal[first] for first in firsts):
            return True
        ends = {end for end in self.after(after, some) if self.goal[end] or self.rows[end]}
        return ends <= firsts.union(*(self.after(first, frozenset(self.names)) for first in firsts))

    def smallest(self, position: int) -> frozenset[str]:
        counts = range(1, len(self.names))
        sets = itertools.chain.from_iterable(itertools.combinations(self.names, one) for one in counts)
        every = frozenset(self.names)
        return next((one for one in map(frozenset, sets) if self.are_enough(position, one)), every)

    def search(self, is_reduced: bool) -> tuple[int, int | None]:
        """Search breadth-first from position 0; the number of positions found, and the actions to the first goal."""
        depths, queue = {0: 0}, [0]
        for position in queue:
            if self.goal[position]:
                continue
            names = self.smallest(position) if is_reduced else frozenset(self.names)
            for after in sorted(self.after(position, names)):
                if after not in depths:
                    depths[after] = depths[position] + 1
                    queue.append(after)
        return len(queue), min((depths[one] for one in queue if self.goal[one]), default=None)


@pytest.mark.slow
@pytest.mark.parametrize("robots", [2, 3])
def test_sets_of_robots_keep_the_shortest_way(robots: int) -> None:
    """The conditions are right: so what is measured with them is the most that can be left out."""
    for space in small_spaces(robots, 6):
        for goal in ("won", "won(a)", "won(b)"):
            sets = RobotSets(space, goal)
            assert sets.search(True)[1] == sets.search(False)[1]


@pytest.mark.long
def test_sets_of_robots_are_known_only_after_a_look_at_nearly_all_positions() -> None:
    """In narrow corridors they leave out most positions."""
    space = gp.explore("robots/races/15")
    sets = RobotSets(space, "won")
    found, actions = sets.search(True)
    assert found < 0.2 * space.states
    assert len(sets.seen) > 0.9 * space.states
    assert actions == 24
