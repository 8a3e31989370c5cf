"""Number of Sokoban levels for which any solution is found in ten seconds of one core.

The time is the processor's, so that what else the machine does is of no account. Every solution has been
replayed. The levels are other people's and stand in no repository of ours: they are looked for in the
folder that GRIDPROOF_LEVELS names, or in ../shared/levels beside the checkout.

    python benchmarks/sokoban_any.py [--seconds 10] [--every 1] [NAME ...]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("GRIDPROOF_CORES", "1")

import gridproof as gp
from gridproof.core import limit as limits

NAMES = (
    "Microban_155",
    "XSokoban_90",
    "boxoban_unfiltered_test_000",
    "boxoban_medium_valid_000",
    "boxoban_hard_000",
)
EVERY = {name: 20 for name in NAMES if name.startswith("boxoban")}
"""Of the files of a thousand levels, one in so many."""
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "levels"


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Sokoban, any solution")
    parser.add_argument("names", nargs="*", default=NAMES, help="files, without their ending")
    parser.add_argument("--seconds", type=float, default=10, help="for each level")
    parser.add_argument("--every", type=int, help="solve one level in so many")
    return parser.parse_args()


def main() -> int:
    """Print a line for each file: how many levels are solved, proved impossible, and left open."""
    options = arguments()
    folder = Path(os.environ.get("GRIDPROOF_LEVELS", BESIDE))
    vars(limits)["time"] = SimpleNamespace(perf_counter=time.process_time)
    for name in options.names:
        if not (folder / f"{name}.xsb").is_file():
            print(f"no {name}.xsb in {folder}: it is not measured")
            continue
        levels = gp.read(folder / f"{name}.xsb")[:: options.every or EVERY.get(name, 1)]
        begin, limit = time.process_time(), gp.Limit(seconds=options.seconds)
        found = [gp.solve(level, minimise=None, limit=limit).found for level in levels]
        taken = time.process_time() - begin
        counts = f"{found.count(True)} of {len(levels)} solved, {found.count(False)} impossible"
        print(
            f"{name}: {counts}; {taken:.0f} s of one core, {options.seconds:g} s at most a level", flush=True
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
