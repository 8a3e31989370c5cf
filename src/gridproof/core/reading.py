"""Texts to levels and back: formats are recognised by content, games need not be named."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gridproof.core import files
from gridproof.core.errors import InvalidLevel, ParseError
from gridproof.core.game import Format, Game, Level, Position
from gridproof.core.pack import Pack, levels_in
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games


def read(source: str | Path, game: str | Game | None = None) -> Pack:
    """The levels of a text (str) or a file (Path).

    Parameters
    ----------
    source : str or Path
        At most 16 MiB.
    game : str or Game, optional
        Needed only for texts that no format recognises.

    Raises
    ------
    ParseError
        When the text has not the form of its format, or no level is in it.
    InvalidLevel
        When a level breaks clauses of its game; all of them are listed.
    GridproofError
        When a file cannot be read, the source is neither a text nor a Path, or there is no such game.
    """
    if isinstance(source, Path):
        with files.naming(source):
            return _read(files.text_of(source), game)
    return _read(source, game)


def _read(text: str, game: str | Game | None) -> Pack:
    text = files.clean(text)
    if not text.strip():
        raise ParseError("no level in this text: it is empty", line=1, expected="a level")
    pack = recognised(text, game)[1].read(text)
    if not pack:
        raise ParseError("no level in this text", line=1, expected="a level")
    return pack


def recognised(text: str, game: str | Game | None) -> tuple[Game, Format]:
    """The game and the format of a text.

    Raises
    ------
    ParseError
        When no format recognises it, or those of several games do.
    GridproofError
        When there is no such game.
    """
    named = game_named(game) if isinstance(game, str) else game
    found = [
        (candidate, item)
        for candidate in ((named,) if named else games())
        for item in candidate.formats
        if item.recognises(text)
    ]
    if len(found) == 1 or (found and named):
        return found[0]
    if named:
        return named, named.formats[0]
    if found:
        names = ", ".join(sorted({f"{candidate.name} ({item.name})" for candidate, item in found}))
        raise ParseError(f"the text may be of several formats: {names}; name the game", line=1)
    known = ", ".join(f"{g.name} ({', '.join(item.name for item in g.formats)})" for g in games())
    raise ParseError("the format is not recognised", line=1, expected=f"one of {known}")


def position(text: str, game: str | Game | None = None) -> Position[Any]:
    """The position in the middle of a game that a text shows, on a level that starts there.

    Raises
    ------
    ParseError, InvalidLevel
        As `read`; also when the text holds several levels, or one that starts by chance.
    """
    text = files.clean(text)
    if not text.strip():
        raise ParseError("no position in this text: it is empty", line=1, expected="a position")
    owner, form = recognised(text, game)
    if owner.position is not None:
        return owner.position(text)
    pack = form.read(text)
    if len(pack) != 1:
        raise ParseError(f"one position is needed, the text has {len(pack)} levels", line=1)
    starts = list(pack[0].starts())
    if len(starts) != 1:
        raise ParseError("the text shows no position: its level starts by chance", line=1)
    found: Position[Any] = starts[0].position
    return found


def read_back(text: str, name: str) -> Pack:
    """The levels that a pack's text has, also a single one that starts in the middle of a game.

    Raises
    ------
    ParseError, InvalidLevel
        As `read`.
    """
    try:
        return read(text, name)
    except InvalidLevel:
        if game_named(name).position is None:
            raise
        return Pack([position(text, name).level])


def write(levels: Level | Iterable[Level], path: str | Path | None = None, format: str | None = None) -> str:
    """The text of levels, in the named format, in that of the path's ending, or in the game's own.

    Written to `path` too, when one is given, whole or not at all.

    Raises
    ------
    GridproofError
        When there is no level, they are of several games, the game has no such format, or the
        file cannot be written.
    """
    pack = levels if isinstance(levels, Pack) else Pack(levels_in(levels))
    if path is None:
        return pack.text(format)
    path = Path(path)
    text = pack.text(format or format_by_ending(pack.game, path))
    files.write(path, text)
    return text


def format_by_ending(game: Game, path: str | Path) -> str | None:
    """The name of the game's format that a file name ends with; None when there is none."""
    ending = Path(path).suffix.lower()
    return next((item.name for item in game.formats if ending in item.extensions), None)
