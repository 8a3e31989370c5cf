"""Shared arguments and options of commands, and the levels and files that they name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridproof.cli.output import print_note
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.text import files, recognition
from gridproof.core.text.level_lookup import levels_at, resolve_pack
from gridproof.core.text.pack import Pack

if TYPE_CHECKING:
    from gridproof.prove.writers.output import Certified
    from gridproof.search.actors import Actors

LevelName = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL",
        help="FILE, FILE#3, sokoban/first-steps/3, - for standard input, or a game (its first level).",
    ),
]
PackName = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL|PACK",
        help="Like LEVEL, but a file or pack means all its levels, and a game its first pack.",
    ),
]
LevelOrTrace = Annotated[str, typer.Argument(metavar="LEVEL|TRACE", help="A level, or a trace file.")]
GameName = Annotated[
    str | None, typer.Option(metavar="GAME", help="Game of the file, if it cannot be detected.")
]
ActorNames = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Actors whose actions count: comma-separated names, or all, which includes nature. Default: all players.",
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option(metavar="FORMAT", help="Output format. Default: by file extension, else the game's own."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Random seed (64 bits).")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Time limit in seconds.")]
SecondsPerLevel = Annotated[
    float | None, typer.Option(metavar="S", help="Time limit for each level, in seconds.")
]
States = Annotated[int | None, typer.Option(metavar="N", help="Limit on the number of positions.")]
StatesPerLevel = Annotated[int | None, typer.Option(metavar="N", help="Limit on positions for each level.")]
Plies = Annotated[
    int | None, typer.Option(min=1, metavar="K", help="Number of moves that the player looks ahead.")
]
PlayerFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="File of a player that `train` has made.")
]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes that share the work.")]
Where = Annotated[
    str | None,
    typer.Option(
        metavar="PLACE",
        help="here, processes (--jobs, or one for each core), ray for this machine's Ray cluster, or ray://HOST:PORT.",
    ),
]
Goal = Annotated[
    str,
    typer.Option(metavar="PROPOSITION", help="Goal, such as won, tile(512) or 'won & cost(pushes) <= 7'."),
]
GoalOrScore = Annotated[
    str,
    typer.Option(
        metavar="PROPOSITION",
        help="Goal, such as tile(256), score for the expected score, or a question such as 'P=? [F<=20 won]'.",
    ),
]
SaveTrace = Annotated[Path | None, typer.Option(metavar="FILE", help="Save the trace.")]
CertificateFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write a proof of the answer for verify; compressed if FILE ends in .gz. Exit status 3 if a limit is reached first.",
    ),
]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Write the results into a dataset folder. If it has results of the same question, only the others are computed.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def parse_actors(text: str | None) -> Actors:
    """Parse actors: "a,b" or "all"; None for the players."""
    return text if text in (None, "all") else tuple(dict.fromkeys(name.strip() for name in text.split(",")))


def check_targets(force: bool, *paths: Path | None) -> None:
    """Check before any work that files can be written, and that none is overwritten without --force; see `check_target`."""
    for path in paths:
        files.check_target(path, force)


def target_files(path: Path | None, levels: int) -> list[Path | None]:
    """Return the file for each level; numbered if there are several."""
    if path is None or levels == 1:
        return [path] * levels
    return [files.add_number(path, number) for number in range(1, levels + 1)]


def refuse_unused(where: str, values: Mapping[str, object]) -> None:
    """Raise GridproofError for the first option with a value that has no effect here."""
    for option, value in values.items():
        if value:
            raise GridproofError(f"{option} does not apply {where}")


def output_format(game: Game, path: str | Path, named: str | None) -> str | None:
    """Return the output format: the named one, or the one of the file extension, or None without an extension.

    None stands for the game's own format. GridproofError when the game has no such format, or does not write it.
    """
    return recognition.choose_format(game, path, named, "with --to")


def read_levels(reference: str, game: str | None = None) -> list[tuple[str, Level]]:
    """Return the levels of a reference, each with its own name; GridproofError when there are none."""
    reference, pack = read_pack(reference, game)
    note_broken(reference, pack)
    return list(zip(level_names(reference, pack), pack, strict=True))


def read_pack(reference: str, game: str | None = None) -> tuple[str, Pack]:
    """Return the valid levels of a reference, and the full reference."""
    reference = resolve_pack(reference)
    return reference, levels_at(reference, game, lenient=True)


def note_broken(reference: str, pack: Pack) -> None:
    """Note which levels are skipped because they are broken, and which data were rejected."""
    for number, error in pack.broken.items():
        print_note(f"{level_name(reference, number)} is skipped: {error.description}")
    note_rejected_data(reference, pack)


def note_rejected_data(reference: str, pack: Pack) -> None:
    """Note rejected data of levels, such as solutions that do not win."""
    for number, notice in pack.notices.items():
        name = reference if len(pack) == 1 and not pack.broken else level_name(reference, number)
        print_note(f"{name}: {notice}")


def level_names(reference: str, pack: Pack) -> list[str]:
    """Return a name for each level of a pack."""
    if len(pack) == 1 and not pack.broken:
        return [reference]
    return [level_name(reference, number) for number in pack.numbers]


def level_name(reference: str, number: int) -> str:
    """Return the name of one level of a reference."""
    return f"{reference}{'#' if reference == '-' or files.is_file(reference) else '/'}{number}"


def read_level(reference: str, game: str | None = None) -> tuple[str, Level]:
    """Return one level and its name: a game's first, or the first with a note if there are many."""
    pack = resolve_pack(reference)
    found = read_levels(reference if pack == reference else f"{pack}/1", game)
    if len(found) > 1:
        print_note(f"using the first of {len(found)} levels; another is {found[1][0]}")
    return found[0]


def note_certificate(name: str, found: Certified) -> Certified:
    """Return the result, with a note if no certificate was written."""
    if found.missing:
        print_note(f"{name}: {found.missing}")
    return found


def path_of_certificate(path: Path | None, found: Certified | None) -> Path | None:
    """Return the file of a certificate if it was written, else None."""
    return path if found and found.holds else None


def is_missing(found: Certified | None) -> bool:
    """Return whether a certificate is missing because a limit was reached."""
    return found is not None and found.holds is None and found.stopped_by != ""
