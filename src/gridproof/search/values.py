"""Propositions and numbers in all positions of a state space, by the game's kernel or by its rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from gridproof.core.position import Position
from gridproof.core.proposition import Goal, Term
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import packing_of
from gridproof.search.cores import available_cores, mapping
from gridproof.search.goals import compiled_term
from gridproof.search.packed import PackedStates
from gridproof.search.ranked import RankedStates
from gridproof.search.refusal import Refused
from gridproof.search.space import StateSpace

Array = np.ndarray[Any, Any]

_PART = 1 << 16  # positions that one core looks at before it can be interrupted

value: Any = Hole()
state_of: Any = Hole()


def evaluate(data: Any, words: Any, arguments: Any, values: Any, first: Any, last: Any) -> None:
    """The value of the states `first` to `last`."""
    for number in range(first, last):
        values[number] = value(data, words[number], arguments)


def evaluate_ranks(
    data: Any, ranking: Any, ranks: Any, words: Any, arguments: Any, values: Any, first: Any, last: Any
) -> None:
    """The value of the positions `first` to `last`, of which the ranks are known."""
    state = np.empty(words, np.uint64)
    for number in range(first, last):
        state_of(ranking, ranks[number], state)
        values[number] = value(data, state, arguments)


def values_of_states(term: Term, space: StateSpace, found: PackedStates) -> Array:
    """Of packed states, by the kernel where it knows the term."""
    where = _where(term, space)
    if where is not None:
        return where
    try:
        function, arguments = compiled_term(found.game, found.packing, term)
    except Refused:
        return values_by_rules(term, space)
    values = _room(term, space.states)
    work = kernel(evaluate, value=function)
    _by_all_cores(space.states, lambda *part: work(found.packing.data, found.words, arguments, values, *part))
    return values


def values_of_ranks(term: Term, space: StateSpace, found: RankedStates, ranks: Array) -> Array:
    """Of ranks, by the kernel where it knows the term and how a rank is packed."""
    where = _where(term, space)
    if where is not None:
        return where
    known = packing_of(space.level)
    if known is None or known[0].ranked_state is None:
        return values_by_rules(term, space)
    game, packing = known
    try:
        function, arguments = compiled_term(game, packing, term)
    except Refused:
        return values_by_rules(term, space)
    values = _room(term, space.states)
    work = kernel(evaluate_ranks, value=function, state_of=game.ranked_state)
    given = packing.data, found.ranking.data, ranks, packing.words, arguments, values
    _by_all_cores(space.states, lambda *part: work(*given, *part))
    return values


def values_by_rules(term: Term, positions: Collection[Position[Any]] | StateSpace) -> Array:
    """Position by position; numbers as Python has them, where one does not fit into a word."""
    if isinstance(term, Goal):
        return np.fromiter(map(term, positions), bool)
    try:
        return np.fromiter(map(term.value, positions), np.int64)
    except OverflowError:
        return np.fromiter(map(term.value, positions), object)


def _where(term: Term, space: StateSpace) -> Array | None:
    """The values of a goal that holds in few positions, which are known."""
    where = term.where(space.level) if isinstance(term, Goal) else None
    if where is None:
        return None
    values = np.zeros(space.states, bool)
    values[[space.number(position) for position in where if position in space]] = True
    return values


def _room(term: Term, count: int) -> Array:
    return np.zeros(count, bool if isinstance(term, Goal) else np.int64)


def _by_all_cores(count: int, work: Callable[[int, int], None]) -> None:
    firsts = range(0, count, _PART)
    lasts = [min(count, first + _PART) for first in firsts]
    with mapping(available_cores()) as each:
        for _ in each(work, firsts, lasts):
            pass
