"""The reader of IDP3's texts: `structure.lark` is their syntax; errors get the place of their row.

Most of a long text are tables of rows without blanks inside: a regular expression matches each. What the parser makes
has no use of the text; then the reader makes the elements, so that errors of the syntax come first.
DEEPEST bounds nesting, and RANGES with the text's length bounds ranges.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, parse_integer, parse_real
from gridproof.games.shiftit.idp.comments import BLANK, COMMENT, About, Remarks
from gridproof.games.shiftit.idp.structure import Structure, TablePlace
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS, Row, Table

DEEPEST = 50
"""The deepest nesting of elements, and of namespaces."""
RANGES = 10_000
"""Elements that all ranges of a text may have, beside one for each of its characters."""

# `(?>x*)` and not `x*+` for groups: CPython before 3.11.5 matches the latter wrongly (gh-106052).
_SPACE = r"[ \t\r\n]*+"
_NAME = r"(?!(?:true|false)(?![A-Za-z0-9_']))_*+[A-Za-z][A-Za-z0-9_']*+"
_PATH = rf"{_NAME}(?>(?:::{_NAME})*)"
_LITERAL = r"""-?+(?:[0-9]++(?>(?:\.[0-9]++)?)|\.[0-9]++)|"[^"]*+"|'[^\n]'"""


def _atom(depth: int) -> str:
    """Return the pattern of an element without blanks, in which calls are nested at most so deeply."""
    pattern = rf"(?:{_NAME}|{_LITERAL})"
    for _ in range(depth):
        pattern = rf"(?:{_NAME}(?>(?:\((?>(?:(?:(?<=\()|(?<!\(),){pattern})*)\))?)|{_LITERAL})"
    return pattern


_ATOM = _atom(1)
_RANGE = r"(?:-?+[0-9]++\.\.-?+[0-9]++|'[^\n]'\.\.'[^\n]')"
_PLAIN = rf"(?>(?:{_ATOM}(?>(?:,{_ATOM})*))?)(?>(->{_ATOM})?)"
_CELLS = rf"{_SPACE}(?=[^ \t\r\n;}}])({_RANGE}|{_PLAIN}){_SPACE}"
_ROW = rf"{_CELLS}(?:;|(?=\}}))"
_HEAD = rf"({_NAME})(?>(\[(?>(?:{_NAME}(?>(?:,{_NAME})*))?)(?>(?::{_NAME})?)\])?){_SPACE}={_SPACE}\{{"
_TABLE = rf"{_HEAD}((?>(?:{_ROW})*)){_SPACE}\}}{_SPACE}"
_ATOMS, _ROWS, _RANGES, _TABLES = map(re.compile, (_atom(DEEPEST), _ROW, _RANGE, _TABLE))
_OTHER = r"(?:(?:LTC)?vocabulary|theory|procedure|query|term|fobdd|factlist|aspstructure)(?![A-Za-z0-9_'])"
_PASSED = rf"""(?>(?:{COMMENT}|[A-Za-z_][A-Za-z0-9_']*+|"[^"]*+"|'[^\n]'|[^{{}}/]|/(?!\*))*)"""
_BRACES = re.compile(rf"{_PASSED}(\{{++|\}}++|)")
_TERMINALS = {
    "HEAD.1": rf"[sS]tructure[ \t\r\n]++{_NAME}{_SPACE}:{_SPACE}{_PATH}{_SPACE}\{{",
    "NAME": _NAME,
    "PATH.1": rf"{_NAME}(?>(?:::{_NAME})+)",
    "CALL.1": rf"{_atom(DEEPEST)}(?<=\))",
    "TABLES.4": rf"(?>(?:{_TABLE})+)",
    "ROWS.3": rf"(?>(?:{_CELLS};)+)",
    "_OTHER": rf"{_OTHER}(?>(?:{_NAME}|[()\[\],;=<>:.]|{BLANK})*)",
    "_BLANK.9": rf"(?>{BLANK}+)",
}
_SHOWN = re.compile(r"""[A-Za-z_][A-Za-z0-9_']*|[0-9]+|"[^"]*"|'[^\n]'|->|\.\.|::|/\*|.""", re.DOTALL)
_UNCLOSED = {'"': "a string", "/*": "a comment", "'": "a character"}

