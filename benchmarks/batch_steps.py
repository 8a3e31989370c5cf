"""Steps of many games at once on one core, without observations: `gridproof.kernels.batch`, legal and illegal actions.

1,024 games, random actions of all numbers, games that end begin anew. Processor time, warm, the median of several runs.

    python benchmarks/batch_steps.py [--runs N]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterable

import numpy as np

import gridproof as gp
from gridproof.kernels.batch import Batch

GAMES, STEPS = 1024, 500
LEVELS = {
    "twenty48/standard/1": 25,
    "sokoban/workshop": 12,
    "shiftit/boards/29": 10,
    "robots/races/6": 1,
}
"""What is played, and how many million steps a second are wanted of it."""
EVERY = 20
"""Robots' tiles are exchanged after so many requests, in a run of its own."""


def rate(levels: Iterable[gp.Level], runs: int, nature: bool = False) -> float:
    """Steps a second; with nature's act now and then."""
    batch, random = Batch(list(levels), GAMES), np.random.default_rng(1)
    players = len(batch.packings[0].actions)
    actions = random.integers(0, players, (STEPS, GAMES))
    if nature:
        actions[EVERY - 1 :: EVERY] = players
    seconds = []
    for _ in range(runs + 1):
        begin = time.process_time()
        for chosen in actions:
            batch.step(chosen)
            over = batch.status != 0
            if over.any():
                batch.begin(over)
        seconds.append(time.process_time() - begin)
    return GAMES * STEPS / statistics.median(seconds[1:])


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    for name, wanted in LEVELS.items():
        found = rate(gp.levels_at(name), options.runs) / 1e6
        print(f"{name:20} {found:6.1f} M steps/s   asked: {wanted} M/s", flush=True)
    found = rate(gp.levels_at("robots/races/6"), options.runs, nature=True) / 1e6
    print(f"with exchanges       {found:6.1f} M steps/s   every {EVERY} requests", flush=True)


if __name__ == "__main__":
    main()
