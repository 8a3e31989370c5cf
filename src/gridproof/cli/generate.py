"""`generate`: generate new levels of a game."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json as texts
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from gridproof.cli.answer_folder import DONE, FolderAnswer, FolderQuestion, FolderTarget, write_answers
from gridproof.cli.level_results import in_order
from gridproof.cli.options import (
    Force,
    FormatName,
    Json,
    OutFolder,
    Where,
    check_targets,
    output_format,
    refuse_unused,
)
from gridproof.cli.output import (
    ExitStatus,
    note_lost_certificates,
    print_json,
    print_note,
    print_paragraph,
    print_text,
    report_error,
)
from gridproof.cli.parallel_map import Workers, parse_workers, run_calls
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.extension import module_of
from gridproof.core.game import Game
from gridproof.core.generate import MISSED, parameters_of
from gridproof.core.generate import generate as generate_level
from gridproof.core.lazy_import import defer_signals
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, is_game
from gridproof.core.rng import LARGEST_SEED, check_seed
from gridproof.core.text import level_lookup, recognition
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count, some

if TYPE_CHECKING:
    from gridproof.store.parquet import Row

_GAME_NAMES = "gridproof.games"


class Command(TyperCommand):
    """Command whose help lists the parameters of all games, or of the one named beside --help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; note the named games first, because --help ends the parsing."""
        ctx.meta[_GAME_NAMES] = [name for name in args if is_game(name)]
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            name = getattr(error, "option_name", "").lstrip("-")
            if name in _parameter_names(_selected_games(ctx)):
                raise GridproofError(
                    f"--{name} is a parameter, not an option; use --set {name}=VALUE"
                ) from None
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the parameters of the games; this imports their generators, which takes some time."""
        super().format_epilog(ctx, formatter)
        for game in _selected_games(ctx):
            if module_of(game, "generator"):
                with formatter.section(f"Parameters of {game.name}, as NAME=VALUE for --set"):
                    formatter.write_dl(
                        [(", ".join(given), meaning) for given, meaning in parameters_of(game)]
                    )


def _selected_games(context: Any) -> Sequence[Game]:
    """Return the named games, or all."""
    return [game_named(name) for name in context.meta[_GAME_NAMES]] or games()


def _parameter_names(selected: Iterable[Game]) -> set[str]:
    rows = itertools.chain.from_iterable(
        parameters_of(game) for game in selected if module_of(game, "generator")
    )
    return {text.partition("=")[0] for row in rows for text in row.forms}


def generate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game with a level generator.")],
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed of the first level; the next levels use the next seeds.")
    ] = 0,
    count: Annotated[int, typer.Option(min=1, metavar="K", help="Number of levels.")] = 1,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter of the game, such as width=8."),
    ] = None,
    tries: Annotated[
        int,
        typer.Option(min=1, metavar="T", help="Seeds to try for each level, until one meets all parameters."),
    ] = 1,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the levels and their certificates as one pack.")
    ] = None,
    to: FormatName = None,
    out: OutFolder = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes.")] = 1,
    where: Where = None,
    force: Force = False,
    json: Json = False,
) -> ExitStatus:
    """Generate new levels, each with a certificate that solves it. Ctrl-C keeps the finished levels."""
    settings = dict(parse_parameter(text) for text in parameters or ())
    form = output_format(game_named(game), save or "-", to)
    check_targets(force, save, save and level_lookup.certificate_file(save))
    workers, seeds = parse_workers(where, jobs), _seeds(seed, count, tries)
    if not workers.is_here:
        refuse_unused("with --jobs or --where", {"--tries": tries > 1})
    if out:
        refuse_unused("with --out", {"--save": save, "--to": to, "--tries": tries > 1})
        return _generate_into(FolderTarget(out, force, json), game, seeds, settings, workers)
    levels: list[Level] = []
    status = ExitStatus.DONE
    made = _generate(game, settings, seeds, tries, workers)
    try:
        for level, number in made:
            if isinstance(level, GridproofError):
                report_error(f"seed {number}", level, json)
                status = ExitStatus.WRONG
                continue
            levels.append(level)
            if json:
                print_json(_data(level, number))
    except KeyboardInterrupt as interrupt:
        status = ExitStatus.INTERRUPTED
        with contextlib.suppress(KeyboardInterrupt):  # the progress line tells how far it came
            made.throw(interrupt)
    if levels:
        with defer_signals():
            _write(levels, save, form, json)
    return status


