"""Tableau of a formula of LTL with past, for the checker: small enough to be read (Clarke, Grumberg, Hamaguchi 1997).

A node of the product is a position and some bits. The lowest bit says that the path begins here, and asks for the
formula. Then there is a bit for each promise: a formula that must have this truth now, X and the fixpoints of the future.
The last bits say of each operator of the past what it was one step ago (of `Y p`, what p was). A path that begins at a
start has exactly one sequence of true bits, so it stays in the nodes that follow from the first one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from gridproof.core.errors import GridproofError
from gridproof.prove.formula import (
    FUTURE,
    PAST,
    QUANTIFIERS,
    TEMPORAL,
    Binary,
    Coalition,
    Formula,
    Next,
    Unary,
    parts,
)

MOST_PROMISES = 10
"""The most operators of the future; each doubles the nodes."""


MOST_PAST = 32


class Tableau:
    """Nodes that follow from each other, with the marks of a step: all marks occur again and again on a true path.

    So do the formulas of `again`, which have no operators of the future.
    """

    def __init__(self, formula: Formula, again: Sequence[Formula] = ()) -> None:
        self.formula, self._again = formula, again
        inside = list(dict.fromkeys(part for one in (formula, *again) for part in _path_parts(one)))
        operators = [one for one in inside if isinstance(one, Unary | Binary) and one.operator in TEMPORAL]
        future = [one for one in operators if one.operator in FUTURE]
        self._promises = promises_of(formula)
        self._fixpoints = [one for one in future if one.operator != "X"]
        self._past = [one for one in operators if one.operator in PAST]
        if len(self._promises) > MOST_PROMISES or len(self._past) > MOST_PAST:
            raise GridproofError(
                f"a certificate has at most {MOST_PROMISES} operators of the future and {MOST_PAST} of the past for a path"
            )
        self.atoms = [one for one in inside if is_about_positions(one)]
        """The largest parts about positions alone, in the order of the bits of `truths`."""
        self.nexts = [one for one in inside if isinstance(one, Next)]
        """The parts `[ACTION]`, in the order of the bits of `letter`."""
        self.marks = len(self._fixpoints) + len(again)
        self._width = 1 << len(self._promises)
        self._all = (1 << self._width) - 1
        self.follow = functools.lru_cache(maxsize=1 << 14)(self._follow)

    @property
    def first(self) -> int:
        """The bits of a start."""
        before = (1 << place for place, one in enumerate(self._past) if one.operator in "HT")
        return 1 | sum(before) << 1 + len(self._promises)

    def letter(self, action: str | None) -> int:
        """Return which `[ACTION]` are true of an action."""
        return sum(1 << place for place, one in enumerate(self.nexts) if one.action == action)

    def _follow(self, truths: int, letter: int, bits: int) -> Sequence[tuple[int, int]]:
        """Return the bits that can follow, each with the marks of the step: from a position with these truths by an action."""
        step = _Step(self, truths, letter, bits >> 1 + len(self._promises))
        possible = self._all
        if bits & 1:
            possible &= step.table(self.formula)
        else:
            for place, promise in enumerate(self._promises, 1):
                possible &= step.table(promise) if bits >> place & 1 else ~step.table(promise)
        past = [step.table(parts(one)[0] if one.operator == "Y" else one) for one in self._past]
        marks = [step.mark(one) for one in self._fixpoints] + [step.table(one) for one in self._again]
        return [
            (guess << 1 | _column(past, guess) << 1 + len(self._promises), _column(marks, guess))
            for guess in range(self._width)
            if possible >> guess & 1
        ]

    def constant(self, value: object) -> int:
        """Return the table of a truth that no guess changes."""
        return self._all if value else 0

    def guess_of(self, promise: Formula) -> int:
        """Return the table of the truth of a promise at the next step: the guesses that have its bit."""
        place = self._promises.index(promise)
        return sum(1 << guess for guess in range(self._width) if guess >> place & 1)

    def was(self, one: Formula, past: int) -> int:
        """Return the table of what an operator of the past was one step ago."""
        return self.constant(past >> self._past.index(one) & 1)  # type: ignore[arg-type]  # it is one of them


def promises_of(formula: Formula) -> list[Formula]:
    """Return what a path may promise: what follows X, and the fixpoints of the future, each once."""
    future = (one for one in _path_parts(formula) if getattr(one, "operator", "") in FUTURE)
    return list(
        dict.fromkeys(parts(one)[0] if getattr(one, "operator", "") == "X" else one for one in future)
    )


def is_about_positions(formula: Formula) -> bool:
    """Return whether a formula has no temporal operators or `[ACTION]` outside A, E and coalitions."""
    if isinstance(formula, Next | Coalition):
        return isinstance(formula, Coalition)
    operator = getattr(formula, "operator", "")
    return operator in QUANTIFIERS or (
        operator not in TEMPORAL and all(map(is_about_positions, parts(formula)))
    )


def _path_parts(formula: Formula) -> Iterator[Formula]:
    """Yield a formula and its parts, each before those inside it; not what is inside a formula about positions."""
    yield formula
    if not is_about_positions(formula):
        for part in parts(formula):
            yield from _path_parts(part)


def _column(tables: Sequence[int], guess: int) -> int:
    return sum((table >> guess & 1) << place for place, table in enumerate(tables))


class _Step:
    """Truth tables at one step: a bit for each guess of the promises of the next step."""

    def __init__(self, tableau: Tableau, truths: int, letter: int, past: int) -> None:
        self._tableau, self._truths, self._letter, self._past = tableau, truths, letter, past
        self._cache: dict[Formula, int] = {}

    def table(self, formula: Formula) -> int:
        """Return the guesses for which a formula holds."""
        if formula not in self._cache:
            self._cache[formula] = self._table(formula)
        return self._cache[formula]

    def _table(self, formula: Formula) -> int:
        tableau, everything = self._tableau, self._tableau.constant(True)
        if formula in tableau.atoms:
            return tableau.constant(self._truths >> tableau.atoms.index(formula) & 1)
        match formula:
            case Next():
                return tableau.constant(self._letter >> tableau.nexts.index(formula) & 1)
            case Unary("!", operand):
                return everything & ~self.table(operand)
            case Unary("X", operand):
                return tableau.guess_of(operand)
            case Unary("Y", _):
                return tableau.was(formula, self._past)
            case Binary(("&" | "|" | "->" | "<->") as operator, left, right):
                one, two = self.table(left), self.table(right)
                same = everything & ~(one ^ two)
                return {"&": one & two, "|": one | two, "->": everything & ~one | two, "<->": same}[operator]
            case Unary(operator, _) | Binary(operator, _, _):
                hold, goal = self._sides(formula)
                after = tableau.was(formula, self._past) if operator in PAST else tableau.guess_of(formula)
                return goal | hold & after
        raise TypeError(formula)

    def _sides(self, formula: Formula) -> tuple[int, int]:
        """Return the tables of what must hold meanwhile, and of the goal."""
        *left, right = (self.table(part) for part in parts(formula))
        match getattr(formula, "operator", ""):
            case "F" | "O":
                return self._tableau.constant(True), right
            case "G" | "H":
                return right, 0
            case "R" | "T":
                return right, left[0] & right
        return left[0], right

    def mark(self, formula: Unary | Binary) -> int:
        """Return the guesses for which a step keeps the promise of a fixpoint: the goal comes, or it was not promised."""
        hold, goal = self._sides(formula)
        everything, value = self._tableau.constant(True), self.table(formula)
        if formula.operator in "FU":
            return goal | everything & ~value
        return value | everything & ~hold


def truths_of(values: Iterator[bool]) -> int:
    """Return the truths of atoms as bits."""
    return sum(1 << place for place, value in enumerate(values) if value)
