"""Number of Microban levels with proved fewest pushes, each within a minute of one core.

Every length is compared with the known ones. The levels are David W. Skinner's and stand in no
repository of ours: they are looked for in the folder that GRIDPROOF_LEVELS names, or in
../shared/levels beside the checkout.

    python benchmarks/sokoban_microban.py [--seconds 60] [--numbers 93 139]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping
from pathlib import Path

import gridproof as gp

NAME, WISHED = "Microban_155", 140
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "levels"


def known_pushes(folder: Path) -> Mapping[int, int]:
    """The fewest pushes of each level for which they are known, by its number from 1."""
    lines = (folder / "optimal_pushes.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {int(row[1]): int(row[2]) for row in rows if (row[0], row[3]) == (NAME, "optimal")}


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Microban by fewest pushes")
    parser.add_argument("--seconds", type=float, default=60, help="for each level")
    parser.add_argument("--numbers", type=int, nargs="*", help="of the levels to solve: all by default")
    return parser.parse_args()


def main() -> int:
    """Print every level that is left open, then the counts; 1 when too few are proved, or one wrongly."""
    options = arguments()
    folder = Path(os.environ.get("GRIDPROOF_LEVELS", BESIDE))
    if not (folder / f"{NAME}.xsb").is_file():
        print(f"no {NAME}.xsb in {folder}: nothing is measured")
        return 0
    levels, known = gp.read(folder / f"{NAME}.xsb"), known_pushes(folder)
    numbers = options.numbers or range(1, len(levels) + 1)
    limit, begin = gp.Limit(seconds=options.seconds), time.process_time()
    proved = compared = wrong = 0
    for number in numbers:
        solution = gp.solve(levels[number - 1], minimise="pushes", limit=limit)
        if not solution.optimal:
            print(f"level {number}: open after {solution.seconds:.0f} s and {solution.states:,} states")
            continue
        proved += 1
        compared += number in known
        if solution.cost != known.get(number, solution.cost):
            wrong += 1
            print(f"level {number}: {solution.cost} pushes, but {known[number]} are known to be the fewest")
    taken = time.process_time() - begin
    print(f"{NAME}: {proved} of {len(numbers)} proved ({WISHED} wished), {compared} lengths compared,")
    print(f"{wrong} of them wrong; {taken:.0f} s of one core, {options.seconds:g} s at most a level")
    return 0 if wrong == 0 and (proved >= WISHED or options.numbers) else 1


if __name__ == "__main__":
    raise SystemExit(main())
