"""The syntax of IDP3's texts: `structure` blocks are read, others passed over.

    text           : (structure | other "{" ... "}" | namespace ID "{" text "}" | include ...)*
    structure      : "structure" ID ":" path "{" (interpretation | "using" ("vocabulary" | "namespace") path)* "}"
    interpretation : name ["<" ("ct" | "cf" | "u") ">"] "=" ("true" | "false" | element | "{" [row (";" row)* [";"]] "}")
    row            : elements | "(" [elements] ")" | [elements | "(" ")"] "->" element | element ".." element
    element        : ["-"] number | name ["(" [elements] ")"] | string | character
    name           : path ["[" [path ("," path)*] [":" path] "]"]          path : ID ("::" ID)*

Most of a long text are rows of a simple form, without blanks inside: those are taken by one expression each.
What is read is bounded by the text's length: nesting by DEEPEST, ranges by RANGES.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, integer, real
from gridproof.games.shiftit.idp.tokens import BLANK, COMMENT, NAME, Tokens, located

DEEPEST = 50
"""How deep elements may be nested."""
RANGES = 10_000
"""Elements that the ranges of a text may have in all, beside one for each of its characters."""

_OTHERS = frozenset(
    {
        *("vocabulary", "LTCvocabulary", "theory", "procedure", "query", "term", "fobdd", "factlist"),
        "aspstructure",
    }
)
"""What begins blocks that are no structures; `structure.recognises` looks for the same."""

_USING = re.compile(r"using[ \t]+(vocabulary|namespace)(?![A-Za-z0-9_'])")
_PASSED = re.compile(
    rf"""[A-Za-z_][A-Za-z0-9_']*+|[^{{}}"'/\-A-Za-z_]++|{COMMENT}|/\*|"[^"]*+"|'[^\n]'|[{{}}"'/-]"""
)

_SINGLE = rf"""-?+(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)|{NAME}|"[^"]*+"|'[^\n]'"""
_ATOM = rf"(?:{NAME}\((?:(?:{_SINGLE})(?:,(?:{_SINGLE}))*+)?+\)|{_SINGLE})"
_ATOMS = re.compile(_ATOM)
_SIMPLE_ROW = re.compile(rf"[ \t\r\n]*+((?:{_ATOM}(?:,{_ATOM})*+)?+(->{_ATOM})?+)[ \t\r\n]*+(?:;|(?=\}}))")
_SIMPLE_NAME = rf"({NAME})(\[(?:{NAME}(?:,{NAME})*+)?+(?::{NAME})?+\])?+"
_SIMPLE_TABLE = re.compile(rf"{_SIMPLE_NAME}[ \t\r\n]*+=[ \t\r\n]*+\{{")
_END_OF_ROWS = re.compile(rf"{BLANK}\}}")
_SIMPLE_CALL = re.compile(rf"({NAME})\(")

_BLOCK = "structure"
_CONTENT = "an identifier or using or }"
_ELEMENT = "a number, a name or a text in quotation marks"
_VALUE = "{, true, false, a number, a name or a text in quotation marks"


class Name(NamedTuple):
    """A name with its namespaces and, where they are given, its types."""

    path: tuple[str, ...]
    sorts: str
    """The types as they are written, `[Time,Tile:Pos]`; "" without any."""
    place: int
    """Where it stands in the text, from 0."""

    def __str__(self) -> str:
        return "::".join(self.path) + self.sorts


@dataclass(slots=True)
class Given:
    """What a structure says of one symbol."""

    name: Name
    truth: str
    """"" for `=`, else "ct", "cf" or "u"."""
    rows: dict[tuple[Element, ...], int] = field(default_factory=dict)
    """The rows of its table, each with its first place in the text; in a map, the value is the last element."""
    mapped: bool | None = None
    """Whether the rows map: `a -> b`; None without any."""


class Block(NamedTuple):
    """One structure."""

    name: str
    vocabulary: Name
    using: tuple[str, ...]
    given: tuple[Given, ...]
    line: int
    end: int
    """Where it ends in the text, from 0."""


def parse(text: str) -> list[Block]:
    """The structures of a text.

    Raises
    ------
    ParseError
        With line, column and what could have stood there.
    """
    return list(_Reading(text).blocks())


