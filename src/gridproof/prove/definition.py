"""Definitions of names for formulas: `near_home = near & !won`, `free(x,y) = !at(x,y) & !box(x,y)`."""

from __future__ import annotations

import graphlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from gridproof.core.errors import ParseError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.formula import (
    Atom,
    Coalition,
    Comparison,
    Executable,
    Formula,
    Next,
    Unary,
    parts,
    subformulas,
    with_parts,
)

HEAD = re.compile(r"\s*+([A-Za-z_]\w*+)\s*+(?:\(([^()]*+)\)\s*+)?=")
"""The text of a definition up to its formula: its name and parameters."""
FORM = "NAME = FORMULA or NAME(X,Y) = FORMULA"
_NAME = re.compile(r"[A-Za-z_]\w*+")
_WORDS = {"e", "forall", "exists", "in", "cost"}
"""Words of formulas that are no operators."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A name for a formula; its parameters stand for arguments, numbers and actors."""

    name: str
    parameters: tuple[str, ...]
    formula: Formula
    line: int = 0
    """Its line in a file, from 1; 0 where it stands alone."""
    column: int = 0
    """The column of its name in a file, from 1; 0 where it stands alone."""


def parse_definition(text: str) -> Definition:
    """Parse a definition that stands alone, such as an option's value; ParseError when it has another form."""
    from gridproof.prove.parsing import parse  # which brings lark

    match = HEAD.match(text)
    if match is None:
        raise ParseError(f"no definition: {short_repr(text)}", expected=FORM)
    try:
        found = definition_of(match, parse(re.sub(r"[^\n]", " ", match[0]) + text[match.end() :]))
    except ParseError as error:
        reason = f"definition {short_repr(text)}: {error.reason}"
        raise ParseError(reason, line=error.line, column=error.column, expected=error.expected) from None
    return replace(found, formula=_without_places(found.formula))


def definition_of(head: re.Match[str], formula: Formula, line: int = 0) -> Definition:
    """Return the definition with a head that `HEAD` has matched; ParseError when its names cannot be used."""
    name, inside = head.groups()
    parameters = tuple(map(str.strip, inside.split(","))) if inside is not None else ()
    column = head.start(1) + 1 if line else 0
    for one in (name, *parameters):
        if not _is_usable(one):
            raise ParseError(f"{short_repr(one)} cannot be a name", line=line, column=column, expected=FORM)
    if len(set(parameters)) < len(parameters):
        raise ParseError(f"two parameters of {name} have the same name", line=line, column=column)
    return Definition(name, parameters, formula, line, column)


def _is_usable(name: str) -> bool:
    """Return whether a name is no operator and no word of formulas."""
    from gridproof.prove.parsing import parse

    if name in _WORDS:
        return False
    try:
        return _NAME.fullmatch(name) is not None and isinstance(parse(name), Atom)
    except ParseError:
        return False


def check_definitions(definitions: Iterable[Definition]) -> None:
    """Raise ParseError if two definitions have the same name, or one needs itself."""
    listed: dict[str, Definition] = {}
    for one in definitions:
        if one.name in listed:
            raise ParseError(f"{one.name} is defined twice", line=one.line, column=one.column)
        listed[one.name] = one
    uses = {
        name: {part.name for part in subformulas(one.formula) if isinstance(part, Atom)} & listed.keys()
        for name, one in listed.items()
    }
    try:
        graphlib.TopologicalSorter(uses).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1][::-1]
        reason, first = f"a definition needs itself: {' -> '.join(circle)}", listed[circle[0]]
        raise ParseError(reason, line=first.line, column=first.column) from None


def _without_places(formula: Formula) -> Formula:
    """Return a formula whose names have no places, since its text is not the one that errors are about."""
    match formula:
        case Comparison(left, sign, right):
            sides = [
                replace(side, place=(0, 0)) if isinstance(side, Atom) else side for side in (left, right)
            ]
            return Comparison(sides[0], sign, sides[1])
        case Atom() | Executable() | Next():
            return replace(formula, place=(0, 0))
        case Coalition() | Unary():
            formula = replace(formula, place=(0, 0))
    return with_parts(formula, [_without_places(part) for part in parts(formula)])
