"""The graded tasks: their generation, and the table of results of simple players.

python docs/tasks.py make GAME-GRADE ...   make the files of the tasks again, the same ones; print their digests for graded.sha256
python docs/tasks.py table [GAME-GRADE ...] [--games N]     play them, and print the table that stands in docs/environments.md
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

import gridproof as gp
from gridproof.agents import evaluation
from gridproof.core.design import canonical
from gridproof.core.position import Level
from gridproof.core.rng import derive
from gridproof.core.text import level_lookup
from gridproof.core.text.pack import Pack
from gridproof.envs import tasks

FOLDER = Path(level_lookup.__file__).parent / "graded"
LEVELS = 100
"""Number of levels of each task."""
LIMIT = gp.Limit(states=3_000_000)
"""Levels whose fewest actions are not proved within that are left out."""
MOST = 200
"""Actions after which a game is broken off; 2048 ends by itself."""

POSITIONS = {
    "twenty48-easy": ("2048 3x2 spawn=classic target=32\n", 5),
    "twenty48-medium": ("2048 3x3 spawn=classic target=128\n", 20),
    "twenty48-hard": ("2048 3x3 spawn=classic target=256\n", 22),
}
"""Of 2048, a board and how many random moves lead to a position: not so few tiles that most of them are the same."""
FIRST = (*(name for name in tasks.PARAMETERS if name not in tasks.LADDER), *POSITIONS)
"""Tasks of the first version."""


def candidates(name: str) -> Iterator[Level]:
    """Levels from seed 0 on; of a later version, those of the first one before them, if they have no symmetric copies."""
    first = name.removesuffix(tasks.VERSION)
    if first in POSITIONS:
        made = positions(*POSITIONS[first])
    else:
        game = level_lookup.game_of_task(name)
        made = (gp.generate(game, seed, **tasks.PARAMETERS[first]) for seed in itertools.count())
    return itertools.chain(level_lookup.task(first), made) if name != first else made


def positions(board: str, moves: int) -> Iterator[Level]:
    """Positions of 2048 after so many random moves, and as their key `Best` the probability with which the best player wins."""
    (frame,) = gp.read(board)
    value = gp.value(frame)
    for seed in itertools.count():
        session, random = gp.Session(frame, seed), gp.player("twenty48", "random", seed=derive(seed, 1))
        while not session.position.ended and session.actions_done < moves:
            session.act(random(session.position))
        if not session.position.ended and not session.position.won:
            best: Any = value.at(session.position).best
            (level,) = gp.read(session.position.text())
            yield dataclasses.replace(level, keys={"Best": f"{float(best):.9f}"})


def certify(level: Level) -> Level | None:
    """The level with a certificate of fewest actions; None where that is not proved, or nothing is to be done."""
    solution = gp.solve(level, limit=LIMIT)
    if not (solution.found and solution.optimal and solution.trace and solution.trace.steps):
        return None
    return level_lookup.with_certificate(level, solution.trace)


def make(name: str) -> None:
    """Make one task: the first levels, all different, also if they are turned, mirrored or renamed.

    Those of the first version differ only in their text. No other task has a level of a tier.
    """
    game, is_first = level_lookup.game_of_task(name), name in FIRST
    key: Any = (lambda level: dataclasses.replace(level, title="").text()) if is_first else canonical
    others = () if is_first else FIRST if name in tasks.LADDER else tasks.LADDER
    near = [other for other in others if level_lookup.game_of_task(other) == game]
    used = {canonical(level) for other in near for level in level_lookup.task(other)}
    found = dict[Hashable, Level]()
    for level in candidates(name):
        best = {one: value for one, value in level.keys.items() if one == "Best"}
        named = dataclasses.replace(level, title=f"{name} {len(found) + 1}", author="gridproof", keys=best)
        if key(named) not in {*found, *used} and (certified := certify(named)):
            found[key(named)] = certified
        if len(found) == LEVELS:
            break
    form = gp.game(game).formats[0]
    path = FOLDER / f"{name}{form.extensions[0]}"
    FOLDER.mkdir(exist_ok=True)
    level_lookup.save(Pack(list(found.values()), title=name), path)
    for file in (path, level_lookup.certificate_file(path)):
        if file.is_file():
            print(f"{level_lookup.digest_of(file)}  graded/{file.name}", flush=True)


def table(names: Iterable[str], games: int) -> None:
    """A row for each task: its levels' optimal lengths, and the share of games that each player wins."""
    print("| task | fewest actions | random | greedy | solver |\n| --- | --- | --- | --- | --- |")
    for name in names:
        levels = level_lookup.task(name)
        lengths = [len(level.certificate.steps) for level in levels if level.certificate]
        strategies = {"greedy": "hints", "solver": "planner"} if name.startswith("robots") else {}
        shares = []
        for player in ("random", "greedy", "solver"):
            chosen = strategies.get(player, player)
            most = None if levels[0].game.policy.keeps_score else MOST
            wins = sum(
                evaluation.play(level, chosen, derive(0, number), most).won
                for number, level in enumerate(levels[:games])
            )
            shares.append(f"{wins / games:.0%}" + (f" (`{chosen}`)" if chosen != player else ""))
        print(f"| `{name}` | {min(lengths)} to {max(lengths)} | {' | '.join(shares)} |", flush=True)


def main() -> None:
    """Make, or play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("make", "table"))
    parser.add_argument("names", nargs="*", metavar="GAME-GRADE")
    parser.add_argument("--games", type=int, default=LEVELS, help="of each task, the first so many levels")
    options = parser.parse_args()
    if options.what == "table":
        table(options.names or level_lookup.TASKS, options.games)
        return
    for name in options.names or (*FIRST, *tasks.LADDER, *(f"{one}{tasks.VERSION}" for one in FIRST)):
        make(name)


if __name__ == "__main__":
    main()
