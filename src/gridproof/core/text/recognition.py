"""Texts to levels and back: formats are recognised by content, games need not be named."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gridproof.core import files
from gridproof.core.errors import BrokenLevel, InvalidLevel, ParseError
from gridproof.core.game import Claim, Format, Game
from gridproof.core.lines import only
from gridproof.core.pack import Pack, levels_in
from gridproof.core.position import Level, Position
from gridproof.core.registry import broken, game_meant, games
from gridproof.core.registry import game as game_named


def read(source: str | Path, game: str | Game | None = None, *, lenient: bool = False) -> Pack:
    """The levels of a text (str) or a file (Path), with the certificates beside it that win.

    Parameters
    ----------
    source : str or Path
        At most 16 MiB.
    game : str or Game, optional
        Needed only for texts that no format recognises, or those of several games alike.
    lenient : bool
        Leave broken levels out, as long as one is valid: `Pack.broken` has the error of each, and
        `Pack.numbers` the numbers that the others have in the text.

    Raises
    ------
    ParseError
        When the text, or a level of it, has not the form of its format, or no level is in it.
    InvalidLevel
        When levels break clauses of their game: all levels and all clauses are listed.
    GridproofError
        When a file cannot be read, the source is neither a text nor a Path, or there is no such game.
    """
    if isinstance(source, Path):
        from gridproof.core import shelf  # which reads by this module

        with files.naming(source):
            pack = _read(files.text_of(source), game, source.suffix.lower(), lenient)
        shelf.add_certificates(pack, source)
        for error in pack.broken.values():
            error.path = source
        return pack
    return _read(source, game, "", lenient)


def _read(text: str, game: str | Game | None, ending: str, lenient: bool) -> Pack:
    text = files.clean(text)
    if not text.strip():
        raise ParseError("no level in this text: it is empty", line=1, expected="a level")
    form = recognised(text, game, ending)[1]
    try:
        pack = form.read(text)
    except BrokenLevel as error:
        if not (lenient and error.pack):
            raise
        return error.pack
    if not pack:
        raise ParseError("no level in this text", line=1, expected="a level")
    return pack


def recognised(text: str, game: str | Game | None, ending: str = "") -> tuple[Game, Format]:
    """The game and the format of a text.

    If several formats claim it, those with the ending of its file count, else the highest claim. If none claims it,
    the ending decides. The ending .txt says nothing.

    Raises
    ------
    ParseError
        When no format recognises it, or those of several games do alike.
    GridproofError
        When there is no such game.
    """
    named = None if game is None else game_meant(game)
    candidates = [(owner, item) for owner in ((named,) if named else games()) for item in owner.formats]
    claims = [(item.claim(text), owner, item) for owner, item in candidates]
    meant = [claim for claim in claims if ending in claim[2].extensions and ending != ".txt"]
    found = [claim for claim in claims if claim[0]]
    found = [claim for claim in meant if claim[0]] or found or meant
    strictest = max((claim for claim, _, _ in found), default=Claim.NONE)
    found = [claim for claim in found if claim[0] is strictest]
    if len({owner.name for _, owner, _ in found}) == 1:
        return found[0][1:]
    if named:
        return named, named.formats[0]
    if found:
        names = ", ".join(sorted({f"{owner.name} ({item.name})" for _, owner, item in found}))
        raise ParseError(f"the text may be of several formats: {names}; name the game", line=1)
    known = ", ".join(f"{g.name} ({', '.join(item.name for item in g.formats)})" for g in games())
    unasked = "".join(f"; {fault}" for fault in broken().values())
    raise ParseError(f"the format is not recognised{unasked}", line=1, expected=f"one of {known}")


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
    starts = list(only(pack).starts())
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
