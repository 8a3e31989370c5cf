"""The number that a strategy reaches, found by the rules alone: every play with it, against the worst answers of the others.

What has no way back is computed in fractions. Else the equations of all turns are iterated, from 0, or from 1 where something
may last for ever, so that the number is as exact as floating-point numbers are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.limit import check_stop
from gridproof.core.position import Position
from gridproof.prove.evaluate import Test, test_of
from gridproof.prove.formula import TRUE, Binary, Bounded, Formula, Quantity, Unary
from gridproof.prove.interval import Number
from gridproof.prove.quantity import mean_cost, measure_of
from gridproof.search.actors import Who

_CLOSE = 1e-15
_SWEEPS = 1_000_000

Choose = Callable[[Position[Any], int, int], Any]
"""(position, place in the order, steps left or 0) -> the action, None for a pass; GridproofError where nothing is known."""


class Node(NamedTuple):
    """A turn of a play: the position, the place of the player who acts, and the steps that are left, 0 without a bound."""

    position: Position[Any]
    place: int
    left: int


class Players(NamedTuple):
    """The players who take turns, and those who follow the strategy; nobody takes turns where all actions are one player's."""

    order: tuple[str | None, ...] = (None,)
    followers: tuple[str | None, ...] = (None,)
    takes_turns: bool = False


class Option(NamedTuple):
    """The mean cost of an action, and its outcomes."""

    cost: Fraction
    after: list[tuple[Fraction, Node]]


class PathFate:
    """The fate of a path with one operator, by its definition.

    Attributes
    ----------
    steps : int
        The bound; 0 without one.
    is_bounded : bool
    lasts : bool
        Whether it comes true on a play on which it is never decided.
    """

    def __init__(self, path: Formula, who: Who) -> None:
        bounded = path if isinstance(path, Bounded) else None
        self._operator, self._left, self._right = _split(bounded.operand if bounded else path)
        self._exactly = bool(bounded and bounded.sign == "=") or self._operator == "X"
        self.steps = bounded.most if bounded else int(self._operator == "X")
        self.is_bounded = self._exactly or bounded is not None
        self.lasts, self._who = self._operator in "GWR", who
        self._tests: tuple[Test, Test] | None = None

    def decide(self, position: Position[Any], left: int) -> bool | None:
        """Return whether the path has come true in a position, if so many steps are left; None while it is open."""
        if self._tests is None:
            hold, reach = (test_of(one, position.level, self._who) for one in (self._left, self._right))
            self._tests = hold, reach
        holds, reaches = (test(position) for test in self._tests)
        is_over = self.is_bounded and not left
        if self._exactly and not is_over:
            return None if holds else False
        if self.lasts:
            broken = not reaches if self._operator != "W" else not (holds or reaches)
            kept = {"G": False, "W": reaches, "R": holds}[self._operator]
            return False if broken else True if kept or is_over else None
        return True if reaches else None if holds and not is_over else False


def _split(path: Formula) -> tuple[str, Formula, Formula]:
    """Return an operator and its sides, TRUE for one that is not there."""
    match path:
        case Unary(operator, right):
            return operator, TRUE, right
        case Binary(operator, left, right):
            return operator, left, right
    raise TypeError(path)


