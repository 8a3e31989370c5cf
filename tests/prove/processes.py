"""Small random decision processes, and slow evaluators in fractions that are obviously right."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gridproof.search.graph import Graph

Number = Fraction | float
Choice = list[tuple[int, int]]
"""Outcomes of an action: position and weight; the weights sum to WHOLE."""
WHOLE = 4
_CONSTANT = -1


@dataclass(frozen=True)
class RandomProcess:
    """A process: the choices of each position with their costs, and where two propositions hold."""

    choices: list[list[Choice]]
    costs: list[list[int]]
    hold: list[bool]
    reach: list[bool]

    @property
    def graph(self) -> Graph:
        """The edges."""
        rows = [
            [(to, number, weight) for number, choice in enumerate(one) for to, weight in choice]
            for one in self.choices
        ]
        offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        flat = np.array([edge for row in rows for edge in row], np.int32).reshape(-1, 3)
        return Graph(offsets, flat[:, 0], flat[:, 1], flat[:, 2].astype(np.uint8), WHOLE, tuple(range(3)))

    def stopped(self, number: int) -> bool:
        return self.reach[number] or not self.hold[number]


def draw_process(seed: int) -> RandomProcess:
    """Draw a process of at most five positions, by a seed."""
    random_number = random.Random(seed)
    count = random_number.randint(1, 5)
    choices, costs = list[list[Choice]](), list[list[int]]()
    for _ in range(count):
        mine = list[Choice]()
        for _ in range(random_number.choice((0, 1, 1, 2, 2))):
            weights = random_number.choice(((4,), (4,), (1, 3), (2, 2), (1, 1, 2)))
            mine.append([(random_number.randrange(count), weight) for weight in weights])
        choices.append(mine)
        costs.append([random_number.choice((0, 0, 1, 3)) for _ in mine])
    hold = [random_number.random() < 0.8 for _ in range(count)]
    reach = [random_number.random() < 0.3 for _ in range(count)]
    return RandomProcess(choices, costs, hold, reach)


def bounded_value(
    process: RandomProcess, steps: int, exactly: bool, best: bool | list[bool]
) -> list[Fraction]:
    """The probability of `hold` until `reach` within some steps, or after exactly as many; what ends stays.

    In a game, `best` tells for each position whether it belongs to those who want a great one.
    """
    wanted = best if isinstance(best, list) else [best] * len(process.reach)
    found = [Fraction(one) for one in process.reach]
    for _ in range(steps):
        found = [_before(process, number, found, exactly, wanted[number]) for number in range(len(found))]
    return found


def _before(
    process: RandomProcess, number: int, found: list[Fraction], exactly: bool, best: bool
) -> Fraction:
    if process.reach[number] and not exactly:
        return Fraction(1)
    if not process.hold[number]:
        return Fraction(0)
    means = [
        sum((Fraction(weight, WHOLE) * found[to] for to, weight in choice), Fraction())
        for choice in process.choices[number]
    ]
    return (max if best else min)(means, default=found[number])


def reach_value(process: RandomProcess, best: bool) -> list[Fraction]:
    """The probability of `hold` until `reach`: of all ways to choose one action in each position."""
    options: list[list[Any]] = [
        [None] if process.stopped(number) or not mine else mine for number, mine in enumerate(process.choices)
    ]
    each = [chain_probabilities(chosen, process.reach) for chosen in itertools.product(*options)]
    return [(max if best else min)(values) for values in zip(*each, strict=True)]


def cost_value(process: RandomProcess, largest: bool) -> list[Number]:
    """The expected cost until `reach`, infinite where it is not reached almost surely, of all such ways."""
    options = [
        [(None, 0)]
        if process.reach[number] or not mine
        else list(zip(mine, process.costs[number], strict=True))
        for number, mine in enumerate(process.choices)
    ]
    each = [
        chain_costs([one for one, _ in chosen], process.reach, [cost for _, cost in chosen])
        for chosen in itertools.product(*options)
    ]
    return [(max if largest else min)(values) for values in zip(*each, strict=True)]


def chain_costs(rows: Sequence[Any], goal: Sequence[bool], costs: Sequence[Any]) -> list[Number]:
    """The expected cost from each position where nothing is chosen."""
    sure = [chance == 1 for chance in chain_probabilities(rows, goal)]
    values: list[Number] = [math.inf] * len(rows)
    inside = [number for number, one in enumerate(sure) if one]
    ends = {number for number in inside if goal[number]}
    solved = _solve(rows, [one for one in inside if one not in ends], dict.fromkeys(ends, Fraction()), costs)
    for number in inside:
        values[number] = solved[number]
    return values


def chain_probabilities(rows: Sequence[Any], goal: Sequence[bool]) -> list[Fraction]:
    """The probability to reach the goal from each position where nothing is chosen."""
    able = {number for number, one in enumerate(goal) if one}
    while more := {
        number
        for number, row in enumerate(rows)
        if number not in able and row and any(to in able for to, _ in row)
    }:
        able |= more
    known = {number: Fraction(number in able and goal[number]) for number in range(len(rows))}
    open_ = [number for number in sorted(able) if not goal[number]]
    known = {number: value for number, value in known.items() if number not in open_}
    solved = _solve(rows, open_, known, [0] * len(rows))
    return [solved[number] for number in range(len(rows))]


def _solve(
    rows: Sequence[Any], open_: list[int], known: dict[int, Fraction], costs: Sequence[int]
) -> dict[int, Fraction]:
    """Solve the equations of open positions, x = cost + mean of what follows: the last ones are replaced first (Gauss)."""
    means: dict[int, dict[int, Fraction]] = {}
    for i in open_:
        means[i] = {_CONSTANT: Fraction(costs[i])}
        for to, weight in rows[i]:
            _add(
                means[i],
                {_CONSTANT: known[to]} if to in known else {to: Fraction(1)},
                Fraction(weight, WHOLE),
            )
    for place in reversed(range(len(open_))):
        i = open_[place]
        stays = means[i].pop(i, Fraction())
        means[i] = {one: part / (1 - stays) for one, part in means[i].items()}
        for before in open_[:place]:
            if i in means[before]:
                _add(means[before], means[i], means[before].pop(i))
    solved = {_CONSTANT: Fraction(1)}
    for i in open_:
        solved[i] = sum((part * solved[one] for one, part in means[i].items()), Fraction())
    return known | {i: solved[i] for i in open_}


def _add(mean: dict[int, Fraction], more: dict[int, Fraction], times: Fraction) -> None:
    """Add a mean of others to one."""
    for one, part in more.items():
        mean[one] = mean.get(one, Fraction()) + times * part


def game_value(process: RandomProcess, maximal: Sequence[bool]) -> list[Fraction]:
    """The probability of `hold` until `reach` if the positions `maximal` are the one side's, and the others against it."""
    options: list[list[Any]] = [
        [None] if process.stopped(number) or not mine else mine for number, mine in enumerate(process.choices)
    ]
    mine = [number for number, one in enumerate(maximal) if one]
    others = [number for number, one in enumerate(maximal) if not one]
    best: list[Fraction] | None = None
    for chosen in itertools.product(*(options[number] for number in mine)):
        worst: list[Fraction] | None = None
        for answer in itertools.product(*(options[number] for number in others)):
            rows = dict(zip((*mine, *others), (*chosen, *answer), strict=True))
            found = chain_probabilities([rows[number] for number in range(len(maximal))], process.reach)
            worst = found if worst is None else list(map(min, worst, found))
        assert worst is not None
        best = worst if best is None else list(map(max, best, worst))
    assert best is not None
    return best


