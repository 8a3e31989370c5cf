"""`warm`: compile everything in advance."""

from __future__ import annotations

import importlib.util
import itertools
import time
from typing import Annotated

import typer

from gridproof.cli.options import Json
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.cli.progress import Progress
from gridproof.core.lazy_import import load
from gridproof.core.registry import game as game_named
from gridproof.core.registry import game_names
from gridproof.core.text.phrases import format_count


def warm(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Compile this game alone.")] = None,
    json: Json = False,
) -> ExitStatus:
    """Compile the engines and environments of all games in advance.

    Kernels that are compiled already are loaded from disk. Environments need the
    extra `envs`.
    """
    parts = [load(f"gridproof.{part}.warm").warm for part in ("search", "prove", "analysis")]
    if all(map(importlib.util.find_spec, ("gymnasium", "pettingzoo"))):
        parts.append(load("gridproof.envs.warm").warm)

    for name in [game_named(game).name] if game else game_names():
        begin = time.perf_counter()
        with Progress(f"Compiling {name}", "engines") as progress:
            done = []
            for engine in itertools.chain.from_iterable(part(game_named(name)) for part in parts):
                done.append(engine)
                progress(len(done))
        seconds = time.perf_counter() - begin
        if json:
            print_json({"game": name, "engines": done, "seconds": round(seconds, 3)})
        elif done:
            print_paragraph(f"{name}: {format_count(len(done), 'engines')}, {seconds:.1f} s", hanging=2)
        else:
            print_paragraph(f"{name}: has no kernels to compile")
    return ExitStatus.DONE
