"""Naive analysis of a level, by definition: dictionaries and rules only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import gridproof as gp
from gridproof.core.extension import find_extension
from gridproof.prove.reachability import SolutionKey

MOST_WAYS = 3000
"""Shortest ways that are listed one by one."""


@dataclass
class Naive:
    """All positions of a level with what is done in them."""

    level: gp.Level
    depth: dict[Any, int] = field(default_factory=dict)
    done: dict[Any, dict[Any, list[gp.Outcome[Any]]]] = field(default_factory=dict)
    left: dict[Any, int] = field(default_factory=dict)
    ways_from: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.starts = [start.position for start in self.level.starts()]
        self.depth = dict.fromkeys(self.starts, 0)
        queue = list(self.depth)
        for position in queue:
            self.done[position] = {action: list(position.outcomes(action)) for action in position.actions()}
            for outcome in self.outcomes(position):
                if outcome.position not in self.depth:
                    self.depth[outcome.position] = self.depth[position] + 1
                    queue.append(outcome.position)
        before: dict[Any, list[Any]] = {}
        for position in queue:
            for outcome in self.outcomes(position):
                before.setdefault(outcome.position, []).append(position)
        self.left = {position: 0 for position in queue if position.won}
        reached = list(self.left)
        for position in reached:
            for origin in before.get(position, ()):
                if origin not in self.left:
                    self.left[origin] = self.left[position] + 1
                    reached.append(origin)
        for position in reached:  # the nearest first
            following = [
                one.position for one in self.outcomes(position) if self.nearer(position, one.position)
            ]
            self.ways_from[position] = (
                sum(map(self.ways_from.__getitem__, following)) if self.left[position] else 1
            )

    def outcomes(self, position: Any) -> list[gp.Outcome[Any]]:
        return [outcome for listed in self.done[position].values() for outcome in listed]

    def nearer(self, position: Any, after: Any) -> bool:
        return after in self.left and self.left[after] == self.left[position] - 1

    def count_wins(self, position: Any) -> int:
        """Count the actions that keep the win in reach."""
        return sum(
            any(one.position in self.left for one in listed) for listed in self.done[position].values()
        )

    def by_depth(self, numbers: dict[Any, int]) -> tuple[int, ...]:
        sums = Counter[int]()
        for position, number in numbers.items():
            sums[self.depth[position]] += number
        return tuple(sums[depth] for depth in range(max(self.depth.values()) + 1))

    def counts(self) -> dict[str, Any]:
        dead = {position: 1 for position in self.depth if position not in self.left}
        fatal = {position: len(self.done[position]) - self.count_wins(position) for position in self.left}
        decisive = {
            position for position, left in self.left.items() if left and self.count_wins(position) == 1
        }
        forced = {position for position in decisive if len(self.done[position]) == 1}
        near = [start for start in self.starts if start in self.left]
        least = min((self.left[start] for start in near), default=None)
        best = [start for start in near if self.left[start] == least]
        on = dict.fromkeys(best)
        for position in (listed := list(on)):
            for outcome in self.outcomes(position) if self.left[position] else ():
                if self.nearer(position, outcome.position) and outcome.position not in on:
                    on[outcome.position] = None
                    listed.append(outcome.position)
        return {
            "states": len(self.depth),
            "dead": len(dead),
            "dead_by_depth": self.by_depth(dead),
            "actions": sum(map(len, self.done.values())),
            "fatal": sum(fatal.values()),
            "fatal_by_depth": self.by_depth(fatal),
            "fewest": least,
            "ways": sum(self.ways_from[start] for start in best),
            "decisive": (len(decisive), len(decisive & set(on)), len(forced), len(forced & set(on))),
            "orders": self.orders(best),
        }

    def orders(self, starts: list[Any]) -> int | None:
        """Count the sets of keys that shortest ways have; None where they are too many to list."""
        if sum(self.ways_from[start] for start in starts) > MOST_WAYS:
            return None
        found: set[Any] = set()
        stack: list[tuple[Any, tuple[Any, ...]]] = [(start, ()) for start in starts]
        while stack:
            position, keys = stack.pop()
            if not self.left[position]:
                found.add(frozenset(Counter(keys).items()))
                continue
            for action, listed in self.done[position].items():
                for outcome in listed:
                    if self.nearer(position, outcome.position):
                        key = self.key(position, action, outcome)
                        stack.append((outcome.position, keys if key is None else (*keys, key)))
        return len(found)

    def key(self, position: Any, action: Any, outcome: gp.Outcome[Any]) -> Any:
        design = find_extension(self.level.game, "design", object)
        key = design.solution_key if isinstance(design, SolutionKey) else None
        return key(position, action, outcome) if key else (action, outcome.label)
