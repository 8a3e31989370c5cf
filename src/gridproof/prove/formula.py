"""Formulas about positions, as values: propositional logic, CTL, LTL with past, and CTL*.

`str` of a formula is its text with as few parentheses as there can be, and `parse` reads it back.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from gridproof.core.errors import GridproofError

DEEPEST = 250
"""The greatest depth of nested operators, since formulas are processed by recursion."""

FUTURE = frozenset("XFGUWR")
PAST = frozenset("YHOST")
TEMPORAL = FUTURE | PAST
QUANTIFIERS = frozenset("AE")

GIVEN = "||"
"""The operator between an event and its condition, in a `Quantity`."""
_BINDING = {GIVEN: 0, "<->": 1, "->": 2, "|": 3, "&": 4} | dict.fromkeys("UWRST", 5)
_TIGHTEST = 6
_TO_THE_RIGHT = frozenset({"->", *"UWRST"})

Place = tuple[int, int]
"""Line and column of a text, both from 1; (0, 0) where there is none."""


class Formula:
    """A statement about a position, or about a path that begins there.

    Comparing, hashing and pickling go down into no parts, however deep they are.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((type(self), *_own_values(self), *parts(self))))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formula):
            return NotImplemented
        waiting = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if one is two:
                continue
            if type(one) is not type(two) or one._hash != two._hash or _own_values(one) != _own_values(two):
                return False
            waiting += zip(parts(one), parts(two), strict=True)
        return True

    def __str__(self) -> str:
        return _text(self, 0)

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, ([(type(one), _named_fields(one), len(parts(one))) for one in subformulas(self)],)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Truth(Formula):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(Formula):
    """A proposition of the game with its arguments, or a number inside a comparison."""

    name: str
    arguments: tuple[str, ...] = ()
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Formula):
    """A comparison of two numbers, at least one of them the game's."""

    left: Atom | int
    sign: str
    """One of = != < <= > >=."""
    right: Atom | int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Executable(Formula):
    """`e(ACTION)`: the action is possible."""

    action: str
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Next(Formula):
    """`[ACTION]`: the next action of the path is this one."""

    action: str
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Accepted(Formula):
    """The path is accepted by an automaton that was read from a file; it is no part of another formula but its negation."""

    name: str
    automaton: Hashable
    """A `gridproof.prove.automaton.Automaton`."""
    operand: Formula
    """The conjunction of its propositions: the parts of a formula have all names in it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Deadlock(Formula):
    """`deadlock`: no action is possible."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recorded(Formula):
    """The value of an operator of the past, which each node of a product knows; stands in no text."""

    number: int
    """The number of the product."""
    text: str
    """The text of the formula."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Formula):
    """An operator before one formula: `!`, a temporal one, or a quantifier over paths."""

    operator: str
    """One of ! X F G Y H O A E."""
    operand: Formula
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binary(Formula):
    """An operator between two formulas."""

    operator: str
    """One of & | -> <-> U W R S T."""
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Coalition(Formula):
    """`<<a,b>> F won(a)`: these players can force it, whatever the others do; the players take turns."""

    names: tuple[str, ...]
    operand: Formula
    """X, F or G of something, or something U, W or R something, perhaps `Bounded`; or a `Quantity`."""
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quantification(Formula):
    """`forall r in robots: EF won(r)`: true of all things of a domain, or of some with `exists`."""

    quantifier: str
    """One of forall exists."""
    variables: tuple[str, ...]
    domain: str
    operand: Formula
    place: Place = field(default=(0, 0), compare=False)
    """The place of the domain."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bounded(Formula):
    """`F<=20 p`: a temporal operator with a bound of the number of actions, or of turns after a `Coalition`."""

    sign: str
    """One of <= < =."""
    steps: int
    operand: Formula
    """F or G of something, or something U, W or R something."""

    @property
    def most(self) -> int:
        """The greatest number of actions; negative if there is none."""
        return self.steps - (self.sign == "<")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quantity(Formula):
    """`P>=0.9 [F won]`, `R{"pushes"}=? [F won]`: a probability or an expected cost, compared with a number or asked for."""

    measure: str
    """The name of the cost; "" for a probability."""
    side: str
    """"max" or "min" over all ways to act; "" for both."""
    sign: str
    """One of <= < >= >, or "=?" where the number is asked for."""
    bound: Fraction | None
    """The number to compare with; None where it is asked for."""
    operand: Formula
    """X, F or G of something, or something U, W or R something, perhaps `Bounded`; or `F p || F q`, with a condition; or any
    formula of LTL."""

    @property
    def is_conditional(self) -> bool:
        """True if the operand is an event with a condition."""
        return getattr(self.operand, "operator", "") == GIVEN

    @property
    def is_linear_time(self) -> bool:
        """True if the operand is a formula of LTL with more than one temporal operator, without a bound."""
        is_short = isinstance(self.operand, Bounded) or is_ctl_path(self.operand)
        return not (self.measure or self.is_conditional or is_short)

    @property
    def is_least(self) -> bool:
        """True if the least of all ways to act is compared: a bound from below must hold for every way to act."""
        return self.side == "min" or (not self.side and self.sign in (">", ">="))

    @property
    def is_more_wanted(self) -> bool:
        """True if a coalition before it wants a great number, False if a small one."""
        return self.side != "min" and self.sign in ("=?", ">", ">=")

    @property
    def is_universal(self) -> bool:
        """True if a comparison must hold for every way to act, False if for some."""
        return self.is_least is (self.sign in (">", ">="))

    @property
    def head(self) -> str:
        """The text before the bracket."""
        measure = f'{{"{self.measure}"}}' if self.measure else ""
        number = "" if self.bound is None else _number_text(self.bound)
        return f"{'R' if self.measure else 'P'}{measure}{self.side}{self.sign}{number}"


