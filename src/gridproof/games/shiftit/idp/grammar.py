"""The reader of IDP3's texts: `structure.lark` is their syntax; errors get the place of their row.

Most of a long text are tables of rows without blanks inside: a regular expression matches each.
DEEPEST bounds nesting, and RANGES with the text's length bounds ranges.
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, Tree, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError
from lark.tree import Meta

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, parse_integer, parse_real
from gridproof.games.shiftit.idp.comments import BLANK, COMMENT, About, Remarks
from gridproof.games.shiftit.idp.structure import Spot, Structure
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS, Row, Table

DEEPEST = 50
"""The deepest nesting of elements, and of namespaces."""
RANGES = 10_000
"""Elements that all ranges of a text may have, beside one for each of its characters."""

_SPACE = r"[ \t\r\n]*+"
_NAME = r"(?!(?:true|false)(?![A-Za-z0-9_']))_*+[A-Za-z][A-Za-z0-9_']*+"
_SINGLE = rf"""-?+(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)|{_NAME}|"[^"]*+"|'[^\n]'"""
_ATOM = rf"(?:{_NAME}\((?:(?:{_SINGLE})(?:,(?:{_SINGLE}))*+)?+\)|{_SINGLE})"
_RANGE = r"-?+[0-9]++\.\.-?+[0-9]++"
_PLAIN = rf"(?:{_ATOM}(?:,{_ATOM})*+)?+(->{_ATOM})?+"
_CELLS = rf"{_SPACE}(?=[^ \t\r\n;}}])({_RANGE}|{_PLAIN}){_SPACE}"
_ROW = rf"{_CELLS}(?:;|(?=\}}))"
_HEAD = rf"({_NAME})(\[(?:{_NAME}(?:,{_NAME})*+)?+(?::{_NAME})?+\])?+{_SPACE}={_SPACE}\{{"
_TABLE = rf"{_HEAD}((?:{_ROW})*+){_SPACE}\}}{_SPACE}"
_ATOMS, _ROWS, _RANGES, _TABLES = map(re.compile, (_ATOM, _ROW, _RANGE, _TABLE))
_TERMINALS = {
    "NAME": _NAME,
    "TABLES.4": rf"(?:{_TABLE})++",
    "ROWS.3": rf"(?:{_CELLS};)++",
    "_PASSED": rf"""(?:{COMMENT}|[A-Za-z_][A-Za-z0-9_']*+|"[^"]*+"|'[^\n]'|[^{{}}/]|/(?!\*))++""",
    "_BLANK.9": rf"{BLANK}++",
}
_SHOWN = re.compile(r"""[A-Za-z_][A-Za-z0-9_']*|[0-9]+|"[^"]*"|'[^\n]'|->|\.\.|::|/\*|.""", re.DOTALL)
_UNCLOSED = {'"': "a string", "/*": "a comment", "'": "a character"}

_EXPECTED = {
    "_HEADER": "{",
    "_PASSED": "*/",
    "STRING LBRACE": "{, true, false, a number, a name or a text in quotation marks",
    "STRING RBRACE": "a row or }",
    "STRING": "a number, a name or a text in quotation marks",
    "USING": "an identifier or using or }",
    "SEMICOLON": "; or }",
    "RPAR": ")",
    "LESSTHAN": "< or =",
    "TRUTH": "ct, cf or u",
    "STRUCTURE RBRACE": "structure or }",
    "STRUCTURE $END": "structure or the end",
    "STRUCTURE": "structure",
    "RSQB NAME": "an identifier or : or ]",
    "RSQB": ", or : or ]",
    "NAME": "an identifier",
    "WHOLE": "a number",
    "CHARACTER": "a character",
}
"""Words for what is expected where these terminals can stand; elsewhere the signs that can stand there are listed."""


class Name(NamedTuple):
    """A name with its namespaces and types."""

    path: tuple[str, ...]
    sorts: str
    """The types in the text, `[Time,Tile:Pos]`; "" without any."""
    place: int
    """Its place in the text, from 0."""

    def __str__(self) -> str:
        return "::".join(self.path) + self.sorts


