"""Strategies of values: players that reach the best or the worst value that was found, and their check by the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove.conditional_probability import ConditionalValues
from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.forced_values import ForcedCosts, ForcedRecurrence, ForcedValues
from gridproof.prove.formula import Coalition, Quantity
from gridproof.prove.graph_strategy import choose_for_goal, choose_greedily
from gridproof.prove.interval import Number
from gridproof.prove.interval_iteration import IntervalValues
from gridproof.prove.path_probability import PathValues
from gridproof.prove.quantity import SCORE, parse_question, plain_question, task_of
from gridproof.prove.quantity_solver import QuantityValues
from gridproof.prove.recurrence_strategy_value import RecurrenceStrategyValue
from gridproof.prove.strategy import NumberStrategy
from gridproof.prove.strategy_value import Players, StrategyValue
from gridproof.prove.turn_order import turn_order
from gridproof.prove.value import Value
from gridproof.prove.value_engines import weighted_starts
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

_DECIDED = "nothing is left to decide in this position"
_UNEXPLORED = "the position was not explored before the limit"


def strategy_of(found: Value, side: int) -> NumberStrategy:
    """Return the player that reaches the best (0) or the worst value (1); GridproofError where there is none."""
    if found.is_forced:
        return ForcedStrategy(found, side)
    if isinstance(found.values, PathValues):
        return found.values.strategy(side, weighted_starts(found.origin or found.level))
    if isinstance(found.values, ConditionalValues):
        return found.values.strategy(side)
    if found.question and task_of(found.question).steps is not None:
        return StepStrategy(found, side)
    return ValueStrategy(found, side)


class ValueStrategy:
    """A player: called with a position, it returns the action that reaches a value.

    In a graph with a way back, it is one choice for each position; else the action with the best value, the first of several.
    """

    def __init__(self, found: Value, side: int) -> None:
        self.players = turn_order(found.level, found.who)
        self._found, self._side = found, side
        self._space: StateSpace | None = None
        values, chosen = found.values, None
        if isinstance(values, QuantityValues):
            chosen = values.choose(side)
            self._space, self._process = values.space, values.process
        elif isinstance(values, IntervalValues):
            self._space, self._process = values.space, _process_of(values)
            chosen = _choose(values, self._process, side)
        self._chosen: Array | None = chosen

    def __call__(self, position: Position[Any]) -> Any:
        """Return the action in a position; GridproofError where nothing is left to decide, or the position was not found."""
        if self._found.values.of(position) is None:
            raise GridproofError("the position was not reached")
        bounds = self._found.bounds_of_actions(position, self._side)
        if not bounds:
            raise GridproofError(_DECIDED)
        if self._chosen is None or self._space is None:
            numbers = {action: one.middle for action, one in bounds.items()}
            return (max, min)[self._side](numbers, key=numbers.__getitem__)
        choice = int(self._chosen[self._space.number(position)])
        if choice < 0:
            raise GridproofError(_UNEXPLORED)
        return _label(self._process, choice)

    def verify(self) -> Number:
        """Play from the start, by the rules, and return the value that is reached: a fraction where nothing can come again."""
        return _verify(self._found, self._side, lambda position, place, left: self(position))


class StepStrategy:
    """A player of a question with a bound: called with a position and the number of actions that are left, it returns an action."""

    def __init__(self, found: Value, side: int) -> None:
        assert isinstance(found.values, QuantityValues)
        assert found.question
        self.players = turn_order(found.level, found.who)
        self._found, self._side, self._values = found, side, found.values
        self._steps = task_of(found.question).steps or 0
        self._choices = self._values.choose_by_steps(side)

    def __call__(self, position: Position[Any], left: int | None = None) -> Any:
        """Return the action in a position, by default the first of all; GridproofError where nothing is left to decide."""
        choice = self._choices.choose(self._values.space.number(position), _check_left(left, self._steps))
        if choice < 0:
            raise GridproofError(_DECIDED)
        return _label(self._values.process, choice)

    def verify(self) -> Number:
        """Play from the start, by the rules, and return the probability that is reached, a fraction."""
        return _verify(self._found, self._side, lambda position, place, left: self(position, left))


class ForcedStrategy:
    """Actions of a coalition, or of the others, at their turns: they force a probability or a low cost, whatever is done against them.

    Attributes
    ----------
    players : tuple of str
    order : tuple of str
        All who take turns.
    """

    def __init__(self, found: Value, side: int) -> None:
        assert found.question
        assert found.coalition is not None
        self._found, self._asked = found, found.question
        self.order = turn_order(found.level, found.who)
        self._wants = side == found.wanted_side
        self.players = tuple(one for one in self.order if (one in found.coalition) is self._wants)
        self._steps = task_of(self._asked).steps
        self._choose = self._chooser(Coalition(found.coalition, self._asked))

    def _chooser(self, asked: Coalition) -> Callable[[Position[Any], int, int], Any]:
        values = self._found.values
        if isinstance(values, ForcedCosts):
            if self._asked.is_more_wanted is self._wants:
                raise GridproofError("no strategy is known of those who force a high cost")
            return values.chooser()
        if isinstance(values, ForcedValues | ForcedRecurrence):
            return values.chooser(self._wants)
        plain = plain_question(asked, self.order)
        assert plain
        alone = replace(self._found, goal=str(plain), question=plain, coalition=None)
        inner = strategy_of(alone, int(plain.side == "min"))
        return lambda position, place, left: self._own_action(inner, position, place, left)

    def _own_action(self, inner: Callable[..., Any], position: Position[Any], place: int, left: int) -> Any:
        """Return the action that all together do in a position, if it is this player's; else None."""
        try:
            action = inner(position, left) if self._steps is not None else inner(position)
        except GridproofError as error:
            if str(error) == _DECIDED:
                return None
            raise
        return action if self._found.level.owner(action) == self.order[place] else None

    def __call__(self, position: Position[Any], player: str, left: int | None = None) -> Any:
        """Return the action of a player at its turn, None for a pass; with a bound, `left` turns are left, by default all.

        GridproofError for somebody else, and where nothing is known.
        """
        if player not in self.players:
            raise GridproofError(
                f"{player!r} is not a player of this strategy: {', '.join(self.players) or 'nobody'} is"
            )
        left = 0 if self._steps is None else _check_left(left, self._steps)
        return self._choose(position, self.order.index(player), left)

    def verify(self) -> Number:
        """Play against every answer, by the rules, and return the number that is reached at least, or at most."""
        assert self._found.origin is not None
        bounded = self._steps is not None
        check = (RecurrenceStrategyValue if task_of(self._asked).again else StrategyValue)(
            self._asked,
            self._found.who,
            Players(self.order, self.players, takes_turns=True),
            lambda position, place, left: self(position, self.order[place], left if bounded else None),
            self._asked.is_more_wanted is self._wants,
        )
        return check.find(weighted_starts(self._found.origin))


