"""`AG EF won` on millions of positions: a Sokoban and two Robots levels, with exploration, graph and proof.

Seconds are processor time, and those of the clock in brackets; megabytes are the largest that the process held.
60 s and 1,500 MB are wished for each.

    python benchmarks/prove_large.py [LEVEL ...] [--formula TEXT]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

import gridproof as gp

LEVELS = ("sokoban/drawn-lots/13", "sokoban/drawn-lots/9", "robots/races/17")
"""9.5, 3.7 and 3.5 million positions."""


def measure(name: str, formula: str) -> None:
    """The figures of a level, after a small one has loaded what is compiled."""
    (level,) = gp.levels_at(name)
    gp.check(
        gp.levels_at(f"{level.game.name}/{gp.game(level.game.name).first_pack or name.split('/')[1]}/1")[0],
        formula,
    )
    began, clock = time.process_time(), time.perf_counter()
    verdict = gp.check(level, formula)
    seconds, elapsed = time.process_time() - began, time.perf_counter() - clock
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found = (
        f"in {verdict.satisfying:,} of {verdict.states:,} positions" if verdict.satisfying is not None else ""
    )
    print(
        f"{name} {level.title}: {formula} is {verdict.holds} {found}: {seconds:.1f} s ({elapsed:.1f} s), {memory:,} MB"
    )


def main() -> None:
    """Measure each in a process of its own, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("levels", nargs="*", default=LEVELS)
    parser.add_argument("--formula", default="AG EF won")
    options = parser.parse_args()
    if len(options.levels) == 1:
        measure(options.levels[0], options.formula)
        return
    for name in options.levels:
        subprocess.run([sys.executable, __file__, name, "--formula", options.formula], check=True)


if __name__ == "__main__":
    main()
