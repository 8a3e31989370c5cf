"""The syntax of IDP3's `structure` blocks; what the names mean is the vocabulary's business.

Loaded when a structure is read, since it needs the parser generator lark.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from gridproof.core.errors import GridproofError, ParseError
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, integer, real

GRAMMAR = r"""
start: block+
block: STRUCTURE ID ":" name "{" (interpretation | using)* CLOSE
using: USING name
interpretation: name ["<" TRUTH ">"] "=" value
value: (TRUE | FALSE) -> boolean
     | elem           -> constant
     | "{" CLOSE      -> empty
     | "{" row (_SEMICOLON row)* _SEMICOLON? CLOSE -> rows
row: args | "(" args ")" | OPEN ")"
   | args _ARROW elem       -> map
   | OPEN ")" _ARROW elem   -> map
   | _ARROW elem            -> map
   | number _DOTS number    -> int_range
   | (ID _DOTS ID | CHAR _DOTS CHAR) -> char_range
args: elem (_COMMA elem)*
?elem: number
     | SIGN? FLOAT          -> real
     | ID                   -> bare
     | (STRING | CHAR)      -> text
     | name "(" [args] ")"  -> call
number: SIGN? INT
name: ID (_SCOPE ID)* ["[" sorts [":" name] "]"]
sorts: [name (_COMMA name)*]

