"""What is said of boards in comments of IDP3 texts: `// title: ...` of a level, `/// title: ...` of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gridproof.core.lines import one_line
from gridproof.core.pack import Pack

LEVEL, PACK = "//", "///"
_REMARK = re.compile(
    r"^[ \t]*+(///?+)[ \t]*+(?:(title|author|note)|key[ \t]+([A-Za-z][A-Za-z0-9 _-]*)):(.*)", re.MULTILINE
)


class About(NamedTuple):
    """What is said of a level or a pack."""

    title: str = ""
    author: str = ""
    keys: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


class Remarks:
    """The remarks of a text about its levels, taken as far as they have come."""

    def __init__(self, text: str) -> None:
        self._left = list(_found(text, LEVEL))
        self._left.reverse()

    def until(self, place: int) -> About:
        """What the remarks before a place in the text say; each is taken once."""
        taken = []
        while self._left and self._left[-1].start() < place:
            taken.append(self._left.pop())
        return _about(taken)


def of_pack(text: str) -> About:
    """What the remarks of a text say of its pack."""
    return _about(list(_found(text, PACK)))


def _found(text: str, mark: str) -> Iterator[re.Match[str]]:
    """The remarks with a mark."""
    return (match for match in _REMARK.finditer(text) if match[1] == mark)


def _about(matches: list[re.Match[str]]) -> About:
    told: dict[str, str] = {}
    keys: dict[str, str] = {}
    for match in matches:
        (keys if match[3] else told)[match[3] or match[2]] = match[4].strip()
    notes = tuple(match[4].strip() for match in matches if match[2] == "note")
    return About(told.get("title", ""), told.get("author", ""), keys, notes)


def remark_lines(mark: str, title: str, author: str, keys: Mapping[str, str]) -> list[str]:
    """The remarks that say this, a line each."""
    told = {name: value for name, value in (("title", title), ("author", author)) if value}
    told |= {f"key {name}": value for name, value in keys.items()}
    return [_line(mark, name, value) for name, value in told.items()]


def pack_lines(pack: Pack) -> list[str]:
    """The remarks that say what is known of a pack."""
    return [
        *remark_lines(PACK, pack.title, pack.author, pack.keys),
        *(_line(PACK, "note", note) for note in pack.notes),
    ]


def _line(mark: str, name: str, value: str) -> str:
    return f"{mark} {name}: {one_line(value)}".rstrip() + "\n"
