"""Property files: named formulas about a level, with their expected verdicts, and definitions.

`solvable: EF won` is expected to hold, `not always_solvable: AG EF won` is not, and `define far = !near` defines a name.
A number sign begins a comment, and an indented line continues the one above. Below a property, indented lines that begin with
`fair:`, `paths:` or `invariant:` say how it is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gridproof.core.errors import ParseError
from gridproof.core.text import files
from gridproof.prove.definition import HEAD, Definition, check_definitions, definition_of
from gridproof.prove.formula import Formula

_DEFINE = re.compile(r"define\s")
_PROPERTY = re.compile(r"(not\s+)?([A-Za-z_][\w.-]*+)\s*+:")
_MOST = 10_000
"""Properties and definitions of a file."""
_SETTING = re.compile(r"[ \t]+(fair|paths|invariant)[ \t]*:[ \t]*")
_FORMS = "'NAME: FORMULA', 'not NAME: FORMULA' or 'define NAME = FORMULA'"


@dataclass(frozen=True, slots=True)
class Property:
    """A named formula, and whether it is expected to hold."""

    name: str
    formula: Formula
    """The formula as it is written."""
    expected: bool
    line: int
    """Its line in the file, from 1."""
    fair: tuple[str, ...] = ()
    """Assumptions of fairness, as of `gridproof.check`."""
    paths: str = "all"
    """The paths on which a formula of LTL must hold: "all" or "some"."""
    invariant: Formula | None = None
    """The inductive invariant that proves it, as it is written."""


@dataclass(frozen=True, slots=True)
class PropertyFile:
    """The definitions and the properties of a file, each in order."""

    definitions: tuple[Definition, ...]
    properties: tuple[Property, ...]


def parse_properties(text: str) -> PropertyFile:
    """Parse the text of a property file.

    Raises
    ------
    ParseError
        For another form, with line and column; and for more than 10,000 properties and definitions.
    """
    text = re.sub(r"#[^\n]*", "", files.clean(text))
    definitions: list[Definition] = []
    properties: dict[str, Property] = {}
    for count, (line, item) in enumerate(_items(text)):
        if count == _MOST:
            raise ParseError(f"more than {_MOST:,} properties and definitions", line=line, column=1)
        if head := _DEFINE.match(item) and HEAD.match(item, len("define")):
            definition = definition_of(head, _parse_from(item, head.end(), line), line)
            definitions.append(definition)
            continue
        match = _PROPERTY.match(item)
        if match is None:
            raise ParseError("no property and no definition", line=line, column=1, expected=_FORMS)
        negated, name = match.groups()
        if name in properties:
            raise ParseError(f"two properties have the name {name}", line=line, column=match.start(2) + 1)
        formula, settings = _split_settings(item, line)
        one = Property(name, _parse_from(formula, match.end(), line), not negated, line)
        properties[name] = _add_settings(one, settings)
    check_definitions(definitions)
    if not properties:
        raise ParseError("there is no property", expected=_FORMS)
    return PropertyFile(tuple(definitions), tuple(properties.values()))


def _items(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with the indented lines below it, and its number."""
    item, begin = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line[0].isspace():
            if item:
                yield begin, item
            item, begin = line, number
        elif item:
            item += f"\n{line}"
        elif line.strip():
            raise ParseError("an indented line without one above it", line=number, column=1, expected=_FORMS)
    if item:
        yield begin, item


def _split_settings(item: str, line: int) -> tuple[str, list[tuple[int, str, str]]]:
    """Return the text of a property without its settings; and these, each with its line and name."""
    first, *rest = item.split("\n")
    formula, settings = [first], list[tuple[int, str, str]]()
    for number, text in enumerate(rest, line + 1):
        if match := _SETTING.match(text):
            settings.append((number, match[1], text))
        elif settings and text.strip():
            number_before, name, before = settings[-1]
            settings[-1] = number_before, name, f"{before}\n{text}"
        else:
            formula.append(text)
    return "\n".join(formula), settings


def _add_settings(one: Property, settings: list[tuple[int, str, str]]) -> Property:
    """Return a property with its settings; ParseError for one that is there twice, and for other paths than all and some."""
    for line, name, item in settings:
        start = item.index(":") + 1
        value = item[start:].strip()
        if not value or (name == "paths" and value not in ("all", "some")):
            expected = {"paths": "all or some", "fair": "'KIND NAME' or 'G F FORMULA'"}.get(name, "a formula")
            raise ParseError(
                f"{name} of {one.name}: {value or 'nothing'}", line=line, column=1, expected=expected
            )
        if name == "fair":
            one = replace(one, fair=(*one.fair, value))
        elif name == "paths":
            one = replace(one, paths=value)
        elif one.invariant is None:
            one = replace(one, invariant=_parse_from(item, start, line))
        else:
            raise ParseError(f"{one.name} has two invariants", line=line, column=1)
    return one


def _parse_from(item: str, start: int, line: int) -> Formula:
    """Parse the rest of an item, so that places count in the file: blanks stand for all before."""
    from gridproof.prove.parsing import parse  # which brings lark

    before = re.sub(r"[^\n]", " ", item[:start])
    return parse("\n" * (line - 1) + before + item[start:].rstrip())
