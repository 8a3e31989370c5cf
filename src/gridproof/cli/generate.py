"""`generate`: new levels of a game."""

from __future__ import annotations

import itertools
import json as texts
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gridproof.cli.options import FormatName, Json, format_meant
from gridproof.cli.output import note_lost, print_json, print_note, print_paragraph, print_text
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files, reading, shelf
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.generate import MISSED, parameters_of
from gridproof.core.generate import generate as generate_level
from gridproof.core.loading import uninterrupted
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, is_game
from gridproof.core.rng import LARGEST_SEED, check_seed
from gridproof.core.wording import counted, some

_NAMED = "gridproof.games"


class Command(TyperCommand):
    """Its help also says which parameters the games have, or the one that is named beside --help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the arguments; help comes before all others, and then nobody has read them."""
        ctx.meta[_NAMED] = [name for name in args if is_game(name)]
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            name = getattr(error, "option_name", "").lstrip("-")
            if name in _parameters_of(_asked_about(ctx)):
                raise GridproofError(f"--{name} is no option, but a parameter: --set {name}=VALUE") from None
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the parameters; only now are the generators imported, which takes some time."""
        super().format_epilog(ctx, formatter)
        for game in _asked_about(ctx):
            if game.generate:
                with formatter.section(f"Parameters of {game.name}, as NAME=VALUE for --set"):
                    formatter.write_dl(
                        [(", ".join(given), meaning) for given, meaning in parameters_of(game)]
                    )


def _asked_about(context: Any) -> Sequence[Game]:
    """The games that are named, or all."""
    return [game_named(name) for name in context.meta[_NAMED]] or games()


def _parameters_of(asked: Iterable[Game]) -> set[str]:
    rows = itertools.chain.from_iterable(parameters_of(game) for game in asked if game.generate)
    return {text.partition("=")[0] for row in rows for text in row.given}


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
    tries: Annotated[
        int,
        typer.Option(
            "--tries", min=1, metavar="T", help="Seeds for each level, until one has all that is wished for."
        ),
    ] = 1,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Write the levels there, as one pack, with their certificates."
        ),
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
            seeds = iter(_seeds(seed, count, tries))
            for _ in range(count):
                level, number = _tried(game, itertools.islice(seeds, tries), given)
                made.append(level)
                progress(len(made))
                if json:
                    print_json(_data(level, number))
    except KeyboardInterrupt:
        status = ExitStatus.INTERRUPTED
    if made:
        with uninterrupted():
            _write(made, save, form, json)
    return status


def _tried(game: str, seeds: Iterable[int], given: Mapping[str, Any]) -> tuple[Level, int]:
    """The level of the first seed that misses nothing, else of the first seed; and the seed."""
    made = list[tuple[Level, int]]()
    for seed in seeds:
        made.append((generate_level(game, seed, **given), seed))
        if MISSED not in made[-1][0].keys:
            return made[-1]
    return made[0]


def _seeds(first: int, count: int, tries: int) -> range:
    """Seeds for all tries of all levels.

    Raises
    ------
    GridproofError
        When there are not so many.
    """
    left = LARGEST_SEED + 1 - check_seed(first)
    if count * tries > left:
        several = f" --tries {tries}" if tries > 1 else ""
        told = f"seeds go from 0 to 2**64 - 1, which leaves {counted(left // tries, 'levels')}"
        raise GridproofError(f"--seed {first} --count {count}{several}: {told}")
    return range(first, first + count * tries)


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
    pack = Pack(levels)
    if path is None:
        text = reading.write(pack, None, form)
        lost = shelf.certificates_unkept(pack, text)
    else:
        lost = shelf.save(pack, path, form)
    if json:
        return
    if path is None:
        print_text(text)
    else:
        print_paragraph(f"{counted(len(levels), 'levels')} written to {path}")
    _note_missed(levels)
    note_lost(lost)
    without = sum(level.certificate is None for level in levels)
    if without:
        print_note(f"{counted(without, 'levels')} without a certificate")


def _note_missed(levels: list[Level]) -> None:
    """Say what was wished for and not reached, once for all levels that missed the same."""
    missed = dict[str, list[str]]()
    for level in levels:
        if MISSED in level.keys:
            missed.setdefault(level.keys[MISSED], []).append(level.title)
    for text, titles in missed.items():
        print_note(f"{some(titles)} missed {text}")
