"""Speed-up of exploration on two cores: Sokoban and Robots, 0.4 to 3.5 million positions.

One core and two take turns; the figure is the ratio of the medians by the clock, which needs a machine that does
nothing else. The second ratio does not: the time on two cores is reckoned from the processor time of each part of
the work, as if whoever is free took the next one at once.

What the machine can give is told beside it: processes that share nothing, each on one core, all at once. Two virtual cores
may be one real one, or share its memory; then two such processes do not do twice the work either.

    python benchmarks/explore_cores.py [--runs N] [--cores N]
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import gridproof as gp
from gridproof.core import limit
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.search import packed_bfs, thread_pool

LEVELS = {
    ("sokoban", "workshop", "Depot of Ten"): 1_220_286,
    ("robots", "races", "City block"): 441_080,
    ("robots", "races", "Four at once"): 3_523_968,
}
"""The positions of each."""
WISHED = 1.7


class Reckoned:
    """The threads of an exploration, and how long they would take if nothing disturbed them."""

    def __init__(self) -> None:
        self.saved = 0.0
        """Seconds of processor time that are spent while another core is longer at work."""

    @contextlib.contextmanager
    def thread_map(self, threads: int) -> Iterator[thread_pool.Each]:
        """As `cores.thread_map`."""
        with thread_pool.thread_map(threads) as each:

            def reckoned(work: Callable[..., Any], *parts: Any) -> Iterator[Any]:
                spent: list[float] = []

                def time_part(*part: Any) -> Any:
                    begin = time.thread_time()
                    result = work(*part)
                    spent.append(time.thread_time() - begin)
                    return result

                results = list(each(time_part, *parts))
                busy = [0.0] * threads
                for seconds in spent:
                    busy[busy.index(min(busy))] += seconds
                self.saved += sum(spent) - max(busy)
                return iter(results)

            yield reckoned


def measure_exploration(level: gp.Level, threads: int, positions: int) -> tuple[float, float]:
    """Seconds by the clock, and those reckoned."""
    os.environ[limit.CORES] = str(threads)
    reckoned = Reckoned()
    setattr(packed_bfs, "thread_map", reckoned.thread_map)  # noqa: B010  # the name is not its own
    spent, clock = time.process_time(), time.perf_counter()
    space = gp.explore(level)
    spent, clock = time.process_time() - spent, time.perf_counter() - clock
    if space.states != positions or not space.complete:
        raise SystemExit(f"{level.title}: {space.states:,} positions, not {positions:,}")
    return clock, spent - reckoned.saved


def at_once(wanted: tuple[str, str, str], processes: int, runs: int) -> float:
    """How much more independent processes do, all at once, than one of them alone."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        together = manager.Barrier(processes)
        list(pool.map(in_step, [(wanted, together)] * processes))  # loads kernels, touches memory
        alone = statistics.median(pool.submit(in_step, (wanted, None)).result() for _ in range(runs))
        every = [list(pool.map(in_step, [(wanted, together)] * processes)) for _ in range(runs)]
    return processes * alone / statistics.median(map(statistics.fmean, every))


def in_step(task: tuple[tuple[str, str, str], Any]) -> float:
    """Seconds by the clock of one process, which begins when the others do."""
    wanted, together = task
    if together is not None:
        together.wait()
    return measure_exploration(shipped_level(*wanted), 1, LEVELS[wanted])[0]


def shipped_level(game: str, pack: str, title: str) -> gp.Level:
    """The level with this title."""
    (level,) = (level for level in builtin_pack(gp.game(game), pack) if level.title == title)
    return level


def main() -> int:
    """Print the figures; 1 when one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    missed = False
    for wanted, positions in LEVELS.items():
        level, title = shipped_level(*wanted), wanted[-1]
        for threads in (1, options.cores):
            measure_exploration(level, threads, positions)  # loads kernels, touches memory
        runs = [
            [measure_exploration(level, n, positions) for n in (1, options.cores)]
            for _ in range(options.runs)
        ]
        (one, own), (all_, reckoned) = (
            [statistics.median(run[n][kind] for run in runs) for kind in range(2)] for n in range(2)
        )
        print(
            f"{title}: {positions:,} positions, one core {one:.2f} s, {options.cores} cores {all_:.2f} s by the clock: "
            f"{one / all_:.2f} times as fast ({WISHED} wished); reckoned by processor time {own / reckoned:.2f}; processes that share nothing "
            f"{at_once(wanted, options.cores, options.runs):.2f}",
            flush=True,
        )
        missed |= one / all_ < WISHED
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