def game_cost(process: RandomProcess, minimal: Sequence[bool]) -> list[Number]:
    """The expected cost until `reach` if the positions `minimal` want a low one, and the others a high one."""
    options: list[list[Any]] = [
        [(None, 0)]
        if process.reach[number] or not mine
        else list(zip(mine, process.costs[number], strict=True))
        for number, mine in enumerate(process.choices)
    ]
    worst = dict[tuple[Any, ...], list[Number]]()
    for numbers in itertools.product(*(range(len(one)) for one in options)):
        chosen = [options[place][number] for place, number in enumerate(numbers)]
        found = chain_costs([one for one, _ in chosen], process.reach, [cost for _, cost in chosen])
        key = tuple(number for number, is_low in zip(numbers, minimal, strict=True) if is_low)
        worst[key] = list(map(max, worst.get(key, found), found))
    return [min(values) for values in zip(*worst.values(), strict=True)]


def recurrence_value(process: RandomProcess, maximal: Sequence[bool]) -> list[Fraction]:
    """The probability that `reach` comes again and again, if the positions `maximal` want it and the others do not."""
    options: list[list[Any]] = [mine or [[(number, WHOLE)]] for number, mine in enumerate(process.choices)]
    worst = dict[tuple[int, ...], list[Fraction]]()
    for numbers in itertools.product(*(range(len(one)) for one in options)):
        rows = [options[place][number] for place, number in enumerate(numbers)]
        found = chain_probabilities(rows, recurrent_positions(rows, process.reach))
        key = tuple(number for number, is_mine in zip(numbers, maximal, strict=True) if is_mine)
        worst[key] = list(map(min, worst.get(key, found), found))
    return [max(values) for values in zip(*worst.values(), strict=True)]


def recurrent_positions(rows: Sequence[Choice], goal: Sequence[bool]) -> list[bool]:
    """The positions where nothing is chosen and that come again and again with a goal, once a path is there."""
    after = [{number} for number in range(len(rows))]
    for _ in rows:
        after = [one.union(*(after[to] for place in one for to, _ in rows[place])) for one in after]
    return [
        all(number in after[to] for to in one) and any(goal[to] for to in one)
        for number, one in enumerate(after)
    ]
