"""Evaluation of atoms, and of formulas without temporal operators, in one position by the rules."""

from __future__ import annotations

from typing import Any

from gridproof.core.position import Position
from gridproof.core.proposition import COMPARE, value_of
from gridproof.prove.formula import Atom, Binary, Comparison, Deadlock, Executable, Formula, Truth, Unary
from gridproof.search.actors import Who


def holds(formula: Formula, position: Position[Any], who: Who) -> bool:
    """Return whether a formula without temporal operators holds, if `who` acts."""
    match formula:
        case Truth(truth):
            return truth
        case Unary(_, operand):
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
