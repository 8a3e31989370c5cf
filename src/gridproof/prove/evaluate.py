"""Evaluation of atoms, and of formulas without temporal operators, in one position by the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gridproof.core.position import Level, Position
from gridproof.core.proposition import COMPARE, value_of
from gridproof.prove.formula import Atom, Binary, Comparison, Deadlock, Executable, Formula, Truth, Unary


def holds(formula: Formula, position: Position[Any], who: tuple[str | None, ...]) -> bool:
    """Return whether a formula without temporal operators holds, if `who` acts."""
    match formula:
        case Truth(truth):
            return truth
        case Unary("!", operand):
            return not holds(operand, position, who)
        case Binary(operator, left, right):
            one, two = holds(left, position, who), holds(right, position, who)
            return {"&": one and two, "|": one or two, "->": two or not one, "<->": one is two}[operator]
        case Comparison(left, sign, right):
            sides = [side if isinstance(side, int) else int(value(side, position)) for side in (left, right)]
            return bool(COMPARE[sign](*sides))
        case Executable(action):
            return action in (str(one) for actor in who for one in position.actions(actor))
        case Deadlock():
            return not any(position.actions(actor) for actor in who)
    assert isinstance(formula, Atom)
    return bool(value(formula, position))


def value(atom: Atom, position: Position[Any]) -> bool | int:
    """Return the value of a proposition or a number in a position."""
    return value_of(position.level.game, atom.name, atom.arguments)(position)


Test = Callable[[Position[Any]], bool]


def test_of(formula: Formula, level: Level, who: tuple[str | None, ...]) -> Test:
    """Return the truth of a formula without temporal operators as a function of positions of a level."""
    match formula:
        case Truth(truth):
            return lambda position: truth
        case Atom(name, arguments):
            meaning = value_of(level.game, name, arguments)
            return lambda position: bool(meaning(position))
        case Unary("!", operand):
            inner = test_of(operand, level, who)
            return lambda position: not inner(position)
        case Binary(operator, left, right):
            return join(operator, test_of(left, level, who), test_of(right, level, who))
    return lambda position: holds(formula, position, who)


def join(operator: str, one: Callable[..., bool], two: Callable[..., bool]) -> Callable[..., bool]:
    """Return a function for two that an operator joins."""
    functions: dict[str, Callable[..., bool]] = {
        "&": lambda *given: one(*given) and two(*given),
        "|": lambda *given: one(*given) or two(*given),
        "->": lambda *given: not one(*given) or two(*given),
        "<->": lambda *given: one(*given) is two(*given),
    }
    return functions[operator]
