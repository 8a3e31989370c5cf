"""Parser of formulas."""

from __future__ import annotations

import functools
import importlib.resources
import re
from fractions import Fraction
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.formula import (
    FALSE,
    GIVEN,
    TRUE,
    Atom,
    Binary,
    Bounded,
    Coalition,
    Comparison,
    Deadlock,
    Executable,
    Formula,
    Next,
    Quantification,
    Quantity,
    Unary,
    check_depth,
)
from gridproof.prove.logic import BOUNDS

_LONGEST = 100_000  # characters
_ACTION_BEFORE = re.compile(r"(\[[^\s\[\]]+\])\s*$")
_QUANTIFIED_BEFORE = re.compile(r"(?<!\w)[AE][FG]\s*$")
_BOUND = re.compile(r"\s*(<=|<|=)\s*[0-9]")
_LONG_NUMBER = re.compile("-?[0-9]{100}")

_QUANTITY = re.compile(
    r'([PR])\s*(max|min)?\s*(?:\{\s*("?)(\w+)\3\s*\}\s*(max|min)?)?\s*(=|<=|>=|<(?!=)|>(?!=))\s*(\S+)\s*\['
)
_NUMBER = re.compile(r"[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][+-]?[0-9]{1,2})?|[0-9]{1,30}/[0-9]{1,30}")
_BOUNDED = re.compile(r"([A-Z])\s*(\W+?)\s*([0-9]+)")

_WORDS = {
    "NAME": "a proposition", "INTEGER": "a number", "LPAR": "'('", "SIGN": "a comparison", "IFF": "an operator",
    "AND": "an operator", "ARGUMENTS": "arguments", "RPAR": "')'", "RSQB": "']'", "VARIABLE": "a variable",
    "COMMA": "','", "IN": "'in'", "DOMAIN": "a domain", "COLON": "':'",
}  # fmt: skip
"""Words for terminals of the grammar, for messages; where a formula can begin, only _BEGINNINGS are named."""
_BEGINNINGS = ("NAME", "INTEGER", "LPAR")


def parse(text: str) -> Formula:
    """Parse a formula: `AG EF won`, `G (won -> X won)`, `!won & bombs < 2`.

    The names in it are checked later, against a game. ParseError when the text is no formula, with the place and the
    expected symbols; GridproofError when it is not a text, or too long or too deeply nested.
    """
    if not isinstance(text, str):
        raise GridproofError(f"a formula is a text such as 'AG EF won', not {short_repr(text)}")
    if len(text) > _LONGEST:
        raise GridproofError(f"the formula has more than {_LONGEST:,} characters")
    formula = _parse_text(text)
    check_depth(formula)
    return formula


@functools.lru_cache(maxsize=64)
def _parse_text(text: str) -> Formula:
    try:
        formula: Any = _parser().parse(text)
    except UnexpectedCharacters as error:
        raise _syntax_error(text, error.line, error.column, error.allowed or set()) from None
    except UnexpectedToken as error:
        line, column = error.line, error.column
        if error.token.type == "$END":
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        raise _syntax_error(text, line, column, error.accepts or error.expected) from None
    return formula  # type: ignore[no-any-return]  # the grammar makes formulas


def _syntax_error(text: str, line: int, column: int, accepted: set[str]) -> ParseError:
    meant = _BEGINNINGS if "NAME" in accepted else _WORDS
    expected = list(dict.fromkeys(_WORDS[name] for name in _WORDS if name in accepted and name in meant))
    rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
    if _LONG_NUMBER.match(rest):
        longest = "a number of at most 99 digits"
        return ParseError(f"{short_repr(rest, 20)} is too long", line=line, column=column, expected=longest)
    found = f"{short_repr(rest, 20)} cannot stand here" if rest.strip() else "the formula ends too early"
    before = text[: len(text) - len(rest)]
    if (action := _ACTION_BEFORE.search(before)) and rest.strip(" )]"):
        found += f": {action[1]} says which action is the next one; what follows is joined by &, | or ->"
    if _BOUND.match(rest) and _QUANTIFIED_BEFORE.search(before):
        return ParseError(f"{found}: {BOUNDS}", line=line, column=column)
    return ParseError(found, line=line, column=column, expected=_alternatives(expected))


def _alternatives(words: list[str]) -> str:
    *most, last = words or [""]
    return f"{', '.join(most)} or {last}" if most else last


