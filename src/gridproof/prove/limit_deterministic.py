"""Limit-deterministic Büchi automata of formulas of LTL, for the greatest probability that a formula holds.

A state of the initial part is what is left of the formula after the letters so far. At any time the automaton may jump, with
a guess: which operators U hold again and again, and which operators W always from some time on. The accepting part, which is
deterministic, then checks the guess: one condition must never fail, others must come true again and again (J. Esparza,
J. Křetínský and S. Sickert, "One theorem to rule them all: a unified translation of LTL into ω-automata", LICS 2018). In a
decision process, the greatest probability to jump rightly is that of the formula (S. Sickert, J. Esparza, S. Jaax and J.
Křetínský, "Limit-deterministic Büchi automata for linear temporal logic", CAV 2016).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.limit import check_stop
from gridproof.prove.formula import FALSE, TRUE, Binary, Formula, Truth, Unary, negate, parts, subformulas

Letter = frozenset[Formula]
"""The atoms that hold in a position."""
Clauses = frozenset[frozenset[Formula]]
"""A disjunction of conjunctions of literals and temporal operators, none of which implies another: one for each meaning."""

_ALWAYS: Clauses = frozenset([frozenset()])
_NEVER: Clauses = frozenset()
NOWHERE = -1
"""The target where nothing is accepted any more."""
MOST_OPERATORS = 8
_MOST_ATOMS = 62
_MOST_STATES, _MOST_CLAUSES = 1000, 256


class AutomatonState(NamedTuple):
    """State: what must hold from here on; in the accepting part, also what must come true again and again."""

    clauses: Clauses
    goals: tuple[tuple[Formula, Clauses], ...] | None = None
    """Each goal, with what is left of it this time; None in the initial part."""

    @property
    def is_sure(self) -> bool:
        """True if every word is accepted."""
        return self.clauses == _ALWAYS and not self.goals


class LimitDeterministic(NamedTuple):
    """A limit-deterministic automaton for some letters; the first state is the initial one."""

    states: list[AutomatonState]
    targets: list[list[int]]
    """The state after each letter, from each state; NOWHERE if nothing is accepted any more."""
    missing: list[list[int]]
    """The goals, as bits, that a letter does not bring true from a state. None may be missing for ever."""
    jumps: list[list[int]]
    """The states of the accepting part that each state may jump to."""


def atoms_of(path: Formula) -> list[Formula]:
    """Return the statements about single positions in a formula; GridproofError for too many."""
    leaves = [one for one in subformulas(path) if not parts(one) and not isinstance(one, Truth)]
    found = list(dict.fromkeys(leaves))
    if len(found) > _MOST_ATOMS:
        raise GridproofError(
            f"a probability is that of a formula with at most {_MOST_ATOMS} different propositions"
        )
    return found


def automaton_of(formula: Formula, letters: Sequence[Letter]) -> LimitDeterministic:
    """Return the automaton of a formula without operators of the past; GridproofError if it would be too large."""
    builder = _Progression()
    wanted = normalize(formula, True)
    if len(_operators([wanted])) > MOST_OPERATORS:
        raise GridproofError(
            f"a probability is that of a formula with at most {MOST_OPERATORS} operators F, G, U, W and R"
        )
    states = [AutomatonState(clauses_of(wanted))]
    numbers = {states[0]: 0}
    found = LimitDeterministic(states, [], [], [])

    def number(state: AutomatonState) -> int:
        if state.clauses == _NEVER:
            return NOWHERE
        if state not in numbers:
            numbers[state] = len(states)
            states.append(state)
            if len(states) > _MOST_STATES:
                raise _too_large()
        return numbers[state]

    for state in states:
        check_stop()
        after = [builder.follow(state, letter) for letter in letters]
        found.targets.append([number(target) for target, _ in after])
        found.missing.append([missing for _, missing in after])
        is_open = state.goals is None and not state.is_sure
        found.jumps.append(
            sorted({number(one) for one in _guesses(state.clauses)} - {NOWHERE}) if is_open else []
        )
    return found


def normalize(formula: Formula, positive: bool) -> Formula:
    """Return a formula, or its opposite, with `!` before atoms only, and the operators & | X U W."""
    match formula:
        case Truth(value):
            return TRUE if value is positive else FALSE
        case Unary("!", operand):
            return normalize(operand, not positive)
        case Unary("X", operand):
            return _next(normalize(operand, positive))
        case Unary("F" | "G" as operator, operand):
            inner = normalize(operand, positive)
            return _until(TRUE, inner) if (operator == "F") is positive else _unless(inner, FALSE)
        case Binary("<->", left, right):
            pairs = [(normalize(left, one), normalize(right, one is positive)) for one in (True, False)]
            return _or(*(_and(*pair) for pair in pairs))
        case Binary("->", left, right):
            join = _or if positive else _and
            return join(normalize(left, not positive), normalize(right, positive))
        case Binary(("&" | "|") as operator, left, right):
            join = _and if (operator == "&") is positive else _or
            return join(normalize(left, positive), normalize(right, positive))
        case Binary(("U" | "W" | "R") as operator, left, right):
            return _binary(operator, normalize(left, positive), normalize(right, positive), positive)
    return formula if positive else negate(formula)


def _binary(operator: str, left: Formula, right: Formula, positive: bool) -> Formula:
    """Return an operator, or its opposite, whose sides are given so, too."""
    match operator, positive:
        case "U", True:
            return _until(left, right)
        case "W", True:
            return _unless(left, right)
        case "R", False:
            return _until(left, right)
        case "R", True:
            return _unless(right, _and(left, right))
        case "U", False:
            return _unless(right, _and(left, right))
    return _until(right, _and(left, right))


def _and(left: Formula, right: Formula) -> Formula:
    if FALSE in (left, right):
        return FALSE
    return right if left == TRUE else left if right in (TRUE, left) else Binary("&", left, right)


def _or(left: Formula, right: Formula) -> Formula:
    if TRUE in (left, right):
        return TRUE
    return right if left == FALSE else left if right in (FALSE, left) else Binary("|", left, right)


def _next(operand: Formula) -> Formula:
    return operand if isinstance(operand, Truth) else Unary("X", operand)


def _until(left: Formula, right: Formula) -> Formula:
    return right if isinstance(right, Truth) or left == FALSE else Binary("U", left, right)


def _unless(left: Formula, right: Formula) -> Formula:
    if TRUE in (left, right):
        return TRUE
    return right if left == FALSE else Binary("W", left, right)


def clauses_of(formula: Formula) -> Clauses:
    """Return the clauses of a normalized formula."""
    match formula:
        case Truth(value):
            return _ALWAYS if value else _NEVER
        case Binary("&", left, right):
            return _conjoin(clauses_of(left), clauses_of(right))
        case Binary("|", left, right):
            return _disjoin([clauses_of(left), clauses_of(right)])
    return frozenset([frozenset([formula])])


def _conjoin(one: Clauses, other: Clauses) -> Clauses:
    return _minimize(left | right for left in one for right in other)


def _conjoin_all(parts: Iterable[Clauses]) -> Clauses:
    return functools.reduce(_conjoin, parts, _ALWAYS)


def _disjoin(parts: Iterable[Clauses]) -> Clauses:
    return _minimize(clause for part in parts for clause in part)


def _minimize(clauses: Iterable[frozenset[Formula]]) -> Clauses:
    minimal: list[frozenset[Formula]] = []
    for clause in sorted(set(clauses), key=len):
        if not any(one <= clause for one in minimal):
            minimal.append(clause)
            if len(minimal) > _MOST_CLAUSES:
                raise _too_large()
    return frozenset(minimal)


def _too_large() -> GridproofError:
    return GridproofError(
        f"the formula's automaton would be too large for a probability: more than {_MOST_STATES} states, or "
        f"{_MOST_CLAUSES} clauses in one"
    )


class _Progression:
    """Computes what is left of formulas after a letter, once each."""

    def __init__(self) -> None:
        self._after = functools.cache(self._after_letter)

    def follow(self, state: AutomatonState, letter: Letter) -> tuple[AutomatonState, int]:
        """Return the state after a letter, and the goals that it does not bring true, as bits."""
        clauses = self._rest(state.clauses, letter)
        if not state.goals:
            return AutomatonState(clauses, state.goals), 0
        goals, missing = list[tuple[Formula, Clauses]](), 0
        for place, (goal, left) in enumerate(state.goals):
            rest = self._rest(left, letter)
            missing |= (rest != _ALWAYS) << place
            goals.append((goal, _again(goal) if rest == _ALWAYS else rest))
        return AutomatonState(clauses, tuple(goals)), missing

    def _rest(self, clauses: Clauses, letter: Letter) -> Clauses:
        """Return what is left of clauses after a letter."""
        return _disjoin(_conjoin_all(self._after(one, letter) for one in clause) for clause in clauses)

    def _after_letter(self, formula: Formula, letter: Letter) -> Clauses:
        match formula:
            case Unary("!", atom):
                return _NEVER if atom in letter else _ALWAYS
            case Unary("X", operand):
                return clauses_of(operand)
            case Binary("U" | "W", left, right):
                on = _conjoin(self._rest(clauses_of(left), letter), frozenset([frozenset([formula])]))
                return _disjoin([self._rest(clauses_of(right), letter), on])
        return _ALWAYS if formula in letter else _NEVER


def _again(goal: Formula) -> Clauses:
    """Return what has to come of a goal that begins anew."""
    return clauses_of(_until(TRUE, goal))


def _guesses(clauses: Clauses) -> Iterable[AutomatonState]:
    """Yield the states of the accepting part for all guesses about the operators in what is left of a formula."""
    operators = _operators(one for clause in clauses for one in clause)
    for chosen in itertools.product((False, True), repeat=len(operators)):
        guess = [one for one, is_guessed in zip(operators, chosen, strict=True) if is_guessed]
        held, reached = _substitution(guess, "U"), _substitution(guess, "W")
        left = _disjoin(_conjoin_all(clauses_of(held(one)) for one in clause) for clause in clauses)
        safe = [clauses_of(_unless(held(one), FALSE)) for one in guess if one.operator == "W"]
        goals = dict.fromkeys(reached(one) for one in guess if one.operator == "U")
        if FALSE not in goals:
            repeated = tuple((goal, _again(goal)) for goal in goals if goal != TRUE)
            yield AutomatonState(_conjoin_all([left, *safe]), repeated)


def _operators(formulas: Iterable[Formula]) -> list[Binary]:
    """Return the different operators U and W in formulas, in a fixed order."""
    inside = {one for formula in formulas for one in subformulas(formula) if isinstance(one, Binary)}
    return sorted((one for one in inside if one.operator in ("U", "W")), key=str)


def _substitution(guess: list[Binary], replaced: str) -> Callable[[Formula], Formula]:
    """Return a function that puts what a guess says of all operators U, or of all W, in place of them."""

    @functools.cache
    def put(formula: Formula) -> Formula:
        match formula:
            case Binary("U", left, right) if replaced == "U":
                return _unless(put(left), put(right)) if formula in guess else FALSE
            case Binary("W", left, right) if replaced == "W":
                return TRUE if formula in guess else _until(put(left), put(right))
            case Binary(operator, left, right):
                return _JOIN[operator](put(left), put(right))
            case Unary("X", operand):
                return _next(put(operand))
        return formula

    return put


_JOIN = {"&": _and, "|": _or, "U": _until, "W": _unless}
