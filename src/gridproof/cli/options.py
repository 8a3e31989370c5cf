"""Arguments and options that several commands have, and the levels that they mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridproof.cli.output import print_note
from gridproof.core import files, reading
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.pack import Pack, exports_told, format_named, writer_of
from gridproof.core.position import Level
from gridproof.core.shelf import levels_at, pack_meant

if TYPE_CHECKING:
    from gridproof.search.actors import Actors

LevelName = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL",
        help="FILE, FILE#3, sokoban/first-steps/3, - for standard input, or a game: its first level.",
    ),
]
PackName = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL|PACK",
        help="As LEVEL; a file or pack of many levels means them all, a game its first pack.",
    ),
]
LevelOrTrace = Annotated[
    str,
    typer.Argument(metavar="LEVEL|TRACE", help="As elsewhere; or the file of a trace, with its level in it."),
]
GameName = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game, for a file that may be of several or of none."),
]
ActorNames = Annotated[
    str | None,
    typer.Option(
        "--actors",
        metavar="NAMES",
        help="Whose actions: names with commas, or all, with nature's where chance is an act of its own; all players' by default.",
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--to", metavar="FORMAT", help="By default the one that the file's ending means, or the game's own."
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Decides all chance: a number of 64 bits.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def actors_in(text: str | None) -> Actors:
    """The actors that a text names: "a,b", or "all"; None for the players."""
    return text if text in (None, "all") else tuple(dict.fromkeys(name.strip() for name in text.split(",")))


def format_meant(game: Game, path: str | Path, named: str | None) -> str | None:
    """The format to write levels in: the named one, or the one of the file's ending.

    None, which is the game's own, when the file has no ending: nothing is said then.

    Raises
    ------
    GridproofError
        When the game has no such format, or does not write it.
    """
    ending = Path(path).suffix
    name = named or reading.format_by_ending(game, path)
    if name is not None:
        writer_of(format_named(game, name))
    elif ending:
        known = ", ".join(ending for form in game.formats if form.write for ending in form.extensions)
        raise GridproofError(
            f"{path}: {game.name} has no format for {ending}: there are {known}{exports_told(game)}; "
            "or name one with --to"
        )
    return name


def levels_named(reference: str, game: str | None = None) -> list[tuple[str, Level]]:
    """The levels that a reference means, each with the name that means it alone.

    Raises
    ------
    GridproofError
        When there is none.
    """
    reference, pack = pack_named(reference, game)
    note_broken(reference, pack)
    return list(zip(names_in(reference, pack), pack, strict=True))


def pack_named(reference: str, game: str | None = None) -> tuple[str, Pack]:
    """The levels that a reference means, without those that are broken, and the reference in full."""
    reference = pack_meant(reference)
    return reference, levels_at(reference, game, lenient=True)


def note_broken(reference: str, pack: Pack) -> None:
    """Say which levels are left out, since they are broken, and what else is not believed."""
    for number, error in pack.broken.items():
        print_note(f"{name_in(reference, number)} is left out: {error.told}")
    note_unbelieved(reference, pack)


def note_unbelieved(reference: str, pack: Pack) -> None:
    """Say what is told of levels but not believed, such as solutions that do not win."""
    for number, notice in pack.notices.items():
        name = reference if len(pack) == 1 and not pack.broken else name_in(reference, number)
        print_note(f"{name}: {notice}")


def names_in(reference: str, pack: Pack) -> list[str]:
    """A name for each level of a pack that was read from a reference."""
    if len(pack) == 1 and not pack.broken:
        return [reference]
    return [name_in(reference, number) for number in pack.numbers]


def name_in(reference: str, number: int) -> str:
    """The name of one of several levels that a reference means."""
    return f"{reference}{'#' if reference == '-' or files.is_file(reference) else '/'}{number}"


def level_named(reference: str, game: str | None = None) -> tuple[str, Level]:
    """One level and its name: a game's first, or the first, with a note, when the reference means many.

    Raises
    ------
    GridproofError
        When there is none.
    """
    pack = pack_meant(reference)
    found = levels_named(reference if pack == reference else f"{pack}/1", game)
    if len(found) > 1:
        print_note(f"this is the first of {len(found)} levels; another is {found[1][0]}")
    return found[0]
