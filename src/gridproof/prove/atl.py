"""ATL, the logic of coalitions: `<<a>> F won(a)`; the players take turns in round robin and each may pass.

The positions of a space, each with the next player, are a game of turns; what a coalition can force are attractors in it
(Zielonka, "Infinite games on finitely coloured graphs", 1998; the logic is ATL: Alur, Henzinger and Kupferman, "Alternating-time temporal logic", 2002).
Chance works against the coalition.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.prove.ctl import JOIN, objective_of
from gridproof.prove.fairness import Fair, assumptions
from gridproof.prove.formula import Binary, Bounded, Coalition, Formula, Truth, Unary
from gridproof.prove.model import Model
from gridproof.prove.recurrence import RECURRENT, STREETT, recurrence_of
from gridproof.prove.recurrence_game import (
    NEVER,
    UNCONSTRAINED,
    highest_rank_after,
    response_ranks,
    streett_ranks,
)
from gridproof.prove.strategy import NEXT, UNLESS, UNTIL, Objective, Strategy, Turn
from gridproof.prove.turn_fairness import FairGame
from gridproof.prove.turn_order import turn_order
from gridproof.prove.verdict import Verdict, without_trace
from gridproof.search.graph import Array, Graph
from gridproof.search.space import StateSpace


class _Moves:
    """The actions of one player: their positions and outcomes."""

    def __init__(self, graph: Graph, mine: Array) -> None:
        choices = graph.choices()
        chosen = choices[mine[choices]]
        self.targets = graph.targets[mine]
        self.sources, self.actions = graph.sources()[chosen], graph.actions[chosen]
        self._begins = np.searchsorted(np.flatnonzero(mine), chosen)

    def are_inside(self, region: Array) -> Array:
        """Return for each action in its position whether all its outcomes are in a region."""
        if not len(self.targets):
            return np.zeros(0, bool)
        found: Array = np.logical_and.reduceat(region[self.targets], self._begins)
        return found

    @property
    def is_deterministic(self) -> bool:
        """True if each action leads to one position."""
        if not len(self.targets):
            return True
        least = np.minimum.reduceat(self.targets, self._begins)
        return bool((least == np.maximum.reduceat(self.targets, self._begins)).all())


class TurnGame:
    """A complete space whose players take turns, in the order `order`; the first one acts at a start."""

    def __init__(self, space: StateSpace, meter: Meter, fair: Fair = ()) -> None:
        self.space, self.model, self._meter = space, Model(space), meter
        self._cache: dict[Formula, Array] = {}
        level, graph = space.level, self.model.rows.graph
        self.order = turn_order(level, space.who)
        self.fair = [
            replace(one, where=None if one.formula is None else self.values(one.formula))
            for one in assumptions(fair, level, graph.labels)
        ]
        owners = np.array([level.owner(action) for action in graph.labels], object)
        self.moves = [
            _Moves(graph, np.isin(graph.actions, np.flatnonzero(owners == name))) for name in self.order
        ]

    def can_force(self, region: Array, players: frozenset[int]) -> Array:
        """Return the turns at which the players can force that the next turn is in a region."""
        found = np.empty_like(region)
        for place, moves in enumerate(self.moves):
            after = region[(place + 1) % len(self.order)]
            found[place] = after  # by a pass
            inside = moves.are_inside(after)
            if place in players:
                found[place][moves.sources[inside]] = True
            else:
                found[place][moves.sources[~inside]] = False
        return found

    def ranks(self, wanted: Objective, players: frozenset[int]) -> Array:
        """Return the largest number of turns until the players reach their objective, int32; NEVER where they cannot, 0 for UNLESS.

        For UNLESS with a bound, it is the least number of turns that must be over before.
        """
        if wanted.kind in RECURRENT:
            return self._recurrence_ranks(wanted, players)
        if wanted.kind == NEXT:
            forced: Array = np.where(self.can_force(wanted.reach, players), 1, NEVER)
            return forced.astype(np.int32)
        if wanted.kind == UNLESS and wanted.most is not None:
            return self._lasting_ranks(wanted, wanted.most, players)
        if wanted.kind == UNLESS:
            region = wanted.hold | wanted.reach
            while True:
                self._check_limit()
                smaller = wanted.reach | (wanted.hold & self.can_force(region, players))
                if np.array_equal(smaller, region):
                    return np.where(region, 0, NEVER).astype(np.int32)
                region = smaller
        found: Array = np.where(wanted.reach, 0, NEVER).astype(np.int32)
        turns = 0
        while True:
            self._check_limit()
            turns += 1
            new = wanted.hold & self.can_force(found < NEVER, players) & (found == NEVER)
            if not new.any() or (wanted.most is not None and turns > wanted.most):
                return found
            found[new] = turns

    def _lasting_ranks(self, wanted: Objective, most: int, players: frozenset[int]) -> Array:
        opposite = opposite_objective(wanted)
        assert opposite is not None
        delays = self.ranks(opposite, self.others(players))
        found: Array = np.where(delays == NEVER, 0, np.where(delays == 0, NEVER, most + 1 - delays))
        return found.astype(np.int32)

    def _recurrence_ranks(self, wanted: Objective, players: frozenset[int]) -> Array:
        def force(region: Array) -> Array:
            self._check_limit()
            return self.can_force(region, players)

        if wanted.kind == STREETT:
            return streett_ranks(wanted, force)
        return response_ranks(
            wanted, force, lambda hold, reach: self.ranks(Objective(UNTIL, hold, reach), players)
        )

    def region(self, wanted: Objective, players: frozenset[int]) -> Array:
        """Return the turns at which the players can force their objective on fair plays: bool, by place and position.

        The others can always be fair to acts, so these matter only where something has to be reached without a bound, or again and again.
        """
        if not self.is_fairness_needed(wanted):
            ranks = self.ranks(wanted, players)
            return ranks == 0 if wanted.kind == UNLESS else ranks < NEVER
        game = FairGame(self.moves, self.space.states, players, self.fair, self._check_limit)
        return game.region(wanted)

    def is_fairness_needed(self, wanted: Objective) -> bool:
        """Return whether the assumptions can change what players can force."""
        has_formulas = any(one.formula is not None for one in self.fair)
        is_endless = wanted.kind == STREETT or (wanted.kind == UNTIL and wanted.most is None)
        return has_formulas or bool(self.fair and is_endless)

    def _check_limit(self) -> None:
        if self._meter.is_reached(self.space.states):
            raise Stopped

    def values(self, formula: Formula) -> Array:
        """Return the turns at which a formula holds; each formula is evaluated once."""
        if formula not in self._cache:
            self._cache[formula] = self._values(formula)
        return self._cache[formula]

    def _values(self, formula: Formula) -> Array:
        match formula:
            case Truth(value):
                return np.full((len(self.order), self.model.states), value)
            case Unary("!", operand):
                return ~self.values(operand)
            case Binary(operator, left, right) if operator in JOIN:
                return JOIN[operator](self.values(left), self.values(right))
            case Coalition():
                return self.region(self.objective(formula), self.players(formula))
        return np.tile(self.model.values(formula), (len(self.order), 1))

    def players(self, formula: Coalition) -> frozenset[int]:
        """The places of a coalition in the order."""
        return frozenset(self.order.index(name) for name in formula.names)

    def others(self, players: frozenset[int]) -> frozenset[int]:
        """The places of all other players."""
        return frozenset(range(len(self.order))) - players

    def objective(self, formula: Coalition) -> Objective:
        """Return the objective of a coalition."""
        bounded = formula.operand if isinstance(formula.operand, Bounded) else None
        path, most = (bounded.operand, bounded.most) if bounded else (formula.operand, None)
        kind, hold, reach, *_ = recurrence_of(path) or objective_of(path)
        return Objective(kind, self.values(hold), self.values(reach), most)


def opposite_objective(wanted: Objective) -> Objective | None:
    """Return the objective of the others: to prevent this one; None if it is of no such kind."""
    if wanted.kind == STREETT and not wanted.reach.any():
        return Objective(STREETT, ~wanted.reach, wanted.hold)
    if wanted.kind == STREETT and (wanted.hold | wanted.reach).all():
        return Objective(STREETT, wanted.reach, np.zeros_like(wanted.reach))
    if wanted.kind in RECURRENT:
        return None
    if wanted.kind == NEXT:
        return Objective(NEXT, wanted.hold, ~wanted.reach)
    kind = UNLESS if wanted.kind == UNTIL else UNTIL
    return Objective(kind, ~wanted.reach, ~wanted.hold & ~wanted.reach, wanted.most)


class Attractor:
    """A winning region, and the actions that stay in it."""

    def __init__(self, game: TurnGame, wanted: Objective, ranks: Array) -> None:
        self._game, self._wanted, self._ranks = game, wanted, ranks

    def choice(self, turn: Turn) -> Any:
        """The action to do, or None for a pass."""
        number = self._game.space.number(turn.position)
        rank = int(self._ranks[turn.place, number])
        if rank == NEVER:
            raise GridproofError("they have no strategy that is sure to succeed from here")
        following = (turn.place + 1) % len(self._game.order)
        if self._wanted.kind == NEXT:
            region = self._wanted.reach[following]
        elif self._wanted.kind in RECURRENT:
            region = self._ranks[following] <= self._highest_after(turn)
        elif self._wanted.kind == UNLESS:
            region = self._ranks[following] <= rank + (self._wanted.most is not None)
        else:
            region = self._ranks[following] < max(rank, 1)
        if region[number] or (self._wanted.kind != NEXT and self._is_over(turn, rank)):
            return None
        moves = self._game.moves[turn.place]
        first, last = np.searchsorted(moves.sources, [number, number + 1])
        good = first + np.flatnonzero(moves.are_inside(region)[first:last])
        return self._game.model.rows.graph.labels[int(moves.actions[good[0]])]

    def is_held(self, turn: Turn) -> bool:
        """Return whether `hold` is true; of what comes again and again, whether nothing is missed."""
        if self._wanted.kind in RECURRENT:
            rank = self.count_turns(turn)
            return rank < UNCONSTRAINED or (
                rank == UNCONSTRAINED and not self._value(self._wanted.hold, turn)
            )
        return self._value(self._wanted.hold, turn)

    def is_reached(self, turn: Turn) -> bool:
        """Return whether `reach` is true, and the play is over."""
        return self._wanted.kind not in RECURRENT and self._value(self._wanted.reach, turn)

    def _is_over(self, turn: Turn, rank: int) -> bool:
        """Return whether nothing is left to do, as after the last turn of a bound."""
        return self.is_reached(turn) or (self._wanted.kind == UNLESS and rank == self._wanted.most)

    def _value(self, values: Array, turn: Turn) -> bool:
        return bool(values[turn.place, self._game.space.number(turn.position)])

    def _highest_after(self, turn: Turn) -> int:
        is_held, is_reached = (self._value(one, turn) for one in (self._wanted.hold, self._wanted.reach))
        return highest_rank_after(self._wanted, self.count_turns(turn), is_held, is_reached)

    def is_valid_successor(self, turn: Turn, after: Turn) -> bool:
        """Return whether a turn may come after another, if something has to come again and again."""
        return self.count_turns(after) <= self._highest_after(turn)

    def count_turns(self, turn: Turn) -> int:
        """Return the largest number of turns to the objective."""
        return int(self._ranks[turn.place, self._game.space.number(turn.position)])


def answer(open_verdict: Verdict, space: StateSpace, meter: Meter, fair: Fair = ()) -> Verdict:
    """Return the verdict on a formula with coalitions, if the others are fair; GridproofError for other assumptions than acts."""
    if not space.complete:
        return open_verdict
    try:
        with meter.enforce():
            game = TurnGame(space, meter, fair)
            values = game.values(open_verdict.formula)
            verdict = replace(
                open_verdict,
                holds=bool(values[0, : game.model.starts].all()),
                satisfying=int(np.count_nonzero(values[0])),
            )
            try:
                return _explain(verdict, game, values)
            except (Stopped, MemoryError):
                return without_trace(verdict, meter)
    except (Stopped, MemoryError):
        return replace(open_verdict, stopped_by=meter.reason)


def _explain(verdict: Verdict, game: TurnGame, values: Array) -> Verdict:
    formula, holds, negated = verdict.formula, verdict.holds, False
    while isinstance(formula, Unary) and formula.operator == "!":
        formula, negated = formula.operand, not negated
    if not isinstance(formula, Coalition):
        return verdict
    wanted, players = game.objective(formula), game.players(formula)
    if game.is_fairness_needed(wanted):
        return replace(verdict, remarks=(*verdict.remarks, "under fairness, no strategy is shown"))
    numbers = [number for number in range(game.model.starts) if values[0, number] == holds]
    if holds is negated:  # the others have a strategy against it
        if not all(moves.is_deterministic for moves in game.moves):
            return verdict
        opposite = opposite_objective(wanted)
        if opposite is None:
            return replace(verdict, remarks=(*verdict.remarks, "no strategy of the others is shown"))
        wanted, players = opposite, game.others(players)
    begins = tuple(game.space[number] for number in numbers)
    names = tuple(name for place, name in enumerate(game.order) if place in players)
    judge = Attractor(game, wanted, game.ranks(wanted, players))
    strategy = Strategy(names, game.order, wanted.kind, begins, judge, wanted.most)
    return replace(verdict, strategy=strategy, trace=strategy.trace())
