"""Propositions and numbers in all positions of a state space, by the game's kernel or by its rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.position import Position
from gridproof.core.proposition import Goal, Term
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import packing_of
from gridproof.search.goals import compile_term
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.refusal import Refused
from gridproof.search.space import StateSpace
from gridproof.search.thread_pool import available_cores, thread_map
from gridproof.search.two_bit_bfs import TwoBitStates

Array = np.ndarray[Any, Any]

_PART = 1 << 16  # positions that one core evaluates between two chances to interrupt it

value: Any = Hole()
state_of: Any = Hole()


def evaluate(data: Any, words: Any, arguments: Any, values: Any, first: Any, last: Any) -> None:
    """Compute the value of the states `first` to `last`."""
    for number in range(first, last):
        values[number] = value(data, words[number], arguments)


class RankedStates(NamedTuple):
    """Positions given by their ranks."""

    data: Any
    """The ranking's data."""
    ranks: Array
    """The positions' ranks."""
    words: int
    """The number of words of a state."""


def evaluate_ranks(
    data: Any, ranked: RankedStates, arguments: Any, values: Any, first: Any, last: Any
) -> None:
    """Compute the value of the positions `first` to `last`."""
    ranking, ranks, words = ranked
    state = np.empty(words, np.uint64)
    for number in range(first, last):
        state_of(ranking, ranks[number], state)
        values[number] = value(data, state, arguments)


def values_of_states(term: Term, space: StateSpace, found: PackedStates) -> Array:
    """Return a term's values in packed states, by the kernel if it knows the term."""
    where = _known_values(term, space)
    if where is not None:
        return where
    try:
        function, arguments = compile_term(found.game, found.packing, term)
    except Refused:
        return values_by_rules(term, space)
    values = _empty_values(term, space.states)
    work = kernel(evaluate, value=function)
    _run_on_all_cores(
        space.states, lambda *part: work(found.packing.data, found.words, arguments, values, *part)
    )
    return values


def values_of_ranks(term: Term, space: StateSpace, found: TwoBitStates, ranks: Array) -> Array:
    """Return a term's values at ranks, by the kernel if it knows the term and how to pack a rank."""
    where = _known_values(term, space)
    if where is not None:
        return where
    known = packing_of(space.level)
    if known is None or known[0].ranked.state is None:
        return values_by_rules(term, space)
    game, packing = known
    try:
        function, arguments = compile_term(game, packing, term)
    except Refused:
        return values_by_rules(term, space)
    values = _empty_values(term, space.states)
    work = kernel(evaluate_ranks, value=function, state_of=game.ranked.state)
    ranked = RankedStates(found.ranking.data, ranks, packing.words)
    _run_on_all_cores(space.states, lambda *part: work(packing.data, ranked, arguments, values, *part))
    return values


def values_by_rules(term: Term, positions: Collection[Position[Any]] | StateSpace) -> Array:
    """Return a term's values position by position; Python's numbers, where one does not fit into a word."""
    if isinstance(term, Goal):
        return np.fromiter(map(term, positions), bool)
    try:
        return np.fromiter(map(term.value, positions), np.int64)
    except OverflowError:
        return np.fromiter(map(term.value, positions), object)


def _known_values(term: Term, space: StateSpace) -> Array | None:
    """Return the values of a goal whose positions are listed; None for other terms."""
    where = term.where(space.level) if isinstance(term, Goal) else None
    if where is None:
        return None
    values = np.zeros(space.states, bool)
    values[[space.number(position) for position in where if position in space]] = True
    return values


def _empty_values(term: Term, count: int) -> Array:
    return np.zeros(count, bool if isinstance(term, Goal) else np.int64)


def _run_on_all_cores(count: int, work: Callable[[int, int], None]) -> None:
    firsts = range(0, count, _PART)
    lasts = [min(count, first + _PART) for first in firsts]
    with thread_map(available_cores()) as each:
        for _ in each(work, firsts, lasts):
            pass
