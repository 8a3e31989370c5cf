"""Strategies with a memory: players of one play, and the Markov chain of all their plays, by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import check_stop
from gridproof.core.position import Position
from gridproof.prove.chain_probability import Row
from gridproof.prove.turn_order import turn_order
from gridproof.search.space import StateSpace

Memory = Any
"""Memory of a strategy: a value that can be hashed; None where nothing is left to decide."""
Starts = Sequence[tuple[Fraction, Position[Any]]]


class MemoryStrategy:
    """A player of one play: called with its positions in turn, from a start on, it returns the actions that reach a value.

    What it does not expect after its last action has to be a start, from which it begins again. A subclass defines `begin`
    and `act`.
    """

    def __init__(self, space: StateSpace, starts: Starts) -> None:
        self.space, self.starts = space, starts
        self.players = turn_order(space.level, space.who)
        self._expected: dict[int, Memory] = {}
        """The memory in each position that may follow the last action."""

    def begin(self, number: int) -> Memory:
        """Return the memory at a start, by its number."""
        raise NotImplementedError

    def act(self, number: int, memory: Memory) -> tuple[Any, dict[int, Memory]] | None:
        """Return the action in a position, and the memory in each one that may follow; None where nothing is left to decide."""
        raise NotImplementedError

    def __call__(self, position: Position[Any]) -> Any:
        """Return the action in a position; GridproofError where nothing is left to decide, or it does not follow the last one."""
        number = self.space.number(position)
        found = self.act(number, self._recall(number))
        if found is None:
            raise GridproofError("nothing is left to decide in this position")
        action, self._expected = found
        return action

    def _recall(self, number: int) -> Memory:
        if number in self._expected:
            return self._expected[number]
        if number not in {self.space.number(start) for _, start in self.starts}:
            raise GridproofError(
                "the position does not follow the last one: the strategy plays one play from a start on"
            )
        return self.begin(number)


class PlayChain:
    """The chain of all plays of a strategy, by the rules; where nothing is left to decide, the first action is done.

    Parameters
    ----------
    strategy : MemoryStrategy
    begin, follow : functions
        What is observed of a play, a value that can be hashed: at a position, and after an observation at the next one.

    Attributes
    ----------
    states : list of (position, observation)
    rows : list of Row
    chances : list of float
        The probability of each state at the start.
    """

    def __init__(
        self,
        strategy: MemoryStrategy,
        begin: Callable[[Position[Any]], Any] = lambda position: None,
        follow: Callable[[Any, Position[Any]], Any] = lambda observed, position: None,
    ) -> None:
        self._strategy, self._follow, space = strategy, follow, strategy.space
        self._numbers: dict[tuple[Position[Any], Memory, Any], int] = {}
        self._waiting: list[tuple[Position[Any], Memory, Any]] = []
        firsts = [
            (chance, self._number(start, strategy.begin(space.number(start)), begin(start)))
            for chance, start in strategy.starts
        ]
        self.rows = list[Row]()
        for position, memory, observed in self._waiting:
            check_stop()
            self.rows.append(self._row(position, memory, observed))
        self.states = [(position, observed) for position, _, observed in self._waiting]
        self.chances = [0.0] * len(self.states)
        for chance, number in firsts:
            self.chances[number] += float(chance)

    def _number(self, position: Position[Any], memory: Memory, observed: Any) -> int:
        state = position, memory, observed
        if state not in self._numbers:
            self._numbers[state] = len(self._waiting)
            self._waiting.append(state)
        return self._numbers[state]

    def _row(self, position: Position[Any], memory: Memory, observed: Any) -> Row:
        space = self._strategy.space
        actions = [action for actor in space.who for action in position.actions(actor)]
        if not actions:
            after = self._follow(observed, position)
            return [(self._number(position, memory, after), 1.0)]
        found = None if memory is None else self._strategy.act(space.number(position), memory)
        action, memories = (actions[0], dict[int, Memory]()) if found is None else found
        if action not in actions:
            raise GridproofError(f"the strategy does what is not possible: {action}\n{position}")
        row = Row()
        for one in position.outcomes(action):
            remembered = memories[space.number(one.position)] if found else None
            after = self._follow(observed, one.position)
            row.append((self._number(one.position, remembered, after), float(one.probability)))
        return row
