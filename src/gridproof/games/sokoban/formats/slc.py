"""Levels in XML, the .slc files of the Sokoban world, read and written without loss (K21).

    <SokobanLevels>
      <Title>..</Title> <Description>..</Description> <Email>..</Email> <Url>..</Url>
      <LevelCollection Copyright="the author" MaxWidth=".." MaxHeight="..">
        <Level Id="the title" Width=".." Height=".." Copyright="the author">
          <L>#####</L>

The description is the key `Comment`. The format is extended by `Bombs=".."` of a level or of a collection,
and by `<Key Name="..">`, for solutions too, and `<Note>` with comment lines. Widths and heights are
written, but the reader ignores them, since the rows tell them. Entities and other files are never read.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence

from gridproof.core.errors import GridproofError
from gridproof.core.game import Claim, Format
from gridproof.core.text.files import NO_XML
from gridproof.core.text.pack import Pack
from gridproof.games.sokoban.formats.rows import short_rows
from gridproof.games.sokoban.formats.sections import (
    AUTHOR,
    BOMBS,
    ELEMENTS,
    TITLE,
    check_keys,
    default_bombs,
    levels_of,
)
from gridproof.games.sokoban.formats.solutions import keys_with_solution
from gridproof.games.sokoban.rules import Level


def recognises(text: str) -> Claim:
    """Return whether the text has the root element, with nothing but elements before it."""
    if "<SokobanLevels" not in text:
        return Claim.NONE
    return Claim.MARK if text.lstrip().startswith("<") else Claim.PART


def read(text: str) -> Pack:
    """Return the levels of a text with their keys and notes; errors as of `slc_reader.read`."""
    from gridproof.games.sokoban.formats import slc_reader

    return slc_reader.read(text)


def _wrap(text: str) -> str:
    """Escape a text; `slc_reader.unwrap` is the inverse."""
    return html.escape(text if text == text.strip() and "\n" not in text else f"\n{text}\n", quote=False)


def write(pack: Pack) -> str:
    """Return the text of a pack, from which `read` gives the pack back.

    Raises
    ------
    GridproofError
        When a key cannot be written, or there is a character that XML does not have.
    """
    text = "".join(f"{line}\n" for line in _lines(pack))
    if found := NO_XML.search(text):
        raise GridproofError(f"the character {found[0]!r} cannot be written in XML")
    return text


def _lines(pack: Pack) -> Iterator[str]:
    levels, bombs = levels_of(pack), default_bombs(pack)
    keys = dict(check_keys(pack.keys, taken=(TITLE, AUTHOR)))
    attributes = {
        "Copyright": pack.author,
        "Bombs": keys.pop(BOMBS, ""),
        "MaxWidth": str(max((level.size[0] for level in levels), default=0)),
        "MaxHeight": str(max((level.size[1] for level in levels), default=0)),
    }
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">'
    yield "<SokobanLevels>"
    yield f"  <Title>{_wrap(pack.title)}</Title>"
    for element, key in ELEMENTS.items():
        if key in keys:
            yield f"  <{element}>{_wrap(keys.pop(key))}</{element}>"
    yield from _keys_and_notes("  ", keys, pack.notes)
    yield f"  <LevelCollection{_attributes(attributes)}>"
    for level in levels:
        yield from _level_lines(level, bombs)
    yield "  </LevelCollection>"
    yield "</SokobanLevels>"


def _level_lines(level: Level, default: int) -> Iterator[str]:
    attributes = {
        "Id": level.title,
        "Width": str(level.size[0]),
        "Height": str(level.size[1]),
        "Copyright": level.author,
        "Bombs": "" if level.bombs == default else str(level.bombs),
    }
    yield f"    <Level{_attributes(attributes)}>"
    yield from _keys_and_notes("      ", {}, level.notes_above)
    yield from (f"      <L>{row}</L>" for row in short_rows(level))
    keys = check_keys(keys_with_solution(level), taken=(TITLE, AUTHOR, BOMBS))
    yield from _keys_and_notes("      ", keys, level.notes_below)
    yield "    </Level>"


def _attributes(values: Mapping[str, str]) -> str:
    """Return the Id, and the other attributes that are not empty."""
    return "".join(f" {name}={_quote(value)}" for name, value in values.items() if value or name == "Id")


def _keys_and_notes(indent: str, keys: Mapping[str, str], notes: Sequence[str]) -> Iterator[str]:
    for name, value in keys.items():
        yield f"{indent}<Key Name={_quote(name)}>{_wrap(value)}</Key>"
    if notes:
        yield f"{indent}<Note>{_wrap(chr(10).join(notes))}</Note>"


def _quote(value: str) -> str:
    escaped = html.escape(value).replace("\n", "&#10;").replace("\t", "&#9;")
    return f'"{escaped}"'


FORMAT = Format("slc", (".slc",), "the same in XML", recognises, read, write)
