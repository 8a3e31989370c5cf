"""`generate`: new levels of a game."""

from __future__ import annotations

import json as texts
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gridproof.cli.options import FormatName, Json, format_meant
from gridproof.cli.output import print_json, print_note, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files, reading
from gridproof.core.errors import GridproofError
from gridproof.core.game import Level
from gridproof.core.generate import generate as generate_level
from gridproof.core.generate import parameters_of
from gridproof.core.loading import uninterrupted
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, is_game
from gridproof.core.rng import LARGEST_SEED, check_seed
from gridproof.core.wording import counted

_NAMED = "gridproof.games"


class Command(TyperCommand):
    """Its help also says which parameters the games have, or the one that is named beside --help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the arguments; help comes before all others, and then nobody has read them."""
        ctx.meta[_NAMED] = [name for name in args if is_game(name)]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the parameters; only now are the generators imported, which takes some time."""
        super().format_epilog(ctx, formatter)
        for game in [game_named(name) for name in ctx.meta[_NAMED]] or games():
            if game.generator:
                with formatter.section(f"Parameters of {game.name}, as NAME=VALUE for --set"):
                    formatter.write_dl(
                        [(", ".join(given), meaning) for given, meaning in parameters_of(game)]
                    )


def generate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game that makes new levels.")],
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Decides the level; the next ones have the next seeds.")
    ] = 0,
    count: Annotated[int, typer.Option("--count", min=1, metavar="K", help="How many levels.")] = 1,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the game, such as width=8."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the levels there, as one pack.")
    ] = None,
    to: FormatName = None,
    json: Json = False,
) -> ExitStatus:
    """Make new levels, each with a certificate that wins it. Ctrl-C keeps those that are made."""
    given = dict(_parameter(text) for text in parameters or ())
    form = format_meant(game_named(game), save or "-", to)
    files.check_folder(save)
    made: list[Level] = []
    status = ExitStatus.DONE
    try:
        with Progress(f"Making levels of {game}", "levels") as progress:
            progress(0)
            for number in _seeds(seed, count):
                made.append(generate_level(game, number, **given))
                progress(len(made))
                if json:
                    print_json(_data(made[-1], number))
    except KeyboardInterrupt:
        status = ExitStatus.INTERRUPTED
    if made:
        with uninterrupted():
            _write(made, save, form, json)
    return status


def _seeds(first: int, count: int) -> range:
    """A seed for each level.

    Raises
    ------
    GridproofError
        When there are not so many.
    """
    left = LARGEST_SEED + 1 - check_seed(first)
    if count > left:
        told = f"seeds go from 0 to 2**64 - 1, which leaves {counted(left, 'levels')}"
        raise GridproofError(f"--seed {first} --count {count}: {told}")
    return range(first, first + count)


def _parameter(text: str) -> tuple[str, Any]:
    """`width=8`: numbers, true, false and null as JSON has them, all else as it stands.

    Raises
    ------
    GridproofError
        When there is no name or no value.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name.isidentifier() and equals and value) or name in ("game", "seed"):
        raise GridproofError(f"--set {text!r}: it is written NAME=VALUE")
    try:
        return name, texts.loads(value)
    except ValueError:
        return name, value


def _data(level: Level, seed: int) -> dict[str, Any]:
    certificate = level.certificate
    return {
        "game": level.game.name,
        "seed": seed,
        "title": level.title,
        "keys": dict(level.keys),
        "text": level.text(),
        "actions": [str(action) for action in certificate.actions] if certificate else None,
    }


def _write(levels: list[Level], path: Path | None, form: str | None, json: bool) -> None:
    text = reading.write(levels, path, form)
    if json:
        return
    if path is None:
        typer.echo(text, nl=False)
    else:
        print_paragraph(f"{counted(len(levels), 'levels')} written to {path}")
    without = sum(level.certificate is None for level in levels)
    if without:
        print_note(f"{counted(without, 'levels')} without a certificate")
