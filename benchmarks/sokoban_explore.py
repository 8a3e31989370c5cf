"""How quickly all positions of a Sokoban level are found: one core, warm, 1.2 million positions.

The figure is the median of several explorations, in processor time, of the largest level that comes
with the game; the hash table's growth counts, the start of Python and the loading of kernels do not.

    python benchmarks/sokoban_explore.py
"""

from __future__ import annotations

import statistics
import time

import gridproof as gp
from gridproof.core.shelf import shipped

PACK, TITLE, POSITIONS = "workshop", "Depot of Ten", 1_220_286
RUNS, WISHED = 5, 1_000_000


def explored(level: gp.Level) -> tuple[float, gp.StateSpace]:
    """Positions a second of processor time, and what was found."""
    begin = time.process_time()
    space = gp.explore(level)
    return space.states / (time.process_time() - begin), space


def main() -> int:
    """Print the figure; 1 when it is missed, or a position."""
    (level,) = (level for level in shipped(gp.game("sokoban"), PACK) if level.title == TITLE)
    gp.explore(level, limit=gp.Limit(states=10_000))
    found = [explored(level) for _ in range(RUNS)]
    rate = statistics.median(rate for rate, _ in found)
    counts = {(space.states, space.complete) for _, space in found}
    print(f"{TITLE}: {found[0][1].states:,} positions, {rate:,.0f}/s ({WISHED:,} wished)")
    return 0 if rate >= WISHED and counts == {(POSITIONS, True)} else 1


if __name__ == "__main__":
    raise SystemExit(main())
