"""Check of the names in a formula: propositions, numbers and actions of a level."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Game
from gridproof.core.measure import measures
from gridproof.core.position import Position
from gridproof.core.proposition import propositions, value_of
from gridproof.core.text import files
from gridproof.core.text.phrases import some, suggestion
from gridproof.prove.cost import find_product
from gridproof.prove.definition import Definition
from gridproof.prove.formula import (
    QUANTIFIERS,
    TEMPORAL,
    Accepted,
    Atom,
    Comparison,
    Executable,
    Formula,
    Next,
    Quantification,
    Quantity,
    atoms,
    subformulas,
)
from gridproof.prove.quantity import measure_of
from gridproof.search.cost_product import COST

_OPERATORS = TEMPORAL | QUANTIFIERS
_OTHER_KIND = {
    False: ("a number is no proposition", "a comparison, such as = 0"),
    True: ("a proposition cannot be compared", "a number"),
}


def check_names(formula: Formula, start: Position[Any]) -> None:
    """Check that all names mean something on the level of a position.

    ParseError at a name without a meaning, with the names that exist, and the name of an automaton's file.
    """
    inside = [*subformulas(formula)]
    origin = next((Path(one.name) for one in inside if isinstance(one, Accepted)), None)
    with files.locate_errors(origin) if origin else contextlib.nullcontext():
        _check_parts(inside, formula, start)


def _check_parts(inside: Iterable[Formula], formula: Formula, start: Position[Any]) -> None:
    if product := find_product(formula, start.level):
        start = product.wrap(start)
    for one in inside:
        match one:
            case Atom():
                _check(one, start, number=False)
            case Comparison(left, _, right):
                for side in (left, right):
                    if isinstance(side, Atom):
                        _check(side, start, number=True)
            case Quantity(measure) if measure:
                measure_of(one, start.level)
            case Executable(action, place) | Next(action, place):
                _check_action(action, place, [str(one) for one in start.level.all_actions()])


def _check(atom: Atom, start: Position[Any], number: bool) -> None:
    game = start.level.game
    available = propositions(game)
    if atom.name not in available:
        _refuse_name(atom, game)
    if available[atom.name].number != number:
        _refuse(atom, *_OTHER_KIND[number])
    try:
        value_of(game, atom.name, atom.arguments)(start)
    except GridproofError as error:
        _refuse(atom, str(error))


def check_definition_names(definitions: Iterable[Definition], game: Game) -> None:
    """Check the names of propositions and numbers in definitions, also in those that are not used.

    ParseError at a name that the game does not have.
    """
    listed = list(definitions)
    known = {*propositions(game), *(one.name for one in listed), COST}
    for one in listed:
        inside = [*subformulas(one.formula)]
        variables = {name for part in inside if isinstance(part, Quantification) for name in part.variables}
        for atom in atoms(one.formula):
            if atom.name not in known | variables | {*one.parameters}:
                with _name_definition(one):
                    _refuse_name(atom, game)


@contextlib.contextmanager
def _name_definition(definition: Definition) -> Iterator[None]:
    """Add the name of a definition that stands alone to an error, which has no place then."""
    try:
        yield
    except ParseError as error:
        if definition.line:
            raise
        raise ParseError(f"definition {definition.name}: {error.reason}", expected=error.expected) from None


def _refuse_name(atom: Atom, game: Game) -> NoReturn:
    """Raise ParseError for the name of an atom that a game does not have."""
    available = list(propositions(game))
    reason = f"{game.name} has no proposition {atom.name!r}"
    if set(atom.name) <= _OPERATORS:
        reason += f"; if these are operators, write {' '.join(atom.name)}"
    elif atom.name in measures(game):
        reason += f"; if its cost is meant, write {COST}({atom.name})"
    else:
        reason += suggestion(atom.name, available)
    _refuse(atom, reason, ", ".join(available))


def _refuse(atom: Atom, reason: str, expected: str = "") -> NoReturn:
    line, column = atom.place
    raise ParseError(reason, line=line, column=column, expected=expected) from None


def _check_action(action: str, place: tuple[int, int], available: list[str]) -> None:
    """Refuse an action that the level does not list, if it lists any."""
    if not available or action in available:
        return
    reason = f"no action {action!r}{suggestion(action, available)}"
    raise ParseError(reason, line=place[0], column=place[1], expected=some(available))
