"""Number of Sokoban levels with proved fewest pushes, each within a minute of one core.

The time is the processor's, so that what else the machine does is of no account. Every number of pushes is
compared with the known ones: it must equal a proved one, and not exceed that of a known solution. The levels
are other people's and stand in no repository of ours: they are looked for in the folder that
GRIDPROOF_LEVELS names, or in ../shared/levels beside the checkout.

    python benchmarks/sokoban_optimal.py [--seconds 60] [--name XSokoban_90] [--numbers 1 2 3]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("GRIDPROOF_CORES", "1")

import gridproof as gp
from gridproof.core import limit as limits

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "levels"


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Sokoban, fewest pushes")
    parser.add_argument("--name", default="XSokoban_90", help="file, without its ending")
    parser.add_argument("--seconds", type=float, default=60, help="for each level")
    parser.add_argument("--numbers", type=int, nargs="*", help="of the levels to solve: all by default")
    return parser.parse_args()


def known_pushes(file: Path, name: str) -> Mapping[int, tuple[int, bool]]:
    """The known pushes of each level, by its number from 1, and whether they are proved the fewest."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {int(row[1]): (int(row[2]), row[3] == "optimal") for row in rows if row[0] == name}


def main() -> int:
    """Print a line for each proved level, then the counts; 1 if a number of pushes is wrong."""
    options = arguments()
    folder = Path(os.environ.get("GRIDPROOF_LEVELS", BESIDE))
    if not (folder / f"{options.name}.xsb").is_file():
        print(f"no {options.name}.xsb in {folder}: nothing is measured")
        return 0
    vars(limits)["time"] = SimpleNamespace(perf_counter=time.process_time)
    levels, known = (
        gp.read(folder / f"{options.name}.xsb"),
        known_pushes(folder / "optimal_pushes.tsv", options.name),
    )
    limit, begin = gp.Limit(seconds=options.seconds), time.process_time()
    numbers = options.numbers or range(1, len(levels) + 1)
    proved = compared = wrong = states = 0
    for number in numbers:
        solution = gp.solve(levels[number - 1], minimise="pushes", limit=limit)
        states += solution.states
        if not solution.optimal or solution.cost is None:
            continue
        proved += 1
        print(
            f"level {number}: {solution.cost} pushes, {solution.states:,} states, {solution.seconds:.1f} s",
            flush=True,
        )
        if number in known:
            pushes, is_least = known[number]
            compared += 1
            if solution.cost != pushes if is_least else solution.cost > pushes:
                wrong += 1
                print(f"level {number}: wrong, {pushes} pushes are known")
    taken = time.process_time() - begin
    print(f"{options.name}: {proved} of {len(numbers)} proved, {compared} compared, {wrong} of them wrong;")
    print(f"{states:,} states, {taken:.0f} s of one core, {options.seconds:g} s at most a level")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
