"""Exploration of Robots levels: one core, warm, 0.4 to 3.5 million positions.

Of each level the figure is the median of several explorations, in processor time (and by the clock, which
other work of the machine slows down); the hash table's growth counts, the start of Python and the loading
of kernels do not. The levels: the largest of the first pack, the one most crowded with belts, and those of
a million positions and more of the other pack; the last of them is explored as far as ten million.

    python benchmarks/robots_explore.py
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # its peers, also when it is imported

from peers.one_core import one_core

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack

LIMIT = 10_000_000
LEVELS = {
    ("races", "City block"): 441_080,
    ("races", "Four at once"): 3_523_968,
    ("yards", "Back Lots"): 1_100_528,
    ("yards", "Night Mail"): 1_162_256,
    ("yards", "Four Corners"): LIMIT,
    ("yards", "Marshalling Yard"): LIMIT,
}
"""The positions of each."""
RUNS, WISHED = 3, 300_000


def measure_exploration(level: gp.Level) -> tuple[float, float, gp.StateSpace]:
    """Positions a second of processor time, and by the clock, and what was found."""
    begin, clock = time.process_time(), time.perf_counter()
    space = gp.explore(level, limit=gp.Limit(states=LIMIT))
    return (
        space.states / (time.process_time() - begin),
        space.states / (time.perf_counter() - clock),
        space,
    )


def print_rate(pack: str, title: str, positions: int) -> float:
    """Print a level's figure, and return it; 0 when a position is missed."""
    (level,) = (level for level in builtin_pack(gp.game("robots"), pack) if level.title == title)
    with one_core():
        found = [measure_exploration(level) for _ in range(RUNS)]
    rate, by_clock = statistics.median(run[0] for run in found), statistics.median(run[1] for run in found)
    space = found[0][2]
    print(
        f"{title}: {space.states:,} positions, {space.transitions:,} transitions, "
        f"{rate:,.0f}/s ({WISHED:,} wished), {by_clock:,.0f}/s by the clock",
        flush=True,
    )
    exact = all(run[2].complete and run[2].states == positions for run in found)
    stopped = positions == LIMIT and all(run[2].states >= LIMIT for run in found)
    return rate if exact or stopped else 0


def main() -> int:
    """Print the figures and the slowest; 1 when it is missed, or a position."""
    gp.explore(next(iter(builtin_pack(gp.game("robots"), "races"))), limit=gp.Limit(states=10_000))
    rates = {title: print_rate(pack, title, positions) for (pack, title), positions in LEVELS.items()}
    slowest = min(rates, key=lambda title: rates[title])
    print(f"slowest: {slowest}, {rates[slowest]:,.0f}/s ({WISHED:,} wished)")
    return 0 if rates[slowest] >= WISHED else 1


if __name__ == "__main__":
    raise SystemExit(main())