class StrategyValue:
    """The number of a question that a strategy reaches if the others want the opposite.

    Parameters
    ----------
    asked : Quantity
        About one operator, perhaps with a bound.
    who : tuple
        The actors.
    players : Players
    choose : function
        The strategy.
    wants_more : bool
        Whether the strategy wants a great number.
    """

    def __init__(self, asked: Quantity, who: Who, players: Players, choose: Choose, wants_more: bool) -> None:
        self._asked, self._who, self._players, self._choose = asked, who, players, choose
        self._worst = min if wants_more else max
        self._unknown: Number = Fraction() if wants_more else math.inf if asked.measure else Fraction(1)
        self._fate = PathFate(asked.operand, who)

    def find(self, starts: Sequence[tuple[Fraction, Position[Any]]]) -> Number:
        """Return the mean number of the starts, each with its probability."""
        level = starts[0][1].level
        self._measure = measure_of(self._asked, level) if self._asked.measure else None
        roots = [(chance, Node(start, 0, self._fate.steps)) for chance, start in starts]
        options, values = dict[Node, list[Option]](), dict[Node, Number]()
        waiting = [node for _, node in roots]
        while waiting:
            check_stop()
            node = waiting.pop()
            if node in options or node in values:
                continue
            ends = self._ends(node)
            found = [] if ends is not None else self._options(node)
            if not found:
                values[node] = self._unknown if ends is None else ends
                continue
            options[node] = found
            waiting += [after for one in found for _, after in one.after]
        self._solve(options, values)
        total: Number = Fraction()
        for chance, node in roots:
            total += _times(chance, values[node])
        return total

    @staticmethod
    def _actions(position: Position[Any], who: Who) -> list[Any]:
        return [action for actor in who for action in position.actions(actor)]

    def _ends(self, node: Node) -> Number | None:
        """Return the number of a play that is decided; None where it goes on."""
        is_stuck = not self._fate.is_bounded and not self._actions(node.position, self._who)
        fate = self._fate.decide(node.position, node.left)
        if self._measure:
            return Fraction() if fate else math.inf if is_stuck else None
        if fate is None and is_stuck:
            return Fraction(self._fate.lasts)
        return None if fate is None else Fraction(fate)

    def _options(self, node: Node) -> list[Option]:
        """Return the actions that are possible against the strategy, or by it; none where it knows none."""
        order, followers, takes_turns = self._players
        player, after = order[node.place], (node.place + 1) % len(order)
        left = max(node.left - 1, 0)
        actions = self._actions(node.position, (player,) if takes_turns else self._who)
        pass_here = Option(Fraction(), [(Fraction(1), Node(node.position, after, left))])
        if player not in followers:
            chosen = actions
        elif not takes_turns and not actions:
            return [pass_here]  # what has no action is followed by itself
        else:
            try:
                action = self._choose(node.position, node.place, node.left)
            except GridproofError:
                return []
            if action is None and takes_turns:
                return [pass_here]
            if action not in actions:
                raise GridproofError(f"the strategy does what is not possible: {action}\n{node.position}")
            chosen = [action]
        found = [pass_here] if player not in followers else []
        for action in chosen:
            cost = mean_cost(self._measure, node.position, action) if self._measure else Fraction()
            outcomes = node.position.outcomes(action)
            found.append(
                Option(cost, [(one.probability, Node(one.position, after, left)) for one in outcomes])
            )
        return found

    def _solve(self, options: dict[Node, list[Option]], values: dict[Node, Number]) -> None:
        """Add the numbers of the nodes that have options."""
        following = {
            node: {after for one in found for _, after in one.after} for node, found in options.items()
        }
        try:
            for node in TopologicalSorter(following).static_order():
                if node in options:
                    values[node] = self._step(options[node], values)
        except CycleError:
            self._iterate(options, values)

    def _step(self, found: list[Option], values: dict[Node, Number]) -> Number:
        return self._worst(_mean(one, values) for one in found)

    def _iterate(self, options: dict[Node, list[Option]], values: dict[Node, Number]) -> None:
        begin = float(self._fate.lasts)
        values.update((node, float(value)) for node, value in values.items())
        ended = self._ending(options, values) if self._measure else options.keys()
        values.update((node, begin if node in ended else math.inf) for node in options)
        open_nodes = [node for node in reversed(options) if node in ended]
        for _ in range(_SWEEPS):
            check_stop()
            change = 0.0
            for node in open_nodes:
                after = float(self._step(options[node], values))
                change = max(change, abs(after - values[node]))
                values[node] = after
            if change <= _CLOSE:
                return

    def _ending(self, options: dict[Node, list[Option]], values: dict[Node, Number]) -> set[Node]:
        """Return the nodes from which a play ends almost surely, whatever the others do, so that a cost is finite."""
        ended = {*options}
        while True:
            nearer = {node for node, value in values.items() if value != math.inf}
            while more := {
                node
                for node in ended - nearer
                if all(
                    any(to in nearer for _, to in one.after)
                    and all(to in ended or values.get(to, math.inf) < math.inf for _, to in one.after)
                    for one in options[node]
                )
            }:
                nearer |= more
            if ended <= nearer:
                return ended
            ended &= nearer


def _mean(option: Option, values: dict[Node, Number]) -> Number:
    total: Number = option.cost
    for chance, after in option.after:
        total += _times(chance, values[after])
    return total


def _times(chance: Fraction, value: Number) -> Number:
    return chance * value if isinstance(value, Fraction) else float(chance) * value
