"""The syntax of IDP3's texts: `structure` blocks are parsed, others skipped.

    text           : (structure | other "{" ... "}" | namespace ID "{" text "}" | include ...)*
    structure      : "structure" ID ":" path "{" (interpretation | "using" ("vocabulary" | "namespace") path)* "}"
    interpretation : name ["<" ("ct" | "cf" | "u") ">"] "=" ("true" | "false" | element | "{" [row (";" row)* [";"]] "}")
    row            : elements | "(" [elements] ")" | [elements | "(" ")"] "->" element | element ".." element
    element        : ["-"] number | name ["(" [elements] ")"] | string | character
    name           : path ["[" [path ("," path)*] [":" path] "]"]          path : ID ("::" ID)*

Most of a long text are rows of a simple form, without blanks inside: one regular expression matches each.
DEEPEST bounds nesting, and RANGES with the text's length bounds ranges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element, parse_integer, parse_real
from gridproof.games.shiftit.idp.tokens import BLANK, COMMENT, NAME, Tokens, error_at

DEEPEST = 50
"""The deepest nesting of elements."""
RANGES = 10_000
"""Elements that all ranges of a text may have, beside one for each of its characters."""

_OTHERS = frozenset(
    {
        *("vocabulary", "LTCvocabulary", "theory", "procedure", "query", "term", "fobdd", "factlist"),
        "aspstructure",
    }
)
"""The first words of blocks that are no structures; `format.recognises` looks for the same."""

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
    """A name with its namespaces and types."""

    path: tuple[str, ...]
    sorts: str
    """The types in the text, `[Time,Tile:Pos]`; "" without any."""
    place: int
    """Its place in the text, from 0."""

    def __str__(self) -> str:
        return "::".join(self.path) + self.sorts


@dataclass(slots=True)
class Interpretation:
    """A table of one symbol in a structure."""

    name: Name
    truth: str
    """"" for `=`, else "ct", "cf" or "u"."""
    rows: dict[tuple[Element, ...], int] = field(default_factory=dict)
    """The rows of its table, each with its first place in the text; in a map, the value is the last element."""
    is_map: bool | None = None
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


def parse(text: str) -> list[Block]:
    """Parse the structures of a text.

    Raises
    ------
    ParseError
        With line, column and what was expected.
    """
    return list(_Parser(text).blocks())


class _Elements(dict[str, Element]):
    """The elements of simple rows by their spelling."""

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


class _Parser(Tokens):
    """A parser of texts, block by block and row by row."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.room = RANGES + len(text)
        self._elements_by_spelling = _Elements()

    # -- blocks

    def blocks(self) -> Iterator[Block]:
        """Yield all structures."""
        inside, none = 0, True
        while self.kind != "end" or inside or none:
            if self.value in ("structure", "Structure"):
                none = False
                yield self._parse_structure()
            elif self.value == "namespace":
                self.next()
                self._parse_path()
                self.expect("{")
                inside += 1
            elif inside and self.accept("}"):
                inside -= 1
            elif self.value in ("include", "using"):
                self._skip_line()
            elif self.value in _OTHERS:
                self._skip_block()
            else:
                raise self.fault(f"{_BLOCK} or }}" if inside else _BLOCK if none else f"{_BLOCK} or the end")

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.place)
        self.move_to(end if end >= 0 else len(self.text))

    def _skip_block(self) -> None:
        """Skip a block of another kind, with anything in its braces."""
        begin, what = self.place, self.value
        while self.value != "{":
            if self.kind not in ("name", "sign") or self.value == "}":
                raise self.fault("{")
            self.next()
        depth = 0
        for match in _PASSED.finditer(self.text, self.place):
            if match[0] == "/*":  # the end of this comment was looked for, up to the end of the text
                raise error_at(self.text, match.start(), "a comment without its end", "*/")
            depth += (match[0] == "{") - (match[0] == "}")
            if not depth:
                self.move_to(match.end())
                return
        raise error_at(self.text, begin, f"the {what} that begins here has no end", "}")

    def _parse_structure(self) -> Block:
        line = self.line()
        self.next()
        name = self._parse_identifier()
        self.expect(":")
        vocabulary = self._parse_path()
        self.expect("{", ":: or {")
        using: list[str] = []
        interpretations: list[Interpretation] = []
        while self.value != "}":
            if self.value == "using" and (match := _USING.match(self.text, self.place)):
                self.move_to(match.end())
                using.append(f"using {match[1]} {self._parse_path()}")
            elif self.kind == "name":
                interpretations.append(self._parse_interpretation())
            else:
                raise self.fault(_CONTENT)
        end = self.place
        self.next()
        return Block(name, vocabulary, tuple(using), tuple(interpretations), line, end)

    def _parse_interpretation(self) -> Interpretation:
        if match := _SIMPLE_TABLE.match(self.text, self.place):
            interpretation = Interpretation(Name((match[1],), match[2] or "", self.place), "")
            self._parse_rows(interpretation, match.end())
            return interpretation
        interpretation = Interpretation(self._parse_name(), self._parse_truth())
        self.expect("=", "=" if interpretation.truth else "< or =")
        if self.accept("{"):
            self._parse_rows(interpretation, self.place)
        elif self.kind == "boolean":
            interpretation.is_map = False if self.value == "true" else None
            interpretation.rows = {(): self.place} if self.value == "true" else {}
            self.next()
        else:
            place = self.place
            self._add(interpretation, (self._parse_element(_VALUE),), True, place)
        return interpretation

    def _parse_truth(self) -> str:
        if not self.accept("<"):
            return ""
        truth = self.value
        if truth not in ("ct", "cf", "u"):
            raise self.fault("ct, cf or u")
        self.next()
        self.expect(">")
        return truth

    # -- rows

    def _parse_rows(self, interpretation: Interpretation, place: int) -> None:
        """Parse the rows of a table from a place on, and its closing brace."""
        while True:
            place = self._parse_simple_rows(interpretation, place)
            if end := _END_OF_ROWS.match(self.text, place):
                self.move_to(end.end())
                return
            self.move_to(place)
            self._parse_row(interpretation)
            if not self.accept(";"):
                self.expect("}", "; or }")
                return
            place = self.place

    def _parse_simple_rows(self, interpretation: Interpretation, place: int) -> int:
        """Parse simple rows, each with its semicolon, which the last may lack; return the place of their end."""
        element_of = self._elements_by_spelling.__getitem__
        try:
            while (match := _SIMPLE_ROW.match(self.text, place)) and match[1]:
                is_map = match[2] is not None
                if interpretation.is_map is not is_map and interpretation.is_map is not None:
                    break
                interpretation.is_map = is_map
                interpretation.rows.setdefault(
                    tuple(map(element_of, _ATOMS.findall(match[1]))), match.start(1)
                )
                place = match.end()
        except GridproofError:  # a number that is too long: the general way says where
            pass
        return place

    def _parse_row(self, interpretation: Interpretation) -> None:
        place, first = self.place, (self.kind, self.value)
        row: list[Element] = []
        bracket = self.accept("(")
        if not (bracket and self.accept(")")) and (bracket or self.value != "->"):
            row = self._parse_elements(_ELEMENT if bracket else "a row or }")
            if bracket:
                self.expect(")")
                self._add(interpretation, tuple(row), False, place)
                return
        if self.value == ".." and len(row) == 1:
            self.next()
            self._add_range(interpretation, row[0], place, first[0])
        elif self.accept("->"):
            self._add(interpretation, (*row, self._parse_element()), True, place)
        else:
            self._add(interpretation, tuple(row), False, place)

    def _add(
        self, interpretation: Interpretation, row: tuple[Element, ...], is_map: bool, place: int
    ) -> None:
        if interpretation.is_map is not is_map and interpretation.is_map is not None:
            raise error_at(self.text, place, "rows with and without -> in one table")
        interpretation.is_map = is_map
        interpretation.rows.setdefault(row, place)

    def _add_range(self, interpretation: Interpretation, first: Element, place: int, kind: str) -> None:
        """Parse the rest of a range `1..3` or `'a'..'c'` and add its elements as rows."""
        last_kind = self.kind
        last = self._parse_element()
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
            raise error_at(self.text, place, "a range of names that are no characters", "a..c")
        if size <= 0:
            raise error_at(self.text, place, "a range that runs backwards")
        self.room -= size
        if self.room < 0:
            most = RANGES + len(self.text)
            reason = f"a range of {size} elements is too large: all ranges of this text may have {most}"
            raise error_at(self.text, place, reason)
        for element in elements:
            self._add(interpretation, (element,), False, place)

    # -- elements

    def _parse_elements(self, expected: str) -> list[Element]:
        found = [self._parse_element(expected)]
        while self.accept(","):
            found.append(self._parse_element())
        return found

    def _parse_element(self, expected: str = _ELEMENT, depth: int = 1) -> Element:
        if self.kind in ("whole", "real") or self.value == "-":
            return self._parse_number()
        if self.kind in ("string", "character"):
            value = self.value[1:-1]
            self.next()
            return value
        if self.kind != "name":
            raise self.fault(expected)
        if match := _SIMPLE_CALL.match(self.text, self.place):
            place = self.place
            self.move_to(match.end())
            return self._parse_call(match[1], place, depth)
        name = self._parse_name()
        if self.accept("("):
            return self._parse_call(name.path[-1], name.place, depth)
        word = name.path[0]
        if word != str(name):
            raise self.fault("(")
        return Call(word) if word in DIRECTIONS else word

    def _parse_call(self, name: str, place: int, depth: int) -> Call:
        """Parse the arguments of a call, whose name stands at a place, and its closing bracket."""
        if depth > DEEPEST:
            raise error_at(self.text, place, "elements are nested too deeply")
        arguments: list[Element] = []
        while self.value != ")":
            arguments.append(self._parse_element(depth=depth + 1))
            if self.value != ")":
                self.expect(",", ", or )")
                if self.value == ")":
                    raise self.fault(_ELEMENT)
        self.next()
        return Call(name, tuple(arguments))

    def _parse_number(self) -> Element:
        place = self.place
        sign = "-" if self.accept("-") else ""
        kind, digits = self.kind, self.value
        if kind not in ("whole", "real"):
            raise self.fault("a number")
        self.next()
        try:
            return parse_real(sign + digits) if kind == "real" else parse_integer(sign + digits)
        except GridproofError as error:
            raise error_at(self.text, place, str(error)) from None

    # -- names

    def _parse_identifier(self) -> str:
        if self.kind != "name":
            raise self.fault("an identifier")
        name = self.value
        self.next()
        return name

    def _parse_path(self) -> Name:
        place = self.place
        path = [self._parse_identifier()]
        while self.accept("::"):
            path.append(self._parse_identifier())
        return Name(tuple(path), "", place)

    def _parse_name(self) -> Name:
        name = self._parse_path()
        if not self.accept("["):
            return name
        types = [str(self._parse_path())] if self.kind == "name" else []
        while types and self.accept(","):
            types.append(str(self._parse_path()))
        result = f":{self._parse_path()}" if self.accept(":") else ""
        self.expect("]", ", or : or ]" if types else "an identifier or : or ]")
        return name._replace(sorts=f"[{','.join(types)}{result}]")
