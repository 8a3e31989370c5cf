"""Translation from LTL with past to generalised Büchi automata whose transitions carry the marks.

A tableau of obligations: in a state, the formulas that must hold from here on are expanded into conditions on the
next letter and obligations after it (J.-M. Couvreur, "On-the-fly verification of linear temporal logic",
FM 1999). A postponed until withholds its mark. Operators of the past are registers: each state knows
their values one step ago, and each transition guesses their values now and must keep to the guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.automaton import (
    Automaton,
    Transition,
    absorb_universal_states,
    drop_common_marks,
    merge_states,
)
from gridproof.prove.formula import (
    FALSE,
    TRUE,
    Accepted,
    Binary,
    Formula,
    Next,
    Truth,
    Unary,
    is_path_formula,
    subformulas,
)

_MOST_STATES = 1 << 12
_MOST_TRANSITIONS = 1 << 16
_MOST_WORK = 1_000_000  # comparisons of terms
_MOST_REGISTERS = 32


def automaton_of(formula: Formula) -> Automaton:
    """Return the automaton of the paths on which a formula of LTL holds.

    GridproofError if it would be too large, or for an automaton inside another formula.
    """
    if isinstance(formula, Accepted) and isinstance(formula.automaton, Automaton):
        return formula.automaton
    if any(isinstance(one, Accepted) for one in subformulas(formula)):
        raise GridproofError(f"{short_repr(str(formula))}: an automaton is no part of a formula")
    tableau = _Tableau()
    transitions = tableau.transitions(tableau.node(formula, True))
    transitions = merge_states(absorb_universal_states(transitions, tableau.marks))
    return drop_common_marks(tuple(tableau.atoms), transitions, tableau.marks)


class _Term(NamedTuple):
    """One way to meet obligations: bits of atoms, of nodes, of marks and of registers."""

    must: int = 0
    not_any: int = 0
    after: int = 0
    """Nodes that must hold from the next position on."""
    put_off: int = 0
    """Marks that are withheld."""
    was: int = 0
    """Registers that must be set from one step ago."""
    was_not: int = 0
    now: int = 0
    """Registers that are set for the next step."""

    def covers(self, other: _Term) -> bool:
        """Return whether it demands no more than the other."""
        return self.now == other.now and not any(one & ~two for one, two in zip(self, other, strict=True))


_TRUE, _FALSE = 0, 1
_AS_BINARY = {"F": ("U", TRUE), "G": ("R", FALSE), "O": ("S", TRUE), "H": ("T", FALSE)}
"""Unary operators as binary ones."""
_DUAL = {"&": "|", "|": "&", "->": "but not", "U": "R", "R": "U", "W": "not W", "S": "T", "T": "S"}


class _Tableau:
    """Formulas in negation normal form as numbered nodes, equal ones once, with their expansions.

    A node is a tuple: ("is", atom), ("is not", atom), ("&" or "|" or "U" or "R", node, node), ("X", node);
    ("was", register), ("was not", register); ("S", register), ("T", register), an S and its opposite.
    """

    def __init__(self) -> None:
        self.atoms: dict[Formula, int] = {}
        self._nodes: list[tuple[str, int, int]] = []
        self._numbers: dict[tuple[str, int, int], int] = {}
        self._intern("true")
        self._intern("false")
        self._node_numbers: dict[tuple[Formula, bool], int] = {}
        self._marks: dict[int, int] = {}
        """The mark of each until."""
        self._since: dict[int, tuple[int, int, int, int]] = {}
        """The sides of each S, and their opposites, by its register."""
        self._registers: dict[tuple[str, int, int], int] = {}
        self._setters: list[tuple[int, int]] = []
        """The nodes that set each register, and that do not."""
        self._expanded: dict[int, list[_Term]] = {}
        self._work = 0

    @property
    def marks(self) -> int:
        """The number of marks."""
        return len(self._marks)

    def node(self, formula: Formula, positive: bool) -> int:
        """Return the node of a formula, or of its opposite."""
        key = formula, positive
        if key not in self._node_numbers:
            self._node_numbers[key] = self._node(formula, positive)
        return self._node_numbers[key]

    def _node(self, formula: Formula, positive: bool) -> int:
        if isinstance(formula, Truth):
            return _TRUE if formula.value is positive else _FALSE
        if isinstance(formula, Next) or not is_path_formula(formula):
            return self._intern(
                "is" if positive else "is not", self.atoms.setdefault(formula, len(self.atoms))
            )
        match formula:
            case Unary("!", operand):
                return self.node(operand, not positive)
            case Unary("X", operand):
                return self._intern("X", self.node(operand, positive))
            case Unary("Y", operand):
                return self._yesterday(self.node(operand, True), self.node(operand, False), positive)
            case Binary("<->", left, right):
                same = self._join("&", self.node(left, True), self.node(right, positive))
                return self._join(
                    "|", same, self._join("&", self.node(left, False), self.node(right, not positive))
                )
            case Binary(operator, left, right):
                return self._binary(operator, left, right, positive)
            case Unary(operator, right):
                operator, left = _AS_BINARY[operator]
                return self._binary(operator, left, right, positive)
        raise TypeError(formula)

    def _binary(self, operator: str, left: Formula, right: Formula, positive: bool) -> int:
        one, two = self.node(left, positive is not (operator == "->")), self.node(right, positive)
        if operator in ("S", "T"):
            opposites = self.node(left, not positive), self.node(right, not positive)
            return self._since_node(one, two, *opposites, (operator == "S") is positive)
        match operator if positive else _DUAL[operator]:
            case "&" | "but not":
                return self._join("&", one, two)
            case "|" | "->":
                return self._join("|", one, two)
            case "W":
                return self._release(two, self._join("|", one, two))
            case "not W":
                return self._until(two, self._join("&", one, two))
            case "U":
                return self._until(one, two)
        return self._release(one, two)

    def _intern(self, kind: str, one: int = 0, two: int = 0) -> int:
        node = kind, one, two
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[node]

    def _join(self, kind: str, one: int, two: int) -> int:
        neutral, strong = (_TRUE, _FALSE) if kind == "&" else (_FALSE, _TRUE)
        if strong in (one, two):
            return strong
        if neutral in (one, two) or one == two:
            return one if two == neutral else two
        return self._intern(kind, min(one, two), max(one, two))

    def _until(self, one: int, two: int) -> int:
        if two in (_TRUE, _FALSE) or one in (_FALSE, two):
            return two
        kind, before, after = self._nodes[two]
        if kind == "U" and before in (one, _TRUE):  # F F p, p U (p U q)
            return two
        if (one, kind, before, self._nodes[after][:2]) == (_TRUE, "R", _FALSE, ("U", _TRUE)):  # F G F p
            return two
        node = self._intern("U", one, two)
        self._marks.setdefault(node, len(self._marks))
        return node

    def _release(self, one: int, two: int) -> int:
        if two in (_TRUE, _FALSE) or one in (_TRUE, two):
            return two
        kind, before, after = self._nodes[two]
        if kind == "R" and before in (one, _FALSE):  # G G p
            return two
        if (one, kind, before, self._nodes[after][:2]) == (_FALSE, "U", _TRUE, ("R", _FALSE)):  # G F G p
            return two
        return self._intern("R", one, two)

    def _yesterday(self, operand: int, opposite: int, positive: bool) -> int:
        key = "Y", operand, opposite
        if key not in self._registers:
            self._remember(key, operand, opposite)
        return self._intern("was" if positive else "was not", self._registers[key])

    def _since_node(self, one: int, two: int, not_one: int, not_two: int, positive: bool) -> int:
        """Return an S, or the opposite of the S whose sides are the opposites of these."""
        if not positive:
            one, two, not_one, not_two = not_one, not_two, one, two
        if self._nodes[two][0] == "S" and self._since[self._nodes[two][1]][0] in (one, _TRUE):  # O O p
            return two if positive else not_two
        key = "S", one, two
        if key not in self._registers:
            register = len(self._setters)
            self._since[register] = one, two, not_one, not_two
            self._remember(key, self._intern("S", register), self._intern("T", register))
        return self._setters[self._registers[key]][not positive]

    def _remember(self, key: tuple[str, int, int], sets: int, sets_not: int) -> None:
        """Add a register with the nodes that set it or not."""
        if len(self._setters) == _MOST_REGISTERS:
            raise GridproofError(
                f"the formula has more than {_MOST_REGISTERS} different operators of the past"
            )
        self._registers[key] = len(self._setters)
        self._setters.append((sets, sets_not))

    def _expand(self, number: int) -> list[_Term]:
        """Return the ways to meet one obligation."""
        if number not in self._expanded:
            self._expanded[number] = self._alternatives(number)
        return self._expanded[number]

    def _alternatives(self, number: int) -> list[_Term]:
        kind, one, two = self._nodes[number]
        match kind:
            case "true" | "false":
                return [_Term()] if kind == "true" else []
            case "is" | "is not":
                return [_Term(must=1 << one) if kind == "is" else _Term(not_any=1 << one)]
            case "was" | "was not":
                return [_Term(was=1 << one) if kind == "was" else _Term(was_not=1 << one)]
            case "X":
                return [_Term(after=1 << one)]
            case "&":
                return self._conjoin(self._expand(one), self._expand(two))
            case "|":
                return self._minimize([*self._expand(one), *self._expand(two)])
        return self._temporal_alternatives(kind, number, one, two)

    def _temporal_alternatives(self, kind: str, number: int, one: int, two: int) -> list[_Term]:
        if kind == "U":
            later = _Term(after=1 << number, put_off=1 << self._marks[number])
            return self._minimize([*self._expand(two), *self._conjoin(self._expand(one), [later])])
        if kind == "R":
            return self._conjoin(self._expand(two), [*self._expand(one), _Term(after=1 << number)])
        left, right, not_left, not_right = self._since[one]
        if kind == "S":
            return self._minimize(
                [*self._expand(right), *self._conjoin(self._expand(left), [_Term(was=1 << one)])]
            )
        return self._conjoin(self._expand(not_right), [*self._expand(not_left), _Term(was_not=1 << one)])

    def _conjoin(self, terms: Iterable[_Term], others: list[_Term]) -> list[_Term]:
        """Return the ways to meet two obligations at once, without ways that others cover."""
        joined = (
            _Term(*(one | two for one, two in zip(term, other, strict=True)))
            for term in terms
            for other in others
        )
        return self._minimize(
            term for term in joined if not (term.must & term.not_any or term.was & term.was_not)
        )

    def _minimize(self, terms: Iterable[_Term]) -> list[_Term]:
        minimal: list[_Term] = []
        for term in terms:
            self._work += 1 + len(minimal)
            if self._work > _MOST_WORK:
                raise GridproofError("the formula's automaton would be too large: too many disjuncts")
            if any(one.covers(term) for one in minimal):
                continue
            minimal = [one for one in minimal if not term.covers(one)]
            minimal.append(term)
        return minimal

    def transitions(self, root: int) -> list[list[Transition]]:
        """Return the transitions of each state; a state is a set of nodes and of registers, and the first holds the root."""
        numbers, count = {(1 << root, 0): 0}, 0
        found: list[list[Transition]] = []
        waiting = list(numbers)
        every_mark = (1 << self.marks) - 1
        for obligations, registers in waiting:
            found.append([])
            for term in self._terms(obligations, registers):
                target = term.after & ~(1 << _TRUE), term.now
                if target not in numbers:
                    numbers[target] = len(waiting)
                    waiting.append(target)
                found[-1].append(
                    Transition(term.must, term.not_any, numbers[target], every_mark & ~term.put_off)
                )
            count += len(found[-1])
            if len(waiting) > _MOST_STATES or count > _MOST_TRANSITIONS:
                raise GridproofError(
                    f"the formula's automaton would be too large: more than {_MOST_STATES:,} states or "
                    f"{_MOST_TRANSITIONS:,} transitions"
                )
        return found

    def _terms(self, obligations: int, registers: int) -> list[_Term]:
        terms = [_Term()]
        for number in _bits(obligations):
            terms = self._conjoin(terms, _consistent(self._expand(number), registers))
        for register, (set_by, not_set_by) in enumerate(self._setters):
            setting = self._conjoin(self._expand(set_by), [_Term(now=1 << register)])
            terms = self._conjoin(terms, _consistent([*setting, *self._expand(not_set_by)], registers))
        return terms


def _bits(number: int) -> Iterator[int]:
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def _consistent(terms: list[_Term], registers: int) -> list[_Term]:
    """Return the terms that agree with the registers."""
    return [
        term._replace(was=0, was_not=0)
        for term in terms
        if not term.was & ~registers and not term.was_not & registers
    ]
