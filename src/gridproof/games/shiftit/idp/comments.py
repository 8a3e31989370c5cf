"""Titles and keys in comments of IDP3 texts: `// title: ...` of a level, `/// title: ...` of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gridproof.core.text.lines import one_line
from gridproof.core.text.pack import Pack

LEVEL, PACK = "//", "///"
COMMENT = r"//[^\n]*+|--[^\n]*+|/\*[^*]*+\*++(?>(?:[^/*][^*]*+\*++)*)/"
BLANK = rf"(?:[ \t\r\n]++|(?:{COMMENT})[ \t\r\n]*+)"
"""Blank characters, or a comment and those behind it."""
_REMARK = re.compile(
    r"^[ \t]*+(///?+)[ \t]*+(?:(title|author|note)|key[ \t]+([A-Za-z][A-Za-z0-9 _-]*)):(.*)", re.MULTILINE
)


class About(NamedTuple):
    """Title, author, keys and notes of a level or a pack."""

    title: str = ""
    author: str = ""
    keys: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


class Remarks:
    """The remarks of a text about its levels, in order."""

    def __init__(self, text: str) -> None:
        self._left = list(_find_remarks(text, LEVEL))
        self._left.reverse()

    def take_until(self, place: int) -> About:
        """Take the remarks before a place in the text; each is taken once."""
        taken = []
        while self._left and self._left[-1].start() < place:
            taken.append(self._left.pop())
        return _make_about(taken)


def read_pack_about(text: str) -> About:
    """Read the remarks of a text about its pack."""
    return _make_about(list(_find_remarks(text, PACK)))


def _find_remarks(text: str, mark: str) -> Iterator[re.Match[str]]:
    """Return the remarks with a mark."""
    return (match for match in _REMARK.finditer(text) if match[1] == mark)


def _make_about(matches: list[re.Match[str]]) -> About:
    values: dict[str, str] = {}
    keys: dict[str, str] = {}
    for match in matches:
        (keys if match[3] else values)[match[3] or match[2]] = match[4].strip()
    notes = tuple(match[4].strip() for match in matches if match[2] == "note")
    return About(values.get("title", ""), values.get("author", ""), keys, notes)


def remark_lines(mark: str, title: str, author: str, keys: Mapping[str, str]) -> list[str]:
    """Return the remarks about a level or a pack, a line each."""
    values = {name: value for name, value in (("title", title), ("author", author)) if value}
    values |= {f"key {name}": value for name, value in keys.items()}
    return [_line(mark, name, value) for name, value in values.items()]


def pack_lines(pack: Pack) -> list[str]:
    """Return the remarks about a pack, with its notes."""
    return [
        *remark_lines(PACK, pack.title, pack.author, pack.keys),
        *(_line(PACK, "note", note) for note in pack.notes),
    ]


def _line(mark: str, name: str, value: str) -> str:
    return f"{mark} {name}: {one_line(value)}".rstrip() + "\n"
