"""How close `gp.improve` brings solutions of Sokoban levels to the best known ones, in pushes.

Each level that `gp.solve(minimise=None)` solves in some seconds is improved for a minute. The result is compared with
the lengths in `optimal_pushes.tsv` beside the levels, where they are known: proved optima, and lengths of replayed
solutions, which may be beaten. The time is the processor's, so that what else the machine does is of no account. The
levels are other people's and stand in no repository of ours: they are looked for in the folder that GRIDPROOF_LEVELS
names, or in ../shared/levels beside the checkout.

    python benchmarks/sokoban_improve.py [--seconds 60] [--solve 60] [--every 1] [--solutions FOLDER] [NAME ...]

With --solutions, the solutions are read from FOLDER/NAME.tsv, lines of a level's number and LURD, and the missing ones
are found and added.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("GRIDPROOF_CORES", "1")

import gridproof as gp
from gridproof.core import limit as limits
from gridproof.core.measure import cost_of, find_measure
from gridproof.games.sokoban.formats.lurd import read_solution

NAMES = ("XSokoban_90", "Microban_155", "Sasquatch_50")
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "levels"


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Sokoban, improved solutions")
    parser.add_argument("names", nargs="*", default=NAMES, help="files, without their ending")
    parser.add_argument("--seconds", type=float, default=60, help="of improvement for each level")
    parser.add_argument("--solve", type=float, default=60, help="seconds to find a solution of each level")
    parser.add_argument("--every", type=int, default=1, help="take one level in so many")
    parser.add_argument("--solutions", type=Path, help="folder of solutions")
    return parser.parse_args()


def best_known(folder: Path, name: str) -> dict[int, int]:
    """Return the fewest known pushes by the number of the level."""
    file = folder / "optimal_pushes.tsv"
    lines = file.read_text().splitlines() if file.is_file() else []
    rows = (line.split("\t") for line in lines)
    return {int(row[1]): int(row[2]) for row in rows if row[0] == name}


def read_solutions(file: Path | None) -> dict[int, str]:
    """Return the given solutions by the number of the level."""
    lines = file.read_text().splitlines() if file and file.is_file() else []
    return {int(number): text for number, text in (line.split("\t") for line in lines)}


def find_solution(level: Any, text: str | None, seconds: float) -> Any:
    """Return the trace of a given text, or any solution that is found in time; else None."""
    if text is None:
        return gp.solve(level, minimise=None, limit=gp.Limit(seconds=seconds)).trace
    return read_solution(level, text)


def measure_file(folder: Path, name: str, options: argparse.Namespace) -> None:
    """Print a line for each solved level of a file, and the average ratios."""
    known = best_known(folder, name)
    store = options.solutions and options.solutions / f"{name}.tsv"
    given, ratios, gains = read_solutions(store), list[float](), list[float]()
    for number, level in [*enumerate(gp.read(folder / f"{name}.xsb"), 1)][:: options.every]:
        trace = find_solution(level, given.get(number), options.solve)
        if trace is None:
            continue
        if store and number not in given:
            with store.open("a") as file:
                file.write(f"{number}\t{level.game.own_format.join_actions(trace)}\n")
        pushes, moves = (find_measure(level.game, measure) for measure in ("pushes", "moves"))
        begin = time.process_time()
        better = gp.improve(trace, "pushes", gp.Limit(seconds=options.seconds))
        seconds, before, now = time.process_time() - begin, cost_of(trace, pushes), better.cost or 0
        gains.append(now / before)
        best = f"best known {known[number]}" if number in known else "none known"
        if number in known:
            ratios.append(now / known[number])
        proved = ", proved" if better.optimal else ""
        walks = f"{cost_of(trace, moves)} -> {cost_of(better.trace, moves)} moves" if better.trace else ""
        print(
            f"{name} {number}: {before} -> {now} pushes{proved}, {best}; {walks}; {seconds:.1f} s", flush=True
        )
    if gains:
        print(f"{name}: {len(gains)} solutions, {_average(gains)} of the pushes before", flush=True)
    if ratios:
        print(f"{name}: {len(ratios)} with known pushes, {_average(ratios)} of these", flush=True)


def _average(ratios: list[float]) -> str:
    return f"on average {100 * sum(ratios) / len(ratios):.1f} %"


def main() -> int:
    """Measure the files."""
    options = arguments()
    folder = Path(os.environ.get("GRIDPROOF_LEVELS", BESIDE))
    vars(limits)["time"] = SimpleNamespace(perf_counter=time.process_time)
    for name in options.names:
        if (folder / f"{name}.xsb").is_file():
            measure_file(folder, name, options)
        else:
            print(f"no {name}.xsb in {folder}: it is not measured")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
