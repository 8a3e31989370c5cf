"""Formulas about positions, as values: propositional logic, CTL, and LTL with past.

`str` of a formula is its text with as few parentheses as there can be, and `parse` reads it back.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.text.phrases import short_repr

DEEPEST = 250
"""The greatest depth of nested operators, since formulas are processed by recursion."""

FUTURE = frozenset("XFGUWR")
PAST = frozenset("YHOST")
TEMPORAL = FUTURE | PAST
QUANTIFIERS = frozenset("AE")

_BINDING = {"<->": 1, "->": 2, "|": 3, "&": 4} | dict.fromkeys("UWRST", 5)
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
class Deadlock(Formula):
    """`deadlock`: no action is possible."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Formula):
    """An operator before one formula: `!`, a temporal one, or a quantifier over paths."""

    operator: str
    """One of ! X F G Y H O A E."""
    operand: Formula


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
    """X, F or G of something, or something U, W or R something."""
    place: Place = field(default=(0, 0), compare=False)


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
        case Unary(_, operand) | Coalition(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return left, right
    return ()


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


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield a formula and all inside it, each before its parts; without recursion, of any depth."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(parts(one)))


def is_temporal(formula: Formula) -> bool:
    """Return whether a formula has a temporal operator or `[ACTION]`."""
    return any(
        isinstance(one, Next) or getattr(one, "operator", "") in TEMPORAL for one in subformulas(formula)
    )


def positional_subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield a formula of CTL and those inside it that are about positions, each before its parts."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        yield one
        quantified = getattr(one, "operator", "") in QUANTIFIERS
        waiting.extend(part for path in parts(one) for part in (parts(path) if quantified else (path,)))


def check_depth(formula: Formula) -> None:
    """Raise GridproofError if a formula is nested too deeply."""
    waiting = [(formula, 0)]
    while waiting:
        one, depth = waiting.pop()
        if depth > DEEPEST:
            raise GridproofError(f"the formula is nested too deeply: more than {DEEPEST} operators")
        quantifier = getattr(one, "operator", "") in QUANTIFIERS  # counts as one with the operator after it
        waiting.extend((part, depth + (not quantifier)) for part in parts(one))


class Logic(enum.Enum):
    """Kind of a formula."""

    STATE = "state"
    """Without temporal operators: of one position."""
    CTL = "CTL"
    LTL = "LTL"
    ATL = "ATL"
    """With coalitions of players."""


def logic_of(formula: Formula) -> Logic:
    """Return the logic of a formula; GridproofError when it mixes them, as CTL* may."""
    found = list(subformulas(formula))
    if any(isinstance(one, Coalition) for one in found):
        _check_atl(formula)
        return Logic.ATL
    operators = {getattr(one, "operator", "") for one in found}
    if operators & QUANTIFIERS:
        _check_ctl(formula)
        return Logic.CTL
    return Logic.LTL if is_temporal(formula) else Logic.STATE


def _check_atl(formula: Formula) -> None:
    """Check that each temporal operator stands right after a coalition, and nothing else is about paths."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        operator = getattr(one, "operator", "")
        if isinstance(one, Coalition):
            if getattr(one.operand, "operator", "") not in FUTURE:
                raise GridproofError(
                    f"{short_repr(str(one))}: X, F, G or [... U ...], W or R stands right after <<...>>"
                )
            waiting.extend(parts(one.operand))
            continue
        if operator in QUANTIFIERS | TEMPORAL or isinstance(one, Next):
            raise GridproofError(
                f"{short_repr(str(one))}: with <<...>> in a formula, temporal operators stand right after one, and there is "
                "no A, no E and no [ACTION]"
            )
        waiting.extend(parts(one))


def _check_ctl(formula: Formula) -> None:
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        operator = getattr(one, "operator", "")
        if isinstance(one, Unary) and operator in QUANTIFIERS and not isinstance(one.operand, Next):
            if getattr(one.operand, "operator", "") not in FUTURE:
                raise GridproofError(
                    f"{short_repr(str(one))}: in CTL {operator} stands right before X, F, G or [... U ...], W or R"
                )
            waiting.extend(parts(one.operand))
            continue
        if isinstance(one, Next):
            raise GridproofError(
                f"{short_repr(str(one))} says which action is the next one of a path, which is LTL, without A and E; "
                f"e({one.action}) asks whether it can be done, and E[... U ...] has U, W or R inside"
            )
        if operator in PAST:
            raise GridproofError(
                f"{short_repr(str(one))}: {operator} asks for the past, in LTL, without A and E"
            )
        if operator in FUTURE:
            raise GridproofError(
                f"{short_repr(str(one))}: {operator} has no A or E right before it, and others have: formulas are of "
                "CTL (A or E before each temporal operator) or of LTL (no A and E at all), CTL* is not supported"
            )
        waiting.extend(parts(one))


def _text(formula: Formula, least: int) -> str:
    """Return the text of a formula, in parentheses when its operator binds less tightly than `least`."""
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Atom(name, arguments):
            return f"{name}({','.join(arguments)})" if arguments else name
        case Comparison(left, sign, right):
            return f"{left} {sign} {right}"
        case Executable(action):
            return f"e({action})"
        case Next(action):
            return f"[{action}]"
        case Unary():
            return _unary_text(formula)
        case Coalition(names, Binary(("U" | "W" | "R") as operator, left, right)):
            return f"<<{','.join(names)}>> [{_text(left, _TIGHTEST)} {operator} {_text(right, 5)}]"
        case Coalition(names, operand):
            return f"<<{','.join(names)}>> {_text(operand, _TIGHTEST)}"
        case Binary(operator, left, right):
            binding = _BINDING[operator]
            right_first = operator in _TO_THE_RIGHT
            text = (
                f"{_text(left, binding + right_first)} {operator} {_text(right, binding + 1 - right_first)}"
            )
            return f"({text})" if binding < least else text
    return "deadlock"


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
