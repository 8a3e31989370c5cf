"""Propositions and numbers in all positions of a state space, by the game's kernel or by its rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.position import Level, Position
from gridproof.core.proposition import COMMON, COMPARE, Goal, Term
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing, packing_of
from gridproof.search.goals import compile_term
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.refusal import Refused
from gridproof.search.space import StateSpace
from gridproof.search.thread_pool import available_cores, thread_map
from gridproof.search.two_bit_bfs import FrontierPart, TwoBitStates

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


class _Listed(NamedTuple):
    """Positions whose values are wanted."""

    size: int
    states: Any
    """The states, as the template takes them."""
    positions: Callable[[], Collection[Position[Any]]]
    number: Callable[[Position[Any]], int | None]
    """Returns the place of a position among them, None if it is not one of them."""


def values_of_states(term: Term, space: StateSpace, found: PackedStates, first: int) -> Array:
    """Return a term's values in the packed states from a number on, by the kernel if it knows the term."""

    def place(position: Position[Any]) -> int | None:
        number = found.number(position)
        return number - first if number is not None and first <= number < space.states else None

    def positions() -> list[Position[Any]]:
        return [found.position(number) for number in range(first, space.states)]

    listed = _Listed(space.states - first, found.words[first : space.states], positions, place)
    return _values(term, space.level, listed, (found.game, found.packing), evaluate)


def values_of_ranks(term: Term, space: StateSpace, found: TwoBitStates, ranks: Array) -> Array:
    """Return a term's values at ranks, by the kernel if it knows the term and how to pack a rank."""
    unrank = found.ranking.unrank

    def place(position: Position[Any]) -> int | None:
        if position not in space:
            return None
        places = np.flatnonzero(ranks == found.ranking.rank(position))
        return int(places[0]) if len(places) else None

    def positions() -> list[Position[Any]]:
        return [unrank(rank) for rank in ranks.tolist()]

    known = packing_of(space.level)
    if known is None or known[0].ranked.state is None:
        return _values(term, space.level, _Listed(len(ranks), None, positions, place), None, evaluate_ranks)
    ranked = RankedStates(found.ranking.data, ranks, known[1].words)
    listed = _Listed(len(ranks), ranked, positions, place)
    return _values(term, space.level, listed, known, evaluate_ranks, state_of=known[0].ranked.state)


def values_of_part(
    term: Term, space: StateSpace, found: TwoBitStates, packing: Packing, part: FrontierPart
) -> Array:
    """Return a term's values in a part of the last layer, by the kernel if it knows the term."""
    if isinstance(term, Goal) and term.where(space.level) is not None:
        return values_of_ranks(term, space, found, found.ranks_of(part))
    if not (isinstance(term, Goal) and is_never_among_actions(term, space.level)):
        return values_of_words(term, space.level, (found.game, packing), part.states)
    values = np.full(len(part.states), COMPARE[term.sign](0, term.bound))
    ends = np.flatnonzero(~part.has_successors)
    values[ends] = values_of_words(term, space.level, (found.game, packing), part.states[ends])
    return values


def is_never_among_actions(goal: Goal, level: Level) -> bool:
    """Return whether a proposition is false wherever the players can act."""
    is_common = any(goal.meaning is one for one in COMMON)
    return is_common and goal.name in ("won", "lost", "ended") and not level.game.policy.act_after_win


def values_of_words(
    term: Term,
    level: Level,
    known: tuple[GameKernel, Packing],
    words: Array,
    number: Callable[[Position[Any]], int | None] = lambda position: None,
) -> Array:
    """Return a term's values in packed states, by the kernel if it knows the term; `number` is the place of a position."""

    def positions() -> list[Position[Any]]:
        return [known[1].unpack(state) for state in words]

    return _values(term, level, _Listed(len(words), words, positions, number), known, evaluate)


def _values(
    term: Term,
    level: Level,
    listed: _Listed,
    known: tuple[GameKernel, Packing] | None,
    template: Callable[..., None],
    **holes: Any,
) -> Array:
    """Return a term's values: of listed positions, by a template and its states, or by the rules."""
    where = term.where(level) if isinstance(term, Goal) else None
    if where is not None:
        holds = np.zeros(listed.size, bool)
        holds[[place for place in map(listed.number, where) if place is not None]] = True
        return holds
    if known is None:
        return values_by_rules(term, listed.positions())
    game, packing = known
    try:
        function, arguments = compile_term(game, packing, term)
    except Refused:
        return values_by_rules(term, listed.positions())
    values = np.zeros(listed.size, bool if isinstance(term, Goal) else np.int64)
    work = partial(kernel(template, value=function, **holes), packing.data, listed.states, arguments, values)
    firsts = range(0, listed.size, _PART)
    lasts = [min(listed.size, first + _PART) for first in firsts]
    with thread_map(available_cores() if len(lasts) > 1 else 1) as each:
        list(each(work, firsts, lasts))
    return values


def values_by_rules(term: Term, positions: Collection[Position[Any]]) -> Array:
    """Return a term's values position by position; Python's numbers, where one does not fit into a word."""
    if isinstance(term, Goal):
        return np.fromiter(map(term, positions), bool)
    try:
        return np.fromiter(map(term.value, positions), np.int64)
    except OverflowError:
        return np.fromiter(map(term.value, positions), object)