def _verify(found: Value, side: int, choose: Callable[[Position[Any], int, int], Any]) -> Number:
    """Return the value that a player reaches by the rules."""
    asked = found.question
    if asked is None:
        text = 'R{"score"}=? [F ended]' if found.goal == SCORE else f"P=? [F ({found.goal})]"
        parsed = parse_question(text, found.level)
        assert isinstance(parsed, Quantity)
        asked = parsed
    assert found.origin is not None
    return StrategyValue(asked, found.who, Players(), choose, not side).find(weighted_starts(found.origin))


def _check_left(left: int | None, steps: int) -> int:
    """Return the number of steps that are left, all by default."""
    if left is not None and not 1 <= left <= steps:
        raise GridproofError(f"from 1 to {steps} may be left, not {left}")
    return steps if left is None else left


def _label(process: DecisionProcess, choice: int) -> Any:
    return process.graph.labels[int(process.graph.actions[process.begins[choice]])]


def _process_of(values: IntervalValues) -> DecisionProcess:
    cut = ~values.reached
    cut[: values.space.expanded_count] = False
    return DecisionProcess(values.space.partial_graph(), values.reached, cut)


def _choose(values: IntervalValues, process: DecisionProcess, side: int) -> Array:
    if side:
        return choose_greedily(process, values.bounds[1].high, best=False)
    return choose_for_goal(process, values.reached, values.bounds[0].low)
