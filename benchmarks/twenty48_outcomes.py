"""Outcomes per second of `position.outcomes` in 2048, in plain Python on one core.

The positions are those of games played at random; the median of several runs counts.

    python benchmarks/twenty48_outcomes.py
"""

from __future__ import annotations

import statistics
import time

from gridproof.core.rng import Rng
from gridproof.games.twenty48 import Level, Move, Position

GAMES, RUNS = 20, 7


def random_game(level: Level, seed: int) -> list[tuple[Position, Move]]:
    """Every position of a random game with every action that can be done there."""
    position, rng, found = level.start(seed), Rng(seed, 1), []
    while actions := position.actions():
        found += [(position, action) for action in actions]
        position = position.step(rng.choice(actions), rng).position
    return found


def outcomes_per_second(work: list[tuple[Position, Move]]) -> float:
    """The rate of one run."""
    begin = time.perf_counter()
    count = sum(len(position.outcomes(action)) for position, action in work)
    return count / (time.perf_counter() - begin)


def main() -> None:
    """Measure both spawn rules."""
    for spawn in ("spec", "classic"):
        level = Level(spawn=spawn)
        work = [pair for seed in range(GAMES) for pair in random_game(level, seed)]
        rates = [outcomes_per_second(work) for _ in range(RUNS)]
        print(f"4x4 {spawn:8} {statistics.median(rates):12,.0f} outcomes/s ({len(work)} pairs, {RUNS} runs)")


if __name__ == "__main__":
    main()
