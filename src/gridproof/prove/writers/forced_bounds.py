"""Proofs of what a coalition can force with some probability or cost: the bounds and ranks of each turn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter, Stopped, check_stop
from gridproof.prove.checkers.forced_bounds import FORCED, MOST, ForcedStatement, read_forced
from gridproof.prove.checkers.goal_statements import start_chances
from gridproof.prove.checkers.quantity_statement import Ends
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.forced_values import ForcedCosts, ForcedValues
from gridproof.prove.formula import Coalition
from gridproof.prove.writers.proof import Proof
from gridproof.search.explore import space_of
from gridproof.search.graph import Array
from gridproof.search.question import Question

_UNIT = 2.0**-53
_SWEEPS = 10_000


class _Columns(NamedTuple):
    """Bounds of all turns, None for no upper one, and their ranks."""

    low: list[Fraction]
    high: list[Fraction | None]
    ranks: list[int]


def find_proof(setting: Setting, question: Coalition, meter: Meter) -> tuple[ForcedStatement, Proof]:
    """Return the statement about the bounds that can be proved, and its proof, a part of others; Stopped at a limit."""
    said = read_forced(question, ["0", "1"], setting)
    space = space_of(Question(starts=list(setting.starts), who=setting.who, meter=meter))
    if not space.complete:
        raise Stopped
    if said.measure:
        with meter.enforce():
            columns = _cost_columns(ForcedCosts(question, said.quantity, space, meter))
    else:
        columns = _probability_columns(ForcedValues(question, said.quantity, space, meter))
    chances = [(chance, space.number(start)) for chance, start in start_chances(said)]
    low, high = _mean(chances, columns)
    if said.task.negated:
        low, high = 1 - (high or Fraction(0)), 1 - low
    said = read_forced(question, [str(low), None if high is None else str(high)], setting)

    def lines() -> Iterator[list[Any]]:
        for number, position in enumerate(space):
            line: list[Any] = [position.text()]
            for turn in range(number, len(columns.low), space.states):
                above = columns.high[turn]
                line += [str(columns.low[turn]), None if above is None else str(above), columns.ranks[turn]]
            yield line

    return said, Proof(FORCED, said.facts, space.states, lines())


def _mean(chances: list[tuple[Fraction, int]], columns: _Columns) -> Ends:
    """Return the mean of the bounds at the first turn in the starts."""
    low, high = Fraction(0), Fraction(0)
    is_finite = True
    for chance, number in chances:
        above = columns.high[number]
        low, high = low + chance * columns.low[number], high + chance * (above or 0)
        is_finite &= above is not None
    return low, high if is_finite else None


def _probability_columns(found: ForcedValues) -> _Columns:
    low, high, _ = found.bounds
    ranks: list[int] = found.game.find_ranks(low).tolist()
    return _Columns(list(map(Fraction, low.tolist())), list(map(Fraction, high.tolist())), ranks)


def _cost_columns(found: ForcedCosts) -> _Columns:
    high, process = found.bounds.high, found.process
    finite = np.isfinite(high)
    sizes = np.diff(np.append(process.begins, len(process.graph)))
    rounding = (
        0.0 if process.choices.sure else (sizes + 3) * _UNIT
    )  # less than in the bounds, so that they fit
    after = (process.means(np.where(finite, high, 0.0)) + found.costs) * (1 + rounding)
    fits = process.all(finite) & (after <= high[process.owners])
    ranks = found.game.rank(found.goal, fits)
    if (finite & (ranks < 0)).any():  # rounding left no choice that fits
        finite = found.goal
    above = [
        Fraction(one) if known else None for one, known in zip(high.tolist(), finite.tolist(), strict=True)
    ]
    return _Columns(_lower_costs(found), above, np.maximum(ranks, 0).tolist())


def _lower_costs(found: ForcedCosts) -> list[Fraction]:
    """Return the lower bounds, with whole numbers where the cost is infinite: the greatest ones that fit, at most `MOST`."""
    infinite = np.isinf(found.bounds.low)
    values = [MOST if one == math.inf else math.floor(one) for one in found.bounds.low.tolist()]
    open_turns = np.flatnonzero(infinite[found.process.acting])
    for _ in range(_SWEEPS):
        check_stop()
        if not _reduce(found, open_turns, values):
            break
    else:
        return [Fraction(0)] * len(values)
    known = found.bounds.low.tolist()
    return [Fraction(value if one == math.inf else one) for one, value in zip(known, values, strict=True)]


def _reduce(found: ForcedCosts, open_turns: Array, values: list[int]) -> bool:
    """Reduce numbers to what the actions make of those after them, once; return whether any changed."""
    process, graph = found.process, found.process.graph
    ends, has_changed = np.append(process.begins, len(graph)), False
    lasts = np.append(process.firsts, len(process.begins))
    for place in open_turns.tolist():
        owner = int(process.acting[place])
        means = []
        for choice in range(int(process.firsts[place]), int(lasts[place + 1])):
            edges = slice(int(ends[choice]), int(ends[choice + 1]))
            pairs = zip(graph.weights[edges].tolist(), graph.targets[edges].tolist(), strict=True)
            total = sum(int(weight) * values[target] for weight, target in pairs)
            means.append(math.floor(found.costs[choice]) + total // graph.whole)
        value = (min if found.minimal[owner] else max)(means)
        if value < values[owner]:
            values[owner], has_changed = value, True
    return has_changed
