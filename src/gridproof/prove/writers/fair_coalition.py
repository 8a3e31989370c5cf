"""Proofs of the kind "fair-coalition": ranks of the nested fixpoints by which a coalition wins a Rabin game, and the others a Streett game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.prove.atl import TurnGame
from gridproof.prove.checkers.fair_coalition import CoalitionActs, Path, with_unfairness
from gridproof.prove.checkers.fixpoints import FAIR_COALITION, LEAST, Fixpoint, fixpoints_of
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.formula import Coalition
from gridproof.prove.recurrence import STREETT
from gridproof.prove.turn_fairness import FairGame, Pair
from gridproof.prove.writers.fixpoints import turn_lines, turn_numbers
from gridproof.prove.writers.proof import Proof
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

_DISAGREE = "the prover and the writer of certificates disagree; please report this level"


def find_proof(said: FormulaStatement, space: StateSpace, meter: Meter) -> Proof:
    """Return a proof that lists a complete space; Stopped at a limit, GridproofError if there are too many acts."""
    game, explicit = TurnGame(space, meter, said.fair), with_unfairness(said)
    columns = [_column(one, explicit, game, meter) for one in fixpoints_of(explicit.formula)]
    return Proof(FAIR_COALITION, said.facts, space.states, turn_lines(space, columns))


def _column(one: Fixpoint, said: FormulaStatement, game: TurnGame, meter: Meter) -> list[list[Any]]:
    """Return the numbers or lists of a fixpoint, by turn and position."""
    if one.kind not in (LEAST, STREETT):
        return [numbers.tolist() for numbers in turn_numbers(one, game, meter, game.space)]
    assert isinstance(one.formula, Coalition)
    goal, hold = game.values(one.goal).ravel(), game.values(one.hold).ravel()
    solver = _Solver(one, said, game, meter)
    if one.kind == STREETT:
        solver.add_recurrence(hold, goal)
        goal, hold = np.zeros_like(goal), np.ones_like(hold)
    found = solver.solve(solver.extend(goal, False), solver.extend(hold, True), solver.pairs)
    size, paths = len(goal), solver.acts.paths
    if not np.array_equal(found.region[:size], game.values(one.formula).ravel()):
        raise GridproofError(_DISAGREE)
    values: list[Any] = [
        [1, *found.measures[node]]
        if found.region[node]
        else [0, *(int(found.ranks[path][node]) for path in paths)]
        for node in range(size)
    ]
    states = game.space.states
    return [values[first : first + states] for first in range(0, size, states)]


class Solution(NamedTuple):
    """The nodes from which a coalition wins; the proofs there, and the ranks of the others elsewhere."""

    region: Array
    measures: Mapping[int, list[int]]
    ranks: Mapping[Path, Array]


class _Solver:
    """A game of turns with the pairs of the acts; the numbers of a pair are those of the assumptions."""

    def __init__(self, one: Fixpoint, said: FormulaStatement, game: TurnGame, meter: Meter) -> None:
        assert isinstance(one.formula, Coalition)
        self.acts, self._meter, self._states = CoalitionActs(said, one), meter, game.space.states
        self._game = FairGame(game.moves, self._states, game.players(one.formula), (), self._check_limit)
        labels = [str(action) for action in game.model.rows.graph.labels]
        assumed = [number for number in self.acts.others if number < len(self.acts.acts)]
        self.pairs = {number: self._pair(number, game, labels) for number in assumed}

    def add_recurrence(self, hold: Array, reach: Array) -> None:
        """Add the pairs of what has to come again and again, by turns: `reach`, or `hold` only so many times."""
        self.pairs[self.acts.hold_act] = Pair(None, self.extend(hold, False))
        self.pairs[self.acts.reach_act] = Pair(self.extend(reach, False), self.extend(reach & ~reach, False))

    def _check_limit(self) -> None:
        if self._meter.is_reached(self._states):
            raise Stopped

    def _pair(self, number: int, game: TurnGame, labels: list[str]) -> Pair:
        """Return where an act comes again, and where it is left."""
        if formula := self.acts.acts[number].formula:
            return Pair(None, self.extend(game.values(formula).ravel(), False))
        possible, other, done = (np.zeros(self._game.nodes, bool) for _ in range(3))
        does = np.array([number in self.acts.done(text) for text in labels], bool)
        place = game.order.index(self.acts.owners[number])
        moves, turns = game.moves[place], self._game.turns(place)
        mine = does[moves.actions]
        possible[turns][moves.sources[mine]] = True
        other[turns] = ~possible[turns]
        done[self._game.acts[place]] = mine
        return Pair(possible, done) if number in self.acts.strong else Pair(None, done | other)

    def extend(self, turns: Array, value: bool) -> Array:
        """Return the nodes of some turns, with all actions or none."""
        found = np.full(self._game.nodes, value)
        found[: len(turns)] = turns
        return found

    def solve(self, goal: Array, allowed: Array, pairs: Mapping[int, Pair]) -> Solution:
        """Return the least region with a goal that grows by steps, and by plays that stay in it and are unfair."""
        found, rank = goal.copy(), 0
        measures = {node: [0] for node in np.flatnonzero(goal).tolist()}
        while True:
            self._check_limit()
            new, beside = allowed & self._game.can_force(found) & ~found, dict[int, list[int]]()
            ranks = dict[Path, Array]()
            for number in () if new.any() else pairs:
                unfair = self._stay(found, allowed, pairs, number)
                new = unfair.region & ~found
                ranks |= unfair.ranks
                if new.any():
                    beside = {node: unfair.measures[node] for node in np.flatnonzero(new).tolist()}
                    break
            if not new.any():
                return Solution(found, measures, ranks)
            rank += 1
            measures |= {node: [rank, *beside.get(node, [])] for node in np.flatnonzero(new).tolist()}
            found |= new

    def _stay(self, found: Array, allowed: Array, pairs: Mapping[int, Pair], number: int) -> Solution:
        """Return the greatest region in which an act comes again and again and is never left, or a set is reached."""
        pair = pairs[number]
        inside = allowed & ~pair.never
        rest = {other: one for other, one in pairs.items() if other != number}
        again, ranks = np.ones_like(found), dict[Path, Array]()
        for rank in range(len(found) + 1):
            self._check_limit()
            forced = inside & self._game.can_force(again)
            if pair.often is None:
                nodes = {node: [number] for node in np.flatnonzero(found | forced).tolist()}
                inner = Solution(found | forced, nodes, {})
            else:
                nested = self.solve(found | forced & pair.often, inside, rest)
                nodes = {node: [number, *one] for node, one in nested.measures.items()}
                inner = nested._replace(measures=nodes)
            gone = again & ~inner.region
            if not gone.any():
                return inner._replace(ranks=ranks)
            for path, values in ((), np.full(len(found), rank)), *inner.ranks.items():
                ranks.setdefault((number, *path), np.zeros(len(found), np.int64))[gone] = values[gone]
            again = inner.region
        raise AssertionError
