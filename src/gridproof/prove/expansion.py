"""Expansion of formulas on a level: definitions are replaced, and quantifiers over things become plain operators."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.position import Level
from gridproof.core.proposition import COMPARE, propositions, value_of
from gridproof.core.text.phrases import format_count, suggestion
from gridproof.prove.definition import Definition, check_definitions
from gridproof.prove.formula import (
    TRUE,
    Atom,
    Binary,
    Coalition,
    Comparison,
    Executable,
    Formula,
    Next,
    Place,
    Quantification,
    Truth,
    check_depth,
    parts,
    subformulas,
    with_parts,
)
from gridproof.prove.game_formulas import domains_of

_MOST_PARTS = 20_000
_INTEGER = re.compile("-?[0-9]{1,99}")
_WORD = re.compile(r"[A-Za-z_]\w*+")

Bindings = Mapping[str, str]
"""Values of variables and parameters, as texts."""


def expand_things(formula: Formula, level: Level) -> Formula:
    """Return a formula without quantifiers over things of a level; errors as of `Expander`."""
    if any(isinstance(one, Quantification) for one in subformulas(formula)):
        return Expander(level).expand(formula)
    return formula


class Expander:
    """Expander of formulas on one level.

    ParseError when a definition has the name of a proposition or of another definition, or needs itself.
    """

    def __init__(self, level: Level, definitions: Iterable[Definition] = ()) -> None:
        listed = list(definitions)
        check_definitions(listed)
        self._level = level
        self._definitions = {one.name: one for one in listed}
        self._parts = 0
        for name in self._definitions.keys() & propositions(level.game):
            reason = f"{name} cannot be defined: it is a proposition of {level.game.name}"
            raise ParseError(reason, line=self._definitions[name].line, column=self._definitions[name].column)

    def expand(self, formula: Formula) -> Formula:
        """Return a formula without definitions and without quantifiers over things.

        ParseError for a wrong number of arguments and an unknown domain, GridproofError when the result is too large.
        """
        self._parts = 0
        built: list[Formula] = []
        for one, count in reversed([*self._nodes(formula)]):
            operands = [built.pop() for _ in range(count)]
            built.append(with_parts(one, operands))
        check_depth(built[0])
        return built[0]

    def _nodes(self, formula: Formula) -> Iterator[tuple[Formula, int]]:
        """Yield the expanded nodes, each before its operands and with their number; the operands in them do not count."""
        waiting: list[tuple[Formula, Sequence[Bindings], str]] = [(formula, [{}], "&")]
        while waiting:
            one, each, operator = waiting.pop()
            self._count_part()
            if len(each) != 1:
                yield from self._join(one, each, operator, waiting)
                continue
            (bindings,) = each
            if isinstance(one, Quantification):
                joined = "&" if one.quantifier == "forall" else "|"
                waiting.append((one.operand, self._things(one, bindings), joined))
            elif isinstance(one, Atom) and one.name in self._definitions:
                definition = self._definitions[one.name]
                waiting.append((definition.formula, [_bind(definition, one, bindings)], operator))
            else:
                operands = parts(one)
                yield self._node(one, bindings), len(operands)
                waiting += ((operand, [bindings], operator) for operand in reversed(operands))

    def _join(
        self,
        formula: Formula,
        each: Sequence[Bindings],
        operator: str,
        waiting: list[tuple[Formula, Sequence[Bindings], str]],
    ) -> Iterator[tuple[Formula, int]]:
        """Join a formula for none or several things: by halves, so that the depth grows slowly."""
        if not each:
            yield Truth(operator == "&"), 0
            return
        middle = len(each) // 2
        yield Binary(operator, TRUE, TRUE), 2
        waiting += ((formula, each[middle:], operator), (formula, each[:middle], operator))

    def _things(self, formula: Quantification, bindings: Bindings) -> list[Bindings]:
        """Return the values of the variables for each thing of a domain."""
        variables, name, domains = formula.variables, formula.domain, domains_of(self._level.game)
        if name not in domains:
            known = f"{self._level.game.name} has no domain {name!r}{suggestion(name, domains)}"
            _refuse(known, formula.place, ", ".join(domains))
        if len(variables) != len(domains[name].parameters):
            form = ",".join(domains[name].parameters)
            if len(domains[name].parameters) == 1:
                each = (f"{formula.quantifier} {one} in {name}" for one in variables)
                _refuse(f"each of {name} is one {form}", formula.place, ": ".join(each))
            _refuse(f"each of {name} is ({form})", formula.place, f"{formula.quantifier} ({form}) in {name}")
        if len(set(variables)) < len(variables):
            _refuse("two variables have the same name", formula.place)
        if hidden := [one for one in variables if one in bindings]:
            _refuse(f"{hidden[0]} already stands for a value", formula.place, "another name")
        things = itertools.islice(domains[name].things(self._level), _MOST_PARTS)
        return [{**bindings, **dict(zip(variables, map(str, thing), strict=True))} for thing in things]

    def _node(self, formula: Formula, bindings: Bindings) -> Formula:
        match formula:
            case Atom(name, _, place) if name in bindings:
                _refuse(f"{name} stands for a value, and is no proposition", place)
            case Atom():
                return self._with_arguments(formula, bindings)
            case Comparison(left, sign, right):
                return _compare(self._side(left, bindings), sign, self._side(right, bindings))
            case Executable(action, place):
                return Executable(_replace_words(action, bindings), place)
            case Next(action, place):
                return Next(_replace_words(action, bindings), place)
            case Coalition(names, operand, place):
                named = tuple(dict.fromkeys(bindings.get(name, name) for name in names))
                return Coalition(named, operand, place)
        return formula

    def _count_part(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise GridproofError(
                f"the formula is too large: more than {_MOST_PARTS:,} parts, with all definitions and things"
            )

    def _with_arguments(self, atom: Atom, bindings: Bindings) -> Atom:
        """Return an atom with values for variables; ParseError for a word that is neither a variable nor a value."""
        found, game = _with_arguments(atom, bindings), self._level.game
        known = {*bindings, *game.actors(self._level)} if bindings else set(atom.arguments)
        unknown = [one for one in atom.arguments if _WORD.fullmatch(one) and one not in known]
        if unknown and atom.name in propositions(game):
            try:
                value_of(game, atom.name, found.arguments)(self._level.start())
            except GridproofError:
                reason = f"{unknown[0]} is no number and no variable"
                raise ParseError(
                    reason, line=atom.place[0], column=atom.place[1], expected=", ".join(bindings)
                ) from None
        return found

    def _side(self, side: Atom | int, bindings: Bindings) -> Atom | int:
        if isinstance(side, int):
            return side
        if side.name in self._definitions:
            _refuse(f"{side.name} is a formula, and cannot be compared", side.place, "a number")
        if side.name not in bindings:
            return self._with_arguments(side, bindings)
        if not _INTEGER.fullmatch(bindings[side.name]):
            _refuse(f"{side.name} is {bindings[side.name]}", side.place, "a number")
        return int(bindings[side.name])


def _with_arguments(atom: Atom, bindings: Bindings) -> Atom:
    return replace(atom, arguments=tuple(bindings.get(one, one) for one in atom.arguments))


def _bind(definition: Definition, atom: Atom, bindings: Bindings) -> Bindings:
    """Return the values of a definition's parameters where it is used."""
    name, parameters, values = (
        definition.name,
        definition.parameters,
        _with_arguments(atom, bindings).arguments,
    )
    if len(parameters) != len(values):
        form = f"{name}({','.join(parameters)})" if parameters else name
        _refuse(f"{name} with {format_count(len(values), 'arguments')}", atom.place, form)
    return dict(zip(parameters, values, strict=True))


def _compare(left: Atom | int, sign: str, right: Atom | int) -> Formula:
    if isinstance(left, int) and isinstance(right, int):
        return Truth(COMPARE[sign](left, right))
    return Comparison(left, sign, right)


def _replace_words(text: str, bindings: Bindings) -> str:
    return _WORD.sub(lambda word: bindings.get(word[0], word[0]), text) if bindings else text


def _refuse(reason: str, place: Place, expected: str = "") -> NoReturn:
    raise ParseError(reason, line=place[0], column=place[1], expected=expected)
