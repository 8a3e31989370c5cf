"""The edges of whole state spaces, beside exploring them: a 3x3 board of Shift It by ranks, and races of Robots.

Seconds are processor time on one core, warm, medians of several runs. Bytes are those of the edges alone: at most,
while they are made, and held afterwards; numbers of actions take 4 bytes an edge once somebody has asked for them.

    python benchmarks/state_graphs.py [--runs N] [--large]

`--large` takes a Robots level of some millions of positions.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

os.environ["GRIDPROOF_CORES"] = "1"
sys.path.insert(0, str(Path(__file__).parent))

from shiftit_explore import board

import gridproof as gp

LARGE = """\
robots 7x5
title: Four on a yard
a: rule=A rotation=0
b: rule=A rotation=90
c: rule=A rotation=180
d: rule=B rotation=270
board:
a . . . . . C
. . . v . . .
. . > . . . d
. . . . . ? .
A b . D c . B
"""
"""Some millions of positions: four robots on a yard with a few belts."""


def told(level: gp.Level, runs: int) -> str:
    """The figures of a level."""
    exploring, edges = [], []
    for _ in range(runs + 1):
        begin = time.process_time()
        space = gp.explore(level)
        middle = time.process_time()
        graph = space.graph()
        exploring.append(middle - begin)
        edges.append(time.process_time() - middle)
    tracemalloc.start()
    held = space.graph().nbytes
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    first, second = (statistics.median(seconds[1:]) for seconds in (exploring, edges))
    return (
        f"{space.states:10,} positions, {len(graph):11,} edges: explored in {first:6.3f} s, "
        f"edges in {second:6.3f} s, {most / space.states:4.0f} bytes a position at most, {held / space.states:3.0f} held"
    )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    if options.large:
        print("robots, large  ", told(gp.read(LARGE, "robots")[0], 1))
        return
    print("3x3, never won ", told(board(3, 3, False, "far"), options.runs), flush=True)
    print("robots/races/6 ", told(gp.levels_at("robots/races/6")[0], options.runs), flush=True)


if __name__ == "__main__":
    main()
