"""How quickly all positions of a Robots level are found: one core, warm, 3.5 million positions.

The figure is the median of several explorations, in processor time (and by the clock, which other work
of the machine slows down), of the largest level that comes with the game; the hash table's growth counts,
the start of Python and the loading of kernels do not.

    python benchmarks/robots_explore.py
"""

from __future__ import annotations

import statistics
import time

import gridproof as gp
from gridproof.core.shelf import shipped

PACK, TITLE, POSITIONS = "races", "Four at once", 3_523_968
RUNS, WISHED = 3, 300_000


def explored(level: gp.Level) -> tuple[float, float, gp.StateSpace]:
    """Positions a second of processor time, and by the clock, and what was found."""
    begin, clock = time.process_time(), time.perf_counter()
    space = gp.explore(level)
    return (
        space.states / (time.process_time() - begin),
        space.states / (time.perf_counter() - clock),
        space,
    )


def main() -> int:
    """Print the figure; 1 when a position is missed."""
    (level,) = (level for level in shipped(gp.game("robots"), PACK) if level.title == TITLE)
    gp.explore(level, limit=gp.Limit(states=10_000))
    found = [explored(level) for _ in range(RUNS)]
    rate, by_clock = statistics.median(run[0] for run in found), statistics.median(run[1] for run in found)
    space = found[0][2]
    print(
        f"{TITLE}: {space.states:,} positions, {space.transitions:,} transitions, "
        f"{rate:,.0f}/s ({WISHED:,} wished), {by_clock:,.0f}/s by the clock"
    )
    counts = {(run[2].states, run[2].complete) for run in found}
    return 0 if counts == {(POSITIONS, True)} else 1


if __name__ == "__main__":
    raise SystemExit(main())
