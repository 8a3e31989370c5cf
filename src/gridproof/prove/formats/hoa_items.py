"""Parser of the Hanoi Omega-Automata format (HOA): header items and states, as they are written."""

from __future__ import annotations

import functools
import importlib.resources
import re
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from gridproof.core.errors import ParseError
from gridproof.core.text.phrases import short_repr

_OPENING = re.compile(r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"|/\*')
_BRACKETS = re.compile(r"/\*|\*/")


class Label(NamedTuple):
    """A Boolean expression: a label, or a condition of acceptance."""

    kind: str
    """One of & | ! t f, proposition, alias, Inf, Fin, and Inf! and Fin! for complements."""
    operands: tuple[Any, ...] = ()
    """Labels; or a number or a name as a token."""


class Header(NamedTuple):
    """An item of the header."""

    name: Token
    values: tuple[Any, ...]


class Edge(NamedTuple):
    """An edge."""

    label: Label | None
    targets: tuple[Token, ...]
    """States; several at once in automata that are not supported."""
    sets: tuple[Token, ...]
    """Acceptance sets."""


class State(NamedTuple):
    """A state with its edges."""

    number: Token
    label: Label | None
    sets: tuple[Token, ...]
    edges: tuple[Edge, ...]


class Items(NamedTuple):
    """A whole automaton."""

    version: Token
    headers: tuple[Header, ...]
    states: tuple[State, ...]


def parse_items(text: str) -> Items:
    """Parse the items of an automaton; ParseError for a text of another form."""
    text = _blank_comments(text)
    try:
        items: Any = _parser().parse(text)
    except UnexpectedCharacters as error:
        raise _syntax_error(text, error.line, error.column) from None
    except UnexpectedToken as error:
        line, column = error.line, error.column
        if error.token.type == "$END":
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        raise _syntax_error(text, line, column) from None
    return items  # type: ignore[no-any-return]  # the grammar makes them


def _blank_comments(text: str) -> str:
    """Replace comments, which may be nested, by white space."""
    parts, end = list[str](), 0
    while opening := _OPENING.search(text, end):
        parts.append(text[end : opening.start()])
        end = opening.end()
        if opening[0] == "/*":
            end = _end_of_comment(text, opening.start())
            parts.append(re.sub(r"[^\n]", " ", text[opening.start() : end]))
        else:
            parts.append(opening[0])
    return "".join([*parts, text[end:]])


def _end_of_comment(text: str, begin: int) -> int:
    depth = 0
    for found in _BRACKETS.finditer(text, begin):
        depth += 1 if found[0] == "/*" else -1
        if depth == 0:
            return found.end()
    raise ParseError.at(text, begin, "this comment does not end")


def _syntax_error(text: str, line: int, column: int) -> ParseError:
    rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
    word = (rest.split(maxsplit=1) or [""])[0]
    if word == "HOA:" and (line, column) != (1, 1):
        return ParseError("another automaton begins here", line=line, column=column, expected="only one")
    reason = f"{short_repr(word, 20)} cannot stand here" if word else "the automaton ends too early"
    return ParseError(reason, line=line, column=column, expected="an automaton in HOA, version 1")


@v_args(inline=True)
class _ToItems(Transformer[Token, Any]):
    """Builder of the items while the text is read, without recursion."""

    def start(self, version: Token, *items: Header | State) -> Items:
        headers = tuple(one for one in items if isinstance(one, Header))
        return Items(version, headers, tuple(one for one in items if isinstance(one, State)))

    def header(self, name: Token, *values: Any) -> Header:
        return Header(name, values)

    other = header

    def strings(self, *tokens: Token) -> tuple[Token, ...]:
        return tokens

    targets = sets = strings

    def disjunction(self, *operands: Label) -> Label:
        return Label("|", operands) if len(operands) > 1 else operands[0]

    def conjunction(self, *operands: Label) -> Label:
        return Label("&", operands) if len(operands) > 1 else operands[0]

    def negation(self, operand: Label) -> Label:
        return Label("!", (operand,))

    def truth(self, token: Token) -> Label:
        return Label(str(token))

    def proposition(self, number: Token) -> Label:
        return Label("proposition", (number,))

    def alias(self, name: Token) -> Label:
        return Label("alias", (name,))

    def often(self, name: Token, number: Token) -> Label:
        return Label(str(name), (number,))

    def complement(self, name: Token, number: Token) -> Label:
        return Label(f"{name}!", (number,))

    def bracket(self, label: Label) -> Label:
        return label

    def edge(self, *parts: Any) -> Edge:
        label = parts[0] if isinstance(parts[0], Label) else None
        targets, *sets = parts[label is not None :]
        return Edge(label, targets, sets[0] if sets else ())

    def state(self, _: Token, *parts: Any) -> State:
        (number,) = (one for one in parts if isinstance(one, Token) and one.type == "INT")
        label = next((one for one in parts if isinstance(one, Label)), None)
        sets = next((one for one in parts if type(one) is tuple), ())
        return State(number, label, sets, tuple(one for one in parts if isinstance(one, Edge)))


@functools.cache
def _parser() -> Lark:
    grammar = importlib.resources.files("gridproof.prove") / "hoa.lark"
    text = grammar.read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="contextual", transformer=_ToItems(), maybe_placeholders=False)
