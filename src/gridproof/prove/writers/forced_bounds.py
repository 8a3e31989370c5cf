"""Proofs of what a coalition can force with some probability or cost: the bounds and ranks of each turn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.prove.checkers.bellman import ProvedBounds, StochasticAction
from gridproof.prove.checkers.forced_bounds import FORCED, ForcedStatement, read_forced
from gridproof.prove.checkers.goal_statements import Ends, Number, ends_to_data, opposite_ends, start_chances
from gridproof.prove.checkers.statements import Setting, players_of
from gridproof.prove.evaluate import test_of
from gridproof.prove.forced_values import ForcedCosts, ForcedRecurrence, ForcedValues
from gridproof.prove.formula import Coalition
from gridproof.prove.writers.infinite_costs import ChoiceRows, find_endless_ranks
from gridproof.prove.writers.proof import Proof
from gridproof.prove.writers.quantity import mean_ends
from gridproof.prove.writers.step_graph import StepGraph, StepTurn
from gridproof.search.explore import space_of
from gridproof.search.question import Question


class _Columns(NamedTuple):
    """Bounds of all turns, None for no upper one, and one or two ranks of each."""

    low: list[Number]
    high: list[Fraction | None]
    ranks: list[list[int]]


def find_proof(setting: Setting, question: Coalition, meter: Meter) -> tuple[ForcedStatement, Proof]:
    """Return the statement about the bounds that can be proved, and its proof, a part of others; Stopped at a limit."""
    said = read_forced(question, ["0", "1"], setting)
    if said.task.steps is not None:
        return _find_within_turns(said, meter)
    space = space_of(Question(starts=list(setting.starts), who=setting.who, meter=meter))
    if not space.complete:
        raise Stopped
    if said.measure:
        with meter.enforce():
            columns = _cost_columns(ForcedCosts(question, said.quantity, space, meter))
    elif said.task.again:
        columns = _recurrence_columns(ForcedRecurrence(question, said.quantity, space, meter))
    else:
        columns = _probability_columns(ForcedValues(question, said.quantity, space, meter))
    chances = [(chance, space.number(start)) for chance, start in start_chances(said)]
    ends = _mean(chances, columns)
    said = read_forced(question, ends_to_data(opposite_ends(ends) if said.task.negated else ends), setting)

    def lines() -> Iterator[list[Any]]:
        for number, position in enumerate(space):
            line: list[Any] = [position.text()]
            for turn in range(number, len(columns.low), space.states):
                line += [*ends_to_data((columns.low[turn], columns.high[turn])), *columns.ranks[turn]]
            yield line

    return said, Proof(FORCED, said.facts, space.states, lines())


def _find_within_turns(said: ForcedStatement, meter: Meter) -> tuple[ForcedStatement, Proof]:
    """Return the statement about a path within some turns, and its proof."""
    task, starts = said.task, list(dict.fromkeys(said.starts))
    tests = test_of(task.hold, said.level, said.who), test_of(task.reach, said.level, said.who)
    turns = [StepTurn((name,), True, (max if said.wants_more(name) else min,)) for name in players_of(said)]
    graph = StepGraph(starts, tests, turns, meter, task)
    chances = [(chance, graph.positions.index(start)) for chance, start in start_chances(said)]
    ends = mean_ends(chances, graph.ends(0))
    said = replace(said, forced=opposite_ends(ends) if task.negated else ends)
    return said, Proof(FORCED, said.facts, len(graph.positions), graph.lines())


def _mean(chances: list[tuple[Fraction, int]], columns: _Columns) -> Ends:
    """Return the mean of the bounds at the first turn in the starts."""
    actions = StochasticAction(Fraction(0), chances)

    def bounds(number: int) -> ProvedBounds:
        return ProvedBounds(columns.low[number], columns.high[number], 0)

    return actions.low(bounds), actions.high(bounds)


def _probability_columns(found: ForcedValues) -> _Columns:
    low, high, _ = found.bounds
    ranks = found.game.find_ranks(low)
    return _Columns(
        list(map(Fraction, low.tolist())), list(map(Fraction, high.tolist())), ranks[:, None].tolist()
    )


def _recurrence_columns(found: ForcedRecurrence) -> _Columns:
    bounds = found.bounds
    ranks = np.stack(found.game.find_ranks(bounds), axis=-1)
    if (ranks < 0).any():
        raise GridproofError("no ranks prove the bounds; please report this level")
    low: list[Number] = [1 - Fraction(one) for one in bounds.missed.tolist()]
    return _Columns(low, list(map(Fraction, bounds.high.tolist())), ranks.tolist())


def _cost_columns(found: ForcedCosts) -> _Columns:
    high = found.bounds.high
    finite = np.isfinite(high)
    ranks, _ = found.find_ranks()
    if (finite & (ranks < 0)).any():  # rounding left no choice that fits
        finite = found.goal
    above = [
        Fraction(one) if known else None for one, known in zip(high.tolist(), finite.tolist(), strict=True)
    ]
    infinite = np.isinf(found.bounds.low)
    process = found.process
    moves = ChoiceRows(process.graph.targets, process.begins, process.owners)
    endless = find_endless_ranks(moves, infinite, found.minimal)
    if (endless[infinite] < 0).any():
        raise GridproofError("no ranks prove that the cost is infinite; please report this level")
    low: list[Number] = [math.inf if one == math.inf else Fraction(one) for one in found.bounds.low.tolist()]
    return _Columns(low, above, np.where(infinite, endless, np.maximum(ranks, 0))[:, None].tolist())
