"""Proofs of the kind "recurrence": ranks of the nested fixpoints by which a coalition wins a game of three colours, and the others where it does not."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.prove.atl import TurnGame
from gridproof.prove.checkers.fixpoints import RECURRENCE, Fixpoint, fixpoints_of
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.formula import Coalition
from gridproof.prove.recurrence import RECURRENT, RESPONSE, STREETT
from gridproof.prove.recurrence_game import NEVER, streett_ranks
from gridproof.prove.strategy import Objective
from gridproof.prove.writers.fixpoints import turn_lines, turn_numbers
from gridproof.prove.writers.proof import Proof
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace


def find_proof(said: FormulaStatement, space: StateSpace, meter: Meter) -> Proof:
    """Return a proof that lists a complete space; Stopped at a limit."""
    game = TurnGame(space, meter)
    columns = [_column(one, game, meter) for one in fixpoints_of(said.formula)]
    return Proof(RECURRENCE, said.facts, space.states, turn_lines(space, columns))


def _column(one: Fixpoint, game: TurnGame, meter: Meter) -> list[list[Any]]:
    """Return the numbers or lists of a fixpoint, by turn and position."""
    if one.kind not in RECURRENT:
        return [numbers.tolist() for numbers in turn_numbers(one, game, meter, game.space)]
    assert isinstance(one.formula, Coalition)
    wanted, players = game.objective(one.formula), game.players(one.formula)
    waiting = _WaitingGame(game, wanted, players, meter)
    ranks = streett_ranks(waiting.wanted, waiting.can_force)
    forced = ranks < NEVER
    if not np.array_equal(forced[0], game.values(one.formula)):
        raise GridproofError("the prover and the writer of certificates disagree; please report this level")
    first, second = waiting.prevention_ranks()
    zero = np.zeros_like(ranks)
    parts = np.where(forced, [np.ones_like(ranks), ranks, zero], [zero, first, second])
    found: list[list[Any]] = np.moveaxis(parts, (1, 0), (-2, -1)).reshape(*forced.shape[1:], -1).tolist()
    return found


class _WaitingGame:
    """A game of turns about what comes again and again.

    A response has one copy of each turn for a play that does not wait for an answer, and one for a play that waits. Arrays
    of it are (copies, places, positions).
    """

    def __init__(self, game: TurnGame, wanted: Objective, players: frozenset[int], meter: Meter) -> None:
        self._game, self._players, self._meter = game, players, meter
        if wanted.kind == RESPONSE:
            asked = np.stack([wanted.hold, np.ones_like(wanted.hold)]) & ~wanted.reach
            self._next_copy = asked.astype(int)
            self.wanted = Objective(STREETT, np.ones_like(asked), ~asked)
        else:
            self.wanted = Objective(STREETT, wanted.hold[None], wanted.reach[None])
            self._next_copy = np.zeros(self.wanted.hold.shape, int)

    def can_force(self, region: Array) -> Array:
        """Return the turns at which the coalition can force that the next turn is in a region."""
        if self._meter.is_reached(self._game.space.states):
            raise Stopped
        each = [self._game.can_force(one, self._players) for one in region]
        found: Array = np.choose(self._next_copy, each)
        return found

    def _can_prevent(self, region: Array) -> Array:
        """Return the turns at which the others can force that the next turn is in a region."""
        return ~self.can_force(~region)

    def prevention_ranks(self) -> tuple[Array, Array]:
        """Return the two ranks of the others, int32; NEVER where the coalition can force its objective.

        The region is a least fixpoint around a greatest one around a least one: E. A. Emerson and C. S. Jutla, "Tree automata,
        mu-calculus and determinacy" (1991).
        """
        first, second = (np.full(self.wanted.hold.shape, NEVER, np.int32) for _ in range(2))
        lost, rank = first < NEVER, 0
        while True:
            inner = self._last_ranks(lost)
            new = (inner < NEVER) & ~lost
            if not new.any():
                return first, second
            first[new], second[new] = rank, inner[new]
            lost |= new
            rank += 1

    def _last_ranks(self, lost: Array) -> Array:
        """Return the second ranks where the others can force that `hold` comes again and again before a lost turn does."""
        hold, reach = self.wanted.hold, self.wanted.reach
        again = np.ones_like(lost)
        while True:
            ends = (reach & self._can_prevent(lost)) | (hold & ~reach & self._can_prevent(again))
            ranks, rank = np.where(lost, 0, NEVER).astype(np.int32), 0
            new = ends & ~lost
            while new.any():
                ranks[new] = rank
                rank += 1
                new = ~hold & ~reach & self._can_prevent(ranks < NEVER) & (ranks == NEVER)
            if np.array_equal(ranks < NEVER, again):
                return ranks
            again = ranks < NEVER
