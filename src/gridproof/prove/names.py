"""What the names in a formula mean on a level: propositions, numbers and actions, or an error that tells where."""

from __future__ import annotations

import difflib
from typing import Any, NoReturn

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.position import Position
from gridproof.core.proposition import propositions, value_of
from gridproof.core.wording import some
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

_OPERATORS = TEMPORAL | QUANTIFIERS
_OTHER_KIND = {
    False: ("a number is no proposition", "a comparison, such as = 0"),
    True: ("a proposition cannot be compared", "a number"),
}


def check_names(formula: Formula, start: Position[Any]) -> None:
    """Check that all names mean something on the level of a position.

    Raises
    ------
    ParseError
        Where one does not: what there is instead.
    """
    for one in subformulas(formula):
        match one:
            case Atom():
                _check(one, start, number=False)
            case Comparison(left, _, right):
                for side in (left, right):
                    if isinstance(side, Atom):
                        _check(side, start, number=True)
            case Executable(action, place) | Next(action, place):
                _check_action(action, place, [str(known) for known in start.level.all_actions()])


def _check(atom: Atom, start: Position[Any], number: bool) -> None:
    game = start.level.game
    known = propositions(game)
    if atom.name not in known:
        _refuse_name(atom, game.name, list(known))
    if known[atom.name].number != number:
        _refuse(atom, *_OTHER_KIND[number])
    try:
        value_of(game, atom.name, atom.arguments)(start)
    except GridproofError as error:
        _refuse(atom, str(error))


def _refuse_name(atom: Atom, game: str, known: list[str]) -> NoReturn:
    reason = f"{game} has no proposition {atom.name!r}"
    if set(atom.name) <= _OPERATORS:
        reason += f"; are these operators? Then write {' '.join(atom.name)}"
    elif near := difflib.get_close_matches(atom.name, known, 1):
        reason += f"; is {near[0]} meant?"
    _refuse(atom, reason, ", ".join(known))


def _refuse(atom: Atom, reason: str, expected: str = "") -> NoReturn:
    line, column = atom.place
    raise ParseError(reason, line=line, column=column, expected=expected) from None


def _check_action(action: str, place: tuple[int, int], known: list[str]) -> None:
    """Where a level lists its actions, one that is not among them is a mistake."""
    if not known or action in known:
        return
    reason = f"no action {action!r}"
    if near := difflib.get_close_matches(action, known, 1):
        reason += f"; is {near[0]} meant?"
    raise ParseError(reason, line=place[0], column=place[1], expected=some(known))