class Interpretation(NamedTuple):
    """A table of one symbol in a structure."""

    name: Name
    truth: str
    """"" for `=`, else "ct", "cf" or "u"."""
    rows: dict[Row, int]
    """The rows of its table, each with its first place in the text; in a map, the value is the last element."""
    is_map: bool | None
    """True if the rows map: `a -> b`; None without any."""


class Block(NamedTuple):
    """One structure."""

    name: str
    vocabulary: Name
    using: tuple[str, ...]
    interpretations: tuple[Interpretation, ...]
    line: int
    end: int
    """The place of its end in the text, from 0."""


def error_at(text: str, place: int, reason: str, expected: str = "") -> ParseError:
    """Return an error at a place in a text."""
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return ParseError(reason, line=line, column=column, expected=expected)


# -- the syntax


@functools.cache
def _parser() -> Lark:
    grammar = (importlib.resources.files(__package__) / "structure.lark").read_text(encoding="utf-8")
    for name, pattern in _TERMINALS.items():
        uncaptured = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)  # lark has a group for each terminal
        grammar += "{}: /{}/\n".format(name, uncaptured.replace("/", r"\/"))
    return Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=True)


def _parse_tree(text: str) -> Tree[Token]:
    parser: Any = _parser().parse_interactive(text)
    depth, braces, before = 0, 0, 0
    try:
        for token in parser.iter_parse():
            braces += (token.type == "LBRACE") - (token.type == "RBRACE")
            if token.type == "NAMESPACE" and braces > DEEPEST:
                raise error_at(text, token.start_pos, "namespaces are nested too deeply")
            depth = max(depth + (token.type == "LPAR") - (token.type == "RPAR"), 0)
            if depth > DEEPEST:
                raise error_at(text, before, "elements are nested too deeply")
            before = token.start_pos
        tree: Tree[Token] = parser.feed_eof()
    except UnexpectedInput as error:
        raise _syntax_error(parser, text, error) from None
    return tree


def _syntax_error(parser: Any, text: str, error: UnexpectedInput) -> ParseError:
    expected = _describe_expected(parser.accepts())
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        if expected == _EXPECTED["_PASSED"]:
            opened = [token for token in parser.parser_state.value_stack if isinstance(token, Token)]
            block = next(token for token in reversed(opened) if token.type == "OTHER")
            return error_at(text, block.start_pos or 0, f"the {block} that begins here has no end", "}")
        return error_at(text, len(text.rstrip()), "the text ends too early", expected)
    place = error.pos_in_stream or 0
    found = _SHOWN.match(text, place)
    shown = found[0] if found else ""
    if shown in _UNCLOSED:
        return error_at(text, place, f"{_UNCLOSED[shown]} without its end", expected)
    shown = shown if len(shown) <= 40 else f"{shown[:40]}..."
    return error_at(text, place, f"{shown!r} here", expected)


def _describe_expected(accepted: set[str]) -> str:
    for terminals, words in _EXPECTED.items():
        if accepted.issuperset(terminals.split()):
            return words
    return " or ".join(sorted(item.pattern.value for item in _parser().terminals if item.name in accepted))


# -- blocks


class _Elements(dict[str, Element]):
    """The elements of rows without blanks, by their spelling."""

    def __missing__(self, spelling: str) -> Element:
        element = self[spelling] = self._parse(spelling)
        return element

    def _parse(self, spelling: str) -> Element:
        if spelling[0] in "\"'":
            return spelling[1:-1]
        if spelling[-1] == ")":
            name, _, inside = spelling.partition("(")
            return Call(name, tuple(map(self.__getitem__, _ATOMS.findall(inside))))
        if spelling[0] in "-.0123456789":
            return parse_real(spelling) if "." in spelling else parse_integer(spelling)
        return Call(spelling) if spelling in DIRECTIONS else spelling


_PlacedRow = tuple[Row, bool, int]
"""A row, whether it maps, and its place."""


