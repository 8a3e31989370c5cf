"""Probability of a formula of LTL in a Markov chain, whose states are split by the truth of one operator after the other.

The truth of a temporal operator is drawn in each state, with its probability there, and the steps from the state are those that
agree with it (C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic verification", 1995). Probabilities of 0
and 1 are found by the graph alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gridproof.core.limit import check_stop
from gridproof.prove.formula import TRUE, Binary, Formula, Truth, Unary, negate, parts

Row = list[tuple[int, float]]
"""The states that may follow one, with their probabilities."""

_JOIN: dict[str, Callable[[bool, bool], bool]] = {
    "&": lambda left, right: left and right,
    "|": lambda left, right: left or right,
    "->": lambda left, right: not left or right,
    "<->": lambda left, right: left is right,
}
_CLOSE = 1e-16
_SWEEPS = 1_000_000


class _Agreement(NamedTuple):
    """The steps that agree with a truth: that of `after` at the next state (X), or its own at the next state where it `waits` (U)."""

    after: list[bool] | None = None
    waits: list[bool] | None = None

    def is_tied(self, number: int) -> bool:
        """Return whether the truth in a state depends on the next one."""
        return self.after is not None or bool(self.waits and self.waits[number])

    def agrees(self, number: int, truth: bool, to: int, next_truth: bool) -> bool:
        """Return whether a step agrees with the truths in both states."""
        if self.after is not None:
            return self.after[to] is truth
        return not self.is_tied(number) or next_truth is truth


class Chain:
    """A Markov chain; a state that nothing follows is followed by itself.

    Parameters
    ----------
    rows : list of Row
    truths : dict
        The truth of each atom in each state.
    starts : list of float
        The probability of each state at the start.
    """

    def __init__(self, rows: list[Row], truths: dict[Formula, list[bool]], starts: list[float]) -> None:
        self._rows = [row or [(number, 1.0)] for number, row in enumerate(rows)]
        self._truths, self._chances = dict(truths), starts

    def probability(self, formula: Formula) -> float:
        """Return the probability of a formula at the start."""
        truth = self._settle(formula)
        return sum(chance for chance, one in zip(self._chances, truth, strict=True) if one)

    def _settle(self, formula: Formula) -> list[bool]:
        """Return the truth of a formula in each state, perhaps after splitting."""
        if formula not in self._truths:
            for part in parts(formula):
                self._settle(part)
            self._truths[formula] = self._truth(formula)
        return self._truths[formula]

    def _truth(self, formula: Formula) -> list[bool]:
        match formula:
            case Truth(value):
                return [value] * len(self._rows)
            case Unary("!", operand):
                return [not one for one in self._settle(operand)]
            case Unary("F", operand):
                return self._settle(Binary("U", TRUE, operand))
            case Unary("G", operand):
                return self._settle(negate(Binary("U", TRUE, negate(operand))))
            case Unary("X", operand):
                after = self._settle(operand)
                chances = [sum(chance for to, chance in row if after[to]) for row in self._rows]
                return self._split([_snap(one) for one in chances], _Agreement(after=after))
            case Binary("U", left, right):
                self._settle(left)
                reach = self._settle(right)
                hold = self._truths[left]
                waits = [holds and not ends for holds, ends in zip(hold, reach, strict=True)]
                return self._split(until_chances(self._rows, waits, reach), _Agreement(waits=waits))
            case Binary("W", left, right):
                return self._settle(Binary("|", Binary("U", left, right), Unary("G", left)))
            case Binary("R", left, right):
                return self._settle(negate(Binary("U", negate(left), negate(right))))
        left, right = parts(formula)
        self._settle(left)
        after, before = self._settle(right), self._truths[left]
        join = _JOIN[getattr(formula, "operator", "")]
        return [join(*pair) for pair in zip(before, after, strict=True)]

    def _split(self, chances: Sequence[float], step: _Agreement) -> list[bool]:
        """Split each state by a truth with these probabilities."""
        check_stop()
        share = {
            (n, truth): one if truth else 1 - one for n, one in enumerate(chances) for truth in (True, False)
        }
        states = [state for state, part in share.items() if part]
        numbers = {state: number for number, state in enumerate(states)}
        rows = list[Row]()
        for number, truth in states:
            whole = share[number, truth] if step.is_tied(number) else 1.0
            rows.append(
                [
                    (numbers[to, one], chance * share[to, one] / whole)
                    for to, chance in self._rows[number]
                    for one in (True, False)
                    if share[to, one] and step.agrees(number, truth, to, one)
                ]
            )
        self._chances = [self._chances[number] * share[number, truth] for number, truth in states]
        self._truths = {one: [values[number] for number, _ in states] for one, values in self._truths.items()}
        self._rows = rows
        return [truth for _, truth in states]


def _snap(chance: float) -> float:
    """Return a sum of probabilities, without the rounding of 1."""
    return 1.0 if chance > 1 - 1e-12 else chance


def until_chances(rows: list[Row], waits: list[bool], reach: list[bool]) -> list[float]:
    """Return the probability of each state to reach something through states that wait."""
    before: list[list[int]] = [[] for _ in rows]
    for number, row in enumerate(rows):
        for to, _ in row:
            before[to].append(number)
    able = _backwards(before, waits, reach)
    doubtful = _backwards(
        before, [one and not ends for one, ends in zip(waits, reach, strict=True)], [not one for one in able]
    )
    found = [float(one and not unsure) for one, unsure in zip(able, doubtful, strict=True)]
    open_states = [n for n, (one, unsure) in enumerate(zip(able, doubtful, strict=True)) if one and unsure]
    for _ in range(_SWEEPS):
        change = 0.0
        for number in reversed(open_states):
            after = sum(chance * found[to] for to, chance in rows[number])
            change, found[number] = max(change, after - found[number]), after
        if change <= _CLOSE:
            break
    return found


def _backwards(before: list[list[int]], through: list[bool], ends: list[bool]) -> list[bool]:
    """Return the states from which some ends can be reached through others."""
    found, waiting = list(ends), [number for number, one in enumerate(ends) if one]
    while waiting:
        for number in before[waiting.pop()]:
            if through[number] and not found[number]:
                found[number] = True
                waiting.append(number)
    return found
