"""Coalitions under fairness: what they can force if the others do not stay unfair for ever.

The coalition succeeds if it comes to its goal, or if the play is unfair. So its objective is a Rabin condition, with a pair
of sets of nodes for each act of the others, or formula that is true again and again; the winning region is a nested fixpoint (N. Piterman, A. Pnueli, "Faster
solutions of Rabin and Streett games", 2006). An act that is assumed to be weakly fair needs no nesting, and no formula does.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.prove.fairness import MOST_STRONG, Assumption
from gridproof.prove.recurrence import STREETT
from gridproof.prove.strategy import NEXT, UNLESS, Objective
from gridproof.search.graph import Array


class Moves(Protocol):
    """The actions of one player, each with its position."""

    sources: Array
    actions: Array

    def are_inside(self, region: Array) -> Array:
        """Return for each action whether all its outcomes are in a region."""


class Pair(NamedTuple):
    """A play is unfair if it visits `often` again and again, and `never` only finitely often."""

    often: Array | None
    """None for all nodes."""
    never: Array


class FairGame:
    """A game of turns whose nodes are the turns, and the actions before their outcomes; others than `players` are adversaries.

    A set of nodes is a bool array: the turns of each player, at each position, and then the actions of each player.
    """

    def __init__(
        self,
        moves: Sequence[Moves],
        states: int,
        players: frozenset[int],
        assumed: Sequence[Assumption],
        check_limit: Callable[[], None],
    ) -> None:
        self._moves, self._states, self._players, self._check_limit = moves, states, players, check_limit
        ends = np.cumsum([states * len(moves), *(len(one.sources) for one in moves)])
        self.acts = [slice(first, last) for first, last in itertools.pairwise(ends)]
        self.nodes = int(ends[-1])
        self._has_formulas = any(one.where is not None for one in assumed)
        self._pairs = [pair for one in assumed if (pair := self._pair(one)) is not None]
        if sum(pair.often is not None for pair in self._pairs) > MOST_STRONG:
            raise GridproofError(f"at most {MOST_STRONG} acts of others can be strongly fair with <<...>>")

    def turns(self, place: int) -> slice:
        """Return the nodes of the turns of a player."""
        return slice(place * self._states, (place + 1) * self._states)

    def _pair(self, assumed: Assumption) -> Pair | None:
        """Return the pair of an act of others, or of a formula; None if there is none. An act is possible at its player's turns."""
        if assumed.where is not None:
            true = np.zeros(self.nodes, bool)
            true[: self._states * len(self._moves)] = assumed.where.ravel()
            return Pair(None, true)
        possible, other, done = (np.zeros(self.nodes, bool) for _ in range(3))
        for place, moves in enumerate(self._moves):
            mine = np.isin(moves.actions, list(assumed.actions))
            if place in self._players or not mine.any():
                continue
            possible[self.turns(place)][moves.sources[mine]] = True
            other[self.turns(place)] = ~possible[self.turns(place)]
            done[self.acts[place]] = mine
        if not done.any():
            return None
        return Pair(possible, done) if assumed.strong else Pair(None, done | other)

    def region(self, wanted: Objective) -> Array:
        """Return the turns at which the players can force an objective on fair plays: bool, by place and position."""
        turns = self._states * len(self._moves)
        goal, allowed = np.zeros(self.nodes, bool), np.ones(self.nodes, bool)
        if wanted.kind == STREETT:
            return self._again(wanted)
        goal[:turns], allowed[:turns] = wanted.reach.ravel(), wanted.hold.ravel()
        if self._has_formulas:  # others may be unable to be fair, and then the rest does not matter
            goal |= self._until(np.zeros_like(goal), np.ones_like(goal))
        if wanted.kind == NEXT:
            found = self._can_force_turn(goal)
        elif wanted.most is not None:
            found = goal | allowed if wanted.kind == UNLESS else goal
            for _ in range(wanted.most):
                self._check_limit()
                before, found = found, goal | (allowed & self._can_force_turn(found))
                if np.array_equal(before, found):
                    break
        elif wanted.kind == UNLESS:
            found = self._greatest(lambda region: goal | (allowed & self.can_force(region)))
        else:
            found = self._until(goal, allowed)
        region: Array = found[:turns].reshape(wanted.reach.shape)
        return region

    def _again(self, wanted: Objective) -> Array:
        """Return the turns at which the players can force that `reach` comes again and again if `hold` does, or the play is unfair."""
        nobody, (hold, reach) = np.zeros(self.nodes, bool), np.zeros((2, self.nodes), bool)
        turns = wanted.hold.size
        hold[:turns], reach[:turns] = wanted.hold.ravel(), wanted.reach.ravel()
        pairs = [*self._pairs, Pair(None, hold), Pair(reach, nobody)]
        every = np.ones_like(nobody)
        found = self._least(lambda near: self._extend(self.can_force(near), every, pairs))
        region: Array = found[:turns].reshape(wanted.reach.shape)
        return region

    def _can_force_turn(self, region: Array) -> Array:
        """Return the nodes at which the players can force that the next turn is in a region."""
        is_turn = np.arange(self.nodes) < self._states * len(self._moves)
        return self.can_force(np.where(is_turn, region, self.can_force(region)))

    def _until(self, goal: Array, allowed: Array) -> Array:
        """Return the nodes from which the players come to a goal through allowed ones on fair plays."""
        return self._least(
            lambda reached: self._extend(goal | (allowed & self.can_force(reached)), allowed, self._pairs)
        )

    def _extend(self, found: Array, allowed: Array, pairs: Sequence[Pair]) -> Array:
        """Extend a set by the nodes from which the players can make a play unfair without leaving `allowed`, or come to the set."""
        result = found
        for number, pair in enumerate(pairs):
            inside = allowed & ~pair.never
            rest = [*pairs[:number], *pairs[number + 1 :]]
            result = result | self._greatest(functools.partial(self._unfair, found, inside, pair.often, rest))
        return result

    def _unfair(
        self, found: Array, inside: Array, often: Array | None, rest: Sequence[Pair], again: Array
    ) -> Array:
        """Return the nodes from which the players come again to `often`, inside and in `again`, or to a set that was found."""
        if often is None:
            return found | (inside & self.can_force(again))
        returns = found | (inside & often & self.can_force(again))
        return self._least(
            lambda nearer: self._extend(returns | (inside & self.can_force(nearer)), inside, rest)
        )

    def _least(self, step: Callable[[Array], Array]) -> Array:
        return self._iterate(step, np.zeros(self.nodes, bool))

    def _greatest(self, step: Callable[[Array], Array]) -> Array:
        return self._iterate(step, np.ones(self.nodes, bool))

    def _iterate(self, step: Callable[[Array], Array], found: Array) -> Array:
        while True:
            self._check_limit()
            following = step(found)
            if np.array_equal(following, found):
                return found
            found = following

    def can_force(self, region: Array) -> Array:
        """Return the nodes at which the players can force that the next node is in a region."""
        found = np.empty_like(region)
        for place, moves in enumerate(self._moves):
            after = region[self.turns((place + 1) % len(self._moves))]
            turns, acts = found[self.turns(place)], region[self.acts[place]]
            turns[:] = after  # by a pass
            if place in self._players:
                turns[moves.sources[acts]] = True
            else:
                turns[moves.sources[~acts]] = False
            found[self.acts[place]] = moves.are_inside(after)
        return found
