"""Check of the names in a formula: propositions, numbers and actions of a level."""

from __future__ import annotations

import difflib
from typing import Any, NoReturn

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Game
from gridproof.core.measure import measures
from gridproof.core.position import Position
from gridproof.core.proposition import propositions, value_of
from gridproof.core.text.phrases import some
from gridproof.prove.cost import find_product
from gridproof.prove.formula import (
    QUANTIFIERS,
    TEMPORAL,
    Atom,
    Comparison,
    Executable,
    Formula,
    Next,
    subformulas,
)
from gridproof.search.cost_product import COST

_OPERATORS = TEMPORAL | QUANTIFIERS
_OTHER_KIND = {
    False: ("a number is no proposition", "a comparison, such as = 0"),
    True: ("a proposition cannot be compared", "a number"),
}


def check_names(formula: Formula, start: Position[Any]) -> None:
    """Check that all names mean something on the level of a position.

    ParseError at a name without a meaning, with the names that exist.
    """
    if product := find_product(formula, start.level):
        start = product.wrap(start)
    for one in subformulas(formula):
        match one:
            case Atom():
                _check(one, start, number=False)
            case Comparison(left, _, right):
                for side in (left, right):
                    if isinstance(side, Atom):
                        _check(side, start, number=True)
            case Executable(action, place) | Next(action, place):
                _check_action(action, place, [str(one) for one in start.level.all_actions()])


def _check(atom: Atom, start: Position[Any], number: bool) -> None:
    game = start.level.game
    available = propositions(game)
    if atom.name not in available:
        _refuse_name(atom, game, list(available))
    if available[atom.name].number != number:
        _refuse(atom, *_OTHER_KIND[number])
    try:
        value_of(game, atom.name, atom.arguments)(start)
    except GridproofError as error:
        _refuse(atom, str(error))


def _refuse_name(atom: Atom, game: Game, available: list[str]) -> NoReturn:
    reason = f"{game.name} has no proposition {atom.name!r}"
    if set(atom.name) <= _OPERATORS:
        reason += f"; if these are operators, write {' '.join(atom.name)}"
    elif atom.name in measures(game):
        reason += f"; if its cost is meant, write {COST}({atom.name})"
    elif near := difflib.get_close_matches(atom.name, available, 1):
        reason += f"; did you mean {near[0]}?"
    _refuse(atom, reason, ", ".join(available))


def _refuse(atom: Atom, reason: str, expected: str = "") -> NoReturn:
    line, column = atom.place
    raise ParseError(reason, line=line, column=column, expected=expected) from None


def _check_action(action: str, place: tuple[int, int], available: list[str]) -> None:
    """Refuse an action that the level does not list, if it lists any."""
    if not available or action in available:
        return
    reason = f"no action {action!r}"
    if near := difflib.get_close_matches(action, available, 1):
        reason += f"; did you mean {near[0]}?"
    raise ParseError(reason, line=place[0], column=place[1], expected=some(available))