STRUCTURE: /[sS]tructure(?![A-Za-z0-9_'])/
USING.2: /using[ \t]+(vocabulary|namespace)(?![A-Za-z0-9_'])/
TRUE: /true(?![A-Za-z0-9_'])/
FALSE: /false(?![A-Za-z0-9_'])/
TRUTH: /ct|cf|u/
SIGN: "-"
OPEN: "("
CLOSE: "}"
_SEMICOLON: ";"
_COMMA: ","
_ARROW: "->"
_DOTS: ".."
_SCOPE: "::"
ID: /(?!(?:true|false)(?![A-Za-z0-9_']))_*[A-Za-z][A-Za-z0-9_']*/
FLOAT.2: /[0-9]*\.[0-9]+/
INT: /[0-9]+/
STRING: /"[^"]*"/
CHAR: /'[^\n]'/
%ignore /[ \t\r\n]+/
%ignore /\/\/[^\n]*|--[^\n]*|\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\//
"""

DEEPEST = 50
"""How deep elements may be nested."""

MOST_ELEMENTS = 1_000_000
"""Elements of the largest range."""


class Name(NamedTuple):
    """A name with its namespaces and, where they are given, its types."""

    path: tuple[str, ...]
    sorts: str
    """The types as they are written, `[Time,Tile:Pos]`; "" without any."""
    line: int
    column: int

    def __str__(self) -> str:
        return "::".join(self.path) + self.sorts


class Row(NamedTuple):
    """One line of a table."""

    elements: tuple[Element, ...]
    """The arguments and, in a map, the value."""
    mapped: bool
    """Whether it maps: `a -> b`."""
    line: int
    column: int


class Given(NamedTuple):
    """What a structure says of one symbol."""

    name: Name
    truth: str
    """"" for `=`, else "ct", "cf" or "u"."""
    rows: tuple[Row, ...]


class Block(NamedTuple):
    """One structure."""

    name: str
    vocabulary: str
    using: tuple[str, ...]
    given: tuple[Given, ...]
    line: int
    last_line: int


class _Atom(NamedTuple):
    """An element with its place and depth."""

    value: Element
    line: int
    column: int
    depth: int = 1


class _Reading(Transformer[Token, Any]):
    """From tokens to blocks, rule by rule as they are recognised; never recursive."""

    def start(self, blocks: list[Block]) -> list[Block]:
        return blocks

    def block(self, parts: list[Any]) -> Block:
        keyword, name, vocabulary, *items, close = parts
        using = tuple(item for item in items if isinstance(item, str))
        given = tuple(item for item in items if isinstance(item, Given))
        return Block(str(name), str(vocabulary), using, given, keyword.line, close.line)

    def using(self, parts: list[Any]) -> str:
        return f"{' '.join(parts[0].split())} {parts[1]}"

    def interpretation(self, parts: list[Any]) -> Given:
        name, truth, rows = parts
        return Given(name, str(truth or ""), rows)

    def boolean(self, parts: list[Token]) -> tuple[Row, ...]:
        return (Row((), False, *_place(parts[0])),) if parts[0].type == "TRUE" else ()

    def constant(self, parts: list[_Atom]) -> tuple[Row, ...]:
        return (Row((parts[0].value,), True, *_place(parts[0])),)

    def empty(self, parts: list[Token]) -> tuple[Row, ...]:
        return ()

    def rows(self, parts: list[Any]) -> tuple[Row, ...]:
        return tuple(row for rows in parts[:-1] for row in rows)

    def row(self, parts: list[Any]) -> tuple[Row, ...]:
        atoms = parts[0] if isinstance(parts[0], list) else []
        return (Row(tuple(atom.value for atom in atoms), False, *_place((atoms or parts)[0])),)

    def map(self, parts: list[Any]) -> tuple[Row, ...]:
        arguments = parts[0] if isinstance(parts[0], list) else []
        atoms = [*arguments, parts[-1]]
        return (Row(tuple(atom.value for atom in atoms), True, *_place(atoms[0])),)

    def int_range(self, parts: list[_Atom]) -> tuple[Row, ...]:
        first, last = parts
        numbers = range(int(str(first.value)), int(str(last.value)) + 1)
        _check_range(numbers.stop - numbers.start, first)
        return tuple(Row((number,), False, *_place(first)) for number in numbers)

    def char_range(self, parts: list[Token]) -> tuple[Row, ...]:
        first, last = (token.strip("'") or "'" for token in parts)
        if len(first) != 1 or len(last) != 1:
            reason = "a range of names that are no characters"
            raise ParseError(reason, line=parts[0].line or 0, column=parts[0].column or 0, expected="a..c")
        _check_range(ord(last) - ord(first) + 1, parts[0])
        return tuple(Row((chr(code),), False, *_place(parts[0])) for code in range(ord(first), ord(last) + 1))

    def args(self, parts: list[_Atom]) -> list[_Atom]:
        return parts

    def number(self, parts: list[Token]) -> _Atom:
        return _number(parts, integer)

    def real(self, parts: list[Token]) -> _Atom:
        return _number(parts, real)

    def bare(self, parts: list[Token]) -> _Atom:
        name = str(parts[0])
        return _Atom(Call(name) if name in DIRECTIONS else name, *_place(parts[0]))

    def text(self, parts: list[Token]) -> _Atom:
        return _Atom(str(parts[0][1:-1]), *_place(parts[0]))

    def call(self, parts: list[Any]) -> _Atom:
        name, atoms = parts[0], parts[1] or []
        depth = 1 + max((atom.depth for atom in atoms), default=0)
        if depth > DEEPEST:
            raise ParseError("elements are nested too deeply", line=name.line, column=name.column)
        return _Atom(Call(name.path[-1], tuple(atom.value for atom in atoms)), name.line, name.column, depth)

    def name(self, parts: list[Any]) -> Name:
        *path, sorts, result = parts
        written = "" if sorts is None else f"[{sorts}{f':{result}' if result else ''}]"
        return Name(tuple(map(str, path)), written, *_place(path[0]))

    def sorts(self, parts: list[Any]) -> str:
        return ",".join(str(part) for part in parts if part is not None)


def _place(thing: Any) -> tuple[int, int]:
    return thing.line, thing.column


def _number(parts: list[Token], reader: Any) -> _Atom:
    try:
        return _Atom(reader("".join(parts)), *_place(parts[0]))
    except GridproofError as error:
        raise ParseError(str(error), line=parts[0].line or 0, column=parts[0].column or 0) from None


def _check_range(size: int, place: Any) -> None:
    if not 0 < size <= MOST_ELEMENTS:
        reason = "a range that runs backwards" if size <= 0 else f"a range of {size} elements is too large"
        raise ParseError(reason, line=place.line, column=place.column)


@functools.cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", transformer=_Reading())


_SPELLINGS = {
    "STRUCTURE": "structure", "ID": "an identifier", "USING": "using", "TRUE": "true", "FALSE": "false",
    "TRUTH": "ct, cf or u", "SIGN": "-", "OPEN": "(", "LPAR": "(", "RPAR": ")", "CLOSE": "}", "LBRACE": "{",
    "LSQB": "[", "RSQB": "]", "LESSTHAN": "<", "MORETHAN": ">", "EQUAL": "=", "COLON": ":",
    "_SEMICOLON": ";", "_COMMA": ",", "_ARROW": "->", "_DOTS": "..", "_SCOPE": "::",
    "FLOAT": "a number", "INT": "a number", "STRING": "a string", "CHAR": "a character", "$END": "the end",
}  # fmt: skip


def parse(text: str) -> list[Block]:
    """The structures of a text.

    Raises
    ------
    ParseError
        With line, column and what could have stood there.
    """
    try:
        blocks: list[Block] = _parser().parse(text)  # type: ignore[assignment]  # the transformer's answer
    except UnexpectedInput as error:
        raise _fault(error, text) from None
    return blocks


def _fault(error: UnexpectedInput, text: str) -> ParseError:
    line, column = error.line, error.column
    if isinstance(error, UnexpectedToken):
        names, reason = error.accepts or error.expected, f"{_shown(error.token)} here"
        if error.token.type == "$END":
            told = text.rstrip()
            reason = "the text ends too early"
            line, column = told.count("\n") + 1, len(told) - told.rfind("\n")
    else:
        names = error.allowed if isinstance(error, UnexpectedCharacters) else set()
        reason = _unreadable(text, error.pos_in_stream or 0)
    expected = " or ".join(sorted({_SPELLINGS[name] for name in names or () if name in _SPELLINGS}))
    return ParseError(reason, line=line, column=column, expected=expected)


def _unreadable(text: str, at: int) -> str:
    for mark, what in (('"', "a string"), ("/*", "a comment"), ("'", "a character")):
        if text.startswith(mark, at):
            return f"{what} without its end"
    return f"{_shown(text[at : at + 1])} here"


def _shown(text: str) -> str:
    return repr(text[:40]) if len(text) <= 40 else repr(text[:40] + "...")
