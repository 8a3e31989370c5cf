"""The graded tasks: how they were made, and the table of what simple players reach on them.

python docs/tasks.py make GAME-GRADE ...   make the files of the tasks again: the same ones
python docs/tasks.py table [--games N]     play them, and print the table that stands in docs/environments.md
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

import gridproof as gp
from gridproof.core import shelf
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.rng import derive
from gridproof.envs import tasks
from gridproof.play import evaluation

FOLDER = Path(tasks.__file__).parent / "graded"
LIMIT = gp.Limit(states=3_000_000)
"""Levels whose fewest actions are not proved within that are left out."""
PARAMETERS: dict[str, dict[str, Any]] = {
    "sokoban-easy": {"width": 7, "height": 7, "boxes": 2},
    "sokoban-medium": {"width": 8, "height": 8, "boxes": 3},
    "robots-easy": {"width": 5, "height": 5, "robots": 2},
}


def solved(level: Level) -> Level | None:
    """The level with a certificate of fewest actions; None where that is not proved."""
    solution = gp.solve(level, limit=LIMIT)
    return shelf.with_certificate(level, solution.trace) if solution.found and solution.optimal else None


def make(name: str) -> None:
    """Make one task: the first levels, all different, from seed 0 on."""
    game = name.split("-", maxsplit=1)[0]
    found, seed = dict[str, Level](), 0
    while len(found) < tasks.LEVELS:
        level = solved(gp.generate(game, seed, **PARAMETERS[name]))
        if level is not None and level.certificate is not None and level.certificate.steps:
            named = dataclasses.replace(level, title=f"{name} {len(found) + 1}", author="gridproof", keys={})
            found.setdefault(dataclasses.replace(named, title="").text(), named)
        seed += 1
    form = gp.game(game).formats[0]
    path = FOLDER / f"{name}{form.extensions[0]}"
    FOLDER.mkdir(exist_ok=True)
    shelf.save(Pack(list(found.values()), title=name), path)
    print(f'    "{name}": "{tasks.digest_of(path)}",', flush=True)


def table(games: int) -> None:
    """A row for each task: its levels' optimal lengths, and the share of games that each player wins."""
    print("| task | fewest actions | random | greedy | solver |\n| --- | --- | --- | --- | --- |")
    for name in tasks.DIGESTS:
        levels = tasks.task(name)
        lengths = [len(level.certificate.steps) for level in levels if level.certificate]
        strategies = {"greedy": "hints", "solver": "planner"} if name.startswith("robots") else {}
        shares = []
        for player in ("random", "greedy", "solver"):
            chosen = strategies.get(player, player)
            wins = sum(
                evaluation.play(level, chosen, derive(0, number), 200).won
                for number, level in enumerate(levels[:games])
            )
            shares.append(f"{wins / games:.0%}" + (f" (`{chosen}`)" if chosen != player else ""))
        print(f"| `{name}` | {min(lengths)} to {max(lengths)} | {' | '.join(shares)} |", flush=True)


def main() -> None:
    """Make, or play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("make", "table"))
    parser.add_argument("names", nargs="*", metavar="GAME-GRADE")
    parser.add_argument(
        "--games", type=int, default=tasks.LEVELS, help="of each task, the first so many levels"
    )
    options = parser.parse_args()
    if options.what == "table":
        table(options.games)
        return
    for name in options.names or PARAMETERS:
        make(name)


if __name__ == "__main__":
    main()