def _generate_into(
    target: FolderTarget, game: str, seeds: range, settings: Mapping[str, Any], workers: Workers
) -> ExitStatus:
    """Generate the levels whose seeds are not in a folder yet."""
    generate_level(game, seeds[0], **settings)  # refuses wrong parameters before any work
    name = game_named(game).name
    rows: list[Row] = [{"seed": seed, "game": name, "title": None, "text": None} for seed in seeds]
    content = {"command": "generate", "game": name, "parameters": settings}
    asked = FolderQuestion(content, functools.partial(_answer, settings), f"Making levels of {name}")
    return write_answers(target, asked, rows, workers)


def _answer(settings: Mapping[str, Any], row: Row) -> FolderAnswer:
    """Generate the level of a row's seed."""
    seed = int(row["seed"] or 0)
    level = generate_level(str(row["game"]), seed, **settings)
    return FolderAnswer(DONE, _data(level, seed), {"title": level.title or None, "text": level.text()})


def _generate(
    game: str, settings: Mapping[str, Any], seeds: range, tries: int, workers: Workers
) -> Generator[tuple[Level | GridproofError, int]]:
    """Yield the levels with their seeds, in order; an error is one of a process that died."""
    if not workers.is_here:
        tasks = [(game, seed, settings) for seed in seeds]
        results = run_calls(f"{__name__}:generate_seed", tasks, workers, f"Making levels of {game}", "levels")
        yield from zip(in_order(results), seeds, strict=True)
        return
    left = iter(seeds)
    with Progress(f"Making levels of {game}", "levels") as progress:
        progress(0)
        for number in range(len(seeds) // tries):
            found = _try_seeds(game, itertools.islice(left, tries), settings)
            progress(number + 1)
            yield found


def generate_seed(task: tuple[str, int, Mapping[str, Any]]) -> Level:
    """Generate a level in a worker."""
    game, seed, settings = task
    return generate_level(game, seed, **settings)


def _try_seeds(game: str, seeds: Iterable[int], settings: Mapping[str, Any]) -> tuple[Level, int]:
    """Try seeds until a level misses nothing; else return the first level, with its seed."""
    attempts = list[tuple[Level, int]]()
    for seed in seeds:
        attempts.append((generate_level(game, seed, **settings), seed))
        if MISSED not in attempts[-1][0].keys:
            return attempts[-1]
    return attempts[0]


def _seeds(first: int, count: int, tries: int) -> range:
    """Return the seeds for all tries of all levels; GridproofError when there are fewer."""
    left = LARGEST_SEED + 1 - check_seed(first)
    if count * tries > left:
        several = f" --tries {tries}" if tries > 1 else ""
        rest = f"seeds end at 2**64 - 1, which leaves {format_count(left // tries, 'levels')}"
        raise GridproofError(f"--seed {first} --count {count}{several}: {rest}")
    return range(first, first + count * tries)


def parse_parameter(text: str) -> tuple[str, Any]:
    """Parse `width=8`: numbers, true, false and null as in JSON, anything else as text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name.isidentifier() and equals and value) or name in ("game", "seed"):
        raise GridproofError(f"--set {text!r}: write it as NAME=VALUE")
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
        text = recognition.write(pack, None, form)
        lost = level_lookup.count_lost_certificates(pack, text)
    else:
        lost = level_lookup.save(pack, path, form)
    if json:
        return
    if path is None:
        print_text(text)
    else:
        print_paragraph(f"{format_count(len(levels), 'levels')} written to {path}")
    _note_missed(levels)
    note_lost_certificates(lost)
    without = sum(level.certificate is None for level in levels)
    if without:
        print_note(f"{format_count(without, 'levels')} without a certificate")


def _note_missed(levels: list[Level]) -> None:
    """Note the parameters that levels missed, once for all levels that missed the same."""
    missed = dict[str, list[str]]()
    for level in levels:
        if MISSED in level.keys:
            missed.setdefault(level.keys[MISSED], []).append(level.title)
    for text, titles in missed.items():
        print_note(f"{some(titles)} missed {text}")
