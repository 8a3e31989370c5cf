"""Certified Sokoban levels generated per second: 10x10, 4 boxes, fewest pushes proved; one core.

Each level is made from its seed alone, its certificate is replayed, and its length proved again by
`gp.solve`, which does not count. The figure is that of processor time.

    python benchmarks/sokoban_generate.py [--count 40]
"""

from __future__ import annotations

import argparse
import statistics
import time

import gridproof as gp

WISHED = 1.0


def main() -> int:
    """Print the figures; 1 when too slow, or when a level is not what it says."""
    parser = argparse.ArgumentParser(description="certified levels of Sokoban")
    parser.add_argument("--count", type=int, default=40)
    count = parser.parse_args().count
    gp.generate("sokoban", 0)  # loads the kernels
    begin = time.process_time()
    levels = [gp.generate("sokoban", seed) for seed in range(1, count + 1)]
    rate = count / (time.process_time() - begin)
    pushes = [int(level.keys["Pushes"]) for level in levels]
    for level, number in zip(levels, pushes, strict=True):
        if level.certificate is None or not level.certificate.replay().won:
            raise SystemExit(f"{level.title} has no certificate that wins it")
        if gp.solve(level, minimise="pushes").cost != number:
            raise SystemExit(f"{level.title}: {number} pushes are not the fewest")
    different = len({level.text() for level in levels})
    whole = sum("Missed" not in level.keys for level in levels)
    print(f"{count} levels, {different} different, {whole} of them with all that was wished")
    print(f"{statistics.median(pushes):g} pushes (median), {rate:.2f} levels/s ({WISHED:g} wished)")
    return 0 if rate >= WISHED else 1


if __name__ == "__main__":
    raise SystemExit(main())
