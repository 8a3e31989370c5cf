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
    "shiftit/boards/29": None,
    "robots/races/6": None,
}
"""What is played, and how many million steps a second are wanted of it."""


def rate(levels: Iterable[gp.Level], runs: int) -> float:
    """Steps a second."""
    batch, random = Batch(list(levels), GAMES), np.random.default_rng(1)
    actions = random.integers(0, len(batch.packings[0].actions), (STEPS, GAMES))
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
        asked = f"   asked: {wanted} M/s" if wanted else ""
        print(f"{name:20} {rate(gp.levels_at(name), options.runs) / 1e6:6.1f} M steps/s{asked}", flush=True)


if __name__ == "__main__":
    main()
