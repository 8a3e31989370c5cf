"""Checker of the kind "path-quantity": bounds of the probability of a formula of LTL, by the product with its automaton.

A line is `[TEXT, [ENTRY, ...], [ENTRY, ...]]`: a position with states of the limit-deterministic automaton of the formula, and
of that of its negation. The worst play for the formula is the best one for the negation. An entry is `[STATE, LOW, HIGH,
LEVEL, RANK, GOAL RANK, ...]`: the number of the state, with bounds of the greatest probability that the automaton accepts.
In the first line, `letters` are the sets of true propositions that occur, as bits; the automaton is made for them, in that order.

LOW is at most the mean after one choice, of which some outcome has a lower RANK: so the play comes to entries with the rank 0.
From these, for each goal of the automaton, some choice leads to entries with the rank 0 alone, and brings the goal true
here or has an outcome with a lower rank of that goal: so all goals come true again and again. HIGH is at least the mean
after each choice. Among entries whose HIGH is below 1, a choice has an outcome with a lower LEVEL, or all its outcomes have
the same one, and one goal, the remainder of the level by the number of goals, is missing here: so no path stays there and is
accepted. What is not listed has the bounds 0 and 1. A jump of the automaton is a choice, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect
from gridproof.prove.checkers.bellman import BEST, WORST, check_bounds
from gridproof.prove.checkers.goal_statements import bounds_text, read_fraction, start_chances
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.quantity_statement import PathQuantityStatement
from gridproof.prove.evaluate import test_of
from gridproof.prove.limit_deterministic import MOST_OPERATORS, NOWHERE


class _Entry(NamedTuple):
    """Claims about a position with a state."""

    low: Fraction
    high: Fraction
    level: int = 0
    rank: int = 0
    goal_ranks: tuple[int, ...] = ()

    @property
    def stays(self) -> bool:
        """True if a path can stay where the automaton accepts."""
        return self.rank == 0 and self.low > 0


_UNKNOWN = _Entry(Fraction(0), Fraction(1))
_ACCEPTED = _Entry(Fraction(1), Fraction(1), goal_ranks=(-1,) * MOST_OPERATORS)
_REFUSED = _Entry(Fraction(0), Fraction(0), level=-1)
_Choice = list[tuple[Fraction, _Entry]]


def check(said: PathQuantityStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_bounds(PathQuantityChecker(said, PositionList(said, listed)), listed, positions)


class PathQuantityChecker:
    """The entries of the listed positions."""

    def __init__(self, said: PathQuantityStatement, positions: PositionList) -> None:
        self._said, self.positions, self._automata = said, positions, said.automata
        self._tests = [test_of(task.reach, said.level, said.who) for task in said.tasks]
        self._lines: list[list[dict[int, _Entry]]] = []

    def store(self, values: list[Any]) -> bool:
        """Store the entries of a line; return whether they are entries."""
        found: list[dict[int, _Entry]] = []
        for entries, automaton in zip(values, self._automata, strict=False):
            read = list(map(_read_entry, entries)) if isinstance(entries, list) else [None]
            side = dict(one for one in read if one)
            if len(side) != len(read) or any(state >= len(automaton.states) for state in side):
                return False
            found.append(side)
        self._lines.append(found or [{}, {}])
        return len(values) in (0, len(self._automata))

    def _entry(self, side: int, line: int, state: int) -> _Entry:
        """Return what is claimed, or known, of a line with a state."""
        if state == NOWHERE:
            return _REFUSED
        if self._automata[side].states[state].is_sure:
            return _ACCEPTED
        return self._lines[line - 2][side].get(state, _UNKNOWN) if line else _UNKNOWN

    def check_starts(self) -> None:
        """Check that the bounds of the starts have the claimed means."""
        starts = [(chance, self.positions.find(start)) for chance, start in start_chances(self._said)]
        for side in (BEST, WORST):
            low, high = (self._said.best, self._said.worst)[side]
            assert high is not None
            inner = (1 - high, 1 - low) if side == WORST else (low, high)
            entries = [(chance, self._entry(side, line, 0)) for chance, line in starts]
            if inner[0] > _mean_low(entries) or inner[1] < _mean_high(entries):
                raise Defect(1, f"the bounds of the starts do not prove {bounds_text(low, high)}")

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the entries of a listed position."""
        letter = sum(test(position) << bit for bit, test in enumerate(self._tests))
        if not any(self._lines[line - 2]):
            return
        if letter not in self._said.letters:
            raise Defect(line, f"the letter {letter} is not listed:\n{position.text()}")
        place, actions = self._said.letters.index(letter), list(self._actions(line, position))
        for side, automaton in enumerate(self._automata):
            for state, entry in self._lines[line - 2][side].items():
                after = automaton.targets[state][place]
                choices = [[(chance, self._entry(side, to, after)) for chance, to in one] for one in actions]
                choices += [[(Fraction(1), self._entry(side, line, jump))] for jump in automaton.jumps[state]]
                goals, missing = automaton.states[state].goals, automaton.missing[state][place]
                bits = None if goals is None else [bool(missing >> goal & 1) for goal in range(len(goals))]
                if not (_is_low(entry, choices, bits) and all(_is_high(entry, one, bits) for one in choices)):
                    raise Defect(line, f"the bounds of state {state} are wrong:\n{position.text()}")

    def _actions(self, line: int, position: Position[Any]) -> Iterator[list[tuple[Fraction, int]]]:
        """Yield the outcomes of each action with their lines; where there is none, the position is followed by itself."""
        is_stuck = True
        for actor in self._said.who:
            for action in position.actions(actor):
                is_stuck = False
                outcomes = position.outcomes(action)
                yield [(one.probability, self.positions.line_of(one.position)) for one in outcomes]
        if is_stuck:
            yield [(Fraction(1), line)]