@v_args(inline=True)
class _ToFormula(Transformer[Token, Formula]):
    """Builder of formulas while the text is read, without recursion."""

    def unary(self, operators: Token, operand: Formula) -> Formula:
        line, column = _place(operators)
        for distance, operator in reversed([*enumerate(operators)]):  # GF p is G F p
            operand = Unary(operator, operand, (line, column + distance))
        return operand

    def quantification(self, operators: Token, operand: Formula) -> Formula:
        return Unary(operators[0], Unary(operators[1], operand))

    def bracket(self, opening: Token, operand: Formula) -> Formula:
        return Unary(opening[0], operand)

    def next_of_paths(self, token: Token) -> Formula:
        """Build `E [up]`, which is refused later as a mix of logics."""
        return Unary(token[0], Next(_close(token[token.index("[") + 1 : -1]), _place(token)))

    def coalition(self, opening: Token, operand: Formula) -> Formula:
        names = opening[opening.index("<<") + 2 : opening.index(">>")].split(",")
        found = tuple(dict.fromkeys(filter(None, map(str.strip, names))))
        return Coalition(found, operand, _place(opening))

    def bounded_unary(self, opening: Token, operand: Formula) -> Formula:
        operator, sign, steps = _parse_bounded(opening)
        return Bounded(sign, steps, Unary(operator, operand))

    def bounded_binary(self, left: Formula, opening: Token, right: Formula) -> Formula:
        operator, sign, steps = _parse_bounded(opening)
        return Bounded(sign, steps, Binary(operator, left, right))

    def quantity(self, opening: Token, operand: Formula) -> Formula:
        return _quantity(opening, operand)

    def conditional(self, opening: Token, event: Formula, given: Token, condition: Formula) -> Formula:
        return _quantity(opening, Binary(GIVEN, event, condition))

    def variables(self, *names: Token) -> tuple[str, ...]:
        return tuple(map(str, names))

    def for_things(
        self, quantifier: Token, variables: tuple[str, ...], word: Token, domain: Token, operand: Formula
    ) -> Formula:
        """Build `forall x in boxes: ...`."""
        return Quantification(str(quantifier), variables, str(domain), operand, _place(domain))

    def binary(self, left: Formula, operator: Token, right: Formula) -> Formula:
        return Binary(str(operator), left, right)

    def truth(self, token: Token) -> Formula:
        return TRUE

    def falsity(self, token: Token) -> Formula:
        return FALSE

    def deadlock(self, token: Token) -> Formula:
        return Deadlock()

    def executable(self, token: Token) -> Formula:
        return Executable(_close(token[token.index("(") + 1 : -1]), _place(token))

    def next(self, token: Token) -> Formula:
        return Next(_close(token[1:-1]), _place(token))

    def comparison(self, left: Atom | int, sign: Token, right: Atom | int) -> Formula:
        return Comparison(left, str(sign), right)

    def integer(self, token: Token) -> int:
        return int(token)

    def atom(self, name: Token, arguments: Token | None = None) -> Atom:
        inside = arguments[1:-1].split(",") if arguments else []
        return Atom(str(name), tuple(map(str.strip, inside)), _place(name))


def _parse_bounded(token: Token) -> tuple[str, str, int]:
    match = _BOUNDED.fullmatch(token)
    assert match  # as the grammar has it
    return match[1], match[2], int(match[3])


def _quantity(opening: Token, operand: Formula) -> Quantity:
    """Build `P>=0.9 [...]` or `R{"pushes"}=? [...]` from the text before the bracket; ParseError when it has another form."""
    line, column = _place(opening)
    match = _QUANTITY.fullmatch(opening)
    if match is None or (match[2] and match[5]) or (match[4] and match[1] == "P"):
        form = 'P=? [, P>=0.9 [, Pmax=? [ or R{"actions"}=? ['
        raise ParseError(
            f"{short_repr(str(opening))} cannot stand here", line=line, column=column, expected=form
        )
    kind, side, _, measure, other, sign, text = match.groups()
    measure = (measure or "actions") if kind == "R" else ""
    if sign == "=":
        return Quantity(measure, side or other or "", "=?", None, operand)
    bound = _number(text)
    if bound is None or (kind == "P" and bound > 1):
        expected = "a number such as 0.9, 9/10 or 12" if kind == "R" else "a probability such as 0.9 or 9/10"
        raise ParseError(f"{short_repr(text)} is no bound", line=line, column=column, expected=expected)
    return Quantity(measure, side or other or "", sign, bound, operand)


def _number(text: str) -> Fraction | None:
    """Return the exact value of a decimal or a fraction; None when the text is neither."""
    if not _NUMBER.fullmatch(text):
        return None
    above, _, below = text.partition("/")
    return None if below and not int(below) else Fraction(above) / (int(below) if below else 1)


@functools.cache
def _parser() -> Lark:
    grammar = importlib.resources.files(__package__) / "formula.lark"
    text = grammar.read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="contextual", transformer=_ToFormula(), maybe_placeholders=False)


def _close(text: str) -> str:
    """Remove white space: no action has any."""
    return "".join(text.split())


def _place(token: Token) -> tuple[int, int]:
    return token.line or 0, token.column or 0