_EXPECTED = {
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

    path: str
    """With its namespaces, `a::b`."""
    sorts: str
    """The types in the text, `[Time,Tile:Pos]`; "" without any."""
    place: int
    """Its place in the text, from 0."""

    def __str__(self) -> str:
        return self.path + self.sorts

    @property
    def last(self) -> str:
        """The name without namespaces."""
        return self.path.rpartition("::")[2]


class Interpretation(NamedTuple):
    """A table of one symbol in a structure."""

    name: Name
    truth: str
    """"" for `=`, else "ct", "cf" or "u"."""
    rows: dict[Row, int]
    """The rows of its table, each with its first place in the text; in a map, the value is the last element."""
    is_map: bool | None
    """True if the rows map: `a -> b`; None without any."""


_Row = tuple[list[str], str, int]
"""The elements of a row without blanks, "->" in a map or ".." in a range of rows or else "", and its place."""


class _Table(NamedTuple):
    """A table in a text."""

    name: Name
    truth: str
    rows: list[Any]
    """Tokens of several rows, and rows."""


class Block(NamedTuple):
    """One structure in a text."""

    name: str
    line: int
    vocabulary: Name
    using: tuple[str, ...]
    tables: list[Any]
    """Tokens of several tables, and tables."""
    end: int
    """The place of its end in the text, from 0."""


# -- the syntax


def _row(children: list[Token], sign: str) -> _Row:
    spellings = [str(child) for child in children if child not in ("(", "->", "true")]
    return spellings, sign, children[0].start_pos or 0


class _ToBlocks(Transformer[Token, list[Block]]):
    """Builder of the structures of a text while it is parsed."""

    def start(self, children: list[Any]) -> list[Block]:
        return [child for child in children if isinstance(child, Block)]

    def head(self, children: list[Any]) -> tuple[str, int, Name]:
        opening, name, vocabulary = children
        return str(name), opening.line, vocabulary

    def simple_head(self, children: list[Any]) -> tuple[str, int, Name]:
        (head,) = children
        name, _, path = "".join(head[len("structure") : -1].split()).partition(":")
        return name, head.line, Name(path, "", head.start_pos + head.rindex(path))

    def structure(self, children: list[Any]) -> Block:
        (name, line, vocabulary), *parts, end = children
        using = tuple(part for part in parts if type(part) is str)
        tables = [part for part in parts if type(part) is not str]
        return Block(name, line, vocabulary, using, tables, end.start_pos)

    def using(self, children: list[Any]) -> str:
        opening, path = children
        return f"using {opening.split()[1]} {path}"

    def table(self, children: list[Any]) -> _Table:
        name, truth, *rows = children
        return _Table(name, str(truth or ""), rows)

    def relation(self, children: list[Token]) -> _Row:
        return _row(children, "")

    def mapping(self, children: list[Token]) -> _Row:
        return _row(children, "->")

    true, constant = relation, mapping

    def range(self, ends: list[Token]) -> _Row:
        return _row(ends, "..")

    def call(self, children: list[Any]) -> Token:
        name, *arguments = children
        return Token("CALL", f"{name.last}({','.join(arguments)})", name.place)

    def number(self, children: list[Token]) -> Token:
        return Token("NUMBER", "".join(children), children[0].start_pos)

    def path(self, children: list[Token]) -> Name:
        return Name("::".join(children), "", children[0].start_pos or 0)

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


@functools.cache
def _parser() -> Lark:
    grammar = (importlib.resources.files(__package__) / "structure.lark").read_text(encoding="utf-8")
    for name, pattern in _TERMINALS.items():
        uncaptured = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)  # lark has a group for each terminal
        grammar += "{}: /{}/\n".format(name, uncaptured.replace("/", r"\/"))
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=_ToBlocks())


