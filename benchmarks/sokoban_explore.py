"""Exploration of a Sokoban level: one core, warm, 1.2 million positions.

The figure is the median of several explorations, in processor time, of the largest level that comes
with the game; the hash table's growth counts, the start of Python and the loading of kernels do not.
Then the same by the clock, on one core and on all.

    python benchmarks/sokoban_explore.py [--disk FOLDER]

With `--disk`, a larger room instead, with the positions in a new folder, on all cores and within 2 GB of memory: minutes.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # its peers, also when it is imported

from peers.one_core import one_core

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.search.thread_pool import available_cores

PACK, TITLE, POSITIONS = "workshop", "Depot of Ten", 1_220_286
RUNS, WISHED = 5, 1_000_000
ROOM, ROOM_POSITIONS = (
    """
#########
#       #
# $   $ #
#  . .  #
#   $   #
#  . .  #
# $ . $ #
#   @   #
#########
""",
    83_787_989,
)
MEMORY = 2 * 10**9


def measure_exploration(level: gp.Level) -> tuple[float, float, gp.StateSpace]:
    """Positions a second of processor time and by the clock, and what was found."""
    begin, clock = time.process_time(), time.perf_counter()
    space = gp.explore(level)
    return space.states / (time.process_time() - begin), space.states / (time.perf_counter() - clock), space


def measure_on_disk(folder: Path) -> int:
    """Print the figure of the room; 1 when it is missed, or a position."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        gp.explore("sokoban/first-steps/3", disk=f"{name}/small")  # loads the kernels
        begin, clock = time.process_time(), time.perf_counter()
        space = gp.explore(gp.read(ROOM)[0], limit=gp.Limit(memory=MEMORY), disk=f"{name}/large")
        spent, clock = time.process_time() - begin, time.perf_counter() - clock
        disk = space.to_dict()["disk"]
    cores = available_cores()
    rate, peak = cores * space.states / spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{space.states:,} positions on disk, {rate:,.0f}/s of {cores} cores by processor time ({WISHED:,} wished)"
    )
    print(f"by the clock {space.states / clock:,.0f}/s; peak {peak:.0f} MB, disk {disk / 2**20:.0f} MB")
    return 0 if rate >= WISHED and (space.states, space.complete) == (ROOM_POSITIONS, True) else 1


def main() -> int:
    """Print the figure; 1 when it is missed, or a position."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--disk", metavar="FOLDER", type=Path, help="a larger room, on disk")
    options = parser.parse_args()
    if options.disk:
        return measure_on_disk(options.disk)
    (level,) = (level for level in builtin_pack(gp.game("sokoban"), PACK) if level.title == TITLE)
    gp.explore(level, limit=gp.Limit(states=10_000))
    with one_core():
        found = [measure_exploration(level) for _ in range(RUNS)]
    everywhere = [measure_exploration(level) for _ in range(RUNS)]
    rate = statistics.median(run[0] for run in found)
    counts = {(run[2].states, run[2].complete) for run in found + everywhere}
    print(f"{TITLE}: {found[0][2].states:,} positions, {rate:,.0f}/s of one core ({WISHED:,} wished)")
    one, many = (statistics.median(run[1] for run in runs) for runs in (found, everywhere))
    print(f"by the clock: one core {one:,.0f}/s, all cores {many:,.0f}/s, {many / one:.2f} times as fast")
    return 0 if rate >= WISHED and counts == {(POSITIONS, True)} else 1


if __name__ == "__main__":
    raise SystemExit(main())