def _read_entry(values: Any) -> tuple[int, _Entry] | None:
    """Return the state and the rest of an entry; None if it is none."""
    if not isinstance(values, list) or len(values) < 5:
        return None
    state, low, high, *numbers = values
    below, above, (level, rank, *goal_ranks) = read_fraction(low), read_fraction(high), numbers
    if any(type(one) is not int or one < 0 for one in (state, *numbers)) or below is None or above is None:
        return None
    return state, _Entry(below, above, level, rank, tuple(goal_ranks))


def _mean_low(outcomes: Iterable[tuple[Fraction, _Entry]]) -> Fraction:
    return sum((chance * one.low for chance, one in outcomes), Fraction(0))


def _mean_high(outcomes: Iterable[tuple[Fraction, _Entry]]) -> Fraction:
    return sum((chance * one.high for chance, one in outcomes), Fraction(0))


def _is_low(entry: _Entry, choices: list[_Choice], missing: list[bool] | None) -> bool:
    """Return whether a lower bound is right; `missing` tells of each goal whether it does not come true here."""
    if not entry.stays:
        return not entry.low or any(
            entry.low <= _mean_low(one) and any(not after.low or after.rank < entry.rank for _, after in one)
            for one in choices
        )
    staying = [one for one in choices if all(after.stays for _, after in one)]
    return (
        missing is not None
        and entry.low <= 1
        and len(entry.goal_ranks) == len(missing)
        and bool(staying)
        and all(
            not is_missing or any(_is_nearer(goal, rank, one) for one in staying)
            for goal, (is_missing, rank) in enumerate(zip(missing, entry.goal_ranks, strict=True))
        )
    )


def _is_nearer(goal: int, rank: int, choice: _Choice) -> bool:
    """Return whether some outcome has a lower rank of a goal."""
    return any(after.goal_ranks[goal : goal + 1] < (rank,) for _, after in choice)


def _is_high(entry: _Entry, choice: _Choice, missing: list[bool] | None) -> bool:
    """Return whether an upper bound is right for a choice."""
    if entry.high < _mean_high(choice):
        return False
    if entry.high >= 1 or any(after.high >= 1 or after.level < entry.level for _, after in choice):
        return True
    is_same = all(after.level == entry.level for _, after in choice)
    return is_same and (missing is None or (bool(missing) and missing[entry.level % len(missing)]))
