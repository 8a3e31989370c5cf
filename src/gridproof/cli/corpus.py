"""`corpus`: generate certified levels of each difficulty as a data set."""

from __future__ import annotations

import contextlib
import itertools
import shlex
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from gridproof.cli.level_results import in_order
from gridproof.cli.options import Force, Jobs, Json, Where
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.cli.parallel_map import Workers, parse_workers
from gridproof.cli.progress import Progress
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.text.phrases import format_count
from gridproof.jobs import Result, run

if TYPE_CHECKING:
    from gridproof.core.difficulty import Source
    from gridproof.envs.corpus import Corpus
    from gridproof.store.parquet import Row

PART = 200
"""Levels per part. A killed run repeats at most this many."""


class CorpusRequest(NamedTuple):
    """The levels of a corpus."""

    game: Game
    levels: int
    """Number of levels of each difficulty."""
    seed: int
    command: str
    """The command that makes them, without places on this machine."""


def corpus(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game that offers puzzles of five difficulties.")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Output folder. Run again to continue.")],
    count: Annotated[
        int, typer.Option(min=1, metavar="K", help="Number of levels of each difficulty.")
    ] = 200,
    seed: Annotated[int, typer.Option(metavar="N", help="First seed; the others count up.")] = 0,
    jobs: Jobs = 1,
    where: Where = None,
    force: Force = False,
    json: Json = False,
) -> ExitStatus:
    """Generate levels of each difficulty as a data set with a card.

    Each level has a proved cheapest solution. No level is a turned, mirrored or renamed copy of another one or of a graded
    task's. The same command makes the same files, in any number of processes, and goes on where it was stopped.
    """
    from gridproof.agents.dataset_card import Card, write_card
    from gridproof.envs.corpus import COLUMNS, check_first_seed, describe_rows
    from gridproof.store.dataset import dataset

    found = game_named(game)
    words = ["gridproof", "corpus", found.name, "--count", str(count), "--seed", str(check_first_seed(seed))]
    command = shlex.join([*words, "--out", "FOLDER"])
    request = CorpusRequest(found, count, seed, command)
    _write_levels(out, request, parse_workers(where, jobs), force)
    rows: list[Row] = dataset(out).table().to_pylist()
    statistics = describe_rows(found, rows)
    card = Card(
        f"Levels of {found.title}",
        f"{format_count(len(rows), 'levels')} of {found.title} from gridproof's generator, {count:,} of each difficulty. "
        "Each has a cheapest solution, proved by a search and replayed by the rules.",
        command,
        {name: meaning for name, (_, meaning) in COLUMNS.items()},
        statistics,
        "`gridproof.dataset(FOLDER).levels()` reads the levels, and `.table()` all columns.",
    )
    digest = write_card(out, card)
    if json:
        print_json({"out": str(out), "levels": len(rows), "statistics": statistics, "digest": digest})
        return ExitStatus.DONE
    for name, fact in statistics.items():
        print_paragraph(f"{name}: {fact}", hanging=2)
    print_paragraph(f"corpus in {out}, SHA-256 {digest}")
    return ExitStatus.DONE


def _write_levels(out: Path, request: CorpusRequest, workers: Workers, force: bool) -> None:
    """Write the levels that are not in the folder yet, in parts, in the order of sources and seeds."""
    from gridproof.envs.corpus import COLUMNS, Corpus, sources_of
    from gridproof.store.dataset import DatasetWriter, dataset, write_part

    sources, columns = sources_of(request.game), {name: kind for name, (kind, _) in COLUMNS.items()}
    with DatasetWriter(out, columns, {"command": request.command}, force) as writer:
        chosen = Corpus(request.game, request.levels, dataset(out).table().to_pylist())
        for source in sources:
            before = [row for row in writer.rows if row["difficulty"] in source.difficulties]
            first = 1 + max((cast("int", row["seed"]) for row in before), default=request.seed - 1)
            with contextlib.closing(_choose_levels(chosen, request, source, first, workers)) as rows:
                for number in itertools.count(len(before) // PART + 1):
                    part = [*itertools.islice(rows, PART)]
                    if not part:
                        break
                    key = f"{'-'.join(source.difficulties)}-{number:03}"
                    writer.append(write_part(out, key, columns, part))


def _choose_levels(
    chosen: Corpus, request: CorpusRequest, source: Source, first: int, workers: Workers
) -> Generator[Row]:
    """Yield the rows of a source that are still to be chosen, from a first seed on."""
    from gridproof.envs.corpus import list_candidates

    if chosen.is_complete(source):
        return
    tasks = list_candidates(request.game, source, first)
    with (
        run(tasks, workers.where, processes=workers.processes) as results,
        Progress("Making the corpus", "levels", is_compiling=lambda: results.is_compiling) as progress,
    ):
        found = map(_level_of, in_order((int(result.key), result) for result in results))
        for row in chosen.choose(source, found, first):
            progress(len(chosen))
            yield row


def _level_of(result: Result) -> Level:
    """Return the level of a result; raise its error."""
    if result.error:
        raise result.error
    return cast("Level", result.value)
