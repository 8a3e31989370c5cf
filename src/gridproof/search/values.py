"""Propositions and numbers in all positions of a state space, by the game's kernel or by its rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.position import Position
from gridproof.core.proposition import Goal, Term
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing, packing_of
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
    return _values(term, space, (found.game, found.packing), evaluate, found.words)


def values_of_ranks(term: Term, space: StateSpace, found: TwoBitStates, ranks: Array) -> Array:
    """Return a term's values at ranks, by the kernel if it knows the term and how to pack a rank."""
    known = packing_of(space.level)
    if known is None or known[0].ranked.state is None:
        return _values(term, space, None, evaluate_ranks, None)
    game, packing = known
    ranked = RankedStates(found.ranking.data, ranks, packing.words)
    return _values(term, space, known, evaluate_ranks, ranked, state_of=game.ranked.state)


def _values(
    term: Term,
    space: StateSpace,
    known: tuple[GameKernel, Packing] | None,
    template: Callable[..., None],
    states: Any,
    **holes: Compiled,
) -> Array:
    """Return a term's values: of listed positions, by a template and its states, or by the rules."""
    where = term.where(space.level) if isinstance(term, Goal) else None
    if where is not None:
        holds = np.zeros(space.states, bool)
        holds[[space.number(position) for position in where if position in space]] = True
        return holds
    if known is None:
        return values_by_rules(term, space)
    game, packing = known
    try:
        function, arguments = compile_term(game, packing, term)
    except Refused:
        return values_by_rules(term, space)
    values = np.zeros(space.states, bool if isinstance(term, Goal) else np.int64)
    work = partial(kernel(template, value=function, **holes), packing.data, states, arguments, values)
    firsts = range(0, space.states, _PART)
    lasts = [min(space.states, first + _PART) for first in firsts]
    with thread_map(available_cores()) as each:
        list(each(work, firsts, lasts))
    return values


def values_by_rules(term: Term, positions: Collection[Position[Any]] | StateSpace) -> Array:
    """Return a term's values position by position; Python's numbers, where one does not fit into a word."""
    if isinstance(term, Goal):
        return np.fromiter(map(term, positions), bool)
    try:
        return np.fromiter(map(term.value, positions), np.int64)
    except OverflowError:
        return np.fromiter(map(term.value, positions), object)