def _parse_blocks(text: str) -> list[Block]:
    parser: Any = _parser().parse_interactive(text)
    depth, braces, before = 0, 0, Token("", "")
    try:
        for token in parser.iter_parse():
            if before.type == "_OTHER" and token.type == "LBRACE":
                place = parser.lexer_thread.state.line_ctr
                place.feed(text[place.char_pos : _find_end(text, before, place.char_pos)])
            else:
                braces += (token.type in ("LBRACE", "HEAD")) - (token.type == "RBRACE")
            if token.type == "NAMESPACE" and braces > DEEPEST:
                raise ParseError.at(text, token.start_pos, "namespaces are nested too deeply")
            depth = max(depth + (token.type == "LPAR") - (token.type == "RPAR"), 0)
            if depth > DEEPEST:
                raise ParseError.at(text, before.start_pos or 0, "elements are nested too deeply")
            before = token
        blocks: list[Block] = parser.feed_eof()
    except UnexpectedInput as error:
        raise _syntax_error(parser, text, error) from None
    return blocks


def _find_end(text: str, header: Token, place: int) -> int:
    """Return the end of a block of another kind, whose first brace ends at a place."""
    depth = 1
    for match in _BRACES.finditer(text, place):
        braces = match[1]
        if braces.startswith("}") and len(braces) >= depth:
            return match.start(1) + depth
        depth += len(braces) if braces.startswith("{") else -len(braces)
        if not braces and match.end() < len(text):
            raise ParseError.at(text, match.end(), "a comment without its end", "*/")
    kind, *_ = re.findall("[A-Za-z]+", header)
    raise ParseError.at(text, header.start_pos or 0, f"the {kind} that begins here has no end", "}")


def _syntax_error(parser: Any, text: str, error: UnexpectedInput) -> ParseError:
    expected = _describe_expected(parser.accepts())
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return ParseError.at(text, len(text.rstrip()), "the text ends too early", expected)
    place = error.pos_in_stream or 0
    found = _SHOWN.match(text, place)
    shown = found[0] if found else ""
    if shown in _UNCLOSED:
        return ParseError.at(text, place, f"{_UNCLOSED[shown]} without its end", expected)
    shown = shown if len(shown) <= 40 else f"{shown[:40]}..."
    return ParseError.at(text, place, f"{shown!r} here", expected)


def _describe_expected(accepted: set[str]) -> str:
    for terminals, words in _EXPECTED.items():
        if accepted.issuperset(terminals.split()):
            return words
    return " or ".join(sorted(item.pattern.value for item in _parser().terminals if item.name in accepted))


# -- rows


class _Elements(dict[str, Element]):
    """The elements without blanks, by their spelling."""

    def __missing__(self, spelling: str) -> Element:
        element = self[spelling] = self._parse(spelling)
        return element

    def _parse(self, spelling: str) -> Element:
        if spelling[0] in "\"'":
            return spelling[1:-1]
        if spelling[-1] == ")":
            name, _, inside = spelling[:-1].partition("(")
            return Call(name, tuple(map(self.__getitem__, _ATOMS.findall(inside))))
        if spelling[0] in "-.0123456789":
            return parse_real(spelling) if "." in spelling else parse_integer(spelling)
        return Call(spelling) if spelling in DIRECTIONS else spelling


