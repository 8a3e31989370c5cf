"""Generalised Büchi automata whose transitions carry the marks, and their reduction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gridproof.prove.formula import Formula, Next


class Transition(NamedTuple):
    """A condition on the letter, a target, and the marks of a step; all sets are bits of a whole number."""

    must: int
    """The atoms that hold."""
    not_any: int
    """The atoms that do not hold."""
    target: int
    marks: int

    def literals(self) -> Iterator[tuple[int, bool]]:
        """Yield the numbers of the atoms in the condition, each with whether it holds."""
        for bits, holds in ((self.must, True), (self.not_any, False)):
            yield from ((number, holds) for number in range(bits.bit_length()) if bits >> number & 1)

    def covers(self, other: Transition) -> bool:
        """Return whether it makes the other needless."""
        wider = not self.must & ~other.must and not self.not_any & ~other.not_any
        return wider and self.target == other.target and not other.marks & ~self.marks


@dataclass(frozen=True, slots=True)
class Automaton:
    """It accepts a word when a run over it from state 0 sees each mark infinitely often."""

    atoms: tuple[Formula, ...]
    """Meanings of the bits of letters, the lowest first: formulas about positions, and `[ACTION]`."""
    marks: int
    """The number of marks."""
    transitions: tuple[tuple[Transition, ...], ...]
    """The transitions of each state."""

    @property
    def universal(self) -> int | None:
        """A state that accepts every word, where a simple test finds one."""
        every = (1 << self.marks) - 1
        rows = enumerate(self.transitions)
        return next((state for state, row in rows if row == (Transition(0, 0, state, every),)), None)

    def deciding_conditions(self, state: int) -> list[Transition]:
        """Return the transitions to the universal state that do not depend on the next action."""
        acts = sum(1 << bit for bit, atom in enumerate(self.atoms) if isinstance(atom, Next))
        return [
            one
            for one in self.transitions[state]
            if one.target == self.universal and not (one.must | one.not_any) & acts
        ]


def invariant_automaton(atom: Formula) -> Automaton:
    """Return the automaton of the paths on which an atom always holds."""
    return Automaton((atom,), 0, ((Transition(1, 0, 0, 0),),))


def absorb_universal_states(transitions: list[list[Transition]], marks: int) -> list[list[Transition]]:
    """Return the transitions with a loop in place of those of states that accept every word, as far as marks tell."""
    every = (1 << marks) - 1
    states, known = set(range(len(transitions))), -1
    while len(states) != known:
        known = len(states)
        states = {
            state
            for state in states
            if _covers_all_letters(
                [
                    (one.must, one.not_any)
                    for one in transitions[state]
                    if one.target in states and one.marks == every
                ]
            )
        }
    return [
        [Transition(0, 0, state, every)] if state in states else row for state, row in enumerate(transitions)
    ]


def _covers_all_letters(conditions: list[tuple[int, int]]) -> bool:
    """Return whether each letter meets one of some conditions: the atoms that hold, and those that do not."""
    if (0, 0) in conditions:
        return True
    if sum(0.5 ** (must.bit_count() + not_any.bit_count()) for must, not_any in conditions) < 1:
        return False  # each covers that part of all letters
    first = conditions[0][0] | conditions[0][1]
    bit = first & -first
    return all(
        _covers_all_letters([(one[0] & ~bit, one[1] & ~bit) for one in conditions if not one[excluded] & bit])
        for excluded in (0, 1)
    )


def merge_states(transitions: list[list[Transition]]) -> list[list[Transition]]:
    """Merge equivalent states."""
    classes, count = [0] * len(transitions), 1
    while True:
        rows = [
            _drop_covered([one._replace(target=classes[one.target]) for one in row]) for row in transitions
        ]
        numbers: dict[tuple[int, frozenset[Transition]], int] = {}
        refined = [
            numbers.setdefault((number, frozenset(row)), len(numbers))
            for number, row in zip(classes, rows, strict=True)
        ]
        if len(numbers) == count:
            break
        classes, count = refined, len(numbers)
    firsts = [classes.index(number) for number in range(count)]
    return [rows[first] for first in firsts]


def _drop_covered(row: list[Transition]) -> list[Transition]:
    maximal: list[Transition] = []
    for one in row:
        if not any(other.covers(one) for other in maximal):
            maximal = [*(other for other in maximal if not one.covers(other)), one]
    return maximal


def drop_common_marks(
    atoms: tuple[Formula, ...], transitions: list[list[Transition]], marks: int
) -> Automaton:
    """Return the automaton without the marks that every transition carries."""
    missing = 0
    for row in transitions:
        for one in row:
            missing |= ~one.marks
    remaining = [place for place in range(marks) if missing >> place & 1]
    return Automaton(
        atoms,
        len(remaining),
        tuple(
            tuple(
                one._replace(marks=sum((one.marks >> old & 1) << new for new, old in enumerate(remaining)))
                for one in row
            )
            for row in transitions
        ),
    )