class _ToBlocks(Transformer[Token, list[Block]]):
    """Builder of the structures of a text from its tree."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text, self._room = text, RANGES + len(text)
        self._elements = _Elements()

    def start(self, children: list[Any]) -> list[Block]:
        return [child for child in children if isinstance(child, Block)]

    def structure(self, children: list[Any]) -> Block:
        opening, name, vocabulary, *content, end = children
        using = tuple(item for item in content if isinstance(item, str))
        tables = tuple(
            table
            for item in content
            if not isinstance(item, str)
            for table in (item if isinstance(item, list) else [item])
        )
        return Block(str(name), vocabulary, using, tables, opening.line, end.start_pos)

    def using(self, children: list[Any]) -> str:
        opening, path = children
        return f"using {opening.split()[1]} {path}"

    # -- tables

    def simple_tables(self, children: list[Token]) -> list[Interpretation]:
        tables = _TABLES.finditer(self._text, children[0].start_pos or 0, children[0].end_pos or 0)
        return [
            self._interpretation(
                Name((table[1],), table[2] or "", table.start()), "", self._simple_rows(*table.span(3))
            )
            for table in tables
        ]

    def _simple_rows(self, place: int, end: int) -> Iterator[_PlacedRow]:
        while place < end and (match := _ROWS.match(self._text, place)):
            place, is_range = match.start(1), ".." in match[1] and _RANGES.fullmatch(match[1])
            spellings = match[1].split("..") if is_range else _ATOMS.findall(match[1])
            try:
                row = tuple(map(self._elements.__getitem__, spellings))
            except GridproofError as error:
                raise error_at(self._text, place, str(error)) from None
            if is_range:
                yield from self._range_rows(row[0], row[1], place)
            else:
                yield row, match[2] is not None, place
            place = match.end()

    def simple_rows(self, children: list[Token]) -> Iterator[_PlacedRow]:
        return self._simple_rows(children[0].start_pos or 0, children[0].end_pos or 0)

    def table(self, children: list[Any]) -> Interpretation:
        name, truth, *rows = children
        return self._interpretation(name, truth or "", itertools.chain.from_iterable(rows))

    def truth(self, children: list[Token]) -> str:
        return str(children[0])

    def _interpretation(self, name: Name, truth: str, rows: Iterable[_PlacedRow]) -> Interpretation:
        places: dict[Row, int] = {}
        kind: bool | None = None
        for row, is_map, place in rows:
            if kind is not None and is_map is not kind:
                raise error_at(self._text, place, "rows with and without -> in one table")
            kind = is_map
            places.setdefault(row, place)
        return Interpretation(name, truth, places, kind)

    # -- rows

    @v_args(meta=True)
    def relation(self, meta: Meta, elements: list[Element]) -> list[_PlacedRow]:
        return [(tuple(elements), False, meta.start_pos)]

    @v_args(meta=True)
    def mapping(self, meta: Meta, elements: list[Element]) -> list[_PlacedRow]:
        return [(tuple(elements), True, meta.start_pos)]

    true, constant = relation, mapping

    def false(self, children: list[Element]) -> list[_PlacedRow]:
        return []

    @v_args(meta=True)
    def range(self, meta: Meta, ends: list[Any]) -> list[_PlacedRow]:
        first, last = ends
        return self._range_rows(first, last, meta.start_pos)

    def _range_rows(self, first: Element, last: Element, place: int) -> list[_PlacedRow]:
        if isinstance(first, int) and isinstance(last, int):
            numbers, of_characters = range(first, last + 1), False
        elif isinstance(first, str) and isinstance(last, str) and len(first) == len(last) == 1:
            numbers, of_characters = range(ord(first), ord(last) + 1), True
        else:
            raise error_at(self._text, place, "a range of names that are no characters", "a..c")
        if not numbers:
            raise error_at(self._text, place, "a range that runs backwards")
        size = numbers.stop - numbers.start
        self._room -= size
        if self._room < 0:
            most = RANGES + len(self._text)
            reason = f"a range of {size} elements is too large: all ranges of this text may have {most}"
            raise error_at(self._text, place, reason)
        return [((chr(number) if of_characters else number,), False, place) for number in numbers]

    # -- elements

    def call(self, children: list[Any]) -> Call:
        name, *arguments = children
        return Call(name.path[-1], tuple(arguments))

    def word(self, children: list[Token]) -> Element:
        return self._elements[str(children[0])]

    def STRING(self, token: Token) -> str:  # noqa: N802  # the terminal's name
        return token[1:-1]

    CHARACTER = STRING

    @v_args(meta=True)
    def number(self, meta: Meta, children: list[Token]) -> Element:
        try:
            return self._elements["".join(children)]
        except GridproofError as error:
            raise error_at(self._text, meta.start_pos, str(error)) from None

    # -- names

    @v_args(meta=True)
    def path(self, meta: Meta, children: list[Token]) -> Name:
        return Name(tuple(map(str, children)), "", meta.start_pos)

    def name(self, children: list[Any]) -> Name:
        path, *sorts = children
        named: Name = path._replace(sorts="".join(sorts))
        return named

    def sorts(self, children: list[Any]) -> str:
        types = [str(child) for child in children if isinstance(child, Name)]
        result = [child for child in children if isinstance(child, str)]
        return f"[{','.join(types)}{''.join(result)}]"

    def result(self, children: list[Name]) -> str:
        return f":{children[0]}"


# -- structures


_SORTS = {name: f"[{name}]" for name in (*LISTED, *CONSTRUCTED)} | {
    name: f"[{','.join(symbol.types)}{f':{symbol.result}' if symbol.result else ''}]"
    for name, symbol in SYMBOLS.items()
}
"""The types of each symbol of the vocabulary, as they may stand after its name."""


def parse_structures(text: str) -> Iterator[tuple[Callable[[], Structure], int]]:
    """Yield a function that makes each structure of a text, or raises ParseError, with the line where it begins.

    Raises
    ------
    ParseError
        With line, column and what was expected, for a text without the syntax.
    """
    try:
        blocks = _ToBlocks(text).transform(_parse_tree(text))
    except VisitError as error:
        raise error.orig_exc from None
    if not blocks:
        raise error_at(text, len(text.rstrip()), "the text ends too early", "structure")
    remarks = Remarks(text)
    for block in blocks:
        yield functools.partial(_make_structure, text, block, remarks.take_until(block.end)), block.line


def _make_structure(text: str, block: Block, about: About) -> Structure:
    by_symbol: dict[str, list[Interpretation]] = {}
    for interpretation in block.interpretations:
        by_symbol.setdefault(_symbol_name(text, interpretation), []).append(interpretation)
    tables = {symbol: _make_table(text, symbol, parts) for symbol, parts in by_symbol.items()}
    try:
        return Structure(
            tables,
            block.name,
            str(block.vocabulary),
            block.using,
            title=about.title,
            author=about.author,
            keys=about.keys,
        )
    except InvalidLevel as error:
        problem = error.problems[0]
        raise error_at(text, _place_of(block, by_symbol, problem.where), f"S17: {problem.message}") from None


def _symbol_name(text: str, interpretation: Interpretation) -> str:
    """Return the name of a symbol: for one of the vocabulary its own, when the types in the text fit it."""
    name, sorts = interpretation.name.path[-1], interpretation.name.sorts
    known = _SORTS.get(name)
    if known is None:
        return str(interpretation.name)
    if sorts and sorts != known:
        raise error_at(text, interpretation.name.place, f"S17: {name} has the types {known}, not {sorts}")
    return name


def _make_table(text: str, symbol: str, parts: list[Interpretation]) -> Table:
    rows, kind = {}, None
    for interpretation in parts:
        if interpretation.truth in rows:
            raise error_at(text, interpretation.name.place, f"S17: {symbol} is given twice")
        if kind is not None and interpretation.is_map not in (None, kind):
            raise error_at(text, min(interpretation.rows.values()), "rows with and without -> in one table")
        kind = interpretation.is_map if kind is None else kind
        rows[interpretation.truth] = frozenset(interpretation.rows)
    known = symbol in SYMBOLS and SYMBOLS[symbol].result is not None
    return Table(rows, known if kind is None else kind)


def _place_of(block: Block, by_symbol: dict[str, list[Interpretation]], where: object) -> int:
    """Return the place of the row or else the table of a fault, else that of the vocabulary's name."""
    assert isinstance(where, Spot)  # what Structure says of its problems
    parts = by_symbol.get(where.symbol, [])
    for interpretation in parts:
        if interpretation.truth == where.truth and where.row is not None and where.row in interpretation.rows:
            return interpretation.rows[where.row]
    return parts[0].name.place if parts else block.vocabulary.place
