"""The reader of .slc files, by the parser's events, so that errors name their place.

A module of its own, since the parser of XML is slow to load and seldom needed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from gridproof.core.errors import ParseError
from gridproof.core.text.pack import Pack
from gridproof.games.sokoban.formats.rows import Rows
from gridproof.games.sokoban.formats.sections import AUTHOR, ELEMENTS, TITLE, Section, canonical_key, is_key

_CHILDREN: Mapping[str, tuple[str, ...]] = {
    "": ("SokobanLevels",),
    "SokobanLevels": ("Title", "Description", "Email", "Url", "Key", "Note", "LevelCollection"),
    "LevelCollection": ("Level",),
    "Level": ("L", "Key", "Note"),
}
_ATTRIBUTES = {"Id": TITLE, "Copyright": AUTHOR}
"""Attributes of a level or a collection, and their keys; others are keys by their own names."""
_IGNORED = ("Width", "Height", "MaxWidth", "MaxHeight")


def read(text: str) -> Pack:
    """Return the levels of a text with their keys and notes.

    The text is characters already: a declared encoding is ignored.

    Raises
    ------
    ParseError
        With the line and column of what is no XML, or has not the form of .slc; for any entity of the
        text's own.
    InvalidLevel
        With every broken condition of all levels that are not valid.
    """
    parser = make_parser()
    parser.forbid_external = False  # a DOCTYPE names a file, which is not opened: so the parser is set up
    handler = _Handler(text)
    parser.setContentHandler(handler)
    source = InputSource()
    source.setByteStream(io.BytesIO(text.encode("utf-8", "surrogatepass")))
    source.setEncoding("utf-8")
    try:
        parser.parse(source)
    except SAXParseException as error:
        if faults := [section.fault for section in handler.levels if section.fault]:
            raise faults[0] from None
        line, column = error.getLineNumber() or 0, error.getColumnNumber() or 0
        raise ParseError(f"no XML: {error.getMessage()}", line=line, column=column + 1) from None
    except DefusedXmlException:
        raise handler.error("an entity is declared", expected="no entities") from None
    return handler.collection.pack(text, handler.levels)


def unwrap(text: str) -> str:
    """Return a text without the line ends that only separate it from its element's tags."""
    lines = [line.rstrip() for line in text.split("\n")]
    if len(lines) == 1:
        return text.strip()
    return "\n".join(lines[not lines[0] : len(lines) - (not lines[-1])])


class _Handler(ContentHandler):
    """A handler that fills the sections of a text from its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.collection = self._section = Section()
        self.levels: list[Section] = []
        self._open = [""]
        self._name = ""
        self._text: list[str] = []
        self._begin: tuple[int, int]
        self._rows = Rows(text)

    def error(self, reason: str, expected: str = "") -> ParseError:
        """Return an error at the present place of the parser."""
        line, column = self._place()
        return ParseError(reason, line=line, column=column, expected=expected)

    def _place(self) -> tuple[int, int]:
        return self._locator.getLineNumber() or 0, (self._locator.getColumnNumber() or 0) + 1

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802  # SAX's name
        self._locator = locator

    def startElement(self, name: str, attributes: AttributesImpl) -> None:  # noqa: N802  # SAX's name
        allowed = _CHILDREN.get(self._open[-1], ())
        if name not in allowed:
            inside = f" in <{self._open[-1]}>" if self._open[-1] else ""
            expected = " ".join(f"<{child}>" for child in allowed) or "text alone"
            raise self.error(f"<{name}>{inside}", expected=expected)
        if name == "Level":
            self._section = Section(line=self._place()[0])
            self.levels.append(self._section)
        if name in ("Level", "LevelCollection"):
            self._read_attributes(attributes)
        self._name = canonical_key(attributes.get("Name", ""))
        if name == "Key" and not is_key(self._name):
            raise self.error(f"a <Key> with the Name {self._name!r}", expected="a word")
        self._open.append(name)
        self._text, self._begin = [], (0, 0)

    def _read_attributes(self, attributes: AttributesImpl) -> None:
        for name, value in attributes.items():
            if name not in _IGNORED and is_key(canonical_key(name)):
                self._section.add(_ATTRIBUTES.get(name, name), value.strip(), *self._place())

    def _read_row(self, text: str, line: int, column: int) -> None:
        """Read a row; its fault belongs to the level alone."""
        if self._section.fault is None:
            try:
                self._rows.read(text, line, self._section.rows, column)
            except ParseError as error:
                self._section.fault = error

    def characters(self, content: str) -> None:
        if self._open[-1] not in _CHILDREN:
            self._text.append(content)
            self._begin = self._begin if self._begin[0] else self._place()
        elif not content.isspace():
            raise self.error(f"text in <{self._open[-1]}>")

    def skippedEntity(self, name: str) -> None:  # noqa: N802  # SAX's name
        raise self.error(f"the entity &{name}; is not declared")

    def endElement(self, name: str) -> None:  # noqa: N802  # SAX's name
        self._open.pop()
        text = "".join(self._text)
        line, column = self._begin if self._begin[0] else self._place()
        if name == "Level":
            self._section = self.collection
        elif name == "L":
            self._read_row(text, line, column)
        elif name == "Note":
            section = self._section
            notes = section.below if section.rows or section is self.collection else section.above
            notes += unwrap(text).split("\n")
        elif name not in _CHILDREN:
            self._section.add(ELEMENTS.get(name) or self._name, unwrap(text), line, column)
