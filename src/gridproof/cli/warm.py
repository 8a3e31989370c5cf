"""`warm`: everything compiled once, so that later commands begin at once."""

from __future__ import annotations

import importlib.util
import itertools
import time

from gridproof.cli.options import Json
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core.loading import load
from gridproof.core.registry import game as game_named
from gridproof.core.registry import game_names
from gridproof.core.wording import counted


def warm(json: Json = False) -> ExitStatus:
    """Compile what the engines and environments of all games need.

    What is on disk already is only loaded. Environments need the extra `envs`.
    """
    parts = [load(f"gridproof.{part}.warm").warm for part in ("search", "prove", "play.analysis")]
    if all(map(importlib.util.find_spec, ("gymnasium", "pettingzoo"))):
        parts.append(load("gridproof.envs.warm").warm)

    for name in game_names():
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
            print_paragraph(f"{name}: {counted(len(done), 'engines')}, {seconds:.1f} s", hanging=2)
        else:
            print_paragraph(f"{name}: goes by its rules alone")
    return ExitStatus.DONE