_MOST_DECIMALS = 12


def _number_text(number: Fraction) -> str:
    """Return a number as a short decimal, or else as a fraction."""
    for digits in range(_MOST_DECIMALS + 1):
        if (scaled := number * 10**digits).denominator == 1:
            return format(Decimal(scaled.numerator).scaleb(-digits), "f")
    return str(number)


def _own_values(formula: Formula) -> list[object]:
    """Return the fields that tell a formula from others of its kind, without its parts."""
    kind: Any = type(formula)
    return [getattr(formula, name) for name in _own_fields(kind)]


@functools.cache
def _own_fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.compare and one.type != Formula.__name__)


def parts(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands of a formula."""
    match formula:
        case Unary(_, operand) | Coalition(_, operand) | Quantification(_, _, _, operand):
            return (operand,)
        case Bounded() | Quantity() | Accepted():
            return (formula.operand,)
        case Binary(_, left, right):
            return left, right
    return ()


def with_parts(formula: Formula, operands: Sequence[Formula]) -> Formula:
    """Return a formula of the same kind with other operands."""
    if not operands:
        return formula
    kind: Any = formula
    names = [one.name for one in fields(kind) if one.type == Formula.__name__]
    changed: Formula = replace(kind, **dict(zip(names, operands, strict=True)))
    return changed


def _named_fields(formula: Formula) -> dict[str, object]:
    kind: Any = type(formula)
    return {one.name: getattr(formula, one.name) for one in fields(kind) if one.type != Formula.__name__}


def _rebuild(listed: list[tuple[type[Any], dict[str, object], int]]) -> Formula:
    """Rebuild a formula from a list with the whole before its parts: kind, other fields and number of parts."""
    built: list[Formula] = []
    for kind, beside, count in reversed(listed):
        names = [one.name for one in fields(kind) if one.type == Formula.__name__]
        inside = {name: built.pop() for name in names[:count]}
        built.append(kind(**beside, **inside))
    return built[0]


TRUE, FALSE = Truth(True), Truth(False)


def negate(formula: Formula) -> Formula:
    """Return the opposite of a formula, without two negations."""
    if isinstance(formula, Truth):
        return Truth(not formula.value)
    if isinstance(formula, Unary) and formula.operator == "!":
        return formula.operand
    return Unary("!", formula)


def decisive_goal(formula: Formula, paths: str) -> tuple[Formula, bool] | None:
    """Return the formula whose truth in one reachable position decides the whole, and the answer that it gives."""
    match formula:
        case Unary("E", Unary("F", goal)):
            return goal, True
        case Unary("A", Unary("G", never)):
            return negate(never), False
        case Unary("F", goal) if paths == "some":
            return goal, True
        case Unary("G", never) if paths == "all":
            return negate(never), False
    return None


def is_goal(formula: Formula) -> bool:
    """Return whether a formula is a goal of solvers: a proposition, a number compared with one, or the opposite."""
    bare = formula.operand if isinstance(formula, Unary) and formula.operator == "!" else formula
    if isinstance(bare, Comparison):
        return isinstance(bare.left, Atom) and isinstance(bare.right, int)
    return isinstance(bare, Atom)


def is_about_positions(formula: Formula) -> bool:
    """Return whether positions alone decide it: the actions in the last positions are unknown."""
    match formula:
        case Truth() | Atom() | Comparison():
            return True
        case Unary("!", _) | Binary("&" | "|" | "->" | "<->", _, _):
            return all(map(is_about_positions, parts(formula)))
    return False


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield a formula and all inside it, each before its parts; without recursion, of any depth."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(parts(one)))


def atoms(formula: Formula) -> Iterator[Atom]:
    """Yield the propositions and numbers in a formula, also those that are compared."""
    for one in subformulas(formula):
        sides = (one.left, one.right) if isinstance(one, Comparison) else (one,)
        yield from (side for side in sides if isinstance(side, Atom))


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Yield the operands of the outermost `&`, from left to right; a formula without one is its own."""
    waiting = [formula]
    while waiting:
        match waiting.pop():
            case Binary("&", left, right):
                waiting += (right, left)
            case other:
                yield other


def is_temporal(formula: Formula) -> bool:
    """Return whether a formula has a temporal operator or `[ACTION]`."""
    return any(
        isinstance(one, Next | Accepted) or getattr(one, "operator", "") in TEMPORAL
        for one in subformulas(formula)
    )


def is_path_formula(formula: Formula) -> bool:
    """Return whether a formula is about a path: with temporal operators or `[ACTION]` outside A, E and coalitions."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Next | Accepted) or getattr(one, "operator", "") in TEMPORAL:
            return True
        if not _is_quantified(one):
            waiting.extend(parts(one))
    return False


def is_ctl_path(path: Formula) -> bool:
    """Return whether what follows A or E is one temporal operator on formulas about positions, as in CTL."""
    return getattr(path, "operator", "") in FUTURE and not any(map(is_path_formula, parts(path)))


def _is_quantified(formula: Formula) -> bool:
    return getattr(formula, "operator", "") in QUANTIFIERS or isinstance(formula, Coalition)


def positional_parts(path: Formula) -> Iterator[Formula]:
    """Yield the largest formulas about positions inside a formula about a path."""
    waiting = [path]
    while waiting:
        one = waiting.pop()
        if not is_path_formula(one):
            yield one
        else:
            waiting.extend(parts(one))


def positional_subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield a formula about a position and those inside it that are, too, each before its parts."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        yield one
        for part in parts(one):
            waiting.extend(positional_parts(part) if _is_quantified(one) else (part,))


def is_past(formula: Formula) -> bool:
    """Return whether the outermost operator is one of the past."""
    return getattr(formula, "operator", "") in PAST


def has_past_of_states(formula: Formula) -> bool:
    """Return whether a formula has operators of the past beside A or E."""
    operators = {getattr(one, "operator", "") for one in subformulas(formula)}
    return not operators.isdisjoint(PAST) and not operators.isdisjoint(QUANTIFIERS)


def substitute(formula: Formula, put: Callable[[Formula], Formula | None]) -> Formula:
    """Return a formula with others in place of its outermost parts for which `put` returns one; without recursion."""
    nodes: list[tuple[Formula, int]] = []
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        new = put(one)
        operands = parts(one) if new is None else ()
        nodes.append((one if new is None else new, len(operands)))
        waiting.extend(reversed(operands))
    built: list[Formula] = []
    for one, count in reversed(nodes):
        built.append(with_parts(one, [built.pop() for _ in range(count)]))
    return built[0]


def check_depth(formula: Formula) -> None:
    """Raise GridproofError if a formula is nested too deeply."""
    waiting = [(formula, 0)]
    while waiting:
        one, depth = waiting.pop()
        if depth > DEEPEST:
            raise GridproofError(f"the formula is nested too deeply: more than {DEEPEST} operators")
        quantifier = getattr(one, "operator", "") in QUANTIFIERS  # counts as one with the operator after it
        waiting.extend((part, depth + (not quantifier)) for part in parts(one))


def _text(formula: Formula, least: int) -> str:
    """Return the text of a formula, in parentheses when its operator binds less tightly than `least`."""
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Atom(name, arguments):
            return f"{name}({','.join(arguments)})" if arguments else name
        case Comparison(left, sign, right):
            return f"{left} {sign} {right}"
        case Executable() | Next() | Accepted():
            return _named_text(formula)
        case Unary():
            return _unary_text(formula)
        case Recorded() | Coalition() | Quantity() | Bounded():
            return _bracket_text(formula, least)
        case Quantification():
            text = _quantification_text(formula)
            return f"({text})" if least else text
        case Binary(operator, left, right):
            binding = _BINDING[operator]
            right_first = operator in _TO_THE_RIGHT
            text = (
                f"{_text(left, binding + right_first)} {operator} {_text(right, binding + 1 - right_first)}"
            )
            return f"({text})" if binding < least else text
    return "deadlock"


def _named_text(formula: Executable | Next | Accepted) -> str:
    match formula:
        case Executable(action):
            return f"e({action})"
        case Next(action):
            return f"[{action}]"
    return f"accepted({formula.name})"


def _quantification_text(formula: Quantification) -> str:
    variables = formula.variables
    named = variables[0] if len(variables) == 1 else f"({','.join(variables)})"
    return f"{formula.quantifier} {named} in {formula.domain}: {_text(formula.operand, 0)}"


def _coalition_text(formula: Coalition) -> str:
    names = ",".join(formula.names)
    match formula.operand:
        case Binary("U" | "W" | "R", _, _) | Bounded(_, _, Binary()) as path:
            return f"<<{names}>> [{_text(path, 5)}]"
    return f"<<{names}>> {_text(formula.operand, _TIGHTEST)}"


def _bracket_text(formula: Recorded | Coalition | Quantity | Bounded, least: int) -> str:
    if isinstance(formula, Recorded):
        return f"({formula.text})"
    if isinstance(formula, Coalition):
        return _coalition_text(formula)
    if isinstance(formula, Quantity):
        return f"{formula.head} [{_text(formula.operand, 0)}]"
    bound = f"{formula.sign}{formula.steps}"
    match formula.operand:
        case Binary(operator, left, right):
            text = f"{_text(left, _TIGHTEST)} {operator}{bound} {_text(right, 5)}"
            return f"({text})" if least > _BINDING[operator] else text
        case Unary(operator, operand):
            return f"{operator}{bound} {_text(operand, _TIGHTEST)}"
    raise TypeError(formula)


def _unary_text(formula: Unary) -> str:
    match formula:
        case Unary("!", operand):
            return f"!{_text(operand, _TIGHTEST)}"
        case Unary(("A" | "E") as quantifier, Binary(("U" | "W" | "R") as operator, left, right)):
            return f"{quantifier}[{_text(left, _TIGHTEST)} {operator} {_text(right, 5)}]"
        case Unary(("A" | "E") as quantifier, Unary(("X" | "F" | "G") as operator, operand)):
            return f"{quantifier}{operator} {_text(operand, _TIGHTEST)}"
        case Unary(("A" | "E") as quantifier, Next() as operand):
            return f"{quantifier} ({operand})"  # else it would be read as E[...]
        case Unary(operator, operand):
            return f"{operator} {_text(operand, _TIGHTEST)}"
    raise TypeError(formula)
