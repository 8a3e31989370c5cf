"""Reading and writing of levels: formats are recognised by content, games need not be named."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel, ParseError
from gridproof.core.game import Claim, Format, Game
from gridproof.core.position import Level, Position
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, load_errors, resolve_game
from gridproof.core.text import files
from gridproof.core.text.lines import single
from gridproof.core.text.pack import Pack, describe_exports, find_format, to_levels, writer_of
from gridproof.core.text.phrases import join_names


def read(text: str, game: str | Game | None = None, *, lenient: bool = False, ending: str = "") -> Pack:
    """Read the levels of a text; parameters and errors as of `level_lookup.read`, which reads files too.

    The `ending` of the text's file, with the dot, decides where no format recognises the text.
    """
    text = files.clean(text)
    if not text.strip():
        raise ParseError("no level in this text: it is empty", line=1, expected="a level")
    form = recognise(text, game, ending)[1]
    try:
        pack: Pack = form.read(text)
    except BrokenLevel as error:
        if not (lenient and error.pack):
            raise
        pack = error.pack
    if not pack:
        raise ParseError("no level in this text", line=1, expected="a level")
    return pack


def recognise(text: str, game: str | Game | None, ending: str = "") -> tuple[Game, Format]:
    """Recognise the game and the format of a text.

    If several formats claim it, those with the ending of its file count, else the highest claim. If none claims it,
    the ending decides. The ending .txt does not count. ParseError if no format, or those of several games are left.
    """
    named = None if game is None else resolve_game(game)
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
        return named, named.own_format
    if found:
        names = ", ".join(sorted({f"{owner.name} ({item.name})" for _, owner, item in found}))
        raise ParseError(f"the text may be of several formats: {names}; give the game", line=1)
    known = join_names([game.title for game in games()], "or")
    unasked = "".join(f"; {fault}" for fault in load_errors().values())
    raise ParseError(f"the format is not recognised{unasked}", line=1, expected=f"a level of {known}")


def position(text: str, game: str | Game | None = None) -> Position[Any]:
    r"""Read a position in the middle of a game, on a level that starts there.

    Parameters
    ----------
    text : str
    game : str or Game, optional
        Needed only where several games may be meant.

    Returns
    -------
    Position

    Raises
    ------
    ParseError, InvalidLevel
        As `read`; also when the text holds several levels, or one that starts by chance.

    Examples
    --------
    >>> import gridproof as gp
    >>> position = gp.position("2048 2x2 target=8\n2 2\n4 0\n")
    >>> print(*position.actions())
    left right down
    """
    text = files.clean(text)
    if not text.strip():
        raise ParseError("no position in this text: it is empty", line=1, expected="a position")
    owner, form = recognise(text, game)
    read_midgame = owner.own_format.read_midgame
    if read_midgame is not None:
        midgame: Position[Any] = read_midgame(text)
        return midgame
    pack = form.read(text)
    starts = list(single(pack).starts())
    if len(starts) != 1:
        raise ParseError("the level starts by chance: to ask about a position, put pieces on its board")
    found: Position[Any] = starts[0].position
    return found


def read_back(text: str, name: str) -> Pack:
    """Read the levels of a pack's text, also a single one that starts in the middle of a game."""
    try:
        return read(text, name)
    except InvalidLevel:
        if game_named(name).own_format.read_midgame is None:
            raise
        return Pack([position(text, name).level])


def write(levels: Level | Iterable[Level], path: str | Path | None = None, format: str | None = None) -> str:
    """Write levels in the named format, in that of the path's ending, or in the game's own.

    A game with several formats has its own only where the path has no ending. Written to `path` too, when one is given, whole or not at all.

    Parameters
    ----------
    levels : Level or iterable of Level
    path : str or Path, optional
        The file.
    format : str, optional
        The name of one of the game's formats.

    Returns
    -------
    str
        The text: `gp.read(text)` gives equal levels.

    Raises
    ------
    GridproofError
        When there is no level, they are of several games, the game has no such format or none for the
        ending of the file, or the file cannot be written.

    Examples
    --------
    >>> import gridproof as gp
    >>> level = gp.level("sokoban/first-steps/1")
    >>> gp.read(gp.write(level)) == [level]
    True
    """
    pack = levels if isinstance(levels, Pack) else Pack(to_levels(levels))
    if path is None:
        return pack.text(format)
    path = files.to_path(path)
    game = pack.game
    several = not format and len(game.formats) > 1
    named = choose_format(game, path, None, "by format=...") if several else format
    text = pack.text(named or format_by_ending(game, path))
    files.write(path, text)
    return text


def choose_format(game: Game, path: str | Path, named: str | None, option: str) -> str | None:
    """Return the name of the format for a file, named or by the ending; None stands for the game's own.

    GridproofError when the game has no such format, or does not write it; `option` says how to name one.
    """
    ending = Path(path).suffix
    name = named or format_by_ending(game, path)
    if name is not None:
        writer_of(find_format(game, name))
    elif ending:
        known = ", ".join(ending for form in game.formats if form.write for ending in form.extensions)
        raise GridproofError(
            f"{path}: {game.name} has no format for {ending}; choose from {known}{describe_exports(game)}, "
            f"or name one {option}"
        )
    return name


def format_by_ending(game: Game, path: str | Path) -> str | None:
    """Return the name of the game's format with the ending of a file name; None when there is none."""
    ending = Path(path).suffix.lower()
    return next((item.name for item in game.formats if ending in item.extensions), None)
