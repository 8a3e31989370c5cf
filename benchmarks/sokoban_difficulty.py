"""Share of generated Sokoban levels within a factor of two of the target difficulty: 10x10, 4 boxes; one core.

Each level is made from its seed alone, in at most 30 seconds of processor time; its certificate is
replayed, and its difficulty measured again, which does not count.

    python benchmarks/sokoban_difficulty.py [--count 10] [WISH ...]
"""

from __future__ import annotations

import argparse
import statistics
import time

import gridproof as gp
from gridproof.core.generate import measure_difficulty

WISHES = (500, 1000, 2000, 5000)
SECONDS, FACTOR, WISHED = 30, 2, 0.8


def near(wish: int, seed: int) -> tuple[bool, float]:
    """Whether a wish is come near in time, and the seconds that it took."""
    begin = time.process_time()
    level = gp.generate("sokoban", seed, difficulty=wish)
    seconds = time.process_time() - begin
    if level.certificate is None or not level.certificate.replay().won:
        raise SystemExit(f"{level.title} has no certificate that wins it")
    again = measure_difficulty(level)
    if again is None or str(again.keys["Difficulty"]) != level.keys["Difficulty"]:
        raise SystemExit(f"{level.title} has another difficulty than it says")
    reached = int(level.keys["Difficulty"])
    return wish <= FACTOR * reached and reached <= FACTOR * wish and seconds <= SECONDS, seconds


def main() -> int:
    """Print the figures; 1 when a wish is come near too seldom."""
    parser = argparse.ArgumentParser(description="wished difficulties of Sokoban")
    parser.add_argument("wishes", type=int, nargs="*", metavar="WISH")
    parser.add_argument("--count", type=int, default=10)
    options = parser.parse_args()
    gp.generate("sokoban", 0)  # loads the kernels
    enough = True
    for wish in options.wishes or WISHES:
        found = [near(wish, seed) for seed in range(1, options.count + 1)]
        reached, seconds = sum(good for good, _ in found), [taken for _, taken in found]
        enough &= reached >= WISHED * options.count
        print(
            f"{wish:,} positions: {reached} of {options.count} levels within a factor of {FACTOR} and {SECONDS} s "
            f"({WISHED:.0%} wished); {statistics.median(seconds):.1f} s (median), {max(seconds):.1f} s at most"
        )
    return 0 if enough else 1


if __name__ == "__main__":
    raise SystemExit(main())
