"""Graphs of whole state spaces, compared with their exploration: a 3x3 board of Shift It by ranks, and races of Robots.

Seconds are processor time on one core, warm, medians of several runs. Bytes are those of the edges alone: at most,
while they are made, and held afterwards; numbers of actions take 4 bytes an edge once somebody has asked for them.

    python benchmarks/state_graphs.py [--runs N] [--large]

`--large` takes a Robots level of some millions of positions, once, in this process; `--level sokoban/drawn-lots/13` another. 10 million
positions with 40 million edges are to take at most 1,500 MB, the process included.
"""

from __future__ import annotations

import argparse
import os
import resource
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


def describe_level(level: gp.Level, runs: int) -> str:
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
    first, second = (statistics.median(seconds[1:] or seconds) for seconds in (exploring, edges))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"{space.states:10,} positions, {len(graph):11,} edges: explored in {first:6.3f} s, "
        f"edges in {second:6.3f} s, {most / space.states:4.0f} bytes a position at most, {held / space.states:3.0f} held, "
        f"{peak:,} MB in the process at most"
    )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--level", help="of a pack, in place of all others")
    options = parser.parse_args()
    if options.level or options.large:
        level = gp.levels_at(options.level)[0] if options.level else gp.read(LARGE, "robots")[0]
        print(f"{level.title}: {describe_level(level, 0)}")
        return
    print("3x3, never won ", describe_level(board(3, 3, False, "far"), options.runs), flush=True)
    print("robots/races/6 ", describe_level(gp.levels_at("robots/races/6")[0], options.runs), flush=True)


if __name__ == "__main__":
    main()
