"""The tokens of IDP3's texts."""

from __future__ import annotations

import re

from gridproof.core.errors import ParseError

COMMENT = r"//[^\n]*+|--[^\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
BLANK = rf"(?:[ \t\r\n]++|{COMMENT})*+"
_BLANK = re.compile(BLANK)
NAME = r"(?!(?:true|false)(?![A-Za-z0-9_']))_*+[A-Za-z][A-Za-z0-9_']*+"
_TOKEN = re.compile(
    rf"{BLANK}(?:(?P<name>{NAME})|(?P<boolean>true|false)|(?P<real>[0-9]*+\.[0-9]++)|(?P<whole>[0-9]++)"
    r"""|(?P<string>"[^"]*+")|(?P<character>'[^\n]')|(?P<sign>->|\.\.|::|[-{}()\[\];,=<>:])|(?P<end>\Z))"""
)
_KINDS = ("", *_TOKEN.groupindex)
"""The kinds of tokens by the numbers of their groups."""


def error_at(text: str, place: int, reason: str, expected: str = "") -> ParseError:
    """Return an error at a place in a text."""
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return ParseError(reason, line=line, column=column, expected=expected)


class Tokens:
    """A text, token by token: `kind`, `value` and `place` are those of the next token.

    The kind is one of name, boolean, real, whole, string, character, sign and end; "" where no token stands.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = (0, 1)  # a place and its line
        self.move_to(0)

    def move_to(self, place: int) -> None:
        """Go to the first token from a place on."""
        self._end = place
        self.next()

    def next(self) -> None:
        """Go to the next token."""
        match = _TOKEN.match(self.text, self._end)
        if match is None or not (group := match.lastindex):
            blank = _BLANK.match(self.text, self._end)
            self.kind, self.value, self.place = "", "", blank.end() if blank else self._end
            return
        self.kind, self.value = _KINDS[group], match[group]
        self.place, self._end = match.span(group)  # only blanks and comments stand before it

    def accept(self, sign: str) -> bool:
        found = self.value == sign
        if found:
            self.next()
        return found

    def expect(self, sign: str, expected: str = "") -> None:
        if not self.accept(sign):
            raise self.fault(expected or sign)

    def fault(self, expected: str) -> ParseError:
        if self.kind == "end":
            return error_at(self.text, len(self.text.rstrip()), "the text ends too early", expected)
        if self.kind:
            shown = repr(self.value if len(self.value) <= 40 else self.value[:40] + "...")
            return error_at(self.text, self.place, f"{shown} here", expected)
        for mark, what in (('"', "a string"), ("/*", "a comment"), ("'", "a character")):
            if self.text.startswith(mark, self.place):
                return error_at(self.text, self.place, f"{what} without its end", expected)
        return error_at(self.text, self.place, f"{self.text[self.place]!r} here", expected)

    def line(self) -> int:
        """Return the line of the next token. Calls must go from the beginning of the text to its end."""
        place, line = self._lines
        line += self.text.count("\n", place, self.place)
        self._lines = self.place, line
        return line
