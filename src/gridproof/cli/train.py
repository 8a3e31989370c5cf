"""`train`: train a player by playing."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.options import Force, GameName, Json, LevelName, Seconds, Seed, check_targets, read_level
from gridproof.cli.output import ExitStatus, files_data, print_files, print_json, print_paragraph
from gridproof.cli.plugin_commands import add_options, extra_functions
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_function
from gridproof.core.rng import check_seed
from gridproof.core.train_request import TrainRequest


def _train(
    level: LevelName,
    out: Annotated[Path, typer.Option(metavar="FILE", help="File of the player, and of its training.")],
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop after N games in all. Default: at Ctrl-C.")
    ] = None,
    seconds: Seconds = None,
    checkpoint: Annotated[
        float, typer.Option(min=0, metavar="S", help="Seconds between saves of FILE.")
    ] = 300.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with FILE, which has the level, seed and options.")
    ] = False,
    seed: Seed = 0,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
    *,
    own: Mapping[str, Any],
) -> ExitStatus:
    """Train a player by playing; Ctrl-C saves it."""
    _, found = read_level(level, game)
    function = find_function(found.game, "commands", "train")
    if function is None:
        raise GridproofError(f"{found.game.name} has no player that learns")
    check_targets(force or resume, out)
    request = TrainRequest(
        level=found,
        out=out,
        seed=check_seed(seed),
        games=games,
        seconds=seconds,
        checkpoint=checkpoint,
        resume=resume,
        force=force,
        command=shlex.join(["gridproof", *sys.argv[1:]]),
    )
    with Progress("Training", "reports") as progress:
        for number, answer in enumerate(function(request, **own), 1):
            progress(number)
            print_json(answer.data) if json else print_paragraph(answer.words, hanging=2)
    print_json(files_data(out)) if json else print_files(out)
    return ExitStatus.DONE


train = add_options(_train, extra_functions("train"))