class _Elements(dict[str, Element]):
    """The elements of simple rows by their spelling."""

    def __missing__(self, spelling: str) -> Element:
        element = self[spelling] = self._read(spelling)
        return element

    def _read(self, spelling: str) -> Element:
        if spelling[0] in "\"'":
            return spelling[1:-1]
        if spelling[-1] == ")":
            name, _, inside = spelling.partition("(")
            return Call(name, tuple(map(self.__getitem__, _ATOMS.findall(inside))))
        if spelling[0] in "-.0123456789":
            return real(spelling) if "." in spelling else integer(spelling)
        return Call(spelling) if spelling in DIRECTIONS else spelling


class _Reading(Tokens):
    """What stands in a text, block by block and row by row."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.room = RANGES + len(text)
        self._spelled = _Elements()

    # -- blocks

    def blocks(self) -> Iterator[Block]:
        """All structures."""
        inside, none = 0, True
        while self.kind != "end" or inside or none:
            if self.value in ("structure", "Structure"):
                none = False
                yield self._structure()
            elif self.value == "namespace":
                self.next()
                self._path()
                self.expect("{")
                inside += 1
            elif inside and self.accept("}"):
                inside -= 1
            elif self.value in ("include", "using"):
                self._pass_line()
            elif self.value in _OTHERS:
                self._pass_block()
            else:
                raise self.fault(f"{_BLOCK} or }}" if inside else _BLOCK if none else f"{_BLOCK} or the end")

    def _pass_line(self) -> None:
        end = self.text.find("\n", self.place)
        self.go(end if end >= 0 else len(self.text))

    def _pass_block(self) -> None:
        """Go behind a block of another kind, whatever stands in its braces."""
        begin, what = self.place, self.value
        while self.value != "{":
            if self.kind not in ("name", "sign") or self.value == "}":
                raise self.fault("{")
            self.next()
        depth = 0
        for match in _PASSED.finditer(self.text, self.place):
            if match[0] == "/*":  # the end of this comment was looked for, up to the end of the text
                raise located(self.text, match.start(), "a comment without its end", "*/")
            depth += (match[0] == "{") - (match[0] == "}")
            if not depth:
                self.go(match.end())
                return
        raise located(self.text, begin, f"the {what} that begins here has no end", "}")

    def _structure(self) -> Block:
        line = self.line()
        self.next()
        name = self._identifier()
        self.expect(":")
        vocabulary = self._path()
        self.expect("{", ":: or {")
        using: list[str] = []
        given: list[Given] = []
        while self.value != "}":
            if self.value == "using" and (match := _USING.match(self.text, self.place)):
                self.go(match.end())
                using.append(f"using {match[1]} {self._path()}")
            elif self.kind == "name":
                given.append(self._interpretation())
            else:
                raise self.fault(_CONTENT)
        end = self.place
        self.next()
        return Block(name, vocabulary, tuple(using), tuple(given), line, end)

    def _interpretation(self) -> Given:
        if match := _SIMPLE_TABLE.match(self.text, self.place):
            given = Given(Name((match[1],), match[2] or "", self.place), "")
            self._rows(given, match.end())
            return given
        given = Given(self._name(), self._truth())
        self.expect("=", "=" if given.truth else "< or =")
        if self.accept("{"):
            self._rows(given, self.place)
        elif self.kind == "boolean":
            given.mapped = False if self.value == "true" else None
            given.rows = {(): self.place} if self.value == "true" else {}
            self.next()
        else:
            place = self.place
            self._add(given, (self._element(_VALUE),), True, place)
        return given

    def _truth(self) -> str:
        if not self.accept("<"):
            return ""
        truth = self.value
        if truth not in ("ct", "cf", "u"):
            raise self.fault("ct, cf or u")
        self.next()
        self.expect(">")
        return truth

    # -- rows

    def _rows(self, given: Given, place: int) -> None:
        """The rows of a table from a place on, and its closing brace."""
        while True:
            place = self._simple_rows(given, place)
            if end := _END_OF_ROWS.match(self.text, place):
                self.go(end.end())
                return
            self.go(place)
            self._row(given)
            if not self.accept(";"):
                self.expect("}", "; or }")
                return
            place = self.place

    def _simple_rows(self, given: Given, place: int) -> int:
        """As many rows as are simple, each with its semicolon; the last may have none. Where they end."""
        element_of = self._spelled.__getitem__
        try:
            while (match := _SIMPLE_ROW.match(self.text, place)) and match[1]:
                mapped = match[2] is not None
                if given.mapped is not mapped and given.mapped is not None:
                    break
                given.mapped = mapped
                given.rows.setdefault(tuple(map(element_of, _ATOMS.findall(match[1]))), match.start(1))
                place = match.end()
        except GridproofError:  # a number that is too long: the general way says where
            pass
        return place

    def _row(self, given: Given) -> None:
        place, first = self.place, (self.kind, self.value)
        row: list[Element] = []
        bracket = self.accept("(")
        if not (bracket and self.accept(")")) and (bracket or self.value != "->"):
            row = self._elements(_ELEMENT if bracket else "a row or }")
            if bracket:
                self.expect(")")
                self._add(given, tuple(row), False, place)
                return
        if self.value == ".." and len(row) == 1:
            self.next()
            self._add_range(given, row[0], place, first[0])
        elif self.accept("->"):
            self._add(given, (*row, self._element()), True, place)
        else:
            self._add(given, tuple(row), False, place)

    def _add(self, given: Given, row: tuple[Element, ...], mapped: bool, place: int) -> None:
        if given.mapped is not mapped and given.mapped is not None:
            raise located(self.text, place, "rows with and without -> in one table")
        given.mapped = mapped
        given.rows.setdefault(row, place)

    def _add_range(self, given: Given, first: Element, place: int, kind: str) -> None:
        """The rest of a range `1..3` or `'a'..'c'`; its elements are rows."""
        last_kind = self.kind
        last = self._element()
        elements: Iterator[Element]
        if isinstance(first, int) and isinstance(last, int):
            size, elements = last - first + 1, iter(range(first, last + 1))
        elif (
            isinstance(first, str)
            and isinstance(last, str)
            and len(first) == len(last) == 1
            and kind == last_kind
        ):
            size, elements = ord(last) - ord(first) + 1, map(chr, range(ord(first), ord(last) + 1))
        else:
            raise located(self.text, place, "a range of names that are no characters", "a..c")
        if size <= 0:
            raise located(self.text, place, "a range that runs backwards")
        self.room -= size
        if self.room < 0:
            most = RANGES + len(self.text)
            reason = f"a range of {size} elements is too large: all ranges of this text may have {most}"
            raise located(self.text, place, reason)
        for element in elements:
            self._add(given, (element,), False, place)

    # -- elements

    def _elements(self, expected: str) -> list[Element]:
        found = [self._element(expected)]
        while self.accept(","):
            found.append(self._element())
        return found

    def _element(self, expected: str = _ELEMENT, depth: int = 1) -> Element:
        if self.kind in ("whole", "real") or self.value == "-":
            return self._number()
        if self.kind in ("string", "character"):
            value = self.value[1:-1]
            self.next()
            return value
        if self.kind != "name":
            raise self.fault(expected)
        if match := _SIMPLE_CALL.match(self.text, self.place):
            place = self.place
            self.go(match.end())
            return self._call(match[1], place, depth)
        name = self._name()
        if self.accept("("):
            return self._call(name.path[-1], name.place, depth)
        word = name.path[0]
        if word != str(name):
            raise self.fault("(")
        return Call(word) if word in DIRECTIONS else word

    def _call(self, name: str, place: int, depth: int) -> Call:
        """The arguments of a call, whose name stands at a place, and its closing bracket."""
        if depth > DEEPEST:
            raise located(self.text, place, "elements are nested too deeply")
        arguments: list[Element] = []
        while self.value != ")":
            arguments.append(self._element(depth=depth + 1))
            if self.value != ")":
                self.expect(",", ", or )")
                if self.value == ")":
                    raise self.fault(_ELEMENT)
        self.next()
        return Call(name, tuple(arguments))

    def _number(self) -> Element:
        place = self.place
        sign = "-" if self.accept("-") else ""
        kind, digits = self.kind, self.value
        if kind not in ("whole", "real"):
            raise self.fault("a number")
        self.next()
        try:
            return real(sign + digits) if kind == "real" else integer(sign + digits)
        except GridproofError as error:
            raise located(self.text, place, str(error)) from None

    # -- names

    def _identifier(self) -> str:
        if self.kind != "name":
            raise self.fault("an identifier")
        name = self.value
        self.next()
        return name

    def _path(self) -> Name:
        place = self.place
        path = [self._identifier()]
        while self.accept("::"):
            path.append(self._identifier())
        return Name(tuple(path), "", place)

    def _name(self) -> Name:
        name = self._path()
        if not self.accept("["):
            return name
        types = [str(self._path())] if self.kind == "name" else []
        while types and self.accept(","):
            types.append(str(self._path()))
        result = f":{self._path()}" if self.accept(":") else ""
        self.expect("]", ", or : or ]" if types else "an identifier or : or ]")
        return name._replace(sorts=f"[{','.join(types)}{result}]")
