"""Generalised Büchi automata whose transitions carry the marks, and how they are made smaller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gridproof.prove.formula import Formula


class Transition(NamedTuple):
    """What a letter must be, where it leads, and which marks it brings; all sets are bits of a whole number."""

    must: int
    """The atoms that hold."""
    not_any: int
    """The atoms that do not hold."""
    target: int
    marks: int

    def covers(self, other: Transition) -> bool:
        """Whether it can stand for the other."""
        wider = not self.must & ~other.must and not self.not_any & ~other.not_any
        return wider and self.target == other.target and not other.marks & ~self.marks


@dataclass(frozen=True, slots=True)
class Automaton:
    """It accepts a word when a run over it from state 0 sees each mark infinitely often."""

    atoms: tuple[Formula, ...]
    """What the bits of letters mean, the lowest first: formulas without temporal operators, and `[ACTION]`."""
    marks: int
    """How many marks there are."""
    transitions: tuple[tuple[Transition, ...], ...]
    """Of each state."""

    @property
    def universal(self) -> int | None:
        """A state that accepts every word, where a simple test finds one."""
        every = (1 << self.marks) - 1
        rows = enumerate(self.transitions)
        return next((state for state, row in rows if row == (Transition(0, 0, state, every),)), None)


def always(atom: Formula) -> Automaton:
    """The automaton of the paths on which an atom always holds."""
    return Automaton((atom,), 0, ((Transition(1, 0, 0, 0),),))


def merged(transitions: list[list[Transition]]) -> list[list[Transition]]:
    """The automaton with equivalent states merged."""
    classes, count = [0] * len(transitions), 1
    while True:
        rows = [
            _without_covered([one._replace(target=classes[one.target]) for one in row]) for row in transitions
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


def _without_covered(row: list[Transition]) -> list[Transition]:
    kept: list[Transition] = []
    for one in row:
        if not any(other.covers(one) for other in kept):
            kept = [*(other for other in kept if not one.covers(other)), one]
    return kept


def with_marks_that_count(
    atoms: tuple[Formula, ...], transitions: list[list[Transition]], marks: int
) -> Automaton:
    """The automaton without the marks that every transition carries."""
    missing = 0
    for row in transitions:
        for one in row:
            missing |= ~one.marks
    kept = [place for place in range(marks) if missing >> place & 1]
    return Automaton(
        atoms,
        len(kept),
        tuple(
            tuple(
                one._replace(marks=sum((one.marks >> old & 1) << new for new, old in enumerate(kept)))
                for one in row
            )
            for row in transitions
        ),
    )
