"""The format of IDP3 structures of ShiftItVoc.

    structure S : ShiftItVoc {
      Time = { 0..6 }   Start = 0   XCo = { 0; 1 }   YCo = { 0 }   Tile = { a; b }
      IsLocked = { a }
      Init_GetPos = { a->P(0,0); b->P(1,0) }
      Init_Colouring_Full = { a->"red" }
      ...
    }

Comments `// title: ...`, `// author: ...` and `// key NAME: ...` before a structure are its level's, those with
three slashes (`/// title: ...`, also `/// note: ...`) the pack's. A file may hold several structures, and then is a
pack; blocks of other kinds (`vocabulary`, `theory`, ...) are skipped.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from gridproof.core import lazy_import
from gridproof.core.game import Claim, Format
from gridproof.core.text.pack import Pack, PackBuilder
from gridproof.games.shiftit.idp import comments

if TYPE_CHECKING:
    from gridproof.games.shiftit.idp.structure import Structure
    from gridproof.games.shiftit.rules import Level

_BLANK = rf"(?>{comments.BLANK}*)"
_BEGINNING = re.compile(
    rf"{_BLANK}(?:[sS]tructure\b[^\n]*[:{{]|(?:(?:LTC)?vocabulary|namespace)\b{_BLANK}\w++{_BLANK}\{{"
    rf"|(?:theory|query|term|fobdd|factlist|aspstructure)\b{_BLANK}\w++{_BLANK}:{_BLANK}[\w:]++{_BLANK}\{{"
    rf"|procedure\b{_BLANK}\w++{_BLANK}\([^(){{}}]*+\){_BLANK}\{{"
    r"|include[ \t]*+[<\"]|using[ \t]++(?:vocabulary|namespace)\b)"
)


def recognises(text: str) -> Claim:
    """Return whether a text begins, after comments, like a structure or a block that may stand with one."""
    return Claim.MARK if _BEGINNING.match(text) else Claim.NONE


def read_structures(text: str) -> list[Structure]:
    """Read all structures of a text.

    Raises
    ------
    ParseError
        With line and column, for a text that breaks the syntax or does not fit the vocabulary.
    """
    from gridproof.games.shiftit.idp.grammar import parse_structures

    return [make() for make, _ in parse_structures(text)]


@lazy_import.pause_gc()
def read(text: str) -> Pack:
    """Read the levels of the structures of a text; ParseError or InvalidLevel for a broken one."""
    from gridproof.games.shiftit.idp.grammar import parse_structures

    levels = PackBuilder(text)
    for make, line in parse_structures(text):
        levels.add(functools.partial(_level, make), line)
    title, author, keys, notes = comments.read_pack_about(text)
    return levels.pack(title=title, author=author, keys=keys, notes=notes)


def _level(make: Callable[[], Structure]) -> Level:
    from gridproof.games.shiftit.idp.conversion import level_of

    return level_of(make())


def write(pack: Pack) -> str:
    """Return a structure for each level of a pack: the boards with their titles and keys."""
    from gridproof.games.shiftit.idp.conversion import structure_of
    from gridproof.games.shiftit.rules import Level

    levels = [level for level in pack if isinstance(level, Level)]
    names = ["S"] if len(levels) == 1 else [f"S{number}" for number in range(1, len(levels) + 1)]
    texts = [structure_of(level, name=name).text() for level, name in zip(levels, names, strict=True)]
    preamble = "".join(comments.pack_lines(pack))
    return "\n".join([preamble, *texts] if preamble else texts)


FORMAT = Format("structure", (".idp",), "IDP3 structures of ShiftItVoc", recognises, read, write)