class _Reader:
    """Reader of the tables of a text."""

    def __init__(self, text: str) -> None:
        self._text, self._room = text, RANGES + len(text)
        self._elements = _Elements()

    def interpretations(self, block: Block) -> Iterator[Interpretation]:
        """Yield the interpretations of a structure."""
        for item in block.tables:
            if isinstance(item, _Table):
                yield self._interpretation(item.name, item.truth, self._rows(item.rows))
                continue
            for table in _TABLES.finditer(self._text, item.start_pos, item.end_pos):
                name = Name(table[1], table[2] or "", table.start())
                yield self._interpretation(name, "", self._simple_rows(*table.span(3)))

    def _rows(self, items: list[Any]) -> Iterator[_Row]:
        for item in items:
            if isinstance(item, tuple):
                yield item
            else:
                yield from self._simple_rows(item.start_pos, item.end_pos)

    def _simple_rows(self, place: int, end: int) -> Iterator[_Row]:
        while place < end and (match := _ROWS.match(self._text, place)):
            if ".." in match[1] and _RANGES.fullmatch(match[1]):
                yield match[1].split(".."), "..", match.start(1)
            else:
                yield _ATOMS.findall(match[1]), "->" if match[2] else "", match.start(1)
            place = match.end()

    def _interpretation(self, name: Name, truth: str, rows: Iterable[_Row]) -> Interpretation:
        places: dict[Row, int] = {}
        kind: bool | None = None
        for spellings, sign, place in rows:
            try:
                row = tuple(map(self._elements.__getitem__, spellings))
            except GridproofError as error:
                raise ParseError.at(self._text, place, str(error)) from None
            is_map = sign == "->"
            if kind is not None and is_map is not kind:
                raise ParseError.at(self._text, place, "rows with and without -> in one table")
            kind = is_map
            for each in self._range(row, place) if sign == ".." else (row,):
                places.setdefault(each, place)
        return Interpretation(name, truth, places, kind)

    def _range(self, ends: Row, place: int) -> Iterable[Row]:
        first, last = ends
        if isinstance(first, int) and isinstance(last, int):
            numbers, of_characters = range(first, last + 1), False
        elif isinstance(first, str) and isinstance(last, str) and len(first) == len(last) == 1:
            numbers, of_characters = range(ord(first), ord(last) + 1), True
        else:
            raise ParseError.at(self._text, place, "a range of names that are no characters", "a..c")
        if not numbers:
            raise ParseError.at(self._text, place, "a range that runs backwards")
        size = numbers.stop - numbers.start
        self._room -= size
        if self._room < 0:
            most = RANGES + len(self._text)
            reason = f"a range of {size} elements is too large: all ranges of this text may have {most}"
            raise ParseError.at(self._text, place, reason)
        return zip(map(chr, numbers)) if of_characters else zip(numbers)


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
    blocks = _parse_blocks(text)
    if not blocks:
        raise ParseError.at(text, len(text.rstrip()), "the text ends too early", "structure")
    interpretations = [*map(list, map(_Reader(text).interpretations, blocks))]
    remarks = Remarks(text)
    for block, own in zip(blocks, interpretations, strict=True):
        about = remarks.take_until(block.end)
        yield functools.partial(_make_structure, text, block, own, about), block.line


def _make_structure(
    text: str, block: Block, interpretations: list[Interpretation], about: About
) -> Structure:
    by_symbol: dict[str, list[Interpretation]] = {}
    for interpretation in interpretations:
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
        raise ParseError.at(
            text, _place_of(block, by_symbol, problem.where), f"S17: {problem.message}"
        ) from None


def _symbol_name(text: str, interpretation: Interpretation) -> str:
    """Return the name of a symbol: for one of the vocabulary its own, when the types in the text fit it."""
    name, sorts = interpretation.name.last, interpretation.name.sorts
    known = _SORTS.get(name)
    if known is None:
        return str(interpretation.name)
    if sorts and sorts != known:
        raise ParseError.at(
            text, interpretation.name.place, f"S17: {name} has the types {known}, not {sorts}"
        )
    return name


def _make_table(text: str, symbol: str, parts: list[Interpretation]) -> Table:
    rows, kind = {}, None
    for interpretation in parts:
        if interpretation.truth in rows:
            raise ParseError.at(text, interpretation.name.place, f"S17: {symbol} is given twice")
        if kind is not None and interpretation.is_map not in (None, kind):
            raise ParseError.at(
                text, min(interpretation.rows.values()), "rows with and without -> in one table"
            )
        kind = interpretation.is_map if kind is None else kind
        rows[interpretation.truth] = frozenset(interpretation.rows)
    known = symbol in SYMBOLS and SYMBOLS[symbol].result is not None
    return Table(rows, known if kind is None else kind)


def _place_of(block: Block, by_symbol: dict[str, list[Interpretation]], where: object) -> int:
    """Return the place of the row or else the table of a fault, else that of the vocabulary's name."""
    assert isinstance(where, TablePlace)  # what Structure says of its problems
    parts = by_symbol.get(where.symbol, [])
    for interpretation in parts:
        if interpretation.truth == where.truth and where.row is not None and where.row in interpretation.rows:
            return interpretation.rows[where.row]
    return parts[0].name.place if parts else block.vocabulary.place
