"""Proofs of the kinds "ctl" and "coalition": the ranks of fixpoints in all positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gridproof.core.limit import Meter, Stopped
from gridproof.prove.atl import TurnGame
from gridproof.prove.checkers.fixpoints import NEXT, Fixpoint, fixpoints_of
from gridproof.prove.ctl import Evaluator
from gridproof.prove.formula import Coalition, Formula
from gridproof.prove.model import Model
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

Force = Callable[[Array], Array]
"""The positions from which some can force that the next one is in a region."""


def lines_of(space: StateSpace, formula: Formula, meter: Meter) -> Iterator[list[Any]]:
    """Yield each position of a complete space with its numbers; Stopped at a limit."""
    columns = _columns(space, formula, meter)
    if columns:
        for position, numbers in zip(space, np.stack(columns, axis=-1).tolist(), strict=True):
            yield [position.text(), *numbers]


def turn_lines(space: StateSpace, columns: Sequence[Sequence[Sequence[Any]]]) -> Iterator[list[Any]]:
    """Yield each position of a complete space with its values: those of each column by turn and position."""
    for number, position in enumerate(space):
        yield [
            position.text(),
            *(column[turn][number] for turn in range(len(columns[0])) for column in columns),
        ]


def count_lines(space: StateSpace, formula: Formula) -> int:
    """Return the number of lines: none for a formula without quantifiers."""
    return space.states if fixpoints_of(formula) else 0


def _columns(space: StateSpace, formula: Formula, meter: Meter) -> list[Array]:
    """Return the numbers of each fixpoint, int64 (n,); for coalitions, those of each turn."""
    fixpoints = fixpoints_of(formula)
    if fixpoints and isinstance(fixpoints[0].formula, Coalition):
        game = TurnGame(space, meter)
        each = [turn_numbers(one, game, meter, space) for one in fixpoints]
        return [column for turn in zip(*each, strict=True) for column in turn]
    evaluator = Evaluator(Model(space), is_stopped=lambda: meter.is_reached(space.states))
    return [_numbers(one, evaluator.values, _force(one, evaluator), meter, space) for one in fixpoints]


def _force(one: Fixpoint, evaluator: Evaluator) -> Force:
    if one.formula.operator == "E":  # type: ignore[union-attr]  # it is no coalition
        return evaluator.next
    return lambda region: ~evaluator.next(~region)


def turn_numbers(one: Fixpoint, game: TurnGame, meter: Meter, space: StateSpace) -> Array:
    """Return the numbers of a fixpoint of a coalition, by turn and position; without fairness for F and U."""
    players = game.players(one.formula)  # type: ignore[arg-type]  # it is a coalition
    return _numbers(one, game.values, lambda region: game.can_force(region, players), meter, space)


def _numbers(
    one: Fixpoint, values: Callable[[Formula], Array], force: Force, meter: Meter, space: StateSpace
) -> Array:
    hold, goal = values(one.hold), values(one.goal)
    if one.kind == NEXT:
        return np.where(force(goal), 0, -1)
    if one.is_refuted:  # the least fixpoint of the opposites
        hold, goal, direct = ~goal, ~goal & ~hold, force
        force = lambda region: ~direct(~region)  # noqa: E731  # it is the dual
    ranks, rank = np.where(goal, 0, -1), 0
    while True:
        if meter.is_reached(space.states):
            raise Stopped
        found = hold & (ranks < 0) & force(ranks >= 0)
        if not found.any() or rank == one.most:
            return ranks
        rank += 1
        ranks[found] = rank
